package link

import (
	"slices"
	"strconv"

	"goreify/reify/ir"
)

// Join returns programs as one that costs less to compile: its main makes the
// call of each, in order. Function @f of the third one is @p2_f; those that are foreign
// keep their names, and are in one program each. The programs are copied: they stay as
// they are.
func Join(programs []*Linked) *Linked {
	all := &Linked{IR: &ir.Program{}, Answers: make(map[*ir.Call]int64)}
	for i, p := range programs {
		q := p.IR.Clone()
		for k, f := range q.Funcs {
			if f.Foreign == nil {
				f.Name = "p" + strconv.Itoa(i) + "_" + f.Name
			}
			copies := slices.Collect(f.Calls())
			n := 0
			for call := range p.IR.Funcs[k].Calls() {
				if answer, known := p.Answers[call]; known {
					all.Answers[copies[n]] = answer
				}
				n++
			}
		}
		all.IR.Funcs = append(all.IR.Funcs, q.Funcs...)
		all.IR.Claims = append(all.IR.Claims, q.Claims...)
		all.Purity = append(all.Purity, p.Purity...)
		all.Calls += p.Calls
		all.Sites += p.Sites
		all.Helpers += p.Helpers
	}
	return all
}
