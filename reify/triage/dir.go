package triage

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"goreify/corpus"
	"goreify/reify/oracle"
)

// Files returns the reproducers in a directory: those in it, and those of a hunt
// in findings/*/ below it, sorted by name.
func Files(dir string) ([]string, error) {
	if _, err := os.ReadDir(dir); err != nil {
		return nil, err
	}
	var files []string
	for _, pattern := range []string{"*" + corpus.Ext, filepath.Join("findings", "*", "finding"+corpus.Ext)} {
		some, err := filepath.Glob(filepath.Join(escape(dir), pattern))
		if err != nil {
			return nil, err
		}
		for _, f := range some {
			if base := filepath.Base(f); base[0] != '.' {
				files = append(files, f)
			}
		}
	}
	slices.Sort(files)
	return files, nil
}

// escape makes a directory's name stand for itself in a pattern.
func escape(dir string) string {
	var out []rune
	for _, r := range dir {
		if r == '*' || r == '?' || r == '[' || r == '\\' {
			out = append(out, '\\')
		}
		out = append(out, r)
	}
	return string(out)
}

// Done tells whether an entry has been through Finding to the end.
func Done(e *corpus.Entry) bool { return e.Bucket != "" && e.Reduced != "" }

// File looks into the finding in a file and writes what is found out back to it,
// whole or not at all. What has been done before is not done again unless
// opt.Again is set: skipped is true then. The error is that of Finding, whose
// Result it returns; with ErrNotReduced, what else is known has been written.
func File(ctx context.Context, o *oracle.Oracle, path string, opt Options) (r *Result, skipped bool, err error) {
	e, err := corpus.Load(path)
	if err != nil {
		return nil, false, err
	}
	if e.Verdict == corpus.Untested || Done(e) && !opt.Again {
		return nil, true, nil
	}
	opt.Save = func(e *corpus.Entry) error {
		if now, err := corpus.Load(path); err == nil && Done(now) && !opt.Again {
			return nil // another process has come to the end, which says more
		}
		if e.Reduced != "" {
			return nil // a reduced test of before, with which this culprit does not go
		}
		return corpus.Update(path, e)
	}
	r, err = Finding(ctx, o, e, opt)
	if r == nil {
		return nil, false, fmt.Errorf("%s: %w", path, err)
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return r, false, errors.Join(write(path, r.Entry), err)
}

// write updates a file. Beside a finding of a hunt stand the files that are in
// it, so the reduced test is put there, too: first, as what is interrupted is
// done again only while the entry is not Done.
func write(path string, e *corpus.Entry) error {
	beside := filepath.Dir(path)
	if _, err := os.Stat(filepath.Join(beside, corpus.Main)); err == nil && e.Reduced != "" {
		if err := os.WriteFile(filepath.Join(beside, corpus.ReducedMain), []byte(e.Reduced), 0o644); err != nil {
			return err
		}
	}
	return corpus.Update(path, e)
}
