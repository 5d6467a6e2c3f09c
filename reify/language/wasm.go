package language

import (
	"strings"

	"goreify/compilers"
	engines "goreify/compilers/wasm"
	"goreify/reify/emit/wasm"
)

// A wasmText is a module and what its calls print.
type wasmText struct {
	answers []string // a unit's lines each
	module  []byte
}

func writeWasm(list []Unit) Text {
	var units []wasm.Unit
	for _, u := range list {
		style, called := stylesOf(u, wasm.ParseStyle)
		units = append(units, wasm.Unit{Claim: u.Claim, More: u.More, Style: style, Called: called})
	}
	m := wasm.Emit(units)
	return wasmText{m.Answers, m.Binary}
}

func (t wasmText) Files() []compilers.File {
	return []compilers.File{{Name: engines.MainFile, Content: engines.Encode(t.module)}}
}

func (t wasmText) Want() []byte { return []byte(strings.Join(t.answers, "")) }

// Guilty accuses those whose lines are wrong. No engine names a function.
func (t wasmText) Guilty(o compilers.Outcome) []int {
	nobody := func(string) int { return -1 }
	return Accused(o, nobody, t.answers)
}

// Select returns nil: engines take no arguments.
func (t wasmText) Select(int) []string { return nil }

// wasmLines returns how many instructions the functions of a module have that calls
// are made of.
func wasmLines(source string) int {
	module, err := engines.Decode([]byte(source))
	if err != nil {
		return 0
	}
	return wasm.Instructions(module)
}

// wasmMembers returns the text of a module, and what runs it in engines of JavaScript.
func wasmMembers(stem, source string) map[string]string {
	members := map[string]string{engines.RunnerFile: engines.Runner}
	if module, err := engines.Decode([]byte(source)); err == nil {
		if text, err := wasm.Text(module); err == nil {
			members[stem+".wat"] = text
		}
	}
	return members
}
