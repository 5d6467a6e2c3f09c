package idioms

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/choice"
	"goreify/reify/interp"
	"goreify/reify/ir"
	"goreify/reify/sketch/core"
	"goreify/reify/sketch/core/coretest"
)

// idiomFunction returns a function of two parameters of type t that returns an
// idiom of the first.
func idiomFunction(t ir.Int, of core.IdiomFunc, s *choice.Stream) *ir.Function {
	f := &ir.Function{Name: "f"}
	w := core.NewWriter(f, core.Config{Options: core.Options{Vars: 2}}, s)
	for range 2 {
		w.Register(core.NewSource(w.NewVar(ir.Param, t)))
	}
	coretest.Returning(f, of(&w.Exprs, t, w.Vars[0]))
	return f
}

// Idioms have no symbols by which a solver could keep them defined, so most are
// defined for whatever values they are given.
func TestIdiomsAreMostlyDefined(t *testing.T) {
	s := choice.New([]byte("idioms"))
	runs, undefined := 0, 0
	for i, of := range idioms {
		own, bad := 0, 0
		for range 40 {
			typ := choice.Pick(s, core.Computed[:])
			f := idiomFunction(typ, of, s)
			require.NoError(t, ir.Check(f), "idiom %d", i)
			require.Zero(t, f.Syms, "idiom %d", i)
			for range 10 {
				args := []int64{coretest.Value(s, typ), coretest.Value(s, typ)}
				own++
				if _, err := interp.Run(f, args, interp.Options{Fuel: 3}); err != nil {
					bad++
				}
			}
		}
		assert.Less(t, float64(bad)/float64(own), 0.25, "idiom %d", i)
		runs, undefined = runs+own, undefined+bad
	}
	t.Logf("%d of %d runs were undefined", undefined, runs)
	assert.Less(t, float64(undefined)/float64(runs), 0.03)
}

// Some idioms have values that are known.
func TestIdiomsMeanWhatTheyLookLike(t *testing.T) {
	for _, test := range []struct {
		name string
		of   core.IdiomFunc
		want func(x, y uint32) []uint32 // any of them
	}{
		{"average", average, func(x, y uint32) []uint32 { return []uint32{uint32((uint64(x) + uint64(y)) / 2), x} }},
		{"lowBit", lowBit, func(x, _ uint32) []uint32 { return []uint32{x & -x, x & (x - 1)} }},
		{"congruential", congruential, func(x, _ uint32) []uint32 { return []uint32{x*1664525 + 1013904223} }},
		{"crcStep", crcStep, func(x, _ uint32) []uint32 { return []uint32{x>>1 ^ x&1*0xedb88320} }},
		{"sign", sign, func(x, _ uint32) []uint32 {
			if x == 0 {
				return []uint32{0}
			}
			return []uint32{x>>31 | 1}
		}},
		{"byteSwap", byteSwap, func(x, _ uint32) []uint32 {
			return []uint32{x<<24 | x>>24 | x<<8&0xff0000 | x>>8&0xff00, x&255<<8 | x>>8&255}
		}},
	} {
		s := choice.New([]byte(test.name))
		for range 50 {
			f := idiomFunction(ir.U32, test.of, s)
			x, y := coretest.Value(s, ir.U32), coretest.Value(s, ir.U32)
			run, err := interp.Run(f, []int64{x, y}, interp.Options{Fuel: 3})
			require.NoError(t, err, test.name)
			assert.Contains(t, test.want(uint32(x), uint32(y)), uint32(run.Value), "%s(%d, %d)", test.name, x, y)
		}
	}
}
