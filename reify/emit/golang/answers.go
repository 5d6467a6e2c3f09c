package golang

import (
	"slices"
	"strconv"
	"strings"

	"goreify/reify/ir"
)

// The output of Emit's program, and its arguments, are written by this package alone,
// and read by the functions of this file.

// Want returns the output of the program that Emit makes of the same units if every
// answer is right.
func Want(units []Unit) string {
	if short(units) {
		return ""
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
	all := make([]string, len(units))
	f := newFile(units)
	for i := range units {
		var out strings.Builder
		n := &f.named[i]
		want, _ := expected(units[i])
		for j, text := range want {
			out.WriteString(n.callName(j) + " " + text + "\n")
		}
		all[i] = out.String()
	}
	return all
}

// expected returns the output for each case of a unit, and the variables that are
// summed up after each.
func expected(u Unit) (want []string, state []*ir.Var) {
	state = u.Lasting()
	for _, c := range u.Claims() {
		text := c.Answer()
		if len(state) > 0 {
			text += " state " + strconv.FormatUint(uint64(c.End.Sum(state)), 10)
		}
		want = append(want, text)
	}
	return want, state
}

// callName is the beginning of the line that is printed for case i.
func (n *names) callName(i int) string {
	if i == 0 {
		return n.fn
	}
	return n.fn + "#" + strconv.Itoa(i+1)
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
