package c

import (
	"slices"
	"strconv"
	"strings"

	"goreify/reify/ir"
)

// names are the names that one unit uses in C.
type names struct {
	fn      string
	test    string   // the function that calls fn and checks its answer
	inputs  []string // by parameter: its variable at file scope, if the style wants one
	vars    []string // by ir.Var.Index
	records []string // by position in ir.Function.Types
	params  string   // the struct of the parameters, if the style wants one
	in      string   // the parameter of that type
	getters []string // by ir.Var.Index: the function that its initial value comes from, or ""
	result  string   // the struct of the result, if the style wants one
	crc     string   // the local variable that collects the checksum
	args    []string // by parameter: its volatile variable in test, if the style wants one
	got     string   // the local variable of test that holds an answer
	wrong   string   // the local variable of test that sums up, if there are several cases
	labels  []string // by ir.Block.Index
	// The variables of a computed goto.
	targets, index string
}

// reserved reports whether name is one that every program has at file scope, or a macro
// that compilers predefine.
func reserved(name string) bool {
	switch name {
	case crcFunc, crcArrayFunc, crcPoly, noinlineMacro, noipaMacro, shuffleMacro, resizeMacro, paddedMacro, lowFirstMacro, lowIndexMacro, assumeMacro, "float_bits", "double_bits",
		"main", "printf", "atoi", "_exit", "_start", "linux", "unix", "i386":
		return true
	}
	return reservedPrefix(name) || isWideName(name)
}

// reservedPrefix reports whether all names that begin like name are reserved.
func reservedPrefix(name string) bool {
	return strings.HasPrefix(name, vectorPrefix) || strings.HasPrefix(name, byValuePrefix) || strings.HasPrefix(name, rowsPrefix)
}

// A scope is a set of identifiers in use, besides the reserved ones.
type scope map[string]bool

// add puts base into the scope, or, if it is taken, base with a number.
func (s scope) add(base string) string {
	if reservedPrefix(base) {
		base = "x_" + base
	}
	name := base
	for n := 2; reserved(name) || s[name]; n++ {
		name = base + "_" + strconv.Itoa(n)
	}
	s[name] = true
	return name
}

func nameUnits(units []Unit) []names {
	file := scope{}
	var used scope // functions of others, whose names calls contain
	if list := foreigners(units); list != nil {
		used = scope{}
		reserveForeign(used, list)
		reserveForeign(file, list)
	}
	all := nameFile(units, file)
	for i, u := range units {
		all[i].nameLocals(u, used)
		all[i].nameTest(u)
	}
	return all
}

// nameFile names the objects that the units have at file scope.
func nameFile(units []Unit, file scope) []names {
	out := make([]names, len(units))
	for i, u := range units {
		if f := u.Claim.Func; f.Foreign != nil {
			out[i].fn = f.Name // which is reserved
			continue
		}
		out[i].fn = file.add(functionName(u.Claim.Func.Name))
	}
	for i, u := range units {
		n := &out[i]
		n.test = file.add("test_" + n.fn)
		f := u.Claim.Func
		if u.Style.ParamsAsGlobals {
			for _, v := range f.Params() {
				n.inputs = append(n.inputs, file.add(n.fn+"_"+v.Name))
			}
		}
		for _, r := range f.Types {
			n.records = append(n.records, file.add(n.fn+"_"+r.Name))
		}
		if packs(u) {
			n.params = file.add(n.fn + "_params")
		}
		if u.Style.ResultStruct {
			n.result = file.add(n.fn + "_result")
		}
		n.vars = make([]string, len(f.Vars))
		for _, v := range f.Vars {
			if v.Kind.Lasts() {
				n.vars[v.Index] = file.add(n.fn + "_" + v.Name)
			}
		}
		if u.Style.Getters {
			n.getters = make([]string, len(f.Vars))
			for _, v := range f.Vars {
				if got(u, v) {
					n.getters[v.Index] = file.add(n.fn + "_at_" + v.Name)
				}
			}
		}
	}
	return out
}

// nameLocals names the objects that are visible in the function alone. A local name may
// hide one at file scope that the function does not use: used are those that it may use
// besides its own.
func (n *names) nameLocals(u Unit, used scope) {
	f := u.Claim.Func
	n.labels = nameLabels(f)
	n.namePacked(u, used)
	if !n.keepVars(f, used) {
		n.changeVars(f, used)
	}
	n.nameInner(u, used)
}

// changeVars is keepVars if two names are equal.
func (n *names) changeVars(f *ir.Function, used scope) {
	local := make(scope, len(used)+len(f.Vars)+len(n.inputs)+1)
	for name := range used {
		local[name] = true
	}
	for _, name := range n.inputs {
		local[name] = true
	}
	if n.in != "" {
		local[n.in] = true
	}
	for _, name := range n.vars {
		local[name] = true // the empty name too, which does no harm
	}
	for _, v := range f.Vars {
		if n.vars[v.Index] == "" {
			n.vars[v.Index] = local.add(v.Name)
		}
	}
	n.crc = local.add("crc")
}

// namePacked names the parameters that are passed in a struct.
func (n *names) namePacked(u Unit, used scope) {
	if !packs(u) {
		return
	}
	f := u.Claim.Func
	taken := scope{"crc": true}
	for name := range used {
		taken[name] = true
	}
	for _, v := range f.Vars {
		taken[v.Name], taken[n.vars[v.Index]] = true, true
	}
	n.in = taken.add("in")
	members := scope{}
	for _, v := range f.Params() {
		n.vars[v.Index] = n.in + "." + members.add(v.Name)
	}
}

// nameInner names the variables of the block of a computed goto, which hide no name
// that may be used there.
func (n *names) nameInner(u Unit, used scope) {
	if !u.Style.ComputedGoto {
		return
	}
	taken := scope{n.crc: true, n.in: true}
	for name := range used {
		taken[name] = true
	}
	for _, name := range n.vars {
		taken[name] = true
	}
	n.targets, n.index = taken.add("targets"), taken.add("at")
}

// keepVars gives the variables of f that are not at file scope yet, and the one for the
// checksum, their own names, which works nearly always. It reports whether no two are
// the same.
func (n *names) keepVars(f *ir.Function, used scope) bool {
	const crc = "crc"
	taken := func(name string) bool {
		return reserved(name) || used[name] || slices.Contains(n.inputs, name) || slices.Contains(n.vars, name)
	}
	local := func(v *ir.Var) bool { return n.vars[v.Index] == "" }
	if taken(crc) || slices.ContainsFunc(f.Vars, func(v *ir.Var) bool { return local(v) && (v.Name == crc || taken(v.Name)) }) {
		return false
	}
	for _, v := range f.Vars {
		if local(v) {
			n.vars[v.Index] = v.Name
		}
	}
	n.crc = crc
	return true
}

// nameTest names the objects that are visible in the function that makes the calls.
func (n *names) nameTest(u Unit) {
	f := u.Claim.Func
	test := scope{n.fn: true}
	if len(u.More) > 0 || u.Style.PointerParams { // test names the objects at file scope
		for _, name := range n.inputs {
			test[name] = true
		}
		for _, v := range f.Vars {
			if v.Kind.Lasts() {
				test[n.vars[v.Index]] = true
			}
		}
	}
	if u.Style.VolatileArgs && !u.Style.ParamsAsGlobals {
		for _, v := range f.Params() {
			n.args = append(n.args, test.add(v.Name))
		}
	}
	n.got = test.add("got")
	n.wrong = test.add("wrong")
}

// nameLabels returns names for the blocks of f. They have a name space of their own,
// except that macros apply there.
func nameLabels(f *ir.Function) []string {
	names := make([]string, len(f.Blocks))
	clash := false
	for i, b := range f.Blocks {
		names[i] = b.Name
		clash = clash || reserved(b.Name)
	}
	if clash {
		labels := make(scope, len(names))
		for i, name := range names {
			names[i] = labels.add(name)
		}
	}
	return names
}

// functionName returns name, or a longer one if it may be that of a function of the C
// library. Those have no digit or underscore, apart from y1 and its like, whose types
// are too different for a compiler to mistake.
func functionName(name string) string {
	if len(name) > 1 && !strings.ContainsAny(name, "_0123456789") {
		return name + "_"
	}
	return name
}
