package interp

import "goreify/reify/ir"

// Answers runs p as RunProgram does and returns what its calls return: for each
// call that is made, and returns the same value every time, that value. The
// error is that of RunProgram.
func Answers(p *ir.Program) (map[*ir.Call]int64, error) {
	answers := map[*ir.Call]int64{}
	differ := map[*ir.Call]bool{}
	_, err := RunProgram(p, Options{Leave: func(c Call) {
		if c.Site == nil {
			return
		}
		if v, seen := answers[c.Site]; seen && v != c.Value {
			differ[c.Site] = true
		}
		answers[c.Site] = c.Value
	}})
	for site := range differ {
		delete(answers, site)
	}
	return answers, err
}
