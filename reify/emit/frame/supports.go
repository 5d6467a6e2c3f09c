package frame

import (
	"fmt"
	"slices"

	"goreify/reify/ir"
)

// Rules say which functions a writer takes.
type Rules struct {
	Unsupported error                              // what errors wrap
	Type        func(ir.Type) bool                 // whether a type is taken that is no pointer or array
	Lacks       []ir.Family                        // of expressions that are not taken
	Node        func(*ir.Function, ir.Node) bool   // whether a node is taken, by itself
	Whole       func(*ir.Function) (reason string) // against a function whose nodes are taken; "" for none
}

// Supports returns nil if f, and all that it calls, is taken, else an error that names the
// first thing that is not.
func (r *Rules) Supports(f *ir.Function) error {
	for _, g := range f.Reached() {
		if reason := r.against(g); reason != "" {
			return fmt.Errorf("@%s: %s: %w", g.Name, reason, r.Unsupported)
		}
	}
	return nil
}

// against returns a reason why a function is not taken, or "".
func (r *Rules) against(f *ir.Function) string {
	if f.Foreign != nil {
		return "its text in C"
	}
	for _, t := range f.Types {
		for i := range t.Fields {
			if !r.takes(t.Fields[i].Type) {
				return fmt.Sprintf("member %s of type %v", t.Fields[i].Name, t.Fields[i].Type)
			}
		}
	}
	for _, v := range f.Vars {
		if !r.takes(v.Type) {
			return fmt.Sprintf("%s of type %v", v, v.Type)
		}
		for _, e := range v.Init {
			if n := r.lacked(f, e); n != nil {
				return fmt.Sprint(n)
			}
		}
	}
	for n := range f.Nodes() {
		if found := r.lacked(f, n); found != nil {
			return fmt.Sprint(found)
		}
	}
	return r.Whole(f)
}

func (r *Rules) takes(t ir.Type) bool {
	switch t := t.(type) {
	case ir.Array:
		return r.takes(t.Elem)
	case ir.Pointer:
		return r.takes(t.Elem)
	}
	return r.Type(t)
}

// lacked returns a part of n that is not taken, or nil.
func (r *Rules) lacked(f *ir.Function, n ir.Node) (found ir.Node) {
	if e, ok := n.(ir.Expr); ok && e != nil && slices.Contains(r.Lacks, ir.FamilyOf(e)) || n != nil && !r.Node(f, n) {
		return n
	}
	ir.Parts(n, func(part ir.Node) bool {
		found = r.lacked(f, part)
		return found == nil
	})
	return found
}
