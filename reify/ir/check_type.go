package ir

import (
	"errors"
	"fmt"
)

func (c *checker) allRecords() error {
	c.records = make(map[*Record]bool, len(c.fn.Types))
	c.sizes = sizes{}
	names := make(map[string]bool, len(c.fn.Types))
	for i, r := range c.fn.Types {
		if r == nil {
			return fmt.Errorf("record %d is missing", i)
		}
		if err := checkName(r.Name); err != nil {
			return fmt.Errorf("record %d: %w", i, err)
		}
		if isTypeName(r.Name) {
			return fmt.Errorf("record %d: %s is the name of a type", i, r)
		}
		if names[r.Name] || c.records[r] {
			return fmt.Errorf("record %s: another record has the same name", r)
		}
		names[r.Name], c.records[r] = true, true
	}
	for _, r := range c.fn.Types {
		if err := c.record(r); err != nil {
			return fmt.Errorf("record %s: %w", r, err)
		}
	}
	return nil
}

func (c *checker) record(r *Record) error {
	if len(r.Fields) == 0 {
		return errors.New("no members")
	}
	names := make(map[string]bool, len(r.Fields))
	for i, f := range r.Fields {
		if err := checkName(f.Name); err != nil {
			return fmt.Errorf("member %d: %w", i, err)
		}
		if names[f.Name] {
			return fmt.Errorf("member %s: another member has the same name", f.Name)
		}
		names[f.Name] = true
		if err := c.typ(f.Type); err != nil {
			return fmt.Errorf("member %s: %w", f.Name, err)
		}
		switch t := Innermost(f.Type).(type) {
		case Wide:
			return fmt.Errorf("member %s is %s", f.Name, t)
		case Vector:
			if !t.Elem.Standard() {
				return fmt.Errorf("member %s is %s", f.Name, t)
			}
		}
		if f.Bits == 0 {
			continue
		}
		if t, ok := f.Type.(Int); !ok || f.Bits < 0 || f.Bits > t.Bits {
			return fmt.Errorf("member %s: bit-field of type %s and width %d", f.Name, f.Type, f.Bits)
		}
	}
	if err := checkCast(r); err != nil {
		return err
	}
	n := c.sizes.add(r)
	if n.cells > MaxScalars {
		return fmt.Errorf("more than %d scalars", MaxScalars)
	}
	if n.depth > MaxDepth {
		return fmt.Errorf("nested more than %d levels deep", MaxDepth)
	}
	return nil
}

// checkCast returns an error if r is a union by which bits are cast and a cast is
// not defined for all targets; see Record.Width.
func checkCast(r *Record) error {
	if !r.Cast {
		return nil
	}
	if !r.Union {
		return errors.New("bits are cast by a struct")
	}
	width := r.Width()
	if width == 0 {
		return fmt.Errorf("bits are cast, and the first member is %s", r.Fields[0].Type)
	}
	for _, f := range r.Fields {
		n := 1
		if a, ok := f.Type.(Array); ok {
			n = a.Len
			if scalarBits(a.Elem) == 0 {
				return fmt.Errorf("member %s: the bits of %s are cast", f.Name, f.Type)
			}
		}
		switch bits := f.ScalarBits(); {
		case f.Bits != 0, bits == 1:
			return fmt.Errorf("member %s: the bits of bool or a bit-field are cast", f.Name)
		case bits == 0 || n > 64 || n*bits != width:
			return fmt.Errorf("member %s: %s is cast to %s, of another size", f.Name, f.Type, r.Fields[0].Type)
		}
	}
	return nil
}

// typ checks a type: its records are those of the function and checked before, except
// the targets of pointers.
func (c *checker) typ(t Type) error {
	whole := t
	scalars, behindStar := 1, false
	for levels := 0; ; levels++ {
		switch a := t.(type) {
		case nil:
			return errors.New("no type")
		case Int:
			return checkInt(a)
		case Float:
			if a != F32 && a != F64 {
				return fmt.Errorf("unknown floating-point type %s", a)
			}
			return nil
		case Wide:
			if levels > 0 {
				return fmt.Errorf("array of or pointer to %s", a)
			}
			return checkWide(a)
		case Vector:
			if err := checkVector(a); err != nil {
				return err
			}
			return c.size(whole)
		case *Record:
			_, known := c.sizes[a]
			if a == nil || !c.records[a] {
				return errors.New("record is not one of the function")
			}
			if !known && !behindStar {
				return fmt.Errorf("record %s comes later", a)
			}
			return c.size(whole)
		case Pointer:
			if levels >= MaxDepth {
				return fmt.Errorf("type of more than %d levels", MaxDepth)
			}
			scalars, behindStar = 1, true
			t = a.Elem
			if err := c.size(whole); err != nil {
				return err
			}
			whole = t
		case Array:
			if a.Len < 1 || a.Len > MaxScalars/scalars {
				return fmt.Errorf("array of length %d, want 1 or more and at most %d scalars", a.Len, MaxScalars)
			}
			if levels >= MaxDepth {
				return fmt.Errorf("array of more than %d dimensions", MaxDepth)
			}
			scalars *= a.Len
			behindStar = false
			t = a.Elem
		default:
			panic(unknown(t))
		}
	}
}

// size checks that the arrays which t begins with are within bounds. Their element type
// is known.
func (c *checker) size(t Type) error {
	if _, ok := t.(Array); !ok {
		return nil
	}
	if n := c.sizes.of(t); n.cells > MaxScalars || n.depth > MaxDepth+1 {
		return fmt.Errorf("array of more than %d scalars or %d levels", MaxScalars, MaxDepth)
	}
	return nil
}

func checkVector(t Vector) error {
	if t.Lanes < 2 || t.Lanes > 64 {
		return fmt.Errorf("vector of %d lanes, want 2 to 64", t.Lanes)
	}
	if t.Elem.Bits < 2 || t.Elem.Bits > 64 {
		return fmt.Errorf("vector of %s", t.Elem)
	}
	return nil
}

func checkInt(t Int) error {
	if !t.Standard() {
		return fmt.Errorf("unknown integer type %s", t)
	}
	return nil
}

// checkValue checks the type of a value; that of a bit-field is valid only if odd says
// so.
func checkValue(t Int, odd bool) error {
	if t.Standard() || odd && 1 <= t.Bits && t.Bits <= 64 {
		return nil
	}
	if 1 <= t.Bits && t.Bits <= 64 {
		return fmt.Errorf("value of type %s, which is for bit-fields", t)
	}
	return checkInt(t)
}

// checkName returns an error if name cannot be a name in C: it is not an identifier, or
// is a keyword, or is reserved for the compiler (C11 7.1.3).
func checkName(name string) error {
	ok := name != "" && isLetter(name[0]) && scan(name, 0, isLetterOrDigit) == len(name)
	if !ok {
		return fmt.Errorf("name %q is not an identifier", name)
	}
	if len(name) > 1 && name[0] == '_' && (name[1] == '_' || 'A' <= name[1] && name[1] <= 'Z') || isKeyword(name) {
		return fmt.Errorf("name %q is reserved in C", name)
	}
	return nil
}

// isKeyword reports whether name is a keyword of C up to C23, or one of gcc
// and clang by default.
func isKeyword(name string) bool {
	switch name {
	case "alignas", "alignof", "asm", "auto", "bool", "break", "case", "char",
		"const", "constexpr", "continue", "default", "do", "double", "else",
		"enum", "extern", "false", "float", "for", "goto", "if", "inline",
		"int", "long", "nullptr", "register", "restrict", "return", "short",
		"signed", "sizeof", "static", "static_assert", "struct", "switch",
		"thread_local", "true", "typedef", "typeof", "typeof_unqual", "union",
		"unsigned", "void", "volatile", "while":
		return true
	}
	return false
}
