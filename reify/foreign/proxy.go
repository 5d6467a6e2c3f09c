package foreign

import (
	"fmt"
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
func C(t ir.Int) string {
	switch t {
	case ir.I8:
		return "signed char"
	case ir.U8, ir.Bool:
		return "unsigned char"
	case ir.I16:
		return "short"
	case ir.U16:
		return "unsigned short"
	case ir.I32:
		return "int"
	case ir.U32:
		return "unsigned"
	case ir.I64:
		return "long long"
	}
	return "unsigned long long"
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
		t := f.Type()
		for {
			a, ok := t.(*cc.ArrayType)
			if !ok {
				break
			}
			t = a.Elem()
		}
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
	e := t.(*cc.PointerType).Elem()
	if s, ok := e.(*cc.StructType); ok {
		w.record(name, s)
		w.args = append(w.args, "&"+name)
		w.own = append(w.own, region{"&" + name, "sizeof " + name})
		if !constant(e) {
			w.fold(&w.after, name, s)
		}
		return
	}
	if q, ok := e.(*cc.PointerType); ok {
		w.cursor(i, q)
		return
	}
	c, _, ok := scalar(e)
	n, whole := w.size, ""
	if a, is := e.(*cc.ArrayType); is { // a pointer to rows
		c, _, _ = scalar(a.Elem())
		whole = fmt.Sprintf("[%d]", a.Len())
		n = min(n, 8)
	} else if !ok {
		c = "unsigned char" // void
	}
	w.args = append(w.args, name)
	if whole != "" {
		w.own = append(w.own, region{"&" + name, "sizeof " + name})
		a := e.(*cc.ArrayType)
		fmt.Fprintf(&w.decl, "\t%s %s[%d]%s;\n", c, name, n+1, whole)
		fmt.Fprintf(&w.fill, "\tfor (i = 0; i < %d; i++) {\n\t\t%s\n\t\t%s[i / %d][i %% %d] = (%s)(%s);\n\t}\n", (n+1)*int(a.Len()), step, name, a.Len(), a.Len(), c, w.value())
		if !constant(a.Elem()) {
			fmt.Fprintf(&w.after, "\tfor (i = 0; i < %d; i++)\n\t\th = h * 31 + (unsigned)%s[i / %d][i %% %d];\n", (n+1)*int(a.Len()), name, a.Len(), a.Len())
		}
		return
	}
	w.buffer(name, c, n, e.Kind())
	if !constant(e) {
		fmt.Fprintf(&w.after, "\tfor (i = 0; i < %d; i++)\n\t\th = h * 31 + (unsigned)%s[i];\n", n+1, name)
	}
}

// cursor adds a buffer and a pointer to it, of which the address is parameter i. The
// place that it points to in the end is a part of the result.
func (w *writer) cursor(i int, t *cc.PointerType) {
	name, at := fmt.Sprintf("b%d", i), fmt.Sprintf("q%d", i)
	c, _, ok := scalar(t.Elem())
	pointed := c
	if !ok {
		c, pointed = "unsigned char", "void"
	}
	if constant(t.Elem()) {
		pointed = "const " + pointed
	}
	fmt.Fprintf(&w.decl, "\t%s *%s;\n", pointed, at)
	w.buffer(name, c, w.size, t.Elem().Kind())
	r := w.own[len(w.own)-1]
	fmt.Fprintf(&w.fill, "\t%s = %s;\n", at, name)
	w.args = append(w.args, "&"+at)
	offset := fmt.Sprintf("(__UINTPTR_TYPE__)%s - (__UINTPTR_TYPE__)%s", at, r.address)
	fmt.Fprintf(&w.after, "\th = h * 31 + (%s < %s ? 2 + (unsigned)(%s) : %s != 0);\n", offset, r.size, offset, at)
	if !constant(t.Elem()) {
		fmt.Fprintf(&w.after, "\tfor (i = 0; i < %d; i++)\n\t\th = h * 31 + (unsigned)%s[i];\n", w.size+1, name)
	}
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

// buffer declares and fills an array of n elements; one more ends it with 0.
func (w *writer) buffer(name, c string, n int, kind cc.Kind) {
	switch {
	case w.name.untyped && (kind == cc.Void || kind == cc.Char || kind == cc.SChar || kind == cc.UChar):
		fmt.Fprintf(&w.decl, "\t%s *%s = __builtin_alloca(%d);\n", c, name, n+1)
		w.own = append(w.own, region{name, fmt.Sprint(n + 1)})
	case kind == cc.Void:
		fmt.Fprintf(&w.decl, "\t%s %s[%d] __attribute__((aligned(16)));\n", c, name, n+1)
		w.own = append(w.own, region{"&" + name, "sizeof " + name})
	default:
		fmt.Fprintf(&w.decl, "\t%s %s[%d];\n", c, name, n+1)
		w.own = append(w.own, region{"&" + name, "sizeof " + name})
	}
	if kind == cc.Char && w.s.Chance(3, 4) {
		alphabet := choice.Pick(w.s, alphabets)
		length := len(strings.NewReplacer(`\t`, "t", `\n`, "n", `\"`, `"`).Replace(alphabet))
		fmt.Fprintf(&w.fill, "\tfor (i = 0; i < %d; i++) {\n\t\t%s\n\t\t%s[i] = \"%s\"[(x >> 16) %% %d];\n\t}\n\t%s[%d] = 0;\n", n, step, name, alphabet, length, name, n)
		if w.s.Chance(1, 2) { // of any length
			fmt.Fprintf(&w.fill, "\t%s[(x >> 8) %% %d] = 0;\n", name, n+1)
		}
		return
	}
	switch w.s.Intn(4) {
	case 0:
		fmt.Fprintf(&w.fill, "\tfor (i = 0; i < %d; i++, x += x >> 16)\n\t\t%s[i] = (%s)(x);\n\t%s[%d] = 0;\n", n, name, c, name, n)
	default:
		fmt.Fprintf(&w.fill, "\tfor (i = 0; i < %d; i++) {\n\t\t%s\n\t\t%s[i] = (%s)(%s);\n\t}\n\t%s[%d] = 0;\n", n, step, name, c, w.value(), name, n)
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
	for i := range s.NumFields() {
		f := s.FieldByIndex(i)
		if f.Name() == "" {
			continue
		}
		path := name + "." + f.Name()
		w.member(path, f.Type())
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
			fmt.Fprintf(&w.fill, "\tfor (i = 0; i < %d; i++) {\n\t\t%s\n\t\t%s[i] = (%s)(%s);\n\t}\n", t.Len(), step, path, c, w.value())
		}
	case *cc.StructType:
		w.fields(path, t)
	case *cc.PointerType:
		c, _, ok := scalar(t.Elem())
		if t.Elem().Kind() == cc.Void {
			c, ok = "unsigned char", true
		}
		if !ok {
			return // it stays null
		}
		name := fmt.Sprintf("p%d", w.buffers)
		w.buffers++
		w.buffer(name, c, w.size, t.Elem().Kind())
		fmt.Fprintf(&w.fill, "\t%s = (void *)%s;\n", path, name)
		if !constant(t.Elem()) {
			fmt.Fprintf(&w.after, "\tfor (i = 0; i < %d; i++)\n\t\th = h * 31 + (unsigned)%s[i];\n", w.size+1, name)
		}
	}
}

// fold adds statements that fold the integers of a struct into h.
func (w *writer) fold(b *strings.Builder, name string, t cc.Type) {
	s := t.(*cc.StructType)
	for i := range s.NumFields() {
		f := s.FieldByIndex(i)
		if f.Name() == "" {
			continue
		}
		path := name + "." + f.Name()
		if _, _, ok := scalar(f.Type()); ok {
			fmt.Fprintf(b, "\th = h * 31 + (unsigned)%s;\n", path)
			continue
		}
		switch t := f.Type().(type) {
		case *cc.ArrayType:
			if _, _, ok := scalar(t.Elem()); ok {
				fmt.Fprintf(b, "\tfor (i = 0; i < %d; i++)\n\t\th = h * 31 + (unsigned)%s[i];\n", t.Len(), path)
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
