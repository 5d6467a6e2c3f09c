package c

import (
	"fmt"
	"slices"

	"goreify/reify/choice"
	"goreify/reify/ir"
)

// A Storage is the place of local structs, unions and arrays that could be automatic
// variables. In all cases the function begins with their initial values, and their
// memory ends with it.
type Storage int

// The storages. A local x that is not automatic is written as (*x).
const (
	Automatic Storage = iota
	Heap              // malloc or calloc, and free before the function returns
	Alloca            // alloca
	VLA               // an array of one element, or of a length that is computed from an argument times 0 and 1
	Realloc           // the heap, where blocks grow, shrink and move
	numStorages
)

func (s Storage) heap() bool { return s == Heap || s == Realloc }

var storageNames = [numStorages]string{"automatic", "heap", "alloca", "vla", "realloc"}

// String returns the word that stands for s in the text form of a Style.
func (s Storage) String() string { return storageNames[s] }

// DrawStorage returns a storage that is not automatic.
func DrawStorage(s *choice.Stream) Storage { return Storage(1 + s.Intn(int(numStorages)-1)) }

// stored reports whether v, a variable of u, is not automatic: it is a record or array
// of integers and floating-point numbers, and may be changed.
func stored(u Unit, v *ir.Var) bool {
	if u.Style.Storage == Automatic || v.Kind != ir.Local || v.Const || v.Volatile {
		return false
	}
	switch v.Type.(type) {
	case ir.Array, *ir.Record:
	default:
		return false
	}
	for i := range ir.Count(v.Type) {
		switch ir.Cell(v.Type, i).(type) {
		case ir.Int, ir.Float:
		default:
			return false
		}
	}
	return !holdsVectors(v.Type)
}

// holdsVectors reports whether t contains vectors, whose alignment malloc does not
// know.
func holdsVectors(t ir.Type) bool {
	switch t := t.(type) {
	case ir.Vector:
		return true
	case ir.Array:
		return holdsVectors(t.Elem)
	case *ir.Record:
		return slices.ContainsFunc(t.Fields, func(f ir.Field) bool { return holdsVectors(f.Type) })
	}
	return false
}

// store names the variables that are not automatic as the targets of pointers to them.
func (f *function) store() {
	fn := f.unit.Claim.Func
	for i, v := range fn.Vars {
		if !stored(f.unit, v) {
			continue
		}
		if f.pointers == nil {
			f.pointers = make([]string, len(fn.Vars))
			f.names.vars = slices.Clone(f.names.vars)
		}
		f.pointers[i] = f.names.vars[i]
		f.names.vars[i] = "(*" + f.names.vars[i] + ")"
	}
	if f.unit.Style.Storage == Realloc && f.pointers != nil {
		f.findMovable()
	}
}

// isStored reports whether v is not automatic.
func (f *function) isStored(v *ir.Var) bool { return f.pointers != nil && f.pointers[v.Index] != "" }

// makeStored writes the declaration of a variable that is not automatic, and then
// gives it its initial value, without the last semicolon.
func (f *function) makeStored(v *ir.Var, depth int) {
	name := f.pointers[v.Index]
	t := f.declarator(v.Type, false, false, "")
	storage := f.unit.Style.Storage
	one := f.factorOfOne()
	if storage == VLA && one == "" {
		storage = Alloca
	}
	cleared := v.Init != nil && zeros(v.Init, nil) && storage == Heap
	switch storage {
	case Heap:
		call := "malloc("
		if cleared {
			call = "calloc(1, "
		}
		f.str(f.declarator(v.Type, false, false, "*"+name) + " = __builtin_" + call + "sizeof(" + t + "))")
	case Realloc:
		size := "2 * sizeof(" + t + ")"
		if growing(v) && v.Init != nil {
			size = "sizeof(" + t + ") / 2"
		}
		f.str(f.declarator(v.Type, false, false, "*"+name) + " = __builtin_malloc(" + size + ")")
	case Alloca:
		f.str(f.declarator(v.Type, false, false, "*"+name) + " = __builtin_alloca(sizeof(" + t + "))")
	case VLA:
		f.str(f.declarator(v.Type, false, false, name+"["+one+"]"))
	default:
		panic("emit/c: " + storage.String() + " variable is stored")
	}
	if v.Init == nil || cleared {
		return
	}
	f.str(";\n")
	f.begin(depth)
	if storage == Realloc {
		f.grow(v, name, t, depth)
		return
	}
	f.str("__builtin_memcpy(" + name + ", &(" + t + ")")
	(&initialiser{function: f, v: v, depth: depth}).write(v.Type)
	f.str(", sizeof(" + t + "))")
}

// grow gives a variable of type t its initial value. The memory first has twice the
// bytes, and then shrinks to those needed. Or half of the value is written before the
// memory has its full size and half after, which half of the variables do.
func (f *function) grow(v *ir.Var, name, t string, depth int) {
	initial := func() { (&initialiser{function: f, v: v, depth: depth}).write(v.Type) }
	half := "sizeof(" + t + ") / 2"
	size := half
	if !growing(v) {
		size = "sizeof(" + t + ")"
	}
	f.str("__builtin_memcpy(" + name + ", &(" + t + ")")
	initial()
	f.str(", " + size + ");\n")
	f.begin(depth)
	f.str(name + " = __builtin_realloc(" + name + ", sizeof(" + t + "))")
	if growing(v) {
		f.str(";\n")
		f.begin(depth)
		f.str("__builtin_memcpy((char *)" + name + " + " + half + ", (char *)&(" + t + ")")
		initial()
		f.str(" + " + half + ", sizeof(" + t + ") - " + half + ")")
	}
}

func growing(v *ir.Var) bool { return v.Index%2 == 0 }

// resize writes, at the beginning of some blocks, resizings of variables that no
// pointer points to, which perhaps move them.
func (f *function) resize(b *ir.Block, depth int) {
	for i, v := range f.unit.Claim.Func.Vars {
		if n := (b.Index + i) % 4; f.movable != nil && f.movable[i] && b.Index > 0 && n > 0 {
			name := f.pointers[i]
			f.line(depth, fmt.Sprintf("%s = __builtin_realloc(%s, %d * sizeof(%s));", name, name, n, f.declarator(v.Type, false, false, "")))
		}
	}
}

// findMovable finds the variables that resize may move.
func (f *function) findMovable() {
	fn := f.unit.Claim.Func
	f.movable = make([]bool, len(fn.Vars))
	for i := range f.movable {
		f.movable[i] = f.pointers[i] != ""
	}
	see := func(n ir.Node) {
		if a, ok := n.(*ir.AddrOf); ok {
			if v := ir.Root(a.Place); v != nil {
				f.movable[v.Index] = false
			}
		}
	}
	visitAll(fn, see)
}

// factorOfOne returns an expression that is 1 and not a constant expression, or "" if
// the function has no operand for it.
func (f *function) factorOfOne() string {
	for _, v := range f.unit.Claim.Func.Params() {
		if !v.Volatile {
			return "1 + 0 * " + f.names.vars[v.Index]
		}
	}
	return ""
}

// onHeap returns the pointers to memory on the heap.
func (f *function) onHeap() (list []string) {
	if !f.unit.Style.Storage.heap() {
		return nil
	}
	for _, name := range f.pointers {
		if name != "" {
			list = append(list, name)
		}
	}
	return list
}

// kept returns a name that the function has no other use for.
func (f *function) kept() string {
	taken := scope{f.names.crc: true, f.names.in: true, f.names.fn: true}
	for _, list := range [][]string{f.names.vars, f.pointers, f.names.inputs} {
		for _, name := range list {
			taken[name] = true
		}
	}
	return taken.add("kept")
}
