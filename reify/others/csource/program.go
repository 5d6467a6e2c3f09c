package csource

import (
	"bytes"
	"fmt"
	"slices"
	"sort"

	"modernc.org/cc/v4"
)

// A Program is a translation unit that was parsed. It is not changed after
// Parse, so that several goroutines may use one.
type Program struct {
	Name      string
	Text      []byte
	Model     Model
	Functions []Function // those that are defined, in the order of the text
	Stmts     []Stmt     // of all functions; a statement stands before those it holds
	File      *Scope

	ast      *cc.AST
	tokens   []token
	scopes   []*Scope // without that of the file; a scope comes before those in it
	external []span   // declarations and definitions of the file
	called   string   // the function that other parts of the program call, "" if it is whole
}

// A span is an external declaration of the text.
type span struct {
	from, to int
	function bool // a definition
	names    []string
	syntax   *cc.ExternalDeclaration
}

// A Function is a function that the text defines.
type Function struct {
	Name        string
	From, To    int // the definition, from its first token to after its }
	Body        int // the offset of its {
	First, Last int // its statements are Stmts[First:Last]
	// Fixed says that no statement of it may be changed. It has an attribute that
	// promises something (pure, const, noreturn, returns_nonnull), or the name of a
	// function of the library, which compilers may call where the text does not, or
	// labels that assembly jumps to.
	Fixed bool
	// Result is the type of its result, as Name.Type has it.
	Result string
	Scope  *Scope // of its parameters

	params int // how many parameters it has
	labels []Label
	tags   map[string]bool // of the types that it defines
}

// A Label is a name that goto may have.
type Label struct {
	Name string
	Stmt int // the labelled statement
	// Barred says that not every goto of the function may go there: it is in a
	// statement expression or in the scope of an array of variable length.
	Barred bool
	used   []int // offsets of the goto's and &&'s that name it
}

// Kind says what a statement is.
type Kind byte

const (
	Compound Kind = iota
	Expression
	Empty
	If
	Switch
	While
	Do
	For
	Goto
	Continue
	Break
	Return
	Labelled // has a name
	Case     // or default
	Asm
	Declaration
)

var kinds = [...]string{"compound", "expression", "empty", "if", "switch", "while", "do", "for", "goto", "continue", "break",
	"return", "labelled", "case", "asm", "declaration"}

func (k Kind) String() string { return kinds[k] }

// A Stmt is a statement or a declaration in a block.
type Stmt struct {
	From, To int // of its text: Program.Text[From:To]
	Kind     Kind
	Parent   int // the statement it is a part of, -1 if it stands in the body of its function
	Next     int // the statements in it are those from its own number + 1 to Next - 1
	Function int
	Item     bool // it stands in a block, not after if (...), else, do or a label
	// Jumped says that it is, or holds, a label to which something outside of it may
	// jump: a named one or a case of a switch around it.
	Jumped bool
	// Fixed says that it may not be removed or put below a condition: it is a
	// declaration, assembly, the last value of a statement expression, or defines a
	// type.
	Fixed bool
	Scope *Scope // the innermost it stands in

	defines  bool // it defines a type
	assembly bool // it is, or holds, assembly
	value    bool // it is in a statement expression
	literal  bool // it may have a compound literal, which lives as long as the block around it (C11 6.5.2.5p5)
}

// Parse parses text that needs no preprocessor: as Preprocess returns it, or `gcc -E
// -P`. Errors name the file and the line. A program that uses a name which neither it
// defines nor our headers declare is refused, with the name.
func Parse(name string, text []byte, m Model) (*Program, error) {
	p, b, err := parse(name, text, m)
	if err == nil {
		err = p.standsAlone(b.locals, b.foreign)
	}
	if err != nil {
		return nil, err
	}
	return p, nil
}

// ParseUnit is Parse of a part of a program, which may use names of other parts.
func ParseUnit(name string, text []byte, m Model) (*Program, error) {
	p, _, err := parse(name, text, m)
	return p, err
}

func parse(name string, text []byte, m Model) (p *Program, b *builder, err error) {
	if len(text) > MaxText {
		return nil, nil, fmt.Errorf("%s: more than %d bytes", name, MaxText)
	}
	if _, err := shallow(name, text, false); err != nil {
		return nil, nil, err
	}
	p = &Program{Name: name, Text: text, Model: m}
	if p.tokens, err = lex(name, text); err != nil {
		return nil, nil, err
	}
	if err := p.closed(); err != nil {
		return nil, nil, err
	}
	abi, err := m.abi()
	if err != nil {
		return nil, nil, err
	}
	words := map[string]bool{}
	for i, t := range p.tokens {
		if t.class == word {
			words[p.text(i)] = true
		}
	}
	defer recovered(name, &err)
	p.ast, err = cc.Translate(&cc.Config{ABI: abi, FS: newIncludes(nil), FSOnly: true, ExpansionLimit: expansions, UnsignedEnums: true}, []cc.Source{
		{Name: "<predefined>", Value: m.predefined()},
		{Name: "<builtin>", Value: builtins(words)},
		{Name: name, Value: string(text)}, // a copy: package cc appends to it
	})
	if err != nil {
		return nil, nil, first(err)
	}
	b = &builder{p: p, fixed: map[string]bool{}, typeNames: map[cc.Type]string{}, locals: map[string]bool{}, foreign: map[string]bool{}}
	if err := b.unit(); err != nil {
		return nil, nil, err
	}
	return p, b, nil
}

// Line returns the number of the line that offset at is in, from 1.
func (p *Program) Line(at int) int { return 1 + bytes.Count(p.Text[:at], []byte("\n")) }

// token returns the index of the first token at or after an offset.
func (p *Program) token(at int) int {
	return sort.Search(len(p.tokens), func(i int) bool { return p.tokens[i].from >= at })
}

// text returns the text of a token, or "" if there is no token of that number.
func (p *Program) text(i int) string {
	if i < 0 || i >= len(p.tokens) {
		return ""
	}
	return string(p.Text[p.tokens[i].from:p.tokens[i].to])
}

// function returns the number of the function of a name, or -1 if it is not defined.
func (p *Program) function(name string) int {
	return slices.IndexFunc(p.Functions, func(f Function) bool { return f.Name == name })
}
