package golang

import (
	"slices"
	"strconv"
	"strings"

	"goreify/reify/emit/frame"
	"goreify/reify/ir"
)

// The output of Emit's program, and its arguments, are written by this package alone,
// and read by the functions of this file.

// Want returns the output of the program that Emit makes of the same units if every
// answer is right.
func Want(units []Unit) string {
	if short(units) {
		return shortWant(units[0])
	}
	return strings.Join(Answers(units), "")
}

// Answers returns the output of each of the units if its answers are right: for each
// case a line of the function's name in Go, a space, and the answer in decimal. Lines
// after the first have the number of the case behind the name, from 2, as in "f#2 17".
// If the function or one that it calls has variables with static lifetime, " state "
// and a checksum follow. The checksum is of those of the variables that have known
// values after the call or the trap.
func Answers(units []Unit) []string {
	var all []string
	f := newFile(units)
	for i, u := range units {
		want, _ := expected(u)
		all = append(all, frame.Lines(f.named[i].fn, want))
	}
	return all
}

// expected returns the output for each case of a unit, and the variables that are
// summed up after each.
func expected(u Unit) (want []string, state []*ir.Var) {
	if state = u.Lasting(); len(state) == 0 {
		return u.Answers((*ir.Claim).Answer, nil), nil
	}
	return u.Answers((*ir.Claim).Answer, func(end *ir.End) uint32 { return end.Sum(state) }), state
}

// Alone returns the arguments with which Emit's program runs the unit of an
// index alone, if it has several.
func Alone(unit int) []string { return []string{strconv.Itoa(unit)} }

// UnitOf returns the index of the unit in whose text Emit defines a function of Go, by
// its name in compilers: "f", "main.f", "f.func1". For a function that is in no unit,
// it is the first unit that calls it. It is -1 if no unit does.
func UnitOf(units []Unit, function string) int {
	function, _, _ = strings.Cut(strings.TrimPrefix(function, "main."), ".")
	f := newFile(units)
	at := slices.IndexFunc(f.named, func(n names) bool { return n.fn == function || n.state == function && function != "" })
	if at < len(units) {
		return at
	}
	return slices.IndexFunc(units, func(u Unit) bool { return slices.Contains(f.reach(f.index[u.Claim.Func]), at) })
}
