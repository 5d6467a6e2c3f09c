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
	s *choice.Stream
	f *ir.Function
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
		f := randomFunction(s, fmt.Sprintf("f%d", i), s.Range(1, blocks))
		p.Funcs = append(p.Funcs, f)
	}
	for _, f := range p.Funcs {
		addCalls(s, p, f)
		if c := randomCase(s, f); c != nil {
			p.Cases = append(p.Cases, c)
		}
	}
	return p
}

func randomFunction(s *choice.Stream, name string, blocks int) *ir.Function {
	b := &builder{s, &ir.Function{Name: name, Result: choice.Pick(s, allInts)}}
	f := b.f
	for i := range s.Range(0, 8) {
		v := &ir.Var{Name: fmt.Sprintf("v%d", i), Kind: ir.Param, Index: i, Volatile: s.Chance(1, 4)}
		v.Type = choice.Pick(s, allInts)
		if i >= 3 {
			v.Kind = ir.Kind(s.Range(int(ir.Local), int(ir.Static)))
			for range s.Intn(3) {
				v.Type = ir.Array{Elem: v.Type, Len: s.Range(1, 3)}
			}
			if s.Chance(2, 3) {
				for range ir.Count(v.Type) {
					v.Init = append(v.Init, b.leaf(ir.Scalar(v.Type)))
				}
			}
		}
		f.Vars = append(f.Vars, v)
	}
	for i := range blocks {
		f.Blocks = append(f.Blocks, &ir.Block{Name: fmt.Sprintf("b%d", i), Index: i})
	}
	for i, block := range f.Blocks {
		if len(f.Vars) > 0 {
			for range s.Intn(4) {
				dst := b.place()
				t := dst.Type().(ir.Int)
				block.Stmts = append(block.Stmts, &ir.Assign{Dst: dst, Src: b.expr(t, 4)})
			}
		}
		switch {
		case i == blocks-1 && f.Result == ir.U32 && s.Chance(1, 2):
			block.Term = &ir.Return{Val: &ir.Checksum{Of: f.Vars}}
		case i == blocks-1:
			block.Term = &ir.Return{Val: b.expr(f.Result, 3)}
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
	b := &builder{s, f}
	replace := func(at *ir.Expr, arg func(t ir.Int) ir.Expr) {
		call := &ir.Call{Func: choice.Pick(s, p.Funcs)}
		for _, v := range call.Func.Params() {
			call.Args = append(call.Args, arg(v.Type.(ir.Int)))
		}
		t := (*at).Type()
		if *at = call; call.Type() != t {
			*at = &ir.Convert{T: t, X: call}
		}
	}
	for _, v := range f.Vars {
		for i := range v.Init {
			if v.Kind == ir.Local && s.Chance(1, 8) {
				replace(&v.Init[i], b.leaf)
			}
		}
	}
	for _, block := range f.Blocks {
		for at := range block.Exprs() {
			switch (*at).(type) {
			case *ir.Const, *ir.Sym:
				if s.Chance(1, 8) {
					replace(at, func(t ir.Int) ir.Expr { return b.expr(t, 2) })
				}
			}
		}
	}
}

func (b *builder) place() ir.Place {
	var p ir.Place = &ir.VarRef{Var: choice.Pick(b.s, b.f.Vars)}
	for {
		if _, ok := p.Type().(ir.Array); !ok {
			return p
		}
		p = &ir.Elem{Base: p, Index: b.expr(choice.Pick(b.s, allInts), 2)}
	}
}

func (b *builder) leaf(t ir.Int) ir.Expr {
	if b.s.Chance(1, 2) {
		b.f.Syms++
		return &ir.Sym{T: t, ID: b.f.Syms - 1}
	}
	return &ir.Const{T: t, V: t.Wrap(choice.Pick(b.s, []int64{0, 1, -1, t.Min(), t.Max(), int64(b.s.Uint64())}))}
}

// expr returns an expression of type t and of about the given depth.
func (b *builder) expr(t ir.Int, depth int) ir.Expr {
	if depth > 0 {
		switch b.s.Intn(4) {
		case 0:
			if t.Bits >= 32 {
				op := ir.Op(b.s.Range(int(ir.Add), int(ir.Rem)))
				return &ir.Binary{Op: op, X: b.expr(t, depth-1), Y: b.expr(t, depth-1)}
			}
		case 1:
			if t == ir.I32 {
				op := ir.Op(b.s.Range(int(ir.Lt), int(ir.Ne)))
				of := choice.Pick(b.s, wideInts)
				return &ir.Binary{Op: op, X: b.expr(of, depth-1), Y: b.expr(of, depth-1)}
			}
		case 2:
			return &ir.Convert{T: t, X: b.expr(choice.Pick(b.s, allInts), depth-1)}
		case 3:
			if len(b.f.Vars) > 0 {
				load := &ir.Load{Place: b.place()}
				if load.Type() == t {
					return load
				}
				return &ir.Convert{T: t, X: load}
			}
		}
	}
	return b.leaf(t)
}

// randomCase returns a case along a path that exists, or nil if a walk at
// random has not come to the exit.
func randomCase(s *choice.Stream, f *ir.Function) *ir.Case {
	c := &ir.Case{Func: f, Want: f.Result.Wrap(int64(s.Uint64())), Path: []int{0}}
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
