package prove

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"strings"

	"goreify/compilers"
	"goreify/reify"
	"goreify/reify/emit/c"
	"goreify/reify/solve"
	"goreify/reify/solve/search"
)

// paths has gcov count how often each block of functions is executed. They are of the
// paper's configuration, in the plain style: a line a statement.
func (r *run) paths(ctx context.Context) error {
	const size = 50
	for _, tool := range []string{"gcc", "gcov"} {
		if compilers.LookPath(r.bench.env.Path, tool) == "" {
			return fmt.Errorf("the blocks that are executed are counted by gcov: %s: %w", tool, exec.ErrNotFound)
		}
	}
	for r.Done < r.N {
		var cases []*reify.Case
		var units []c.Unit
		seeds := aligned(r.Next, r.N-r.Done, size)
		for i := range seeds {
			seed := r.Next + uint64(i)
			k, err := reify.Make(fmt.Sprintf("f%d", seed), reify.FromSeed(seed), reify.DefaultConfig(), search.Engine{})
			switch {
			case solve.Unsolved(err):
				continue
			case err != nil:
				return fmt.Errorf("seed %d: %w", seed, err)
			}
			cases, units = append(cases, k), append(units, c.Unit{Claim: k.Claim})
		}
		source := c.Emit(units)
		counts, err := r.gcov(ctx, source)
		if err != nil {
			return err
		}
		for _, k := range cases {
			r.count("functions", 1)
			if err := r.visits(k, blockLines(source, k.Func.Name), counts); err != nil {
				o := Objection{Seed: number(k.Func.Name), Name: k.Func.Name, Said: []string{err.Error()}, Program: k.Program().String()}
				if err := r.object(o); err != nil {
					return err
				}
			}
		}
		r.step(len(cases), r.Next+uint64(seeds))
	}
	return nil
}

// visits compares the path of a case with how often lines were executed: lines has that
// of each block.
func (r *run) visits(k *reify.Case, lines map[string]int, counts map[int]int) error {
	want := make([]int, len(k.Func.Blocks))
	for _, b := range k.Path {
		want[b]++
	}
	for i, b := range k.Func.Blocks {
		if len(b.Stmts) == 0 {
			continue // a mere goto has no line that gcov counts
		}
		line := lines[b.Name]
		if line == 0 {
			return fmt.Errorf("the text has no label %s", b.Name)
		}
		got, ok := counts[line]
		switch {
		case !ok && want[i] == 0:
			continue // gcc dropped a block that cannot be reached
		case !ok:
			return fmt.Errorf("gcov does not count line %d, of block %s", line, b.Name)
		case got != want[i]:
			return fmt.Errorf("block %s is visited %d times, gcov counts %d", b.Name, want[i], got)
		}
		r.count("blocks", 1)
	}
	return nil
}

// blockLines returns the line of the first statement after each label of a
// function.
func blockLines(source, fn string) map[string]int {
	lines := map[string]int{}
	inside := false
	for i, line := range strings.Split(source, "\n") {
		switch {
		case strings.Contains(line, " "+fn+"(") && !strings.Contains(line, ";") && !strings.HasPrefix(line, "/*"):
			inside = true
		case line == "}":
			inside = false
		}
		if label, ok := strings.CutSuffix(line, ":"); ok && inside {
			lines[label] = i + 2
		}
	}
	return lines
}

// gcov compiles and runs a program and returns how often each line ran.
func (r *run) gcov(ctx context.Context, source string) (map[int]int, error) {
	space := r.bench.env.Space
	dir, err := space.NewDir(compilers.File{Name: "x.c", Content: []byte(source)})
	if err != nil {
		return nil, err
	}
	defer space.Remove(dir)
	for _, command := range []string{ // compiling and linking apart makes all versions name the files alike
		"gcc -O0 -w --coverage -c x.c -o x.o", "gcc --coverage x.o -o x", "./x", "gcov --json-format x.gcda",
	} {
		words := strings.Fields(command)
		cmd := exec.CommandContext(ctx, words[0], words[1:]...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("%s: %w\n%s", command, err, out)
		}
	}
	// gcov 9 names it after the data, later ones after the source.
	data, err := space.Read(dir, "x.gcda.gcov.json.gz")
	if errors.Is(err, fs.ErrNotExist) {
		data, err = space.Read(dir, "x.gcov.json.gz")
	}
	if err != nil {
		return nil, fmt.Errorf("gcov has written nothing: %w", err)
	}
	unzip, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	var report struct {
		Files []struct {
			Lines []struct {
				Line  int `json:"line_number"`
				Count int `json:"count"`
			} `json:"lines"`
		} `json:"files"`
	}
	if err := json.NewDecoder(unzip).Decode(&report); err != nil {
		return nil, fmt.Errorf("what gcov has written: %w", err)
	}
	counts := map[int]int{}
	for _, f := range report.Files {
		for _, l := range f.Lines {
			counts[l.Line] = l.Count
		}
	}
	return counts, nil
}
