package export

import (
	"context"
	"strings"

	"goreify/compilers/gc"
	"goreify/corpus"
)

// fixedbugs writes a test whose first line says what testdir does with it. Its output, if it prints
// something, is that of a file beside it.
func fixedbugs(_ context.Context, t Test) ([]corpus.File, error) {
	source, err := t.source()
	if err != nil {
		return nil, err
	}
	mode, _ := t.Asked()
	action, flags := "// run", gc.Flags(mode)
	switch {
	case t.compiles():
		action = strings.Join(append([]string{"// compile"}, flags...), " ")
	case len(flags) > 1:
		action += ` -gcflags="` + strings.Join(flags, " ") + `"`
	case len(flags) == 1:
		action += " -gcflags=" + flags[0]
	}
	text := action + "\n\n// " + t.origin() + "\n"
	if _, goarch, ok := strings.Cut(t.Version, " "); ok {
		text += "// It failed with GOARCH=" + goarch + ".\n"
	}
	files := one(t.Name+".go", text+"\n"+source)
	if want := t.want(); want != "" && !t.compiles() {
		files = append(files, corpus.File{Name: t.Name + ".out", Content: []byte(want)})
	}
	return files, nil
}
