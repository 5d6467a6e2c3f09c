package foreign

import (
	"fmt"

	"goreify/reify/ir"
	"goreify/reify/others/csource"
)

// A Function is a function that others wrote, behind a proxy.
type Function struct {
	// Symbol is the name of the proxy. All other names of the file in Text begin with
	// it and an underscore.
	Symbol string
	// Text is C that compiles by itself and defines the proxy last, without static or
	// inline. A prototype before it may have these, and attributes such as noinline.
	// All other definitions in it are static. It includes nothing, and calls the C
	// library by __builtin_ names. It can share a file with any other such text, except
	// itself.
	Text   string
	Params []ir.Int // of the proxy, which takes at most MaxParams: i8 to u64
	Result ir.Int   // of the proxy
	Class  Class
	Shape  Shape
	Models Models
	Origin Origin
}

// CheckProgram returns an error if a program breaks an invariant, or if the text of one
// of its foreign functions may not stand beside anything else.
func CheckProgram(p *ir.Program) error {
	if err := p.Check(); err != nil {
		return err
	}
	for _, f := range p.Funcs {
		if f.Foreign == nil {
			continue
		}
		if err := csource.Alone(f.Name, f.Foreign.C); err != nil {
			return fmt.Errorf("function @%s: text in C: %w", f.Name, err)
		}
	}
	return nil
}

// MaxParams bounds the parameters of a proxy.
const MaxParams = 8

// A Pair is arguments and the answer of a function.
type Pair struct {
	Args  []int64 // one for each of Params, as ir.Const has values
	Want  int64   // of Result
	Steps int     // statements that are executed, at least 1 and at most MaxSteps
}

// MaxSteps bounds the statements that a call of a pair executes.
const MaxSteps = 10_000

// Models says for which data models of x86 the pairs of a function hold. On other
// processors char may be unsigned, the high byte come first, and accesses have to be
// aligned.
type Models string

// The models.
const (
	Both  Models = "both"  // with -m64 and -m32
	LP64  Models = "lp64"  // where long and pointers have 64 bits, -m64
	ILP32 Models = "ilp32" // where they have 32, -m32
)

// A Class is the class by which functions are drawn.
type Class string

// The classes. A function has the first that fits.
const (
	Any      Class = ""         // of DB.Draw alone: all of the classes below but Dead and Puns
	Puns     Class = "puns"     // it may access an object as one of another type, or break the promise of restrict
	Dead     Class = "dead"     // it has one answer only, or none: for code that is not executed
	Loops    Class = "loops"    // it has a loop without a constant bound
	Switches Class = "switches" // it has a switch
	Bits     Class = "bits"     // it has three shifts or bitwise operators
	Branches Class = "branches" // it has a branch
	Plain    Class = "plain"    // none of these
)

// A Shape counts the features of the text of a function and its callees.
type Shape struct {
	Loops    int `json:"loops"` // without constant bound
	Cases    int `json:"cases"` // of switches
	Shifts   int `json:"shifts"`
	Branches int `json:"branches"`
	Lines    int `json:"lines"`
	Calls    int `json:"calls"`
}

// An Origin says where a function comes from.
type Origin struct {
	Project string // "zlib"
	Version string // "1.2.12", "" if not known
	File    string // relative to the project
	Line    int    // of the preprocessed file, from 1
	Name    string // of the function there
	Licence string // an SPDX identifier, "unknown" or "none"
}

// String returns the origin as the note x-origin has it: "zlib 1.2.12 inftrees.c
// inflate_table, Zlib".
func (o Origin) String() string {
	version := ""
	if o.Version != "" {
		version = " " + o.Version
	}
	return fmt.Sprintf("%s%s %s %s, %s", o.Project, version, o.File, o.Name, o.Licence)
}

// A Refusal says why a function was not taken.
type Refusal struct {
	Name   string
	Line   int
	Reason string // a few words, the same for all refusals of that reason
	Detail string // details, "" if the reason is clear
}

// A Question asks for the answer of a function to arguments.
type Question struct {
	Function *Function
	Args     []int64
}

// A Reply is the outcome of a question.
type Reply struct {
	Pair           // meaningless if Refused is not ""
	Refused string // why the question has no answer: one of the reasons of refusals of pairs
	Visited uint64 // a hash of the set of statements that were executed
}
