package reify

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"goreify/reify/choice"
)

// A Profile is a named way to draw configurations: for each setting the values to draw
// from. It is data: see profiles.txt, which explains its format at the top.
type Profile struct {
	name   string
	weight int          // in Recipe.Plan
	about  string       // a sentence
	draws  []settingSet // in the order of their lines
	few    values       // how many of the features a case has; nil for all
	always []string     // features that are not counted among them
}

// A settingSet is a setting and its values.
type settingSet struct {
	setting
	values
	taken bool // from another profile
}

// values are the numbers that a setting is drawn from, each as likely.
type values []int

// draw returns one of the values. There is nothing to draw from a single one.
func (v values) draw(s *choice.Stream) int {
	if len(v) == 1 {
		return v[0]
	}
	return choice.Pick(s, v)
}

//go:embed profiles.txt
var profilesText string

// profiles returns the profiles of the embedded text.
var profiles = sync.OnceValue(func() []Profile {
	list, err := parseProfiles(profilesText)
	if err != nil {
		panic("reify: profiles.txt: " + err.Error())
	}
	return list
})

// Profiles returns the names of all profiles.
func Profiles() []string {
	var names []string
	for _, p := range profiles() {
		names = append(names, p.name)
	}
	return names
}

// FindProfile returns the profile of that name. The error lists the names of all
// profiles.
func FindProfile(name string) (Profile, error) {
	for _, p := range profiles() {
		if p.name == name {
			return p, nil
		}
	}
	return Profile{}, fmt.Errorf("unknown profile %q: want one of %s", name, strings.Join(Profiles(), ","))
}

// Name returns the name.
func (p Profile) Name() string { return p.name }

// About returns what the profile is for, in a sentence without a full stop.
func (p Profile) About() string { return p.about }

// String returns the profile in the format of profiles.txt, with the lines that
// it shares with another one, and the feature of each setting as a comment.
func (p Profile) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "profile %s %d\n", p.name, p.weight)
	if p.about != "" {
		fmt.Fprintf(&b, "%-14s %s\n", "about", p.about)
	}
	if p.few != nil {
		fmt.Fprintf(&b, "%-14s %v\n", "features", p.few)
	}
	if p.always != nil {
		fmt.Fprintf(&b, "%-14s %s\n", "always", strings.Join(p.always, " "))
	}
	for _, d := range p.draws {
		fmt.Fprintf(&b, "%-14s %v", d.name, d.values)
		if d.feature != "" {
			fmt.Fprintf(&b, " # %s", d.feature)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// String returns the values as profiles.txt has them, without ranges.
func (v values) String() string {
	words := make([]string, len(v))
	for i, n := range v {
		words[i] = strconv.Itoa(n)
	}
	return strings.Join(words, " ")
}

// Features returns the features that configurations drawn from the profile may
// have.
func (p Profile) Features() []string {
	var names []string
	for _, d := range p.draws {
		if d.feature != "" && !slices.Contains(names, d.feature) && slices.Max(d.values) > 0 {
			names = append(names, d.feature)
		}
	}
	return names
}

// Without returns the profile without some features: a profile that draws a few of its
// features draws them from the rest.
func (p Profile) Without(features ...string) Profile {
	p.draws = slices.Clone(p.draws)
	for i, d := range p.draws {
		if slices.Contains(features, d.feature) {
			p.draws[i].values = values{0}
		}
	}
	p.always = slices.DeleteFunc(slices.Clone(p.always), func(name string) bool { return slices.Contains(features, name) })
	return p
}

// Draw returns a configuration. Each distribution is drawn anew for each configuration,
// which YARPGen calls parameter shuffling (OOPSLA 2020, section 3.3).
func (p Profile) Draw(s *choice.Stream) Config {
	c := DefaultConfig()
	c.Profile = p.name
	var off map[string]bool
	if p.few != nil {
		off = p.drop(p.few.draw(s), s)
	}
	for _, d := range p.draws {
		if off[d.feature] {
			d.set(&c, 0)
			continue
		}
		d.set(&c, d.values.draw(s))
	}
	c.MinLen = min(c.MinLen, c.Path.MaxLen)
	return c
}

// drop draws the features that a configuration does without, so that n remain (swarm
// testing).
func (p Profile) drop(n int, s *choice.Stream) map[string]bool {
	names := slices.DeleteFunc(p.Features(), func(name string) bool { return slices.Contains(p.always, name) })
	s.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	off := map[string]bool{}
	for _, name := range names[min(n, len(names)):] {
		off[name] = true
	}
	return off
}

// drawProfile returns one of the profiles, in proportion to their weights.
func drawProfile(s *choice.Stream) Profile {
	list := profiles()
	weights := make([]int, len(list))
	for i, p := range list {
		weights[i] = p.weight
	}
	return list[s.Weighted(weights...)]
}

// parseProfiles reads the format of profiles.txt.
func parseProfiles(text string) ([]Profile, error) {
	var list []Profile
	number, last := 0, 0 // last is the profile that lines are about
	for line := range strings.Lines(text) {
		number++
		line, _, _ = strings.Cut(line, "#")
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		var err error
		switch {
		case words[0] == "profile":
			var p Profile
			p, err = newProfile(words[1:])
			list = append(list, p)
			last = len(list) - 1
		case words[0] == "again" && len(words) == 2:
			if last = find(list, words[1]); last < 0 {
				err = fmt.Errorf("again %s: no profile of that name above", words[1])
			}
		case len(list) == 0:
			err = fmt.Errorf("%s before the first profile", words[0])
		default:
			err = list[last].line(words, list[:last])
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
	}
	return list, nil
}

func newProfile(words []string) (p Profile, err error) {
	if len(words) != 2 {
		return p, fmt.Errorf("profile: want a name and a weight, got %q", words)
	}
	p.name = words[0]
	if p.weight, err = strconv.Atoi(words[1]); err != nil || p.weight < 0 {
		return p, fmt.Errorf("profile %s: weight is %q, not a number from 0", p.name, words[1])
	}
	return p, nil
}

// find returns the index of the profile of that name, or -1.
func find(list []Profile, name string) int {
	return slices.IndexFunc(list, func(p Profile) bool { return p.name == name })
}

// line adds a line to the profile, which stands after those of the list.
func (p *Profile) line(words []string, list []Profile) error {
	name := words[0]
	if name == "like" && len(words) == 2 {
		i := find(list, words[1])
		if i < 0 {
			return fmt.Errorf("like %s: no profile of that name above", words[1])
		}
		other := list[i]
		p.draws, p.few, p.always = slices.Clone(other.draws), other.few, other.always
		for i := range p.draws {
			p.draws[i].taken = true
		}
		return nil
	}
	if name == "about" {
		p.about = strings.Join(words[1:], " ")
		return nil
	}
	if name == "always" {
		for _, feature := range words[1:] {
			if !slices.Contains(Features(), feature) {
				return fmt.Errorf("always: unknown feature %s", feature)
			}
		}
		p.always = words[1:]
		return nil
	}
	v, err := parseValues(words[1:])
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if name == "features" {
		p.few = v
		return nil
	}
	all := settings()
	i := slices.IndexFunc(all, func(s setting) bool { return s.name == name })
	if i < 0 {
		return fmt.Errorf("unknown setting %s", name)
	}
	d := settingSet{setting: all[i], values: v}
	p.draws = append(slices.DeleteFunc(p.draws, func(d settingSet) bool { return d.taken && d.name == name }), d)
	return nil
}

// parseValues reads numbers and ranges such as 2..5.
func parseValues(words []string) (values, error) {
	var list values
	for _, word := range words {
		from, to, isRange := strings.Cut(word, "..")
		if !isRange {
			to = from
		}
		lo, err1 := strconv.Atoi(from)
		hi, err2 := strconv.Atoi(to)
		if err1 != nil || err2 != nil || lo < 0 || hi < lo || hi > lo+1000 {
			return nil, fmt.Errorf("%q is neither a number nor a range such as 2..5", word)
		}
		for v := lo; v <= hi; v++ {
			list = append(list, v)
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("no values")
	}
	return list, nil
}
