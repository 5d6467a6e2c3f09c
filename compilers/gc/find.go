package gc

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"goreify/compilers"
)

// Finder finds versions of Go that REIFY_CC names. None is taken without being named:
// each costs some seconds before its first program.
var Finder = compilers.Finder{Families: []string{family}, Modes: modes.Names(), Find: findAll, Names: here, Signs: []compilers.Sign{
	{Name: family, Ask: "version", Says: goVersion, Example: "go version go1.28-devel_0f1e2d3c4b Fri Nov 20 12:00:00 2026 +0000 linux/amd64", Home: goInRoot},
}}

// goInRoot is where the command go is in a GOROOT.
const goInRoot = "bin/go"

var namePattern = regexp.MustCompile(`^gc(?:-(1\.\d+(?:\.\d+|rc\d+|beta\d+)?))?$`)

func findAll(ctx context.Context, env compilers.Env) (found []compilers.Target, unknown map[string]error, err error) {
	shared := map[string]*archives{}
	return compilers.FindNamed(ctx, env, "no version of Go is named in REIFY_CC, as in gc or gc-1.25.0", func(ctx context.Context, env compilers.Env, entry string) (Toolchain, error) {
		t, err := named(ctx, env, entry)
		if err != nil {
			return t, err
		}
		if shared[t.Root] == nil {
			shared[t.Root] = newArchives()
		}
		t.std, t.Chosen = shared[t.Root], env.ModesOf(modes.Names())
		return t, nil
	})
}

// named returns the toolchain of an entry of REIFY_CC.
func named(ctx context.Context, env compilers.Env, entry string) (Toolchain, error) {
	t := Toolchain{Installation: compilers.InstallationOf(env, entry)}
	name, path, given := strings.Cut(t.Name, "=")
	match := namePattern.FindStringSubmatch(name)
	if match == nil || given && match[1] != "" {
		return Toolchain{}, fmt.Errorf("%s: no version of Go %w", t.Name, compilers.ErrName)
	}
	for _, arg := range t.Args {
		if err := checkArg(arg); err != nil {
			return t, fmt.Errorf("%s: %w", entry, err)
		}
	}
	if t.setting("GOAMD64") != "" && t.goarch() != "amd64" {
		return t, fmt.Errorf("%s: GOAMD64 is no setting for %s", entry, t.goarch())
	}
	var err error
	if given {
		t.Root, err = rootAt(path)
	} else {
		t.Root, err = rootOf(env, match[1])
	}
	if err != nil {
		return t, fmt.Errorf("%s: %w", t.Name, err)
	}
	if t.Version, err = versionOf(ctx, env, t.Root, given); err != nil {
		return t, fmt.Errorf("%s: %w", t.Name, err)
	}
	for _, tool := range []string{"compile", "link"} {
		if _, err := os.Stat(t.tool(tool)); err != nil {
			return t, fmt.Errorf("%s: %w (make.bash in %s builds it)", t.Name, err, filepath.Join(t.Root, "src"))
		}
	}
	t.Found, err = compilers.See("", t.tool("compile"), t.tool("link"))
	return t, err
}

// files are the flags of go tool compile that name files or what is written, which are
// ours to choose.
var files = []string{"o", "p", "importcfg", "pack", "linkobj", "asmhdr", "symabis", "embedcfg", "D", "I", "V", "trimpath", "buildid", "goversion"}

// checkArg returns an error that says why an argument of an entry is none.
func checkArg(arg string) error {
	name, value, given := strings.Cut(arg, "=")
	switch {
	case name == "GOARCH" && given:
		if _, ok := processors[value]; !ok {
			return fmt.Errorf("unknown processor %q: want one of %s", value, strings.Join(slices.Sorted(maps.Keys(processors)), ", "))
		}
		return nil
	case name == "GOAMD64" && given:
		if value != "v1" && levels[value] == nil {
			return fmt.Errorf("unknown level %q of amd64: want v1 to v4", value)
		}
		return nil
	case !strings.HasPrefix(arg, "-") || strings.Trim(arg, "-") == "":
		return fmt.Errorf("%q is neither a flag of go tool compile nor a setting, GOARCH=386 or GOAMD64=v3", arg)
	case slices.Contains(files, strings.TrimLeft(name, "-")):
		return fmt.Errorf("%s is a flag that every call of the compiler has in its own way", arg)
	}
	return nil
}

// Roots returns the directories in which a version of Go may be, most likely first.
func Roots(env compilers.Env, version string) []string {
	list := []string{filepath.Join(env.GoModules, "golang.org", fmt.Sprintf("toolchain@v0.0.1-go%s.linux-%s", version, runtime.GOARCH))}
	if env.Home != "" {
		list = append(list, filepath.Join(env.Home, "sdk", "go"+version))
	}
	return append(list, "/usr/local/go"+version, "/usr/lib/go-"+version)
}

// rootOf returns the directory of a version, or of the command go on PATH.
func rootOf(env compilers.Env, version string) (string, error) {
	if version == "" {
		for _, dir := range filepath.SplitList(env.Path) {
			file, err := filepath.EvalSymlinks(filepath.Join(dir, "go"))
			if err == nil && filepath.IsAbs(dir) {
				return filepath.Dir(filepath.Dir(file)), nil
			}
		}
		return "", fmt.Errorf("there is no go on PATH (%s)", env.Path)
	}
	dirs := Roots(env, version)
	i := slices.IndexFunc(dirs, func(dir string) bool {
		info, err := os.Stat(dir)
		return err == nil && info.IsDir()
	})
	if i < 0 {
		return "", fmt.Errorf("go%s is not here: GOTOOLCHAIN=go%s go version downloads it", version, version)
	}
	return dirs[i], nil
}

// rootAt returns the GOROOT that is at a path, or that has the command go at the path.
func rootAt(path string) (string, error) {
	file, err := compilers.AtHome(path, goInRoot)
	if err != nil {
		return "", err
	}
	if file != path {
		return filepath.Clean(path), nil
	}
	if file, err = filepath.EvalSymlinks(file); err != nil {
		return "", err
	}
	return filepath.Dir(filepath.Dir(file)), nil
}

var (
	// goVersion is what go version prints: of a release "go1.26.2", of what was built
	// from a checkout "go1.28-devel_0f1e2d3c4b" or, before Go 1.25, "devel go1.24-0f1e2d3c4b",
	// and the time of the commit.
	goVersion   = regexp.MustCompile(`(?m)^go version (?:(devel) )?go(\d[\w.+-]*)(?:[^\n]*? \w{3} (\w{3} +\d+ [\d:]{8} \d{4}) )?`)
	versionFile = "VERSION"
)

// versionOf returns the version that a directory of Go has, according to its file
// VERSION. A checkout has no such file: its command is asked, and so it is if ask says
// so.
func versionOf(ctx context.Context, env compilers.Env, root string, ask bool) (string, error) {
	text, err := os.ReadFile(filepath.Join(root, versionFile))
	if err == nil && !ask {
		line := compilers.FirstLine(text)
		version, ok := strings.CutPrefix(line, "go")
		if !ok {
			return "", fmt.Errorf("%s: %q is no version of Go", filepath.Join(root, versionFile), line)
		}
		return version, nil
	}
	command := filepath.Join(root, goInRoot)
	if !compilers.Executable("", command) {
		return "", fmt.Errorf("no directory of Go: there is no executable %s", command)
	}
	exit, err := compilers.Ask(ctx, env, compilers.Query{Path: command, Args: []string{"version"}, Env: []string{"GOTOOLCHAIN=local", "GOROOT=" + root}})
	m := goVersion.FindStringSubmatch(string(exit.Stdout))
	if m == nil {
		if said := compilers.Unsupported(string(exit.Stdout)); said != nil {
			err = said
		}
		return "", cmp.Or(err, fmt.Errorf("%s version: %q is no version of Go", command, compilers.FirstLine(exit.Stdout)))
	}
	version := m[2]
	if m[1] != "" { // as later versions say it
		version = strings.Replace(version, "-", "-devel_", 1)
	}
	if day, err := time.Parse("Jan _2 15:04:05 2006", m[3]); err == nil && strings.Contains(version, "-devel") {
		version += day.Format(" 20060102")
	}
	return version, nil
}

// here returns the names of the versions that are here: that on PATH first, for this
// machine and then for the other processors whose programs can be run.
func here(env compilers.Env) []string {
	var names []string
	if t, err := named(context.Background(), env, family); err == nil {
		names = append(names, family)
		for _, goarch := range slices.Sorted(maps.Keys(processors)) {
			other := t.With("GOARCH=" + goarch).(Toolchain)
			if _, err := other.emulator(); goarch != runtime.GOARCH && (native(goarch) || err == nil) {
				names = append(names, other.String())
			}
		}
	}
	for _, version := range others(env) {
		names = append(names, family+"-"+version)
	}
	return names
}

var moduleName = regexp.MustCompile(`^toolchain@v0\.0\.1-go(1\.[\w.]+)\.linux-(\w+)$`)

// others returns the versions that are in the module cache, in ascending order.
func others(env compilers.Env) []string {
	entries, err := os.ReadDir(filepath.Join(env.GoModules, "golang.org"))
	if err != nil {
		return nil
	}
	var list []string
	for _, entry := range entries {
		if m := moduleName.FindStringSubmatch(entry.Name()); m != nil && m[2] == runtime.GOARCH {
			list = append(list, m[1])
		}
	}
	slices.SortFunc(list, compilers.CompareVersions)
	return list
}
