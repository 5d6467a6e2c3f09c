package llvm

import (
	"errors"

	"goreify/reify/emit/frame"
	"goreify/reify/ir"
)

// ErrUnsupported says that a function has a node that cannot be written. It comes wrapped,
// with the node.
var ErrUnsupported = errors.New("cannot be written in LLVM IR")

// Supports returns nil if Emit writes functions such as f, with all that it calls: all
// except those of others, whose text is C. The error wraps ErrUnsupported.
func Supports(f *ir.Function) error { return rules.Supports(f) }

var rules = frame.Rules{
	Unsupported: ErrUnsupported,
	Type:        func(ir.Type) bool { return true },
	Node: func(_ *ir.Function, n ir.Node) bool {
		_, symbol := n.(*ir.Sym)
		return !symbol
	},
	Whole: func(*ir.Function) string { return "" },
}
