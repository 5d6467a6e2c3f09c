// Package frame is what writers of languages share: what they are given, the order of
// functions and whose style each has, what is left of calls, and how styles are words.
// It knows no language.
package frame

import (
	"slices"
	"strconv"

	"goreify/reify/answers"
	"goreify/reify/ir"
)

// A Unit is a function with claims about it, and its style in a language. The claims have
// passed ir.Check and interp.Close, and hold no symbols.
type Unit[S any] struct {
	Claim *ir.Claim
	More  []*ir.Claim // further ones about the function of Claim
	Style S
	// Called are the styles of functions that it calls, directly or not, and that are
	// in no unit. A function that is missing there gets the style of its caller.
	Called map[*ir.Function]S
	// Foreign holds the functions of others that it calls.
	Foreign []*ir.Function
	// Held is what held in the calls, or nil if that is not known.
	Held *ir.Held
	// Stored holds the variables that the calls store to, or nil if that is not known.
	Stored map[*ir.Var]bool
}

// Claims returns all claims of the unit.
func (u Unit[S]) Claims() []*ir.Claim { return append([]*ir.Claim{u.Claim}, u.More...) }

// Traps reports whether a claim ends in a trap.
func (u Unit[S]) Traps(t ir.Trap) bool {
	return slices.ContainsFunc(u.Claims(), func(c *ir.Claim) bool { return c.Trap == t })
}

// Lasting returns the variables with static lifetime, of the function and of those that
// it calls, whose values are known after each of the calls.
func (u Unit[S]) Lasting() (list []*ir.Var) {
	for _, f := range u.Claim.Func.Reached() {
		for _, v := range f.Vars {
			if v.Kind.Lasts() && !slices.ContainsFunc(u.Claims(), func(c *ir.Claim) bool { return endOf(c).Known[v] == nil }) {
				list = append(list, v)
			}
		}
	}
	return list
}

func endOf(c *ir.Claim) *ir.End {
	if c.End == nil {
		panic("frame: @" + c.Func.Name + ": what is left of a call is not known; see interp.Close")
	}
	return c.End
}

// Answers returns the outcome of each call, as answer tells it, with a checksum of the
// variables that last, if there are any.
func (u Unit[S]) Answers(answer func(*ir.Claim) string, sum func(*ir.End) uint32) (list []string) {
	for _, c := range u.Claims() {
		text := answer(c)
		if sum != nil {
			text = answers.Stated(text, strconv.FormatUint(uint64(sum(endOf(c))), 10))
		}
		list = append(list, text)
	}
	return list
}

// Lines returns the lines of the calls of a function that have some outcomes.
func Lines(name string, outcomes []string) (text string) {
	for i, answer := range outcomes {
		text += answers.Line(answers.Name(name, i), answer)
	}
	return text
}

// Live returns of each function how many calls are under way at a time, at most, in any
// call of the unit.
func (u Unit[S]) Live() map[*ir.Function]int {
	all := map[*ir.Function]int{u.Claim.Func: 1}
	if u.Claim.Func.IsLeaf() {
		return all
	}
	for _, c := range u.Claims() {
		for f, n := range endOf(c).Live {
			all[f] = max(all[f], n)
		}
	}
	return all
}
