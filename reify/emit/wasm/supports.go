package wasm

import (
	"errors"

	"goreify/reify/emit/frame"
	"goreify/reify/ir"
	"goreify/reify/lower"
)

// ErrUnsupported says that a function has a node that cannot be written. It comes
// wrapped, with the node.
var ErrUnsupported = errors.New("wasm: not supported")

// Masked are the features, by the names of reify.Features, whose nodes are not written.
var Masked []string

// Lacks takes out of functions what is not written: Supports and Emit want them lowered.
var Lacks = []lower.Pass{lower.Wide, lower.Overflow}

// Supports returns nil if f, and all that it calls, can be written, else an error that
// wraps ErrUnsupported and names a node.
func Supports(f *ir.Function) error { return rules.Supports(f) }

var rules = frame.Rules{
	Unsupported: ErrUnsupported,
	Type: func(t ir.Type) bool {
		_, wide := t.(ir.Wide)
		return !wide
	},
	Lacks: []ir.Family{ir.Wides},
	Node: func(_ *ir.Function, n ir.Node) bool {
		switch n := n.(type) {
		case *ir.Overflow:
			return false
		case *ir.Assign: // the temporary variables of a vector would be those of all calls
			_, vector := n.Dst.Type().(ir.Vector)
			return !vector || !ir.Any(n, frame.IsCall)
		}
		return true
	},
	Whole: func(*ir.Function) string { return "" },
}
