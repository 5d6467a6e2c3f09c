package golang

import (
	"strings"

	"goreify/reify/emit/frame"
)

// A Unit is a function whose Supports accepts it, with its claims. A function that it
// calls, and that has no style, may be inlined.
type Unit = frame.Unit[Style]

// Emit returns a file with the functions of all the units, those that they call, and a
// main. It calls the function of each unit once for each of its cases, in order. All
// globals and statics that the call may reach have their initial values. It prints the
// name and the answer on a line of their own. The program exits with status 0 if all
// answers are right and 1 if one is wrong. If there are several units, the program
// takes the index of a unit as an optional argument, and then runs that one alone.
//
// Want knows the names used. Equal units give equal text. Emit panics without units, or
// on a node that Supports rejects.
func Emit(units []Unit) string {
	if len(units) == 0 {
		panic("emit/golang: no units")
	}
	w := &writer{helpers: map[string]bool{}, file: newFile(units)}
	for i := range w.file.units {
		w.function(i).write()
	}
	w.values()
	if short(units) {
		return formatted(w.shortHead() + string(w.buf) + w.shortMain())
	}
	w.cases()
	return spaced(w.head(units) + string(w.buf))
}

// spaced returns a text without two blank lines after each other.
func spaced(text string) string {
	for strings.Contains(text, "\n\n\n") {
		text = strings.ReplaceAll(text, "\n\n\n", "\n\n")
	}
	return text
}
