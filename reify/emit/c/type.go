package c

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"goreify/reify/ir"
)

// vectorPrefix begins the names of the types of vectors, and no other names.
const vectorPrefix = "vec_"

func vectorName(t ir.Vector) string {
	return vectorPrefix + t.Elem.String() + "x" + strconv.Itoa(t.Lanes)
}

// recordName returns the name of a record with its keyword.
func (f *function) recordName(r *ir.Record) string {
	name := f.names.records[slices.Index(f.unit.Claim.Func.Types, r)]
	if r.Union {
		return "union " + name
	}
	return "struct " + name
}

// fieldName returns the name of a field, which is its own unless that may be a
// macro.
func fieldName(r *ir.Record, field int) string {
	name := r.Fields[field].Name
	if !reserved(name) {
		return name
	}
	taken := scope{}
	for _, other := range r.Fields {
		taken[other.Name] = true
	}
	return taken.add(name)
}

// typeSpecifier returns the name of a type that is not an array or pointer.
func (f *function) typeSpecifier(t ir.Type) string {
	switch t := t.(type) {
	case ir.Int:
		return typeName(t)
	case ir.Float:
		return floatName(t)
	case ir.Vector:
		return vectorName(t)
	case ir.Wide:
		return t.String()
	case *ir.Record:
		return f.recordName(t)
	}
	panic(fmt.Sprintf("emit/c: unknown type %T", t))
}

// declarator returns the declaration of inner, a name or the inner part of a
// declarator, as an object of type t with the given qualifiers; with no name, the name
// of the type.
func (f *function) declarator(t ir.Type, constant, volatile bool, inner string) string {
	qualifiers := ""
	if constant {
		qualifiers = "const "
	}
	if volatile {
		qualifiers += "volatile "
	}
	switch t := t.(type) {
	case ir.Array:
		if inner != "" && inner[0] == '*' {
			inner = "(" + inner + ")"
		}
		return f.declarator(t.Elem, constant, volatile, inner+"["+strconv.Itoa(t.Len)+"]")
	case ir.Pointer:
		return f.declarator(t.Elem, t.Const, t.Volatile, "*"+qualifiers+inner)
	}
	if inner == "" {
		return qualifiers + f.typeSpecifier(t)
	}
	return qualifiers + f.typeSpecifier(t) + " " + inner
}

// variable writes the declarator of v without an initialiser.
func (f *function) variable(v *ir.Var, name string) {
	elem := ir.Innermost(v.Type)
	if n := f.alignment(v); n != 0 {
		f.str("__attribute__((aligned(" + itoa(n) + "))) ")
	}
	if _, ok := elem.(ir.Pointer); ok {
		if f.restrict[v] {
			name = "restrict " + name
		}
		f.str(f.declarator(v.Type, v.Const, v.Volatile, name))
		return
	}
	if v.Const {
		f.str("const ")
	}
	if v.Volatile {
		f.str("volatile ")
	}
	f.str(f.typeSpecifier(elem))
	f.str(" ")
	f.str(name)
	for t := v.Type; ; {
		a, ok := t.(ir.Array)
		if !ok {
			break
		}
		f.str("[")
		f.int(a.Len)
		f.str("]")
		t = a.Elem
	}
}

// types writes the definitions at file scope that the variables of the function need:
// the types of vectors, records, and functions for the checksum.
func (f *function) types() {
	if !f.assume && assumes(f.unit.Claim.Func) {
		f.assume = true
		f.str(assumeDefinition)
	}
	f.start = len(f.buf)
	if !plain(f.unit.Claim.Func) {
		f.definitions()
	}
}

func (f *function) definitions() {
	fn := f.unit.Claim.Func
	need := needsOf(fn)
	for _, t := range need.vectors {
		if !slices.Contains(f.vectors, t) {
			f.vectors = append(f.vectors, t)
			elem, size := t.Wide().String(), strconv.Itoa(t.Lanes*t.Elem.Bits/8)
			if t.Elem.Bits > 64 {
				f.defineWides([]ir.Wide{t.Wide()})
			} else {
				elem = typeName(t.Elem)
			}
			if more := t.Padded() - t.Lanes; more > 0 {
				f.macro(paddedMacro)
				size += fmt.Sprintf(" "+paddedMacro+"(+ %d)", more*t.Elem.Bytes())
			}
			f.str("\ntypedef " + elem + " " + vectorName(t) + " __attribute__((vector_size(" + size + ")));\n")
		}
	}
	f.defineWides(need.wides)
	f.overflows(need.overflows)
	for _, name := range need.macros {
		f.macro(name)
	}
	for _, e := range need.calls {
		f.lanewiseName(e)
	}
	for ; f.lanewise < len(f.lanewiseFuncs); f.lanewise++ {
		head, text, _ := strings.Cut(f.lanewiseFuncs[f.lanewise], "\x00")
		f.str("\n" + head + lanewisePrefix + strconv.Itoa(f.lanewise) + text)
	}
	for i, t := range []ir.Float{ir.F32, ir.F64} {
		if slices.Contains(need.sums, t) && !f.floatBits[i] {
			f.floatBits[i] = true
			f.str(floatBitsDefinition(t))
		}
	}
	for _, r := range fn.Types {
		if r.Cast {
			f.macro(lowIndexMacro)
		}
		f.record(r)
	}
}

// record writes the definition of r.
func (f *function) record(r *ir.Record) {
	f.str("\n" + f.recordName(r) + " {\n")
	for i, field := range r.Fields {
		f.begin(1)
		if t, ok := field.Type.(ir.Int); ok && field.Bits > 0 { // a char would not be signed everywhere
			f.str(typeName(t) + " " + fieldName(r, i) + " : ")
			f.int(field.Bits)
		} else {
			f.str(f.declarator(field.Type, false, false, fieldName(r, i)))
		}
		f.str(";\n")
	}
	f.str("};\n")
	f.byValueHelpers(r)
}

// plain reports whether the variables of fn are integers and arrays of them
// alone, as in the paper's subset, and so need no definitions. Its expressions
// may still: see belated.
func plain(fn *ir.Function) bool {
	if len(fn.Types) > 0 {
		return false
	}
	for _, v := range fn.Vars {
		if _, ok := ir.Innermost(v.Type).(ir.Int); !ok {
			return false
		}
	}
	return true
}

// belated writes the definitions that the expressions of a plain function have turned
// out to need: types of vectors, which only pointers and vectors name. To look at all
// expressions beforehand would take longer than all other work on types.
func (f *function) belated() {
	if !f.named || !plain(f.unit.Claim.Func) {
		return
	}
	body := slices.Clone(f.buf[f.start:])
	f.buf = f.buf[:f.start]
	f.definitions()
	f.buf = append(f.buf, body...)
}

// floatBits returns the function that returns the bits of a number of type t.
func floatBits(t ir.Float) string { return floatName(t) + "_bits" }

func floatBitsDefinition(t ir.Float) string {
	bits := "unsigned"
	if t == ir.F64 {
		bits = "unsigned long long"
	}
	return "\nstatic " + bits + " " + floatBits(t) + "(" + floatName(t) + " value)\n{\n" +
		"    union {\n        " + floatName(t) + " value;\n        " + bits + " bits;\n    } u = {value};\n\n" +
		"    return u.bits;\n}\n"
}

// assumes reports whether fn has an assumption other than a branch.
func assumes(fn *ir.Function) bool {
	for _, b := range fn.Blocks {
		for _, s := range b.Stmts {
			if a, ok := s.(*ir.Assume); ok && !a.Guard {
				return true
			}
		}
	}
	return false
}

const assumeMacro = "ASSUME"

// gcc knows the attribute from version 13 on. It is in a block, since after a label it
// would be one of the label.
const assumeDefinition = `
#if defined(__clang__)
#define ASSUME(x) __builtin_assume(x)
#elif __GNUC__ >= 13
#define ASSUME(x) do { __attribute__((assume(x))); } while (0)
#else
#define ASSUME(x) do { if (!(x)) __builtin_unreachable(); } while (0)
#endif
`

// Macros for vectors, and the beginning of the names of the functions that VecCalls
// call.
const (
	shuffleMacro  = "SHUFFLE"
	resizeMacro   = "RESIZE"
	paddedMacro   = "PADDED"
	lowFirstMacro = "LOW_FIRST"
	lowIndexMacro = "LOW_INDEX"

	lanewisePrefix = vectorPrefix + "function"
)

// macro defines one of the macros for vectors and unions, if it is not yet.
func (f *function) macro(name string) {
	if f.defined[name] {
		return
	}
	if f.defined == nil {
		f.defined = map[string]bool{}
	}
	f.defined[name] = true
	f.str(vectorMacros[name])
}

// vectorMacros are the definitions by name. gcc 11 has another builtin for shuffles
// only, of as many lanes as it gets. A vector that has three lanes in clang has four in
// gcc, and so on. A lane shares its bytes with several of a narrower type: the first of
// these is the low one, or the high one; so do the elements of an array in a union.
var vectorMacros = map[string]string{
	shuffleMacro: `
#if defined(__clang__) || __GNUC__ >= 12
#define SHUFFLE(x, y, mask, ...) __builtin_shufflevector(x, y, __VA_ARGS__)
#else
#define SHUFFLE(x, y, mask, ...) __builtin_shuffle(x, y, (mask){__VA_ARGS__})
#endif
`,
	resizeMacro: `
#if defined(__clang__) || __GNUC__ >= 12
#define RESIZE(x, y, type, ...) __builtin_shufflevector(x, y, __VA_ARGS__)
#else
#define RESIZE(x, y, type, ...) __extension__ ({ \
        __typeof__(x) vec_x = x, vec_y = y; \
        type vec_to; \
        static const signed char vec_index[] = {__VA_ARGS__}; \
        for (unsigned vec_i = 0; vec_i < sizeof vec_index; vec_i++) { \
            unsigned vec_n = sizeof vec_x / sizeof vec_x[0], vec_k = vec_index[vec_i] & (2 * vec_n - 1); \
            vec_to[vec_i] = vec_k < vec_n ? vec_x[vec_k] : vec_y[vec_k - vec_n]; \
        } \
        vec_to; \
    })
#endif
`,
	paddedMacro: `
#if defined(__clang__)
#define PADDED(...)
#else
#define PADDED(...) __VA_ARGS__
#endif
`,
	lowFirstMacro: `
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define LOW_FIRST(x, zero, mask, ...) x
#else
#define LOW_FIRST(x, zero, mask, ...) SHUFFLE(x, zero, mask, __VA_ARGS__)
#endif
`,
	lowIndexMacro: `
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define LOW_INDEX(i, n) i
#else
#define LOW_INDEX(i, n) (n) - 1 - (i)
#endif
`,
}
