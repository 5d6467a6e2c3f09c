package c

import (
	"slices"
	"strconv"
	"strings"

	"goreify/reify/answers"
)

// The output of Emit's program, and its arguments, are written by this package alone,
// and read by the functions of this file.

// Want returns the output of the program that Emit makes of the same units if every
// answer is right: Answers in one piece.
func Want(units []Unit) string {
	return strings.Join(Answers(units), "")
}

// Answers returns the output of each of the units if its answers are right: for each
// case a line of the function's name in C, a space, and the answer in decimal. Lines
// after the first have the number of the case behind the name, from 2, as in "f#2 17".
func Answers(units []Unit) []string {
	all := make([]string, len(units))
	for i, n := range nameUnits(units) {
		for j, c := range units[i].claims() {
			all[i] += answers.Line(answers.Name(n.fn, j), c.Func.Result.Format(c.Want))
		}
	}
	return all
}

// Alone returns the arguments with which Emit's program runs the unit of an
// index alone, if it has several.
func Alone(unit int) []string { return []string{strconv.Itoa(unit)} }

// UnitOf returns the index of the unit in whose text Emit defines a function in C: its
// own, or the one that makes its calls. It is -1 if no unit does.
func UnitOf(units []Unit, function string) int {
	return slices.IndexFunc(nameUnits(units), func(n names) bool { return n.fn == function || n.test == function })
}
