// Package generators runs generators of C programs that are installed here, to take
// their programs as seeds or to compare them with ours: csmith and yarpgen.
package generators

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"goreify/reify/safefile"
)

// A Unit is what a source makes of a seed: C files that compile each by itself.
type Unit struct {
	Files     [][]byte
	Functions int // 0 if nobody counted them
}

// A Source is a generator of programs.
type Source struct {
	Name string
	// Flags are arguments that its programs need: "-I/usr/include/csmith".
	Flags []string
	// Make returns the program of a seed. Its cost is not charged. A seed that ends in
	// no program gives one without files.
	Make func(ctx context.Context, seed uint64) (Unit, error)
}

// ErrMissing says that a generator is not installed.
var ErrMissing = errors.New("not installed")

// CsmithHeaders is where Debian's libcsmith-dev puts what csmith's programs
// include.
const CsmithHeaders = "/usr/include/csmith"

// generatorTime is how long another generator may take for a program: csmith
// has seeds that never end.
const generatorTime = 10 * time.Second

// Csmith returns Debian's csmith, which makes the program of a seed with the options
// for it, or with its default ones if options is nil. The error wraps ErrMissing if
// it or its headers are not there.
func Csmith(options func(seed uint64) []string) (Source, error) {
	path, err := exec.LookPath("csmith")
	if err != nil {
		return Source{}, fmt.Errorf("csmith: %w (Debian's package csmith)", ErrMissing)
	}
	if _, err := os.Stat(filepath.Join(CsmithHeaders, "csmith.h")); err != nil {
		return Source{}, fmt.Errorf("csmith: its headers in %s: %w (Debian's package libcsmith-dev)", CsmithHeaders, ErrMissing)
	}
	make := func(ctx context.Context, seed uint64) (Unit, error) {
		args := []string{"--seed", strconv.FormatUint(seed, 10), "--output", "a.c"}
		if options != nil {
			args = append(args, options(seed)...)
		}
		return generate(ctx, path, args, func(dir *safefile.Dir) (Unit, error) {
			text, err := dir.Read("a.c", safefile.Most)
			return Unit{Files: [][]byte{text}}, err
		})
	}
	return Source{Name: "csmith", Flags: []string{"-I" + CsmithHeaders}, Make: make}, nil
}

// YARPGen returns the yarpgen on PATH, of the branch main, with its default
// options. Its functions under test are compiled, its driver is not. The error
// wraps ErrMissing if there is none.
func YARPGen() (Source, error) {
	path, err := exec.LookPath("yarpgen")
	if err != nil {
		return Source{}, fmt.Errorf("yarpgen: %w on PATH", ErrMissing)
	}
	make := func(ctx context.Context, seed uint64) (Unit, error) {
		return generate(ctx, path, []string{"--std=c", "--seed=" + strconv.FormatUint(seed, 10), "--out-dir=."}, func(dir *safefile.Dir) (Unit, error) {
			text, err := dir.Read("func.c", safefile.Most)
			if err != nil {
				return Unit{}, err
			}
			header, err := dir.Read("init.h", safefile.Most)
			include := []byte(`#include "init.h"`)
			if err == nil && !bytes.Contains(text, include) {
				err = errors.New("yarpgen: func.c does not include init.h")
			}
			// A file that stands alone is easier to hand on.
			return Unit{Files: [][]byte{bytes.ReplaceAll(text, include, header)}}, err
		})
	}
	return Source{Name: "yarpgen-main", Make: make}, nil
}

// generate runs a generator in a directory of its own, and collects what it
// wrote there. One that does not end in time has made no program.
func generate(ctx context.Context, path string, args []string, collect func(*safefile.Dir) (Unit, error)) (Unit, error) {
	dir, err := os.MkdirTemp("", "generator-*")
	if err != nil {
		return Unit{}, err
	}
	defer os.RemoveAll(dir)
	limited, cancel := context.WithTimeout(ctx, generatorTime)
	defer cancel()
	cmd := exec.CommandContext(limited, path, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	switch {
	case ctx.Err() != nil:
		return Unit{}, ctx.Err()
	case limited.Err() != nil:
		return Unit{}, nil
	case err != nil:
		return Unit{}, fmt.Errorf("%v: %w: %s", cmd.Args, err, out)
	}
	d, err := safefile.Open(dir)
	if err != nil {
		return Unit{}, err
	}
	defer d.Close() // read only
	return collect(d)
}
