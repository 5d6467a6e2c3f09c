package native

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"goreify/compilers"
)

//go:embed flagsets-gcc.txt
var gccFlagSets string

//go:embed flagsets-clang.txt
var clangFlagSets string

//go:embed flagsets-llc.txt
var llcFlagSets string

// A flagSet is a line of a table of flags.
type flagSet struct {
	compilers.FlagSet
	processor string // for whose targets it is; empty for all
}

// parseFlagSets reads a table, whose first lines describe the format.
func parseFlagSets(text string) (list []flagSet, err error) {
	for line := range strings.Lines(text) {
		var set flagSet
		words := strings.Fields(line)
		if len(words) == 0 || words[0] == "#" {
			continue
		}
		for len(words) > 0 && !strings.HasPrefix(words[0], "-") {
			switch words[0] {
			case "arch":
				set.Arch = true
			case "scout":
				set.Scout = true
			default:
				set.processor = words[0]
			}
			words = words[1:]
		}
		for len(words) > 0 {
			n := 1
			if _, takes := pairShapes[words[0]]; takes {
				n = 2
			}
			if len(words) < n {
				return nil, fmt.Errorf("%q: %s takes a word", line, words[0])
			}
			set.Flags = append(set.Flags, strings.Join(words[:n], " "))
			words = words[n:]
		}
		if set.Flags == nil || set.Arch && set.Scout {
			return nil, fmt.Errorf("%q is no set of flags", line)
		}
		list = append(list, set)
	}
	return list, nil
}

// mustParse reads a table of our own.
func mustParse(text string) []flagSet {
	list, err := parseFlagSets(text)
	if err != nil {
		panic("native: a table of flags: " + err.Error())
	}
	return list
}

// flagSets returns those of a tool: the vectors of clang's, and passes or flags of its own.
func (s *toolset) flagSets() []flagSet {
	list := slices.DeleteFunc(slices.Clone(families["clang"].flagSets), func(f flagSet) bool { return !f.Arch })
	switch s.name {
	case opt:
		return append(list, s.pipelines()...)
	case llc:
		return append(list, mustParse(llcFlagSets)...)
	}
	return list
}

// FlagSets returns those of the family that are for the processor, or all if that is
// not known.
func (t Toolchain) FlagSets() (list []compilers.FlagSet) {
	processor, _, _ := strings.Cut(t.ID().Triple, "-")
	sets := t.row().flagSets
	if t.tools != nil {
		sets = t.tools.flagSets()
	}
	for _, set := range sets {
		if processor == "" || set.processor == "" || set.processor == processor {
			set.Flags = slices.Clone(set.Flags)
			list = append(list, set.FlagSet)
		}
	}
	return list
}
