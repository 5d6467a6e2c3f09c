package c

import "goreify/reify/ir"

// restricted returns the pointers of a unit that may be declared restrict, if its style
// wants that.
//
// C11 6.7.3.1p4 forbids to modify an object that is accessed through a restricted
// pointer, while the block of its declaration (here the function) is executed, and
// restricts assignments between such pointers. So a local pointer qualifies under two
// conditions. It starts in a variable at file scope or in a parameter, which have their
// values before the body is entered (6.9.1p10). No run of the unit's cases stores to
// that variable or to the pointer. Each address that is based on the pointer then
// points into that variable, whatever it is assigned to. The clause does not apply to
// code that is not executed: off the path any code is allowed.
func restricted(u Unit) map[*ir.Var]bool {
	if !u.Style.Restrict || u.Stored == nil {
		return nil
	}
	can := map[*ir.Var]bool{}
	for v, to := range restrictable(u) {
		can[v] = !u.Stored[v] && !u.Stored[to]
	}
	return can
}

// restrictable returns the pointers that may be declared restrict if they, and the
// variables that they start in, are not stored to.
func restrictable(u Unit) map[*ir.Var]*ir.Var {
	targets := map[*ir.Var]*ir.Var{}
	for _, v := range u.Claim.Func.Vars {
		if to := startsIn(v); to != nil && (to.Kind != ir.Param || !u.Style.ParamsAsGlobals) {
			targets[v] = to
		}
	}
	return targets
}

// startsIn returns the variable at file scope or parameter that v, a local pointer
// whose target is not a pointer, first points into, or nil if v is not such a pointer
// or points elsewhere.
func startsIn(v *ir.Var) *ir.Var {
	p, ok := v.Type.(ir.Pointer)
	if !ok || v.Kind != ir.Local || v.Volatile || len(v.Ptrs) != 1 || holdsPointers(p.Elem) {
		return nil
	}
	a, ok := v.Ptrs[0].(*ir.AddrOf)
	if !ok {
		return nil
	}
	to := ir.Root(a.Place)
	if to == nil || to.Volatile || to.Kind == ir.Local {
		return nil
	}
	return to
}

// holdsPointers reports whether a scalar of t is a pointer. The target of that pointer
// is reached through two pointers, for which compilers may differ.
func holdsPointers(t ir.Type) bool {
	for i := range ir.Count(t) {
		if _, ok := ir.Cell(t, i).(ir.Pointer); ok {
			return true
		}
	}
	return false
}
