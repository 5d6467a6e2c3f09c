package survey

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"

	"goreify/compilers/events"
)

// Table writes the reaches of one program, a table for each toolchain: a line for
// each counter, its values at the levels and, if there are any programs to
// compare with, how many of those reach the rarest of its events, with an
// asterisk if that is rare. What was not compiled or understood follows.
func Table(w io.Writer, reaches []Reach, others []Set) error {
	frequency := Frequency(others)
	for len(reaches) > 0 {
		n := 1
		for n < len(reaches) && reaches[n].Toolchain.String() == reaches[0].Toolchain.String() {
			n++
		}
		if err := tableOf(w, reaches[:n], frequency, len(others)); err != nil {
			return err
		}
		reaches = reaches[n:]
	}
	return nil
}

func tableOf(w io.Writer, reaches []Reach, frequency map[events.Event]int, total int) error {
	rarest := map[events.Counter]int{}
	for _, r := range reaches {
		for _, e := range r.Counts.Events() {
			if n, known := rarest[e.Counter]; !known || frequency[e] < n {
				rarest[e.Counter] = frequency[e]
			}
		}
	}
	fmt.Fprintf(w, "%v %s: %d counters\n", reaches[0].Toolchain, reaches[0].Toolchain.Version, len(rarest))
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprint(tw, "pass\tcounter")
	for _, r := range reaches {
		fmt.Fprintf(tw, "\t%s", r.Level)
	}
	if total > 0 {
		fmt.Fprintf(tw, "\tof %d", total)
	}
	fmt.Fprintln(tw)
	for _, c := range slices.SortedFunc(maps.Keys(rarest), events.Counter.Compare) {
		fmt.Fprintf(tw, "%s\t%s", c.Pass, c.Name)
		for _, r := range reaches {
			value := "-"
			switch v, raised := r.Counts[c]; {
			case r.Counts == nil:
				value = "?"
			case raised:
				value = fmt.Sprint(v)
			}
			fmt.Fprintf(tw, "\t%s", value)
		}
		if total > 0 {
			mark := ""
			if IsRare(rarest[c], total) {
				mark = " *"
			}
			fmt.Fprintf(tw, "\t%d%s", rarest[c], mark)
		}
		fmt.Fprintln(tw)
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	for _, r := range reaches {
		if r.Err != nil {
			fmt.Fprintf(w, "NOT HEARD: %v %s: %v\n", r.Toolchain, r.Level, r.Err)
		}
	}
	_, err := fmt.Fprintln(w)
	return err
}
