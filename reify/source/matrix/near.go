package matrix

import (
	"slices"

	"goreify/reify/choice"
	"goreify/reify/source"
)

// Near returns the input of up to as many cells as a block has, around a cell of an input
// that a compiler fails on: with other operands, types and contexts, and with one more
// operation before or after it. There is none around cells that were named.
func (s Source) Near(in source.Input, cell string) (near source.Input, ok bool) {
	d, err := decode(in)
	if err != nil || d.Cells != nil || d.Only != "" {
		return near, false
	}
	c, err := Parse(cell)
	if err != nil {
		return near, false
	}
	a, draw := s.space(), choice.New(choice.Derive(3, "near "+cell))
	var names []string
	for range 8 * d.Size {
		v := a.vary(c, draw)
		name := v.String()
		if p, err := Parse(name); err == nil && p.wide() == c.wide() && name != cell && !slices.Contains(names, name) {
			names = append(names, name)
		}
		if len(names) == d.Size {
			break
		}
	}
	return source.Encode(Name, input{Options: Options{Size: d.Size, Language: d.Language}, Cells: names}), len(names) > 0
}

// vary returns a cell that differs from one in an operand, in its type, in its context, or
// by one more operation.
func (s *space) vary(c Cell, draw *choice.Stream) Cell {
	c.steps = slices.Clone(c.steps)
	last := c.steps[len(c.steps)-1]
	result, _ := last.op.resultType(last.t)
	switch kind := draw.Intn(8); {
	case kind == 0, kind > 2 && len(c.steps) >= 3:
		i := draw.Intn(len(c.steps))
		c.steps[i] = s.step(place{c.steps[i].op, c.steps[i].t}, i > 0, draw)
	case kind == 1 && len(c.steps) == 1:
		c.steps[0] = s.step(s.drawPlace(last.op.name, draw), false, draw)
	case kind <= 2:
		if c.context = choice.Pick(draw, contexts); !s.fits(c.context, result) {
			c.context = ""
		}
	case kind <= 5:
		if p, ok := s.place(choice.Pick(draw, s.names), s.linked(result, choice.Pick(draw, links), draw)); ok {
			c.steps = append(c.steps, s.step(p, true, draw))
		}
	default:
		first := c.steps[0]
		p, ok := s.place(choice.Pick(draw, s.names), first.t)
		if ok {
			c.steps = slices.Insert(c.steps, 0, s.step(p, false, draw))
			if first.op.operands == 1 {
				c.steps[1].words = nil
			}
		}
	}
	return c.bounded()
}
