package events

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
)

// remarkKinds are the tags of the remarks of an optimisation record, and what
// their names begin with here. AnalysisFPCommute and AnalysisAliasing are of
// loops that the vectoriser could take if it might reorder operations.
var remarkKinds = map[string]string{
	"Passed": "passed ", "Missed": "missed ", "Analysis": "analysis ",
	"AnalysisFPCommute": "analysis ", "AnalysisAliasing": "analysis ", "Failure": "failure ",
}

// remarkKeys are the keys of a remark that are not looked at.
var remarkKeys = []string{"Function", "DebugLoc", "Hotness", "Args"}

// instruction begins an argument of the remark InstructionMix that tells how
// many instructions of a kind there are in a block. Clang 19 and older leave
// out the kind.
var instruction = []byte("  - INST_")

// ParseRecord reads what clang writes with -fsave-optimization-record: counts of
// its remarks, whose names begin with their kind, "passed Inlined", and where
// they are named those of the machine instructions. It reads just enough of YAML
// for what LLVM writes: a remark a document, a key a line, what is indented
// belonging to the key above. A file without a line is one in which nothing was
// remarked. Anything else is an error that names the line.
func ParseRecord(text []byte) (Counts, error) {
	counts := Counts{}
	number := 0
	var remark struct {
		kind       string // "" between remarks
		pass, name string
	}
	for line := range bytes.Lines(text) {
		number++
		line = bytes.TrimSuffix(line, []byte("\n"))
		unknown := func(why string) error {
			return fmt.Errorf("optimisation record: line %d is %q: %s", number, line, why)
		}
		tag, begins := bytes.CutPrefix(line, []byte("--- !"))
		if (remark.kind == "") != begins {
			return nil, unknown("want --- !KIND, and only there, where a remark begins")
		}
		switch {
		case begins:
			if remark.kind = remarkKinds[string(tag)]; remark.kind == "" {
				return nil, unknown("unknown kind of remark")
			}
			remark.pass, remark.name = "", ""
		case string(line) == "...":
			if remark.pass == "" || remark.name == "" {
				return nil, unknown("a remark ends that has no pass or no name")
			}
			counts.raise(Counter{remark.pass, remark.name}, 1)
			remark.kind = ""
		case bytes.HasPrefix(line, instruction):
			if kind, n, ok := parseInstruction(line); ok {
				counts.raise(Counter{remark.pass, kind}, n)
			}
		case bytes.HasPrefix(line, []byte(" ")), len(line) == 0:
		default:
			key, value, found := bytes.Cut(line, []byte(":"))
			value = bytes.Trim(value, " '\"")
			switch {
			case found && string(key) == "Pass" && len(value) > 0:
				remark.pass = fold(value)
			case found && string(key) == "Name" && len(value) > 0:
				remark.name = remark.kind + fold(value)
			case !found || !slices.Contains(remarkKeys, string(key)):
				return nil, unknown("unknown key")
			}
		}
	}
	if remark.kind != "" {
		return nil, fmt.Errorf("optimisation record: line %d: ends within a remark", number)
	}
	return counts, nil
}

// parseInstruction reads "  - INST_MOV32rr:   '5'" as instruction MOV#rr and 5.
func parseInstruction(line []byte) (kind string, n int64, ok bool) {
	key, value, _ := bytes.Cut(bytes.TrimPrefix(line, instruction), []byte(":"))
	n, err := strconv.ParseInt(string(bytes.Trim(value, " '")), 10, 64)
	return "instruction " + fold(key), n, err == nil && n > 0 && len(key) > 0
}
