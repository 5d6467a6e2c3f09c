package csource

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"modernc.org/cc/v4"
)

// A builder makes a Program of a syntax tree, in one pass from above. A statement
// begins where the token before it ends; its end is that of the last of its parts.
// Nothing is visited twice.
type builder struct {
	p         *Program
	fn        int             // the function at hand
	fixed     map[string]bool // functions whose attributes forbid edits
	typeNames map[cc.Type]string
	inValue   int             // depth of statement expressions
	locals    map[string]bool // names that blocks declare
	foreign   map[string]bool // those of them that are defined elsewhere
}

// off and end return the offsets of a token and of the text after it.
func (b *builder) off(t cc.Token) int { return t.Position().Offset }
func (b *builder) end(t cc.Token) int { p := t.Position(); return p.Offset + len(t.Src()) }

// next returns the offset of the first token at or after one.
func (b *builder) next(at int) int {
	if i := b.p.token(at); i < len(b.p.tokens) {
		return b.p.tokens[i].from
	}
	return len(b.p.Text)
}

// declare adds a name to the scope of a block.
func (b *builder) declare(s *Scope, n *Name) {
	s.declare(n)
	if s != b.p.File {
		b.locals[n.Name] = true
		b.foreign[n.Name] = b.foreign[n.Name] || n.extern || n.Kind == Callable
	}
}

// scope returns a new scope in another. Scopes are made in the order of the text.
func (b *builder) scope(parent *Scope, from, to int) *Scope {
	s := &Scope{Parent: parent, From: from, To: to}
	b.p.scopes = append(b.p.scopes, s)
	return s
}

// ours says that a node comes from the text, not from predefined declarations.
func (b *builder) ours(n cc.Node) bool { return n.Position().Filename == b.p.Name }

func (b *builder) unit() error {
	p := b.p
	p.File = &Scope{To: len(p.Text), index: map[string]*Name{}}
	at := 0
	for tu := p.ast.TranslationUnit; tu != nil; tu = tu.TranslationUnit {
		d := tu.ExternalDeclaration
		if !b.ours(d) {
			continue
		}
		from := b.next(at)
		e := span{from: from, syntax: d}
		switch d.Case {
		case cc.ExternalDeclarationFuncDef:
			if err := b.function(d.FunctionDefinition, from); err != nil {
				return err
			}
			f := &p.Functions[len(p.Functions)-1]
			at, e.function, e.names = f.To, true, []string{f.Name}
		case cc.ExternalDeclarationDecl:
			at = b.semicolon(from)
			b.declaration(d.Declaration, p.File, 0)
			e.names = declared(d.Declaration)
			b.attributes(from, at, e.names...)
		default:
			at = b.semicolon(from)
		}
		e.to = at
		p.external = append(p.external, e)
	}
	for i := range p.Functions {
		f := &p.Functions[i]
		_, builtin := slices.BinarySearch(library(), f.Name)
		f.Fixed = f.Fixed || b.fixed[f.Name] || builtin
		b.jumps(f)
		if p.driven(f.Name) {
			for j := f.First; j < f.Last; j++ {
				p.Stmts[j].Fixed = true
			}
		}
	}
	return nil
}

// semicolon returns the offset after the first semicolon from an offset on that
// is in no brackets.
func (b *builder) semicolon(from int) int {
	depth := 0
	for i := b.p.token(from); i < len(b.p.tokens); i++ {
		switch b.p.text(i) {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			depth--
		case ";":
			if depth <= 0 {
				return b.p.tokens[i].to
			}
		}
	}
	return len(b.p.Text)
}

// promises are attributes with claims about a function that edits could break.
var promises = []string{"pure", "const", "noreturn", "_Noreturn", "returns_nonnull"}

// attributes marks the functions that a piece of text declares with a promise.
func (b *builder) attributes(from, to int, names ...string) {
	for i := b.p.token(from); i < len(b.p.tokens) && b.p.tokens[i].from < to; i++ {
		switch b.p.text(i) {
		case "_Noreturn":
			for _, n := range names {
				b.fixed[n] = true
			}
		case "__attribute__", "__attribute":
			depth := 0
			for i++; i < len(b.p.tokens); i++ {
				text := b.p.text(i)
				if text == "(" {
					depth++
				} else if text == ")" {
					depth--
				}
				if depth == 0 {
					break
				}
				if slices.Contains(promises, strings.Trim(text, "_")) {
					for _, n := range names {
						b.fixed[n] = true
					}
				}
			}
		}
	}
}

// declared returns the names that a declaration declares.
func declared(d *cc.Declaration) []string {
	var names []string
	for l := d.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
		names = append(names, l.InitDeclarator.Declarator.Name())
	}
	return names
}

// declaration adds what is declared to a scope; initial values are there from the
// offset ready on.
func (b *builder) declaration(d *cc.Declaration, s *Scope, ready int) {
	if d.Declarator != nil { // __auto_type
		b.declare(s, b.name(d.Declarator, true, ready))
	}
	b.enumerators(d.DeclarationSpecifiers, s)
	for l := d.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
		d := l.InitDeclarator
		if !b.ours(d) || d.Declarator.Name() == "" {
			continue
		}
		n := b.name(d.Declarator, d.Case == cc.InitDeclaratorInit, ready)
		b.declare(s, n)
		if n.Kind == Object && variable(d.Declarator.Type()) {
			s.varied = true
		}
		if n.Kind == TypeName && strings.HasPrefix(n.Type, "type ") && s != b.p.File {
			s.varied = true // perhaps of such an array
		}
	}
}

// variable says whether a type is variably modified (C11 6.7.6p3): an array of
// variable length, or one of or a pointer to such.
func variable(t cc.Type) bool {
	switch t := t.(type) {
	case *cc.ArrayType:
		return t.IsVLA() || variable(t.Elem())
	case *cc.PointerType:
		return variable(t.Elem())
	}
	return false
}

// enumerators declares the constants of an enum that specifiers define.
func (b *builder) enumerators(ds *cc.DeclarationSpecifiers, s *Scope) {
	for ; ds != nil; ds = ds.DeclarationSpecifiers {
		if ds.TypeSpecifier == nil || ds.TypeSpecifier.EnumSpecifier == nil {
			continue
		}
		for l := ds.TypeSpecifier.EnumSpecifier.EnumeratorList; l != nil; l = l.EnumeratorList {
			e := l.Enumerator
			b.declare(s, &Name{Name: e.Token.SrcStr(), Kind: Constant, At: b.end(e.Token), Type: "int"})
		}
	}
}

func (b *builder) function(d *cc.FunctionDefinition, from int) error {
	p := b.p
	body := d.CompoundStatement
	f := Function{Name: d.Declarator.Name(), From: from, Body: b.off(body.Token), To: b.end(body.Token2), First: len(p.Stmts),
		tags: map[string]bool{}}
	b.attributes(from, f.Body, f.Name)
	p.File.declare(b.name(d.Declarator, true, 0))
	b.fn = len(p.Functions)
	f.Scope = b.scope(p.File, f.From, f.To)
	if t, ok := d.Declarator.Type().(*cc.FunctionType); ok {
		f.Result = b.typeName(t.Result())
		f.params = len(t.Parameters())
		if f.params == 1 && t.Parameters()[0].Type().Kind() == cc.Void {
			f.params = 0
		}
		for _, param := range t.Parameters() {
			if param.Declarator != nil && param.Declarator.Name() != "" {
				n := b.name(param.Declarator, true, f.Body)
				if d.DeclarationList != nil { // K&R: it is named before it is declared
					n.At = b.end(d.Declarator.NameTok())
				}
				b.declare(f.Scope, n)
			}
		}
	}
	for i := p.token(f.Body); i < len(p.tokens) && p.tokens[i].from < f.To; i++ {
		if w := p.text(i); (w == "struct" || w == "union" || w == "enum") && p.text(i+2) == "{" {
			f.tags[p.text(i+1)] = true
		}
	}
	p.Functions = append(p.Functions, f)
	if err := b.block(body, -1, f.Scope); err != nil {
		return err
	}
	p.Functions[b.fn].Last = len(p.Stmts)
	return nil
}

// add appends a statement whose end is not known yet.
func (b *builder) add(s Stmt) int {
	s.Function, s.value = b.fn, b.inValue > 0
	b.p.Stmts = append(b.p.Stmts, s)
	return len(b.p.Stmts) - 1
}

// close sets the end of a statement; all statements that were added since are parts of
// it.
func (b *builder) close(i, to int) int {
	b.p.Stmts[i].To = to
	b.p.Stmts[i].Next = len(b.p.Stmts)
	return i
}

// block builds the contents of braces, in a scope of its own.
func (b *builder) block(c *cc.CompoundStatement, parent int, outer *Scope) error {
	at := b.end(c.Token)
	s := b.scope(outer, b.off(c.Token), b.end(c.Token2))
	for l := c.BlockItemList; l != nil; l = l.BlockItemList {
		item := l.BlockItem
		from := b.next(at)
		switch item.Case {
		case cc.BlockItemStmt:
			i, err := b.statement(item.Statement, parent, at, s)
			if err != nil {
				return err
			}
			b.p.Stmts[i].Item = true
			at = b.p.Stmts[i].To
		case cc.BlockItemDecl:
			if names := declared(item.Declaration); len(names) > 0 && names[0] == "__func__" {
				continue // package cc puts it there
			}
			i := b.add(Stmt{From: from, Kind: Declaration, Parent: parent, Item: true, Fixed: true, Scope: s})
			at = b.semicolon(from)
			b.declaration(item.Declaration, s, at)
			b.attributes(from, at, declared(item.Declaration)...)
			if err := b.values(item.Declaration, i, from, at, s); err != nil {
				return err
			}
			b.close(i, at)
		case cc.BlockItemLabel:
			at = b.semicolon(from)
			b.close(b.add(Stmt{From: from, Kind: Declaration, Parent: parent, Item: true, Fixed: true, Scope: s}), at)
		default:
			return fmt.Errorf("%s:%d: function in a function", b.p.Name, b.p.Line(from))
		}
	}
	return nil
}

// statement builds a statement that begins at or after an offset, and returns
// its number.
func (b *builder) statement(n *cc.Statement, parent, at int, s *Scope) (int, error) {
	from := b.next(at)
	i := b.add(Stmt{From: from, Parent: parent, Scope: s})
	kind := func(k Kind) { b.p.Stmts[i].Kind = k }
	part := func(n *cc.Statement, at int, s *Scope) (int, error) {
		j, err := b.statement(n, i, at, s)
		if err != nil {
			return 0, err
		}
		return b.p.Stmts[j].To, nil
	}
	// head builds the statements in the expressions of a statement's head.
	head := func(to int, list ...cc.Node) error {
		for _, n := range list {
			if err := b.values(n, i, from, to, s); err != nil {
				return err
			}
		}
		return nil
	}
	var to int
	var err error
	switch n.Case {
	case cc.StatementLabeled:
		l := n.LabeledStatement
		kind(Case)
		colon := l.Token2
		switch l.Case {
		case cc.LabeledStatementLabel:
			kind(Labelled)
			f := &b.p.Functions[b.fn]
			f.labels = append(f.labels, Label{Name: l.Token.SrcStr(), Stmt: i, Barred: b.inValue > 0 || varied(s)})
		case cc.LabeledStatementRange:
			colon = l.Token3
		}
		to, err = part(l.Statement, b.end(colon), s)
	case cc.StatementCompound:
		kind(Compound)
		err = b.block(n.CompoundStatement, i, s)
		to = b.end(n.CompoundStatement.Token2)
	case cc.StatementExpr:
		e := n.ExpressionStatement
		kind(Expression)
		if e.ExpressionList == nil {
			kind(Empty)
		}
		if b.off(e.Token) < from { // a label before a declaration: package cc puts an empty statement there
			b.p.Stmts[i].From, b.p.Stmts[i].Fixed = at, true
			to = at
			break
		}
		to = b.end(e.Token)
		b.p.Stmts[i].Fixed = e.AttributeSpecifierList != nil
		if e.ExpressionList != nil {
			err = head(to, e.ExpressionList)
		}
	case cc.StatementSelection:
		x := n.SelectionStatement
		kind(If)
		if x.Case == cc.SelectionStatementSwitch {
			kind(Switch)
		}
		to = b.end(x.Token3)
		if err = head(to, x.ExpressionList); err != nil {
			break
		}
		if to, err = part(x.Statement, to, s); err == nil && x.Case == cc.SelectionStatementIfElse {
			to, err = part(x.Statement2, b.end(x.Token4), s)
		}
	case cc.StatementIteration:
		x := n.IterationStatement
		switch x.Case {
		case cc.IterationStatementWhile:
			kind(While)
			to = b.end(x.Token3)
			if err = head(to, x.ExpressionList); err == nil {
				to, err = part(x.Statement, to, s)
			}
		case cc.IterationStatementDo:
			kind(Do)
			if to, err = part(x.Statement, b.end(x.Token), s); err == nil {
				to = b.end(x.Token5)
				err = head(to, x.ExpressionList)
			}
		default:
			kind(For)
			closing := x.Token5
			if x.Case == cc.IterationStatementForDecl {
				closing = x.Token4
			}
			if closing.SrcStr() != ")" {
				closing = x.Token4
			}
			to = b.end(closing)
			inner := s
			if x.Declaration != nil {
				inner = b.scope(s, from, to)
				b.declaration(x.Declaration, inner, b.semicolon(b.end(x.Token2)))
				err = head(to, x.Declaration)
			}
			if err == nil {
				err = head(to, node(x.ExpressionList), node(x.ExpressionList2), node(x.ExpressionList3))
			}
			if err == nil {
				to, err = part(x.Statement, to, inner)
			}
			if inner != s {
				inner.To = to
			}
		}
	case cc.StatementJump:
		x := n.JumpStatement
		to = b.semicolon(from)
		switch x.Case {
		case cc.JumpStatementGoto, cc.JumpStatementGotoExpr:
			kind(Goto)
		case cc.JumpStatementContinue:
			kind(Continue)
		case cc.JumpStatementBreak:
			kind(Break)
		default:
			kind(Return)
		}
		if x.ExpressionList != nil {
			err = head(to, x.ExpressionList)
		}
	case cc.StatementAsm:
		kind(Asm)
		for j := i; j >= 0; j = b.p.Stmts[j].Parent {
			b.p.Stmts[j].assembly = true
		}
		b.p.Stmts[i].Fixed = true
		to = b.semicolon(from)
		for j := b.p.token(from); b.p.text(j) != "("; j++ {
			if b.p.text(j) == "goto" {
				b.p.Functions[b.fn].Fixed = true
			}
		}
	}
	return b.close(i, to), err
}

// node makes no node of an expression that is absent.
func node(n cc.ExpressionNode) cc.Node {
	if n == nil {
		return nil
	}
	return n
}

// varied says whether an array of variable length is in scope.
func varied(s *Scope) bool {
	for ; s != nil; s = s.Parent {
		if s.varied {
			return true
		}
	}
	return false
}

// values builds the statements of statement expressions in n, whose text is in
// [from, to). It also marks a statement that defines a type, or has a compound literal.
func (b *builder) values(n cc.Node, i, from, to int, s *Scope) error {
	if n == nil {
		return nil
	}
	some := false
	for j := b.p.token(from); j < len(b.p.tokens) && b.p.tokens[j].to <= to; j++ {
		switch b.p.text(j) {
		case "(":
			some = some || b.p.text(j+1) == "{"
		case ")":
			if b.p.text(j+1) == "{" && b.p.tokens[j+1].to <= to {
				b.p.Stmts[i].literal = true
			}
		case "struct", "union", "enum":
			if b.p.text(j+1) == "{" || b.p.text(j+2) == "{" {
				b.p.Stmts[i].Fixed, b.p.Stmts[i].defines = true, true
			}
		}
	}
	if !some {
		return nil
	}
	var err error
	visit(reflect.ValueOf(n), func(x any) bool {
		e, ok := x.(*cc.PrimaryExpression)
		if !ok || e.Case != cc.PrimaryExpressionStmt || err != nil {
			return true
		}
		b.inValue++
		first := len(b.p.Stmts)
		err = b.block(e.CompoundStatement, i, s)
		b.inValue--
		// The last of them is its value.
		last := -1
		for j := first; j < len(b.p.Stmts); j = b.p.Stmts[j].Next {
			last = j
		}
		if last >= 0 {
			for j := last; j < b.p.Stmts[last].Next; j++ {
				b.p.Stmts[j].Fixed = true
			}
		}
		return false
	})
	return err
}

// visit calls f for n and all nodes below it, except those below a node for which f
// returns false.
func visit(v reflect.Value, f func(any) bool) {
	for v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	if v.Kind() != reflect.Pointer || v.IsNil() || v.Elem().Kind() != reflect.Struct {
		return
	}
	if !f(v.Interface()) {
		return
	}
	v = v.Elem()
	t := v.Type()
	for i := range t.NumField() {
		if field := t.Field(i); field.IsExported() && !field.Anonymous {
			if k := field.Type.Kind(); k == reflect.Pointer || k == reflect.Interface {
				visit(v.Field(i), f)
			}
		}
	}
}
