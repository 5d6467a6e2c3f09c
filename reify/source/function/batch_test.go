package oracle

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"goreify/compilers"
	"goreify/reify"
	"goreify/reify/emit/c"
	"goreify/reify/ir"
)

// Lines of the output belong to cases, of which the second has three.
func TestSuspects(t *testing.T) {
	p := ir.MustParse(`
func @f(%a i32) i32 {
  entry:
    goto exit
  exit:
    return %a
}
func @g(%a i32) i32 {
  entry:
    goto exit
  exit:
    return %a
}
case f(a = 1) = 1 path entry exit
case g(a = 2) = 2 path entry exit
case g(a = 3) = 3 path entry exit
case g(a = 4) = 4 path entry exit
`)
	units := []c.Unit{{Case: p.Cases[0]}, {Case: p.Cases[1], More: p.Cases[2:]}, {Case: p.Cases[0]}}
	b := &batch{cases: make([]*reify.Case, len(units)), units: units}
	for out, want := range map[string][]int{
		"f 1\ng 2\ng#2 3\ng#3 4\nf_2 1\n":  {0, 1, 2},
		"f 1\ng 2\ng#2 3\ng#3 5\nf_2 1\n":  {1, 0, 2},
		"f 1\ng 2\ng#2 -3\ng#3 4\nf_2 2\n": {1, 2, 0},
		"f 1\ng 2\ng#2 3\n":                {1, 2, 0},
		"f 1\ng 2\ng#2 3\ng#3 4\nf_2":      {2, 0, 1},
		"f 0\n":                            {0, 1, 2},
		"":                                 {0, 1, 2},
	} {
		assert.Equal(t, want, suspects(b, compilers.Outcome{Stdout: []byte(out)}), "%q", out)
	}
}

func TestNamed(t *testing.T) {
	p := ir.MustParse(`
func @f(%a i32) i32 {
  entry:
    goto exit
  exit:
    return %a
}
case f(a = 1) = 1 path entry exit
case f(a = 2) = 2 path entry exit
`)
	b := &batch{units: []c.Unit{{Case: p.Cases[0]}, {Case: p.Cases[1]}}}
	for text, want := range map[string][]int{
		"": nil,
		"during RTL pass: vrp\nrepro.c: In function 'f_2':\nrepro.c:3:1: internal compiler error: x": {1},
		"repro.c: In function 'test_f':\n": {0},
		"repro.c: In function 'main':\n":   nil,
		"4.\tRunning pass \"instcombine\" on function \"f_2\"\n5.\tRunning pass 'X86' on function '@f'\n": {1, 0},
		"4.\tRunning pass \"x\" on function \"f_2\"\n4.\tRunning pass \"x\" on function \"@f\"":           {1, 0},
	} {
		assert.Equal(t, want, named(b, compilers.Outcome{Stderr: []byte(text)}), "%q", text)
	}
}
