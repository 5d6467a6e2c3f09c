package foreign

import (
	"slices"
	"strings"

	"modernc.org/cc/v4"
)

// An aliasing is the knowledge about conversions between pointers, which decides
// whether objects may be accessed as other types than theirs (C11 6.5p7). No sanitizer
// reports such accesses.
type aliasing struct {
	puns  bool     // a pointer to one type becomes one to another, or a union is accessed
	typed []string // types that pointers to void or char become pointers to
	from  []string // types that pointers to which become pointers to void or char
	bytes bool     // an array of char is declared
}

func (a *aliasing) add(b aliasing) {
	a.puns, a.bytes = a.puns || b.puns, a.bytes || b.bytes
	a.typed, a.from = append(a.typed, b.typed...), append(a.from, b.from...)
}

// undefined tells whether an object may be accessed as another type. Memory that comes
// from outside by pointers to void or char has no type yet. It has one type if all such
// pointers become pointers to this type, and no memory has another.
func (a *aliasing) undefined() bool {
	all := slices.Compact(slices.Sorted(slices.Values(slices.Concat(a.typed, a.from))))
	return a.puns || len(a.typed) > 0 && (len(all) > 1 || a.bytes)
}

// convert notes a conversion of a value to a type, if both are pointers. The conversion
// of a null pointer is not noted.
func (a *aliasing) convert(to cc.Type, value cc.ExpressionNode) {
	from := value.Type()
	if to == nil || from == nil || isNull(value) {
		return
	}
	p, ok := to.Decay().(*cc.PointerType)
	q, also := from.Decay().(*cc.PointerType)
	if !ok || !also {
		return
	}
	switch target, source := accessed(p.Elem()), accessed(q.Elem()); {
	case target == source:
	case target == "function" || source == "function":
	case target != "" && source != "":
		a.puns = true
	case target != "":
		a.puns = a.puns || from.Kind() == cc.Array
		a.typed = append(a.typed, target)
	default:
		a.from = append(a.from, source)
	}
}

func isNull(e cc.ExpressionNode) bool {
	switch v := e.Value().(type) {
	case cc.Int64Value:
		return v == 0
	case cc.UInt64Value:
		return v == 0
	case *cc.ZeroValue:
		return true
	}
	return false
}

// restricted tells whether tokens declare a pointer restrict, as a parameter of the
// function that begins with them, or within it. The pointers that a proxy passes are to
// objects of their own. No sanitizer tells whether other pointers keep that promise
// (C11 6.7.3.1).
func restricted(tokens []string, proxied bool) bool {
	for _, w := range tokens {
		if w == "{" {
			proxied = false
		}
		if !proxied && strings.Trim(w, "_") == "restrict" {
			return true
		}
	}
	return false
}

// arguments notes the conversions of the arguments of a call. The functions of memory
// access bytes.
func (a *aliasing) arguments(n *cc.PostfixExpression) {
	t := n.PostfixExpression.Type()
	if p, ok := t.(*cc.PointerType); ok {
		t = p.Elem()
	}
	f, ok := t.(*cc.FunctionType)
	if !ok {
		return
	}
	if e, ok := n.PostfixExpression.(*cc.PrimaryExpression); ok {
		if name := strings.TrimPrefix(e.Token.SrcStr(), "__builtin_"); strings.HasPrefix(name, "mem") && builtin[name] {
			return
		}
	}
	params := f.Parameters()
	i := 0
	for l := n.ArgumentExpressionList; l != nil; l = l.ArgumentExpressionList {
		if i < len(params) && l.AssignmentExpression != nil {
			a.convert(params[i].Type(), l.AssignmentExpression)
		}
		i++
	}
}

// isBytes tells whether a type is an array of char.
func isBytes(t cc.Type) bool {
	return t.Kind() == cc.Array && accessed(t) == ""
}

// accessed names a type as the rules of aliasing have it: types may alias if they have one
// name. It is "" for void and char.
func accessed(t cc.Type) string {
	t = element(t)
	switch t.Kind() {
	case cc.Void, cc.Char, cc.SChar, cc.UChar:
		return ""
	case cc.Function:
		return "function"
	case cc.Short, cc.UShort:
		return "short"
	case cc.Int, cc.UInt, cc.Enum:
		return "int"
	case cc.Long, cc.ULong:
		return "long"
	case cc.LongLong, cc.ULongLong:
		return "long long"
	case cc.Ptr:
		return "pointer to " + accessed(t.(*cc.PointerType).Elem())
	}
	return t.String()
}
