package c

import (
	"slices"

	"goreify/reify/choice"
	"goreify/reify/emit/frame"
)

// A Style is the choice among ways to write the same function. The zero value
// is the plainest: a static function with an explicit goto for every edge,
// called with literal constants.
type Style struct {
	Linkage  Linkage
	NoInline bool // the function may not be inlined, nor, by gcc, cloned
	// VolatileArgs passes the inputs through volatile variables, so that the
	// compiler does not know them, instead of as literal constants.
	VolatileArgs bool
	// ParamsAsGlobals makes the parameters local variables that are read from
	// variables at file scope on entry.
	ParamsAsGlobals bool
	Cond            Cond
	// Structured writes if, else and loops where the graph allows it, and goto for the
	// remaining edges.
	Structured bool
	FlatBraces bool // the initialiser of a multi-dimensional array is one list
	// Order, if not 0, seeds the order in which the blocks after the entry are written.
	// In a structured function it also seeds which blocks are taken out of their
	// construct, to be reached by goto.
	Order uint32

	Compound      bool   // x += y, x++ and the like for x = x + y
	ImplicitCasts bool   // conversions that C makes by itself are not written as casts
	Consts        Consts // notation of integer constants
	Arrows        bool   // p->f, p[i] and a for (*p).f, *(p + i) and &a[0]
	Designated    bool   // initialisers name the elements and members
	// ComputedGoto jumps through a table of labels (a GNU extension) instead
	// of a switch whose labels are dense.
	ComputedGoto bool
	ParamStruct  bool // the parameters are passed in a struct by value; not with ParamsAsGlobals
	ResultStruct bool // the result is returned in a struct
	// PointerParams makes parameters of local pointers that first point to
	// a global or static. Whole programs ignore it.
	PointerParams bool
	// Restrict declares pointers restrict where that is true; see restricted. Whole
	// programs ignore it.
	Restrict bool
	// ArraySums adds each array of integers that is not small to a checksum by one
	// call, and not element by element, which takes compilers long.
	ArraySums bool
	// Rows makes the calls of units with several claims through a table of their inputs
	// and answers, and has ArraySums of vectors and small arrays at file scope, too: all
	// that is about the calls of small functions takes compilers less time. It is never
	// drawn. Whole programs have the sums alone.
	Rows bool
	Declared
	// Storage is the place of local structs, unions and arrays. Whole programs ignore
	// it.
	Storage Storage
	// ByValue passes structs and unions by value to functions that copy them and read
	// their members. It is never drawn for programs.
	ByValue bool
}

// A Linkage is the linkage of a function.
type Linkage int

// The linkages.
const (
	Static Linkage = iota
	Extern
	StaticInline
	numLinkages
)

var linkageNames = [numLinkages]string{"static", "extern", "inline"}

// A Cond is the form of a conditional jump that is not structured.
type Cond int

// The ways to write a conditional jump to a, or else to b.
const (
	TwoGotos    Cond = iota // if (c) goto a; goto b;
	IfElse                  // if (c) goto a; else goto b;
	Inverted                // if (!c) goto b; goto a;
	FallThrough             // a jump to the block that is written next is left out
	numConds
)

var condNames = [numConds]string{"goto", "else", "inverted", "fallthrough"}

// DrawStyle returns a style that s decides. It always makes the same number
// of draws.
func DrawStyle(s *choice.Stream) Style {
	style := drawStyle(s)
	style.Restrict = s.Chance(1, 2)
	style.ArraySums = drawArraySums(s)
	return style
}

// drawArraySums is called after all other draws, so that those stay as they were before
// ArraySums existed.
func drawArraySums(s *choice.Stream) bool { return s.Chance(7, 8) }

// drawStyle draws the part that functions of whole programs have, too.
func drawStyle(s *choice.Stream) Style {
	style := Style{
		Linkage:         Linkage(s.Weighted(4, 3, 1)),
		NoInline:        s.Chance(1, 2),
		VolatileArgs:    s.Chance(1, 2),
		ParamsAsGlobals: s.Chance(1, 4),
		Cond:            Cond(s.Intn(int(numConds))),
		Structured:      s.Chance(1, 2),
		FlatBraces:      s.Chance(1, 4),
	}
	shuffled := s.Chance(1, 2)
	order := uint32(s.Intn(1 << 16))
	if shuffled {
		style.Order = order
	}
	style.Compound = s.Chance(1, 2)
	style.ImplicitCasts = s.Chance(1, 2)
	style.Consts = Consts(s.Weighted(6, 1, 1, 1))
	s.Chance(1, 4) // once for char in place of signed char, since char is not signed on all targets
	style.Arrows = s.Chance(1, 2)
	style.Designated = s.Chance(1, 4)
	style.ComputedGoto = s.Chance(1, 6)
	style.ParamStruct = s.Chance(1, 8)
	style.ResultStruct = s.Chance(1, 8)
	style.PointerParams = s.Chance(1, 4)
	return style
}

// words are the parts of a style.
func (s *Style) words() []frame.Word {
	return slices.Concat([]frame.Word{
		frame.OneOf("", &s.Linkage, linkageNames[:]...),
		frame.Flag("noinline", &s.NoInline, 0),
		frame.Flag("volatile-args", &s.VolatileArgs, 0),
		frame.Flag("global-params", &s.ParamsAsGlobals, 0),
		frame.OneOf("cond=", &s.Cond, condNames[:]...),
		frame.Flag("structured", &s.Structured, 0),
		frame.Flag("flat-braces", &s.FlatBraces, 0),
		frame.Number("order=", &s.Order, nil),
		frame.Flag("compound", &s.Compound, 0),
		frame.Flag("implicit-casts", &s.ImplicitCasts, 0),
		frame.OneOf("consts=", &s.Consts, constsNames[:]...),
		frame.Ignored("char"), // of old reproducers; i8 is signed char
		frame.Flag("arrows", &s.Arrows, 0),
		frame.Flag("designated", &s.Designated, 0),
		frame.Flag("computed-goto", &s.ComputedGoto, 0),
		frame.Flag("param-struct", &s.ParamStruct, 0),
		frame.Flag("result-struct", &s.ResultStruct, 0),
		frame.Flag("pointer-params", &s.PointerParams, 0),
		frame.Flag("restrict", &s.Restrict, 0),
		frame.Flag("array-sums", &s.ArraySums, 0),
		frame.Flag("rows", &s.Rows, 0),
	}, s.Declared.words(), []frame.Word{
		frame.OneOf("storage=", &s.Storage, storageNames[:]...),
		frame.Flag("by-value", &s.ByValue, 0),
	})
}

// String returns the style as the words that ParseStyle takes, such as
// "extern noinline cond=else order=7", and "plain" for the zero value.
func (s Style) String() string { return frame.Text(s.words()) }

// ParseStyle returns the style that String writes as text, whose words may
// come in any order. The error names the word that is not known.
func ParseStyle(text string) (s Style, err error) {
	err = frame.Parse(text, "", s.words())
	return s, err
}
