package foreign

import (
	"regexp"
	"strconv"
	"strings"

	"goreify/reify/choice"
	"goreify/reify/ir"
)

// Draw returns n inputs of a function, which depend on its symbol and text: numbers of
// the text, small ones, boundaries, powers of two and any.
func Draw(f *Function, n int) [][]int64 {
	s := choice.Named("inputs", []byte(f.Symbol))
	numbers := constants(f.Text)
	list := make([][]int64, n)
	for i := range list {
		kind := s.Intn(3)
		for _, t := range f.Params {
			lo, hi := t.Min(), t.Max()
			if t == ir.U64 {
				lo, hi = ir.I64.Min(), ir.I64.Max()
			}
			switch {
			case kind == 0:
				list[i] = append(list[i], s.Constant(max(lo, -8), min(hi, 64)))
			case kind == 1 && len(numbers) > 0 && s.Chance(3, 4):
				list[i] = append(list[i], t.Wrap(choice.Pick(s, numbers)+s.Int64(-1, 1)*s.Int64(0, 1)))
			default:
				list[i] = append(list[i], s.Constant(lo, hi))
			}
		}
	}
	return list
}

// constantText finds numbers and characters in C.
var constantText = regexp.MustCompile(`\b(0[xX][0-9a-fA-F]+|\d+)[uUlL]*\b|'(\\?)(.)'`)

// constants returns the numbers that a text has, in their order, each once.
func constants(text string) (list []int64) {
	seen := map[int64]bool{}
	for _, m := range constantText.FindAllStringSubmatch(text, -1) {
		v, err := strconv.ParseUint(m[1], 0, 64)
		if m[3] != "" {
			v, err = uint64(m[3][0]), nil
			if at := strings.IndexByte("0abtnvfr", m[3][0]); m[2] != "" && at >= 0 {
				v = []uint64{0, 7, 8, 9, 10, 11, 12, 13}[at]
			}
		}
		if err == nil && !seen[int64(v)] {
			seen[int64(v)] = true
			list = append(list, int64(v))
		}
	}
	return list
}
