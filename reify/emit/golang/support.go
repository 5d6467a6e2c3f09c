package golang

import (
	"errors"
	"fmt"

	"goreify/reify/ir"
)

// ErrUnsupported says that a function holds what this package does not write. It
// comes wrapped, with the node.
var ErrUnsupported = errors.New("cannot be written in Go")

// Masked are the features of a policy, as reify.Features has them, that need what
// this package does not write.
var Masked = []string{"ptr", "vector", "simd", "lanes", "aggregate", "int128", "bitint"}

// Supports returns nil if Emit writes functions such as f, else an error that
// wraps ErrUnsupported and names the node.
func Supports(f *ir.Function) error {
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
				if _, ok := e.(*ir.Const); !ok {
					return unsupported(f, fmt.Sprintf("initial value %v of %s", e, v))
				}
			}
		}
	}
	for _, b := range f.Blocks {
		for _, s := range b.Stmts {
			if err := supported(f, s); err != nil {
				return err
			}
		}
		for at := range ir.TermExprs(b.Term) {
			if err := supported(f, *at); err != nil {
				return err
			}
		}
	}
	return nil
}

func unsupported(f *ir.Function, what string) error {
	return fmt.Errorf("@%s: %s: %w", f.Name, what, ErrUnsupported)
}

func writable(t ir.Type) bool {
	switch t := t.(type) {
	case ir.Int, ir.Float, *ir.Record:
		return true
	case ir.Array:
		return writable(t.Elem)
	}
	return false
}

func supported(f *ir.Function, n ir.Node) error {
	switch n := n.(type) {
	case nil, *ir.Const, *ir.Load, *ir.Binary, *ir.Unary, *ir.Select, *ir.Convert, *ir.Builtin, *ir.Checksum,
		*ir.FloatToInt, *ir.FloatCompare, *ir.FloatConst, *ir.FloatLoad, *ir.FloatNeg, *ir.FloatBinary, *ir.FloatConvert, *ir.FloatOf,
		*ir.VarRef, *ir.Member, *ir.Assign, *ir.AssignFloat, *ir.Copy, *ir.Overflow, *ir.Unreachable, *ir.Assume:
	case *ir.Elem:
		if _, ok := n.Base.Type().(ir.Array); !ok {
			return unsupported(f, fmt.Sprint(n))
		}
	default:
		return unsupported(f, fmt.Sprint(n))
	}
	var err error
	ir.Parts(n, func(part ir.Node) bool {
		err = supported(f, part)
		return err == nil
	})
	return err
}
