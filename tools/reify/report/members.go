package report

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"goreify/compilers/native"
	"goreify/corpus"
	"goreify/reify/ir"
)

// companions returns what goes with a test in hexadecimal: its text, and what runs it in the
// engine that fails.
func companions(e *corpus.Entry) (files []file) {
	stem := "repro"
	if e.Reduced != "" {
		stem = "reduced"
	}
	for _, name := range trackers[native.Project(e.Family)].companions {
		if strings.HasPrefix(name, ".") {
			name = stem + name
		}
		if text, ok := e.Members[name]; ok {
			files = append(files, file{name, text})
		}
	}
	return files
}

// A host is a program in which an engine makes one call of a module beside it.
type host struct {
	file
	run  string // how the program is run, without flags of the engine
	want string // that it prints
}

// hostOf returns the program that makes the call of the reduced test of an entry, in the
// language of the engine's users.
func hostOf(e *corpus.Entry) (h host, ok bool) {
	p, err := ir.Parse(e.ReducedProgram)
	if e.Family != "wazero" && e.Family != "v8" && e.Family != "jsc" || err != nil || len(p.Claims) == 0 || p.Claims[0].Trap != "" {
		return host{}, false
	}
	c := p.Claims[0]
	result, want := "int64", strconv.FormatInt(c.Want, 10)
	if c.Func.Result.Bits <= 32 {
		result, want = "int32", strconv.FormatInt(int64(int32(c.Want)), 10)
	}
	var args []string
	for i, v := range c.Func.Params() {
		arg, wide := c.Args[i], v.Type.(ir.Int).Bits > 32
		switch {
		case e.Family == "wazero" && wide:
			args = append(args, ", "+strconv.FormatUint(uint64(arg), 10))
		case e.Family == "wazero":
			args = append(args, ", "+strconv.FormatUint(uint64(uint32(arg)), 10))
		case wide:
			args = append(args, strconv.FormatInt(arg, 10)+"n")
		default:
			args = append(args, strconv.FormatInt(arg, 10))
		}
	}
	if e.Family != "wazero" {
		text := fmt.Sprintf(scriptHost, c.Func.Name, strings.Join(args, ", "))
		return host{file{"main.mjs", text}, "main.mjs", want}, true
	}
	config, run := "Compiler", "go mod init reduced && go get github.com/tetratelabs/wazero && go run main.go"
	if wholeRelease.MatchString(e.Version) {
		run = strings.Replace(run, "/wazero ", "/wazero@v"+e.Version+" ", 1)
	}
	if e.Mode == "@interpreter" {
		config = "Interpreter"
	}
	return host{file{"main.go", fmt.Sprintf(goHost, config, c.Func.Name, strings.Join(args, ""), result)}, run, want}, true
}

// wholeRelease is a version that the module of wazero has a tag for.
var wholeRelease = regexp.MustCompile(`^\d+\.\d+\.\d+$`)

const scriptHost = `import { readFileSync } from 'node:fs';

const { instance } = await WebAssembly.instantiate(readFileSync('reduced.wasm'));
console.log(instance.exports.%s(%s));
`

const goHost = `package main

import (
	"context"
	"fmt"
	"os"

	"github.com/tetratelabs/wazero"
)

func main() {
	ctx := context.Background()
	code, err := os.ReadFile("reduced.wasm")
	if err != nil {
		panic(err)
	}
	m, err := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfig%s()).Instantiate(ctx, code)
	if err != nil {
		panic(err)
	}
	got, err := m.ExportedFunction("%s").Call(ctx%s)
	if err != nil {
		panic(err)
	}
	fmt.Println(%s(got[0]))
}
`

// setHost puts the text of a module and a program of a user in the place of its hex.
func (u *bug) setHost() {
	h, ok := hostOf(u.Entry)
	text := u.Entry.Members["reduced.wat"]
	if !ok || text == "" {
		return
	}
	u.Files = []file{{"reduced.wat", text}, h.file}
	engine, _, _ := strings.Cut(u.Command, " && ")
	before, _, found := strings.Cut(engine, "repro.mjs")
	if !found {
		before = ""
	}
	u.Command = "wat2wasm reduced.wat && " + before + h.run
	u.Expect, u.Want = "The program prints this:", h.want
	if _, got, ok := strings.Cut(u.Entry.Note(corpus.NoteReducedGot), " "); ok {
		u.Actual, u.Got = "It prints this:", got
	}
}

// setSource puts source text that a compiler makes the class of in the place of its hex, or
// else the text of the class.
func (u *bug) setSource() {
	e := u.Entry
	if text := e.Members[javaFile]; text != "" && strings.Contains(u.Command, javaFile) {
		u.Files = []file{{javaFile, text}}
		return
	}
	n := len(u.Files)
	u.Files = slices.DeleteFunc(u.Files, func(f file) bool { return strings.HasSuffix(f.Name, ".hex") })
	u.Binary = len(u.Files) < n
}

// javaFile is the reduced test in Java.
const javaFile = "Reduced.java"
