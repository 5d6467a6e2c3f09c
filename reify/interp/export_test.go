package interp

import "goreify/reify/ir"

// Defined reports whether scalar elem (in the order of ir.Count) of v had a value at
// the end of the run.
func (r *Result) Defined(v *ir.Var, elem int) bool { return r.defined[v.Index][elem] }
