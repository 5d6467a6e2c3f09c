package counters

import (
	"fmt"
	"io"
	"text/tabwriter"

	"goreify/compilers/events"
	"goreify/compilers/native"
)

// A Report puts results beside each other.
type Report struct {
	Compiler string    `json:"compiler"`
	Version  string    `json:"version"`
	Results  []*Result `json:"results"`
	Together int       `json:"together"` // distinct counters of all results
	Against  string    `json:"against"`  // the source whose sums the others' are compared with; may be ""
	Missing  []string  `json:"missing"`  // generators that are not here
}

// NewReport compares results: with those of the source named against, if that
// is not "".
func NewReport(t native.Toolchain, results []*Result, against string) (*Report, error) {
	r := &Report{Compiler: t.String(), Version: t.Version, Results: results, Against: against}
	all, in := events.Counts{}, map[events.Counter]int{}
	var base *Result
	for _, s := range results {
		all.Add(s.Counts)
		for c := range s.Counts {
			in[c]++
		}
		if s.Source == against {
			base = s
		}
	}
	if against != "" && base == nil {
		return nil, fmt.Errorf("there are no counters of %q to compare with", against)
	}
	r.Together = len(all)
	for _, s := range results {
		for c := range s.Counts {
			if in[c] == 1 {
				s.Alone++
			}
		}
		if base != nil {
			s.Ratio, s.Common = ratio(s.Counts, s.CPUSeconds, base.Counts, base.CPUSeconds)
			s.Done, _ = ratio(allDone(s.Counts), s.CPUSeconds, allDone(base.Counts), base.CPUSeconds)
		}
	}
	return r, nil
}

// Table writes the report for people.
func (r *Report) Table(w io.Writer) error {
	fmt.Fprintf(w, "%s %s -O3\n", r.Compiler, r.Version)
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(tw, "source\tprograms\tfunctions\tfailed\tCPU s\tcounters\tof no other\t")
	if r.Against != "" {
		fmt.Fprintf(tw, "sums : %s\tcounters of both\toptimised : %s\t", r.Against, r.Against)
	}
	fmt.Fprintln(tw)
	for _, s := range r.Results {
		functions := "-"
		if s.Functions > 0 {
			functions = fmt.Sprint(s.Functions)
		}
		fmt.Fprintf(tw, "%s\t%d\t%s\t%d\t%.1f\t%d\t%d\t", s.Source, s.Programs, functions, s.Failed, s.CPUSeconds, s.Distinct, s.Alone)
		if r.Against != "" {
			fmt.Fprintf(tw, "%.2f\t%d\t%.2f\t", s.Ratio, s.Common, s.Done)
		}
		fmt.Fprintln(tw)
	}
	fmt.Fprintf(tw, "together\t\t\t\t\t%d\t\n", r.Together)
	if err := tw.Flush(); err != nil {
		return err
	}
	for _, missing := range r.Missing {
		if _, err := fmt.Fprintf(w, "NOT MEASURED: %s\n", missing); err != nil {
			return err
		}
	}
	return nil
}
