package ir_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"goreify/reify/choice"
	"goreify/reify/ir"
)

// A builder makes valid functions of every kind of node at random. They need
// not end or be defined.
type builder struct {
	s     *choice.Stream
	f     *ir.Function
	plain bool // integers and arrays of them only, as in the paper
}

var (
	allInts  = []ir.Int{ir.I8, ir.I16, ir.I32, ir.I64, ir.U8, ir.U16, ir.U32, ir.U64}
	wideInts = []ir.Int{ir.I32, ir.I64, ir.U32, ir.U64}
)

// randomProgram returns a valid program of functions of at most the given
// number of blocks.
func randomProgram(s *choice.Stream, blocks int) *ir.Program {
	p := new(ir.Program)
	for i := range s.Range(1, 3) {
		f := randomFunction(s, fmt.Sprintf("f%d", i), s.Range(1, blocks), s.Chance(1, 4))
		p.Funcs = append(p.Funcs, f)
	}
	for _, f := range p.Funcs {
		addCalls(s, p, f)
		if c := randomCase(s, f); c != nil {
			p.Claims = append(p.Claims, c)
		}
	}
	return p
}

func randomFunction(s *choice.Stream, name string, blocks int, plain bool) *ir.Function {
	b := &builder{s, &ir.Function{Name: name, Result: choice.Pick(s, allInts)}, plain}
	f := b.f
	if !plain {
		for i := range s.Intn(4) {
			f.Types = append(f.Types, b.record(fmt.Sprintf("S%d", i)))
		}
	}
	for i := range s.Range(0, 10) {
		f.Vars = append(f.Vars, b.variable(i))
	}
	for i := range blocks {
		f.Blocks = append(f.Blocks, &ir.Block{Name: fmt.Sprintf("b%d", i), Index: i})
	}
	for i, block := range f.Blocks {
		if len(f.Vars) > 0 {
			for range s.Intn(4) {
				if st := b.stmt(); st != nil {
					block.Stmts = append(block.Stmts, st)
				}
			}
		}
		switch {
		case i == blocks-1 && f.Result == ir.U32 && s.Chance(1, 2):
			block.Term = &ir.Return{Val: &ir.Checksum{Of: f.Vars}}
		case i == blocks-1:
			block.Term = &ir.Return{Val: b.expr(f.Result, 3)}
		case !plain && s.Chance(1, 4):
			block.Term = b.switchTerm()
		case blocks == 2 || s.Chance(1, 2):
			block.Term = &ir.Goto{To: f.Blocks[s.Range(1, blocks-1)]}
		default:
			to := s.Range(1, blocks-1)
			other := 1 + to%(blocks-1)
			block.Term = &ir.If{Cond: b.expr(choice.Pick(s, allInts), 3), Then: f.Blocks[to], Else: f.Blocks[other]}
		}
	}
	return f
}

// addCalls puts calls of functions of p in the place of constants and symbols
// of f.
func addCalls(s *choice.Stream, p *ir.Program, f *ir.Function) {
	b := &builder{s, f, false}
	replace := func(at *ir.Expr, arg func(t ir.Int) ir.Expr) {
		call := &ir.Call{Func: choice.Pick(s, p.Funcs)}
		for _, v := range call.Func.Params() {
			call.Args = append(call.Args, arg(v.Type.(ir.Int)))
		}
		t := ir.IntOf((*at))
		if *at = call; ir.IntOf(call) != t { // which is Standard or stands alone
			*at = &ir.Convert{T: t, X: call}
		}
	}
	for _, v := range f.Vars {
		for i := range v.Init {
			if _, ok := ir.Cell(v.Type, i).(ir.Int); ok && v.Init[i] != nil && v.Kind == ir.Local && s.Chance(1, 8) {
				replace(&v.Init[i], b.leaf)
			}
		}
	}
	for _, block := range f.Blocks {
		leaves := mustBeLeaves(block)
		for at := range block.Exprs() {
			switch (*at).(type) {
			case *ir.Const, *ir.Sym:
				if s.Chance(1, 8) && ir.IntOf((*at)).Standard() && !leaves[*at] {
					replace(at, func(t ir.Int) ir.Expr { return b.expr(t, 2) })
				}
			}
		}
	}
}

// mustBeLeaves returns the labels of the block, the hints of builtins, and the constants
// of assumptions, which call nothing.
func mustBeLeaves(b *ir.Block) map[ir.Expr]bool {
	leaves := map[ir.Expr]bool{}
	for at := range b.Exprs() {
		if e, ok := (*at).(*ir.Builtin); ok && e.Fn.Hints() {
			leaves[e.Args[1]] = true
		}
	}
	for _, s := range b.Stmts {
		if a, ok := s.(*ir.Assume); ok {
			for at := range ir.SubExprs(&a.Cond) {
				leaves[*at] = true
			}
		}
	}
	if t, ok := b.Term.(*ir.Switch); ok {
		for _, c := range t.Cases {
			leaves[c.Lo], leaves[c.Hi] = true, true
		}
	}
	return leaves
}

// randomCase returns a case along a path that exists, or nil if a walk at
// random has not come to the exit.
func randomCase(s *choice.Stream, f *ir.Function) *ir.Claim {
	c := &ir.Claim{Func: f, Want: f.Result.Wrap(int64(s.Uint64())), Path: []int{0}}
	for _, v := range f.Params() {
		c.Args = append(c.Args, v.Type.(ir.Int).Wrap(int64(s.Uint64())))
	}
	for at := f.Blocks[0]; at.Index != len(f.Blocks)-1; {
		if len(c.Path) > 20 {
			return nil
		}
		at = choice.Pick(s, at.Succs())
		c.Path = append(c.Path, at.Index)
	}
	return c
}

// forRandom calls test with random programs that Check accepts.
func forRandom(t *testing.T, n int, test func(p *ir.Program, s *choice.Stream)) {
	for seed := range n {
		s := choice.New(choice.Derive(uint64(seed), "ir"))
		p := randomProgram(s, 8)
		require.NoError(t, p.Check(), "seed %d:\n%s", seed, p)
		test(p, s)
	}
}

func TestRandomRoundTrip(t *testing.T) {
	forRandom(t, 1000, func(p *ir.Program, _ *choice.Stream) { requireRoundTrip(t, p) })
}

// Programs whose types have been mixed up print and parse, too: whoever looks
// for a bug reads them.
func TestRandomRoundTripIllTyped(t *testing.T) {
	rejected := 0
	forRandom(t, 1000, func(p *ir.Program, s *choice.Stream) {
		for _, f := range p.Funcs {
			for at := range f.Exprs() {
				switch e := (*at).(type) {
				case *ir.Const:
					if s.Chance(1, 3) {
						e.T = choice.Pick(s, allInts)
						e.V = e.T.Wrap(e.V)
					}
				case *ir.Sym:
					if s.Chance(1, 3) {
						e.T = choice.Pick(s, allInts)
					}
				}
			}
		}
		requireRoundTrip(t, p)
		if p.Check() != nil {
			rejected++
		}
	})
	require.Greater(t, rejected, 500)
}

// The random programs have nodes of every kind.
func TestRandomHasAllNodes(t *testing.T) {
	text := ""
	forRandom(t, 200, func(p *ir.Program, _ *choice.Stream) { text += p.String() })
	for _, part := range []string{
		"struct ", "union ", ":3", "const ", "volatile ", "bool", "f32", "f64", "*const ", "*volatile ", ">u8", "null", "_, ",
		" = &", " << ", " && ", " || ", " ^ ", " ? ", "-", "~", "!", "popcount(", "bswap(", "expect(", "cast(", "shuffle(", "convert(", "bitcast(", "call(",
		"->m", ".m", "(*", "mul_overflow(", "unreachable", "unless ", "assume ", "switch ", "..", "0.5", "f32(", "@f1(",
	} {
		require.Contains(t, text, part)
	}
}
