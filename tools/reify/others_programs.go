package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"github.com/urfave/cli/v3"

	"goreify/reify/oracle"
	"goreify/reify/others/csource"
	"goreify/reify/others/pool"
	"goreify/reify/safefile"
	"goreify/tools/cmdline"
	"goreify/tools/generators"
)

// addPrograms admits files to a pool.
func addPrograms(ctx context.Context, c *cli.Command) error {
	dirs, err := includeDirs(c.String("cflags"))
	if err != nil {
		return err
	}
	inputs, err := readInputs(c.StringSlice("input"))
	if err != nil {
		return err
	}
	files, err := programFiles(c.Args().Slice())
	if err != nil {
		return err
	}
	return admitAll(ctx, c, len(files), cmdline.OpenForStrangers, func(_ context.Context, i int) (*pool.Candidate, error) {
		k, err := fileCandidate(files[i], dirs, inputs)
		if err != nil { // the others can be read
			fmt.Fprintln(cmdline.Errors(), "not judged:", err)
		}
		return k, nil
	})
}

// addCsmith admits programs that csmith makes to a pool.
func addCsmith(ctx context.Context, c *cli.Command) error {
	n := orDefault(c, 100)
	if n < 1 {
		return fmt.Errorf("-n is %d, want 1 or more", n)
	}
	options := pool.CsmithOptions
	if c.IsSet("cflags") {
		options = func(uint64) []string { return strings.Fields(c.String("cflags")) }
	}
	csmith, err := generators.Csmith(options)
	if err != nil {
		return err
	}
	return admitAll(ctx, c, n, cmdline.OpenOracle, func(ctx context.Context, i int) (*pool.Candidate, error) {
		return csmithCandidate(ctx, csmith, c.Uint64("seed")+uint64(i))
	})
}

func cflagsFlag() cli.Flag {
	return &cli.StringFlag{Name: "cflags", Usage: "`FLAGS` of the preprocessor for C files: -IDIR, several with spaces between"}
}

func inputFlag() cli.Flag {
	return &cli.StringSliceFlag{Name: "input", Usage: "`INPUT` of C files, as '3 4 <FILE'; once for each that variants must agree on",
		Config: cli.StringConfig{TrimSpace: true}}
}

// readInputs returns what the flags -input stand for: "3 4 <numbers.txt".
func readInputs(flags []string) (inputs []csource.Input, err error) {
	for _, flag := range flags {
		var in csource.Input
		for _, word := range strings.Fields(flag) {
			path, file := strings.CutPrefix(word, "<")
			switch {
			case !file:
				in.Args = append(in.Args, word)
			case in.Stdin != nil:
				return nil, fmt.Errorf("-input %q: two files to read", flag)
			default:
				if in.Stdin, err = safefile.Read(path, csource.MaxStdin); err != nil {
					return nil, fmt.Errorf("-input %q: %w", flag, err)
				}
			}
		}
		inputs = append(inputs, in)
	}
	return inputs, nil
}

// fileCandidate returns the program in a file, whose headers may be beside it.
func fileCandidate(f foreignFile, dirs []fs.FS, inputs []csource.Input) (*pool.Candidate, error) {
	tree := safefile.Tree(f.root)
	near, err := fs.Sub(tree, path.Dir(f.name))
	if err != nil {
		return nil, err
	}
	text, err := safefile.ReadFrom(tree, f.name, csource.MaxText)
	if err != nil {
		return nil, err
	}
	return &pool.Candidate{Name: filepath.Join(f.root, f.name), Text: text, Dirs: append([]fs.FS{near}, dirs...), Inputs: inputs}, nil
}

// includeDirs returns the directories of options -IDIR.
func includeDirs(flags string) (dirs []fs.FS, err error) {
	for _, word := range strings.Fields(flags) {
		dir, ok := strings.CutPrefix(word, "-I")
		if !ok || dir == "" {
			return nil, fmt.Errorf("-cflags: %q is not known, only -IDIR is", word)
		}
		dirs = append(dirs, safefile.Tree(dir))
	}
	return dirs, nil
}

// programFiles returns the files among the names, and those that end in .c in the
// directories among them and below.
func programFiles(names []string) (files []foreignFile, err error) {
	in := map[string]int{}
	err = eachSource(names, func(root, name string, _ bool) {
		files = append(files, foreignFile{root, name})
		in[root]++
	})
	for _, name := range names {
		if err == nil && in[filepath.Clean(name)]+in[filepath.Dir(name)] == 0 {
			err = fmt.Errorf("%s: no file in it ends in .c", name)
		}
	}
	return files, err
}

// csmithCandidate returns the program of a seed, nil if csmith does not end in time.
// csmith runs in no box: it sees no stranger's file.
func csmithCandidate(ctx context.Context, csmith generators.Source, seed uint64) (*pool.Candidate, error) {
	u, err := csmith.Make(ctx, seed)
	if err != nil || len(u.Files) == 0 {
		return nil, err
	}
	return &pool.Candidate{Name: fmt.Sprintf("csmith-%d", seed), Text: u.Files[0], Dirs: []fs.FS{os.DirFS(generators.CsmithHeaders)}, Trusted: true}, nil
}

// An intake is what came of candidates.
type intake struct {
	mu                       sync.Mutex
	admitted, known, refused int
	open                     int // the machine gave no answer, or csmith no program, or a file could not be read
}

// count counts one more candidate in a field.
func (in *intake) count(field *int) {
	in.mu.Lock()
	defer in.mu.Unlock()
	*field++
}

// An opener is cmdline.OpenOracle, or one that refuses strangers.
type opener func(context.Context, *cli.Command) (*oracle.Oracle, func(), error)

// admitAll has n candidates admitted to the pool of the flag -o. Those that are
// made are kept if it is interrupted. It is an error if none was admitted, now or
// before. The oracle is that of open.
func admitAll(ctx context.Context, c *cli.Command, n int, open opener, candidate func(context.Context, int) (*pool.Candidate, error)) error {
	p, err := pool.Open(databaseOf(c))
	if err != nil {
		return err
	}
	defer p.Close() // each transaction is on disk
	o, closer, err := open(ctx, c)
	if err != nil {
		return err
	}
	defer closer()
	judge, err := pool.NewJudge(o.Targets, o.Sanitizers, o.Space)
	if err != nil {
		return err
	}
	var in intake
	progress := cmdline.NewProgress(n, "programs")
	defer progress.Close()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	next := make(chan int)
	var group sync.WaitGroup
	for range min(c.Int(cmdline.Workers), runtime.NumCPU(), n) {
		group.Go(func() {
			for i := range next {
				k, err := candidate(ctx, i)
				switch {
				case err == nil && k != nil:
					err = in.admit(ctx, p, judge, *k)
				case err == nil:
					in.count(&in.open)
				}
				if err != nil {
					cancel(err)
				}
				progress.Next()
			}
		})
	}
	for i := range n {
		if ctx.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	group.Wait()
	progress.Close()
	fmt.Fprintf(c.Root().Writer, "%s: %d admitted, %d were there, %d refused, %d not judged\n", p.Path(), in.admitted, in.known, in.refused, in.open)
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("%w; what was admitted is kept", context.Cause(ctx))
	case in.admitted+in.known == 0:
		return errors.New("none was admitted")
	}
	return nil
}

// admit has a candidate admitted, or its refusal recorded and shown.
func (in *intake) admit(ctx context.Context, p *pool.Pool, judge *pool.Judge, k pool.Candidate) error {
	text, err := pool.Prepare(k)
	if err == nil {
		there, refused, err := p.Known(pool.Sum(text))
		if err != nil {
			return err
		}
		switch {
		case there:
			in.count(&in.known)
			return nil
		case refused:
			in.count(&in.refused)
			return nil
		}
	}
	var seed *pool.Seed
	if err == nil {
		seed, err = judge.Admit(ctx, k)
	}
	var r *pool.Refusal
	switch {
	case errors.As(err, &r):
		if err := p.Refuse(r); err != nil {
			return err
		}
		in.count(&in.refused)
		fmt.Fprintln(cmdline.Errors(), "refused:", firstLineOf(r.Error()))
		return nil
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil: // the machine gave no answer: it may do so another time
		in.count(&in.open)
		fmt.Fprintln(cmdline.Errors(), "not judged:", k.Name+":", firstLineOf(err.Error()))
		return nil
	}
	added, err := p.Add(seed)
	if err != nil {
		return err
	}
	if added {
		in.count(&in.admitted)
	} else {
		in.count(&in.known)
	}
	return nil
}

func firstLineOf(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}
