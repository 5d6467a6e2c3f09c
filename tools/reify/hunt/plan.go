package hunt

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cespare/xxhash/v2"

	"goreify/compilers"
)

// A Plan says which configurations are asked about which batches. Its text is
// rules, separated by semicolons:
//
//	WHO [LEVELS] [every N]
//
// WHO is a family (gcc, clang), a toolchain (gcc-12) or all; LEVELS is a list
// such as -O2,-O3, or all levels where it is left out. A rule with a number
// holds for one batch in N, drawn by the batch's number; the others hold for
// all. Each batch is asked about by all that its rules name.
type Plan struct {
	name  string // of a plan that has one
	rules []rule
}

type rule struct {
	who    string
	levels []string // nil is all
	every  int      // at least 1
}

// plans are the plans that have names.
var plans = map[string]string{
	"all": "all",
	// -O2 and -O3 showed all bugs of the experiments, -Os most of them, -O1
	// few; -O0 has only been a witness so far.
	"sample": "all every 16; gcc -O2,-O3,-Os; gcc -O1 every 4; clang -O2,-O3,-Os",
}

// everything asks all configurations about all batches.
const everything = "all"

// ParsePlan reads the text of a plan, or its name: all, or sample, which runs
// the full matrix on one batch in 16 and the levels that find bugs on the
// others. The error quotes what it does not understand.
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
	words := strings.Fields(text)
	if len(words) == 0 {
		return rule{}, fmt.Errorf("an empty rule; want WHO [LEVELS] [every N]")
	}
	r := rule{who: words[0], every: 1}
	words = words[1:]
	if len(words) > 0 && strings.HasPrefix(words[0], "-O") {
		for level := range strings.SplitSeq(words[0], ",") {
			if !strings.HasPrefix(level, "-O") {
				return rule{}, fmt.Errorf("%q is no list of levels such as -O2,-O3", words[0])
			}
			r.levels = append(r.levels, level)
		}
		words = words[1:]
	}
	if len(words) == 2 && words[0] == "every" {
		n, err := strconv.Atoi(words[1])
		if err != nil || n < 1 {
			return rule{}, fmt.Errorf("every %s: want a number from 1", words[1])
		}
		r.every = n
		words = nil
	}
	if len(words) > 0 {
		return rule{}, fmt.Errorf("%q: want WHO [LEVELS] [every N]", strings.TrimSpace(text))
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
		if r.levels != nil {
			text += " " + strings.Join(r.levels, ",")
		}
		if r.every > 1 {
			text += " every " + strconv.Itoa(r.every)
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, "; ")
}

// part returns the plan of one batch of a hunt, whose rules all hold always.
// Which of several with the same period hold is drawn for each by itself.
func (p Plan) part(hunt uint64, n int64) Plan {
	var part Plan
	for i, r := range p.rules {
		key := binary.LittleEndian.AppendUint64([]byte("plan"), hunt)
		key = binary.LittleEndian.AppendUint64(key, uint64(n))
		if xxhash.Sum64(append(key, byte(i)))%uint64(r.every) != 0 {
			continue
		}
		r.every = 1
		if r.who == everything && r.levels == nil {
			return Plan{rules: []rule{r}}
		}
		part.rules = append(part.rules, r)
	}
	return part
}

// asks tells whether a rule without a period names the configuration.
func (p Plan) asks(t compilers.Toolchain, level string) bool {
	return slices.ContainsFunc(p.rules, func(r rule) bool {
		return r.every == 1 && r.names(t, level)
	})
}

func (r rule) names(t compilers.Toolchain, level string) bool {
	if r.levels != nil && !slices.Contains(r.levels, level) {
		return false
	}
	return r.who == everything || r.who == string(t.Family) || r.who == t.Name
}

// defaultPlan returns the sample, or all if the sample leaves batches that none
// of the toolchains is asked about at these levels.
func defaultPlan(toolchains []compilers.Toolchain, levels []string) Plan {
	p, err := ParsePlan("sample")
	if err != nil {
		panic("hunt: a plan of our own: " + err.Error())
	}
	if p.check(toolchains, levels) != nil {
		p = Plan{name: everything, rules: []rule{{who: everything, every: 1}}}
	}
	return p
}

// check returns an error unless each batch is asked about by some of the
// toolchains, each rule names some, and so does each level that was written
// out: else it is misspelt.
func (p Plan) check(toolchains []compilers.Toolchain, levels []string) error {
	always := false
	for _, r := range p.rules {
		known := r.who == everything || r.who == string(compilers.GCC) || r.who == string(compilers.Clang)
		for _, t := range toolchains {
			known = known || r.who == t.Name
			for _, level := range levels {
				always = always || p.asks(t, level)
			}
		}
		if !known {
			return fmt.Errorf("plan %q: there is no compiler %s here", p, r.who)
		}
		for _, level := range r.levels {
			if p.name == "" && !slices.Contains(levels, level) {
				return fmt.Errorf("plan %q: nobody is asked at %s here, but at %s", p, level, strings.Join(levels, " "))
			}
		}
	}
	if !always {
		return fmt.Errorf("plan %q leaves batches that nobody is asked about: with these compilers and levels it needs a rule without every", p)
	}
	return nil
}
