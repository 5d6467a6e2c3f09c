package ir_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/choice"
	"goreify/reify/ir"
)

// scramble changes everything in f that a clone could share with it.
func scramble(f *ir.Function) {
	for at := range f.Exprs() {
		switch e := (*at).(type) {
		case *ir.Const:
			e.V++
		case *ir.Sym:
			e.ID++
		case *ir.Load:
			scramblePlace(e.Place)
		case *ir.Binary:
			e.Op = ir.Ne - e.Op
		case *ir.Convert:
			e.T = ir.Int{Bits: e.T.Bits, Signed: !e.T.Signed}
		case *ir.Call:
			e.Func = &ir.Function{Name: "scrambled"}
			clear(e.Args)
		case *ir.Checksum:
			for i := range e.Of {
				e.Of[i] = &ir.Var{Name: "scrambled"}
			}
		}
	}
	for _, v := range f.Vars {
		v.Name += "_scrambled"
		v.Volatile = !v.Volatile
		for i := range v.Init {
			v.Init[i] = &ir.Const{T: ir.I8, V: 42}
		}
	}
	for _, b := range f.Blocks {
		for i, s := range b.Stmts {
			a := s.(*ir.Assign)
			scramblePlace(a.Dst)
			a.Src = nil
			b.Stmts[i] = nil
		}
		switch t := b.Term.(type) {
		case *ir.Goto:
			t.To = nil
		case *ir.If:
			t.Then, t.Else = nil, nil
		case *ir.Return:
			t.Val = nil
		}
		b.Name += "_scrambled"
		b.Index, b.Stmts, b.Term = -1, nil, nil
	}
	clear(f.Vars)
	clear(f.Blocks)
}

func scramblePlace(p ir.Place) {
	switch p := p.(type) {
	case *ir.VarRef:
		p.Var = &ir.Var{Name: "scrambled"}
	case *ir.Elem:
		scramblePlace(p.Base)
		p.Index = nil
	}
}

func TestClone(t *testing.T) {
	forRandom(t, 300, func(p *ir.Program, _ *choice.Stream) {
		for _, f := range p.Funcs {
			g := ir.Clone(f)
			require.Equal(t, f.String(), g.String())
			require.NoError(t, ir.Check(g))
		}
		for _, f := range p.Funcs {
			for at := range f.Exprs() {
				if call, ok := (*at).(*ir.Call); ok { // whose text depends on the callee
					*at = &ir.Const{T: call.Func.Result}
				}
			}
			text := f.String()
			g := ir.Clone(f)
			require.Equal(t, f, g)
			h := ir.Clone(f)
			scramble(f)
			require.Equal(t, text, g.String())
			scramble(g)
			require.Equal(t, text, h.String())
		}
	})
}

func TestProgramClone(t *testing.T) {
	calls := 0
	forRandom(t, 300, func(p *ir.Program, _ *choice.Stream) {
		text := p.String()
		q := p.Clone()
		require.Equal(t, p, q)
		require.NoError(t, q.Check(), "the clone's calls are among its own functions")
		for _, f := range p.Funcs {
			for range f.Calls() {
				calls++
			}
			scramble(f)
		}
		for _, c := range p.Cases {
			c.Func = nil
			clear(c.Args)
			clear(c.Path)
		}
		require.Equal(t, text, q.String())
	})
	require.Greater(t, calls, 300)
}

func TestCloneKeepsCalls(t *testing.T) {
	p := ir.MustParse(calling)
	f := ir.Clone(p.Funcs[0])
	for call := range f.Calls() {
		assert.Contains(t, p.Funcs, call.Func)
	}
}

func TestCloneAppend(t *testing.T) {
	f := ir.MustParse(`func @f(%a i32) i32 {
    local %x i32 = 1
    local %y i32 = 2
  entry:
    %x = 3
    goto exit
  exit:
    %y = 4
    return %x
}`).Funcs[0]
	text := f.String()
	g := ir.Clone(f)
	g.Blocks[0].Stmts = append(g.Blocks[0].Stmts, g.Blocks[0].Stmts[0])
	g.Vars[1].Init = append(g.Vars[1].Init, &ir.Const{T: ir.I32, V: 9})
	assert.Equal(t, text, f.String())
	assert.Equal(t, "%y = 4", g.Blocks[1].Stmts[0].String())
	assert.Equal(t, "2", g.Vars[2].Init[0].String())
}

func TestConcretize(t *testing.T) {
	p := ir.MustParse(`func @f(%a i32) u64 {
    static @g [2]u64 = {?0, 5}
  entry:
    @g[?1] = ?2 + u64(%a * ?3)
    if ?4:u8 goto b1 else exit
  b1:
    goto exit
  exit:
    return @g[1] / ?5
}
`)
	f := p.Funcs[0]
	m := ir.NewModel(f)
	copy(m.Syms, []int64{-1, 1, 2, -3, 255, 7})
	text := f.String()
	g := ir.Concretize(f, m)
	require.NoError(t, ir.Check(g))
	assert.Equal(t, `func @f(%a i32) u64 {
    static @g [2]u64 = {18446744073709551615, 5}
  entry:
    @g[1] = 2 + u64(%a * -3)
    if 255:u8 goto b1 else exit
  b1:
    goto exit
  exit:
    return @g[1] / 7
}
`, g.String())
	scramble(g)
	assert.Equal(t, text, f.String())
	assert.Panics(t, func() { ir.Concretize(f, &ir.Model{Syms: make([]int64, 5)}) })
}

func TestRandomConcretize(t *testing.T) {
	forRandom(t, 300, func(p *ir.Program, s *choice.Stream) {
		for _, f := range p.Funcs {
			m := ir.NewModel(f)
			for at := range f.Exprs() {
				if e, ok := (*at).(*ir.Sym); ok {
					m.Syms[e.ID] = e.T.Wrap(int64(s.Uint64()))
				}
			}
			got := ir.Concretize(f, m)
			require.NoError(t, ir.Check(got))
			want := ir.Clone(f)
			want.Syms = 0
			for at := range want.Exprs() {
				if e, ok := (*at).(*ir.Sym); ok {
					*at = &ir.Const{T: e.T, V: m.Syms[e.ID]}
				}
			}
			require.Equal(t, want, got)
		}
	})
}

// benchFunction returns a function of 45 blocks and some 700 expressions,
// three times the blocks that the generator makes by default.
func benchFunction(b *testing.B) *ir.Function {
	for seed := uint64(0); ; seed++ {
		f := randomFunction(choice.New(choice.Derive(seed, "ir")), "f", 45)
		n := 0
		for range f.Exprs() {
			n++
		}
		if n > 600 {
			require.NoError(b, ir.Check(f))
			return f
		}
	}
}

func perSecond(b *testing.B, loop func()) {
	b.ReportAllocs()
	for b.Loop() {
		loop()
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "functions/s")
}

func BenchmarkClone(b *testing.B) {
	f := benchFunction(b)
	perSecond(b, func() { ir.Clone(f) })
}

func BenchmarkConcretize(b *testing.B) {
	f := benchFunction(b)
	m := ir.NewModel(f)
	perSecond(b, func() { ir.Concretize(f, m) })
}

func BenchmarkCheck(b *testing.B) {
	f := benchFunction(b)
	perSecond(b, func() {
		if err := ir.Check(f); err != nil {
			b.Fatal(err)
		}
	})
}

func BenchmarkPrint(b *testing.B) {
	f := benchFunction(b)
	perSecond(b, func() { _ = f.String() })
}

func BenchmarkParse(b *testing.B) {
	text := benchFunction(b).String()
	perSecond(b, func() { ir.MustParse(text) })
}
