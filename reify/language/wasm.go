package language

import (
	"strings"

	"goreify/compilers"
	engines "goreify/compilers/wasm"
	"goreify/reify/emit/wasm"
	"goreify/reify/interp"
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
	Write:     lowered(writeWasm, wasm.Lacks),
	Members:   wasmMembers,
	Binary:    engines.Decode,
	Commands:  func(files []compilers.File) []string { return []string{"node --no-liftoff repro.mjs " + files[0].Name} },
	BodyLines: wasmLines,
	plain:     wasm.Forms,
}

func init() { Wasm.DrawStyle, Wasm.ParseStyle = style(wasm.DrawStyle, wasm.ParseStyle) }

// A wasmText is a module and the output of its calls.
type wasmText struct {
	answers []string // each unit's lines
	module  []byte
}

func writeWasm(list []Unit) Text {
	m := wasm.Emit(unitsOf[wasm.Style](list))
	return wasmText{m.Answers, m.Binary}
}

func (t wasmText) Files() []compilers.File {
	return []compilers.File{{Name: engines.MainFile, Content: engines.Encode(t.module)}}
}

func (t wasmText) Want() []byte { return []byte(strings.Join(t.answers, "")) }

// Guilty accuses the units whose lines are wrong. No engine names a function.
func (t wasmText) Guilty(o compilers.Outcome) []int {
	nobody := func(string) int { return -1 }
	return Accused(o, nobody, t.answers)
}

// Select returns nil: engines take no arguments.
func (t wasmText) Select(int) []string { return nil }

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
