package reify

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"goreify/reify/sketch"
)

// A setting is one number of a Config: profiles and features are made of settings.
type setting struct {
	name    string
	feature string // "" for a setting of no feature
	typical int    // its value if the feature is asked for by name
	about   string // words about the feature, in which a word of C is as C has it, if the setting is its first
	get     func(*Config) int
	set     func(*Config, int)
}

// part returns a setting of a feature that is a field.
func part(name, feature string, typical int, about string, field func(*Config) *int) setting {
	return setting{name, feature, typical, about,
		func(c *Config) int { return *field(c) },
		func(c *Config, v int) { *field(c) = v }}
}

// at returns a setting of no feature that is a field.
func at(name string, field func(*Config) *int) setting { return part(name, "", 0, "", field) }

// flag returns a setting that is 0 or 1.
func flag(name string, field func(*Config) *bool) setting {
	return setting{name, "", 0, "",
		func(c *Config) int {
			if *field(c) {
				return 1
			}
			return 0
		},
		func(c *Config, v int) { *field(c) = v != 0 }}
}

// settings returns all settings there are, in the order in which they are drawn and
// printed. The list must not be changed.
var settings = sync.OnceValue(allSettings)

func allSettings() []setting {
	list := []setting{
		at("Blocks", func(c *Config) *int { return &c.Graph.Blocks }),
		at("Loops", func(c *Config) *int { return &c.Graph.Loops }),
		at("LoopBlocks", func(c *Config) *int { return &c.Graph.LoopBlocks }),
		at("Depth", func(c *Config) *int { return &c.Graph.Depth }),
		at("LocalMin", func(c *Config) *int { return &c.Graph.LocalMin }),
		at("LocalMax", func(c *Config) *int { return &c.Graph.LocalMax }),
		flag("Acyclic", func(c *Config) *bool { return &c.Acyclic }),
		at("MinLen", func(c *Config) *int { return &c.MinLen }),
		at("MaxLen", func(c *Config) *int { return &c.Path.MaxLen }),
		at("Sticky", func(c *Config) *int { return &c.Path.Sticky }),
		flag("Sampled", func(c *Config) *bool { return &c.Sampled }),
		at("Daring", func(c *Config) *int { return &c.Daring }),
		at("Unit", func(c *Config) *int { return &c.Unit }),
		flag("Opaque", func(c *Config) *bool { return &c.Opaque }),
		at("Paths", func(c *Config) *int { return &c.Paths }),
		at("Vars", func(c *Config) *int { return &c.Sketch.Vars }),
		at("Assigns", func(c *Config) *int { return &c.Sketch.Assigns }),
		at("AssignTerms", func(c *Config) *int { return &c.Sketch.AssignTerms }),
		at("CondTerms", func(c *Config) *int { return &c.Sketch.CondTerms }),
		at("SelfUpdate", func(c *Config) *int { return &c.Sketch.SelfUpdate }),
		at("Piloted", func(c *Config) *int { return &c.Sketch.Piloted }),
		at("Multiply", func(c *Config) *int { return &c.Sketch.Multiply }),
		flag("Sum", func(c *Config) *bool { return &c.Sketch.Sum }),
		at("Hostile", func(c *Config) *int { return &c.Sketch.Hostile }),
		part("Arrays", "array", 20, "arrays", func(c *Config) *int { return &c.Sketch.Arrays }),
		part("Memory", "memory", 40, "arrays and scalars at file scope, through which functions are called and answer", func(c *Config) *int { return &c.Sketch.Memory }),
		part("Volatile", "volatile", 15, "volatile variables", func(c *Config) *int { return &c.Sketch.Volatile }),
		part("Switches", "switch", 30, "switch statements, with ranges of labels and several labels for a successor", func(c *Config) *int { return &c.Graph.Switches }),
	}
	for _, share := range sketch.Shares() {
		list = append(list, part(share.Name, share.Feature, share.Typical, share.About,
			func(c *Config) *int { return share.At(&c.Sketch.Policy) }))
	}
	return append(list,
		part("Shapes", "shape", 30, "", func(c *Config) *int { return &c.Graph.Shapes }),
		part("Machines", "machine", 30, "", func(c *Config) *int { return &c.Graph.Machines }),
		at("Inputs", func(c *Config) *int { return &c.Inputs }),
		at("Stored", func(c *Config) *int { return &c.Stored }),
		at("ByValue", func(c *Config) *int { return &c.ByValue }),
		part("Counted", "trips", 60, "", func(c *Config) *int { return &c.Graph.Counted }),
		part("Deciding", "calls", 60, "calls with known answers and helper functions, in programs", func(c *Config) *int { return &c.Calls.Deciding }),
		part("Helpers", "calls", 30, "", func(c *Config) *int { return &c.Calls.Helpers }))
}

// Features returns the names of the features that Config.With switches on and
// off. Each is independent of the others.
func Features() []string {
	var names []string
	for _, s := range settings() {
		if s.feature != "" && !slices.Contains(names, s.feature) {
			names = append(names, s.feature)
		}
	}
	return names
}

// AboutFeature returns what a feature is, in a few words, and "" of an unknown one.
func AboutFeature(name string) string {
	for _, s := range settings() {
		if s.feature == name && s.about != "" {
			return s.about
		}
	}
	return ""
}

// With returns c with features switched on and off as in "+ptr,-float"; "" is no
// change, and "+all" and "-all" stand for every feature. A feature that is switched off
// has shares of 0. One that is switched on has typical shares where c has 0. Later
// names win. The error lists the names of all features.
func (c Config) With(features string) (Config, error) {
	if strings.TrimSpace(features) == "" {
		return c, nil
	}
	known := Features()
	list := settings()
	for word := range strings.SplitSeq(features, ",") {
		word = strings.TrimSpace(word)
		name := strings.TrimLeft(word, "+-")
		if len(word) != len(name)+1 {
			return c, fmt.Errorf("feature %q: want + or - before its name", word)
		}
		if name != "all" && !slices.Contains(known, name) {
			return c, fmt.Errorf("unknown feature %q: want some of %s", name, strings.Join(known, ","))
		}
		for _, s := range list {
			switch {
			case s.feature == "" || name != "all" && s.feature != name:
			case word[0] == '-':
				s.set(&c, 0)
			case s.get(&c) == 0:
				s.set(&c, s.typical)
			}
		}
	}
	return c, c.Validate()
}

// String returns the settings that are not those of the default configuration,
// as in "wild: Blocks=5 Loops=1 Narrow=25", with the name of the profile that
// they were drawn from.
func (c Config) String() string {
	name := c.Profile
	if name == "" {
		name = "config"
	}
	text := append(make([]byte, 0, 512), name...)
	text = append(text, ':')
	normal := defaults()
	for i, s := range settings() {
		if v := s.get(&c); v != normal[i] {
			text = append(append(append(text, ' '), s.name...), '=')
			text = strconv.AppendInt(text, int64(v), 10)
		}
	}
	return string(text)
}

// defaults returns the values of settings in the default configuration.
var defaults = sync.OnceValue(func() (values []int) {
	c := DefaultConfig()
	for _, s := range settings() {
		values = append(values, s.get(&c))
	}
	return values
})
