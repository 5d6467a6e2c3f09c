package reify

import (
	"fmt"
	"strconv"
	"strings"

	"goreify/reify/cfg"
	"goreify/reify/choice"
	"goreify/reify/sketch"
	"goreify/reify/solve"
)

// A Config holds all decisions that precede the recipe's graph, path and body.
type Config struct {
	Graph  cfg.Options
	Path   cfg.PathOptions // Visit is not used
	MinLen int             // paths are to be MinLen to Path.MaxLen blocks long; at least 1
	Sketch sketch.Options
	// Acyclic makes graphs without loops, of Graph.Blocks and as many switches.
	Acyclic bool
	// Sampled fixes each path before it is solved, as in the paper, even if the solver
	// could find a path by itself.
	Sampled bool
	Daring  int    // functions whose loops are to come near to overflow, in percent
	Unit    int    // factors that are 1 or -1 where they can be, in percent, beyond the usual share
	Stored  int    // percent of functions whose local structs and arrays are not automatic variables
	ByValue int    // percent of functions that pass structs by value
	Opaque  bool   // compilers are not to know the arguments, whatever the style says
	Paths   int    // K, paths to try before a recipe is given up; 1 to 1000
	Profile string // the name of the profile that it was drawn from, if any
	Inputs  int    // further inputs to look for, each with an answer of its own; 0 to MaxInputs
	// Calls has fields of link.Options for the programs that functions become a part
	// of.
	Calls struct{ Deciding, Helpers int }
}

// DefaultConfig returns the paper's defaults for its parameters (section 5.2).
// Parameters that the paper does not name were set by experiment: loops such that
// graphs have 44 blocks on average, sticky paths of 8 to 40 blocks, a quarter of the
// variables in memory.
func DefaultConfig() Config {
	return Config{
		Graph:  cfg.DefaultOptions(),
		Path:   cfg.PathOptions{MaxLen: 40, Sticky: 80},
		MinLen: 8,
		Sketch: sketch.DefaultOptions(),
		Daring: 35,
		Paths:  30,
	}
}

// ParseConfig returns the default configuration with the parameters of the
// paper set as in "15,8,2,2,3": #BBL, #VAR, #ASS, #TERA, #TERC. Trailing ones
// may be left out. The error names the parameter and its bounds.
func ParseConfig(text string) (Config, error) {
	c := DefaultConfig()
	params := []struct {
		name string
		val  *int
	}{
		{"#BBL", &c.Graph.Blocks},
		{"#VAR", &c.Sketch.Vars},
		{"#ASS", &c.Sketch.Assigns},
		{"#TERA", &c.Sketch.AssignTerms},
		{"#TERC", &c.Sketch.CondTerms},
	}
	fields := strings.Split(text, ",")
	if len(fields) > len(params) {
		return c, fmt.Errorf("configuration %q has %d parameters, at most %d are known: #BBL,#VAR,#ASS,#TERA,#TERC", text, len(fields), len(params))
	}
	for i, field := range fields {
		n, err := strconv.Atoi(strings.TrimSpace(field))
		if err != nil {
			return c, fmt.Errorf("configuration %q: %s is %q, not a whole number", text, params[i].name, field)
		}
		*params[i].val = n
	}
	return c, c.Validate()
}

// repairs reports whether the solver may replace operations that are undefined on the
// path. Such operations need it if they hold no unknown, which does not happen in the
// paper's subset.
func (c Config) repairs() bool { return !c.Sketch.Subset() }

// total reports whether functions are mostly defined for all arguments, so that further
// arguments need not be like those that were solved for.
func (c Config) total() bool {
	p := &c.Sketch.Policy
	return p.Widths > 0 || p.Truths > 0 || p.Trips > 0
}

// free reports whether the function alone decides how often loops go round, whatever
// length was drawn for the path.
func (c Config) free() bool { return c.Sketch.Policy.Trips > 0 }

// Bounds of combined parameters: configurations within them need less than a gigabyte;
// the paper's need a thousandth of it.
const (
	maxSymbols = 2_000_000  // symbols in a function, those of indices and initial values not counted
	maxStates  = 20_000_000 // values along a path: scalars times blocks visited
)

// maxLen bounds paths that are to be solved: the search looks back at all
// earlier visits of a condition, so its work grows with the square of a loop.
const maxLen = 10000

// Validate returns an error that names the first parameter out of bounds, and the
// bounds, or the parameters whose product is out of bounds.
func (c Config) Validate() error { return c.validate() }

func (c *Config) validate() error {
	for _, err := range []error{c.Graph.Validate(), c.Path.Validate(), c.Sketch.Validate()} {
		if err != nil {
			return err
		}
	}
	for _, p := range []struct {
		name        string
		val, lo, hi int
	}{
		{"MaxLen", c.Path.MaxLen, 1, maxLen},
		{"MinLen", c.MinLen, 1, c.Path.MaxLen},
		{"number of paths to try", c.Paths, 1, 1000},
		{"share of factors of 1 in percent", c.Unit, 0, 100},
		{"share of daring functions in percent", c.Daring, 0, 100},
		{"share of functions with other storage in percent", c.Stored, 0, 100},
		{"share of functions with structs by value in percent", c.ByValue, 0, 100},
		{"number of further inputs", c.Inputs, 0, MaxInputs},
		{"share of calls that decide something in percent", c.Calls.Deciding, 0, 100},
		{"share of places that call helpers in percent", c.Calls.Helpers, 0, 100},
	} {
		if p.val < p.lo || p.val > p.hi {
			return fmt.Errorf("%s is %d, want %d to %d", p.name, p.val, p.lo, p.hi)
		}
	}
	return c.checkSize()
}

// checkSize returns an error if the largest function or the longest path that
// the configuration allows could use up the memory.
func (c *Config) checkSize() error {
	blocks := int64(c.Graph.Blocks) + 2
	if c.Graph.Loops > 0 { // each with up to two in each of them, Depth deep
		blocks += int64(c.Graph.Loops) * (1<<c.Graph.Depth - 1) * int64(c.Graph.LoopBlocks+1)
	}
	if c.Graph.Shapes+c.Graph.Machines+c.Graph.Counted > 0 {
		blocks *= cfg.MaxShape
	}
	k := &c.Sketch
	symbols := blocks * int64(k.Assigns*(k.AssignTerms+1)+k.CondTerms+1)
	if symbols > maxSymbols {
		return fmt.Errorf("#BBL %d (up to %d blocks with loops) x (#ASS %d x (#TERA %d + 1) + #TERC %d + 1) is %d symbols, want at most %d",
			c.Graph.Blocks, blocks, k.Assigns, k.AssignTerms, k.CondTerms, symbols, maxSymbols)
	}
	scalars := int64(mostScalars(k))
	// Once the path turns to the exit, it meets no block twice, except on visits that
	// do not count for its length.
	if c.free() {
		blocks += solve.MaxFree
	}
	if states := scalars * (int64(c.Path.MaxLen) + blocks); states > maxStates {
		return fmt.Errorf("#VAR %d (up to %d scalars with arrays) x (MaxLen %d + up to %d blocks on the way to the exit) is %d values along a path, want at most %d",
			k.Vars, scalars, c.Path.MaxLen, blocks, states, maxStates)
	}
	return nil
}

// Scalars in the largest variables of package sketch.
const (
	maxElems   = 64  // an array: 4x4x4
	maxMembers = 240 // an array of 4 structs of 5 members of 12 scalars each
	maxLoop    = 210 // the counters, stride, arrays and matrix of loops
)

// mostScalars returns an upper bound of the number of scalars of a function.
func mostScalars(o *sketch.Options) int {
	loops := maxLoop + o.Policy.Scalars()
	switch {
	case o.Policy.Struct > 0 && o.Arrays > 0:
		return o.Vars*maxMembers + loops
	case !o.Subset():
		return o.Vars*maxElems + loops
	case o.Arrays > 0:
		return o.Vars * maxElems
	}
	return o.Vars
}

// DefaultBatch is the number of functions in a translation unit unless the recipe says
// otherwise: a compiler's fixed costs exceed those of a single function.
const DefaultBatch = 16

// Plan returns the decisions of the recipe's first stream: the number of functions in
// one translation unit, and their configuration, which is drawn from a profile that is
// drawn as well.
func (r Recipe) Plan() (functions int, c Config) {
	s := choice.Named("config", r.Config)
	functions = DefaultBatch
	switch s.Weighted(12, 1, 1, 2) {
	case 1:
		functions = 1
	case 2:
		functions = 4
	case 3:
		functions = 32
	}
	return functions, drawProfile(s).configure(s)
}

// Configure returns the configuration that the first stream of a recipe draws from a
// given profile, further inputs included.
func (p Profile) Configure(r Recipe) Config { return p.configure(choice.Named("config", r.Config)) }

func (p Profile) configure(s *choice.Stream) Config {
	c := p.Draw(s)
	if n := s.Weighted(2, 1, 1); c.Inputs == 0 { // the draw of the profile, which is given
		c.Inputs = n
	}
	return c
}
