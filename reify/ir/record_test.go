package ir_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/choice"
	"goreify/reify/ir"
)

func TestRecordAt(t *testing.T) {
	records := 0
	forRandom(t, 200, func(p *ir.Program, _ *choice.Stream) {
		for _, f := range p.Funcs {
			for _, r := range f.Types {
				records++
				i := 0
				for want, field := range r.Fields {
					for k := range ir.Count(field.Type) {
						got, first := r.At(i)
						require.Equal(t, want, got)
						require.Equal(t, i-k, first)
						require.Equal(t, r.Offset(want), first)
						require.Equal(t, ir.Cell(r.Member(want), k), ir.Cell(r, i))
						i++
					}
				}
				require.Equal(t, ir.Count(r), i)
			}
		}
	})
	require.Greater(t, records, 100)
}

func TestHasUnion(t *testing.T) {
	u := &ir.Record{Name: "U", Union: true, Fields: []ir.Field{{Name: "a", Type: ir.I8}}}
	plain := &ir.Record{Name: "P", Fields: []ir.Field{{Name: "a", Type: ir.I8}, {Name: "p", Type: ir.Pointer{Elem: u}}}}
	with := &ir.Record{Name: "S", Fields: []ir.Field{{Name: "p", Type: plain}, {Name: "u", Type: ir.Array{Elem: u, Len: 2}}}}
	for typ, want := range map[ir.Type]bool{
		ir.I32: false, u: true, plain: false, with: true,
		ir.Array{Elem: with, Len: 3}: true, ir.Array{Elem: plain, Len: 3}: false, ir.Pointer{Elem: u}: false,
	} {
		assert.Equal(t, want, ir.HasUnion(typ), "%v", typ)
	}
}
