package matrix

import (
	"slices"
	"strings"
	"sync"

	"goreify/reify/ir"
	"goreify/reify/language"
)

// writable reports whether a language has the types that the operation computes with.
func (p place) writable(lang *language.Language) bool {
	list := []ir.Type{p.t}
	if t, ok := p.op.resultType(p.t); ok {
		list = append(list, t)
	}
	if t, ok := withWidth(p.t, 2*bitsOf(p.t), false); ok && strings.ContainsAny(p.op.body, "WV") {
		list = append(list, t)
	}
	if t, ok := withWidth(p.t, bitsOf(p.t)/2, false); ok && strings.ContainsAny(p.op.body, "HL") {
		list = append(list, t)
	}
	if slices.Contains(p.op.conditions(), "pairs") && !lang.WideLanes() {
		return false
	}
	return !slices.ContainsFunc(list, func(t ir.Type) bool { return !has(lang, t) })
}

// fewLanes bounds the lanes of vectors in languages in which they are arrays, which each
// operator goes through.
const fewLanes = 2

// hasTypes holds what has has returned, by language and type.
var hasTypes sync.Map

// has reports whether cells in a language have values of a type.
func has(lang *language.Language, t ir.Type) bool {
	if v, ok := t.(ir.Vector); ok {
		return lang.Vectors == language.AnyVector && (v.Elem.Standard() || lang.OddLanes) || v.Elem.Standard() && (lang.HasVector(v) || v.Lanes <= fewLanes)
	}
	key := lang.Short + " " + word(t)
	if ok, known := hasTypes.Load(key); known {
		return ok.(bool)
	}
	p := ir.MustParse("func @f() i32 {\n local %a " + t.String() + "\n entry:\n return 0\n}\n")
	ok := lang.Supports(p.Funcs[0]) == nil
	hasTypes.Store(key, ok)
	return ok
}
