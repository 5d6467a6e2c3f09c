package crosscheck

import (
	"errors"
	"fmt"
	"slices"

	"goreify/reify"
	"goreify/reify/choice"
	"goreify/reify/interp"
	"goreify/reify/ir"
	written "goreify/reify/language"
)

// PerRoom is how many expressions a room has, and PerFile how many are to be in one file of
// C. Every other file has no wide integers: a compiler that lacks those of 128 bits, as for
// 32-bit processors, has nothing to test in the others.
const (
	PerRoom = 20
	PerFile = 2000
)

// A Member is a function, and what the interpreter says of a call of it.
type Member struct {
	Claim *ir.Claim
	Style written.Style
	room  *room
}

// Draw returns a function of the expressions with the numbers from first on, a multiple of
// PerRoom, up to end, for each room, with others that end in a trap. Every second file has
// no wide integers. Draw adds what they have to a tally. The error is a *reify.GeneratorBug.
func Draw(first, end int, l *written.Language, y *Tally) (list []Member, err error) {
	all := drawnIn(l)
	for n := first; n < end; n += PerRoom {
		drawn := all
		if n/PerFile%2 != 0 {
			drawn.wides, drawn.wideLanes = 0, false
		}
		r := drawRoom(choice.New(choice.Derive(uint64(n), "crosscheck "+l.Short)), fmt.Sprintf("f%d", n), drawn)
		r.draw(drawn, PerRoom)
		y.Unwritten += r.keepWritten(l)
		y.add(r)
		m, err := r.member(r.name, r.made...)
		if err != nil {
			return nil, err
		}
		m.Style = l.DrawStyle(r.s.Fork("style"), &reify.Config{})
		list = append(list, m)
		for i, m := range r.trapped[:min(len(r.trapped), PerRoom/4)] {
			trapped, err := r.member(fmt.Sprintf("%s_%d", r.name, i), m.made)
			if err != nil {
				return nil, err
			}
			list = append(list, trapped)
		}
	}
	return list, nil
}

// member returns a function of what was made in a room.
func (r *room) member(name string, list ...made) (m Member, err error) {
	f := r.function(name, list...)
	if err := ir.Check(f); err != nil {
		return m, bug(f, err)
	}
	got, err := interp.Run(f, r.args, interp.Options{Under: r.under})
	m = Member{room: r, Claim: &ir.Claim{Func: f, Args: r.args, Want: got.Value, Path: []int{0}, Under: r.under}}
	if trap := (*interp.Trap)(nil); errors.As(err, &trap) && len(list) == 1 {
		m.Claim.Trap = trap.Kind
	} else if err != nil {
		return m, bug(f, fmt.Errorf("each expression is defined, but not all together: %w", err))
	}
	if err := interp.Verify(m.Claim); err != nil {
		return m, bug(f, err)
	}
	return m, nil
}

func bug(f *ir.Function, err error) error { return &reify.GeneratorBug{Program: f.String(), Err: err} }

// Parts returns a member of each expression alone, in the style of the member.
func (m Member) Parts() (list []Member) {
	if m.room == nil || m.Claim.Trap != "" {
		return nil
	}
	for _, one := range m.room.made {
		if part, err := m.room.member(m.room.name, one); err == nil {
			part.Style = m.Style
			list = append(list, part)
		}
	}
	return list
}

// drawnIn returns what can be drawn for a language.
func drawnIn(l *written.Language) language {
	d := whole
	d.under, d.wideLanes = l.Under, l.WideLanes()
	for _, feature := range l.Masked {
		switch feature {
		case "ptr":
			d.pointers, d.bytes = false, false
		case "vector", "lanes":
			d.vectors = false
		case "aggregate":
			d.bytes = false
		case "int128", "bitint":
			d.wides = 0
		}
	}
	return d
}

// keepWritten leaves out what a language cannot write, and returns how much that is.
func (r *room) keepWritten(l *written.Language) int {
	unwritten := func(m made) bool { return l.Supports(r.function(r.name, m)) != nil }
	before := len(r.made)
	r.made = slices.DeleteFunc(r.made, unwritten)
	r.trapped = slices.DeleteFunc(r.trapped, func(m trapped) bool { return unwritten(m.made) })
	return before - len(r.made)
}

// A Tally counts what was compared.
type Tally struct {
	Expressions int
	Undefined   int            // that were drawn beside them
	Unwritten   int            // that the language cannot write
	nodes       map[string]int // by operator and type
}

func NewTally() *Tally { return &Tally{nodes: map[string]int{}} }

func (y *Tally) add(r *room) {
	y.Expressions += len(r.made)
	for _, m := range r.made {
		for _, s := range m.stmts {
			y.node(s)
		}
	}
	y.Undefined += len(r.undefined)
}

// node counts n and all nodes below it.
func (y *Tally) node(n ir.Node) bool {
	switch n := n.(type) {
	case *ir.Binary:
		y.nodes[n.Op.String()+" "+sort(n.X.Type())]++
	case *ir.Unary:
		y.nodes["unary "+n.Op.String()+" "+sort(n.X.Type())]++
	case *ir.Builtin:
		y.nodes[n.Fn.String()+" "+sort(n.Args[0].Type())]++
	case *ir.Convert:
		y.nodes[sort(n.X.Type())+" to "+sort(n.T)]++
		y.nodes[ir.FamilyOf(n.X).String()+" to "+sort(n.T)]++
		y.nodes[ir.FamilyOf(n.X).String()+" to "+ir.FamilyOf(n).String()]++
	case *ir.Assign:
		y.nodes["assignment of "+ir.FamilyOf(n.Src).String()]++
	case ir.Expr:
		y.nodes[fmt.Sprintf("%T %s", n, sort(n.Type()))]++
	case ir.Stmt:
		y.nodes[fmt.Sprintf("%T", n)]++
	}
	return ir.Parts(n, y.node)
}

// sort names what is told apart of a type: all types of integers, floating-point numbers and
// lanes; of wide integers, the sign and whether it is __int128.
func sort(t ir.Type) string {
	switch t := t.(type) {
	case ir.Vector:
		return "lanes " + t.Elem.String()
	case ir.Wide:
		name := "__int128"
		if t.BitInt {
			name = "_BitInt"
		}
		if !t.Signed {
			name = "unsigned " + name
		}
		return name
	case ir.Pointer:
		return "pointer"
	case *ir.Record:
		return "record"
	}
	return t.String()
}

// lacks returns what notes that an operation has not been compared, and the list of those.
func (y *Tally) lacks() (seen func(format string, args ...any), list *[]string) {
	list = &[]string{}
	return func(format string, args ...any) {
		if name := fmt.Sprintf(format, args...); y.nodes[name] == 0 {
			*list = append(*list, name)
		}
	}, list
}

// MissingIntegers returns the operators on integer types that have not been compared, and
// the conversions among these.
func (y *Tally) MissingIntegers() []string {
	seen, missing := y.lacks()
	for _, of := range wide {
		for _, op := range ir.Ops() {
			seen("%v %v", op, of)
		}
		for op := ir.Neg; op <= ir.LNot; op++ {
			seen("unary %v %v", op, of)
		}
	}
	for fn := ir.Popcount; fn <= ir.ExpectProbably; fn++ {
		for _, of := range wide {
			if of.Signed == fn.Signed() && (!fn.Hints() || of == ir.I32) {
				seen("%v %v", fn, of)
			}
		}
	}
	for _, from := range integers {
		for _, to := range integers {
			if from != to {
				seen("%v to %v", from, to)
			}
		}
	}
	return *missing
}

// Missing returns all operators on all their types and all conversions that have not been
// compared. Operations on all types of lanes take more than some thousand expressions, so
// of these any type does if there are less.
func (y *Tally) Missing() []string {
	seen, missing := y.lacks()
	for _, of := range []ir.Float{ir.F32, ir.F64} {
		for _, op := range ir.Ops() {
			if op.OnFloats() {
				seen("%v %v", op, of)
			}
		}
		seen("unary - %v", of)
		seen("an integer to %v", of)
		seen("a floating-point number to %v", of)
	}
	for _, t := range []ir.Type{ir.F64, ir.I128, ir.Wide{Bits: 9, BitInt: true}, ir.Pointer{}} {
		seen("< %s", sort(t))
	}
	for _, name := range []string{"*ir.Select i32", "*ir.Select pointer", "- pointer", "a floating-point number to an integer", "a wide integer to an integer", "*ir.Load i32"} {
		seen("%s", name)
	}
	for _, of := range []ir.Wide{ir.I128, ir.U128, {Bits: 9, Signed: true, BitInt: true}, {Bits: 9, BitInt: true}} {
		for op := ir.Add; op <= ir.Shr; op++ {
			seen("%v %s", op, sort(of))
		}
		for op := ir.Neg; op <= ir.Not; op++ {
			seen("unary %v %s", op, sort(of))
		}
		seen("an integer to %s", sort(of))
		seen("a wide integer to %s", sort(of))
	}
	for _, name := range []string{"*ir.Transfer", "*ir.Fill", "*ir.Overflow", "assignment of a record"} {
		seen("%s", name)
	}
	onLanes := slices.DeleteFunc(ir.Ops(), ir.Op.Logical)
	if y.Expressions < manyLanes { // all operators, each on the lanes of some type
		for _, op := range onLanes {
			for _, of := range lanes {
				y.nodes["lanes "+op.String()] += y.nodes[fmt.Sprintf("%v lanes %v", op, of)]
			}
			seen("lanes %v", op)
		}
		return append(y.MissingIntegers(), *missing...)
	}
	for _, of := range lanes {
		for _, op := range onLanes {
			seen("%v lanes %v", op, of)
		}
		for op := ir.Neg; op <= ir.Not; op++ {
			seen("unary %v lanes %v", op, of)
		}
		for _, e := range []ir.Expr{&ir.VecOf{}, &ir.Shuffle{}, &ir.Cast{}, &ir.VecCall{}} {
			seen("%T lanes %v", e, of)
		}
		seen("a vector to lanes %v", of)
	}
	return append(y.MissingIntegers(), *missing...)
}

// manyLanes is how many expressions have all operations on all types of lanes.
const manyLanes = 1_000_000
