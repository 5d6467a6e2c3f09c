package corpus

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A Configuration says in which modes a version of a compiler is known to fail
// or, in Entry.Good and Entry.ReducedGood, to be right.
type Configuration struct {
	Family, Version string   // as in Entry
	Args            []string // arguments besides the mode, such as -m32, the first of which begins with a dash; no argument is a lone colon
	Modes           []string // at least one, each a word such as "-O2" or "@c2"
}

// Add adds a mode of a compiler's version with these arguments to a list. Two names of
// one version count as one, and a mode that is there is not added again. The contents
// of list may change.
func Add(list []Configuration, family, version string, args []string, mode string) []Configuration {
	for i, c := range list {
		if c.Family == family && c.Version == version && slices.Equal(c.Args, args) {
			if !slices.Contains(c.Modes, mode) {
				list[i].Modes = append(c.Modes, mode)
			}
			return list
		}
	}
	return append(list, Configuration{Family: family, Version: version, Args: append([]string(nil), args...), Modes: []string{mode}})
}

// Merge returns the lists of configurations that fail and that are right, after those
// in newBad and newGood have been asked again. These have their new answer, and all
// others keep theirs, in their order.
func Merge(bad, good, newBad, newGood []Configuration) (mergedBad, mergedGood []Configuration) {
	asked := slices.Concat(newBad, newGood)
	merge := func(before, now []Configuration) (list []Configuration) {
		for _, c := range before {
			c.Modes = slices.DeleteFunc(slices.Clone(c.Modes), func(mode string) bool {
				return slices.ContainsFunc(asked, func(a Configuration) bool {
					return a.Family == c.Family && a.Version == c.Version && slices.Equal(a.Args, c.Args) && slices.Contains(a.Modes, mode)
				})
			})
			if len(c.Modes) > 0 {
				list = append(list, c)
			}
		}
		for _, c := range now {
			for _, mode := range c.Modes {
				list = Add(list, c.Family, c.Version, c.Args, mode)
			}
		}
		return list
	}
	return merge(bad, newBad), merge(good, newGood)
}

// String returns "FAMILY VERSION [ARGS...] : MODES...", as in the header.
func (c Configuration) String() string {
	return strings.Join(slices.Concat([]string{c.Family, c.Version}, c.Args, []string{":"}, c.Modes), " ")
}

func parseConfiguration(v string) (c Configuration, err error) {
	words := strings.Fields(v)
	colon, n := slices.Index(words, ":"), versionWords(words)
	if colon < 2 || n < 2 {
		return c, errors.New("want family, version, arguments, a lone colon and modes, such as gcc 12.2.0 -m32 : -O2 -O3")
	}
	c = Configuration{Family: words[0], Version: strings.Join(words[1:n], " "), Args: nonEmpty(words[n:colon]), Modes: words[colon+1:]}
	if len(c.Modes) == 0 {
		return c, fmt.Errorf("no mode after the colon, want at least one, such as %s %s : -O2", c.Family, c.Version)
	}
	return c, nil
}

// versionWords returns how many words name a family and its version. The version
// of a snapshot has several, such as "17.0.0 20261020"; it ends where an argument
// begins, with a dash or as a setting such as GOARCH=386, or at a lone colon.
func versionWords(words []string) int {
	end := slices.IndexFunc(words, func(w string) bool { return w == ":" || strings.HasPrefix(w, "-") || strings.Contains(w, "=") })
	if end < 0 {
		return len(words)
	}
	return end
}
