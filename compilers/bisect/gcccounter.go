package bisect

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A counter is one of gcc's debug counters with the number of transformations
// that it has counted in a compilation.
type counter struct {
	name  string
	total int
}

var counterLine = regexp.MustCompile(`(?m)^  (\w+) +(\d+) +\S.*$`)

// parseCounters returns the counters that -fdbg-cnt-list reports as used. Of
// several files' lists the largest number counts.
func parseCounters(list string) []counter {
	var used []counter
	for _, m := range counterLine.FindAllStringSubmatch(list, -1) {
		n, err := strconv.Atoi(m[2])
		if err != nil || n == 0 {
			continue
		}
		if i := slices.IndexFunc(used, func(c counter) bool { return c.name == m[1] }); i >= 0 {
			used[i].total = max(used[i].total, n)
		} else {
			used = append(used, counter{m[1], n})
		}
	}
	return used
}

// upTo returns the argument that allows the first n transformations only.
func (c counter) upTo(n int) string { return fmt.Sprintf("-fdbg-cnt=%s:%d", c.name, n) }

// gccCounter returns the counter with a number of transformations that makes the
// program right, and the number of the first one too many; or "". Of several
// counters it is the pass's own, or else the one that has counted least.
func (t *Test) gccCounter(ctx context.Context, pass string) (name string, n int, err error) {
	list, err := t.log(ctx, "-fdbg-cnt-list")
	if err != nil {
		return "", 0, err
	}
	used := parseCounters(list)
	stem := strings.ReplaceAll(pass, "-", "_")
	if _, after, ok := strings.Cut(stem, "_"); ok {
		stem = instance.ReplaceAllString(after, "")
	}
	own := func(c counter) bool { return stem != "" && strings.Contains(c.name, stem) }
	slices.SortStableFunc(used, func(a, b counter) int {
		switch {
		case own(a) == own(b):
			return a.total - b.total
		case own(a):
			return -1
		}
		return 1
	})
	for _, c := range used {
		if t.ask(ctx, c.upTo(0)) != right || t.ask(ctx, c.upTo(c.total)) != fails {
			continue
		}
		lo, hi := halve(0, c.total, func(n int) bool { return t.ask(ctx, c.upTo(n)) == right })
		if t.confirm(ctx, c.upTo(lo)) == right && t.confirm(ctx, c.upTo(hi)) == fails {
			return c.name, hi, nil
		}
	}
	return "", 0, nil
}
