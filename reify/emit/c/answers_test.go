package c_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"goreify/reify/answers"
	"goreify/reify/emit/c"
	"goreify/reify/ir"
)

func TestWrong(t *testing.T) {
	p := ir.MustParse(`func @f1(%a i32) i32 {
  only:
    return %a + 1
}
func @f2() i32 {
  only:
    return 7
}
case f1(a = 1) = 2 path only
case f1(a = 2) = 3 path only
case f2() = 7 path only
`)
	units := []c.Unit{{Claim: p.Claims[0], More: p.Claims[1:2]}, {Claim: p.Claims[2]}}
	for _, test := range []struct {
		stdout   string
		wrong    []int
		complete bool
	}{
		{c.Want(units), nil, true},
		{"f1 2\nf1#2 4\nf2 7\n", []int{0}, true},
		{"f1 2\nf1#2 3\nf2 8\n", []int{1}, true},
		{"f1 2\nf2 7\nf1#2 3\n", []int{0, 1}, true},
		{"f1 2\nf1#2 3\nf2 7", []int{1}, false},
		{"f1 2\nf1#2 3\n", []int{1}, false},
		{"f1 2\n", []int{0, 1}, false},
		{"", []int{0, 1}, false},
		{c.Want(units) + "more\n", nil, false},
	} {
		wrong, complete := answers.Wrong(c.Answers(units), []byte(test.stdout))
		assert.Equal(t, test.wrong, wrong, "%q", test.stdout)
		assert.Equal(t, test.complete, complete, "%q", test.stdout)
	}
	for function, unit := range map[string]int{"f1": 0, "test_f2": 1, "f": -1, "main": -1, "": -1} {
		assert.Equal(t, unit, c.UnitOf(units, function), function)
	}
}
