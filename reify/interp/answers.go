package interp

import "goreify/reify/ir"

// Asked runs the cases of p, each in a program of its own. For each foreign function
// that is called it returns a copy with only the answers that were asked for. The error
// is that of Run.
func Asked(p *ir.Program) (map[*ir.Function]*ir.Foreign, error) {
	asked := map[*ir.Function]*ir.Foreign{}
	for _, c := range p.Claims {
		_, err := Run(c.Func, c.Args, Options{Leave: func(c Call) {
			whole := c.Func.Foreign
			if whole == nil {
				return
			}
			if asked[c.Func] == nil {
				some := *whole
				some.Answers = nil
				asked[c.Func] = &some
			}
			if _, known := asked[c.Func].Answer(c.Args); !known {
				a, _ := whole.Answer(c.Args)
				asked[c.Func] = asked[c.Func].With(a)
			}
		}})
		if err != nil {
			return nil, err
		}
	}
	return asked, nil
}

// Answers runs p as RunProgram does and returns the values of its calls: for each call
// that returns the same value every time it is made, that value. The error is that of
// RunProgram.
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
