package function

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"goreify/compilers"
	"goreify/reify/emit/c"
	"goreify/reify/ir"
	"goreify/reify/language"
)

// Lines of the output belong to cases, of which the second has three. An output
// that lacks some accuses nobody.
func TestGuilty(t *testing.T) {
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
	b := batchOf(language.Unit{Claim: p.Claims[0]}, language.Unit{Claim: p.Claims[1], More: p.Claims[2:]}, language.Unit{Claim: p.Claims[0]})
	for out, want := range map[string][]int{
		"f 1\ng 2\ng#2 3\ng#3 4\nf_2 1\n":  nil,
		"f 1\ng 2\ng#2 3\ng#3 5\nf_2 1\n":  {1},
		"f 1\ng 2\ng#2 -3\ng#3 4\nf_2 2\n": {1, 2},
		"f 0\ng 2\ng#2 3\ng#3 4\nf_2 1\n":  {0},
		"f 1\ng 2\ng#2 3\n":                nil,
		"f 1\ng 2\ng#2 3\ng#3 4\nf_2":      nil,
		"f 0\n":                            nil,
		"":                                 nil,
	} {
		assert.Equal(t, want, b.Guilty(compilers.Outcome{Verdict: compilers.WrongAnswer, Stdout: []byte(out)}), "%q", out)
		crash := compilers.Outcome{Verdict: compilers.Crash, Stdout: []byte(out)}
		assert.Empty(t, b.Guilty(crash), "%q", out)
	}
}

// A compiler that gives up names functions, or those that test them.
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
	b := batchOf(language.Unit{Claim: p.Claims[0]}, language.Unit{Claim: p.Claims[1]})
	for _, tt := range []struct {
		named []string
		want  []int
	}{
		{nil, nil},
		{[]string{"f_2"}, []int{1}},
		{[]string{"test_f"}, []int{0}},
		{[]string{"main"}, nil},
		{[]string{"f_2", "f"}, []int{1, 0}},
		{[]string{"f_2", "main", "test_f_2", "f"}, []int{1, 0}},
	} {
		assert.Equal(t, tt.want, b.Guilty(compilers.Outcome{Verdict: compilers.InternalError, Named: tt.named}), "%q", tt.named)
	}
}

// batchOf returns a batch in C of units in the plain style.
func batchOf(units ...language.Unit) *Batch {
	b := &Batch{list: make([]Member, len(units))}
	for i := range units {
		units[i].Style = c.Style{}
	}
	b.text = language.C.Write(units)
	return b
}
