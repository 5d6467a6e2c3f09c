package c

import (
	"goreify/reify/choice"
	"goreify/reify/emit/frame"
	"goreify/reify/ir"
)

// Declared decides which attributes and builtins tell compilers facts about a function
// and its pointers. Facts that are false are not written. Whole programs ignore it,
// except for the short tests, which ignore Getters.
type Declared struct {
	Heat Heat
	// Purity declares the function const or pure.
	Purity bool
	// Pointers declares pointer parameters nonnull, and with access how they are used.
	Pointers bool
	// Getters makes the initial values of local pointers calls of functions. Their
	// attributes state that they return no null pointers and how these are aligned.
	Getters bool
	// Aligned, if not 0, aligns arrays of integers at file scope to so many bytes, a
	// power of two, and states the alignment of local pointers that first point into
	// them.
	Aligned int
}

// A Heat is the stated frequency of the calls of a function. It has no effect on the
// meaning.
type Heat int

// The heats.
const (
	Tepid Heat = iota
	Hot
	Cold
	numHeats
)

var heatNames = [numHeats]string{"", "hot", "cold"}

// DrawDeclared returns what s decides. It always makes the same number of draws.
func DrawDeclared(s *choice.Stream) Declared {
	return Declared{
		Heat:     Heat(s.Weighted(4, 1, 1)),
		Purity:   s.Chance(1, 2),
		Pointers: s.Chance(1, 2),
		Getters:  s.Chance(1, 3),
		Aligned:  choice.Pick(s, []int{0, 0, 16, 32, 64}),
	}
}

// words are the parts of a style that d is.
func (d *Declared) words() []frame.Word {
	power := func(n int) bool { return 0 < n && n <= 4096 && n&(n-1) == 0 }
	return []frame.Word{
		frame.OneOf("", &d.Heat, heatNames[:]...),
		frame.Flag("declare-purity", &d.Purity, 0),
		frame.Flag("declare-pointers", &d.Pointers, 0),
		frame.Flag("getters", &d.Getters, 0),
		frame.Number("aligned=", &d.Aligned, power),
	}
}

// declares reports whether f is written with its Declared.
func (f *function) declares() bool { return f.whole == nil || f.whole.test != nil }

// declaredAttributes writes the attributes of the function.
func (f *function) declaredAttributes() {
	if !f.declares() {
		return
	}
	d, fn := f.unit.Style.Declared, f.unit.Claim.Func
	if d.Heat != Tepid {
		f.str("__attribute__((" + heatNames[d.Heat] + ")) ")
	}
	if !d.Purity && !d.Pointers {
		return
	}
	purity, stores := purityOf(f.unit)
	if d.Purity && purity != Impure {
		f.str("__attribute__((" + [...]string{Pure: "pure", Const: "const"}[purity] + ")) ")
	}
	if !d.Pointers {
		return
	}
	n := len(fn.Params())
	switch {
	case packs(f.unit):
		n = 1
	case f.unit.Style.ParamsAsGlobals:
		n = 0
	}
	first := n
	for _, v := range fn.Vars {
		if !f.passed(v) {
			continue
		}
		if n++; n == first+1 {
			f.str("__attribute__((nonnull)) ") // all of them
		}
		mode := "read_only"
		if t, ok := v.Type.(ir.Pointer); stores && !(ok && t.Const) {
			mode = "read_write"
		}
		f.str("__attribute__((access(" + mode + ", " + itoa(n) + "))) ")
	}
}

// purityOf returns the state that the code of a unit's function leaves alone, on the
// path and off it, and whether it stores through pointers.
func purityOf(u Unit) (purity Purity, stores bool) {
	fn := u.Claim.Func
	purity = Const
	reads := func() { purity = min(purity, Pure) }
	if u.Style.ParamsAsGlobals {
		reads()
		if u.Style.VolatileArgs {
			purity = Impure
		}
	}
	see := func(n ir.Node) {
		switch n := n.(type) {
		case *ir.VarRef:
			if n.Var.Volatile {
				purity = Impure
			} else if n.Var.Kind.Lasts() {
				reads()
			}
		case *ir.Deref:
			reads()
			if ir.TypeOf[ir.Pointer](n.X).Volatile {
				purity = Impure
			}
		case *ir.Checksum, *ir.Call: // a checksum reads a volatile variable
			purity = Impure
		}
	}
	visitAll(fn, see)
	for _, v := range fn.Vars {
		if v.Volatile {
			purity = Impure // it is initialised at least
		}
		if u.Style.Storage.heap() && stored(u, v) {
			purity = Impure // malloc and free change memory, though none that callers see
		}
	}
	for _, b := range fn.Blocks {
		for _, s := range b.Stmts {
			for _, dst := range ir.Stored(s) {
				switch v := ir.Root(dst); {
				case v == nil:
					purity, stores = Impure, true
				case v.Kind.Lasts():
					purity = Impure
				}
			}
		}
	}
	return purity, stores
}

// alignment returns the alignment of v by its declaration, or 0.
func (f *function) alignment(v *ir.Var) int {
	if _, array := v.Type.(ir.Array); !array || !v.Kind.Lasts() || !f.declares() {
		return 0
	}
	if _, ints := ir.Innermost(v.Type).(ir.Int); !ints {
		return 0
	}
	return f.unit.Style.Aligned
}

// A position is the target of the initial value of a local pointer, as compilers can be
// told: so many bytes after a multiple of align.
type position struct{ align, offset int }

// positionOf returns the position of an element of an array that is aligned; false if p
// is not such an element.
func (f *function) positionOf(p ir.Expr) (position, bool) {
	a, ok := p.(*ir.AddrOf)
	if !ok || ir.TypeOf[ir.Pointer](a).Volatile {
		return position{}, false
	}
	v := ir.Root(a.Place)
	if v == nil {
		return position{}, false
	}
	at := position{align: f.alignment(v)}
	if at.align == 0 {
		return position{}, false
	}
	at.offset = offset(a.Place) * ir.Scalar(v.Type).Bytes() % at.align
	return at, true
}

// offset returns how many scalars come before p, a part of an array of integers.
func offset(p ir.Place) int {
	e, ok := p.(*ir.Elem)
	if !ok {
		return 0
	}
	return offset(e.Base) + int(e.Index.(*ir.Const).V)*ir.Count(e.Type())
}

// got reports whether the initial value of v comes from a function.
func got(u Unit, v *ir.Var) bool { return u.Style.Getters && startsLasting(v) && !passed(u, v) }

// getters writes the functions that return initial values.
func (f *function) getters() {
	for i, name := range f.names.getters {
		if name == "" {
			continue
		}
		v := f.unit.Claim.Func.Vars[i]
		f.str(noipaMacro + " __attribute__((const, returns_nonnull")
		if at, ok := f.positionOf(v.Ptrs[0]); ok {
			f.str(", assume_aligned(" + itoa(at.align) + ", " + itoa(at.offset) + ")")
		}
		f.str(")) static " + f.declarator(v.Type, false, false, name+"(void)") + "\n{\n")
		f.begin(1)
		f.str("return ")
		f.buf = f.appendExpr(f.buf, v.Ptrs[0], anyPrec)
		f.str(";\n}\n\n")
	}
}
