package native

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"goreify/compilers"
)

var compilerPattern = regexp.MustCompile(`^(gcc|clang)(?:-(\d+(?:\.\d+)*))?$`)

// Finder finds gcc and clang.
var Finder = compilers.Finder{Families: slices.Sorted(maps.Keys(families)), Find: find, Signs: []compilers.Sign{
	{Name: "clang", Ask: "--version", Says: families["clang"].Banner, Example: families["clang"].Example},
	{Name: "gcc", Ask: "--version", Says: families["gcc"].Banner, Example: families["gcc"].Example},
	// A banner begins with the name that gcc is called by.
	{Name: "gcc", Ask: "-v", Says: verbose, Example: "gcc version 17.0.0 20261123 (experimental) (GCC)"},
}}

// find returns the toolchains that REIFY_CC names, in its order, or else every
// gcc, gcc-N, clang and clang-N on PATH: gcc first, by rising version. Names of
// one executable give one toolchain, under its versioned name. Their modes are
// the levels of REIFY_MODES.
//
// A compiler of REIFY_CC that is missing or does not know its version is unknown: other
// finders may know the name. A PATH without compilers is unknown, too, under the name "".
// A level that does not exist is an error. Compilers for other processors are found if they are named. A compiler on PATH
// that does not know its version, or does not say it within five seconds, is returned
// without it, for Probe to say why it cannot be used. find starts each compiler that
// env.Cache does not know once or twice, all at the same time.
func find(ctx context.Context, env compilers.Env) (found []compilers.Target, unknown map[string]error, err error) {
	levels, err := levelsOf(env)
	if err != nil {
		return nil, nil, err
	}
	toolchains, unknown, err := newFinder(env).look(ctx)
	for _, t := range toolchains {
		t.levels = levels
		found = append(found, t)
	}
	return found, unknown, err
}

// Toolchains returns those that find does, without REIFY_MODES: they have all Levels. A
// compiler of REIFY_CC that is unknown is an error.
func Toolchains(ctx context.Context, env compilers.Env) ([]Toolchain, error) {
	return newFinder(env).toolchains(ctx)
}

func (f finder) toolchains(ctx context.Context) ([]Toolchain, error) {
	found, unknown, err := f.look(ctx)
	if err == nil {
		err = complaint(f.env, unknown)
	}
	return found, err
}

// complaint returns an error if anything is unknown.
func complaint(env compilers.Env, unknown map[string]error) error {
	for _, name := range env.Named() {
		if err := unknown[name]; err != nil {
			return fmt.Errorf("REIFY_CC=%q: %w", env.CC, err)
		}
	}
	return unknown[""]
}

// look returns toolchains, and what is unknown as compilers.Finder has it.
func (f finder) look(ctx context.Context) (found []Toolchain, unknown map[string]error, err error) {
	if names := f.env.Named(); names != nil {
		found, unknown = f.findNamed(ctx, names)
		return found, unknown, ctx.Err()
	}
	found = scanPath(f.env.Path)
	if len(found) == 0 {
		return nil, map[string]error{"": errors.New("no gcc, gcc-N, clang or clang-N on PATH: install one, or name one in REIFY_CC")}, nil
	}
	f.identify(ctx, found, f.found)
	if ctx.Err() != nil {
		return nil, nil, ctx.Err()
	}
	return found, nil, nil
}

func (f finder) findNamed(ctx context.Context, names []string) (found []Toolchain, unknown map[string]error) {
	unknown = map[string]error{}
	var here []Toolchain
	var entries []string // of those
	for _, name := range names {
		of := name
		rest, ir := named(name, irName)
		if ir {
			of = "clang" + rest
		}
		t, err := f.locate(of)
		if err != nil {
			unknown[name] = err
			continue
		}
		if ir {
			t = t.forIR()
		}
		here = append(here, t)
		entries = append(entries, name)
	}
	f.identify(ctx, here, f.named)
	for i, t := range here {
		var err error
		family, _, given := strings.Cut(strings.Fields(entries[i])[0], "=")
		given = given && !t.ir
		switch family, _, _ = strings.Cut(family, compilers.RootMark); {
		case t.unknown != nil:
			unknown[entries[i]] = t.unknown
		case given && family != t.Family:
			unknown[entries[i]] = fmt.Errorf("%s is %s: %q", t.Path, t.Family, t.Banner)
		default:
			if t.own() {
				t.found, err = compilers.See("", t.parts(ctx, f.env.Space)...)
			}
			if err != nil {
				unknown[entries[i]] = err
				continue
			}
			found = append(found, t)
		}
	}
	return found, unknown
}

// irName begins the names of clangs that are given LLVM IR, in the place of "clang".
const irName = "llvm"

// forIR returns clang as a target of LLVM IR.
func (t Toolchain) forIR() Toolchain {
	if strings.Contains(t.Name, "/") {
		t.Name = irName + "=" + t.Name
	} else {
		t.Name = irName + strings.TrimPrefix(t.Name, "clang")
	}
	t.ir = true
	return t
}

// locate returns the toolchain of an entry of REIFY_CC, which is not asked anything.
func (f finder) locate(entry string) (t Toolchain, err error) {
	words := strings.Fields(entry)
	if len(words) == 0 {
		return t, errors.New("empty entry")
	}
	t = Toolchain{Name: words[0], Args: words[1:], searchPath: f.env.Path}
	name, path, given := strings.Cut(t.Name, "=")
	if given = given && !strings.Contains(name, "/"); !given {
		name = t.Name
	}
	plain, root, err := f.env.Root(name)
	if given && families[plain].Banner == nil {
		return t, fmt.Errorf("%s: neither gcc nor clang %w", entry, compilers.ErrName)
	}
	if err != nil {
		return t, err
	}
	mark := strings.TrimPrefix(name, plain)
	if root != "" {
		t.Root, t.searchPath = root, compilers.RootPath
	}
	if given {
		if plain = path; !filepath.IsAbs(plain) {
			return t, fmt.Errorf("%s: want an absolute path", entry)
		}
	}
	plain, t.Path, err = lookName(root, plain, t.searchPath)
	t.Name = plain + mark
	if err != nil {
		return t, err
	}
	if strings.Contains(filepath.Base(plain), "++") {
		return t, fmt.Errorf("%s compiles C++: want a compiler of C", plain)
	}
	for _, arg := range t.Args {
		if dir, ok := strings.CutPrefix(arg, "-B"); ok && dir != "" && !filepath.IsAbs(dir) {
			return t, fmt.Errorf("%s: compilers run in directories of their own: want -B with an absolute path", entry)
		}
	}
	built := filepath.Dir(t.Path)
	if filepath.Base(t.Path) == "xgcc" && compilers.Executable(root, filepath.Join(built, "cc1")) && !slices.ContainsFunc(t.Args, func(arg string) bool { return strings.HasPrefix(arg, "-B") }) {
		return t, fmt.Errorf("%s is not installed, and finds its parts with -B alone: name it as %s -B%s/", t.Path, t.Path, built)
	}
	return t, nil
}

// familyOfName returns the family that a compiler's name says.
func familyOfName(name string) string {
	if strings.Contains(filepath.Base(name), "clang") {
		return "clang"
	}
	return "gcc"
}

var crossName = regexp.MustCompile(`^(gcc(?:-\d+)?)-([a-z]\w*-[\w-]+)$`)

// lookName finds a compiler in a root directory by its name, gcc-N-TRIPLE by TRIPLE-gcc-N too: that is
// what Debian's package gcc-N-TRIPLE holds. It returns the name that it has.
func lookName(root, name, path string) (called, file string, err error) {
	file, err = lookPath(root, name, path)
	if m := crossName.FindStringSubmatch(name); err != nil && m != nil {
		called := m[2] + "-" + m[1]
		if file, other := lookPath(root, called, path); other == nil {
			return called, file, nil
		}
		err = fmt.Errorf("%w, nor %s", err, called)
	}
	return name, file, err
}

// lookPath finds an executable in the directories of path, or at name if that
// has a slash, in a root directory. Unlike exec.LookPath it reads no environment.
func lookPath(root, name, path string) (string, error) {
	if strings.Contains(name, "/") {
		if !compilers.Executable(root, name) {
			return "", fmt.Errorf("%s: no such executable%s", name, in(root))
		}
		if root != "" {
			return filepath.Join("/", name), nil
		}
		return filepath.Abs(name)
	}
	if file := compilers.LookIn(root, path, name); file != "" {
		return file, nil
	}
	return "", fmt.Errorf("%s: not found on PATH (%s)%s", name, path, in(root))
}

// in says in which root directory something is.
func in(root string) string {
	if root == "" {
		return ""
	}
	return " in the root directory " + root
}

// A candidate is a compiler found on PATH.
type candidate struct {
	name, path string
	info       fs.FileInfo // of the executable behind all links
}

// scanPath returns the compilers of PATH in order, without their versions.
func scanPath(path string) []Toolchain {
	var all []candidate
	for _, dir := range filepath.SplitList(path) {
		if !filepath.IsAbs(dir) {
			continue
		}
		entries, err := os.ReadDir(dir)
		if err != nil {
			continue // PATH may name directories that do not exist
		}
		for _, entry := range entries {
			c, ok := newCandidate(dir, entry.Name())
			shadowed := func(o candidate) bool { return o.name == c.name }
			if ok && !slices.ContainsFunc(all, shadowed) {
				all = append(all, c)
			}
		}
	}
	// Versioned names come first, so that they are the ones kept.
	slices.SortFunc(all, compareCandidates)
	var kept []candidate
	for _, c := range all {
		same := func(o candidate) bool { return os.SameFile(o.info, c.info) }
		if !slices.ContainsFunc(kept, same) {
			kept = append(kept, c)
		}
	}
	found := make([]Toolchain, len(kept))
	for i, c := range kept {
		found[i] = Toolchain{Name: c.name, Path: c.path, searchPath: path}
	}
	return found
}

// newCandidate returns the compiler of that name in dir. Wrappers like ccache,
// which stand behind every name and keep results, are none.
func newCandidate(dir, name string) (candidate, bool) {
	file := filepath.Join(dir, name)
	match := compilerPattern.FindStringSubmatch(name)
	if match == nil || !compilers.Executable("", file) {
		return candidate{}, false
	}
	resolved, err := filepath.EvalSymlinks(file)
	if err != nil || !strings.Contains(filepath.Base(resolved), match[1]) {
		return candidate{}, false
	}
	info, err := os.Stat(resolved)
	if err != nil {
		return candidate{}, false
	}
	return candidate{name: name, path: file, info: info}, true
}

// compareCandidates orders gcc before clang, then by the number in the name,
// and names without a number last.
func compareCandidates(a, b candidate) int {
	am, bm := compilerPattern.FindStringSubmatch(a.name), compilerPattern.FindStringSubmatch(b.name)
	if c := cmp.Compare(bm[1], am[1]); c != 0 { // "gcc" > "clang"
		return c
	}
	switch {
	case am[2] == bm[2]:
		return 0
	case am[2] == "":
		return 1
	case bm[2] == "":
		return -1
	}
	return compilers.CompareVersions(am[2], bm[2])
}
