package report

import (
	"fmt"
	"strings"

	"goreify/corpus"
)

// companions returns what goes with a test in hexadecimal: its text, and what runs it in the
// engine that fails.
func companions(e *corpus.Entry) (files []file) {
	stem, hex := "repro", e.Sources[e.Main]
	if e.Reduced != "" {
		stem, hex = "reduced", e.Reduced
	}
	for _, name := range trackers[e.Family].companions {
		if strings.HasPrefix(name, ".") {
			name = stem + name
		}
		if text, ok := e.Members[name]; ok {
			files = append(files, file{name, text})
		}
	}
	if e.Family == "wazero" {
		files = append(files, file{"main.go", wazeroProgram(hex, e.Mode)})
	}
	return files
}

// wazeroProgram returns a program that makes the calls of a module.
func wazeroProgram(hex, mode string) string {
	config := "wazero.NewRuntimeConfigCompiler()"
	if mode == "@interpreter" {
		config = "wazero.NewRuntimeConfigInterpreter()"
	}
	return fmt.Sprintf(`package main

import (
	"context"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"github.com/tetratelabs/wazero"
)

const module = %s

// The custom section "calls" has a line for each call: name, export, type of the
// result, arguments. The section "answers" has what they come to.
func main() {
	ctx := context.Background()
	r := wazero.NewRuntimeWithConfig(ctx, %s.WithCustomSections(true))
	code, err := hex.DecodeString(strings.Join(strings.Fields(module), ""))
	if err != nil {
		panic(err)
	}
	c, err := r.CompileModule(ctx, code)
	if err != nil {
		panic(err)
	}
	m, err := r.InstantiateModule(ctx, c, wazero.NewModuleConfig())
	if err != nil {
		panic(err)
	}
	for line := range strings.Lines(string(c.CustomSections()[0].Data())) {
		f := strings.Fields(line)
		if reset := m.ExportedFunction(f[1] + ".reset"); reset != nil {
			reset.Call(ctx)
		}
		var args []uint64
		for _, a := range f[3:] {
			v, _ := strconv.ParseInt(strings.TrimSuffix(a, "n"), 10, 64)
			args = append(args, uint64(v))
		}
		got, err := m.ExportedFunction(f[1]).Call(ctx, args...)
		fmt.Println(f[0], got, err)
	}
	fmt.Printf("want:\n%%s", c.CustomSections()[1].Data())
}
`, "`\n"+hex+"`", config)
}
