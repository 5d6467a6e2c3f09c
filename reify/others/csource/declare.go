package csource

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Declared returns the program with declarations that C has required since 1999, and
// compilers recently: the type int of functions that are defined without a type, and
// prototypes of functions of the library that are called and not declared.
func (p *Program) Declared() []byte {
	var edits []Edit
	for _, f := range p.Functions {
		if i, untyped := p.untyped(f); untyped {
			at := p.tokens[i].from
			edits = append(edits, Edit{From: at, To: at, Text: "int "})
		}
	}
	called := map[string]bool{}
	p.words(func(i int, s *Scope, fn int) {
		if name := p.text(i); fn >= 0 && p.text(i+1) == "(" && prototypes()[name] != "" && s.Lookup(name, len(p.Text)) == nil {
			called[name] = true
		}
	})
	var head strings.Builder
	for _, name := range library() {
		if called[name] {
			fmt.Fprintln(&head, prototypes()[name])
		}
	}
	return append([]byte(head.String()), p.Apply(edits)...)
}

// untyped says whether a function is defined without a type, and which token is its
// name.
func (p *Program) untyped(f Function) (name int, untyped bool) {
	for i := p.token(f.From); i < len(p.tokens) && p.tokens[i].from < f.Body; i++ {
		switch text := p.text(i); {
		case text == f.Name:
			return i, p.text(i+1) == "("
		case text == "__attribute__", text == "__attribute":
			i = p.closing(i + 1)
		case !slices.Contains([]string{"static", "extern", "inline", "__inline", "__inline__", "__extension__"}, text):
			return 0, false
		}
	}
	return 0, false
}

// prototypes are the lines of our headers that declare functions, without the names
// of types that headers define.
var prototypes = sync.OnceValue(func() map[string]string {
	m := map[string]string{}
	declares := regexp.MustCompile(`(?m)^[a-z].*?[ *](\w+)\(.*\)[^()]*(?:\(\(\w+\)\))?;$`)
	types := strings.NewReplacer("size_t", "__SIZE_TYPE__", "FILE", "struct _IO_FILE")
	entries, err := libc.ReadDir("libc")
	if err != nil {
		panic(err)
	}
	for _, e := range entries {
		for _, d := range declares.FindAllStringSubmatch(header(e.Name()), -1) {
			if !strings.HasPrefix(d[0], "typedef") {
				m[d[1]] = types.Replace(d[0])
			}
		}
	}
	return m
})
