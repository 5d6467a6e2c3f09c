package native

import (
	"context"
	"fmt"
	"hash/fnv"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"goreify/compilers"
)

// List compiles a job of one file to assembly.
func (t Toolchain) List(ctx context.Context, ws *compilers.Workspace, job compilers.Job, limits compilers.Limits) (map[string]string, compilers.Outcome, error) {
	job.Extra = append([]string{"-S"}, job.Extra...)
	main := job.Names()[0]
	text, o, err := t.Compile(ctx, ws, job, strings.TrimSuffix(main, filepath.Ext(main))+".s", limits)
	if err != nil || o.Verdict != compilers.OK {
		return nil, o, err
	}
	return listing(string(text)), o, nil
}

// A labelled is a label of assembly and the lines up to the next one.
type labelled struct {
	label    string
	function string // that it stands in, or nothing
	lines    []string
}

var (
	// A comment begins with a sign that a space follows: "#5" is a number.
	asmComment  = regexp.MustCompile(`(?:^|\s)(?:(?:[#@!;|]|//)(?:\s.*)?|/\*.*)$`)
	asmLabel    = regexp.MustCompile(`^([.$\w]+):\s*(.*)$`)
	asmFunction = regexp.MustCompile(`^\.type\s+([.$\w]+)\s*,\s*(?:[@%#]function|STT_FUNC)`)
	asmSize     = regexp.MustCompile(`^\.size\s+([.$\w]+)\s*,`)
	asmSymbol   = regexp.MustCompile(`[.$A-Za-z_][.$\w]*`)
	// Directives of data, as all of gcc's and clang's back ends write them.
	asmData = regexp.MustCompile(`^\.(?:byte|[248]byte|hword|half|short|word|xword|long|quad|int|dword|octa|value|ascii|asciz|string|zero|skip|space|single|float|double|ua(?:half|word|xword))\b`)
)

// listing returns the code of each function of assembly, such that equal code is equal
// text: without comments and directives, with those local labels numbered that are used,
// and with the data in the place of its label. A part that a compiler has split off a
// function belongs to it.
func listing(text string) map[string]string {
	parts := label(text)
	data, owner, used := map[string]string{}, map[string]string{}, map[string]bool{}
	for _, p := range parts {
		if p.function == "" {
			h := fnv.New64a()
			fmt.Fprint(h, strings.Join(p.lines, "\n"))
			data[p.label] = fmt.Sprintf("data-%016x", h.Sum64())
			continue
		}
		owner[p.label] = p.function
		for _, line := range p.lines {
			for _, symbol := range asmSymbol.FindAllString(line, -1) {
				used[symbol] = true
			}
		}
	}
	functions := map[string]string{}
	numbers := map[string]int{} // of labels, in their functions
	count := map[string]int{}
	for _, p := range parts {
		f := p.function
		if f == "" {
			continue
		}
		rename := func(symbol string) string {
			switch {
			case owner[symbol] == f:
				if numbers[symbol] == 0 {
					count[f]++
					numbers[symbol] = count[f]
				}
				return "label-" + strconv.Itoa(numbers[symbol])
			case data[symbol] != "":
				return data[symbol]
			}
			return symbol
		}
		if used[p.label] {
			functions[f] += rename(p.label) + ":\n"
		}
		for _, line := range p.lines {
			functions[f] += asmSymbol.ReplaceAllStringFunc(line, rename) + "\n"
		}
	}
	return functions
}

// label returns the parts of assembly, in their order, those that are nothing left out.
func label(text string) (parts []labelled) {
	code := map[string]bool{} // labels of functions
	function := ""            // where the lines stand
	at := labelled{}
	end := func() {
		if len(at.lines) > 0 || at.function != "" {
			parts = append(parts, at)
		}
	}
	for line := range strings.Lines(text) {
		line = strings.Join(strings.Fields(asmComment.ReplaceAllString(strings.TrimSpace(line), "")), " ")
		if m := asmFunction.FindStringSubmatch(line); m != nil {
			code[m[1]] = true
		}
		if m := asmSize.FindStringSubmatch(line); m != nil && code[m[1]] {
			end()
			at, function = labelled{}, ""
		}
		if m := asmLabel.FindStringSubmatch(line); m != nil {
			end()
			if code[m[1]] {
				function, _, _ = strings.Cut(m[1], ".")
			}
			at, line = labelled{label: m[1], function: function}, m[2]
		}
		if line != "" && (!strings.HasPrefix(line, ".") || asmData.MatchString(line)) {
			at.lines = append(at.lines, line)
		}
	}
	end()
	return parts
}
