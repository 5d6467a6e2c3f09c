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
	get     func(*Config) int
	set     func(*Config, int)
}

// at returns a setting that is a field.
func at(name, feature string, typical int, field func(*Config) *int) setting {
	return setting{name, feature, typical,
		func(c *Config) int { return *field(c) },
		func(c *Config, v int) { *field(c) = v }}
}

// flag returns a setting that is 0 or 1.
func flag(name string, field func(*Config) *bool) setting {
	return setting{name, "", 0,
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
		at("Blocks", "", 0, func(c *Config) *int { return &c.Graph.Blocks }),
		at("Loops", "", 0, func(c *Config) *int { return &c.Graph.Loops }),
		at("LoopBlocks", "", 0, func(c *Config) *int { return &c.Graph.LoopBlocks }),
		at("Depth", "", 0, func(c *Config) *int { return &c.Graph.Depth }),
		at("LocalMin", "", 0, func(c *Config) *int { return &c.Graph.LocalMin }),
		at("LocalMax", "", 0, func(c *Config) *int { return &c.Graph.LocalMax }),
		flag("Acyclic", func(c *Config) *bool { return &c.Acyclic }),
		at("MinLen", "", 0, func(c *Config) *int { return &c.MinLen }),
		at("MaxLen", "", 0, func(c *Config) *int { return &c.Path.MaxLen }),
		at("Sticky", "", 0, func(c *Config) *int { return &c.Path.Sticky }),
		flag("Sampled", func(c *Config) *bool { return &c.Sampled }),
		at("Daring", "", 0, func(c *Config) *int { return &c.Daring }),
		at("Unit", "", 0, func(c *Config) *int { return &c.Unit }),
		flag("Opaque", func(c *Config) *bool { return &c.Opaque }),
		at("Paths", "", 0, func(c *Config) *int { return &c.Paths }),
		at("Vars", "", 0, func(c *Config) *int { return &c.Sketch.Vars }),
		at("Assigns", "", 0, func(c *Config) *int { return &c.Sketch.Assigns }),
		at("AssignTerms", "", 0, func(c *Config) *int { return &c.Sketch.AssignTerms }),
		at("CondTerms", "", 0, func(c *Config) *int { return &c.Sketch.CondTerms }),
		at("SelfUpdate", "", 0, func(c *Config) *int { return &c.Sketch.SelfUpdate }),
		at("Piloted", "", 0, func(c *Config) *int { return &c.Sketch.Piloted }),
		at("Multiply", "", 0, func(c *Config) *int { return &c.Sketch.Multiply }),
		flag("Sum", func(c *Config) *bool { return &c.Sketch.Sum }),
		at("Hostile", "", 0, func(c *Config) *int { return &c.Sketch.Hostile }),
		at("Arrays", "array", 20, func(c *Config) *int { return &c.Sketch.Arrays }),
		at("Memory", "memory", 40, func(c *Config) *int { return &c.Sketch.Memory }),
		at("Volatile", "volatile", 15, func(c *Config) *int { return &c.Sketch.Volatile }),
		at("Switches", "switch", 30, func(c *Config) *int { return &c.Graph.Switches }),
	}
	for _, share := range sketch.Shares() {
		list = append(list, at(share.Name, share.Feature, share.Typical,
			func(c *Config) *int { return share.At(&c.Sketch.Policy) }))
	}
	return append(list,
		at("Shapes", "shape", 30, func(c *Config) *int { return &c.Graph.Shapes }),
		at("Machines", "machine", 30, func(c *Config) *int { return &c.Graph.Machines }),
		at("Inputs", "", 0, func(c *Config) *int { return &c.Inputs }),
		at("Stored", "", 0, func(c *Config) *int { return &c.Stored }),
		at("ByValue", "", 0, func(c *Config) *int { return &c.ByValue }),
		at("Counted", "trips", 60, func(c *Config) *int { return &c.Graph.Counted }),
		at("Deciding", "calls", 60, func(c *Config) *int { return &c.Calls.Deciding }),
		at("Helpers", "calls", 30, func(c *Config) *int { return &c.Calls.Helpers }))
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

// features are sentences about the features, in which a word of C is as C has it.
var features = map[string]string{
	"array":        "arrays",
	"memory":       "arrays and scalars at file scope, through which functions are called and answer",
	"volatile":     "volatile variables",
	"switch":       "switch statements, with ranges of labels and several labels for a successor",
	"types":        "integers of 8 to 64 bits with and without sign, and statements that mix types",
	"bool":         "_Bool",
	"const":        "const variables",
	"context":      "blocks and subtrees that hold operators of one kind only: additive, bits, logical",
	"bitwise":      "& | ^",
	"shift":        "<< and >>",
	"unary":        "~ - !",
	"logic":        "comparisons as values, && and ||",
	"select":       "?:",
	"builtin":      "builtins: popcount, clz, bswap and their like",
	"nest":         "expressions of several variables as operands",
	"reuse":        "common subexpressions",
	"near":         "values near to the ends of their types",
	"idiom":        "what peephole passes look for: rotates, minima, saturations",
	"constant":     "literals of all kinds: small ones, powers of two, runs of ones, ends of types",
	"overflow":     "__builtin_add_overflow and its like",
	"induction":    "induction variables, reductions and strides over arrays",
	"loop":         "blocks that loop with a counter over arrays",
	"trips":        "loops that go round a known number of times",
	"simd":         "code as it is written with vectors",
	"lanes":        "groups of alike expressions side by side",
	"aggregate":    "copies of structs and arrays, by memcpy, memmove and memset, too",
	"cast":         "bits that are cast by a union",
	"shape":        "nests of loops, tables and diamonds, filled as what they are",
	"machine":      "switches in loops that are state machines",
	"struct":       "structs, nested ones, and their assignment",
	"bitfield":     "bit-fields",
	"union":        "unions",
	"ptr":          "pointers to scalars, elements, members, pointers; null ones and aliases",
	"float":        "exact float and double",
	"vector":       "GNU vectors",
	"product":      "products of parameters",
	"invariant":    "products that are the same in each trip of a loop",
	"division":     "chains of quotients and remainders",
	"coefficients": "factors, divisors and addends that nearly overflow together",
	"param":        "const and volatile parameters",
	"narrow":       "values and narrower and wider forms of them",
	"truth":        "truth values joined in all ways",
	"odd":          "widths that no type has, by pairs of shifts",
	"int128":       "__int128",
	"bitint":       "_BitInt of 2 to 128 bits",
	"facts":        "assumptions, hints of branches, attributes that are true",
	"calls":        "calls with known answers and helper functions, in programs",
}

// AboutFeature returns what a feature is, in a few words, and "" of an unknown one.
func AboutFeature(name string) string { return features[name] }

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
