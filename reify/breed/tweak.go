package breed

import (
	"goreify/reify"
	"goreify/reify/choice"
	"goreify/reify/interp"
	"goreify/reify/ir"
)

const (
	// tries is how often other constants are drawn until a function is defined.
	tries = 12
	// together is how many constants are changed at a time, at most.
	together = 3
)

// tweak returns the case with a few constants changed, and the path and the
// answer that its function has then; or as it is, if it is undefined with all
// that were tried. Further inputs stay if they are defined.
func tweak(k *reify.Case, s *choice.Stream) (*reify.Case, error) {
	for range tries {
		f := ir.Clone(k.Func)
		list := constants(f)
		if len(list) == 0 {
			break
		}
		for range s.Range(1, together) {
			c := choice.Pick(s, list)
			c.V = c.T.Wrap(other(c, choice.Pick(s, list).V, s))
		}
		if ir.Check(f) != nil {
			continue
		}
		changed := *k
		changed.More = nil
		if changed.Case = run(f, k.Case); changed.Case == nil {
			continue
		}
		for _, more := range k.More {
			if c := run(f, more); c != nil {
				changed.More = append(changed.More, c)
			}
		}
		for _, c := range changed.Cases() {
			if err := interp.Verify(c); err != nil {
				return nil, &reify.GeneratorBug{Program: changed.Program().String(), Err: err}
			}
		}
		return &changed, nil
	}
	return k, nil
}

// run returns what f does with the arguments of a case, or nil if that is
// undefined or takes much longer than the case did.
func run(f *ir.Function, k *ir.Case) *ir.Case {
	r, err := interp.Run(f, k.Args, interp.Options{Fuel: 4*len(k.Path) + 64})
	if err != nil {
		return nil
	}
	return &ir.Case{Func: f, Args: k.Args, Path: r.Path, Want: r.Value}
}

// other returns another value for a constant; third is that of one that stands
// in the same function.
func other(c *ir.Const, third int64, s *choice.Stream) int64 {
	switch s.Intn(8) {
	case 0, 1:
		return c.V + 1
	case 2, 3:
		return c.V - 1
	case 4:
		return -c.V
	case 5:
		return third
	case 6:
		return 1 << s.Intn(c.T.Bits)
	}
	return choice.Pick(s, []int64{0, 1, -1, 2, c.T.Min(), c.T.Max(), c.T.Max() - 1, c.T.Min() + 1})
}

// constants returns the constants of f, but for those in an index, an offset
// or an argument of a builtin: what a compiler or linker accepts there is
// bounded.
func constants(f *ir.Function) []*ir.Const {
	bounded := map[*ir.Const]bool{}
	for e := range f.Exprs() {
		bound(*e, false, bounded)
	}
	for _, b := range f.Blocks {
		for _, s := range b.Stmts {
			bound(s, false, bounded)
		}
	}
	var list []*ir.Const
	for e := range f.Exprs() {
		if c, ok := (*e).(*ir.Const); ok && !bounded[c] {
			list = append(list, c)
		}
	}
	return list
}

// bound adds the constants below n that stand where they are bounded; inside
// says that n does.
func bound(n ir.Node, inside bool, bounded map[*ir.Const]bool) {
	switch n := n.(type) {
	case *ir.Const:
		if inside {
			bounded[n] = true
		}
	case *ir.Elem:
		bound(n.Base, inside, bounded)
		bound(n.Index, true, bounded)
		return
	case *ir.PtrAdd:
		bound(n.X, inside, bounded)
		bound(n.Index, true, bounded)
		return
	case *ir.Builtin:
		inside = true
	}
	ir.Parts(n, func(part ir.Node) bool {
		bound(part, inside, bounded)
		return true
	})
}
