package golang

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"goreify/reify/choice"
)

// A Style is the choice among ways to write the same function. The zero value
// is the plainest: an explicit goto for every edge, function literals for ?:, and a
// call with literal constants.
type Style struct {
	NoInline   bool // the function may not be inlined
	Args       Args
	Select     Select
	Cond       Cond
	Consts     Consts
	Order      uint32 // if not 0, seeds the order in which the blocks after the entry are written
	Compound   bool   // x += y, x++ for x = x + y
	Slices     bool   // arrays are reached through slices of them
	Counts     bool   // shift counts are converted to unsigned types where they cannot be negative
	Chains     bool   // switches are chains of if
	Structured bool   // for, if and else where the graph allows
	Calls      Calls
	Vectors    Vectors
	// Short makes a single call that returns the whole program, which panics if the
	// answer is wrong and prints nothing. It is for reports, and never drawn.
	Short bool
}

// Args says how the inputs are passed.
type Args int

// The ways to pass inputs.
const (
	Literals  Args = iota
	Variables      // of the package
	numArgs
)

var argsNames = [numArgs]string{"literals", "variables"}

// String returns the word that stands for a in the text form of a Style.
func (a Args) String() string { return argsNames[a] }

// Select says how ?: is written.
type Select int

// The ways to write c ? x : y.
const (
	Literal Select = iota // func() T { if c { return x }; return y }()
	If                    // a variable that an if statement before sets, where it is evaluated for sure
	Swapped               // func() T { if !c { return y }; return x }()
	numSelects
)

var selectNames = [numSelects]string{"literal", "if", "swapped"}

// String returns the word that stands for s in the text form of a Style.
func (s Select) String() string { return selectNames[s] }

// A Cond is the form of a conditional jump that is not structured.
type Cond int

// The ways to write a conditional jump to a, or else to b.
const (
	TwoGotos    Cond = iota // if c { goto a }; goto b
	IfElse                  // if c { goto a } else { goto b }
	Inverted                // if !c { goto b }; goto a
	FallThrough             // a jump to the block that is written next is left out
	numConds
)

var condNames = [numConds]string{"goto", "else", "inverted", "fallthrough"}

// String returns the word that stands for c in the text form of a Style.
func (c Cond) String() string { return condNames[c] }

// Consts is the form of the constants of a function.
type Consts int

// The ways to write constants.
const (
	Untyped Consts = iota // 5, and in a variable of the function where Go would compute
	Hidden                // variables of the package, into which compilers do not look
	numConsts
)

var constsNames = [numConsts]string{"untyped", "hidden"}

// String returns the word that stands for c in the text form of a Style.
func (c Consts) String() string { return constsNames[c] }

// Calls is the form of calls between functions of ours.
type Calls int

// The ways to call a function.
const (
	Within   Calls = iota // in place
	Before                // into a variable before the statement, if the call is made for sure
	Wrapped               // func() T { return g(x) }()
	Indirect              // through a variable of the package
	numCalls
)

var callsNames = [numCalls]string{"within", "before", "wrapped", "indirect"}

// String returns the word that stands for c in the text form of a Style.
func (c Calls) String() string { return callsNames[c] }

// Vectors is the form of what is done with elements side by side, as with the lanes of
// vectors.
type Vectors int

// The ways to write it.
const (
	Unrolled Vectors = iota // a statement for each element
	Loops                   // a loop over the elements
	Helpers                 // as Unrolled: once a function for each operator on vectors
	numVectors
)

var vectorsNames = [numVectors]string{"unrolled", "loops", "helpers"}

// String returns the word that stands for v in the text form of a Style.
func (v Vectors) String() string { return vectorsNames[v] }

// DrawStyle returns a style that s decides. It always makes the same number
// of draws.
func DrawStyle(s *choice.Stream) Style {
	style := Style{
		NoInline: s.Chance(1, 2),
		Args:     Args(s.Weighted(1, 1)),
		Select:   Select(s.Weighted(2, 2, 1)),
		Cond:     Cond(s.Intn(int(numConds))),
		Consts:   Consts(s.Weighted(9, 1)),
	}
	shuffled := s.Chance(1, 2)
	order := uint32(s.Intn(1 << 16))
	if shuffled {
		style.Order = order
	}
	style.Compound = s.Chance(1, 2)
	style.Slices = s.Chance(1, 3)
	style.Counts = s.Chance(1, 3)
	style.Chains = s.Chance(1, 4)
	style.Structured = s.Chance(1, 2)
	style.Calls = Calls(s.Weighted(6, 3, 1, 1))
	style.Vectors = Vectors(s.Weighted(2, 2, 1))
	return style
}

// String returns the style as the words that ParseStyle takes, such as
// "noinline select=if order=7", and "plain" for the zero value.
func (s Style) String() string {
	var words []string
	add := func(present bool, word string) {
		if present {
			words = append(words, word)
		}
	}
	add(s.NoInline, "noinline")
	add(s.Args != Literals, "args="+s.Args.String())
	add(s.Select != Literal, "select="+s.Select.String())
	add(s.Cond != TwoGotos, "cond="+s.Cond.String())
	add(s.Consts != Untyped, "consts="+s.Consts.String())
	add(s.Order != 0, "order="+strconv.FormatUint(uint64(s.Order), 10))
	add(s.Compound, "compound")
	add(s.Slices, "slices")
	add(s.Counts, "counts")
	add(s.Chains, "chains")
	add(s.Structured, "structured")
	add(s.Calls != Within, "calls="+s.Calls.String())
	add(s.Vectors != Unrolled, "vectors="+s.Vectors.String())
	add(s.Short, "short")
	if words == nil {
		return "plain"
	}
	return strings.Join(words, " ")
}

// ParseStyle returns the style that String writes as text, whose words may
// come in any order. The error names the word that is not known.
func ParseStyle(text string) (Style, error) {
	var s Style
	flags := map[string]*bool{
		"plain": new(bool), "noinline": &s.NoInline, "compound": &s.Compound, "slices": &s.Slices,
		"counts": &s.Counts, "chains": &s.Chains, "structured": &s.Structured, "short": &s.Short,
	}
	choices := map[string]func(int){
		"args": func(i int) { s.Args = Args(i) }, "select": func(i int) { s.Select = Select(i) },
		"cond": func(i int) { s.Cond = Cond(i) }, "consts": func(i int) { s.Consts = Consts(i) },
		"calls": func(i int) { s.Calls = Calls(i) }, "vectors": func(i int) { s.Vectors = Vectors(i) },
	}
	words := map[string][]string{"args": argsNames[:], "select": selectNames[:], "cond": condNames[:], "consts": constsNames[:], "calls": callsNames[:], "vectors": vectorsNames[:]}
	for _, word := range strings.Fields(text) {
		key, value, has := strings.Cut(word, "=")
		ok := false
		switch {
		case flags[key] != nil && !has:
			*flags[key], ok = true, true
		case key == "order":
			n, err := strconv.ParseUint(value, 10, 32)
			s.Order, ok = uint32(n), err == nil
		case choices[key] != nil:
			for i, name := range words[key] {
				if name == value {
					choices[key](i)
					ok = true
				}
			}
		}
		if !ok {
			return Style{}, fmt.Errorf("unknown word %q in a style of Go", word)
		}
	}
	return s, nil
}

// Forms returns the styles in which a reduced test may be written, the plainest first,
// for a function that was found in a style. All are such that ParseStyle reads.
func Forms(found string) []string {
	style, err := ParseStyle(found)
	if err != nil {
		style = Style{}
	}
	structured := style
	structured.Structured, structured.Order, structured.Cond, structured.Compound, structured.Short = true, 0, FallThrough, true, true
	asFound := style
	asFound.Short = true
	var list []string
	for _, s := range []Style{
		{Short: true, Structured: true, Compound: true},
		{Short: true, Structured: true, Compound: true, NoInline: true},
		{Short: true, Structured: true, Compound: true, NoInline: true, Args: Variables},
		{Short: true, Compound: true, Cond: FallThrough, NoInline: true, Select: style.Select},
		{Short: true, Compound: true, Cond: style.Cond, NoInline: true, Args: Variables, Select: style.Select, Chains: style.Chains},
		structured,
		asFound,
		style,
	} {
		if text := s.String(); !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	return list
}
