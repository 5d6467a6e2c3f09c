package foreign

import (
	"fmt"
	"iter"
	"regexp"
	"strings"

	"modernc.org/cc/v4"

	"goreify/reify/choice"
	"goreify/reify/ir"
)

// Variants bounds the proxies of a function, which differ in the sizes of buffers and
// in their contents.
const Variants = 2

// integers are the types of integers, as C writes them; those of long are of LP64.
var integers = map[cc.Kind]struct {
	c string
	t ir.Int
}{
	cc.Bool: {"_Bool", ir.Bool}, cc.Char: {"char", ir.I8}, cc.SChar: {"signed char", ir.I8}, cc.UChar: {"unsigned char", ir.U8},
	cc.Short: {"short", ir.I16}, cc.UShort: {"unsigned short", ir.U16}, cc.Int: {"int", ir.I32}, cc.UInt: {"unsigned", ir.U32},
	cc.Long: {"long", ir.I64}, cc.ULong: {"unsigned long", ir.U64}, cc.LongLong: {"long long", ir.I64}, cc.ULongLong: {"unsigned long long", ir.U64},
}

// C returns the text of a type of fixed width in C.
func C(t ir.Int) string { return fixedWidth[t] }

var fixedWidth = map[ir.Int]string{
	ir.Bool: "unsigned char", ir.I8: "signed char", ir.I16: "short", ir.I32: "int", ir.I64: "long long",
	ir.U8: "unsigned char", ir.U16: "unsigned short", ir.U32: "unsigned", ir.U64: "unsigned long long",
}

// scalar returns the text of an integer or enumeration type, and the type.
func scalar(t cc.Type) (c string, fixed ir.Int, ok bool) {
	if t.VectorSize() > 0 {
		return "", fixed, false
	}
	kind := t.Kind()
	if e, is := t.(*cc.EnumType); is {
		kind = e.UnderlyingType().Kind()
	}
	i, ok := integers[kind]
	if i.t == ir.Bool {
		i.t = ir.U8
	}
	return i.c, i.t, ok
}

// proxied tells whether propose can write a proxy for functions of a type.
func proxied(t *cc.FunctionType) *Refusal {
	if _, ok := propose(&Function{}, t, proxyName{}, nil, 0, ""); ok {
		return nil
	}
	w := writer{}
	for _, p := range parameters(t) {
		if !w.supported(p.Type()) {
			return refusal(ReasonParameter, "%s", p.Type())
		}
	}
	if n := len(parameters(t)); n == 0 || n > MaxParams {
		return refusal(ReasonNothing, "%d parameters", n)
	}
	if !w.returnable(t.Result()) {
		return refusal(ReasonResult, "%s", t.Result())
	}
	return refusal(ReasonNothing, "nothing comes of it")
}

// parameters returns those of a function, none if it takes nothing.
func parameters(t *cc.FunctionType) []*cc.Parameter {
	list := t.Parameters()
	if len(list) == 1 && list[0].Type().Kind() == cc.Void {
		return nil
	}
	return list
}

// A proxyName is the name of a proxy, and of the function that it calls. Where buffers
// of bytes are untyped, they are memory without a type, which takes the type of each
// store.
type proxyName struct {
	symbol, function string
	untyped          bool
}

// A region is memory of the proxy that a result may point into.
type region struct {
	address, size string
}

// A writer writes a proxy.
type writer struct {
	f     *Function
	name  proxyName
	s     *choice.Stream
	size  int // elements of a buffer
	decl  strings.Builder
	fill  strings.Builder
	after strings.Builder
	args  []string
	own   []region

	buffers int // that fields point to
}

// sizes are the numbers of elements of buffers that are drawn.
var sizes = []int{1, 4, 16, 16, 64}

// propose writes a proxy, and sets the parameters and the result of f. ok is false if
// there is no further variant, or no variant at all.
func propose(f *Function, t *cc.FunctionType, name proxyName, globals []object, variant int, slice string) (text string, ok bool) {
	w := &writer{f: f, name: name, s: choice.Named("proxy", fmt.Appendf(nil, "%d %s", variant, slice))}
	w.size = choice.Pick(w.s, sizes)
	if variant == 0 {
		w.size = 16
	}
	f.Params = nil
	params := parameters(t)
	if len(params) == 0 || len(params) > MaxParams || !w.returnable(t.Result()) {
		return "", false
	}
	pointers := false
	buffer := false // the parameter before was one
	for i, p := range params {
		pt := p.Type().Decay()
		if !w.supported(pt) {
			return "", false
		}
		if c, fixed, ok := scalar(pt); ok {
			if buffer && lengthLike.MatchString(p.Name()) {
				w.args = append(w.args, fmt.Sprintf("(%s)(a%d %% %du)", c, i, w.size+1))
				fixed = ir.U32
			} else {
				w.args = append(w.args, fmt.Sprintf("(%s)a%d", c, i))
			}
			f.Params = append(f.Params, fixed)
			continue
		}
		pointers = true
		f.Params = append(f.Params, ir.U32)
		w.object(i, pt)
		buffer = pt.Kind() == cc.Ptr
	}
	if variant > 0 && !pointers {
		return "", false
	}
	call := fmt.Sprintf("%s_%s(%s)", name.symbol, name.function, strings.Join(w.args, ", "))
	c, fixed, isScalar := scalar(t.Result())
	direct := isScalar && w.after.Len() == 0
	f.Result = ir.U32
	hash := "unsigned"
	if isScalar && fixed.Bits == 64 {
		f.Result, hash = ir.U64, "unsigned long long"
	}
	var b strings.Builder
	if direct {
		f.Result = fixed
	}
	fmt.Fprintf(&b, "%s %s(", C(f.Result), name.symbol)
	for i, p := range f.Params {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%s a%d", C(p), i)
	}
	b.WriteString(")\n{\n")
	reset := w.globals(globals)
	b.WriteString(w.decl.String())
	if w.fill.Len() > 0 {
		b.WriteString("\tunsigned x;\n")
	}
	if w.fill.Len() > 0 || t.Result().Kind() == cc.Ptr {
		b.WriteString("\tint i;\n")
	}
	if !direct {
		fmt.Fprintf(&b, "\t%s h = 0;\n", hash)
	}
	b.WriteString(reset)
	b.WriteString(w.fill.String())
	switch r := t.Result(); {
	case direct:
		fmt.Fprintf(&b, "\treturn (%s)%s;\n}\n", C(f.Result), call)
		return b.String(), true
	case isScalar:
		fmt.Fprintf(&b, "\th = (%s)(%s)%s;\n", hash, c, call)
	case r.Kind() == cc.Void:
		if w.after.Len() == 0 {
			return "", false
		}
		fmt.Fprintf(&b, "\t%s;\n", call)
	case r.Kind() == cc.Ptr:
		w.pointer(&b, r.(*cc.PointerType), call)
	default: // a flat struct
		fmt.Fprintf(&b, "\t{\n\t%s r = %s;\n", w.typeName(r), call)
		w.fold(&b, "r", r)
		b.WriteString("\t}\n")
	}
	b.WriteString(w.after.String())
	b.WriteString("\treturn h;\n}\n")
	return b.String(), true
}

// lengthLike finds names of parameters that hold the length of the buffer before them.
var lengthLike = regexp.MustCompile(`(?i)^(n|l|k|sz)$|len|size|count|cnt|num|max|limit|bytes|nb|length|^n[A-Z]|avail|_n$`)

// supported tells whether a parameter can be made.
func (w *writer) supported(t cc.Type) bool {
	t = t.Decay()
	if _, _, ok := scalar(t); ok {
		return true
	}
	switch t := t.(type) {
	case *cc.PointerType:
		e := t.Elem()
		if a, ok := e.(*cc.ArrayType); ok {
			e = a.Elem()
			_, _, ok = scalar(e)
			return ok && a.Len() > 0 && a.Len() <= 64 && !a.IsVLA()
		}
		if q, ok := e.(*cc.PointerType); ok {
			e = q.Elem()
			_, _, ok = scalar(e)
			return ok || e.Kind() == cc.Void
		}
		_, _, ok := scalar(e)
		return ok || e.Kind() == cc.Void || w.flat(e, 0)
	case *cc.StructType:
		return w.flat(t, 0)
	}
	return false
}

// flat tells whether a struct can be filled: it has a name, at most 32 fields and 1
// KiB, and holds integers, arrays of integers, such structs, and pointers, which are
// null unless they are to integers.
func (w *writer) flat(t cc.Type, depth int) bool {
	s, ok := t.(*cc.StructType)
	if !ok || s.IsIncomplete() || s.Size() > 1024 || s.NumFields() > 32 || s.NumFields() == 0 || depth > 3 {
		return false
	}
	if depth == 0 && w.typeName(s) == "" {
		return false
	}
	for i := range s.NumFields() {
		f := s.FieldByIndex(i)
		t := element(f.Type())
		_, _, ok := scalar(t)
		if f.IsFlexibleArrayMember() || f.Name() == "" && !f.IsBitfield() || !ok && t.Kind() != cc.Ptr && !w.flat(t, depth+1) {
			return false
		}
	}
	return true
}

// returnable tells whether a result can be turned into a number.
func (w *writer) returnable(t cc.Type) bool {
	if _, _, ok := scalar(t); ok {
		return true
	}
	switch t.Kind() {
	case cc.Void:
		return true
	case cc.Ptr:
		return t.(*cc.PointerType).Elem().Kind() != cc.Function
	}
	return w.flat(t, 0)
}

// typeName returns the name of a struct in the file.
func (w *writer) typeName(t cc.Type) string {
	s, ok := t.(*cc.StructType)
	if !ok {
		return ""
	}
	if tag := s.Tag(); tag.SrcStr() != "" {
		return "struct " + w.name.symbol + "_" + tag.SrcStr()
	}
	if d := s.Typedef(); d != nil && d.Name() != "" {
		return w.name.symbol + "_" + d.Name()
	}
	return ""
}

// object adds a buffer or a struct for parameter i.
func (w *writer) object(i int, t cc.Type) {
	name := fmt.Sprintf("b%d", i)
	fmt.Fprintf(&w.fill, "\tx = a%d;\n", i)
	if s, ok := t.(*cc.StructType); ok {
		w.record(name, s)
		w.args = append(w.args, name)
		return
	}
	switch e := t.(*cc.PointerType).Elem(); s := e.(type) {
	case *cc.StructType:
		w.record(name, s)
		w.args = append(w.args, "&"+name)
		w.owns(name)
		if !constant(e) {
			w.fold(&w.after, name, s)
		}
	case *cc.PointerType:
		w.cursor(i, s)
	case *cc.ArrayType:
		w.rows(name, s)
		w.args = append(w.args, name)
	default:
		w.buffer(name, e)
		w.args = append(w.args, name)
		w.foldBuffer(name, e)
	}
}

// rows adds an array of some rows.
func (w *writer) rows(name string, row *cc.ArrayType) {
	c, _, _ := scalar(row.Elem())
	n := min(w.size, 8) + 1
	at := fmt.Sprintf("%s[i / %d][i %% %d]", name, row.Len(), row.Len())
	fmt.Fprintf(&w.decl, "\t%s %s[%d][%d];\n", c, name, n, row.Len())
	w.owns(name)
	w.each(n*int(row.Len()), at, fmt.Sprintf("(%s)(%s)", c, w.value()))
	if !constant(row.Elem()) {
		foldEach(&w.after, n*int(row.Len()), at)
	}
}

// cursor adds a buffer and a pointer to it, of which the address is parameter i. The
// place that it points to in the end is a part of the result.
func (w *writer) cursor(i int, t *cc.PointerType) {
	name, at := fmt.Sprintf("b%d", i), fmt.Sprintf("q%d", i)
	pointed, _, ok := scalar(t.Elem())
	if !ok {
		pointed = "void"
	}
	if constant(t.Elem()) {
		pointed = "const " + pointed
	}
	fmt.Fprintf(&w.decl, "\t%s *%s;\n", pointed, at)
	w.buffer(name, t.Elem())
	r := w.own[len(w.own)-1]
	fmt.Fprintf(&w.fill, "\t%s = %s;\n", at, name)
	w.args = append(w.args, "&"+at)
	offset := fmt.Sprintf("(__UINTPTR_TYPE__)%s - (__UINTPTR_TYPE__)%s", at, r.address)
	fmt.Fprintf(&w.after, "\th = h * 31 + (%s < %s ? 2 + (unsigned)(%s) : %s != 0);\n", offset, r.size, offset, at)
	w.foldBuffer(name, t.Elem())
}

// constant tells whether a type is qualified const.
func constant(t cc.Type) bool { return t.Attributes() != nil && t.Attributes().IsConst() }

// step draws the next number.
const step = "x = x * 1664525u + 1013904223u;"

// value returns an expression of x, for a drawn pattern.
func (w *writer) value() string {
	return choice.Pick(w.s, []string{"x >> 16", "x >> 16", "x >> 29", "x >> 24", "(x >> 24) - 128", "x >> 30 ? x >> 28 : x"})
}

// alphabets are the characters of strings.
var alphabets = []string{"0123456789", "0123456789abcdefABCDEF", "ab", "-+0123456789.eExX", " \\t\\nabcXYZ019_", "/.abc", "%&=;,:<>()[]{}\\\"'#!*?ab01 "}

// owns notes that a result may point into a variable.
func (w *writer) owns(name string) { w.own = append(w.own, region{"&" + name, "sizeof " + name}) }

// each adds a loop that draws a number for each of n places, which i decides.
func (w *writer) each(n int, place, value string) {
	fmt.Fprintf(&w.fill, "\tfor (i = 0; i < %d; i++) {\n\t\t%s\n\t\t%s = %s;\n\t}\n", n, step, place, value)
}

// foldEach adds a loop that folds n places, which i decides, into h.
func foldEach(b *strings.Builder, n int, place string) {
	fmt.Fprintf(b, "\tfor (i = 0; i < %d; i++)\n\t\th = h * 31 + (unsigned)%s;\n", n, place)
}

// foldBuffer adds a loop that folds what is left in a buffer, unless it is constant.
func (w *writer) foldBuffer(name string, elem cc.Type) {
	if !constant(elem) {
		foldEach(&w.after, w.size+1, name+"[i]")
	}
}

// buffer declares and fills an array of w.size elements; one more ends it with 0. Elements
// that are no integers are bytes.
func (w *writer) buffer(name string, elem cc.Type) {
	n, kind := w.size, elem.Kind()
	c, _, ok := scalar(elem)
	if !ok {
		c = "unsigned char"
	}
	switch {
	case w.name.untyped && (kind == cc.Void || kind == cc.Char || kind == cc.SChar || kind == cc.UChar):
		fmt.Fprintf(&w.decl, "\t%s *%s = __builtin_alloca(%d);\n", c, name, n+1)
		w.own = append(w.own, region{name, fmt.Sprint(n + 1)})
	case kind == cc.Void:
		fmt.Fprintf(&w.decl, "\t%s %s[%d] __attribute__((aligned(16)));\n", c, name, n+1)
		w.owns(name)
	default:
		fmt.Fprintf(&w.decl, "\t%s %s[%d];\n", c, name, n+1)
		w.owns(name)
	}
	text := kind == cc.Char && w.s.Chance(3, 4)
	switch {
	case text:
		alphabet := choice.Pick(w.s, alphabets)
		length := len(strings.NewReplacer(`\t`, "t", `\n`, "n", `\"`, `"`).Replace(alphabet))
		w.each(n, name+"[i]", fmt.Sprintf("\"%s\"[(x >> 16) %% %d]", alphabet, length))
	case w.s.Intn(4) == 0:
		fmt.Fprintf(&w.fill, "\tfor (i = 0; i < %d; i++, x += x >> 16)\n\t\t%s[i] = (%s)(x);\n", n, name, c)
	default:
		w.each(n, name+"[i]", fmt.Sprintf("(%s)(%s)", c, w.value()))
	}
	fmt.Fprintf(&w.fill, "\t%s[%d] = 0;\n", name, n)
	if text && w.s.Chance(1, 2) { // of any length
		fmt.Fprintf(&w.fill, "\t%s[(x >> 8) %% %d] = 0;\n", name, n+1)
	}
}

// record declares and fills a struct.
func (w *writer) record(name string, s *cc.StructType) {
	fmt.Fprintf(&w.decl, "\t%s %s;\n", w.typeName(s), name)
	fmt.Fprintf(&w.fill, "\t__builtin_memset(&%s, 0, sizeof %s);\n", name, name)
	w.fields(name, s)
}

// fields fills the fields of a struct.
func (w *writer) fields(name string, s *cc.StructType) {
	for path, t := range named(name, s) {
		w.member(path, t)
	}
}

// named returns the fields of a struct that have names, with their paths.
func named(name string, s *cc.StructType) iter.Seq2[string, cc.Type] {
	return func(yield func(string, cc.Type) bool) {
		for i := range s.NumFields() {
			if f := s.FieldByIndex(i); f.Name() != "" && !yield(name+"."+f.Name(), f.Type()) {
				return
			}
		}
	}
}

func (w *writer) member(path string, t cc.Type) {
	if c, _, ok := scalar(t); ok {
		value := w.value()
		if name := path[strings.LastIndexByte(path, '.')+1:]; lengthLike.MatchString(name) {
			value = fmt.Sprintf("(x >> 16) %% %du", w.size+1)
		}
		fmt.Fprintf(&w.fill, "\t%s\n\t%s = (%s)(%s);\n", step, path, c, value)
		return
	}
	switch t := t.(type) {
	case *cc.ArrayType:
		if c, _, ok := scalar(t.Elem()); ok {
			w.each(int(t.Len()), path+"[i]", fmt.Sprintf("(%s)(%s)", c, w.value()))
		}
	case *cc.StructType:
		w.fields(path, t)
	case *cc.PointerType:
		if _, _, ok := scalar(t.Elem()); !ok && t.Elem().Kind() != cc.Void {
			return // it stays null
		}
		name := fmt.Sprintf("p%d", w.buffers)
		w.buffers++
		w.buffer(name, t.Elem())
		fmt.Fprintf(&w.fill, "\t%s = (void *)%s;\n", path, name)
		w.foldBuffer(name, t.Elem())
	}
}

// fold adds statements that fold the integers of a struct into h.
func (w *writer) fold(b *strings.Builder, name string, t cc.Type) {
	for path, t := range named(name, t.(*cc.StructType)) {
		if _, _, ok := scalar(t); ok {
			fmt.Fprintf(b, "\th = h * 31 + (unsigned)%s;\n", path)
			continue
		}
		switch t := t.(type) {
		case *cc.ArrayType:
			if _, _, ok := scalar(t.Elem()); ok {
				foldEach(b, int(t.Len()), path+"[i]")
			}
		case *cc.StructType:
			w.fold(b, path, t)
		}
	}
}

// pointer adds statements that fold a result that is a pointer: the offset of one into
// a buffer of the proxy, the contents behind one to a constant.
func (w *writer) pointer(b *strings.Builder, t *cc.PointerType, call string) {
	fmt.Fprintf(b, "\tconst char *q = (const char *)%s;\n\tif (!q)\n\t\th = 1;\n", call)
	for _, r := range w.own {
		offset := fmt.Sprintf("(__UINTPTR_TYPE__)q - (__UINTPTR_TYPE__)%s", r.address)
		fmt.Fprintf(b, "\telse if (%s < %s)\n\t\th = 2 + (unsigned)(%s);\n", offset, r.size, offset)
	}
	b.WriteString("\telse\n")
	c, _, ok := scalar(t.Elem())
	switch {
	case t.Elem().Kind() == cc.Char:
		b.WriteString("\t\tfor (i = 0; i < 64 && q[i]; i++)\n\t\t\th = h * 31 + (unsigned)q[i];\n")
	case ok:
		fmt.Fprintf(b, "\t\th = 3 + (unsigned)*(const %s *)q;\n", c)
	default:
		b.WriteString("\t\t__builtin_abort();\n")
	}
}

// globals returns statements that set globals anew.
func (w *writer) globals(list []object) string {
	var b strings.Builder
	for i, o := range list {
		name := w.name.symbol + "_" + o.name
		if !o.initialised {
			fmt.Fprintf(&b, "\t__builtin_memset(&%s, 0, sizeof %s);\n", name, name)
			continue
		}
		fmt.Fprintf(&w.decl, "\tstatic unsigned char s%d[sizeof %s], t%d;\n", i, name, i)
		fmt.Fprintf(&b, "\t__builtin_memcpy(t%d ? (void *)&%s : s%d, t%d ? s%d : (void *)&%s, sizeof s%d);\n\tt%d = 1;\n", i, name, i, i, i, name, i, i)
	}
	return b.String()
}
