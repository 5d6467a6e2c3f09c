package csource

import (
	"reflect"
	"slices"

	"modernc.org/cc/v4"
)

// An expression is one of the text, which may be in others.
type expression struct {
	from, to int
	depth    int // how many expressions it is in
	operands []piece
}

// A piece is text.
type piece struct{ from, to int }

// expressions returns the expressions in functions and initial values, those that
// hold others first.
func (p *Program) expressions() []expression {
	var list []expression
	tokenType := reflect.TypeFor[cc.Token]()
	var walk func(v reflect.Value, depth int) (span piece, parts []piece)
	walk = func(v reflect.Value, depth int) (span piece, parts []piece) {
		for v.Kind() == reflect.Interface {
			v = v.Elem()
		}
		if v.Kind() != reflect.Pointer || v.IsNil() || v.Elem().Kind() != reflect.Struct {
			return piece{}, nil
		}
		at := -1
		_, isExpr := v.Interface().(cc.ExpressionNode)
		switch v.Interface().(type) {
		case *cc.ExpressionList, *cc.ConstantExpression:
			isExpr = false
		}
		if isExpr {
			at = len(list)
			list = append(list, expression{depth: depth})
			depth++
		}
		widen := func(from, to int) {
			if span.from == span.to {
				span = piece{from, to}
				return
			}
			span = piece{min(span.from, from), max(span.to, to)}
		}
		e := v.Elem()
		t := e.Type()
		for i := range t.NumField() {
			f := t.Field(i)
			if !f.IsExported() || f.Anonymous {
				continue
			}
			if f.Type == tokenType {
				tok := e.Field(i).Interface().(cc.Token)
				if pos := tok.Position(); pos.Filename == p.Name && len(tok.Src()) > 0 {
					widen(pos.Offset, pos.Offset+len(tok.Src()))
				}
				continue
			}
			if k := f.Type.Kind(); k != reflect.Pointer && k != reflect.Interface {
				continue
			}
			s, below := walk(e.Field(i), depth)
			if s.from < s.to {
				widen(s.from, s.to)
			}
			parts = append(parts, below...)
		}
		if at < 0 || span.to > len(p.Text) {
			return span, parts
		}
		list[at].from, list[at].to = span.from, span.to
		for _, o := range parts {
			if o.to-o.from < span.to-span.from {
				list[at].operands = append(list[at].operands, o)
			}
		}
		return span, []piece{span}
	}
	for tu := p.ast.TranslationUnit; tu != nil; tu = tu.TranslationUnit {
		if tu.ExternalDeclaration.Position().Filename == p.Name {
			walk(reflect.ValueOf(tu.ExternalDeclaration), 0)
		}
	}
	return slices.DeleteFunc(list, func(x expression) bool { return x.from >= x.to })
}
