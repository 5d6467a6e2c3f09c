package foreign

import (
	"context"
	"sync"

	"goreify/compilers"
)

// A Panel asks the same functions again and again: each driver is built once. It may be
// used concurrently, but asks one batch at a time.
type Panel struct {
	h         *Harvester
	functions []*Function
	number    map[*Function]int

	mu      sync.Mutex
	drivers map[string]panelDriver // by witness
}

type panelDriver struct {
	built compilers.Built
	bad   map[int]bool
}

// Panel returns a panel for functions, no two with the same symbol.
func (h *Harvester) Panel(functions []*Function) *Panel {
	p := &Panel{h: h, functions: functions, number: map[*Function]int{}, drivers: map[string]panelDriver{}}
	for i, f := range functions {
		p.number[f] = i
	}
	return p
}

// Ask is Harvester.Ask for questions about functions of the panel.
func (p *Panel) Ask(ctx context.Context, q []Question) ([]Reply, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	all := *p.h
	all.panel = p
	return all.Ask(ctx, q)
}

// guessDeaths bounds the questions of a batch that may kill a function before the other
// questions about it are given up: each takes as long as a thousand answers.
const guessDeaths = 4

// Guess asks one witness, once. Its answer counts for nothing until Ask confirms it.
func (p *Panel) Guess(ctx context.Context, q []Question) ([]Reply, error) {
	one := *p.h
	one.witnesses, one.narrow = one.witnesses[:1], nil
	p.mu.Lock()
	defer p.mu.Unlock()
	one.panel = p
	replies, _, err := one.ask(ctx, q, guessDeaths, func([]Reply) []int { return nil })
	return replies, err
}

// Close removes the drivers.
func (p *Panel) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, d := range p.drivers {
		if d.built.Path != "" {
			d.built.Remove()
		}
	}
	clear(p.drivers)
}

// driver returns the driver for a witness.
func (p *Panel) driver(ctx context.Context, b *batch) (compilers.Built, map[int]bool, error) {
	key := b.target.ID().String() + " " + b.mode + " " + b.reason
	if d, ok := p.drivers[key]; ok {
		return d.built, d.bad, nil
	}
	built, bad, err := b.build(ctx, p.functions)
	if err == nil {
		p.drivers[key] = panelDriver{built, bad}
	}
	return built, bad, err
}
