package golang

import (
	"go/token"
	"slices"
	"strconv"

	"goreify/reify/ir"
)

// names are the names that one unit uses in Go.
type names struct {
	fn      string
	inputs  []string // by parameter: its variable in the package, if the style wants one
	rows    string   // the table of the inputs of all cases, if there is one
	vars    []string // by ir.Var.Index
	arrays  []string // by ir.Var.Index: the array behind a slice, or ""
	records []string // by position in ir.Function.Types
	state   string   // the function that sums up variables with static lifetime, if the unit has one
	reset   string   // the function that resets these variables, in a file with calls
	labels  []string // by ir.Block.Index
	local   scope    // of the function
	file    scope    // of the package
}

// predeclared are the names that every file uses and that must not be declared again.
var predeclared = []string{
	"_", "main", "init", "os", "bits", "math", "bool", "string", "error", "byte", "rune", "any", "uintptr", "float32", "float64", "int", "uint", "int8", "int16", "int32", "int64",
	"uint8", "uint16", "uint32", "uint64", "true", "false", "nil", "iota", "append", "cap", "len", "make", "new",
	"panic", "recover", "print", "println", "copy", "close", "delete", "complex", "real", "imag", "min", "max", "clear",
	"crc", "e", crcFunc, signedFunc, boolFunc, byteFunc, "abs32", "abs64", "ffs", "overflow", mulHighFunc, "tests", "try", "failed", "digits", "kind", "unsafe", distanceFunc, fillFunc, wideFunc,
}

var reserved = func() map[string]bool {
	set := map[string]bool{}
	for _, name := range predeclared {
		set[name] = true
	}
	return set
}()

// mulHighFunc is the function of the high half of a product.
const mulHighFunc = "mulHigh"

// wideFunc is the function that a short program in the style Wide calls.
const wideFunc = "wide"

// A scope is a set of identifiers in use, besides the reserved ones.
type scope map[string]bool

// add puts base into the scope, or, if it is taken, base with a number.
func (s scope) add(base string) string {
	name := base
	for n := 2; reserved[name] || token.IsKeyword(name) || s[name]; n++ {
		name = base + "_" + strconv.Itoa(n)
	}
	s[name] = true
	return name
}

// ofPackage returns a new name of the package, which no local of the function hides.
func (n *names) ofPackage(base string) string {
	name := n.file.add(base)
	for n.local[name] {
		name = n.file.add(base)
	}
	return name
}

// name names the declarations of a file.
func (of *file) name() {
	units := of.units
	file := scope{}
	out := make([]names, len(units))
	for i, u := range units {
		out[i].fn, out[i].file = file.add(u.Claim.Func.Name), file
	}
	for i, u := range units {
		n, f := &out[i], u.Claim.Func
		if u.Style.Args == Variables {
			for _, v := range f.Params() {
				n.inputs = append(n.inputs, file.add(n.fn+"_"+v.Name))
			}
		}
		if table(u) {
			n.rows = file.add(n.fn + rowsSuffix)
		}
		for _, r := range f.Types {
			n.records = append(n.records, file.add(n.fn+"_"+r.Name))
		}
		n.vars, n.arrays = make([]string, len(f.Vars)), make([]string, len(f.Vars))
		n.local = scope{}
		for _, v := range f.Vars {
			if v.Kind.Lasts() {
				n.vars[v.Index] = file.add(n.fn + "_" + v.Name)
				n.local[n.vars[v.Index]] = true
			}
		}
	}
	for i, u := range units {
		if tested(u) && slices.ContainsFunc(of.reach(i), of.lasts) {
			out[i].state = file.add(out[i].fn + stateSuffix)
		}
		if of.calling && of.lasts(i) {
			out[i].reset = file.add(out[i].fn + resetSuffix)
		}
	}
	for i, u := range units {
		n, f := &out[i], u.Claim.Func
		for _, r := range n.records {
			n.local[r] = true
		}
		for call := range f.Calls() {
			n.local[out[of.index[call.Func]].fn] = true
		}
		for _, v := range f.Vars {
			if !v.Kind.Lasts() {
				n.vars[v.Index] = n.local.add(v.Name)
			}
		}
		if u.Style.Slices && !pointing(f) {
			for _, v := range f.Vars {
				if _, ok := v.Type.(ir.Array); ok {
					n.arrays[v.Index] = n.vars[v.Index]
					n.vars[v.Index] = n.local.add(v.Name + "s")
				}
			}
		}
		labels := scope{}
		for _, b := range f.Blocks {
			n.labels = append(n.labels, labels.add(b.Name))
		}
	}
	of.named = out
}
