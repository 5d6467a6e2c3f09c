package interp

import (
	"errors"
	"fmt"
	"slices"

	"goreify/reify/ir"
)

// Close notes at proved claims what their calls leave, which writers of programs need:
// their End. A claim that has one keeps it. The error is that of a call that does not end
// as its claim says.
func Close(claims ...*ir.Claim) error {
	for _, c := range claims {
		if c.End != nil {
			continue
		}
		end, err := endOf(c)
		if err != nil {
			return fmt.Errorf("@%s: what is left of a call: %w", c.Func.Name, err)
		}
		c.End = end
	}
	return nil
}

func endOf(c *ir.Claim) (*ir.End, error) {
	reached := c.Func.Reached()
	var lasting []*ir.Var
	for _, f := range reached {
		for _, v := range f.Vars {
			if v.Kind.Lasts() && !ir.HasUnion(v.Type) {
				lasting = append(lasting, v)
			}
		}
	}
	end := &ir.End{Known: map[*ir.Var][]byte{}, Live: map[*ir.Function]int{c.Func: 1}}
	if c.Trap != "" {
		end.Trapped = c.Func
	}
	if len(lasting) == 0 && c.Func.IsLeaf() {
		return end, nil
	}
	o := Options{Under: c.Under, Callees: true}
	if !c.Func.IsLeaf() {
		now := map[*ir.Function]int{}
		o.Enter = func(c Call) { now[c.Func]++; end.Live[c.Func] = max(end.Live[c.Func], now[c.Func]) }
		o.Leave = func(c Call) { now[c.Func]-- }
	}
	r, err := Run(c.Func, c.Args, o)
	trap := (*Trap)(nil)
	switch {
	case errors.As(err, &trap) && trap.Kind == c.Trap:
		end.Trapped = reached[slices.IndexFunc(reached, func(f *ir.Function) bool { return f.Name == trap.Func })]
	case err != nil:
		return nil, err
	}
	for _, v := range lasting {
		if r.Known(v) {
			end.Known[v] = r.bytes(v)
		}
	}
	return end, nil
}

// Stored returns the variables that the calls of claims store to, or nil if one does not
// go the way that its claim says.
func Stored(claims ...*ir.Claim) map[*ir.Var]bool {
	stored := map[*ir.Var]bool{}
	note := func(e Event) {
		for _, s := range e.Stores {
			stored[s.Var] = true
		}
	}
	for _, c := range claims {
		r, err := Run(c.Func, c.Args, Options{Fuel: len(c.Path) + 1, Trace: note})
		if err != nil || !slices.Equal(r.Path, c.Path) {
			return nil // functions that it calls may do anything
		}
	}
	return stored
}
