package reduce

import (
	"iter"

	"goreify/reify/ir"
)

// roots yields the statements of b and the expressions of its terminator.
func roots(b *ir.Block) iter.Seq[ir.Node] {
	return func(yield func(ir.Node) bool) {
		for _, s := range b.Stmts {
			if !yield(s) {
				return
			}
		}
		switch t := b.Term.(type) {
		case *ir.If:
			yield(t.Cond)
		case *ir.Switch:
			yield(t.X)
		case *ir.Return:
			yield(t.Val)
		}
	}
}

// visit calls see for n and all nodes below it.
func visit(n ir.Node, see func(ir.Node)) {
	see(n)
	ir.Parts(n, func(part ir.Node) bool {
		visit(part, see)
		return true
	})
}
