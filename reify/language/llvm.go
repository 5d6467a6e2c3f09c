package language

import (
	"errors"
	"slices"

	"goreify/compilers"
	"goreify/compilers/llvm/ll"
	"goreify/reify/emit/llvm"
	"goreify/reify/interp"
)

// LLVM is the intermediate language of LLVM.
var LLVM = &Language{
	Name:      compilers.LLVM,
	Short:     "llvm",
	Under:     interp.LLVM,
	Vectors:   AnyVector,
	OddLanes:  true,
	Prefix:    "llvm-",
	Usual:     "llvm",
	Cells:     240,
	CellStyle: llvm.Style{SSA: true, External: true, NoInline: true, Selects: true, Idioms: true},
	Voucher:   C,
	Execute:   executeLLVM,
	Supports:  llvm.Supports,
	Write:     writeLLVM,
	ready:     held,
	Members:   noMembers,
	Commands: func(files []compilers.File) []string {
		return []string{"clang -w -O2 " + files[0].Name + " -o repro && ./repro"}
	},
	BodyLines: llvm.BodyLines,
	Proved:    map[string]int{"functions": 20_000, "programs": 1000, "expressions": 1_000_000, "graphs": 15_000},
	Graphs:    llvmGraphs,
	plain:     llvm.Forms,
}

func init() { LLVM.DrawStyle, LLVM.ParseStyle = style(llvm.DrawStyle, llvm.ParseStyle) }

// held notes what is left of the calls of a unit, and what held in them if its text says so.
func held(u *Unit) (err error) {
	says := u.Style.(llvm.Style).Held
	for _, style := range u.Called {
		says = says || style.(llvm.Style).Held
	}
	if err := closed(u); err != nil || !says {
		return err
	}
	u.Held, err = interp.Held(u.Claims()...)
	return err
}

// llvmGraphs reads graphs by the reader of LLVM IR, which knows nothing of the writer.
func llvmGraphs(list []Unit) (all []Picture, err error) {
	units := unitsOf[llvm.Style](list)
	m, err := ll.Parse(llvm.Emit(units))
	if err != nil {
		return nil, err
	}
	for i, labels := range llvm.LabelsOf(units) {
		p := Picture{Got: make([][]int, len(labels.Blocks)), How: units[i].Style.String()}
		for _, succs := range units[i].Claim.Func.Graph() {
			p.Want = append(p.Want, slices.Compact(sorted(succs)))
		}
		at := 0
		for _, b := range m.Func(labels.Func).Blocks {
			if k := slices.Index(labels.Blocks, b.Name); k >= 0 {
				at = k
			}
			for _, to := range b.Successors() {
				if k := slices.Index(labels.Blocks, to); k >= 0 {
					p.Got[at] = append(p.Got[at], k)
				}
			}
		}
		for k, got := range p.Got {
			p.Got[k] = slices.Compact(sorted(got))
		}
		all = append(all, p)
	}
	return all, nil
}

// mostSteps is how many instructions of a module are executed: some seconds, and ten times what
// functions that search and matrix make need.
const mostSteps = 1 << 21

// executeLLVM executes a module by the package that reads it, which knows nothing of the writer,
// with all that it promises: a compiler may rely on it.
func executeLLVM(text string, big bool) (output string, ends, known bool) {
	m, err := ll.ParseStrict(text)
	if err != nil {
		return "", false, false
	}
	main, args := m.Main()
	if main == nil {
		return "", false, false
	}
	m.Big, m.Steps = big, mostSteps
	r, err := m.Run(main, args...)
	known = !errors.Is(err, ll.ErrUnknown) && !errors.Is(err, ll.ErrEndless)
	return r.Output, err == nil && r.Value.String() == "0", known
}

// An llvmText is a module.
type llvmText struct {
	units []llvm.Unit
	text  string
}

func writeLLVM(list []Unit) Text {
	units := unitsOf[llvm.Style](list)
	return llvmText{units, llvm.Emit(units)}
}

func (t llvmText) Files() []compilers.File {
	return []compilers.File{{Name: compilers.MainLLVM, Content: []byte(t.text)}}
}

func (t llvmText) Want() []byte { return []byte(llvm.Want(t.units)) }

func (t llvmText) Guilty(o compilers.Outcome) []int {
	named := func(name string) int { return llvm.UnitOf(t.units, name) }
	return Accused(o, named, llvm.Answers(t.units))
}

func (t llvmText) Select(unit int) []string { return llvm.Alone(unit) }
