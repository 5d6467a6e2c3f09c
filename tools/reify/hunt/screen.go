package hunt

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/term"

	"goreify/corpus"
	"goreify/reify/printable"
)

// plainWidth is the width of a summary on what is no terminal.
const plainWidth = 100

// Width returns the columns of the terminal that a file is, or those of a summary on what
// is none.
func Width(f *os.File) int {
	if columns, _, err := term.GetSize(int(f.Fd())); err == nil && columns > 0 {
		return columns
	}
	return plainWidth
}

// A page is lines, none of which is wider than the page.
type page struct {
	width int
	lines []string
}

// add adds a line, which is cut where it is too long.
func (p *page) add(format string, args ...any) {
	p.lines = append(p.lines, cut(fmt.Sprintf(format, args...), p.width))
}

// wrap adds a text, in lines after the first of which the others are indented.
func (p *page) wrap(text string) {
	const indent = "    "
	text = printable.Line(text)
	for begin := ""; text != ""; begin = indent {
		line := []rune(begin + text)
		if len(line) <= p.width {
			p.lines = append(p.lines, string(line))
			return
		}
		at := p.width
		for at > p.width/2 && line[at] != ' ' {
			at--
		}
		if at == p.width/2 {
			at = p.width
		}
		p.lines = append(p.lines, strings.TrimRight(string(line[:at]), " "))
		text = strings.TrimLeft(string(line[at:]), " ")
	}
}

// section adds an empty line and a heading.
func (p *page) section(heading string) {
	p.lines = append(p.lines, "")
	p.add("%s", heading)
}

// cut returns a text with at most so many characters, the last of which says if any are
// missing.
func cut(text string, width int) string {
	text = strings.TrimRight(printable.Line(text), " ")
	if utf8.RuneCountInString(text) <= width {
		return text
	}
	return string([]rune(text)[:max(width-1, 0)]) + "…"
}

// Write writes the summary as text, in lines of at most Width columns.
func (s *Summary) Write(w io.Writer) error {
	p := s.page(len(s.ByBucket), true)
	p.lines = append(p.lines, "")
	s.tables(p)
	_, err := io.WriteString(w, strings.TrimRight(strings.Join(p.lines, "\n"), "\n")+"\n")
	return err
}

// page returns what matters first: how it stands, at most so many findings, with all that
// is known of them or a line each, what is asked now, and counts.
func (s *Summary) page(most int, details bool) *page {
	p := &page{width: cmp.Or(s.Width, plainWidth)}
	p.add("%s: %s, seed %d", s.Dir, s.clock(), s.Seed)
	p.add("%s", s.found())
	s.buckets(p, most, details)
	for _, d := range s.Damaged {
		p.wrap("DAMAGED: " + d)
	}
	for _, a := range s.Unanswered {
		p.wrap(fmt.Sprintf("batch %d (kind %s) had no answer %d of %d times: %s", a.Batch, a.Kind, a.Tries, mostTries, a.Reason))
	}
	for _, a := range s.SetAside {
		p.wrap(fmt.Sprintf("batch %d (kind %s) is set aside, as not all answered %d times: %s", a.Batch, a.Kind, mostTries, a.Reason))
	}
	s.cells(p)
	if len(s.Now) > 0 {
		p.section("now")
		for _, d := range s.Now {
			p.add("  %s", d)
		}
	}
	p.lines = append(p.lines, "")
	p.add("%-14s %10d %8.1f/s", "functions", s.Functions, per(s.Functions, s.Seconds))
	p.add("%-14s %10d %8.1f/s", "programs", s.Programs, per(s.Programs, s.Seconds))
	p.add("%-14s %10d %8.1f/s", "compilations", s.Compilations, per(s.Compilations, s.Seconds))
	p.add("%-14s %10.0f %8.1f %% in compilers", "CPU seconds", s.CPUSeconds, 100*s.CompilerCPUSeconds/max(s.CPUSeconds, 1e-9))
	p.add("%s done, %d not finished, %s, %d unconfirmed, %s", count(s.Batches, "batch"), s.Unfinished, count(s.Discards, "discard"), s.Unconfirmed, count(s.Notes, "note"))
	return p
}

// cells adds what the cells of a matrix have come to, a line for each target.
func (s *Summary) cells(p *page) {
	if s.Cells == nil {
		return
	}
	p.section(fmt.Sprintf("%-26s %8s %8s %6s %6s %11s %8s", "cells", "asked", "right", "wrong", "by key", "unexplained", "rejected"))
	for _, t := range s.Cells.Targets {
		p.add("%-26s %8d %8d %6d %6d %11d %8d", cut(t.Name, 26), t.Asked, t.Right, t.Wrong, t.ByKey, t.Unexplained, t.Rejected)
	}
	for _, t := range s.Cells.Targets {
		if t.Same > 0 {
			p.add("%s was not asked about %s of the same code", t.Name, count(t.Same, "cell"))
		}
		if t.NoAnswer > 0 {
			p.add("%s gave no sure answer about %s", t.Name, count(t.NoAnswer, "cell"))
		}
	}
	if s.Cells.NotMade > 0 {
		p.add("%s not made: the language cannot write them, or no inputs are known", count(s.Cells.NotMade, "cell"))
	}
}

// clock says how long the hunt has run, and how long it will.
func (s *Summary) clock() string {
	total := time.Duration(s.Seconds * float64(time.Second))
	if !s.Running || len(s.Runs) == 0 {
		return fmt.Sprintf("not running, %s in %s", span(total), s.countRuns())
	}
	run := s.Runs[0]
	text := "running " + span(time.Duration(run.Seconds*float64(time.Second)))
	if run.Until != nil {
		text += ", " + span(max(0, time.Until(*run.Until))) + " left"
	}
	if len(s.Runs) > 1 {
		text += fmt.Sprintf(", %s in %s", span(total), s.countRuns())
	}
	return text
}

// span returns a duration as 7h05m, 12m05s or 5s: what changes stays in its place.
func span(d time.Duration) string {
	d = d.Round(time.Second)
	h, m, s := int(d.Hours()), int(d.Minutes())%60, int(d.Seconds())%60
	switch {
	case h > 0:
		return fmt.Sprintf("%dh%02dm", h, m)
	case m > 0:
		return fmt.Sprintf("%dm%02ds", m, s)
	}
	return fmt.Sprintf("%ds", s)
}

// found says in a line what was found.
func (s *Summary) found() string {
	switch {
	case s.Findings == 0 && s.Running:
		return "no findings yet"
	case s.Findings == 0:
		return "no findings"
	}
	text := fmt.Sprintf("%s in %s, %d new in this run", count(s.Findings, "finding"), count(s.Buckets, "bucket"), s.NewBuckets)
	if s.KnownBuckets > 0 {
		text += fmt.Sprintf(", %d known", s.KnownBuckets)
	}
	if s.LastBucket != nil {
		text += ", the last " + span(time.Since(*s.LastBucket)) + " ago"
	}
	return text
}

// buckets adds at most so many buckets: new ones first, then those found last, and those
// that are known at the end. With details each has its bucket and its directory.
func (s *Summary) buckets(p *page, most int, details bool) {
	rank := func(b Bucket) int {
		switch {
		case b.New:
			return 0
		case b.Known == "":
			return 1
		}
		return 2
	}
	list := slices.Clone(s.ByBucket)
	slices.Reverse(list)
	slices.SortStableFunc(list, func(a, b Bucket) int { return rank(a) - rank(b) })
	for i, b := range list {
		if i == most {
			p.add("  and %s more", count(len(list)-most, "bucket"))
			return
		}
		mark := ""
		if b.New {
			mark = "NEW"
		}
		text := cmp.Or(b.Title, b.Fingerprint)
		// A culprit is a bucket without modes, as triage has it: gcc/crash/tree-vrp2.
		if parts := strings.SplitN(b.Culprit, "/", 3); len(parts) == 3 && b.Culprit != b.Bucket {
			text += ": " + parts[2]
		}
		p.add("%-3s %4d x  %s", mark, b.Findings, text)
		if !details {
			continue
		}
		if bucket := cmp.Or(b.Bucket, b.Fingerprint); bucket != text {
			p.add("            %s", bucket)
		}
		if b.Known != "" {
			p.add("            known: %s", b.Known)
		} else {
			p.add("            %s/%s", corpus.FindingsDir, b.Saved)
		}
	}
}

// tables adds the plan and what kinds, compilers and flags have come to.
func (s *Summary) tables(p *page) {
	p.wrap("plan " + s.Plan)
	if len(s.ByKind) > 0 {
		p.section(fmt.Sprintf("%-20s %8s %10s %8s %8s %6s", "kind", "batches", "functions", "CPU s", "buckets", "lately"))
	}
	for _, k := range s.ByKind {
		p.add("%-20s %8d %10d %8.0f %8d %5.0f%%", k.Name, k.Batches, k.Functions, k.CPUSeconds, k.Buckets, 100*k.Share)
	}
	if len(s.ByCompiler) > 0 {
		p.section(fmt.Sprintf("%-40s %8s %8s", "compiler", "findings", "buckets"))
	}
	for _, c := range s.ByCompiler {
		p.add("%-40s %8d %8d", cut(c.Name, 40), c.Findings, c.Buckets)
	}
	yields := func(f Flag) bool { return f.Buckets > 0 }
	if slices.ContainsFunc(s.Flags, yields) {
		p.section(fmt.Sprintf("%-40s %8s %8s %8s", "flag", "batches", "CPU s", "buckets"))
	}
	for _, f := range s.Flags {
		if yields(f) {
			p.add("%-40s %8d %8.0f %8d", cut(f.Family+" "+f.Flag, 40), f.Batches, f.CPUSeconds, f.Buckets)
		}
	}
}

// countRuns says how many runs there were, as far as Runs tells.
func (s *Summary) countRuns() string {
	text := count(len(s.Runs), "run")
	if len(s.Runs) == pastRuns {
		text += " or more"
	}
	return text
}

// count returns a number and a noun, in the plural unless it is 1.
func count[T int | int64](n T, noun string) string {
	switch {
	case n == 1:
		return "1 " + noun
	case strings.HasSuffix(noun, "ch"):
		noun += "e"
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// line says the most important in a line.
func (s *Summary) line() string {
	return cut(fmt.Sprintf("%s; %s; %s, %.0f CPU s, %.1f %% in compilers", s.clock(), s.found(),
		count(s.Functions, "function"), s.CPUSeconds, 100*s.CompilerCPUSeconds/max(s.CPUSeconds, 1e-9)), cmp.Or(s.Width, plainWidth))
}

func per(n int64, seconds float64) float64 {
	if seconds <= 0 {
		return 0
	}
	return float64(n) / seconds
}

// A titled finding is how screens name it. Triage changes both.
type titled struct{ title, bucket string }

// titles returns the titles of findings that are saved, and the buckets that triage has
// put them in. A finding that cannot be read has neither.
func titles(dir string, known map[string]titled, list []Bucket) map[string]titled {
	all := map[string]titled{}
	for _, b := range list {
		if b.Known != "" {
			continue
		}
		t, ok := known[b.Saved]
		if !ok {
			if e, err := corpus.LoadFinding(dir, b.Saved); err == nil {
				t = titled{e.Title, e.Bucket}
			}
		}
		all[b.Saved] = t
	}
	return all
}

// name gives the buckets their titles.
func (s *Summary) name(of map[string]titled) {
	for i := range s.ByBucket {
		b := &s.ByBucket[i]
		t := of[b.Saved]
		b.Title, b.Bucket = t.title, t.bucket
	}
}
