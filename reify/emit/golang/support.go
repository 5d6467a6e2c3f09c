package golang

import (
	"errors"
	"fmt"

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
func Supports(f *ir.Function) error { return frame.Supports(f, supports) }

func supports(f *ir.Function) error {
	if f.Foreign != nil {
		return unsupported(f, "its text in C")
	}
	for _, r := range f.Types {
		for _, field := range r.Fields {
			if !writable(field.Type) {
				return unsupported(f, fmt.Sprintf("member %s of type %v", field.Name, field.Type))
			}
		}
	}
	for _, v := range f.Vars {
		if !writable(v.Type) {
			return unsupported(f, fmt.Sprintf("%s of type %v", v, v.Type))
		}
		for _, e := range v.Init {
			if err := supported(f, e); err != nil {
				return err
			}
			if e != nil {
				if _, ok := e.(*ir.Const); !ok && v.Kind != ir.Local {
					return unsupported(f, fmt.Sprintf("initial value %v of %s", e, v))
				}
			}
		}
	}
	for n := range f.Nodes() {
		if err := supported(f, n); err != nil {
			return err
		}
	}
	return nil
}

func unsupported(f *ir.Function, what string) error {
	return fmt.Errorf("@%s: %s: %w", f.Name, what, ErrUnsupported)
}

func writable(t ir.Type) bool {
	switch t := t.(type) {
	case ir.Int, ir.Float:
		return true
	case *ir.Record:
		return !t.Cast // members are apart in Go, and these share their bits
	case ir.Array:
		return writable(t.Elem)
	case ir.Pointer:
		return writable(t.Elem)
	}
	return false
}

// withBits reports whether a t contains bit-fields, which are whole integers here.
func withBits(t ir.Type) bool {
	switch t := t.(type) {
	case ir.Array:
		return withBits(t.Elem)
	case *ir.Record:
		for _, f := range t.Fields {
			if f.Bits > 0 || withBits(f.Type) {
				return true
			}
		}
	}
	return false
}

func supported(f *ir.Function, n ir.Node) error {
	switch n := n.(type) {
	case nil, *ir.Const, *ir.FloatConst, *ir.Null, *ir.Load, *ir.Unary, *ir.Binary, *ir.Select, *ir.Convert, *ir.Cast,
		*ir.Builtin, *ir.Checksum, *ir.Call, *ir.AddrOf, *ir.PtrAdd,
		*ir.VarRef, *ir.Elem, *ir.Member, *ir.Deref, *ir.Assign, *ir.Transfer, *ir.Unreachable, *ir.Assume:
	case *ir.Fill:
		if withBits(ir.TypeOf[ir.Pointer](n.Dst).Elem) {
			return unsupported(f, fmt.Sprint(n))
		}
	default:
		return unsupported(f, fmt.Sprint(n))
	}
	var err error
	ir.Parts(n, func(part ir.Node) bool {
		if e, ok := part.(ir.Expr); ok && (ir.FamilyOf(e) == ir.Wides || ir.FamilyOf(e) == ir.Vectors) {
			err = unsupported(f, fmt.Sprint(n))
		} else {
			err = supported(f, part)
		}
		return err == nil
	})
	return err
}
