package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v3"

	"goreify/compilers"
	"goreify/corpus"
	"goreify/reify/choice"
	"goreify/reify/language"
	"goreify/reify/mutate"
	"goreify/reify/oracle"
	"goreify/reify/others/foreign"
	"goreify/reify/others/inject"
	"goreify/reify/others/pool"
	"goreify/reify/others/text"
	"goreify/reify/safefile"
	"goreify/reify/source/function"
	"goreify/reify/source/variant"
	"goreify/reify/subject"
	"goreify/tools/cmdline"
)

// vary writes variants of the files of a command line.
func vary(ctx context.Context, c *cli.Command) error {
	edits, passes, err := parseEdits(c.String("edits"))
	if err != nil {
		return err
	}
	o := mutate.Options{Edits: edits, Only: passes}
	if err := o.Validate(); err != nil {
		return err
	}
	e := &emitter{command: c, out: destination{says: c.Root().Writer, dir: c.String("o"), what: "variant"}, options: o}
	if c.IsSet("inject") {
		if mode := c.String("inject"); mode != string(inject.Fixed) {
			return fmt.Errorf("-inject is %q, want fixed for files", mode)
		}
		s := text.NewInjected("", func() (text.Functions, error) { return foreign.Read(functionsOf(c)) })
		if err := s.CheckFunctions(); err != nil {
			return err
		}
		e.change = s.Inject
	}
	if err := e.out.make(); err != nil {
		return err
	}
	defer e.close()
	e.progress = cmdline.NewProgress(c.NArg()*c.Int("n"), "variants")
	defer e.progress.Close()
	var wrong error // a file that there are no variants of does not keep the others from having theirs
	for _, path := range c.Args().Slice() {
		e.progress.Now(path)
		wrong = errors.Join(wrong, e.emi(ctx, path))
		if ctx.Err() != nil {
			break
		}
	}
	e.progress.Close()
	fmt.Fprintf(e.out.says, "%d variants are in %s\n", e.made, e.out.dir)
	if e.found > 0 {
		wrong = errors.Join(wrong, cmdline.ErrFinding)
	}
	return wrong
}

// parseEdits takes the flag edits apart: "3", "insert,tg", or "3:insert,tg".
func parseEdits(flag string) (n int, passes []string, err error) {
	number, list, both := strings.Cut(flag, ":")
	if !both && strings.Trim(flag, "-0123456789") != "" {
		number, list = "", flag
	}
	if number != "" {
		if n, err = strconv.Atoi(number); err != nil || n < 1 {
			return 0, nil, fmt.Errorf("-edits is %q, want a number from 1, passes between commas, or both as in 3:insert,tg", flag)
		}
	}
	if list != "" {
		for name := range strings.SplitSeq(list, ",") {
			passes = append(passes, strings.TrimSpace(name))
		}
	}
	return n, passes, nil
}

// functionsOf returns the database of functions of others that a command line names, or
// the usual one.
func functionsOf(c *cli.Command) string { return cmp.Or(c.String("functions"), cmdline.FunctionsFile) }

// An emitter writes variants. Compilers, which say what of C is executed and, with the
// flag -check, whether they are right, are looked for when the first is asked.
type emitter struct {
	command  *cli.Command
	strange  bool // what there are variants of now nobody has looked at
	out      destination
	options  mutate.Options
	change   func(p *pool.Profile, suffix string, s *choice.Stream) (*text.Text, error) // of C; nil for a variant like any
	oracle   *oracle.Oracle
	closer   func()
	progress *cmdline.Progress

	made, found int // variants, and compilers that are wrong about one
}

func (e *emitter) close() {
	if e.closer != nil {
		e.closer()
	}
}

// open looks for the compilers, and returns an error if they are not to see what there are
// variants of now.
func (e *emitter) open(ctx context.Context) (err error) {
	if e.oracle == nil {
		if e.oracle, e.closer, err = cmdline.OpenOracle(ctx, e.command); err != nil {
			return err
		}
	}
	if e.strange {
		return e.oracle.Space.Strangers()
	}
	return nil
}

// emi writes variants of what is in a file.
func (e *emitter) emi(ctx context.Context, path string) error {
	switch filepath.Ext(path) {
	case ".c":
		e.strange = true
		return e.ofText(ctx, path, nil)
	case corpus.Ext:
		return e.ofReproducer(ctx, path)
	}
	return fmt.Errorf("%s: want a reproducer, whose name ends in %s, or C", path, corpus.Ext)
}

// give writes a variant and, with -check, asks the compilers about it. One that is wrong
// is said, and the reproducer tells of it.
func (e *emitter) give(ctx context.Context, name string, s subject.Subject) error {
	if err := e.out.write(name, s); err != nil {
		return err
	}
	e.made++
	e.progress.Next()
	if !e.command.Bool("check") {
		return nil
	}
	if err := e.open(ctx); err != nil {
		return err
	}
	r, err := e.oracle.Check(ctx, s, 0)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	for _, f := range r.Suspicions {
		e.progress.Line(e.out.says, fmt.Sprintf("%s: not for sure: %v", name, f))
	}
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case r.Finding == nil:
		e.progress.Line(e.out.says, fmt.Sprintf("%s: %d configurations are right, %d gave no answer", name, r.Asked, r.Discarded))
		return nil
	}
	e.found++
	e.progress.Line(e.out.says, fmt.Sprintf("%s: %v", name, r.Finding))
	entry, err := r.Finding.Entry()
	if err != nil {
		return err
	}
	entry.Date = time.Now().Format(time.DateOnly)
	if err := entry.Check(); err != nil {
		return err
	}
	return safefile.Write(filepath.Join(e.out.dir, name+corpus.Ext), entry.Format(), 0o644)
}

// ofReproducer writes variants of each program of a reproducer. One that holds no
// program in the text form of package ir that there are variants of is C.
func (e *emitter) ofReproducer(ctx context.Context, path string) error {
	if e.change != nil {
		return fmt.Errorf("%s: -inject is for C", path)
	}
	if e.command.IsSet("input") {
		return fmt.Errorf("%s: -input is for C, and a reproducer has its inputs in it", path)
	}
	entry, own, err := corpus.LoadOwn(path)
	if err != nil {
		return err
	}
	e.strange = !own
	c := e.command
	texts, err := variant.Texts(filepath.Base(path), entry)
	if err != nil && entry.Language == compilers.C && len(entry.Sources) == 1 {
		text := entry.Sources[entry.Main]
		if seed := entry.Members[corpus.SeedFile]; seed != "" {
			text = seed
		}
		if wrong := e.ofText(ctx, path, []byte(text)); wrong != nil {
			return errors.Join(err, wrong)
		}
		return nil
	}
	if err != nil {
		return err
	}
	base := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	for i, t := range texts {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		s := choice.New(choice.Derive(c.Uint64("seed"), fmt.Sprint("emi ", i)))
		m, err := t.Member("f", s)
		if err != nil {
			return err
		}
		list, err := variant.Several(m, c.Int("n"), e.options, s)
		if err != nil {
			return err
		}
		for _, v := range list {
			name := fmt.Sprintf("%s-%d-%s", base, i+1, strings.TrimPrefix(v.Case.Func.Name, "f"))
			if err := e.give(ctx, name, function.Of(language.C, []function.Member{v})); err != nil {
				return err
			}
		}
	}
	return nil
}

// ofText writes variants of C that others wrote, which must be what a pool would
// admit: of a file, or of a text that was in it.
func (e *emitter) ofText(ctx context.Context, path string, content []byte) error {
	c := e.command
	if c.IsSet("edits") {
		return fmt.Errorf("%s: -edits is for reproducers of programs that we made", path)
	}
	dirs, err := includeDirs(c.String("cflags"))
	if err != nil {
		return err
	}
	inputs, err := readInputs(c.StringSlice("input"))
	if err != nil {
		return err
	}
	k := &pool.Candidate{Name: path, Text: content}
	if content == nil {
		if k, err = fileCandidate(foreignFile{filepath.Dir(path), filepath.Base(path)}, dirs, inputs); err != nil {
			return err
		}
	}
	if err := e.open(ctx); err != nil {
		return err
	}
	judge, err := pool.NewJudge(e.oracle.Targets, e.oracle.Sanitizers, e.oracle.Space)
	if err != nil {
		return err
	}
	seed, err := judge.Admit(ctx, *k)
	if err != nil {
		return err
	}
	p, err := seed.Profile()
	if err != nil {
		return err
	}
	base := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	change := e.change
	if change == nil {
		change = func(p *pool.Profile, suffix string, s *choice.Stream) (*text.Text, error) {
			return text.Variant(p, suffix, s), nil
		}
	}
	for i := range c.Int("n") {
		v, err := change(p, fmt.Sprintf("v%d", i+1), choice.New(choice.Derive(c.Uint64("seed"), fmt.Sprint("emi ", i))))
		if err != nil {
			return err
		}
		if v == nil {
			continue
		}
		if err := e.give(ctx, fmt.Sprintf("%s-v%d", base, i+1), v); err != nil {
			return err
		}
	}
	return nil
}
