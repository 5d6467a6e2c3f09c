package c

import (
	"sync"

	"goreify/reify/ir"
)

// A Unit is a claim to write and its style. The claim has passed ir.Check, and its
// function is concrete: it holds no symbols.
type Unit struct {
	Claim *ir.Claim
	Style Style
	More  []*ir.Claim // further ones about the function of Claim, if any
	// Foreign holds the functions of others that it calls. Emit writes them once.
	Foreign []*ir.Function
	// Stored holds the variables that the calls store to, or nil if that is not known.
	Stored map[*ir.Var]bool
}

// Watched returns the unit with the variables that its calls store to, as a run of its
// claims shows them, if the text depends on these.
func (u Unit) Watched(run func(claims ...*ir.Claim) map[*ir.Var]bool) Unit {
	if u.Style.Restrict && len(restrictable(u)) > 0 {
		u.Stored = run(u.claims()...)
	}
	return u
}

// claims returns all claims of the unit.
func (u Unit) claims() []*ir.Claim { return append([]*ir.Claim{u.Claim}, u.More...) }

// Emit returns a translation unit with the functions of all the units and a main. The
// main calls each function once for each of its cases, in order, and prints its name
// and its answer on a line of their own. The program exits with status 0 if all answers
// are right and 1 if one is wrong. If there are several units, the program takes the
// index of a unit as an optional argument, and then runs that one alone.
//
// Functions of others that the units call come first, each in the linkage of the
// first unit that calls it.
//
// The functions keep their names unless two units clash or C forbids the name; Want
// knows the names used. Equal units give equal text. Emit panics without units, if a
// function holds a symbol, or if cases of two functions are in one unit.
func Emit(units []Unit) string {
	if len(units) == 0 {
		panic("emit/c: no units")
	}
	p := newPrinter()
	defer printers.Put(p)
	p.foreigners(units)
	named := nameUnits(units)
	p.preamble(units)
	for i, u := range units {
		f := newFunction(p, u, named[i])
		f.restrict = restricted(u)
		f.structs()
		f.globals()
		f.define()
		if !inRows(u) {
			f.test()
		}
	}
	if anyInRows(units) {
		p.rows(units, named)
	} else {
		p.main(named)
	}
	return p.guard().around(string(p.buf), true, func() string { return Want(units) })
}

// The printers are those that have printed. The room that their text took is used again.
var printers = sync.Pool{New: func() any { return new(printer) }}

func newPrinter() *printer {
	p := printers.Get().(*printer)
	*p = printer{buf: p.buf[:0]}
	return p
}
