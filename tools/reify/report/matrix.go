package report

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"goreify/compilers"
	"goreify/corpus"
)

// A matrix says which configurations fail.
type matrix struct {
	Levels []string // in the order of levelOrder
	Rows   []row    // by family, version and arguments
}

// A row is a compiler at all levels.
type row struct {
	Family, Version, Args string
	Cells                 []cell // one for each level
}

// String names the compiler: "gcc 12.2.0 -m32".
func (r row) String() string {
	return strings.TrimSpace(r.Family + " " + r.Version + " " + r.Args)
}

// A cell is what is known of a configuration.
type cell int

const (
	unrecorded cell = iota
	works
	fails
)

func (c cell) String() string { return [...]string{"not recorded", "works", "fails"}[c] }

// levelOrder is the order in which levels are listed; other modes follow.
var levelOrder = []string{"-O0", "-Og", "-O1", "-Os", "-Oz", "-O2", "-O3", "-Ofast"}

func compareLevels(a, b string) int {
	rank := func(l string) int {
		if i := slices.Index(levelOrder, l); i >= 0 {
			return i
		}
		return len(levelOrder)
	}
	return cmp.Or(cmp.Compare(rank(a), rank(b)), strings.Compare(a, b))
}

// newMatrix makes a matrix of what an entry lists. A mode that is listed as both fails.
func newMatrix(bad, good []corpus.Configuration) matrix {
	var m matrix
	for _, b := range slices.Concat(bad, good) {
		m.Levels = append(m.Levels, b.Modes...)
	}
	slices.SortFunc(m.Levels, compareLevels)
	m.Levels = slices.Compact(m.Levels)
	add := func(list []corpus.Configuration, c cell) {
		for _, b := range list {
			r := m.row(b)
			for _, l := range b.Modes {
				i := slices.Index(m.Levels, l)
				r.Cells[i] = max(r.Cells[i], c)
			}
		}
	}
	add(bad, fails)
	add(good, works)
	slices.SortFunc(m.Rows, func(a, b row) int {
		// gcc's arguments are few: the plain compiler comes before -m32.
		return cmp.Or(strings.Compare(a.Family, b.Family), compilers.CompareVersions(a.Version, b.Version), strings.Compare(a.Args, b.Args))
	})
	return m
}

// row returns the row of a compiler, which it adds if it is not there.
func (m *matrix) row(b corpus.Configuration) *row {
	args := strings.Join(b.Args, " ")
	for i := range m.Rows {
		if r := &m.Rows[i]; r.Family == b.Family && r.Version == b.Version && r.Args == args {
			return r
		}
	}
	m.Rows = append(m.Rows, row{Family: b.Family, Version: b.Version, Args: args, Cells: make([]cell, len(m.Levels))})
	return &m.Rows[len(m.Rows)-1]
}

// failing returns the levels at which a compiler fails.
func (m matrix) failing(family, version, args string) (levels []string) {
	for _, r := range m.Rows {
		if r.Family != family || r.Version != version || r.Args != args {
			continue
		}
		for i, c := range r.Cells {
			if c == fails {
				levels = append(levels, m.Levels[i])
			}
		}
	}
	return levels
}

// Complete tells whether something is known to work, so that the matrix says
// more than where to look.
func (m matrix) Complete() bool {
	return slices.ContainsFunc(m.Rows, func(r row) bool { return slices.Contains(r.Cells, works) })
}

// compilers names those that fail at some level, versions of a family together:
// "gcc 11.3.0, 12.2.0".
func (m matrix) compilers() string {
	var text strings.Builder
	family, version := "", ""
	for _, r := range m.Rows {
		if !slices.Contains(r.Cells, fails) || r.Family == family && r.Version == version {
			continue
		}
		switch {
		case family == "":
			text.WriteString(r.Family + " ")
		case r.Family != family:
			text.WriteString("; " + r.Family + " ")
		default:
			text.WriteString(", ")
		}
		text.WriteString(r.Version)
		family, version = r.Family, r.Version
	}
	return text.String()
}

// standing is Bucket.Standing for a family, of which newest is the newest version,
// for its processor, that anything is known of. It is empty if the family is not
// known to fail there.
func (m matrix) standing(family, newest string) string {
	var bad, good []string // versions, ascending
	for _, r := range m.Rows {
		if lineOf(r.Family, r.Version) != lineOf(family, newest) {
			continue
		}
		list := &good
		if slices.Contains(r.Cells, fails) {
			list = &bad
		} else if !slices.Contains(r.Cells, works) {
			continue
		}
		if !slices.Contains(*list, r.Version) {
			*list = append(*list, r.Version)
		}
	}
	good = slices.DeleteFunc(good, func(v string) bool { return slices.Contains(bad, v) })
	if len(bad) == 0 {
		return ""
	}
	first, last := bad[0], bad[len(bad)-1]
	before := slices.DeleteFunc(slices.Clone(good), func(v string) bool { return compilers.CompareVersions(v, first) > 0 })
	after := slices.DeleteFunc(slices.Clone(good), func(v string) bool { return compilers.CompareVersions(v, last) < 0 })
	text := "Fails since " + called(family, first)
	if len(before) > 0 {
		text += " (" + called("", before[len(before)-1]) + " works)"
	} else if first != newest {
		text += " or earlier (no older one was asked)"
	}
	switch {
	case len(after) > 0:
		text += ", works again in " + called("", after[0])
	case last != newest:
		text += "; " + called("", newest) + " was not asked about this test"
	case first == newest:
		text += ", the newest asked"
		if len(before) == 0 {
			text += "; no older one was asked"
		}
	case compilers.SnapshotDay(newest) != "":
		text += ", still fails on " + called("", newest)
	default:
		text += ", still fails with " + called("", newest) + ", the newest asked"
	}
	return text + "."
}

var development = regexp.MustCompile(`^\d+\.0\b`)

// called names a version in a sentence: "gcc 16.2.0", "gcc trunk of 2026-10-20", and
// a snapshot of a release "gcc 16.2.1 of 2026-10-20". The family may be empty.
func called(family, version string) string {
	text := version
	if day := compilers.SnapshotDay(version); development.MatchString(version) && day != "" {
		text = "trunk of " + day
	} else if day != "" {
		number, _, _ := strings.Cut(version, " ")
		text = number + " of " + day
	}
	if build := compilers.BuildOf(version); build != "" && text != version {
		text += ", build " + build
	}
	return strings.TrimSpace(family + " " + text)
}
