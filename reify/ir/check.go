package ir

import (
	"errors"
	"fmt"
)

// Check returns an error if a function or a case of the program breaks an
// invariant: the functions are valid, have different names and call each other
// only, each case
// belongs to one of them, its arguments and its result are values of their
// types, and its path leads from the entry to the exit along edges.
func (p *Program) Check() error {
	names := make(map[string]bool, len(p.Funcs))
	funcs := make(map[*Function]bool, len(p.Funcs))
	for i, f := range p.Funcs {
		if f == nil {
			return fmt.Errorf("function %d is missing", i)
		}
		if err := Check(f); err != nil {
			return err
		}
		if names[f.Name] {
			return fmt.Errorf("function @%s: another one has the same name", f.Name)
		}
		names[f.Name], funcs[f] = true, true
	}
	for _, f := range p.Funcs {
		for call := range f.Calls() {
			if !funcs[call.Func] {
				return fmt.Errorf("function @%s: calls @%s, which is not one of the program", f.Name, call.Func.Name)
			}
		}
	}
	for i, c := range p.Cases {
		if c == nil || !funcs[c.Func] {
			return fmt.Errorf("case %d: function is not one of the program", i)
		}
		if err := c.check(); err != nil {
			return fmt.Errorf("case %d of @%s: %w", i, c.Func.Name, err)
		}
	}
	return nil
}

func (c *Case) check() error {
	f := c.Func
	params := f.Params()
	if len(c.Args) != len(params) {
		return fmt.Errorf("%d arguments for %d parameters", len(c.Args), len(params))
	}
	for i, v := range params {
		if t := Scalar(v.Type); !t.Holds(c.Args[i]) {
			return fmt.Errorf("argument %s = %d does not fit %s", v.Name, c.Args[i], t)
		}
	}
	if !f.Result.Holds(c.Want) {
		return fmt.Errorf("result %d does not fit %s", c.Want, f.Result)
	}
	return f.CheckPath(c.Path)
}

// CheckPath returns an error unless path, which holds indices into f.Blocks,
// leads from the entry to the exit of f, each block being a successor of the
// one before. f must be valid.
func (f *Function) CheckPath(path []int) error {
	for i, at := range path {
		if at < 0 || at >= len(f.Blocks) {
			return fmt.Errorf("path: step %d: there is no block %d", i, at)
		}
	}
	if len(path) == 0 || path[0] != 0 {
		return errors.New("path: does not begin at the entry")
	}
	for i, at := range path[1:] {
		from, to := f.Blocks[path[i]], f.Blocks[at]
		ok := false
		switch t := from.Term.(type) {
		case *Goto:
			ok = t.To == to
		case *If:
			ok = t.Then == to || t.Else == to
		case *Return:
		default:
			panic(unknown(t))
		}
		if !ok {
			return fmt.Errorf("path: step %d: no edge from %s to %s", i+1, from.Name, to.Name)
		}
	}
	if path[len(path)-1] != len(f.Blocks)-1 {
		return errors.New("path: does not end at the exit")
	}
	return nil
}

// Check returns an error if f breaks an invariant, and says which and where:
//
//   - names are C identifiers, not reserved, and unique among the variables or
//     the blocks; Index fields are right; sizes are within the bounds at
//     MaxScalars;
//   - parameters come first, are scalars and have no initialiser; initialisers
//     are constants or symbols, one for each scalar, of its type; those of a
//     local may be expressions that make a call and read no variable;
//   - the entry has no predecessors; the exit is the last block and the only
//     one that returns; the targets of an If differ;
//   - types agree; operands of operators have at least 32 bits; scalars are
//     loaded and assigned, arrays are indexed; constants are values of their
//     types;
//   - a Checksum is the operand of a Return or the source of an Assign;
//   - a call has an argument for each of the callee's parameters, of its type;
//   - variables and targets belong to f; a symbol is in [0, Syms) and stands
//     in one place.
func Check(f *Function) error {
	c := &checker{fn: f}
	if err := c.function(); err != nil {
		return fmt.Errorf("function @%s: %w", f.Name, err)
	}
	return nil
}

type checker struct {
	fn   *Function
	syms []bool // by ID: whether the symbol has been met
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
			if scalars += Count(v.Type); scalars > MaxScalars {
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
	return nil
}

func (c *checker) oneVar(i int, v *Var) error {
	if v.Index != i {
		return fmt.Errorf("has index %d, want %d", v.Index, i)
	}
	if v.Kind < Param || v.Kind > Static {
		return fmt.Errorf("unknown kind %d", int(v.Kind))
	}
	if err := checkType(v.Type); err != nil {
		return err
	}
	if v.Kind == Param {
		if i > 0 && c.fn.Vars[i-1].Kind != Param {
			return errors.New("parameter after another variable")
		}
		if _, ok := v.Type.(Int); !ok {
			return errors.New("parameter is an array")
		}
		if v.Init != nil {
			return errors.New("parameter with an initialiser")
		}
	}
	if v.Init != nil && len(v.Init) != Count(v.Type) {
		return fmt.Errorf("%d initial values for %d scalars", len(v.Init), Count(v.Type))
	}
	for j, e := range v.Init {
		switch e.(type) {
		case *Const, *Sym:
		default:
			if v.Kind != Local || !onlyCalls(e) {
				return fmt.Errorf("initial value %d is neither constant nor symbol", j)
			}
		}
		t, err := c.expr(e, 1)
		if err != nil {
			return fmt.Errorf("initial value %d: %w", j, err)
		}
		if want := Scalar(v.Type); t != want {
			return fmt.Errorf("initial value %d is %s, want %s", j, t, want)
		}
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
		_, err := c.expr(t.Cond, 1)
		return err
	case *Return:
		got, err := c.whole(t.Val)
		if err == nil && got != c.fn.Result {
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

func (c *checker) stmt(s Stmt) error {
	switch s := s.(type) {
	case nil:
		return errors.New("missing statement")
	case *Assign:
		src, err := c.whole(s.Src)
		if err != nil {
			return err
		}
		dst, err := c.scalar(s.Dst, 1)
		if err != nil {
			return err
		}
		if src != dst {
			return fmt.Errorf("%s assigned to %s", src, dst)
		}
		return nil
	}
	panic(unknown(s))
}
