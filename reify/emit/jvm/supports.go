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

// A method has at most 65,535 bytes. A function of no more than small nodes and cells
// fits in all styles. The longest method of a larger function has at most this number
// of bytes, and the function this number of constants, since a class has 65,535 of all
// its functions. A function with more than largest nodes and cells is rejected at once.
const (
	small         = 2000
	largest       = 200000
	longest       = 60000
	mostConstants = 600
)

// Supports returns nil if f, and all that it calls, can be written, else an error that
// wraps ErrUnsupported and names a node.
func Supports(f *ir.Function) error { return frame.Supports(f, supports) }

func supports(f *ir.Function) error {
	if f.Foreign != nil {
		return unsupported(f, "its text in C")
	}
	size, entries, params := 0, 0, 1 // the first one is this
	for _, r := range f.Types {      // that may only be pointed to
		if !writable(r) {
			return unsupported(f, fmt.Sprintf("type %v", r))
		}
	}
	for _, v := range f.Vars {
		if !writable(v.Type) {
			return unsupported(f, fmt.Sprintf("%s of type %v", v, v.Type))
		}
		if v.Kind == ir.Param {
			params += slots(kind(v.Type))
		}
		size += 4 * ir.Count(v.Type)
		for _, e := range v.Init {
			if err := supported(f, e, e, &size); err != nil {
				return err
			}
		}
	}
	for n := range f.Nodes() {
		if err := supported(f, n, n, &size); err != nil {
			return err
		}
	}
	for _, b := range f.Blocks {
		if t, ok := b.Term.(*ir.Switch); ok {
			size += 4 * len(t.Cases)
			for _, c := range t.Cases {
				if from, to := frame.Limits(c); to-from < maxTable {
					entries += 8 * int(to-from+1) // of a table that is as sparse as may be
				}
			}
		}
	}
	if params > math.MaxUint8 { // JVMS §4.3.3
		return unsupported(f, fmt.Sprintf("%d slots of parameters", params))
	}
	if size > largest {
		return unsupported(f, fmt.Sprintf("%d nodes and scalars", size))
	}
	if size+entries > small {
		switch n, constants := length(f); {
		case n > longest:
			return unsupported(f, fmt.Sprintf("a method of %d bytes", n))
		case constants > mostConstants:
			return unsupported(f, fmt.Sprintf("%d constants", constants))
		}
	}
	return nil
}

// length returns how many bytes the longest method of a function has, in the styles that
// make them long, and how many constants there are.
func length(f *ir.Function) (n, constants int) {
	long := Style{
		Scalars: InFields, Throw: Store, Instance: true, Frames: true, Flip: true, Widened: true,
		Gotos: true, Handlers: true, Monitors: true, Volatile: true,
	}
	for range 2 {
		m := newModule(true)
		m.styles = map[*ir.Function]Style{}
		for call := range f.Calls() {
			m.styles[call.Func] = long
		}
		w := newFunction(m, f, long)
		method, _ := w.write()
		n = max(n, method.length(), w.reset(w.lasting()).length(), w.sum(w.lasting()).length())
		constants = max(constants, w.m.pool.next)
		long.Flat, long.Switch = true, Chain
	}
	return n, constants
}

func unsupported(f *ir.Function, what string) error {
	return fmt.Errorf("@%s: %s: %w", f.Name, what, ErrUnsupported)
}

func writable(t ir.Type) bool {
	switch t := t.(type) {
	case ir.Int, ir.Float, ir.Pointer:
		return true
	case ir.Array:
		return writable(t.Elem)
	case *ir.Record:
		for _, f := range t.Fields {
			if !writable(f.Type) {
				return false
			}
		}
		return true
	}
	return false
}

// supported counts the nodes below n, too, which is a part of above or by itself.
func supported(f *ir.Function, n, above ir.Node, size *int) error {
	*size++
	ok := true
	if e, ok := n.(ir.Expr); ok {
		switch ir.FamilyOf(e) {
		case ir.Pointers:
			*size += 2
		case ir.Wides, ir.Vectors:
			return unsupported(f, fmt.Sprint(above))
		}
	}
	switch n := n.(type) {
	case *ir.Sym:
		ok = false
	case *ir.Call, *ir.Elem, *ir.Deref:
		*size += 2
	case *ir.Overflow:
		ok = false
	case *ir.Assign:
		switch t := n.Dst.Type().(type) {
		case ir.Pointer:
			*size += 2
		case *ir.Record:
			*size += 8*ir.Count(t) - 1 // with the Load
		}
	case *ir.Transfer:
		*size += 8 * ir.Count(ir.TypeOf[ir.Pointer](n.Dst).Elem)
	case *ir.Fill:
		*size += 8 * ir.Count(ir.TypeOf[ir.Pointer](n.Dst).Elem)
	case *ir.Checksum:
		for _, v := range n.Of {
			*size += 4 * ir.Count(v.Type)
		}
	case *ir.Binary:
		if n.Of() != ir.Pointers {
			break
		}
		*size += 2
		if n.Op.Compares() && n.Op != ir.Eq && n.Op != ir.Ne {
			objects := split(f, ir.TypeOf[ir.Pointer](n.X))
			for _, list := range objects {
				*size += 20 * len(list)
			}
			// Pointers may point to a variable of a call that has not ended.
			ok = len(objects) == 0 || f.IsLeaf()
		}
	case *ir.Cast:
		if t, pointer := n.T.(ir.Pointer); pointer {
			*size -= 2 // no code
			from, _ := units(ir.TypeOf[ir.Pointer](n.X).Elem)
			to, _ := units(t.Elem)
			ok = from == to || objectOf(from) != objects && objectOf(to) != objects
		}
	}
	if !ok {
		return unsupported(f, fmt.Sprint(n))
	}
	var err error
	ir.Parts(n, func(part ir.Node) bool {
		err = supported(f, part, n, size)
		return err == nil
	})
	return err
}
