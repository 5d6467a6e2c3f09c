package foreign

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"goreify/compilers"
	"goreify/reify/csource"
)

// Reasons why there is no pair.
const (
	ReasonUndefined     = "undefined"     // a sanitizer reports something, or it dies
	ReasonEndless       = "endless"       // it executes more than MaxSteps statements
	ReasonSkipped       = "skipped"       // it died too often before
	ReasonDiffers       = "differs"       // two runs or two families do not say the same
	ReasonUninitialised = "uninitialised" // the answer depends on what was not initialised
	ReasonNarrow        = "narrow"        // it does not hold with pointers of 32 bits, or nobody here can say
	ReasonRejected      = "rejected"      // a compiler gives up on it
)

// A Harvester asks compilers what functions answer. It may be used concurrently.
type Harvester struct {
	space     *compilers.Workspace
	witnesses []witness
	narrow    []witness // with pointers of 32 bits, one of them with sanitizers; or none
	limits    compilers.Limits
	panel     *Panel // that has built the drivers, or nil
}

// A witness is a build that must agree.
type witness struct {
	target  compilers.Target
	reason  string // of a refusal where it says something else
	limits  compilers.Limits
	counted bool // it counts statements
	mode    compilers.Mode
	// sanitizes says that it reports what is undefined. Where addresses matter, others see.
	sanitizes bool
}

// NewHarvester returns a harvester that asks the newest of each family in targets, and
// sanitizers of two families. The error says what is missing: it needs those, and one that
// sees what is not initialised (-fsanitize=memory).
func NewHarvester(ctx context.Context, targets, sanitizers []compilers.Target, space *compilers.Workspace) (*Harvester, error) {
	h := NewChecker(space)
	wide := h.limits.ForSanitizers()
	var families []string
	for _, t := range sanitizers {
		if family := t.ID().Family; t.Language() == compilers.C && !slices.Contains(families, family) {
			families = append(families, family)
			h.witnesses = append(h.witnesses, witness{t, ReasonUndefined, wide, len(families) == 1, "-O0", true})
		}
	}
	if len(families) < 2 {
		return nil, fmt.Errorf("sanitizers of gcc and clang must agree on what functions answer, and only those of %v are here", families)
	}
	families = nil
	memory := false
	for _, t := range slices.Backward(targets) {
		t = compilers.Plain(t)
		family := t.ID().Family
		if t.Language() != compilers.C || t.Traits().Emulated || t.Traits().Pointer != 8 || slices.Contains(families, family) {
			continue
		}
		// One family fills what is not initialised with zeros, the other with a pattern.
		filled := witness{t, ReasonDiffers, h.limits, false, "-O0", false}
		if l, ok := t.(compilers.Lenient); ok && len(families) < len(l.Filled()) {
			if u := l.With(l.Filled()[len(families)]); h.works(ctx, u, h.limits) {
				filled = witness{u, ReasonUninitialised, h.limits, false, "-O0", false}
			}
		}
		families = append(families, family)
		h.witnesses = append(h.witnesses, filled)
		if u, ok := compilers.With(t, "-fsanitize=memory", "-fno-sanitize-recover=all"); ok && !memory && h.works(ctx, u, wide) {
			memory = true
			h.witnesses = append(h.witnesses, witness{u, ReasonUninitialised, wide, false, "-O0", true})
		}
		if u, ok := compilers.With(t, "-m32"); ok && len(h.narrow) == 0 && h.works(ctx, u, h.limits) && u.Traits().Pointer == 4 {
			h.narrow = append(h.narrow, witness{u, ReasonDiffers, h.limits, false, "-O0", false})
		}
	}
	// What is defined for a long of 64 bits may not be for one of 32: shifts, above all.
	i := slices.IndexFunc(sanitizers, func(t compilers.Target) bool {
		u, ok := compilers.With(t, "-m32")
		return ok && t.Language() == compilers.C && h.works(ctx, u, wide) && u.Traits().Pointer == 4
	})
	if i >= 0 && len(h.narrow) > 0 {
		u, _ := compilers.With(sanitizers[i], "-m32")
		h.narrow = append(h.narrow, witness{u, ReasonUndefined, wide, false, "-O0", true})
	} else {
		h.narrow = nil
	}
	switch {
	case len(families) < 2:
		return nil, fmt.Errorf("gcc and clang must agree on what functions answer, and only %v are here", families)
	case !memory:
		return nil, errors.New("a compiler with -fsanitize=memory must see what is not initialised, as clang has it, and none is here")
	}
	return h, nil
}

// NewChecker returns a harvester that can only Check, and needs no compilers for that.
func NewChecker(space *compilers.Workspace) *Harvester {
	h := &Harvester{space: space, limits: compilers.DefaultLimits()}
	h.limits.CompileCPU, h.limits.CompileWall = 60*time.Second, 5*time.Minute
	h.limits.RunCPU, h.limits.RunWall = 60*time.Second, 5*time.Minute
	h.limits.Output = 64 << 20
	return h
}

// works tells whether a target builds what runs.
func (h *Harvester) works(ctx context.Context, t compilers.Target, l compilers.Limits) bool {
	o := compilers.Test(ctx, t, h.space, compilers.Job{Files: compilers.Single([]byte("int main(void) { return 0; }\n")), Mode: "-O0"}, l)
	return o.Verdict == compilers.OK
}

// Narrow tells whether functions are tried with pointers of 32 bits, also with sanitizers:
// else none is of Both.
func (h *Harvester) Narrow() bool { return len(h.narrow) > 0 }

// Ask answers questions in one batch: a reply for each, in their order. A reply without an
// answer says why. What a function of Both is asked must hold with pointers of 32 bits, too.
// The error is that of ctx, or what kept the machine from answering.
func (h *Harvester) Ask(ctx context.Context, q []Question) ([]Reply, error) {
	replies, narrow, err := h.ask(ctx, q, 0, func([]Reply) []int { return nil })
	for i := range replies {
		if q[i].Function.Models == Both && replies[i].Refused == "" && (narrow == nil || !narrow[i]) {
			replies[i].Refused = ReasonNarrow
		}
	}
	return replies, err
}

// A Harvest is what came of a function.
type Harvest struct {
	Function *Function // its Models and Class may have changed
	Pairs    []Pair
	Refused  map[string]int // how many inputs have no pair, by the reason
	Rejected bool           // a compiler does not take it
}

// Inputs is how many inputs are tried of a function, and MaxPairs how many pairs are kept.
const (
	Inputs   = 64
	MaxPairs = 32
)

// leastPairs is how many pairs are kept of a function that answers more inputs, though some
// tell nothing new: with more pairs there are more places where it can be called.
const leastPairs = 16

// deaths is how many inputs of a function may kill it before it is given up.
const deaths = 24

// Harvest tries functions on inputs that their text decides. Of the variants of one function,
// which stand side by side, the one with the most sets of visited statements is returned.
// Of functions of one symbol the first is tried, and the others are not returned.
func (h *Harvester) Harvest(ctx context.Context, functions []*Function) ([]Harvest, error) {
	symbols := map[string]bool{}
	functions = slices.DeleteFunc(slices.Clone(functions), func(f *Function) bool {
		again := symbols[f.Symbol]
		symbols[f.Symbol] = true
		return again
	})
	var q []Question
	for _, f := range functions {
		for _, args := range Draw(f, Inputs) {
			q = append(q, Question{f, args})
		}
	}
	replies, narrow, err := h.ask(ctx, q, deaths, chosen)
	if err != nil {
		return nil, err
	}
	var list []Harvest
	visits := 0 // of the last of list
	for i, f := range functions {
		r := replies[i*Inputs : (i+1)*Inputs]
		one := Harvest{Function: f, Refused: map[string]int{}, Rejected: true}
		sets, answers, agree := map[uint64]bool{}, map[int64]bool{}, 0
		for k := range r {
			one.Rejected = one.Rejected && r[k].Refused == ReasonRejected
			if r[k].Refused != "" {
				if r[k].Refused != reasonSpare {
					one.Refused[r[k].Refused]++
				}
				continue
			}
			one.Pairs = append(one.Pairs, r[k].Pair)
			sets[r[k].Visited], answers[r[k].Want] = true, true
			if narrow != nil && narrow[i*Inputs+k] {
				agree++
			}
		}
		f.Models = LP64
		if len(one.Pairs) > 0 && agree == len(one.Pairs) {
			f.Models = Both
		}
		if len(answers) < 2 && f.Class != Puns {
			f.Class = Dead
		}
		if n := len(list); n > 0 && list[n-1].Function.Origin == f.Origin {
			if len(sets) > visits {
				list[n-1], visits = one, len(sets)
			}
			continue
		}
		list, visits = append(list, one), len(sets)
	}
	return list, nil
}

// reasonSpare is of inputs that tell nothing new.
const reasonSpare = "spare"

// chosen returns which replies to one function are to be kept: one for each set of visited
// statements, then new answers, then others.
func chosen(replies []Reply) []int {
	var list []int
	sets, answers := map[uint64]bool{}, map[int64]bool{}
	take := func(wanted func(r *Reply) bool, most int) {
		for i := range replies {
			r := &replies[i]
			if r.Refused == "" && len(list) < most && !slices.Contains(list, i) && wanted(r) {
				list = append(list, i)
				sets[r.Visited], answers[r.Want] = true, true
			}
		}
	}
	take(func(r *Reply) bool { return !sets[r.Visited] }, MaxPairs)
	take(func(r *Reply) bool { return !answers[r.Want] }, MaxPairs)
	take(func(*Reply) bool { return true }, leastPairs)
	return list
}

// ask asks all witnesses. Where choose returns numbers for the replies of one function,
// the others are reasonSpare. narrow tells which replies also hold with pointers of 32
// bits; it is nil if nobody could be asked.
func (h *Harvester) ask(ctx context.Context, q []Question, deaths int, choose func([]Reply) []int) (replies []Reply, narrow []bool, err error) {
	replies = make([]Reply, len(q))
	var open []int // questions without a refusal
	for i := range q {
		replies[i].Args = q[i].Args
		open = append(open, i)
	}
	for n, w := range h.witnesses {
		if len(open) == 0 {
			break
		}
		first := n == 0
		runs := 2 // at other addresses
		if w.sanitizes {
			runs = 1
		}
		b := &batch{Harvester: h, witness: w, deaths: deaths}
		if !first {
			b.deaths = 0
		}
		answers, err := b.ask(ctx, q, open, runs)
		if err != nil {
			return nil, nil, err
		}
		var left []int
		for k, i := range open {
			r := &replies[i]
			for _, list := range answers {
				a := list[k]
				switch {
				case r.Refused != "":
				case a.state != answered && first:
					r.Refused = a.reason(ReasonUndefined)
				case a.state != answered:
					r.Refused = a.reason(w.reason)
				case first:
					r.Want, r.Steps, r.Visited = a.want, a.steps, a.visited
				case a.want != r.Want:
					r.Refused = ReasonDiffers
					if w.reason == ReasonUninitialised {
						r.Refused = w.reason
					}
				}
			}
			if r.Refused == "" {
				left = append(left, i)
			}
		}
		open = left
		if first {
			open = selected(q, replies, open, choose)
		}
	}
	if len(h.narrow) > 0 {
		narrow = make([]bool, len(q))
		for _, i := range open {
			narrow[i] = true
		}
	}
	for _, w := range h.narrow {
		open = slices.DeleteFunc(open, func(i int) bool { return !narrow[i] })
		if len(open) == 0 {
			break
		}
		b := &batch{Harvester: h, witness: w}
		answers, err := b.ask(ctx, q, open, 1)
		if err != nil {
			return nil, nil, err
		}
		for k, i := range open {
			narrow[i] = answers[0][k].state == answered && answers[0][k].want == replies[i].Want
		}
	}
	return replies, narrow, nil
}

// selected returns the questions that choose takes. Of the variants of one function, which
// stand side by side, only the one of which more sets of visited statements are chosen is left.
func selected(q []Question, replies []Reply, open []int, choose func([]Reply) []int) []int {
	var kept []int
	var best struct {
		origin   Origin
		at, sets int // where its questions begin in kept
	}
	for from := 0; from < len(open); {
		f := q[open[from]].Function
		to := from
		var group []Reply
		for ; to < len(open) && q[open[to]].Function == f; to++ {
			group = append(group, replies[open[to]])
		}
		list := choose(group)
		visited := map[uint64]bool{}
		var taken []int
		for k := range group {
			if list == nil || slices.Contains(list, k) {
				taken = append(taken, open[from+k])
				visited[group[k].Visited] = true
			} else {
				replies[open[from+k]].Refused = reasonSpare
			}
		}
		from = to
		variant := list != nil && f.Origin == best.origin && f.Origin != Origin{}
		switch {
		case !variant:
			best.at = len(kept)
		case len(visited) > best.sets:
			for _, i := range kept[best.at:] {
				replies[i].Refused = reasonSpare
			}
			kept = kept[:best.at]
		default:
			for _, i := range taken {
				replies[i].Refused = reasonSpare
			}
			continue
		}
		best.origin, best.sets = f.Origin, len(visited)
		kept = append(kept, taken...)
	}
	return kept
}

// What became of a question, as driver.c has it.
const (
	unanswered = iota
	answered
	endless
	died
	skipped
	rejected // by the compiler
)

type answer struct {
	state   int
	want    int64
	steps   int
	visited uint64
}

func (a answer) reason(usual string) string {
	switch a.state {
	case endless:
		return ReasonEndless
	case skipped:
		return ReasonSkipped
	case rejected:
		return ReasonRejected
	}
	return usual
}

// A batch is questions for one witness.
type batch struct {
	*Harvester
	witness
	deaths int
}

// ask returns the answers of each run to the open questions, which are sorted by function.
func (b *batch) ask(ctx context.Context, q []Question, open []int, runs int) ([][]answer, error) {
	var functions []*Function
	number := map[*Function]int{}
	for _, i := range open {
		f := q[i].Function
		if _, ok := number[f]; !ok {
			number[f] = len(functions)
			functions = append(functions, f)
		}
	}
	var built compilers.Built
	var bad map[int]bool
	var err error
	if b.panel != nil {
		functions, number = b.panel.functions, b.panel.number
		built, bad, err = b.panel.driver(ctx, b)
	} else if built, bad, err = b.build(ctx, functions); built.Path != "" {
		defer built.Remove()
	}
	if err != nil {
		return nil, err
	}
	all := make([][]answer, runs)
	if built.Path == "" {
		for r := range all {
			all[r] = slices.Repeat([]answer{{state: rejected}}, len(open))
		}
		return all, nil
	}
	var asked []int // of open
	var file bytes.Buffer
	words := []int64{0}
	for k, i := range open {
		n := number[q[i].Function]
		if bad[n] {
			continue
		}
		asked = append(asked, k)
		words = append(words, int64(n))
		words = append(words, q[i].Args...)
		words = append(words, make([]int64, MaxParams-len(q[i].Args))...)
	}
	words[0] = int64(len(asked))
	if err := binary.Write(&file, binary.LittleEndian, words); err != nil {
		return nil, err
	}
	const name = "questions"
	if err := os.WriteFile(filepath.Join(filepath.Dir(built.Path), name), file.Bytes(), 0o644); err != nil {
		return nil, err
	}
	for r := range all {
		all[r] = slices.Repeat([]answer{{state: rejected}}, len(open))
		o := b.target.Run(ctx, built, []string{name}, nil, b.witness.limits)
		lines := bytes.Split(bytes.TrimSuffix(o.Stdout, []byte("\n")), []byte("\n"))
		switch {
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case len(asked) > 0 && (o.Verdict != compilers.WrongAnswer || len(lines) != len(asked)):
			return nil, fmt.Errorf("%s: the driver of %d functions: %v, %d lines for %d questions", b.target.ID(), len(functions), o, len(lines), len(asked))
		}
		for j, k := range asked {
			a := &all[r][k]
			if _, err := fmt.Sscanf(string(lines[j]), "%d %d %d %x", &a.state, &a.want, &a.steps, &a.visited); err != nil {
				return nil, fmt.Errorf("%s: the driver prints %q: %w", b.target.ID(), lines[j], err)
			}
		}
	}
	return all, nil
}

// build builds a driver of functions. Those that the compiler rejects are left out, and
// are in bad by their numbers; if it rejects all, there is nothing built.
func (b *batch) build(ctx context.Context, functions []*Function) (built compilers.Built, bad map[int]bool, err error) {
	bad = map[int]bool{}
	for {
		if len(bad) == len(functions) {
			return compilers.Built{}, bad, nil
		}
		built, o := b.try(ctx, functions, bad)
		switch {
		case built.Path != "":
			return built, bad, nil
		case ctx.Err() != nil:
			return compilers.Built{}, nil, context.Cause(ctx)
		case o.Verdict == compilers.Discarded:
			return compilers.Built{}, nil, fmt.Errorf("%s: %v", b.target.ID(), o)
		}
		before := len(bad)
		if err := b.reject(ctx, functions, bad, 0, len(functions)); err != nil {
			return compilers.Built{}, nil, err
		}
		if len(bad) == before {
			return compilers.Built{}, nil, fmt.Errorf("%s rejects functions together that it takes in parts: %v", b.target.ID(), o)
		}
	}
}

// try builds a driver of functions but for those in bad. What we cannot parse ourselves is
// rejected, too.
func (b *batch) try(ctx context.Context, functions []*Function, bad map[int]bool) (compilers.Built, compilers.Outcome) {
	text, err := b.driver(functions, bad)
	if err != nil {
		return compilers.Built{}, compilers.Outcome{Verdict: compilers.Rejected, Message: err.Error()}
	}
	job := compilers.Job{Files: compilers.Single(text), Mode: b.mode, Extra: strict}
	return b.target.Build(ctx, b.space, job, b.witness.limits)
}

// strict are arguments that have compilers reject what newer ones reject by themselves.
var strict = []string{"-Werror=implicit-function-declaration", "-Werror=implicit-int", "-Werror=int-conversion", "-Werror=incompatible-pointer-types"}

// reject adds to bad those of functions [from, to) that the compiler rejects.
func (b *batch) reject(ctx context.Context, functions []*Function, bad map[int]bool, from, to int) error {
	others := map[int]bool{}
	any := false
	for i := range functions {
		others[i] = bad[i] || i < from || i >= to
		any = any || !others[i]
	}
	if !any {
		return nil
	}
	built, o := b.try(ctx, functions, others)
	switch {
	case built.Path != "":
		built.Remove()
		return nil
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case o.Verdict == compilers.Discarded:
		return fmt.Errorf("%s: %v", b.target.ID(), o)
	case to-from == 1:
		bad[from] = true
		return nil
	}
	middle := (from + to) / 2
	if err := b.reject(ctx, functions, bad, from, middle); err != nil {
		return err
	}
	return b.reject(ctx, functions, bad, middle, to)
}

//go:embed c/driver.c
var driver string

// driver returns a program that asks functions, but for those in bad.
func (b *batch) driver(functions []*Function, bad map[int]bool) ([]byte, error) {
	var unit strings.Builder
	ranges := make([]int, len(functions)+1)
	for i, f := range functions {
		if !bad[i] {
			unit.WriteString(f.Text)
			unit.WriteByte('\n')
		}
		ranges[i+1] = unit.Len() // bytes, until statements are known
	}
	text := unit.String()
	var head, c strings.Builder
	if b.counted {
		p, err := csource.ParseUnit("slices.c", []byte(text), csource.LP64)
		if err != nil {
			return nil, err
		}
		text = string(p.Apply(p.Count(func(i int) string { return fmt.Sprintf("reify_n(%d); ", i) })))
		at := 0
		for i := range ranges {
			for at < len(p.Stmts) && p.Stmts[at].From < ranges[i] {
				at++
			}
			ranges[i] = at
		}
		fmt.Fprintf(&head, `static int reify_first, reify_end;
static unsigned reify_steps;
static unsigned char reify_seen[%d];
static void reify_stop(void);
static void reify_n(int k) { reify_seen[k] = 1; if (++reify_steps > %d) reify_stop(); }
`, len(p.Stmts)+1, MaxSteps)
		fmt.Fprintf(&c, "#define REIFY_COUNT\nstatic const int reify_ranges[] = {")
		for _, n := range ranges {
			fmt.Fprintf(&c, "%d, ", n)
		}
		c.WriteString("};\n")
	}
	fmt.Fprintf(&c, "#define REIFY_PARAMS %d\n#define REIFY_DEATHS %d\n", MaxParams, b.deaths)
	c.WriteString("static unsigned long long reify_call(int function, const long long *a)\n{\n\tswitch (function) {\n")
	for i, f := range functions {
		if bad[i] {
			continue
		}
		fmt.Fprintf(&c, "\tcase %d: return (unsigned long long)(long long)%s(", i, f.Symbol)
		for k, t := range f.Params {
			if k > 0 {
				c.WriteString(", ")
			}
			fmt.Fprintf(&c, "(%s)a[%d]", C(t), k)
		}
		c.WriteString(");\n")
	}
	c.WriteString("\t}\n\treturn 0;\n}\n")
	return []byte(head.String() + text + c.String() + driver), nil
}
