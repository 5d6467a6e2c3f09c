package jvm

import (
	"errors"
	"fmt"
	"math"

	"goreify/reify/emit/frame"
	"goreify/reify/ir"
	"goreify/reify/lower"
)

// ErrUnsupported says that a function has a node that cannot be written. It comes
// wrapped, with the node.
var ErrUnsupported = errors.New("cannot be written in Java bytecode")

// Masked are the features, by the names of reify.Features, whose nodes are not written.
var Masked []string

// Lacks takes out of functions what is not written: Supports and Emit want them lowered.
var Lacks = []lower.Pass{lower.Wide, lower.Vectors(true), lower.Overflow}

// A method has at most 65,535 bytes, and a class 65,535 constants of all its functions. A
// function of more than largest nodes and scalars, as weight counts them, or of more
// constants than mostConstants is rejected: of 5,000 functions of all profiles none has
// more than four bytes for one that is counted, in the styles that make methods long. A
// method that is too long all the same is written in the plainest style; see Emit.
const (
	largest       = 16000
	mostConstants = 600
)

// Supports returns nil if f, and all that it calls, can be written, else an error that
// wraps ErrUnsupported and names a node.
func Supports(f *ir.Function) error { return rules.Supports(f) }

var rules = frame.Rules{
	Unsupported: ErrUnsupported,
	Type: func(t ir.Type) bool {
		switch t.(type) {
		case ir.Int, ir.Float, *ir.Record:
			return true
		}
		return false
	},
	Lacks: []ir.Family{ir.Wides, ir.Vectors},
	Node: func(f *ir.Function, n ir.Node) bool {
		switch n := n.(type) {
		case *ir.Sym, *ir.Overflow:
			return false
		case *ir.Binary:
			// Pointers may point to a variable of a call that has not ended.
			return !ordersPointers(n) || f.IsLeaf() || len(split(f, ir.TypeOf[ir.Pointer](n.X))) == 0
		case *ir.Cast:
			if t, ok := n.T.(ir.Pointer); ok {
				from, _ := units(ir.TypeOf[ir.Pointer](n.X).Elem)
				to, _ := units(t.Elem)
				return from == to || objectOf(from) != objects && objectOf(to) != objects
			}
		}
		return true
	},
	Whole: whole,
}

func ordersPointers(b *ir.Binary) bool {
	return b.Op.Compares() && b.Op != ir.Eq && b.Op != ir.Ne && b.Of() == ir.Pointers
}

// whole returns why a function does not fit in a class, or "".
func whole(f *ir.Function) string {
	size, fields, params, constants := 0, 0, 1, map[ir.Const]bool{} // the first parameter is this
	var count func(n ir.Node) bool
	count = func(n ir.Node) bool {
		size += weight(f, n)
		if k, ok := n.(*ir.Const); ok && k.V != int64(int16(k.V)) {
			constants[*k] = true
		}
		return ir.Parts(n, count)
	}
	for _, v := range f.Vars {
		if v.Kind == ir.Param {
			params += slots(kind(v.Type))
		}
		size += 4 * cells(v.Type)
		fields += cells(v.Type)
		for _, e := range v.Init {
			if k, ok := e.(*ir.Const); !ok || k.V != 0 {
				size += 4
				count(e)
			}
		}
	}
	for n := range f.Nodes() {
		count(n)
	}
	for _, b := range f.Blocks {
		if t, ok := b.Term.(*ir.Switch); ok {
			for _, c := range t.Cases {
				from, to := frame.Limits(c)
				size += 4 + 4*int(min(uint64(to)-uint64(from), maxTable)) // of a table that is sparse
			}
		}
	}
	switch {
	case params > math.MaxUint8: // JVMS §4.3.3
		return fmt.Sprintf("%d slots of parameters", params)
	case size > largest:
		return fmt.Sprintf("%d nodes and scalars", size)
	case len(constants)+3*fields > mostConstants:
		return fmt.Sprintf("%d constants", len(constants)+3*fields)
	}
	return ""
}

// weight returns how long the code of a node is, without its parts: of a node on integers 1.
func weight(f *ir.Function, n ir.Node) int {
	w := 1
	if e, ok := n.(ir.Expr); ok && ir.FamilyOf(e) == ir.Pointers {
		w += 2
	}
	switch n := n.(type) {
	case *ir.Call, *ir.Elem, *ir.Deref:
		w += 2
	case *ir.Assign:
		switch t := n.Dst.Type().(type) {
		case ir.Pointer:
			w += 2
		case *ir.Record:
			w += 8 * ir.Count(t)
		}
	case *ir.Transfer:
		w += 40 * cells(ir.TypeOf[ir.Pointer](n.Dst).Elem)
	case *ir.Fill:
		w += 40 * cells(ir.TypeOf[ir.Pointer](n.Dst).Elem)
	case *ir.Checksum:
		for _, v := range n.Of {
			w += 4 * cells(v.Type)
		}
	case *ir.Binary:
		if ordersPointers(n) {
			for _, list := range split(f, ir.TypeOf[ir.Pointer](n.X)) {
				w += 20 * len(list)
			}
		}
	}
	return w
}

// cells is how many scalars a t has, those of an array of scalars being one.
func cells(t ir.Type) int {
	switch t := t.(type) {
	case ir.Array:
		if _, ok := ir.Innermost(t).(*ir.Record); ok {
			return t.Len * cells(t.Elem)
		}
	case *ir.Record:
		n := 0
		for i := range t.Fields {
			n += cells(t.Fields[i].Type)
		}
		return n
	}
	return 1
}
