package language

import (
	"goreify/compilers"
	engines "goreify/compilers/wasm"
	"goreify/reify/emit/structure"
	"goreify/reify/emit/wasm"
	"goreify/reify/interp"
	"goreify/reify/ir"
)

// Wasm is WebAssembly.
var Wasm = &Language{
	Name:      compilers.Wasm,
	Short:     "wasm",
	Under:     interp.Wasm,
	Prefix:    "wasm-",
	Usual:     "wazero",
	Cells:     480,
	Masked:    wasm.Masked,
	Vectors:   16,
	Voucher:   C,
	Lacks:     wasm.Lacks,
	Supports:  supported(wasm.Supports, wasm.Lacks),
	Write:     writeWasm,
	Members:   wasmMembers,
	Binary:    engines.Decode,
	Commands:  func(files []compilers.File) []string { return []string{"node --no-liftoff repro.mjs " + files[0].Name} },
	BodyLines: wasmLines,
	Proved:    map[string]int{"functions": 20_000, "programs": 1000, "expressions": 1_000_000, "graphs": 10_000, "engines": 1100},
	Graphs:    wasmGraphs,
	plain:     wasm.Forms,
}

func init() { Wasm.DrawStyle, Wasm.ParseStyle = style(wasm.DrawStyle, wasm.ParseStyle) }

func writeWasm(list []Unit) Text {
	m := wasm.Emit(unitsOf[wasm.Style](list))
	return printed{engines.MainFile, engines.Encode(m.Binary), m.Answers}
}

// wasmLines returns the number of instructions of the functions that are called from
// outside of the module.
func wasmLines(source string) int {
	module, err := engines.Decode([]byte(source))
	if err != nil {
		return 0
	}
	return wasm.Instructions(module)
}

// wasmMembers returns the text of a module, and the file that runs it in engines of
// JavaScript.
func wasmMembers(stem, source string) map[string]string {
	members := map[string]string{engines.RunnerFile: engines.Runner}
	if module, err := engines.Decode([]byte(source)); err == nil {
		if text, err := wasm.Text(module); err == nil {
			members[stem+".wat"] = text
		}
	}
	return members
}

// wasmGraphs reads graphs of all forms.
func wasmGraphs(list []Unit) (all []Picture, err error) {
	units := unitsOf[wasm.Style](list)
	for i := range units {
		units[i].Style.Form = structure.Form(i % int(structure.NumForms))
	}
	m := wasm.Emit(units)
	graphs, err := wasm.Graphs(m.Binary, m.Locations)
	if err != nil {
		return nil, err
	}
	for i, u := range units {
		p := Picture{Want: reached(u.Claim.Func), Got: graphs[i], How: u.Style.String()}
		for b := range p.Got {
			if p.Want[b] == nil { // of a dispatcher of all blocks
				p.Got[b] = nil
			}
		}
		p.Got = append(p.Got, make([][]int, len(p.Want)-len(p.Got))...)
		all = append(all, p)
	}
	return all, nil
}

// reached returns the graph of a function without what cannot be reached.
func reached(f *ir.Function) [][]int {
	g := f.Graph()
	want := make([][]int, len(g))
	var visit func(at int)
	visit = func(at int) {
		if want[at] != nil {
			return
		}
		want[at] = sorted(g[at])
		for _, to := range g[at] {
			visit(to)
		}
	}
	visit(0)
	return want
}
