package wasm

import (
	"errors"
	"fmt"

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
func Supports(f *ir.Function) error { return frame.Supports(f, supports) }

func supports(f *ir.Function) error {
	if f.Foreign != nil {
		return fmt.Errorf("%w: @%s, which is C", ErrUnsupported, f.Name)
	}
	for _, v := range f.Vars {
		if err := supportsType(v.Type, 0); err != nil {
			return fmt.Errorf("%w: @%s: variable %s: %w", ErrUnsupported, f.Name, v.Name, err)
		}
	}
	for _, b := range f.Blocks {
		for _, s := range b.Stmts {
			if _, ok := s.(*ir.Overflow); ok {
				return fmt.Errorf("%w: @%s: block %s: %v", ErrUnsupported, f.Name, b.Name, s)
			}
			if n := unsupported(s); n != nil {
				return fmt.Errorf("%w: @%s: block %s: %v", ErrUnsupported, f.Name, b.Name, n)
			}
		}
		for at := range ir.TermExprs(b.Term) {
			if n := unsupported(*at); n != nil {
				return fmt.Errorf("%w: @%s: block %s: %v", ErrUnsupported, f.Name, b.Name, n)
			}
		}
	}
	for _, b := range f.Blocks {
		for _, s := range b.Stmts {
			a, ok := s.(*ir.Assign)
			if !ok {
				continue
			}
			// The temporary variables of a vector would be those of all calls.
			if _, ok := a.Dst.Type().(ir.Vector); ok && ir.Any(a, frame.IsCall) {
				return fmt.Errorf("%w: @%s: block %s: %v, which calls", ErrUnsupported, f.Name, b.Name, a)
			}
		}
	}
	return nil
}

func supportsType(t ir.Type, depth int) error {
	switch t := t.(type) {
	case ir.Wide:
		return fmt.Errorf("type %v", t)
	case ir.Array:
		return supportsType(t.Elem, depth+1)
	case ir.Pointer:
		if depth < 2 { // records point to themselves
			return supportsType(t.Elem, depth+1)
		}
	case *ir.Record:
		for _, f := range t.Fields {
			if depth > ir.MaxDepth {
				return nil
			}
			if err := supportsType(f.Type, depth+1); err != nil {
				return err
			}
		}
	}
	return nil
}

// unsupported returns a part of n that cannot be written, or nil.
func unsupported(n ir.Node) (found ir.Node) {
	if !ir.Any(n, isWide) {
		return nil
	}
	switch n := n.(type) {
	case ir.Expr:
		if ir.FamilyOf(n) == ir.Wides {
			return n
		}
	case *ir.Assign:
		if ir.FamilyOf(n.Src) == ir.Wides {
			return n
		}
	}
	ir.Parts(n, func(part ir.Node) bool {
		found = unsupported(part)
		return found == nil
	})
	return found
}

// isWide reports whether n is one of the wide integers that all others are computed from.
func isWide(n ir.Node) bool {
	var t ir.Type
	switch n := n.(type) {
	case *ir.Convert:
		t = n.T
	case *ir.Load:
		t = n.Type()
	}
	_, ok := t.(ir.Wide)
	return ok
}
