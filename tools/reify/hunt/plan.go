package hunt

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"goreify/compilers"
	"goreify/compilers/targets"
	"goreify/reify/choice"
	"goreify/reify/oracle"
)

// A Plan says which configurations are asked about which batches. Its text is
// rules, separated by semicolons:
//
//	WHO [MODES] [flags [arch]] [one] [every N]
//
// WHO is a family (gcc, clang), a target (gcc-12), with whatever arguments it is
// used, or all; in double quotes a target and its arguments, "gcc-12 -m32". MODES
// is a list such as -O2,-O3, each with a sign before the word; where it is left
// out, all. With flags, a target is given a set of flags drawn from those that it
// knows, by what they have yielded, half of the time after one that chooses the vectors
// of today's processors; with flags arch it is given only the latter, and half of the
// time none. A rule with a number holds for one batch in N, drawn by the batch's
// number; the others hold for all. Each batch is asked about by all that its rules
// name and that are for its language, or where a rule says one, by one of these,
// drawn in the same way.
type Plan struct {
	name  string // of a plan that has one
	rules []rule
}

type rule struct {
	who   string           // a family, the name of a target, or all
	exact bool             // who is the name of a target with its arguments
	modes []compilers.Mode // nil is all
	flags flagWord
	one   bool
	every int // at least 1
}

// A flagWord says which flags targets are given. A plan has it as it is.
type flagWord string

const (
	noFlags   flagWord = ""
	anyFlags  flagWord = " flags"
	archFlags flagWord = " flags arch"
)

// plans are the plans that have names.
var plans = map[string]string{
	everything: everything,
	// Most bugs show at two levels or more, so that another function at one of them
	// should yield more than the same function at the others: of 25 findings of gcc-12
	// 18 failed at -O2, 16 at -O3, 15 at -Os and 10 at -O1. That it does is not
	// measured. -O0 has hardly been more than a witness. Failures that show with AVX2
	// are often not there without.
	sample: "all every 64; gcc -O1,-O2,-O3,-Os flags arch one; clang -O1,-O2,-O3,-Os flags arch one",
}

const (
	// everything asks all configurations about all batches.
	everything = "all"
	// sample asks one of each family; see Plan.complete.
	sample = "sample"
)

// fullPlan asks everything.
var fullPlan = Plan{name: everything, rules: []rule{{who: everything, every: 1}}}

// ParsePlan reads the text of a plan, or its name: all, or sample, which runs
// the full matrix on one batch in 64, and on the others one target of each family
// in one mode that may find bugs, half of the time with today's vectors. Start adds the rules for families other than gcc
// and clang. The error quotes what it does not understand.
func ParsePlan(text string) (Plan, error) {
	var p Plan
	if full, ok := plans[strings.TrimSpace(text)]; ok {
		p.name, text = strings.TrimSpace(text), full
	}
	for part := range strings.SplitSeq(text, ";") {
		r, err := parseRule(part)
		if err != nil {
			return Plan{}, fmt.Errorf("plan %q: %w", text, err)
		}
		p.rules = append(p.rules, r)
	}
	return p, nil
}

func parseRule(text string) (rule, error) {
	r := rule{every: 1}
	var words []string
	if quoted, found := strings.CutPrefix(strings.TrimSpace(text), `"`); found {
		who, rest, closed := strings.Cut(quoted, `"`)
		if !closed {
			return rule{}, fmt.Errorf("%q: a quote that does not end", strings.TrimSpace(text))
		}
		r.who, r.exact, words = strings.Join(strings.Fields(who), " "), true, strings.Fields(rest)
	} else if words = strings.Fields(text); len(words) > 0 {
		r.who, words = words[0], words[1:]
	}
	if r.who == "" {
		return rule{}, fmt.Errorf("an empty rule; want WHO [MODES] [flags [arch]] [one] [every N]")
	}
	if len(words) > 0 && isMode(words[0]) {
		for mode := range strings.SplitSeq(words[0], ",") {
			if !isMode(mode) {
				return rule{}, fmt.Errorf("%q is no list of modes such as -O2,-O3", words[0])
			}
			r.modes = append(r.modes, mode)
		}
		words = words[1:]
	}
	next := func(word string) bool {
		if len(words) == 0 || words[0] != word {
			return false
		}
		words = words[1:]
		return true
	}
	if next("flags") {
		if r.flags = anyFlags; next("arch") {
			r.flags = archFlags
		}
	}
	r.one = next("one")
	if len(words) == 2 && words[0] == "every" {
		n, err := strconv.Atoi(words[1])
		if err != nil || n < 1 {
			return rule{}, fmt.Errorf("every %s: want a number from 1", words[1])
		}
		r.every = n
		words = nil
	}
	if len(words) > 0 {
		return rule{}, fmt.Errorf("%q: want WHO [MODES] [flags [arch]] [one] [every N]", strings.TrimSpace(text))
	}
	return r, nil
}

// String returns the text that ParsePlan reads.
func (p Plan) String() string { return joinRules(p.rules) }

// Describe returns the text, after the name if the plan has one.
func (p Plan) Describe() string {
	if p.name == "" || p.name == p.String() {
		return p.String()
	}
	return p.name + " (" + p.String() + ")"
}

func joinRules(rules []rule) string {
	var texts []string
	for _, r := range rules {
		text := r.who
		if r.exact {
			text = `"` + text + `"`
		}
		if r.modes != nil {
			text += " " + strings.Join(r.modes, ",")
		}
		text += string(r.flags)
		if r.one {
			text += " one"
		}
		if r.every > 1 {
			text += " every " + strconv.Itoa(r.every)
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, "; ")
}

// part returns the plan of one batch of a hunt, whose rules all hold always and
// name all that is asked. Which of several with the same period hold is drawn
// for each by itself.
func (p Plan) part(hunt uint64, n int64, left []compilers.Target) Plan {
	var part Plan
	for i, r := range p.rules {
		draw := choice.New(choice.Derive(hunt, fmt.Sprintf("plan of batch %d, rule %d", n, i)))
		if !draw.Chance(1, r.every) {
			continue
		}
		r.every = 1
		if r.one {
			if r = r.draw(draw, left); r.who == "" {
				continue // there is none
			}
		}
		if r.who == everything && r.modes == nil && r.flags == noFlags {
			return Plan{rules: []rule{r}}
		}
		part.rules = append(part.rules, r)
	}
	return part
}

// asksAbout tells whether each program in a language is asked about by some of
// the configurations.
func (p Plan) asksAbout(language compilers.Language, configs []oracle.Config) bool {
	return slices.ContainsFunc(configs, func(c oracle.Config) bool { return c.Target.Language() == language && p.asks(c) })
}

// complete returns the sample with a rule for each family here that it has none for:
// one target in one of its modes, other than the reference if it has another. Other
// plans stay as they are.
func (p Plan) complete(configs []oracle.Config) Plan {
	if p.name != sample {
		return p
	}
	more := map[string]rule{}
	for _, c := range configs {
		family := c.Target.ID().Family
		if slices.ContainsFunc(p.rules, func(r rule) bool { return r.who == family }) {
			continue
		}
		r := rule{who: family, modes: more[family].modes, flags: archFlags, one: true, every: 1}
		if c.Mode != c.Target.Reference() && !slices.Contains(r.modes, c.Mode) {
			r.modes = append(r.modes, c.Mode)
		}
		more[family] = r
	}
	p.rules = slices.Clone(p.rules)
	for _, family := range slices.Sorted(maps.Keys(more)) {
		p.rules = append(p.rules, more[family])
	}
	return p
}

// draw returns the rule for one configuration of those that r names, or none if
// it names none of these.
func (r rule) draw(s *choice.Stream, left []compilers.Target) rule {
	var list []rule
	for _, c := range (&oracle.Oracle{Targets: left}).Configs() {
		if r.names(c) {
			list = append(list, rule{who: c.Target.ID().String(), exact: true, modes: []compilers.Mode{c.Mode}, flags: r.flags, every: 1})
		}
	}
	if list == nil {
		return rule{}
	}
	return choice.Pick(s, list)
}

// asks tells whether a rule without a period names the configuration, if as one
// of several.
func (p Plan) asks(c oracle.Config) bool {
	return slices.ContainsFunc(p.rules, func(r rule) bool { return r.every == 1 && r.names(c) })
}

func (r rule) names(c oracle.Config) bool {
	if r.modes != nil && !slices.Contains(r.modes, c.Mode) {
		return false
	}
	return r.namesTarget(c.Target.ID())
}

// namesTarget tells whether the rule names a target, its family or all.
func (r rule) namesTarget(id compilers.ID) bool {
	if r.exact {
		return r.who == id.String()
	}
	return r.who == everything || r.who == id.Family || r.who == id.Name
}

// isMode tells whether a word of a plan is a list of modes: these begin with a
// sign.
func isMode(word string) bool { return strings.HasPrefix(word, "-") || strings.HasPrefix(word, "@") }

// defaultPlan returns the sample, or all if the sample leaves batches in some
// language that none of the configurations is asked about.
func defaultPlan(configs []oracle.Config) Plan {
	p, err := ParsePlan(sample)
	if err != nil {
		panic("hunt: a plan of our own: " + err.Error())
	}
	p = p.complete(configs)
	if slices.ContainsFunc(configs, func(c oracle.Config) bool { return !p.asksAbout(c.Target.Language(), configs) }) {
		p = fullPlan
	}
	return p
}

// check returns an error unless each batch is asked about by some of the
// configurations, each rule names some, and so does each mode that was written
// out: else it is misspelt. Families that are not here may be named.
func (p Plan) check(configs []oracle.Config) error {
	for _, r := range p.rules {
		others := func(c oracle.Config) bool { return !r.namesTarget(c.Target.ID()) }
		here := modes(without(configs, others))
		if here == nil && (r.exact || !slices.Contains(targets.Families(), r.who)) {
			return fmt.Errorf("plan %q: there is no compiler %s here", p, r.who)
		}
		for _, mode := range r.modes {
			if p.name == "" && here != nil && !slices.Contains(here, mode) {
				return fmt.Errorf("plan %q: %s has no mode %s here, only %s", p, r.who, mode, strings.Join(here, " "))
			}
		}
	}
	if !slices.ContainsFunc(configs, p.asks) {
		return fmt.Errorf("plan %q asks no compiler about some batches: with these compilers and modes it needs a rule without every", p)
	}
	return nil
}

// modes returns the modes of configurations, each once.
func modes(configs []oracle.Config) []compilers.Mode {
	var list []compilers.Mode
	for _, c := range configs {
		if !slices.Contains(list, c.Mode) {
			list = append(list, c.Mode)
		}
	}
	return list
}
