package bisect

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

var (
	body       = regexp.MustCompile(`(?ms)^([A-Za-z_][^;{}#]*?\))\s*\{.*?^\}\n`)
	brackets   = regexp.MustCompile(`\([^()]*\)`)
	declared   = regexp.MustCompile(`(\w+)\s*[=;,\[]`)
	dumped     = regexp.MustCompile(`(?ms)^[^\n]*__GIMPLE \(ssa.*?^\}\n`)
	signature  = regexp.MustCompile(`(?m)^([A-Za-z_][\w.]*) \((.*)\)$`)
	parameter  = regexp.MustCompile(`(.*[ *])(\w+)$`)
	local      = regexp.MustCompile(`^  (.*[ *])([A-Za-z_][\w.]*)(?:\(D\))?((?:\[\d+\])*);$`)
	identifier = regexp.MustCompile(`[A-Za-z_][\w.]*(?:\(D\))?`)
	version    = regexp.MustCompile(`^([A-Za-z_][\w.]*?)_(\d+)(\(D\))?$`)
	internals  = regexp.MustCompile(`__GIMPLE \(.*\)\n`)
	quality    = regexp.MustCompile(`,?\b(?:precise|guessed\w*|adjusted|afdo|auto\w*)\(\d+\)`)
	qualifier  = regexp.MustCompile(`\b(?:const|volatile) `)
)

// noise is what dumps have and the reader of -fgimple does not take.
var noise = []struct {
	is   *regexp.Regexp
	text string
}{
	{quality, ""},
	{regexp.MustCompile(`(__BB\d+)\(\)`), "$1"},
	{regexp.MustCompile(`\((ssa|\d+),\)`), "($1)"},
	{regexp.MustCompile(`(?m)^.*\{CLOBBER.*\};\n`), ""},
	{regexp.MustCompile(` \[(?:tail call|return slot optimization|must tail call)\]`), ""},
	{regexp.MustCompile(`=\{v\}`), "="},
	{regexp.MustCompile(`\(OVF\)`), ""},
	{regexp.MustCompile(`\b__builtin_unreachable \(\)`), "__builtin_trap ()"},
	{regexp.MustCompile(`(?m)^[A-Za-z_]\w*:\n`), ""}, // labels of the program
}

// A listing is what a dump tells of functions: their names in the order in which gcc
// was done with them, and each as the dump has it last.
type listing struct {
	names []string
	texts map[string]string
}

func parseDump(dump string) listing {
	l := listing{texts: map[string]string{}}
	for _, text := range dumped.FindAllString(dump, -1) {
		m := signature.FindStringSubmatch(text)
		if m == nil {
			continue
		}
		if name := m[1]; len(l.names) == 0 || l.names[len(l.names)-1] != name {
			l.names = append(slices.DeleteFunc(l.names, func(n string) bool { return n == name }), name)
		}
		l.texts[m[1]] = text
	}
	return l
}

// with returns the listing with the first n of its functions as another has them.
func (l listing) with(other listing, n int) listing {
	texts := maps.Clone(l.texts)
	for _, name := range l.names[:n] {
		if text, ok := other.texts[name]; ok {
			texts[name] = text
		}
	}
	return listing{names: l.names, texts: texts}
}

// readBack returns a program that gcc reads with -fgimple: the declarations of a
// source, and the functions of a listing. It may still not be C.
func (l listing) readBack(source string) string {
	head := body.ReplaceAllString(source, "$1;\n")
	flat := head
	for brackets.MatchString(flat) {
		flat = brackets.ReplaceAllString(flat, "")
	}
	global := map[string]bool{}
	for _, m := range declared.FindAllStringSubmatch(flat, -1) {
		global[m[1]] = true
	}
	out := "typedef __SIZE_TYPE__ sizetype;\ntypedef __PTRDIFF_TYPE__ ssizetype;\n" + head
	for _, name := range l.names {
		if isCopy(name) {
			head, _, _ := strings.Cut(l.texts[name], "\n{\n")
			out += internals.ReplaceAllString(head, "") + ";\n"
		}
	}
	for _, name := range l.names {
		out += "\n" + readable(l.texts[name], global)
	}
	for _, name := range l.names {
		if isCopy(name) {
			out = strings.ReplaceAll(out, name, plainName(name))
		}
	}
	return out
}

// isCopy tells whether a function is one that gcc has made of another, such as
// f.constprop. The source does not declare it.
func isCopy(name string) bool { return strings.Contains(name, ".") }

func plainName(name string) string { return strings.ReplaceAll(name, ".", "_") }

// readable returns a function of a dump as -fgimple reads it. Each version of a
// variable becomes a variable of its own, called by its number, so that no local
// one hides a global one that is read.
func readable(text string, global map[string]bool) string {
	for _, n := range noise {
		text = n.is.ReplaceAllString(text, n.text)
	}
	if strings.Contains(text, "__BB0:") {
		// The first block is a loop's, which needs one before it.
		text = strings.ReplaceAll(text, "__BB0:", "__BB99999:")
		text = strings.Replace(text, "  __BB(", "  __BB(99999):\n  goto __BB2;\n\n  __BB(", 1)
	}
	head, rest, _ := strings.Cut(text, "\n{\n")
	types := map[string]string{}
	if m := signature.FindStringSubmatch(head); m != nil {
		for p := range strings.SplitSeq(m[2], ", ") {
			if m := parameter.FindStringSubmatch(p); m != nil {
				types[m[2]] = m[1]
			}
		}
	}
	var locals [][]string
	for {
		line, after, found := strings.Cut(rest, "\n")
		m := local.FindStringSubmatch(line)
		if m == nil && line != "" || !found {
			break
		}
		if rest = after; m != nil {
			locals = append(locals, m)
			types[m[2]] = m[1]
		}
	}
	versions := map[string]string{}
	bare := map[string]bool{}
	code := identifier.ReplaceAllStringFunc(rest, func(word string) string {
		if bare, first := strings.CutSuffix(word, "(D)"); first && types[bare] != "" {
			// A number that was never given a value.
			name := "never" + bare
			locals = append(locals, []string{"", types[bare], name, ""})
			types[name] = types[bare]
			word = name + bare + "(D)"
		}
		m := version.FindStringSubmatch(word)
		if m == nil || types[m[1]] == "" {
			word = strings.TrimSuffix(word, "(D)")
			bare[word] = true
			if types[word] != "" {
				return plainName(word)
			}
			return word
		}
		if m[3] != "" { // what it has at first
			bare[m[1]] = true
			return plainName(m[1]) + "_" + m[2] + m[3]
		}
		versions["_"+m[2]] = qualifier.ReplaceAllString(types[m[1]], "")
		return "_" + m[2]
	})
	var out strings.Builder
	out.WriteString(head + "\n{\n")
	for _, m := range locals {
		if name := m[2]; m[3] != "" || bare[name] && !global[name] {
			fmt.Fprintf(&out, "  %s%s%s;\n", m[1], plainName(name), m[3])
		}
	}
	for _, name := range slices.Sorted(maps.Keys(versions)) {
		fmt.Fprintf(&out, "  %s%s;\n", versions[name], name)
	}
	out.WriteString(code)
	return out.String()
}
