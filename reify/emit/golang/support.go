package golang

import (
	"errors"
	"fmt"
	"slices"

	"goreify/reify/emit/frame"
	"goreify/reify/ir"
	"goreify/reify/lower"
)

// ErrUnsupported says that a function holds a node that this package does not write. It
// comes wrapped, with the node.
var ErrUnsupported = errors.New("cannot be written in Go")

// Masked are the features of a policy, by the names of reify.Features, whose nodes this
// package does not write.
var Masked = []string{"cast"}

// Lacks takes out of functions what is not written: Supports and Emit want them lowered.
var Lacks = []lower.Pass{lower.Wide, lower.Vectors(false), lower.Overflow}

// Supports returns nil if Emit writes functions such as f, with all that it calls, else an
// error that wraps ErrUnsupported and names the node.
func Supports(f *ir.Function) error { return rules.Supports(f) }

var rules = frame.Rules{
	Unsupported: ErrUnsupported,
	Type: func(t ir.Type) bool {
		r, ok := t.(*ir.Record)
		return !(ok && r.Cast) && !lacked(t) // members are apart in Go, and these share their bits
	},
	Lacks: []ir.Family{ir.Wides, ir.Vectors},
	Node: func(_ *ir.Function, n ir.Node) bool {
		switch n := n.(type) {
		case *ir.Sym, *ir.Overflow:
			return false
		case *ir.Fill:
			return !withBits(ir.TypeOf[ir.Pointer](n.Dst).Elem)
		}
		return true
	},
	Whole: func(f *ir.Function) string {
		for _, v := range f.Vars {
			for _, e := range v.Init {
				if _, ok := e.(*ir.Const); !ok && e != nil && v.Kind != ir.Local {
					return fmt.Sprintf("initial value %v of %s", e, v)
				}
			}
		}
		return ""
	},
}

func lacked(t ir.Type) bool {
	switch t.(type) {
	case ir.Wide, ir.Vector:
		return true
	}
	return false
}

// withBits reports whether a t contains bit-fields, which are whole integers here.
func withBits(t ir.Type) bool {
	r, ok := ir.Innermost(t).(*ir.Record)
	return ok && slices.ContainsFunc(r.Fields, func(f ir.Field) bool { return f.Bits > 0 || withBits(f.Type) })
}
