package mutate

import (
	"fmt"
	"slices"
	"strconv"

	"goreify/reify/choice"
	"goreify/reify/interp"
	"goreify/reify/ir"
	"goreify/reify/observe"
)

// A Host is a function with known answers that foreign functions are called in:
//
//	%x = %x * 3      becomes, aside      %t = @r1f9c(%a, %i ^ 5)
//	                                     %x = %x * 3
//	                 or, free            %x = %x ^ @r1f9c(%a, %i ^ 5)
//	                                     %x = %x * 3
//
// Aside, the answers change nothing until the pass foreign makes code depend on them.
// Free, they change the values, and the cases are those that the interpreter then
// finds. In both the arguments may differ at each visit, so Settle has to ask for the
// answers.
type Host struct {
	Cases []*ir.Claim // of the function with the calls; nil if Settle has given up

	free  bool
	seed  []*ir.Claim
	sites []*site
	fuel  int
	state hostState
}

type hostState int

const (
	open    hostState = iota // answers are missing
	settled                  // the cases are right
	dropped
)

// A site is a call that was put in.
type site struct {
	stmt ir.Stmt
	call *ir.Call
	dead bool // it is removed if a case reaches it
}

// A Callee is a foreign function that can be called.
type Callee struct {
	Func  *ir.Function
	Grids []Grid // arguments to which it has all answers; without any, arbitrary arguments are passed
	Dead  bool   // it is called only off the path of all cases, with arbitrary arguments: its answers are unknown
}

// A Grid is arguments of which one varies: Args[Param] + i*Stride, wrapped, for i from 0 to
// Count-1, a power of two.
type Grid struct {
	Args   []int64
	Param  int
	Stride int64
	Count  int
}

// Inject returns a host that is a copy of the function of some cases, under a name,
// with calls of foreign functions, each at one to three places that are visited. It is
// nil if no place fits. The error says which case is wrong.
func Inject(name string, cases []*ir.Claim, funcs []Callee, free bool, s *choice.Stream) (*Host, error) {
	seed, err := NewSeed(cases)
	if err != nil {
		return nil, err
	}
	m := newMutant(seed, name, Options{}, s)
	h := &Host{free: free, seed: cases, fuel: 1024 + 16*seed.most}
	for _, f := range funcs {
		if f.Dead {
			m.callDead(h, f.Func)
			continue
		}
		for range s.Range(1, 3) {
			m.call(h, f)
		}
	}
	if len(h.sites) == 0 {
		return nil, nil
	}
	renumber(m.f)
	for _, c := range cases {
		h.Cases = append(h.Cases, &ir.Claim{Func: m.f, Args: c.Args, Want: c.Want, Path: c.Path})
	}
	return h, nil
}

// call puts in a call.
func (m *mutant) call(h *Host, to Callee) {
	f := to.Func
	at := m.spot()
	rows := m.rows(at)
	vars := m.scalars(rows)
	call := &ir.Call{Func: f}
	var grid Grid
	if h.free {
		rows = nil // its predictions will not hold
	}
	if len(to.Grids) > 0 {
		grid = choice.Pick(m.s, to.Grids)
	}
	for i, p := range f.Vars {
		t := p.Type.(ir.Int)
		switch {
		case grid.Args == nil:
			call.Args = append(call.Args, m.passed(vars, t))
		case i == grid.Param:
			call.Args = append(call.Args, m.varied(vars, t, grid))
		default:
			call.Args = append(call.Args, m.is(rows, vars, t, grid.Args[i]))
		}
	}
	set := &ir.Assign{Src: call}
	if h.free {
		vars = slices.DeleteFunc(slices.Clone(vars), func(v *ir.Var) bool { return !writable(v) })
		if len(vars) == 0 {
			return
		}
		x := choice.Pick(m.s, vars)
		t := x.Type.(ir.Int)
		u := ir.Int{Bits: promoted(x).Bits} // wraps
		op := choice.Pick(m.s, []ir.Op{ir.Xor, ir.Xor, ir.Add, ir.Sub, ir.And, ir.Or})
		set.Dst = &ir.VarRef{Var: x}
		set.Src = observe.Convert(&ir.Binary{Op: op, X: observe.Convert(load(x), t, u), Y: observe.Convert(call, f.Result, u)}, u, t)
	} else {
		set.Dst = &ir.VarRef{Var: m.addLocal("t"+strconv.Itoa(len(h.sites)), f.Result)}
	}
	putIn(at.b, at.k, set)
	h.sites = append(h.sites, &site{stmt: set, call: call})
}

// callDead puts a call into a dead block, or one behind a condition that hardly ever
// holds: Settle removes the call if it is reached.
func (m *mutant) callDead(h *Host, f *ir.Function) {
	at := m.spot()
	dead := m.dead()
	if vars := m.scalars(m.rows(at)); len(vars) > 0 {
		v := choice.Pick(m.s, vars)
		u := ir.Int{Bits: promoted(v).Bits}
		never := &ir.Binary{Op: ir.Eq, X: observe.Convert(load(v), v.Type.(ir.Int), u), Y: m.constant(u)}
		rest := m.split(at.b, at.k)
		b := m.addBlock(at.b, false)
		b.Term = &ir.Goto{To: rest}
		m.guard(at.b, never, b, rest)
		dead = append(dead, b)
	}
	if len(dead) == 0 {
		return
	}
	call := &ir.Call{Func: f}
	for _, p := range f.Vars {
		call.Args = append(call.Args, m.anything(p.Type.(ir.Int)))
	}
	set := &ir.Assign{Src: call}
	if vars := m.integers(writable); len(vars) > 0 && m.s.Chance(3, 4) {
		x := choice.Pick(m.s, vars)
		set.Dst, set.Src = &ir.VarRef{Var: x}, observe.Convert(call, f.Result, x.Type.(ir.Int))
	} else {
		set.Dst = &ir.VarRef{Var: m.addLocal("d", f.Result)}
	}
	b := choice.Pick(m.s, dead)
	putIn(b, m.s.Intn(len(b.Stmts)+1), set)
	h.sites = append(h.sites, &site{stmt: set, call: call, dead: true})
}

// varied returns an argument of type t that a grid has, which varies as a variable does.
func (m *mutant) varied(vars []*ir.Var, t ir.Int, g Grid) ir.Expr {
	if len(vars) == 0 {
		return &ir.Const{T: t, V: g.Args[g.Param]}
	}
	v := choice.Pick(m.s, vars)
	from := ir.Int{Bits: promoted(v).Bits} // wraps
	x := observe.Convert(load(v), v.Type.(ir.Int), from)
	if m.s.Chance(1, 4) {
		x = &ir.Binary{Op: ir.Shr, X: x, Y: &ir.Const{T: from, V: int64(m.s.Range(1, 8))}}
	}
	u := ir.Int{Bits: max(32, t.Bits)}
	x = observe.Convert(&ir.Binary{Op: ir.And, X: x, Y: &ir.Const{T: from, V: int64(g.Count - 1)}}, from, u)
	if g.Stride != 1 {
		x = &ir.Binary{Op: ir.Mul, X: x, Y: &ir.Const{T: u, V: u.Wrap(g.Stride)}}
	}
	if first := u.Wrap(g.Args[g.Param]); first != 0 {
		x = &ir.Binary{Op: ir.Add, X: x, Y: &ir.Const{T: u, V: first}}
	}
	return observe.Convert(x, u, t)
}

// is returns an expression of type t and a value, half of the time in a variable that has
// the same value on each visit.
func (m *mutant) is(rows []observe.Row, vars []*ir.Var, t ir.Int, value int64) ir.Expr {
	if len(rows) > 0 && m.s.Chance(1, 2) {
		stable := slices.DeleteFunc(slices.Clone(vars), func(v *ir.Var) bool {
			return slices.ContainsFunc(rows, func(r observe.Row) bool { return r[v.Index].V != rows[0][v.Index].V })
		})
		if len(stable) > 0 {
			v := choice.Pick(m.s, stable)
			return observe.Adjust(m.s, load(v), rows[0][v.Index].V, t, value)
		}
	}
	return &ir.Const{T: t, V: value}
}

// passed returns an argument of type t, mostly in a variable, which has a value.
func (m *mutant) passed(vars []*ir.Var, t ir.Int) ir.Expr {
	if len(vars) == 0 || m.s.Chance(1, 5) {
		return m.constant(t)
	}
	v := choice.Pick(m.s, vars)
	of := v.Type.(ir.Int)
	if m.s.Chance(1, 2) {
		return observe.Convert(load(v), of, t)
	}
	u := ir.Int{Bits: promoted(v).Bits} // wraps
	op := choice.Pick(m.s, []ir.Op{ir.Add, ir.Sub, ir.Xor, ir.And})
	c := m.constant(u)
	if op == ir.And || m.s.Chance(1, 2) {
		c.V = int64(m.s.Range(1, 255))
	}
	return observe.Convert(&ir.Binary{Op: op, X: observe.Convert(load(v), of, u), Y: c}, u, t)
}

// A Question asks for the answer of a foreign function to arguments.
type Question struct {
	Func *ir.Function
	Args []int64
}

// mostRounds bounds the rounds of Settle, of which the last one does not ask.
const mostRounds = 8

// mostForeignSteps bounds the statements of foreign functions that the cases of a
// host execute.
const mostForeignSteps = 100_000

// An Asker knows the answers of foreign functions. For each question it returns an
// answer; one with 0 Steps is none.
type Asker interface {
	// Guess asks for answers that are mostly right.
	Guess([]Question) ([]ir.Answer, error)
	// Ask asks for answers that are right.
	Ask([]Question) ([]ir.Answer, error)
}

// Settle determines the answers of the calls in hosts. It guesses for all of them
// together, repeatedly as long as answers lead to other questions, at most 7 times, and
// then asks. Calls without an answer then are removed, and so are those after which the
// run of a case is undefined or too long. A host without calls is dropped. The foreign
// functions of the remaining hosts know the answers. The error is the asker's.
func Settle(hosts []*Host, asker Asker) error {
	r := &round{refused: map[string]bool{}, before: map[*ir.Function]*ir.Foreign{}}
	for n := range mostRounds {
		r.begin(n == mostRounds-1)
		for _, h := range hosts {
			if h.state == open {
				h.settle(r)
			}
		}
		if len(r.questions) == 0 {
			break
		}
		answers, err := asker.Guess(r.questions)
		if err != nil {
			return err
		}
		r.learn(answers)
	}
	r.begin(true)
	for _, h := range hosts {
		if h.state == settled {
			h.guessed(r)
		}
	}
	for f, known := range r.before {
		f.Foreign = known // guesses are dropped
	}
	if len(r.questions) > 0 {
		answers, err := asker.Ask(r.questions)
		if err != nil {
			return err
		}
		r.learn(answers)
	}
	for _, h := range hosts {
		if h.state == settled {
			h.settle(r)
		}
		if h.state != settled {
			h.Cases = nil
		}
	}
	return nil
}

// guessed makes the round ask for the guessed answers on which the cases rest.
func (h *Host) guessed(r *round) {
	for _, c := range h.Cases {
		// The run went well before, and goes the same way.
		_, _ = interp.Run(c.Func, c.Args, interp.Options{Fuel: h.fuel, Leave: func(c interp.Call) {
			if known := r.before[c.Func]; known != nil {
				if _, ok := known.Answer(c.Args); !ok {
					r.ask(c.Func, c.Args)
				}
			}
		}})
	}
}

// A round is a set of questions that are asked at a time, and the questions that are
// known to have no answer.
type round struct {
	questions []Question
	asked     map[string]bool
	refused   map[string]bool
	before    map[*ir.Function]*ir.Foreign // answers that were known before the first question
	last      bool                         // no new question may come up
}

func (r *round) begin(last bool) { r.questions, r.asked, r.last = nil, map[string]bool{}, last }

// ask adds a question.
func (r *round) ask(f *ir.Function, args []int64) {
	key := keyOf(f, args)
	if !r.asked[key] {
		r.asked[key] = true
		r.questions = append(r.questions, Question{f, slices.Clone(args)})
	}
}

func keyOf(f *ir.Function, args []int64) string { return fmt.Sprint(f.Name, args) }

func (r *round) learn(answers []ir.Answer) {
	more := map[*ir.Function][]ir.Answer{}
	var order []*ir.Function
	for i, q := range r.questions {
		if i >= len(answers) || answers[i].Steps == 0 {
			r.refused[keyOf(q.Func, q.Args)] = true
			continue
		}
		if more[q.Func] == nil {
			order = append(order, q.Func)
		}
		a := answers[i]
		a.Args = q.Args
		more[q.Func] = append(more[q.Func], a)
	}
	for _, f := range order {
		if r.before[f] == nil {
			r.before[f] = f.Foreign
		}
		f.Foreign = f.Foreign.With(more[f]...)
	}
}

// settle runs the cases of a host, and removes the calls that do harm. It adds the
// remaining questions to the round.
func (h *Host) settle(r *round) {
	for len(h.sites) > 0 {
		bad, pending := h.try(r)
		switch {
		case bad != nil:
			h.remove(bad)
			continue
		case !pending:
			h.state = settled
		}
		return
	}
	h.state = dropped
}

// try runs the cases. It returns a call to remove, or whether there are questions.
func (h *Host) try(r *round) (bad *site, pending bool) {
	steps := 0
	for i, c := range h.Cases {
		var at *ir.Call
		var refused *ir.Call
		unknown := false
		result, err := interp.Run(c.Func, c.Args, interp.Options{
			Fuel:  h.fuel,
			Enter: func(c interp.Call) { at = c.Site },
			Leave: func(c interp.Call) {
				if c.Func.Foreign != nil {
					a, _ := c.Func.Foreign.Answer(c.Args)
					steps += a.Steps
				}
			},
			Answer: func(f *ir.Function, args []int64) (int64, bool) {
				key := keyOf(f, args)
				if r.refused[key] || r.last || h.site(at).dead {
					refused = at
					return 0, false
				}
				unknown = true
				r.ask(f, args)
				return 0, true
			},
		})
		switch {
		case refused != nil:
			return h.site(refused), false
		case unknown:
			pending = true
			continue
		case err != nil || steps > mostForeignSteps:
			return h.sites[len(h.sites)-1], false
		}
		h.Cases[i].Want, h.Cases[i].Path = result.Value, result.Path
	}
	return nil, pending
}

// site returns the site of a call.
func (h *Host) site(call *ir.Call) *site {
	return h.sites[slices.IndexFunc(h.sites, func(s *site) bool { return s.call == call })]
}

// remove takes a call out.
func (h *Host) remove(s *site) {
	for _, b := range h.Cases[0].Func.Blocks {
		b.Stmts = slices.DeleteFunc(slices.Clone(b.Stmts), func(st ir.Stmt) bool { return st == s.stmt })
	}
	h.sites = slices.DeleteFunc(h.sites, func(other *site) bool { return other == s })
}

// Free tells whether the answers may change what the function returns.
func (h *Host) Free() bool { return h.free }

// Calls returns how many calls there are in the host.
func (h *Host) Calls() int { return len(h.sites) }
