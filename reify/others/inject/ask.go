package inject

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"goreify/reify/ir"
	"goreify/reify/mutate"
	"goreify/reify/others/foreign"
)

// callees returns the functions with the arguments that can be passed to them. Answers
// that the database lacks are asked for, and kept there.
func (s *Source) callees(ctx context.Context, in input, all map[string]*found) (map[string]mutate.Callee, error) {
	callees := map[string]mutate.Callee{}
	around := func() (open []foreign.Question, err error) {
		base, err := s.open()
		if err != nil {
			return nil, err
		}
		for _, symbol := range slices.Sorted(maps.Keys(all)) {
			f := all[symbol]
			known, err := base.Asked(f.function)
			if err != nil {
				return nil, fmt.Errorf("answers of %s: %w", symbol, err)
			}
			grids, answers, questions := foreign.Around(f.function, f.pairs, known)
			open = append(open, questions...)
			c := mutate.Callee{Func: f.ir}
			for _, g := range grids {
				c.Grids = append(c.Grids, mutate.Grid(g))
			}
			f.ir.Foreign = f.ir.Foreign.With(foreign.Answers(answers)...)
			callees[symbol] = c
		}
		return open, nil
	}
	if in.Wide {
		for symbol, f := range all {
			callees[symbol] = mutate.Callee{Func: f.ir}
		}
		return callees, nil
	}
	open, err := around()
	if err == nil && len(open) > 0 {
		if err = s.learn(ctx, open, all); err == nil {
			_, err = around()
		}
	}
	if err != nil && ctx.Err() == nil {
		err = doubtful(err)
	}
	return callees, err
}

// learn asks, and keeps the answers in the database.
func (s *Source) learn(ctx context.Context, open []foreign.Question, all map[string]*found) error {
	asker, err := s.asker(all)
	if err != nil {
		return err
	}
	replies, err := asker.Ask(ctx, open)
	if err != nil {
		return err
	}
	base, err := s.open()
	for i := 0; i < len(open) && err == nil; {
		f, from := open[i].Function, i
		for i < len(open) && open[i].Function == f {
			i++
		}
		err = base.Learn(f, replies[from:i])
	}
	return err
}

// mostPanels is how many panels are kept: batches are made a few at a time, in order.
const mostPanels = 2

// A panel is an Asker for the functions of a key.
type panel struct {
	key   string
	asker Asker
}

// asker returns the Asker for functions.
func (s *Source) asker(all map[string]*found) (Asker, error) {
	if s.Ask == nil {
		return nil, errors.New("no asker for the answers of functions")
	}
	symbols := slices.Sorted(maps.Keys(all))
	key := strings.Join(symbols, " ")
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := slices.IndexFunc(s.panels, func(p panel) bool { return p.key == key }); i >= 0 {
		return s.panels[i].asker, nil
	}
	var list []*foreign.Function
	for _, symbol := range symbols {
		list = append(list, all[symbol].function)
	}
	asker, err := s.Ask(list)
	if err != nil {
		return nil, err
	}
	s.panels = append(s.panels, panel{key, asker})
	if len(s.panels) > mostPanels {
		s.panels[0].asker.Close() // a user that still asks it makes it compile again
		s.panels = s.panels[1:]
	}
	return asker, nil
}

// asking puts the questions of a program to compilers.
type asking struct {
	ctx context.Context
	s   *Source
	all map[string]*found
}

// Guess asks one witness.
func (a *asking) Guess(list []mutate.Question) ([]ir.Answer, error) {
	return a.with(Asker.Guess, list)
}

// Ask asks all witnesses.
func (a *asking) Ask(list []mutate.Question) ([]ir.Answer, error) { return a.with(Asker.Ask, list) }

func (a *asking) with(ask func(Asker, context.Context, []foreign.Question) ([]foreign.Reply, error), list []mutate.Question) ([]ir.Answer, error) {
	var questions []foreign.Question
	for _, q := range list {
		questions = append(questions, foreign.Question{Function: a.all[q.Func.Name].function, Args: q.Args})
	}
	asker, err := a.s.asker(a.all)
	if err != nil {
		return nil, err
	}
	replies, err := ask(asker, a.ctx, questions)
	if err != nil {
		return nil, err
	}
	answers := make([]ir.Answer, len(list))
	for i, r := range replies {
		if r.Refused == "" {
			answers[i] = ir.Answer{Want: r.Want, Steps: max(1, r.Steps)}
		}
	}
	return answers, nil
}

// mostEdits bounds the expressions of a function that depend on the answers.
const mostEdits = 4
