// Package beacon makes what compilers say a matter of Go coverage, which is all
// that Go's fuzzing engine sees. Each optimisation event has a lamp: a case of a
// switch, with nothing in it but the coverage counter that the engine's build
// gives to every case. An input that lights a lamp that was dark before has new
// coverage, so the engine keeps it.
//
//	event ─hash→ one of 16384 lamps ─case→ coverage counter
//
// Two events with one lamp are one to the engine. Of 2,000 events some 120 share
// theirs with an earlier one. Without coverage counters the switch is empty
// code.
//
// Pairs of events of one compilation have no lamps: of 20 batches that gcc-12
// compiled at -O3 each had 800 to 7,000 pairs that none before it had, 65,000 in
// all, so that the engine would keep every input; the last five had 3 to 19 new
// single events of 633.
package beacon

import "goreify/compilers/events"

//go:generate go run gen.go

// Show lights the lamps of the events of some compilations of one input. A lamp
// is lit once, however many of them raise it: the engine takes a counter's
// second, fourth, eighth time for news, too.
func Show(compilations ...events.Counts) {
	lit := map[uint64]bool{}
	for _, counts := range compilations {
		for _, e := range counts.Events() {
			n := e.Hash() % Lamps
			if !lit[n] {
				lit[n] = true
				Light(n)
			}
		}
	}
}
