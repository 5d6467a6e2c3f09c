package others

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"goreify/reify/others/csource"
	"goreify/reify/others/pool"
	"goreify/reify/safefile"
)

// A Work is how what is added is shown, and how much of it is done at a time.
type Work struct {
	Workers int               // from 1
	Begin   func(n int)       // so many programs, files or functions are to be looked at
	Next    func()            // one of them is done
	Say     func(line string) // what is wrong with one of them
	End     func()            // nothing is going on any more
	Out     io.Writer         // for what came of it
}

// A File is a file below a directory that was named.
type File struct{ Root, Name string }

// FileAt is a file that was named itself.
func FileAt(name string) File { return File{filepath.Dir(name), filepath.Base(name)} }

// filesOf returns the files among the names, and those that end in .c in the directories
// among them and below, as far as wanted says.
func filesOf(names []string, wanted func(name string) bool) (files []File, err error) {
	for _, name := range names {
		info, err := os.Stat(name)
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			files = append(files, FileAt(name))
			continue
		}
		root := filepath.Clean(name)
		err = safefile.Walk(root, func(name string) error {
			if path.Ext(name) == ".c" && wanted(name) {
				files = append(files, File{root, name})
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return files, nil
}

// ProgramFiles returns the files among the names, and those that end in .c in the
// directories among them and below, of which each must have one.
func ProgramFiles(names []string) ([]File, error) {
	files, err := filesOf(names, func(string) bool { return true })
	in := map[string]int{}
	for _, f := range files {
		in[f.Root]++
	}
	for _, name := range names {
		if err == nil && in[filepath.Clean(name)]+in[filepath.Dir(name)] == 0 {
			err = fmt.Errorf("%s: no file in it ends in .c", name)
		}
	}
	return files, err
}

// FunctionFiles returns the files among the names, and those that end in .c in the
// directories among them and below and match a pattern, or all for an empty one.
func FunctionFiles(names []string, only string) ([]File, error) {
	if _, err := path.Match(only, ""); err != nil {
		return nil, fmt.Errorf("the pattern %s: %w", only, err)
	}
	return filesOf(names, func(name string) bool {
		matches, _ := path.Match(only, name)
		return matches || only == ""
	})
}

// A Setting is what a program in a file needs: directories of headers, and inputs.
type Setting struct {
	dirs   []fs.FS
	inputs []csource.Input
}

// NewSetting reads options -IDIR, with spaces between, and inputs: arguments, and the file
// to read if there is one, as in "3 4 <numbers.txt".
func NewSetting(flags string, inputs []string) (s Setting, err error) {
	for _, word := range strings.Fields(flags) {
		dir, ok := strings.CutPrefix(word, "-I")
		if !ok || dir == "" {
			return s, fmt.Errorf("-cflags: %q is not known, only -IDIR is", word)
		}
		s.dirs = append(s.dirs, safefile.Tree(dir))
	}
	for _, text := range inputs {
		var in csource.Input
		for _, word := range strings.Fields(text) {
			path, file := strings.CutPrefix(word, "<")
			switch {
			case !file:
				in.Args = append(in.Args, word)
			case in.Stdin != nil:
				err = errors.New("two files to read")
			default:
				in.Stdin, err = safefile.Read(path, csource.MaxStdin)
			}
			if err != nil {
				return s, fmt.Errorf("-input %q: %w", text, err)
			}
		}
		s.inputs = append(s.inputs, in)
	}
	return s, nil
}

// A Candidate is a program that may be added to a pool, or varied.
type Candidate = pool.Candidate

// In returns the program in a file, whose headers may be beside it.
func (s Setting) In(f File) (*Candidate, error) {
	tree := safefile.Tree(f.Root)
	near, err := fs.Sub(tree, path.Dir(f.Name))
	if err != nil {
		return nil, err
	}
	text, err := safefile.ReadFrom(tree, f.Name, csource.MaxText)
	if err != nil {
		return nil, err
	}
	return &Candidate{Name: filepath.Join(f.Root, f.Name), Text: text, Dirs: append([]fs.FS{near}, s.dirs...), Inputs: s.inputs}, nil
}
