package ir_test

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/choice"
	"goreify/reify/ir"
)

// addresses adds to seen the addresses of all that v is made of. Functions that
// are called are not a part of it unless calls is set.
func addresses(v reflect.Value, calls bool, seen map[uintptr]bool) {
	switch v.Kind() {
	case reflect.Interface:
		if !v.IsNil() {
			addresses(v.Elem(), calls, seen)
		}
	case reflect.Pointer:
		if v.IsNil() || v.Type().Elem().Size() == 0 || seen[v.Pointer()] {
			return
		}
		seen[v.Pointer()] = true
		addresses(v.Elem(), calls, seen)
	case reflect.Slice:
		if v.Len() > 0 {
			seen[v.Pointer()] = true
		}
		for i := range v.Len() {
			addresses(v.Index(i), calls, seen)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if _, call := v.Interface().(ir.Call); call && v.Type().Field(i).Name == "Func" && !calls {
				continue
			}
			addresses(v.Field(i), calls, seen)
		}
	}
}

// requireDisjoint fails if f and g, which are functions or programs, share
// anything.
func requireDisjoint(t testing.TB, f, g any, calls bool) {
	t.Helper()
	inF, inG := map[uintptr]bool{}, map[uintptr]bool{}
	addresses(reflect.ValueOf(f), calls, inF)
	addresses(reflect.ValueOf(g), calls, inG)
	require.NotEmpty(t, inF)
	for at := range inF {
		require.False(t, inG[at], "shared with the clone:\n%s", f)
	}
}

func TestClone(t *testing.T) {
	forRandom(t, 300, func(p *ir.Program, _ *choice.Stream) {
		for _, f := range p.Funcs {
			g := ir.Clone(f)
			require.Equal(t, f.String(), g.String())
			require.NoError(t, ir.Check(g))
			requireDisjoint(t, f, g, false)
		}
		for _, f := range p.Funcs {
			for at := range f.Exprs() {
				if call, ok := (*at).(*ir.Call); ok { // too deep to compare
					*at = &ir.Const{T: call.Func.Result}
				}
			}
			require.Equal(t, f, ir.Clone(f))
		}
	})
}

func TestProgramClone(t *testing.T) {
	calls := 0
	forRandom(t, 300, func(p *ir.Program, _ *choice.Stream) {
		text := p.String()
		q := p.Clone()
		require.Equal(t, p, q)
		require.Equal(t, text, q.String())
		require.NoError(t, q.Check(), "the clone's calls are among its own functions")
		requireDisjoint(t, p, q, true)
		for _, f := range p.Funcs {
			for range f.Calls() {
				calls++
			}
		}
	})
	require.Greater(t, calls, 300)
}

// Copies of parts of a function are parts of the same function, and are others.
func TestCopy(t *testing.T) {
	forRandom(t, 100, func(p *ir.Program, _ *choice.Stream) {
		for _, f := range p.Funcs {
			text := f.String()
			var old []ir.Stmt
			for _, b := range f.Blocks {
				for i, s := range b.Stmts {
					old = append(old, s)
					b.Stmts[i] = ir.CopyStmt(s)
				}
				b.Term = ir.CopyTerm(b.Term)
			}
			require.Equal(t, text, f.String())
			for _, s := range old { // what is changed in the old ones does not show
				for at := range ir.StmtExprs(s) {
					if c, ok := (*at).(*ir.Const); ok {
						c.V ^= 1
					}
				}
			}
			require.Equal(t, text, f.String())
		}
	})
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
	requireDisjoint(t, f, g, true)
	assert.Equal(t, text, f.String())
	assert.Panics(t, func() { ir.Concretize(f, &ir.Model{Syms: make([]int64, 5)}) })
}

func TestRandomConcretize(t *testing.T) {
	checked := 0
	forRandom(t, 300, func(p *ir.Program, s *choice.Stream) {
		for _, f := range p.Funcs {
			m := ir.NewModel(f)
			for at := range f.Exprs() {
				if e, ok := (*at).(*ir.Sym); ok {
					m.Syms[e.ID] = e.T.Wrap(int64(int16(s.Uint64()))) // which a float holds, too
				}
			}
			got := ir.Concretize(f, m)
			if !symbolicLabels(f) { // which random values may make equal
				require.NoError(t, ir.Check(got))
				checked++
			}
			want := ir.Clone(f)
			want.Syms = 0
			for at := range want.Exprs() {
				if e, ok := (*at).(*ir.Sym); ok {
					*at = &ir.Const{T: e.T, V: m.Syms[e.ID]}
				}
			}
			require.Equal(t, want, got)
			ir.Settle(f, m)
			require.Equal(t, want, f, "Settle does in place what Concretize does in a copy")
		}
	})
	require.Greater(t, checked, 100)
}

func symbolicLabels(f *ir.Function) bool {
	for _, b := range f.Blocks {
		if s, ok := b.Term.(*ir.Switch); ok {
			for _, c := range s.Cases {
				if _, ok := c.Lo.(*ir.Sym); ok {
					return true
				}
			}
		}
	}
	return false
}

// benchFunction returns a function of 45 blocks and some 700 expressions,
// three times the blocks that the generator makes by default.
func benchFunction(b *testing.B) *ir.Function {
	for seed := uint64(0); ; seed++ {
		f := randomFunction(choice.New(choice.Derive(seed, "ir")), "f", 45, true)
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
