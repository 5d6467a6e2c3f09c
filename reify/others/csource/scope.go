package csource

import (
	"fmt"

	"modernc.org/cc/v4"
)

// A Scope is a block, the parameters of a function, or the file.
type Scope struct {
	Parent   *Scope // nil for the file
	From, To int
	Names    []*Name // in the order of their declarations

	index  map[string]*Name // of the file's
	varied bool             // it declares something of a variably modified type
}

// NameKind is the kind of a name.
type NameKind byte

const (
	Object NameKind = iota
	Callable
	TypeName
	Constant // an enumerator
)

// A Name is an identifier with a meaning, other than labels, tags and members.
type Name struct {
	Name string
	Kind NameKind
	At   int // it is visible from this offset on
	// Type is the same for two names if a statement may use one for the other.
	Type string
	// Integer describes the access to a scalar of an integer type. It is nil for all
	// other names, vectors included, and for volatile, atomic and thread-local ones.
	Integer *Integer
	Const   bool // cannot be assigned to
	Global  bool // lives as long as the program
	// Known says that it has a value wherever it is visible: it is a parameter, or
	// lives as long as the program, or is initialised where it is declared and no jump
	// leads past that.
	Known   bool
	Ready   int  // it has that value from this offset on
	Defined bool // a function or an object that the text defines

	register bool // its address cannot be taken
	extern   bool // declared so
}

// An Integer is an integer type.
type Integer struct {
	C      string // how it is written
	Bits   int    // 1 for _Bool
	Signed bool
}

// Lookup returns the meaning of name at an offset in s, or nil if it has none.
func (s *Scope) Lookup(name string, at int) *Name {
	for ; s != nil; s = s.Parent {
		if s.index != nil {
			if n := s.index[name]; n != nil && n.At <= at {
				return n
			}
			continue
		}
		for i := len(s.Names) - 1; i >= 0; i-- {
			if n := s.Names[i]; n.Name == name && n.At <= at {
				return n
			}
		}
	}
	return nil
}

// Integers returns the scalars of integer type that have a value at an offset in s, of
// which more are in nearer scopes, innermost first. Names that are only declared extern
// are left out: they need not exist.
func (s *Scope) Integers(at int) []*Name {
	var names []*Name
	hidden := map[string]bool{}
	for ; s != nil; s = s.Parent {
		for i := len(s.Names) - 1; i >= 0; i-- {
			n := s.Names[i]
			if n.At > at || hidden[n.Name] {
				continue
			}
			if s.index == nil {
				hidden[n.Name] = true
			}
			if n.Kind == Object && n.Integer != nil && n.Known && n.Ready <= at && (n.Defined || !n.extern) {
				names = append(names, n)
			}
		}
	}
	return names
}

// declare adds a name to a scope.
func (s *Scope) declare(n *Name) {
	if s.index != nil {
		if old := s.index[n.Name]; old != nil { // declared again: the knowledge adds up
			old.Defined = old.Defined || n.Defined
			return
		}
		s.index[n.Name] = n
	}
	s.Names = append(s.Names, n)
}

// name returns the name that a declarator declares. If known is set, it is given a
// value there, which it has from the offset ready on.
func (b *builder) name(d *cc.Declarator, known bool, ready int) *Name {
	t := d.Type()
	n := &Name{Name: d.Name(), Type: b.typeName(t), At: b.end(d.NameTok()), Ready: ready, register: d.IsRegister(), extern: d.IsExtern()}
	switch {
	case d.IsTypename():
		n.Kind = TypeName
	case t.Kind() == cc.Function:
		n.Kind = Callable
		n.Defined = d.IsFuncDef()
	}
	if n.Kind != Object {
		return n
	}
	n.Const = d.IsConst() || t.Attributes().IsConst()
	n.Global = d.StorageDuration() == cc.Static
	n.Known = known || n.Global
	n.Defined = !d.IsExtern() || known
	if v, ok := t.(*cc.PredefinedType); ok && v.VectorSize() > 0 {
		return n
	}
	if !d.IsVolatile() && !t.Attributes().IsVolatile() && !d.IsAtomic() && !d.IsThreadLocal() {
		n.Integer = integers[t.Kind()]
		if n.Integer != nil && n.Integer.C == "long" {
			n.Integer = &Integer{n.Integer.C, int(8 * t.Size()), true}
		} else if n.Integer != nil && n.Integer.C == "unsigned long" {
			n.Integer = &Integer{n.Integer.C, int(8 * t.Size()), false}
		}
	}
	return n
}

// integers are the integer types; those of long have the model's bits. char is
// signed, as it is on the processors of the models.
var integers = map[cc.Kind]*Integer{
	cc.Bool: {"_Bool", 1, false}, cc.Char: {"char", 8, true}, cc.SChar: {"signed char", 8, true}, cc.UChar: {"unsigned char", 8, false},
	cc.Short: {"short", 16, true}, cc.UShort: {"unsigned short", 16, false}, cc.Int: {"int", 32, true}, cc.UInt: {"unsigned", 32, false},
	cc.Long: {"long", 0, true}, cc.ULong: {"unsigned long", 0, false}, cc.LongLong: {"long long", 64, true},
	cc.ULongLong: {"unsigned long long", 64, false},
}

// typeName returns a text that is the same for two types only if they are the
// same type, qualifiers included.
func (b *builder) typeName(t cc.Type) string {
	if name, ok := b.typeNames[t]; ok {
		return name
	}
	unique := fmt.Sprintf("type %d", len(b.typeNames))
	b.typeNames[t] = unique // for types that refer to themselves
	q := ""
	if a := t.Attributes(); a != nil {
		if a.IsConst() {
			q += "const "
		}
		if a.IsVolatile() {
			q += "volatile "
		}
	}
	name := unique
	switch x := t.(type) {
	case *cc.PredefinedType:
		if x.VectorSize() <= 0 {
			name = q + x.Kind().String()
		}
	case *cc.PointerType:
		if e := x.Elem(); e.Kind() != cc.Function {
			name = q + b.typeName(e) + "*"
		}
	case *cc.ArrayType:
		if x.Len() > 0 && !x.IsVLA() {
			name = fmt.Sprintf("%s%s[%d]", q, b.typeName(x.Elem()), x.Len())
		}
	case *cc.StructType:
		if tag := x.Tag(); tag.SrcStr() != "" && x.LexicalScope().Parent == nil {
			name = q + "struct " + tag.SrcStr()
		}
	case *cc.UnionType:
		if tag := x.Tag(); tag.SrcStr() != "" && x.LexicalScope().Parent == nil {
			name = q + "union " + tag.SrcStr()
		}
	}
	b.typeNames[t] = name
	return name
}
