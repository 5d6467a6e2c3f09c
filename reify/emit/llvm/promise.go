package llvm

import (
	"fmt"
	"slices"
	"strings"

	"goreify/reify/choice"
	"goreify/reify/ir"
)

// hold notes what held in the calls of all units, of which functions that is not known, and
// in which operations wrap that may not in C.
func (m *module) hold(units []Unit) {
	for _, u := range units {
		if slices.ContainsFunc(u.Claims(), func(c *ir.Claim) bool { return c.Under != ir.C }) {
			for _, f := range u.Claim.Func.Reached() {
				m.wraps[f] = true
			}
		}
		if u.Held != nil {
			m.held.Add(u.Held)
			continue
		}
		for _, f := range u.Claim.Func.Reached() {
			m.unknown[f] = true
		}
	}
}

// knows reports whether the function may be written with what held.
func (f *function) knows() bool { return f.style.Held && !f.unknown[f.fn] }

// The words of promises, in the order in which LLVM prints them.
var promiseWords = []struct {
	of   ir.Promise
	word string
}{
	{ir.NoUnsignedWrap, "nuw "}, {ir.NoSignedWrap, "nsw "}, {ir.Exact, "exact "}, {ir.Disjoint, "disjoint "},
	{ir.NonNegative, "nneg "}, {ir.SameSign, "samesign "},
}

// promises returns the words of some promises of an expression: those that C makes, and
// those that held. An operation that no call executes may promise anything.
func (f *function) promises(e ir.Expr, inC, of ir.Promise) (words string) {
	var p ir.Promise
	if f.style.Promises && !f.wraps[f.fn] {
		p = inC
	}
	if f.knows() {
		held, executed := f.held.Ops[e]
		if !executed {
			held = of
		}
		p |= held
	}
	for _, w := range promiseWords {
		if p&of&w.of != 0 {
			words += w.word
		}
	}
	return words
}

// wraps are the promises of what may wrap.
const wraps = ir.NoUnsignedWrap | ir.NoSignedWrap

// promisedBy returns what C promises of an operator on integers.
func promisedBy(op ir.Op, signed bool) ir.Promise {
	switch {
	case !signed:
	case op == ir.Shl: // of a value that is not negative
		return wraps
	case op == ir.Add || op == ir.Sub || op == ir.Mul:
		return ir.NoSignedWrap
	}
	return 0
}

// ranged returns the range of a value of a type as LLVM has it, without its end; false if
// it is not known, or has all values.
func (f *function) ranged(of any, t ir.Int) (lo, hi string, ok bool) {
	r, seen := f.held.Values[of]
	if !seen || t.Bits == 1 || t.Wrap(r.Hi+1) == t.Wrap(r.Lo) {
		return "", "", false
	}
	return constant(t, r.Lo), constant(t, r.Hi+1), true
}

// attributes returns what is said of an argument or the result of a function, with a space
// before each word.
func (f *function) attributes(g *ir.Function, of any, t ir.Int) (words string) {
	if !f.knows() || f.unknown[g] {
		return ""
	}
	words = " noundef"
	if lo, hi, ok := f.ranged(of, t); ok {
		words += fmt.Sprintf(" range(%s %s, %s)", value(t), lo, hi)
	}
	return words
}

// parameter returns what is said of a parameter of a function of the module, and result what
// is said of its result.
func (f *function) parameter(g *ir.Function, i int) string {
	t := g.Vars[i].Type.(ir.Int)
	return f.attributes(g, g.Vars[i], t) + f.order.Styles[g].extension(t)
}

func (f *function) result(g *ir.Function) string {
	words := f.attributes(g, g, g.Result) + f.order.Styles[g].extension(g.Result)
	return strings.TrimPrefix(words+" ", " ")
}

// metadata returns what is said of an integer that is loaded. An operand that need not be
// evaluated may be anything.
func (f *function) metadata(e *ir.Load, t ir.Int) (text string) {
	if !f.knows() {
		return ""
	}
	if lo, hi, ok := f.ranged(e, t); ok && t.Bits == 8*t.Bytes() {
		text = fmt.Sprintf(", !range !{%s %s, %s %s}", value(t), lo, value(t), hi)
	}
	if f.eager == 0 {
		text += ", !noundef !{}"
	}
	return text
}

// hints are what may be said of how a loop is to be optimised, in words that all versions know:
// LLVM 24 wants no more than the name of some where 14 wants true behind it.
var hints = []string{
	`!"llvm.loop.unroll.disable"`, `!"llvm.loop.unroll.full"`, `!"llvm.loop.unroll.enable"`,
	`!"llvm.loop.unroll.count", i32 2`, `!"llvm.loop.unroll.count", i32 3`, `!"llvm.loop.unroll.count", i32 8`,
	`!"llvm.loop.vectorize.width", i32 2`, `!"llvm.loop.vectorize.width", i32 4`, `!"llvm.loop.vectorize.width", i32 8`,
	`!"llvm.loop.interleave.count", i32 2`, `!"llvm.loop.interleave.count", i32 4`, `!"llvm.loop.peeled.count", i32 1`,
	`!"llvm.loop.licm_versioning.disable"`, `!"llvm.loop.unroll.runtime.disable"`,
}

// loop returns what is said at the end of a block that leads back to itself or an earlier one.
func (f *function) loop(b *ir.Block) string {
	if f.style.Loops == 0 || !slices.ContainsFunc(b.Succs(), func(to *ir.Block) bool { return to.Index <= b.Index }) {
		return ""
	}
	s := choice.New(choice.Derive(uint64(f.style.Loops), fmt.Sprintf("loop %d", b.Index)))
	list := []string{`!"llvm.loop.mustprogress"`} // all calls end
	for range s.Range(0, 2) {
		if hint := choice.Pick(s, hints); !slices.Contains(list, hint) {
			list = append(list, hint)
		}
	}
	var nodes string
	for _, text := range list {
		nodes += ", !{" + text + "}"
	}
	f.nodes = append(f.nodes, fmt.Sprintf("!%d = distinct !{!%[1]d%s}", len(f.nodes), nodes))
	return fmt.Sprintf(", !llvm.loop !%d", len(f.nodes)-1)
}
