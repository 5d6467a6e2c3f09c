package ir

import (
	"errors"
	"fmt"
)

type checker struct {
	fn   *Function
	syms []bool // by ID: whether the symbol has been met

	records map[*Record]bool // all of the function
	sizes   sizes            // of those that have been checked

	// Whether the next expression may have a type that is not Standard.
	odd bool
}

func (c *checker) function() error {
	f := c.fn
	if err := checkName(f.Name); err != nil {
		return err
	}
	if err := checkInt(f.Result); err != nil {
		return fmt.Errorf("result: %w", err)
	}
	if f.Syms < 0 || f.Syms > MaxSyms {
		return fmt.Errorf("%d symbols, want 0 to %d", f.Syms, MaxSyms)
	}
	c.syms = make([]bool, f.Syms)
	if f.Foreign != nil {
		if err := c.allVars(); err != nil {
			return err
		}
		return c.foreign()
	}
	if err := c.allRecords(); err != nil {
		return err
	}
	if err := c.allVars(); err != nil {
		return err
	}
	return c.allBlocks()
}

func (c *checker) allVars() error {
	names := make(map[string]bool, len(c.fn.Vars))
	scalars := 0
	for i, v := range c.fn.Vars {
		if v == nil {
			return fmt.Errorf("variable %d is missing", i)
		}
		if err := checkName(v.Name); err != nil {
			return fmt.Errorf("variable %d: %w", i, err)
		}
		err := c.oneVar(i, v)
		if err == nil {
			if scalars += c.sizes.of(v.Type).cells; scalars > MaxScalars {
				err = fmt.Errorf("the variables so far hold more than %d scalars", MaxScalars)
			}
		}
		if err == nil && names[v.Name] {
			err = errors.New("another variable has the same name")
		}
		if err != nil {
			return fmt.Errorf("variable %s: %w", v, err)
		}
		names[v.Name] = true
	}
	for _, v := range c.fn.Vars {
		// Initial values may be the addresses of all variables.
		if err := c.initial(v); err != nil {
			return fmt.Errorf("variable %s: %w", v, err)
		}
	}
	return nil
}

func (c *checker) oneVar(i int, v *Var) error {
	if v.Index != i {
		return fmt.Errorf("has index %d, want %d", v.Index, i)
	}
	if v.Kind < Param || v.Kind > Static {
		return fmt.Errorf("unknown kind %d", int(v.Kind))
	}
	if err := c.typ(v.Type); err != nil {
		return err
	}
	if t, ok := v.Type.(Wide); ok && (v.Kind != Local || v.Volatile || v.Const || v.Init != nil) {
		return fmt.Errorf("%s that is not a local without qualifiers and initial value", t)
	}
	if v.Kind == Param {
		if i > 0 && c.fn.Vars[i-1].Kind != Param {
			return errors.New("parameter after another variable")
		}
		switch v.Type.(type) {
		case Int:
		case Array:
			return errors.New("parameter is an array")
		default:
			return fmt.Errorf("parameter is %s, want an integer", v.Type)
		}
		if v.Init != nil || v.Ptrs != nil {
			return errors.New("parameter with an initialiser")
		}
	}
	if v.Const && v.Init == nil && v.Kind != Param {
		return errors.New("const without an initialiser")
	}
	return nil
}

func (c *checker) allBlocks() error {
	blocks := c.fn.Blocks
	if len(blocks) == 0 {
		return errors.New("no blocks")
	}
	names := make(map[string]bool, len(blocks))
	for i, b := range blocks {
		if b == nil {
			return fmt.Errorf("block %d is missing", i)
		}
		if err := checkName(b.Name); err != nil {
			return fmt.Errorf("block %d: %w", i, err)
		}
		if names[b.Name] {
			return fmt.Errorf("block %s: another block has the same name", b.Name)
		}
		names[b.Name] = true
		if b.Index != i {
			return fmt.Errorf("block %s: has index %d, want %d", b.Name, b.Index, i)
		}
	}
	for _, b := range blocks {
		for i, s := range b.Stmts {
			if err := c.stmt(s); err != nil {
				return fmt.Errorf("block %s: statement %d%s: %w", b.Name, i, quote(s, err), err)
			}
		}
		if err := c.term(b); err != nil {
			return fmt.Errorf("block %s: terminator%s: %w", b.Name, quote(b.Term, err), err)
		}
	}
	return nil
}

// errDeep is also what the checker finds in a tree that contains itself.
var errDeep = fmt.Errorf("expression of more than %d levels", MaxDepth)

// quote returns the text of the node that err is about, in parentheses, unless
// that might have no end.
func quote(node fmt.Stringer, err error) string {
	if node == nil || errors.Is(err, errDeep) {
		return ""
	}
	return " (" + node.String() + ")"
}

func (c *checker) term(b *Block) error {
	exit := b.Index == len(c.fn.Blocks)-1
	if _, ok := b.Term.(*Return); ok != exit && b.Term != nil {
		if exit {
			return errors.New("the last block does not return")
		}
		return errors.New("returns, but is not the last block")
	}
	switch t := b.Term.(type) {
	case nil:
		return errors.New("no terminator")
	case *Goto:
		return c.target(t.To)
	case *If:
		if err := errors.Join(c.target(t.Then), c.target(t.Else)); err != nil {
			return err
		}
		if t.Then == t.Else {
			return errors.New("both targets are the same")
		}
		_, err := c.integer(t.Cond, 1)
		return err
	case *Switch:
		return c.switchTerm(t)
	case *Return:
		got, err := c.whole(t.Val)
		if err == nil && got != Type(c.fn.Result) {
			err = fmt.Errorf("%s returned as %s", got, c.fn.Result)
		}
		return err
	}
	panic(unknown(b.Term))
}

func (c *checker) target(b *Block) error {
	if b == nil || b.Index < 0 || b.Index >= len(c.fn.Blocks) || c.fn.Blocks[b.Index] != b {
		return errors.New("target is not a block of the function")
	}
	if b.Index == 0 {
		return errors.New("the entry has a predecessor")
	}
	return nil
}
