package report

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

var (
	// otherLLVM matches what a test in LLVM IR says of a tool of another version.
	otherLLVM = regexp.MustCompile(`\b(llc|opt)-(\d+)\b`)
	// placed matches what it says of the first pass of llc with which it is wrong.
	placed = regexp.MustCompile(`(?m)^; (wrong first with .*)$`)
)

// An llvmVersion is a tool of another version, and whether it is right about a test in LLVM IR.
type llvmVersion struct {
	tool   string
	number int
	right  bool
}

// llvmVersions returns those that a test in LLVM IR tells of, the oldest first.
func llvmVersions(text string) (list []llvmVersion) {
	for line := range strings.Lines(text) {
		said, right := strings.CutPrefix(line, "; right: ")
		said, wrong := strings.CutPrefix(said, "; wrong: ")
		for _, m := range otherLLVM.FindAllStringSubmatch(said, -1) {
			if right || wrong {
				list = append(list, llvmVersion{m[1], major(m[2]), right})
			}
		}
	}
	slices.SortFunc(list, func(a, b llvmVersion) int { return cmp.Compare(a.number, b.number) })
	return list
}

// toldOf says in a sentence which versions are right: "Of the test in LLVM IR, llc 14 is right, and llc 21 is wrong."
func toldOf(versions []llvmVersion) string {
	is := map[bool]string{true: "right", false: "wrong"}
	var parts []string
	for _, v := range versions {
		parts = append(parts, fmt.Sprintf("%s %d is %s", v.tool, v.number, is[v.right]))
	}
	text := "About the test in LLVM IR, " + strings.Join(parts, ", and ")
	if !versions[0].right {
		text += " (no older one was asked)"
	}
	return text + "."
}

// place says how the place of a fault is known by a test in LLVM IR: by its first wrong pass, and by
// what of the same llc is right.
func place(text string) (lines []string) {
	if m := placed.FindStringSubmatch(text); m != nil {
		lines = append(lines, "The test in LLVM IR is "+m[1]+".")
	}
	var ways []string
	for line := range strings.Lines(text) {
		list, right := strings.CutPrefix(strings.TrimSpace(line), "; right: ")
		for _, way := range strings.Split(list, ", ") {
			if tool, _, _ := strings.Cut(way, " "); right && tool == "llc" {
				ways = append(ways, way)
			}
		}
	}
	if ways != nil {
		lines = append(lines, "The test in LLVM IR is right with "+strings.Join(ways, ", and with ")+".")
	}
	return lines
}
