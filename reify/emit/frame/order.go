package frame

import (
	"goreify/reify/choice"
	"goreify/reify/ir"
)

// An Order is the functions of a text: those of the units, and then those that they call,
// each once.
type Order[S any] struct {
	Funcs  []*ir.Function
	Styles map[*ir.Function]S
}

func (o *Order[S]) add(f *ir.Function, style S) {
	if _, again := o.Styles[f]; !again {
		o.Styles[f] = style
		o.Funcs = append(o.Funcs, f)
	}
}

// OrderOf returns the functions of units. A function that has no style has that of the
// first function that calls it, as inherited says.
func OrderOf[S any](units []Unit[S], inherited func(S) S) *Order[S] {
	o := begin(units)
	called := map[*ir.Function]S{}
	for _, u := range units {
		for f, style := range u.Called {
			called[f] = style
		}
	}
	o.callees(called, inherited)
	return o
}

// ByUnit is OrderOf where functions that have styles come unit by unit.
func ByUnit[S any](units []Unit[S]) *Order[S] {
	o := begin(units)
	for _, u := range units {
		for _, f := range u.Claim.Func.Reached() {
			if style, ok := u.Called[f]; ok {
				o.add(f, style)
			}
		}
	}
	o.callees(nil, Same)
	return o
}

func begin[S any](units []Unit[S]) *Order[S] {
	o := &Order[S]{Styles: map[*ir.Function]S{}}
	for _, u := range units {
		o.add(u.Claim.Func, u.Style)
	}
	return o
}

// callees adds the functions that others call.
func (o *Order[S]) callees(called map[*ir.Function]S, inherited func(S) S) {
	for i := 0; i < len(o.Funcs); i++ {
		own := inherited(o.Styles[o.Funcs[i]])
		for call := range o.Funcs[i].Calls() {
			style, ok := called[call.Func]
			if !ok {
				style = own
			}
			o.add(call.Func, style)
		}
	}
}

// Same is the style of a function for those that it calls.
func Same[S any](style S) S { return style }

// Without changes the styles of the functions of units in which a call ends in a trap, and
// of those that they call.
func (o *Order[S]) Without(units []Unit[S], t ir.Trap, change func(*S)) {
	for _, u := range units {
		if !u.Traps(t) {
			continue
		}
		for _, f := range u.Claim.Func.Reached() {
			style := o.Styles[f]
			change(&style)
			o.Styles[f] = style
		}
	}
}

// Blocks returns the order in which n blocks are written: the entry first, then the others,
// in their order if seed is 0, else shuffled by the draws of a name.
func Blocks(n int, seed uint32, name string) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	if seed != 0 {
		s := choice.New(choice.Derive(uint64(seed), name))
		s.Shuffle(n-1, func(i, j int) { order[i+1], order[j+1] = order[j+1], order[i+1] })
	}
	return order
}
