package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"

	"goreify/compilers/events"
)

// An eventSet is a set of events.
type eventSet map[events.Event]bool

// allEvents returns the events of all compilations.
func allEvents(list []compilation) eventSet {
	all := eventSet{}
	for _, c := range list {
		for _, e := range c.counts.Events() {
			all[e] = true
		}
	}
	return all
}

// isRare tells whether an event that n of total programs reach is rare: one in
// twenty at most, or a single one.
func isRare(n, total int) bool { return n <= max(1, total/20) }

// printEventTables writes the compilations of one source, a table for each toolchain: a
// line for each counter, its values at the levels and, if there are any programs to
// compare with, how many of those reach the rarest of its events, with an asterisk if
// that is rare. Functions that were not compiled or not understood follow.
func printEventTables(w io.Writer, list []compilation, others []eventSet) error {
	frequency := map[events.Event]int{}
	for _, s := range others {
		for e := range s {
			frequency[e]++
		}
	}
	for len(list) > 0 {
		n := 1
		for n < len(list) && list[n].toolchain.ID().Same(list[0].toolchain.ID()) {
			n++
		}
		if err := printEventTable(w, list[:n], frequency, len(others)); err != nil {
			return err
		}
		list = list[n:]
	}
	return nil
}

// printEventTable writes the table of one toolchain. total is the number of
// programs to compare with, of which frequency counts those that reach an event.
func printEventTable(w io.Writer, list []compilation, frequency map[events.Event]int, total int) error {
	rarest := map[events.Counter]int{}
	for e := range allEvents(list) {
		if n, known := rarest[e.Counter]; !known || frequency[e] < n {
			rarest[e.Counter] = frequency[e]
		}
	}
	fmt.Fprintf(w, "%v %s: %d counters\n", list[0].toolchain.ID(), list[0].toolchain.ID().Version, len(rarest))
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprint(tw, "pass\tcounter")
	for _, c := range list {
		fmt.Fprintf(tw, "\t%s", c.level)
	}
	if total > 0 {
		fmt.Fprintf(tw, "\tof %d", total)
	}
	fmt.Fprintln(tw)
	for _, counter := range slices.SortedFunc(maps.Keys(rarest), events.Counter.Compare) {
		fmt.Fprintf(tw, "%s\t%s", counter.Pass, counter.Name)
		for _, c := range list {
			value := "-"
			switch v, raised := c.counts[counter]; {
			case c.counts == nil:
				value = "?"
			case raised:
				value = fmt.Sprint(v)
			}
			fmt.Fprintf(tw, "\t%s", value)
		}
		if total > 0 {
			mark := ""
			if isRare(rarest[counter], total) {
				mark = " *"
			}
			fmt.Fprintf(tw, "\t%d%s", rarest[counter], mark)
		}
		fmt.Fprintln(tw)
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	for _, c := range list {
		if c.err != nil {
			fmt.Fprintf(w, "FAILED: %v %s: %v\n", c.toolchain.ID(), c.level, c.err)
		}
	}
	_, err := fmt.Fprintln(w)
	return err
}
