package csource

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"goreify/reify/choice"
)

// A Callee is a function of others with a text of its own, which fits into any program.
type Callee struct {
	Name    string
	Text    string   // that defines it, without a name that a program may have
	Params  []string // types, of integers
	Answers []Answer // its recorded answers
}

// An Answer is the answer of a function to arguments, sign-extended.
type Answer struct {
	Args []int64
	Want int64
}

// Inject has a program call functions of others (Creal; Li, Theodoridis, Su, PLDI 2024). In
//
//	d = e;      becomes      d = (int)(e + (f(x, y + 3) - 18));
//
// x and y have one value at all visits that rows record, for which the answer of f is
// 18. Calls at unexecuted places have any arguments. The value of an integer constant
// may also be computed from the answer. The first edits put in the texts of the
// functions, before all else.
func Inject(p *Program, hits []uint32, rows []Rows, callees []Callee, o Options, s *choice.Stream) []Edit {
	n := o.Edits
	if n == 0 {
		n = defaultEdits
	}
	var edits []Edit
	called := map[int]bool{}
	used := map[int]bool{} // offsets
	dead := p.deadPlaces(hits)
	for range n {
		if len(callees) == 0 {
			break
		}
		k := s.Intn(len(callees))
		c := &callees[k]
		if len(dead) > 0 && (len(c.Answers) == 0 || s.Chance(1, 4)) {
			i := choice.Pick(s, dead)
			if code := p.deadCall(i, c, s); code != "" {
				edits, called[k] = append(edits, p.put(i, code, "inject: dead call of "+c.Name)), true
			}
			continue
		}
		if len(rows) == 0 || len(c.Answers) == 0 {
			continue
		}
		r := &rows[s.Intn(len(rows))]
		sites := p.sites(r.Stmt)
		if r.Visits == 0 || len(sites) == 0 {
			continue
		}
		site := choice.Pick(s, sites)
		if used[site.from] {
			continue
		}
		used[site.from], called[k] = true, true
		edits = append(edits, Edit{site.from, site.to, p.compensated(r, site, c, s), fmt.Sprintf("inject: %s at %d", c.Name, site.from)})
	}
	var texts []Edit
	for k, c := range callees {
		if called[k] {
			texts = append(texts, Edit{Text: strings.TrimRight(c.Text, "\n") + "\n", Why: "inject: text of " + c.Name})
		}
	}
	if texts == nil {
		return nil
	}
	return append(texts, edits...)
}

// deadPlaces returns the unexecuted statements before which code can be inserted.
func (p *Program) deadPlaces(hits []uint32) (list []int) {
	for i, dead := range p.dead(hits) {
		if dead && p.place(i) {
			list = append(list, i)
		}
	}
	return list
}

// deadCall returns a statement that calls with scalars in scope before statement i.
func (p *Program) deadCall(i int, c *Callee, s *choice.Stream) string {
	st := &p.Stmts[i]
	var args []string
	all := st.Scope.Integers(st.From)
	for _, t := range c.Params {
		if len(all) > 0 && s.Chance(3, 4) {
			args = append(args, fmt.Sprintf("(%s)%s", t, choice.Pick(s, all).Name))
		} else {
			args = append(args, fmt.Sprintf("(%s)%d", t, s.Intn(100)))
		}
	}
	call := fmt.Sprintf("%s(%s)", c.Name, strings.Join(args, ", "))
	targets := slices.DeleteFunc(slices.Clone(all), func(n *Name) bool { return n.Const })
	if len(targets) == 0 {
		return "(void)" + call + ";"
	}
	t := choice.Pick(s, targets)
	return fmt.Sprintf("%s = (%s)%s;", t.Name, t.Integer.C, call)
}

// A place is an operand that can be replaced by another expression of its value.
type place struct {
	from, to int
	typ      string
	value    int64 // of a constant
	constant bool
	own      bool // nothing in the same expression calls or is called
}

// unfit are words in expressions of which some operands have to be constants or have to
// stay unchanged.
var unfit = []string{"sizeof", "_Alignof", "__alignof__", "_Generic", "typeof", "__typeof__", "__typeof", "__extension__", "va_arg", "asm", "__asm__"}

// sites returns the operands of statement i that can be replaced: reads of integers and
// constants in the expression that is evaluated first, before which it has no side
// effect except calls.
func (p *Program) sites(i int) (list []place) {
	st := &p.Stmts[i]
	if !p.place(i) || st.value {
		return nil
	}
	from, to := p.token(st.From), p.token(st.To)
	switch st.Kind {
	case Expression, Return:
	case If, Switch:
		from++ // to its (
		to = p.closing(from)
	default:
		return nil
	}
	start, own := from, true
	assignments := 0
	for k := from; k < to; k++ {
		w := p.text(k)
		switch {
		case w == "{", w == "++", w == "--", strings.HasPrefix(w, "__builtin_"), slices.Contains(unfit, w):
			return nil
		case w == "=" || len(w) > 1 && strings.HasSuffix(w, "=") && !slices.Contains([]string{"==", "!=", "<=", ">="}, w):
			assignments++
			start = k + 1
		case w == "(" && k > 0 && (p.tokens[k-1].class == word && !keywords[p.text(k-1)] || p.text(k-1) == ")" || p.text(k-1) == "]"):
			own = false // it may be a cast's
		}
	}
	if assignments > 1 {
		return nil
	}
	depth := 0
	for k := from; k < start; k++ { // an assignment within another expression is skipped
		switch p.text(k) {
		case "(":
			depth++
		case ")":
			depth--
		case "&&", "||", "?", ",":
			return nil
		}
	}
	if assignments == 1 && depth != 0 {
		return nil
	}
	for k := start; k < to; k++ {
		t := p.tokens[k]
		w, before, after := p.text(k), p.text(k-1), p.text(k+1)
		at := place{from: t.from, to: t.to, own: own}
		switch {
		case t.class == number:
			if v, err := strconv.ParseUint(strings.TrimRight(w, "uUlL"), 0, 64); err != nil || v == 0 || before == "[" && after == "]" && !p.indexes(k-1) {
				continue // 0 may be a null pointer
			} else {
				at.typ, at.value, at.constant = "__typeof__("+w+")", int64(v), true
			}
		case t.class == word && !keywords[w]:
			n := st.Scope.Lookup(w, st.From)
			if n == nil || n.Kind != Object || n.Integer == nil || slices.Contains([]string{".", "->", "&", "struct", "union", "enum", "goto"}, before) || slices.Contains([]string{"(", "[", ".", "->", ":"}, after) && !(after == ":") {
				continue
			}
			at.typ = n.Integer.C
		default:
			continue
		}
		list = append(list, at)
	}
	return list
}

// indexes reports whether the [ at token k is of an index.
func (p *Program) indexes(k int) bool {
	return k > 0 && (p.tokens[k-1].class == word && !keywords[p.text(k-1)] || p.text(k-1) == "]" || p.text(k-1) == ")")
}

// compensated returns an expression with the value of a place at all visits, and with a
// call.
func (p *Program) compensated(r *Rows, at place, c *Callee, s *choice.Stream) string {
	a := choice.Pick(s, c.Answers)
	var args []string
	for i, t := range c.Params {
		args = append(args, p.stable(r, at, t, a.Args[i], s))
	}
	call := fmt.Sprintf("%s(%s)", c.Name, strings.Join(args, ", "))
	want := literal(a.Want)
	e := string(p.Text[at.from:at.to])
	if at.constant && s.Chance(1, 2) {
		return fmt.Sprintf("((%s)((unsigned long long)%s + %s))", at.typ, call, unsigned(uint64(at.value)-uint64(a.Want)))
	}
	form := choice.Pick(s, []string{"(%e + (%f - %w))", "(%e - (%f - %w))", "(%e ^ (%f ^ %w))", "(%e | (%f - %w))", "(%e * (%f == %w))", "(%f == %w ? %e : 0)", "(%e + (%w - %f))"})
	return fmt.Sprintf("((%s)%s)", at.typ, strings.NewReplacer("%e", e, "%f", call, "%w", want).Replace(form))
}

// stable returns an expression of a type and a value, mostly in an integer that has one value
// at all visits.
func (p *Program) stable(r *Rows, at place, typ string, value int64, s *choice.Stream) string {
	var list []int
	fn := &p.Functions[p.Stmts[r.Stmt].Function]
	for k, n := range r.Names {
		if r.Sum[k].Min == r.Sum[k].Max && (at.own || !n.Global && !p.pointedTo(fn, n.Name)) {
			list = append(list, k)
		}
	}
	if len(list) == 0 || s.Chance(1, 6) {
		return fmt.Sprintf("(%s)%s", typ, literal(value))
	}
	k := choice.Pick(s, list)
	n := r.Names[k]
	switch d := uint64(value) - r.Sum[k].Min; {
	case d == 0 && s.Chance(3, 4):
		return fmt.Sprintf("(%s)%s", typ, n.Name)
	case s.Chance(1, 4):
		return fmt.Sprintf("(%s)((unsigned long long)%s ^ %s)", typ, n.Name, unsigned(uint64(value)^r.Sum[k].Min))
	default:
		return fmt.Sprintf("(%s)((unsigned long long)%s + %s)", typ, n.Name, unsigned(d))
	}
}

// pointedTo reports whether a function takes the address of a name, as far as tokens
// tell.
func (p *Program) pointedTo(f *Function, name string) bool {
	for k := p.token(f.Body); k < len(p.tokens) && p.tokens[k].from < f.To; k++ {
		if p.text(k) == "&" && slices.ContainsFunc([]int{k + 1, k + 2, k + 3}, func(k int) bool { return p.text(k) == name }) {
			return true
		}
	}
	return false
}

func unsigned(v uint64) string { return fmt.Sprintf("0x%xULL", v) }

// literal writes a value as a constant expression.
func literal(v int64) string {
	switch {
	case v == -1<<63:
		return "(-9223372036854775807LL - 1)"
	case v < 0 || v > 1<<31-1:
		return fmt.Sprintf("(%dLL)", v)
	}
	return fmt.Sprint(v)
}
