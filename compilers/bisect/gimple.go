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
	dumped     = regexp.MustCompile(`(?ms)^[^\n]*__GIMPLE \(ssa.*?^\}\n`)
	internals  = regexp.MustCompile(`__GIMPLE \(.*\)\n`)
	signature  = regexp.MustCompile(`(?m)^([A-Za-z_][\w.]*) \((.*)\)$`)
	parameter  = regexp.MustCompile(`(.*[ *])(\w+)$`)
	local      = regexp.MustCompile(`^  (.*[ *])([A-Za-z_]\w*)(?:\(D\))?((?:\[\d+\])*);$`)
	identifier = regexp.MustCompile(`[A-Za-z_]\w*(?:\(D\))?`)
	version    = regexp.MustCompile(`^([A-Za-z_]\w*?)_(\d+)(\(D\))?$`)
	number     = regexp.MustCompile(`(\w)D_\d+\b`)
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
	{regexp.MustCompile(`(?m)^[A-Za-z_]\w*:\n`), ""},              // labels of the program
	{regexp.MustCompile(`\b([A-Za-z_]\w*)\.(\d+)`), "${1}_dot$2"}, // variables of gcc's own
}

// A listing is what a dump tells of functions: their names in the order in which gcc
// was done with them, and each as the dump has it last. Names that a dump has are
// followed by numbers, as in xD_1990, that tell apart what goes by one name.
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
		name := m[1]
		if !isCopy(name) {
			name = unnumbered(name)
		}
		if len(l.names) == 0 || l.names[len(l.names)-1] != name {
			l.names = append(slices.DeleteFunc(l.names, func(n string) bool { return n == name }), name)
		}
		l.texts[name] = text
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
// source, and the functions of a listing. It may still not be C. It is empty if a
// function cannot be read back for certain.
func (l listing) readBack(source string) string {
	out := "typedef __SIZE_TYPE__ sizetype;\ntypedef __PTRDIFF_TYPE__ ssizetype;\n" + body.ReplaceAllString(source, "$1;\n")
	var called []string // copies, and what they are called in the program
	for _, name := range l.names {
		if isCopy(name) {
			called = append(called, name, strings.NewReplacer(".", "_", "D_", "D").Replace(name))
		}
	}
	plain := strings.NewReplacer(called...)
	texts := make([]string, len(l.names))
	for i, name := range l.names {
		text, ok := readable(plain.Replace(l.texts[name]))
		if !ok {
			return ""
		}
		if isCopy(name) {
			head, _, _ := strings.Cut(text, "\n{\n")
			out += internals.ReplaceAllString(head, "") + ";\n"
		}
		texts[i] = "\n" + text
	}
	return out + strings.Join(texts, "")
}

// startAt has gcc begin with a pass on each function of a program that readBack returned.
func startAt(text, pass string) string {
	return strings.ReplaceAll(text, "__GIMPLE (ssa", `__GIMPLE (ssa,startwith("`+pass+`")`)
}

// isCopy tells whether a function is one that gcc has made of another, such as
// f.constprop. The source does not declare it.
func isCopy(name string) bool { return strings.Contains(name, ".") }

// unnumbered returns a text with names as the source has them.
func unnumbered(text string) string { return number.ReplaceAllString(text, "$1") }

// readable returns a function of a dump as -fgimple reads it, or false if it does not
// say of which type something is. Variables keep their numbers. Each version of one
// becomes a variable of its own, called by its number.
func readable(text string) (string, bool) {
	for _, n := range noise {
		text = n.is.ReplaceAllString(text, n.text)
	}
	if strings.Contains(text, "__BB0:") {
		// The first block is a loop's, which needs one before it.
		text = strings.ReplaceAll(text, "__BB0:", "__BB99999:")
		text = strings.Replace(text, "  __BB(", "  __BB(99999):\n  goto __BB2;\n\n  __BB(", 1)
	}
	head, rest, _ := strings.Cut(text, "\n{\n")
	own := map[string]bool{}         // variables
	kinds := map[string]string{}     // of versions, by the name of their variable; unclear if it is that of several
	initially := map[string]string{} // the first variable of such a name, parameters before others
	add := func(kind, variable string) {
		own[variable] = true
		if strings.Contains(kind, "volatile ") {
			return // it has no versions
		}
		name, kind := unnumbered(variable), qualifier.ReplaceAllString(unnumbered(kind), "")
		if old, ok := kinds[name]; ok && old != kind {
			kind = unclear
		}
		if kinds[name] = kind; initially[name] == "" {
			initially[name] = variable
		}
	}
	if m := signature.FindStringSubmatch(head); m != nil {
		for p := range strings.SplitSeq(m[2], ", ") {
			if m := parameter.FindStringSubmatch(p); m != nil {
				add(m[1], m[2])
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
			if m[3] != "" {
				own[m[2]] = true
			} else {
				add(m[1], m[2])
			}
		}
	}
	versions := map[string]string{}
	firsts := map[string]string{} // numbers of versions that variables have at first
	whole := map[string]bool{}    // variables that are used, and not just versions of them
	ok := true
	code := identifier.ReplaceAllStringFunc(rest, func(word string) string {
		name, first := strings.CutSuffix(word, "(D)")
		if own[name] {
			if !first {
				whole[name] = true
				return name
			}
			// A number that was never given a value.
			never := "never" + name
			locals = append(locals, []string{"", kinds[name], never, ""})
			whole[never] = true
			return never + name + "(D)"
		}
		m := version.FindStringSubmatch(word)
		if m == nil || kinds[m[1]] == "" {
			return unnumbered(name)
		}
		if !first {
			versions["_"+m[2]] = kinds[m[1]]
			ok = ok && kinds[m[1]] != unclear
			return "_" + m[2]
		}
		variable := initially[m[1]]
		ok = ok && (firsts[variable] == "" || firsts[variable] == m[2])
		firsts[variable], whole[variable] = m[2], true
		return variable + "_" + m[2] + "(D)"
	})
	var out strings.Builder
	out.WriteString(identifier.ReplaceAllStringFunc(head, func(word string) string {
		if own[word] {
			return word
		}
		return unnumbered(word)
	}) + "\n{\n")
	for _, m := range locals {
		if name := m[2]; whole[name] {
			fmt.Fprintf(&out, "  %s%s%s;\n", unnumbered(m[1]), name, m[3])
		}
	}
	for _, name := range slices.Sorted(maps.Keys(versions)) {
		fmt.Fprintf(&out, "  %s%s;\n", versions[name], name)
	}
	out.WriteString(code)
	return out.String(), ok
}

// unclear stands for what a dump does not tell.
const unclear = "?"
