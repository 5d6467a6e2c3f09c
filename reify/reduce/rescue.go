package reduce

import (
	"goreify/reify/interp"
	"goreify/reify/ir"
)

// rescued looks for arguments and initial values with which q, whose run was undefined,
// is defined: 0 or 1 for one of them, or for all. It leaves those that it finds in q.
func (e *engine) rescued(q *ir.Program) (*run, error) {
	inputs := inputs(q.Claims[0])
	groups := make([][]*int64, 0, 1+len(inputs))
	groups = append(groups, inputs)
	if len(inputs) > 1 {
		for i := range min(len(inputs), mostInputs) {
			groups = append(groups, inputs[i:i+1])
		}
	}
	for _, group := range groups {
		was := make([]int64, len(group))
		for i, at := range group {
			was[i] = *at
		}
		for v := range int64(2) {
			for _, at := range group {
				*at = v
			}
			if r, err := execute(q, e.fuel); err == nil {
				return r, nil
			}
		}
		for i, at := range group {
			*at = was[i]
		}
	}
	return nil, interp.ErrFuel
}

// mostInputs is how many inputs are changed one by one.
const mostInputs = 8

// inputs returns the places of the arguments of a case and of the initial values of the
// scalar variables of its function. All of them can hold 0 and 1.
func inputs(k *ir.Claim) []*int64 {
	var list []*int64
	for i := range k.Args {
		list = append(list, &k.Args[i])
	}
	for _, v := range k.Func.Vars {
		if t, ok := v.Type.(ir.Int); !ok || t.Signed && t.Bits == 1 || len(v.Init) != 1 {
			continue
		}
		if c, ok := v.Init[0].(*ir.Const); ok {
			list = append(list, &c.V)
		}
	}
	return list
}
