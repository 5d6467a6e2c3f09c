package native

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"goreify/compilers"
)

// A Family is a line of compilers of C that share options and messages: a row of a table.
// gcc and clang are the rows of this package. Further differences between them stand with
// their subjects: package bisect has the ways to name a pass, package report the
// conventions of the trackers.
//
// A family of another package is asked which of the features it lacks that programs may
// need. It has no sanitizers, and its driver links.
type Family struct {
	Name string // of the executable, too, unless that has a version behind it: "tcc"
	Path string // of the executable; "" if it is on PATH, or an entry of REIFY_CC names it
	Ask  string // the argument with which it says its version; "" is --version
	// Banner is the line in which it does. The group is the version; without one that is
	// the first number with a dot.
	Banner  *regexp.Regexp
	Example string           // of that line, for people
	Modes   []compilers.Mode // to be asked in, the one that does the least first; nil for Levels
	Flags   []string         // of each call
	Lacks   []string         // flags that it does not know, of those that all get, and features that are not to be asked for
	// Internal is what it says of an error of its own, besides what gcc and clang say.
	Internal *regexp.Regexp

	vendor   string                     // that the banner's further lines name
	internal func(stderr string) string // the message of an internal error, or ""
	crash    func(stderr string) string // where that happened; see crashLine
	// parts returns the files beside the executable that change when it is built anew.
	parts    func(context.Context, Toolchain, *compilers.Workspace) []string
	reports  reporting
	flagSets []flagSet // to hunt with
}

// families are the rows of this package. The banner is looked at closely: many programs
// of the Free Software Foundation answer --version, the shell among them. gcc begins with
// the name it is called by, which is not gccgo.
var families = map[string]Family{
	"clang": {
		Name:     "clang",
		Banner:   regexp.MustCompile(`^(?:[A-Z][\w.+-]*(?: \(.*\))? )?clang version \d`),
		Example:  "clang version 19.1.7",
		internal: clangInternalError,
		crash:    clangCrashLine,
		parts:    librariesBeside,
		reports:  remarks,
		flagSets: mustParse(clangFlagSets),
	},
	"gcc": {
		Name:     "gcc",
		Banner:   regexp.MustCompile(`^(?:\S*gcc(?:[^\sg]\S*)?|(?:\S+-)?cc(?:-\S+)?) \(.*\) \d+\.\d`),
		Example:  "gcc (GCC) 17.0.0 20261123 (experimental)",
		vendor:   "Free Software Foundation",
		internal: gccInternalError,
		crash:    gccCrash,
		parts:    compilerProper,
		reports:  statistics,
		flagSets: mustParse(gccFlagSets),
	},
}

// row returns the family of the toolchain.
func (t Toolchain) row() Family {
	switch {
	case t.other != nil:
		return *t.other
	case t.tools != nil:
		return families["clang"]
	}
	return families[t.Family]
}

// Finder returns a finder of compilers of the family that REIFY_CC names: its name, with a
// version behind it or without, or NAME=PATH.
func (f Family) Finder() compilers.Finder {
	return compilers.Finder{
		Families: []string{f.Name},
		Names: func(env compilers.Env) []string {
			if compilers.LookPath(env.Path, f.Name) == "" {
				return nil
			}
			return []string{f.Name}
		},
		Signs: []compilers.Sign{{Name: f.Name, Ask: cmp.Or(f.Ask, usualQuestion), Says: f.Banner, Example: f.Example}},
		Find: func(ctx context.Context, env compilers.Env) ([]compilers.Target, map[string]error, error) {
			return compilers.FindNamed(ctx, env, fmt.Sprintf("no %s is named in REIFY_CC", f.Name), f.Named)
		},
	}
}

// Named returns the compiler of an entry of REIFY_CC. If the family has a Path, the entry
// may have any name.
func (f Family) Named(ctx context.Context, env compilers.Env, entry string) (Toolchain, error) {
	words := strings.Fields(entry)
	t := Toolchain{Name: words[0], Args: words[1:], Family: f.Name, searchPath: env.Path, other: &f}
	name, path, given := strings.Cut(t.Name, "=")
	var err error
	switch {
	case f.Path != "":
		t.Path, err = compilers.AtHome(f.Path)
	case name != f.Name && (given || !strings.HasPrefix(name, f.Name+"-")):
		return t, fmt.Errorf("%s: no %s %w", entry, f.Name, compilers.ErrName)
	case given:
		t.Name = path
		t.Path, err = compilers.AtHome(path)
	default:
		if t.Path = compilers.LookPath(env.Path, name); t.Path == "" {
			err = fmt.Errorf("%s is not on PATH", name)
		}
	}
	if err != nil {
		return t, err
	}
	t.levels = env.ModesOf(t.all())
	look := newFinder(env)
	list := []Toolchain{t}
	look.identify(ctx, list, look.named)
	if t = list[0]; t.unknown != nil {
		return t, t.unknown
	}
	if ctx.Err() != nil {
		return t, context.Cause(ctx)
	}
	t.found, err = compilers.See("", t.Path)
	return t, err
}

// usualQuestion has a compiler say its version.
const usualQuestion = "--version"

// introduced returns the line in which a compiler of the family says its version, and the
// version.
func (f Family) introduced(said string) (banner, version string, err error) {
	for line := range strings.Lines(said) {
		line = strings.TrimSpace(line)
		m := f.Banner.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		if len(m) == 1 {
			m = append(m, dotted.FindString(line))
		}
		if m[1] != "" {
			return line, m[1], nil
		}
	}
	return "", "", fmt.Errorf("no %s: %q", f.Name, compilers.FirstLine([]byte(said)))
}

// all returns the modes that there are of the toolchain.
func (t Toolchain) all() []compilers.Mode {
	if t.tools != nil {
		processor, _, _ := strings.Cut(t.platform().Triple, "-")
		return t.tools.all(processor)
	}
	if modes := t.row().Modes; modes != nil {
		return modes
	}
	return Levels
}

var featureProbes = compilers.FeatureProbes()

// errNoSpace says that a compiler cannot be asked what it compiles.
var errNoSpace = errors.New("there is no workspace to compile in")

// dataModel prints what differs between targets; see platform.
const dataModel = `int printf(const char *, ...);
int main(void)
{
    int one = 1;
    printf("%d %d %d %d\n", *(char *)&one == 0, (char)-1 > 0, (int)sizeof(long), (int)sizeof(void *));
    return 0;
}
`

// askParts returns the platform of a compiler of another package's family: programs say
// what it is, and which features there are. An error says that the machine, or the
// context, kept it from answering.
func (t Toolchain) askParts(ctx context.Context, space *compilers.Workspace) (platform, error) {
	p := usual
	if space == nil { // it lacks all, as far as is known
		return p, errNoSpace
	}
	t.survey = nil // it is being found out
	limits := compilers.DefaultLimits()
	mode := t.all()[0]
	o := compilers.Test(ctx, t, space, compilers.Job{Files: compilers.Single([]byte(dataModel)), Mode: mode}, limits)
	var big, unsigned int
	if n, _ := fmt.Sscanf(string(o.Stdout), "%d %d %d %d", &big, &unsigned, &p.Long, &p.Pointer); n != 4 {
		return usual, fmt.Errorf("%s says nothing of what it compiles for: %s: %v", t.Path, strings.Join(o.Command, " && "), o)
	}
	p.BigEndian, p.CharUnsigned = big != 0, unsigned != 0
	for _, probe := range featureProbes {
		probe.Job.Mode = mode
		switch o := compilers.Test(ctx, t, space, probe.Job, limits); {
		case ctx.Err() != nil:
			return usual, context.Cause(ctx)
		case o.Verdict == compilers.OK:
			p.Has = append(p.Has, probe.Name)
		}
	}
	return p, nil
}

// lacks returns the features that the toolchain does not have.
func (t Toolchain) lacks(p platform) []string {
	f := t.row()
	switch {
	case t.other != nil:
		return compilers.Without(slices.DeleteFunc(slices.Clone(p.Has), func(name string) bool { return slices.Contains(f.Lacks, name) }))
	case t.ir && compilers.CompareVersions(t.Version, "20") < 0:
		return []string{"other-llvm"}
	case p.No128:
		return []string{"int128"}
	}
	return nil
}

// librariesBeside returns the libraries that clang is made of.
func librariesBeside(_ context.Context, t Toolchain, _ *compilers.Workspace) (files []string) {
	resolved, err := compilers.InRoot(t.Root, t.Maker())
	if err != nil || t.Root != "" {
		return nil
	}
	for _, name := range []string{"libLLVM*.so", "libclang*.so"} {
		list, err := filepath.Glob(filepath.Join(filepath.Dir(filepath.Dir(resolved)), "lib", name))
		if err == nil { // the pattern is a good one, unless the directory spoils it
			files = append(files, list...)
		}
	}
	return files
}

// compilerProper returns what gcc, a driver, calls.
func compilerProper(ctx context.Context, t Toolchain, space *compilers.Workspace) []string {
	e := t.says(ctx, space, slices.Concat(t.Args, []string{"-print-prog-name=cc1"})...)
	if file := compilers.FirstLine(e.Stdout); filepath.IsAbs(file) && compilers.Executable("", file) {
		return []string{file}
	}
	return nil
}

// rows are the families of this package. A report of gcc's may hold a word of clang's, so
// gcc comes first.
var rows = []Family{families["gcc"], families["clang"]}
