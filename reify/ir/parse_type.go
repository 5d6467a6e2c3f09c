package ir

import (
	"strconv"
)

// A recordDecl is a record that has been named. One that a pointer points to may
// be declared later.
type recordDecl struct {
	r        *Record
	named    token
	declared bool
}

// A size is the size of a type.
type size struct {
	cells    int  // as Count counts them
	depth    int  // how deep arrays and records are nested, scalars being 1
	pointers bool // whether there are any
}

// sizes remembers those of records, which may be large to walk.
type sizes map[*Record]size

// of returns the size of t. The records in it must be known.
func (s sizes) of(t Type) size {
	switch t := t.(type) {
	case Int, Float:
		return size{1, 1, false}
	case Pointer:
		return size{1, 1, true}
	case Vector:
		return size{t.Lanes, 1, false}
	case Wide:
		return size{2, 1, false}
	case Array:
		e := s.of(t.Elem)
		return size{t.Len * e.cells, e.depth + 1, e.pointers}
	case *Record:
		return s[t]
	}
	panic(unknown(t))
}

// add computes the size of r, whose fields are of known size, up to the first excess
// over the bounds.
func (s sizes) add(r *Record) size {
	sum := size{}
	for _, f := range r.Fields {
		n := s.of(f.Type)
		sum = size{min(sum.cells+n.cells, MaxScalars+1), max(sum.depth, n.depth+1), sum.pointers || n.pointers}
	}
	s[r] = sum
	return sum
}

// record reads the declaration of a struct, a union, or one by which bits are cast.
func (p *parser) record() {
	kind := p.next().text
	name := p.wantKind(tokIdent, "a record's name")
	if isTypeName(name.text) {
		p.fail(name, "%s is the name of a type", name)
		return
	}
	d := p.recordNamed(name)
	if d.declared {
		p.fail(name, "record %s is declared twice", name)
		return
	}
	r := d.r
	r.Union, r.Cast = kind != "struct", kind == "cast"
	p.want("{")
	p.skipNewline()
	names := map[string]bool{}
	for comma := false; p.err == nil && !p.is("}"); comma = true {
		if comma {
			p.want(",")
			p.skipNewline()
		}
		field := p.wantKind(tokIdent, "a member's name")
		if names[field.text] {
			p.fail(field, "member %s is declared twice", field)
		}
		names[field.text] = true
		f := Field{Name: field.text, Type: p.typ()}
		if p.skip(":") {
			if f.Bits = p.count("width of a bit-field", 64); f.Bits == 0 {
				p.fail(field, "bit-field %s of width 0", field)
			}
		}
		r.Fields = append(r.Fields, f)
		p.skipNewline()
	}
	end := p.peek()
	p.want("}")
	if p.err != nil {
		return
	}
	if len(r.Fields) == 0 {
		p.fail(end, "record %s has no members", name)
		return
	}
	if err := checkCast(r); err != nil {
		p.fail(end, "record %s: %v", name, err)
		return
	}
	n := p.sizes.add(r)
	if n.cells > MaxScalars {
		p.fail(name, "record %s holds more than %d scalars", name, MaxScalars)
	}
	if n.depth > MaxDepth {
		p.fail(name, "record %s is nested more than %d levels deep", name, MaxDepth)
	}
	d.declared = true
	p.fn.Types = append(p.fn.Types, r)
}

// recordNamed returns the record of a name, which may have been declared or not.
func (p *parser) recordNamed(name token) *recordDecl {
	d := p.records[name.text]
	if d == nil {
		d = &recordDecl{r: &Record{Name: name.text}, named: name}
		p.records[name.text] = d
	}
	return d
}

// wantRecords fails if a record has been named and not declared.
func (p *parser) wantRecords() {
	p.allDeclared = true
	var first *recordDecl
	for _, d := range p.records {
		if !d.declared && (first == nil || d.named.pos < first.named.pos) {
			first = d
		}
	}
	if first != nil {
		p.fail(first.named, "record %s is not declared", first.named)
	}
}

// A prefix is the beginning of a type: the length of an array, or a star.
type prefix struct {
	array               bool
	len                 int
	constant, volatile_ bool
}

func (p *parser) typ() Type {
	var prefixes []prefix
	scalars := 1
	start := p.peek()
	for {
		t := p.peek()
		if p.skip("[") {
			n := p.count("array length", MaxScalars)
			p.want("]")
			if p.err == nil && n == 0 {
				p.fail(t, "array of length 0")
			}
			if scalars *= n; scalars > MaxScalars {
				p.fail(t, "array of more than %d scalars", MaxScalars)
			}
			prefixes = append(prefixes, prefix{array: true, len: n})
			if len(prefixes) > MaxDepth {
				p.fail(t, "array of more than %d dimensions", MaxDepth)
			}
		} else if p.skip("*") {
			scalars = 1
			prefixes = append(prefixes, prefix{constant: p.skip("const"), volatile_: p.skip("volatile")})
			if len(prefixes) > MaxDepth {
				p.fail(t, "type of more than %d levels", MaxDepth)
			}
		} else {
			break
		}
		if p.err != nil {
			return nil
		}
	}
	pointedTo := len(prefixes) > 0 && !prefixes[len(prefixes)-1].array
	t := p.baseType(pointedTo)
	if p.err != nil {
		return nil
	}
	for i := len(prefixes) - 1; i >= 0; i-- {
		if x := prefixes[i]; x.array {
			a := Array{t, x.len}
			if n := p.sizes.of(a); n.cells > MaxScalars {
				p.fail(start, "array of more than %d scalars", MaxScalars)
				return nil
			} else if n.depth > MaxDepth+1 {
				p.fail(start, "type of more than %d levels", MaxDepth)
				return nil
			}
			t = a
		} else {
			t = Pointer{Elem: t, Const: x.constant, Volatile: x.volatile_}
		}
	}
	return t
}

// baseType reads a type that is neither array nor pointer.
func (p *parser) baseType(pointedTo bool) Type {
	t := p.peek()
	switch {
	case p.is("<"):
		return p.vecType(false)
	case p.isWide():
		w, _ := wideNamed(p.next().text)
		return w
	case p.is("f32"), p.is("f64"):
		return floatNamed(p.next().text)
	case t.kind == tokIdent && !isTypeName(t.text) && (p.records[t.text] != nil || pointedTo):
		p.next()
		d := p.recordNamed(t)
		if !d.declared && p.allDeclared {
			p.fail(t, "record %s is not declared", t)
		} else if !d.declared && !pointedTo {
			p.fail(t, "record %s is not declared yet", t)
		}
		return d.r
	}
	return p.intType()
}

// vecType reads the type of a vector, whose lanes may be wide, of 128 bits.
func (p *parser) vecType(wide bool) Vector {
	first := p.peek()
	if !p.skip("<") {
		p.fail(first, "expected a vector type, found %s", first)
	}
	n := p.count("number of lanes", 64)
	p.want(">")
	t := p.next()
	elem, ok := intNamed(t.text)
	if w, is := wideNamed(t.text); wide && is && !w.BitInt {
		elem, ok = Int{Bits: w.Bits, Signed: w.Signed}, true
	}
	if t.kind != tokIdent || !ok {
		p.fail(t, "expected an integer type, found %s", t)
	}
	if n < 2 && elem.Bits <= 64 {
		p.fail(first, "vector of %d lanes, want 2 to 64", n)
	}
	return Vector{Elem: elem, Lanes: n}
}

// ptrType reads the type of a pointer.
func (p *parser) ptrType() Pointer {
	t := p.peek()
	typ, ok := p.typ().(Pointer)
	if !ok {
		p.fail(t, "expected a pointer type, found %s", t)
	}
	return typ
}

// intType reads an integer type that a variable can have.
func (p *parser) intType() Int {
	t := p.next()
	typ, ok := intNamed(t.text)
	if t.kind != tokIdent || !ok || !typ.Standard() {
		p.fail(t, "expected an integer type, found %s", t)
	}
	return typ
}

// isTypeName reports whether name stands for a type that is not a record.
func isTypeName(name string) bool {
	_, isInt := intNamed(name)
	_, isWide := wideNamed(name)
	return isInt || isWide || name == "f32" || name == "f64"
}

// scalarNamed returns the type of a name for which isTypeName holds.
func scalarNamed(name string) Type {
	if t, ok := intNamed(name); ok {
		return t.Boxed()
	}
	if t, ok := wideNamed(name); ok {
		return t
	}
	return floatNamed(name)
}

// isWide reports whether the name of a Wide comes next.
func (p *parser) isWide() bool {
	t := p.peek()
	_, ok := wideNamed(t.text)
	return ok && t.kind == tokIdent
}

func floatNamed(name string) Float {
	if name == "f32" {
		return F32
	}
	return F64
}

// intNamed returns the type of a name such as "u8", or "i5" for a bit-field.
func intNamed(name string) (t Int, ok bool) {
	if name == "bool" {
		return Bool, true
	}
	if len(name) < 2 || len(name) > 3 || name[0] != 'i' && name[0] != 'u' || name[1] == '0' {
		return Int{}, false
	}
	n, err := strconv.ParseUint(name[1:], 10, 8)
	t = Int{Bits: int(n), Signed: name[0] == 'i'}
	return t, err == nil && n <= 64 && t != Bool
}
