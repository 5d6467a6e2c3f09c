package golang

import (
	"slices"
	"strconv"
	"strings"
)

// What Emit's program prints, and how it is called, is written by this package
// alone, and read by the functions of this file.

// Want returns what the program that Emit makes of the same units prints when
// every answer is right.
func Want(units []Unit) string {
	if short(units) {
		return ""
	}
	return strings.Join(Answers(units), "")
}

// Answers returns what each of the units prints when its answers are right: for
// each case a line of the function's name in Go, a space, and the answer in
// decimal. Lines after the first have the number of the case behind the name, from
// 2, as in "f#2 17".
func Answers(units []Unit) []string {
	all := make([]string, len(units))
	for i, n := range nameUnits(units) {
		var out strings.Builder
		for j, c := range units[i].claims() {
			out.WriteString(n.callName(j) + " " + c.Answer() + "\n")
		}
		all[i] = out.String()
	}
	return all
}

// callName is what the line begins with that is printed for case i.
func (n *names) callName(i int) string {
	if i == 0 {
		return n.fn
	}
	return n.fn + "#" + strconv.Itoa(i+1)
}

// Alone returns the arguments with which Emit's program runs the unit of an
// index alone, if it has several.
func Alone(unit int) []string { return []string{strconv.Itoa(unit)} }

// UnitOf returns the index of the unit in whose text Emit defines a function of
// Go, as compilers name it: "f", "main.f", "f.func1". It is -1 if there is none.
func UnitOf(units []Unit, function string) int {
	function, _, _ = strings.Cut(strings.TrimPrefix(function, "main."), ".")
	return slices.IndexFunc(nameUnits(units), func(n names) bool { return n.fn == function })
}
