// Package offpath writes what no path of a function meets: values of symbols, and
// statements with undefined behaviour.
package offpath

import (
	"slices"

	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/sketch/core"
)

// Add adds statements to blocks of f that the path does not visit. Any
// statement is allowed there, and the compiled program must not show it. Most of what
// is added could overflow, divide by zero or leave an array, and some of it must. The
// share of blocks is c.Options.Hostile percent. The config is that which f was made with; f
// has no symbols any more.
func Add(f *ir.Function, path []int, c *core.Config, s *choice.Stream) {
	visited := make([]bool, len(f.Blocks))
	for _, b := range path {
		visited[b] = true
	}
	var u *undefined
	for _, b := range f.Blocks {
		if visited[b.Index] || !s.Chance(c.Options.Hostile, 100) {
			continue
		}
		if u == nil {
			u = newUndefined(c.Memory, f, &c.Policy, s)
		}
		// Undefined behaviour that is certain lets the compiler drop the
		// block and the branch to it, so it is the exception.
		certain := s.Chance(1, 6)
		if sw, ok := b.Term.(*ir.Switch); ok {
			widen(sw, s)
		}
		for range s.Range(1, 1+c.Options.Assigns) {
			b.Stmts = append(b.Stmts, u.statement(false))
		}
		if certain {
			b.Stmts = slices.Insert(b.Stmts, s.Intn(len(b.Stmts)+1), u.statement(true))
		}
	}
}

// Hostile makes statements with undefined behaviour for blocks of a function that
// are never executed.
type Hostile struct{ u *undefined }

// NewHostile returns the Hostile of f, which is valid and has no symbols, or nil
// if f has nothing to assign to. Features of the language that p has no share of
// are used only as far as f has variables of their types.
func NewHostile(f *ir.Function, p *core.Policy, s *choice.Stream) *Hostile {
	u := newUndefined(new(core.Memory), f, p, s)
	if !slices.ContainsFunc(u.vars, (*core.Source).Writable) {
		return nil
	}
	return &Hostile{u}
}

// Statement returns a statement that is undefined when executed, for certain or
// perhaps. It may add a local to the function, which never gets a value.
func (h *Hostile) Statement(certain bool) ir.Stmt { return h.u.statement(certain) }

// farIndex is out of any bounds, but not so far that the address of an element
// of a global array cannot be linked: that would be an error of the program.
const farIndex = 1 << 20

// widen makes ranges of some labels of a switch, which are constants. The
// others stay out of them.
func widen(sw *ir.Switch, s *choice.Stream) {
	for i := range sw.Cases {
		lo, ok := sw.Cases[i].Lo.(*ir.Const)
		if !ok || sw.Cases[i].Hi != nil || lo.V < 0 && !lo.T.Signed || !s.Chance(1, 3) {
			continue
		}
		hi := lo.V + int64(s.Range(1, 40))
		if hi < lo.V || !lo.T.Holds(hi) || labelled(sw, lo.V+1, hi) {
			continue
		}
		sw.Cases[i].Hi = core.Const(lo.T, hi)
	}
}

// labelled reports whether a label has a value from lo to hi. Ranges that begin
// before lo end before it.
func labelled(sw *ir.Switch, lo, hi int64) bool {
	return slices.ContainsFunc(sw.Cases, func(c ir.SwitchCase) bool {
		l, ok := c.Lo.(*ir.Const)
		return !ok || lo <= l.V && l.V <= hi
	})
}
