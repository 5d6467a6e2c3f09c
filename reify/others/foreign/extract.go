package foreign

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"goreify/reify/others/csource"
)

// Limits of a function that is taken out of a file.
const (
	MaxSlice  = 8 << 10 // bytes of a slice without its tables
	MaxTables = 4 << 10 // bytes of its tables
	maxGlobal = 256     // bytes of a global that a proxy sets anew
)

// Options are the properties of a file, and limits of Extract.
type Options struct {
	Origin Origin // File, Project, Version and Licence; Extract adds the others
	// Cut replaces a call of a function that the file does not define by a constant, as
	// the paper does. Without it the caller is refused.
	Cut bool
}

// Extract returns the functions of a program that can be called from outside, each
// behind at most Variants proxies, and the refusals of the other functions, in the
// order of the text.
func Extract(p *csource.Program, o Options) (kept []*Function, refused []Refusal) {
	e := extraction{Linkage: csource.Link(p), options: o, facts: map[int]*facts{}, tables: map[string]bool{}}
	seen := map[string]bool{}
	for k := range e.Parts {
		n := e.Parts[k].Function
		if n < 0 {
			continue
		}
		f := &p.Functions[n]
		list, err := e.extract(k, f.Name)
		if err != nil {
			err.Name, err.Line = f.Name, p.Line(f.From)
			refused = append(refused, *err)
		}
		for _, g := range list {
			if !seen[g.Symbol] {
				seen[g.Symbol] = true
				g.Origin = o.Origin
				g.Origin.Name, g.Origin.Line = f.Name, p.Line(f.From)
				kept = append(kept, g)
			}
		}
	}
	return kept, refused
}

// An extraction is the extraction of the functions of one program.
type extraction struct {
	*csource.Linkage
	options Options
	facts   map[int]*facts  // of the parts that were looked at
	tables  map[string]bool // global objects that no function writes to; see readOnly
}

// facts are the known properties of a part.
type facts struct {
	refused *Refusal
	aliasing
	tokens []string
	global []object // name that it defines, if it is not a function
	arrays []string // that are global or static, constant or not
	table  bool     // it defines constant objects only
}

// An object is a global that lives across calls.
type object struct {
	name        string
	initialised bool
}

func refusal(reason, format string, args ...any) *Refusal {
	return &Refusal{Reason: reason, Detail: fmt.Sprintf(format, args...)}
}

// Reasons of refusals of functions.
const (
	ReasonName      = "name"      // it is main, or reserved
	ReasonParameter = "parameter" // no proxy can make one of its parameters
	ReasonResult    = "result"    // or take its result
	ReasonNothing   = "nothing"   // it takes nothing, or returns and writes nothing
	ReasonWord      = "word"      // it or its callees have asm, volatile, floating point, ...
	ReasonOutside   = "outside"   // it calls or reads names that the file does not define
	ReasonGlobal    = "global"    // it needs a large global that can be written to
	ReasonStatic    = "static"    // it has a static local that can be written to
	ReasonEscapes   = "escapes"   // it takes the address of a global or static array; see escapes
	ReasonVariable  = "variable"  // it has an array of variable length, or alloca
	ReasonLarge     = "large"     // its slice or its tables are too large
)

// set returns the words of a text.
func set(text string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(text) {
		m[w] = true
	}
	return m
}

// banned are words that a slice must not have, besides floating point.
var banned = set(`asm __asm __asm__ volatile __volatile __volatile__ _Atomic _Thread_local __thread float double
	_Complex __complex__ __int128 __int128_t __uint128_t __real__ __imag__ __builtin_constant_p __builtin_object_size
	__builtin_dynamic_object_size __builtin_return_address __builtin_frame_address __builtin_va_start __builtin_va_arg
	__builtin_va_end __builtin_va_list __builtin_apply __builtin_setjmp __builtin_longjmp __builtin_alloca alloca setjmp
	longjmp __builtin_thread_pointer _Generic __label__`)

// attributes are those that a slice may have, without their underscores: they promise
// nothing, or promises that sanitizers check. No sanitizer checks attributes that
// promise more, such as pure, const, malloc and assume.
var attributes = set(`aligned unused used maybe_unused always_inline noinline noclone gnu_inline artificial flatten hot cold
	nonnull returns_nonnull noreturn deprecated unavailable format format_arg sentinel warn_unused_result nonstring visibility
	fallthrough nothrow no_instrument_function may_alias`)

// floating matches numbers that are not integers, and words of types that are not.
var floating = regexp.MustCompile(`^(?:(?:\d[\d]*\.[\d]*|\.\d+)(?:[eE][+-]?\d+)?[fFlL]*|\d+[eE][+-]?\d+[fFlL]*|0[xX][\da-fA-F.]*[pP].*|_Float\w+|__float\w+|__builtin_\w*(?:nan|inf|huge_val|fabs|sqrt)\w*)$`)

// look returns the facts of a part.
func (e *extraction) look(k int) *facts {
	if f := e.facts[k]; f != nil {
		return f
	}
	f := &facts{tokens: e.Tokens(k)}
	e.facts[k] = f
	attribute, depth := false, 0
	for i, w := range f.tokens {
		attribute = attribute || i > 0 && strings.HasPrefix(f.tokens[i-1], "__attribute")
		named := attribute && depth == 2 && regexpWord.MatchString(w) && (f.tokens[i-1] == "(" || f.tokens[i-1] == ",")
		if attribute && w == "(" {
			depth++
		} else if attribute && w == ")" {
			depth--
			attribute = depth > 0
		}
		if banned[w] || floating.MatchString(w) || named && !attributes[strings.Trim(w, "_")] {
			f.refused = refusal(ReasonWord, "%s", w)
			return f
		}
	}
	part := e.Parts[k]
	if part.Function >= 0 {
		e.body(f, part.Syntax.FunctionDefinition)
		return f
	}
	if part.Syntax != nil {
		csource.Visit(part.Syntax, func(n any) bool {
			if d, ok := n.(*cc.Declarator); ok && d.Type() != nil {
				f.bytes = f.bytes || isBytes(d.Type())
			}
			return true
		})
	}
	if part.Syntax.Declaration == nil {
		return f
	}
	constant := 0
	for l := part.Syntax.Declaration.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
		d := l.InitDeclarator.Declarator
		if d.IsTypename() || d.Type().Kind() == cc.Function {
			continue
		}
		if d.Type().Kind() == cc.Array {
			f.arrays = append(f.arrays, d.Name())
		}
		if isConst(d) || e.readOnly(d) {
			constant++
			continue
		}
		f.global = append(f.global, object{d.Name(), l.InitDeclarator.Case == cc.InitDeclaratorInit})
		if d.Type().Size() > maxGlobal || d.Type().Size() <= 0 {
			f.refused = refusal(ReasonGlobal, "%s", d.Name())
		}
	}
	f.table = constant > 0 && f.global == nil
	return f
}

// isConst tells whether an object is constant as a whole.
func isConst(d *cc.Declarator) bool {
	t := element(d.Type())
	return constant(t) || d.IsConst() && t.Kind() != cc.Ptr
}

// element returns the type of the innermost elements of an array, or the type itself.
func element(t cc.Type) cc.Type {
	for a, ok := t.(*cc.ArrayType); ok; a, ok = t.(*cc.ArrayType) {
		t = a.Elem()
	}
	return t
}

// at returns a token, or "" if there is none of that number.
func at(tokens []string, i int) string {
	if i < 0 || i >= len(tokens) {
		return ""
	}
	return tokens[i]
}

// readOnly tells whether a program only reads the elements of a global array.
func (e *extraction) readOnly(d *cc.Declarator) bool {
	if known, ok := e.tables[d.Name()]; ok {
		return known
	}
	dimensions := 0
	for t, ok := d.Type().(*cc.ArrayType); ok; t, ok = t.Elem().(*cc.ArrayType) {
		dimensions++
	}
	ok := true
	for k := range e.Parts {
		ok = ok && onlyRead(e.Tokens(k), d.Name(), dimensions, e.Parts[k].Function < 0)
	}
	e.tables[d.Name()] = ok
	return ok
}

// onlyRead tells whether tokens only read the elements of an array of so many dimensions. Those
// outside of functions may declare it.
func onlyRead(tokens []string, name string, dimensions int, outside bool) bool {
	at := func(i int) string { return at(tokens, i) }
	depth, initialiser := 0, false
	for i, w := range tokens {
		switch w {
		case "{", "(", "[":
			depth++
		case "}", ")", "]":
			depth--
		case "=", ",", ";":
			if depth == 0 {
				initialiser = w == "="
			}
		}
		if w != name || at(i-1) == "sizeof" || outside && !initialiser {
			continue
		}
		from, to, indices := i, i+1, 0
		for at(to) == "[" {
			indices++
			for depth := 0; to < len(tokens); to++ {
				if tokens[to] == "[" {
					depth++
				} else if tokens[to] == "]" {
					depth--
				}
				if depth == 0 {
					break
				}
			}
			to++
		}
		if indices == 0 || indices < dimensions {
			return false
		}
		for at(from-1) == "(" && at(to) == ")" && (!regexpWord.MatchString(at(from-2)) || slices.Contains([]string{"return", "else", "do"}, at(from-2))) {
			from, to = from-1, to+1
		}
		before, after := at(from-1), at(to)
		written := strings.HasSuffix(after, "=") && !slices.Contains([]string{"==", "!=", "<=", ">="}, after)
		if written || slices.Contains([]string{"&", "++", "--"}, before) || slices.Contains([]string{"++", "--", ".", "->"}, after) {
			return false
		}
	}
	return true
}

// body looks at the syntax of a function.
func (e *extraction) body(f *facts, d *cc.FunctionDefinition) {
	t, ok := d.Declarator.Type().(*cc.FunctionType)
	if ok && t.IsVariadic() {
		f.refused = refusal(ReasonWord, "...")
		return
	}
	result := cc.Type(nil)
	if ok {
		result = t.Result()
	}
	csource.Visit(d, func(n any) bool {
		switch n := n.(type) {
		case *cc.Declarator:
			switch {
			case variable(n.Type()) && !n.IsParam():
				f.refused = refusal(ReasonVariable, "%s", n.Name())
			case n.IsStatic() && !n.IsTypename() && n.Type().Kind() != cc.Function && !isConst(n):
				f.refused = refusal(ReasonStatic, "%s", n.Name())
			}
			if n.IsStatic() && !n.IsTypename() && n.Type().Kind() == cc.Array {
				f.arrays = append(f.arrays, n.Name())
			}
			f.bytes = f.bytes || !n.IsParam() && n.Name() != "__func__" && isBytes(n.Type())
		case *cc.CastExpression:
			if n.Case == cc.CastExpressionCast && n.CastExpression != nil {
				f.convert(n.Type(), n.CastExpression)
			}
		case *cc.AssignmentExpression:
			if n.Case == cc.AssignmentExpressionAssign && n.AssignmentExpression != nil {
				f.convert(n.UnaryExpression.Type(), n.AssignmentExpression)
			}
		case *cc.InitDeclarator:
			if n.Initializer != nil && n.Initializer.AssignmentExpression != nil {
				f.convert(n.Declarator.Type(), n.Initializer.AssignmentExpression)
			}
		case *cc.PostfixExpression:
			switch n.Case {
			case cc.PostfixExpressionCall:
				f.arguments(n)
			case cc.PostfixExpressionSelect:
				f.puns = f.puns || n.PostfixExpression.Type().Kind() == cc.Union
			case cc.PostfixExpressionPSelect:
				if p, ok := n.PostfixExpression.Type().Decay().(*cc.PointerType); ok {
					f.puns = f.puns || p.Elem().Kind() == cc.Union
				}
			}
		case *cc.JumpStatement:
			if n.Case == cc.JumpStatementReturn && n.ExpressionList != nil {
				f.convert(result, n.ExpressionList)
			}
		}
		return true
	})
}

// variable tells whether a type is of variable length.
func variable(t cc.Type) bool {
	switch t := t.(type) {
	case *cc.ArrayType:
		return t.IsVLA() || variable(t.Elem())
	case *cc.PointerType:
		return t.Elem().Kind() == cc.Array && variable(t.Elem())
	}
	return false
}

var reserved = regexp.MustCompile(`^(main$|__|_[A-Z])`)

// extract returns the variants of one function, whose definition is a part.
func (e *extraction) extract(k int, name string) ([]*Function, *Refusal) {
	if reserved.MatchString(name) {
		return nil, refusal(ReasonName, "%s", name)
	}
	t, ok := e.Parts[k].Syntax.FunctionDefinition.Declarator.Type().(*cc.FunctionType)
	if !ok {
		return nil, refusal(ReasonParameter, "no type")
	}
	if f := e.look(k); f.refused != nil {
		return nil, f.refused
	}
	if err := proxied(t); err != nil {
		return nil, err
	}
	parts, outside := e.Closure(name)
	library, cut := "", map[string]string{}
	for _, name := range outside {
		switch {
		case own[name] != "":
			library += own[name] + "\n"
		case builtin[name], harmless.MatchString(name):
		case e.options.Cut && e.constant(name) != "":
			cut[name] = e.constant(name)
		default:
			return nil, refusal(ReasonOutside, "%s", name)
		}
	}
	size, tables := 0, 0
	g := &Function{Models: LP64}
	var globals []object
	var alias aliasing
	root := k
	for _, k := range parts {
		f := e.look(k)
		if f.refused != nil {
			return nil, f.refused
		}
		if f.table {
			tables += e.Parts[k].To - e.Parts[k].From
		} else {
			size += e.Parts[k].To - e.Parts[k].From
		}
		alias.add(f.aliasing)
		globals = append(globals, f.global...)
		if e.Parts[k].Function >= 0 {
			alias.puns = alias.puns || restricted(f.tokens, k == root)
			g.Shape.add(f.tokens)
			g.Shape.Lines += 1 + strings.Count(string(e.Program.Text[e.Parts[k].From:e.Parts[k].To]), "\n")
		}
	}
	if alias.undefined() {
		g.Class = Puns
	}
	if size > MaxSlice || tables > MaxTables {
		return nil, refusal(ReasonLarge, "%d bytes and tables of %d", size, tables)
	}
	if name := e.escapes(parts); name != "" {
		return nil, refusal(ReasonEscapes, "%s", name)
	}
	const mark = "\x00" // stands for the symbol until that is known
	rename := func(name string) string {
		switch {
		case own[name] != "" || cut[name] != "":
			return mark + "_" + name
		case builtin[name]:
			return "__builtin_" + name
		}
		return name
	}
	slice := strings.ReplaceAll(library, "$", mark+"_") + cuts(cut, mark) + string(e.Text(parts, mark+"_", rename))
	var list []*Function
	for variant := range Variants {
		h := *g
		proxy, ok := propose(&h, t, proxyName{mark, name, len(alias.typed) > 0}, globals, variant, slice)
		if !ok {
			break
		}
		text := slice + proxy
		sum := sha256.Sum256([]byte(text))
		h.Symbol = "r" + hex.EncodeToString(sum[:6])
		h.Text = strings.ReplaceAll(text, mark, h.Symbol)
		h.Class = h.classify()
		list = append(list, &h)
	}
	return list, nil
}

// constant returns a definition, of a function that returns a constant, in place of a
// function that the program only declares; "" if the program declares none of that
// name. If its result is not an integer, compilers reject the caller.
func (e *extraction) constant(name string) string {
	n := e.Program.File.Lookup(name, len(e.Program.Text))
	if n == nil || n.Kind != csource.Callable {
		return ""
	}
	return fmt.Sprintf("static int $%s() { return 1; }", name)
}

func cuts(cut map[string]string, mark string) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(cut)) {
		b.WriteString(strings.ReplaceAll(cut[name], "$", mark+"_") + "\n")
	}
	return b.String()
}

// builtin are functions of the library that compilers know: they are called by their
// names with __builtin_ before.
var builtin = set(`memcpy memmove memset memcmp memchr strlen strcmp strncmp strcpy strncpy strcat strncat strchr strrchr strspn
	strcspn strstr strpbrk abs labs llabs ffs abort`)

// harmless are builtins that compute, and whose value does not depend on the optimizer.
var harmless = regexp.MustCompile(`^__builtin_(?:(?:bswap|popcount|parity|clz|ctz|ffs|clrsb|abs|labs|llabs)\w*|\w+_overflow(?:_p)?|mem(?:cpy|move|set|cmp|chr)|str(?:len|n?cmp|n?cpy|n?cat|r?chr|c?spn|str|pbrk)|expect\w*|assume_aligned|prefetch|unreachable|trap|abort|offsetof|types_compatible_p|choose_expr)$`)

// own are definitions that replace functions of the library. Those of <ctype.h> are
// undefined for most arguments. Of those that compare only the sign is defined (C11
// 7.24.4). Those that end the program must do so in a way that is seen.
var own = map[string]string{
	"memcmp":            compare("memcmp", ", __SIZE_TYPE__ n", ", n"),
	"strcmp":            compare("strcmp", "", ""),
	"strncmp":           compare("strncmp", ", __SIZE_TYPE__ n", ", n"),
	"__builtin_memcmp":  compare("__builtin_memcmp", ", __SIZE_TYPE__ n", ", n"),
	"__builtin_strcmp":  compare("__builtin_strcmp", "", ""),
	"__builtin_strncmp": compare("__builtin_strncmp", ", __SIZE_TYPE__ n", ", n"),

	"isdigit":  "static int $isdigit(int c) { return c >= '0' && c <= '9'; }",
	"islower":  "static int $islower(int c) { return c >= 'a' && c <= 'z'; }",
	"isupper":  "static int $isupper(int c) { return c >= 'A' && c <= 'Z'; }",
	"isalpha":  "static int $isalpha(int c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }",
	"isalnum":  "static int $isalnum(int c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }",
	"isxdigit": "static int $isxdigit(int c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }",
	"isspace":  "static int $isspace(int c) { return c == ' ' || (c >= 9 && c <= 13); }",
	"isprint":  "static int $isprint(int c) { return c >= 32 && c < 127; }",
	"isgraph":  "static int $isgraph(int c) { return c > 32 && c < 127; }",
	"iscntrl":  "static int $iscntrl(int c) { return (c >= 0 && c < 32) || c == 127; }",
	"ispunct":  "static int $ispunct(int c) { return (c > 32 && c < 48) || (c > 57 && c < 65) || (c > 90 && c < 97) || (c > 122 && c < 127); }",
	"tolower":  "static int $tolower(int c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }",
	"toupper":  "static int $toupper(int c) { return c >= 'a' && c <= 'z' ? c - 32 : c; }",

	"exit":          "static void $exit(int c) { __builtin_abort(); }",
	"_exit":         "static void $_exit(int c) { __builtin_abort(); }",
	"__assert_fail": "static void $__assert_fail(const char *a, const char *b, unsigned c, const char *d) { __builtin_abort(); }",
}

// compare returns a definition for a function that compares, by its name.
func compare(name, param, arg string) string {
	t := "char"
	if strings.HasSuffix(name, "memcmp") {
		t = "void"
	}
	return fmt.Sprintf("static int $%s(const %s *a, const %s *b%s) { int d = __builtin_%s(a, b%s); return (d > 0) - (d < 0); }",
		name, t, t, param, strings.TrimPrefix(name, "__builtin_"), arg)
}
