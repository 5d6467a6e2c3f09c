package jvm

import (
	"errors"
	"fmt"

	"goreify/reify/ir"
)

// ErrUnsupported is what a function has that cannot be written. It comes wrapped, with
// the node.
var ErrUnsupported = errors.New("cannot be written in Java bytecode")

// Masked are the features, as reify.Features has them, whose nodes are not written.
var Masked = []string{"ptr", "vector", "simd", "lanes", "aggregate", "int128", "bitint"}

// largest is how many nodes and cells a function may have: a method has 65,535 bytes.
const largest = 16000

// Supports returns nil if f can be written, else an error that wraps ErrUnsupported and
// names a node.
func Supports(f *ir.Function) error {
	size := 0
	for _, v := range f.Vars {
		if !writable(v.Type) {
			return unsupported(f, fmt.Sprintf("%s of type %v", v, v.Type))
		}
		size += 4 * ir.Count(v.Type)
		for _, e := range v.Init {
			if _, ok := e.(*ir.Const); e != nil && !ok {
				return unsupported(f, fmt.Sprintf("initial value %v of %s", e, v))
			}
		}
	}
	check := func(n ir.Node) error { return supported(f, n, &size) }
	for _, b := range f.Blocks {
		for _, s := range b.Stmts {
			if err := check(s); err != nil {
				return err
			}
		}
		for at := range ir.TermExprs(b.Term) {
			if err := check(*at); err != nil {
				return err
			}
		}
		if t, ok := b.Term.(*ir.Switch); ok {
			size += 4 * len(t.Cases)
		}
	}
	if size > largest {
		return unsupported(f, fmt.Sprintf("%d nodes and scalars", size))
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
	case ir.Array:
		return writable(t.Elem)
	case *ir.Record:
		for _, f := range t.Fields {
			if !writable(f.Type) {
				return false
			}
		}
		return !t.Cast
	}
	return false
}

// supported counts the nodes below n, too.
func supported(f *ir.Function, n ir.Node, size *int) error {
	*size++
	switch n := n.(type) {
	case nil, *ir.Const, *ir.Load, *ir.Binary, *ir.Unary, *ir.Select, *ir.Convert, *ir.Builtin,
		*ir.FloatToInt, *ir.FloatCompare, *ir.FloatConst, *ir.FloatLoad, *ir.FloatNeg, *ir.FloatBinary, *ir.FloatConvert, *ir.FloatOf,
		*ir.VarRef, *ir.Member, *ir.Assign, *ir.AssignFloat, *ir.Overflow, *ir.Unreachable, *ir.Assume:
	case *ir.Copy:
		*size += 4 * ir.Count(n.Dst.Type())
	case *ir.Checksum:
		for _, v := range n.Of {
			*size += 4 * ir.Count(v.Type)
		}
	case *ir.Elem:
		if _, ok := n.Base.Type().(ir.Array); !ok {
			return unsupported(f, fmt.Sprint(n))
		}
	default:
		return unsupported(f, fmt.Sprint(n))
	}
	var err error
	ir.Parts(n, func(part ir.Node) bool {
		err = supported(f, part, size)
		return err == nil
	})
	return err
}
