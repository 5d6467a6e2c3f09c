package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v3"

	"goreify/corpus"
	"goreify/reify/choice"
	"goreify/reify/language"
	"goreify/reify/mutate"
	"goreify/reify/oracle"
	"goreify/reify/others"
	"goreify/reify/safefile"
	"goreify/reify/source/function"
	"goreify/reify/source/variant"
	"goreify/reify/subject"
	"goreify/tools/cmdline"
)

// vary writes variants of the files of a command line.
func vary(ctx context.Context, c *cli.Command, files []string) error {
	if len(files) == 0 {
		return errors.New("others vary takes the names of C files or of reproducers")
	}
	edits, passes, err := parseEdits(c.String("how"))
	if err != nil {
		return err
	}
	o := mutate.Options{Edits: edits, Only: passes}
	if err := o.Validate(); err != nil {
		return err
	}
	return varyFiles(ctx, c, files, &emitter{options: o})
}

// varyFiles writes variants of files with an emitter that has what is special of it.
func varyFiles(ctx context.Context, c *cli.Command, files []string, e *emitter) (err error) {
	e.command, e.out = c, destination{says: c.Root().Writer, dir: c.String("o"), what: "variant"}
	if e.n, err = number(c, 10, 0); err != nil {
		return err
	}
	if err := e.out.make(); err != nil {
		return err
	}
	defer e.close()
	e.progress = cmdline.NewProgress(len(files)*e.n, "variants")
	defer e.progress.Close()
	var wrong error // a file that there are no variants of does not keep the others from having theirs
	for _, path := range files {
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

// parseEdits takes the flag how of variants apart: "3", "insert,tg", or "3:insert,tg".
func parseEdits(flag string) (n int, passes []string, err error) {
	number, list, both := strings.Cut(flag, ":")
	if !both && strings.Trim(flag, "-0123456789") != "" {
		number, list = "", flag
	}
	if number != "" {
		if n, err = strconv.Atoi(number); err != nil || n < 1 {
			return 0, nil, fmt.Errorf("-how is %q, want a number from 1, passes between commas, or both as in 3:insert,tg", flag)
		}
	}
	if list != "" {
		for name := range strings.SplitSeq(list, ",") {
			passes = append(passes, strings.TrimSpace(name))
		}
	}
	return n, passes, nil
}

// An emitter writes variants. Compilers, which say what of C is executed and, with the
// flag -check, whether they are right, are looked for when the first is asked.
type emitter struct {
	command  *cli.Command
	n        int  // variants of each program
	strange  bool // what there are variants of now nobody has looked at
	out      destination
	options  mutate.Options
	of       others.Varier // of C
	calls    bool          // the variants call functions: they are of C
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
// program in the text form of package ir that there are variants of is one of others.
func (e *emitter) ofReproducer(ctx context.Context, path string) error {
	if e.calls {
		return fmt.Errorf("%s: others inject is for C", path)
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
	if l := language.Find(entry.Language); err != nil && l != nil && l.Others && len(entry.Sources) == 1 {
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
		list, err := variant.Several(m, e.n, e.options, s)
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
	if c.IsSet("how") && !e.calls {
		return fmt.Errorf("%s: -how is for reproducers of programs that we made", path)
	}
	setting, err := others.NewSetting(c.String("cflags"), c.StringSlice("input"))
	if err != nil {
		return err
	}
	k := &others.Candidate{Name: path, Text: content}
	if content == nil {
		if k, err = setting.In(others.FileAt(path)); err != nil {
			return err
		}
	}
	if err := e.open(ctx); err != nil {
		return err
	}
	variantOf, err := e.of.Of(ctx, e.oracle, *k)
	if err != nil {
		return err
	}
	base := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	for i := range e.n {
		v, err := variantOf(fmt.Sprintf("v%d", i+1), choice.New(choice.Derive(c.Uint64("seed"), fmt.Sprint("emi ", i))))
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
