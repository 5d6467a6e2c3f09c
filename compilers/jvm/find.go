package jvm

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"goreify/compilers"
)

// Finder finds the virtual machines that REIFY_CC names.
var Finder = compilers.Finder{Families: []string{"hotspot"}, Modes: allModes(), Find: findAll, Names: here}

func allModes() (list []compilers.Mode) {
	for _, m := range modes {
		list = append(list, m.name)
	}
	return list
}

func findAll(ctx context.Context, env compilers.Env) (found []compilers.Target, unknown map[string]error, err error) {
	return compilers.FindNamed(env, "no Java virtual machine is named in REIFY_CC, as in java", func(entry string) (Machine, error) {
		return named(ctx, env, entry)
	})
}

// named returns the machine of an entry of REIFY_CC.
func named(ctx context.Context, env compilers.Env, entry string) (Machine, error) {
	words := strings.Fields(entry)
	if len(words) == 0 {
		return Machine{}, fmt.Errorf("empty entry")
	}
	m := Machine{Name: words[0], Args: words[1:], host: env, modes: env.ModesOf(allModes())}
	name, path, given := strings.Cut(m.Name, "=")
	switch {
	case given && name == "java":
		if m.Path = path; !filepath.IsAbs(path) {
			return m, fmt.Errorf("%s: want an absolute path", m.Name)
		}
	case name == "java" || versioned(name):
		if m.Path = find(env, name); m.Path == "" {
			return m, fmt.Errorf("%s is neither on PATH, nor below %s, nor in %s", name, debianDir, cacheDir(env))
		}
	default:
		return m, fmt.Errorf("%s: no Java virtual machine %w", entry, compilers.ErrName)
	}
	var err error
	m.Version, err = versionOf(ctx, env, m.Path)
	return m, err
}

// versioned reports whether a directory with a version of Java may be called so.
func versioned(name string) bool {
	return strings.HasPrefix(name, "java-") || strings.HasPrefix(name, "temurin-")
}

// debianDir is where distributions have the versions of Java, a directory each.
const debianDir = "/usr/lib/jvm"

func cacheDir(env compilers.Env) string { return filepath.Join(env.Cache, "engines") }

// installed returns the executables of the versions of Java below two directories, by
// the names of these; no links. What users have themselves comes last.
func installed(env compilers.Env) (names []string, paths map[string]string) {
	paths = map[string]string{}
	dirs := []string{debianDir}
	if env.Cache != "" {
		dirs = append(dirs, cacheDir(env))
	}
	for _, dir := range dirs {
		entries, _ := os.ReadDir(dir) // there may be none
		for _, e := range entries {
			path := filepath.Join(dir, e.Name(), "bin", "java")
			if !e.IsDir() || !versioned(e.Name()) || !executable(path) {
				continue
			}
			names, paths[e.Name()] = append(names, e.Name()), path
		}
	}
	return names, paths
}

func executable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
}

// find returns the executable of a name, or "".
func find(env compilers.Env, name string) string {
	if name == "java" {
		for _, dir := range filepath.SplitList(env.Path) {
			if path := filepath.Join(dir, name); filepath.IsAbs(dir) && executable(path) {
				return path
			}
		}
	}
	names, paths := installed(env)
	for _, one := range slices.Backward(names) {
		if one == name || strings.HasPrefix(one, name+"-") || strings.HasPrefix(one, name+".") {
			return paths[one]
		}
	}
	return ""
}

// here returns the names of all machines that are on this machine: that on PATH, and
// those that are others.
func here(env compilers.Env) []string {
	var list []string
	first := ""
	if path := find(env, "java"); path != "" {
		list = append(list, "java")
		first, _ = filepath.EvalSymlinks(path)
	}
	names, paths := installed(env)
	for _, name := range names {
		if real, err := filepath.EvalSymlinks(paths[name]); err == nil && real != first {
			list = append(list, name)
		}
	}
	return list
}

var (
	versionPattern = regexp.MustCompile(`(?m)^\w+ version "(\d[\w.+-]*)"`)
	machinePattern = regexp.MustCompile(`(?m)^.* VM .*$`)
)

// versionOf asks an executable for its version. What is not HotSpot has other flags.
func versionOf(ctx context.Context, env compilers.Env, path string) (string, error) {
	if !executable(path) {
		return "", fmt.Errorf("%s: not an executable file", path)
	}
	limits := compilers.DefaultLimits()
	limits.CompileMemory, limits.CompileWall = 0, 20*time.Second
	env.Space.Show(compilers.Dirs(path)...)
	dir := "/"
	if env.Space != nil {
		d, err := env.Space.NewDir()
		if err != nil {
			return "", err
		}
		dir = d
		defer compilers.Built{Path: filepath.Join(dir, "x"), Space: env.Space}.Remove()
	}
	exit := compilers.Child{Space: env.Space, Path: path, Args: []string{"-version"}, Dir: dir, Env: compilers.FixedEnv(env.Path, "/tmp"), Bounds: limits.Compile()}.Run(ctx)
	if err := exit.Failure(); err != nil {
		return "", fmt.Errorf("%s -version: %w", path, err)
	}
	text := append(exit.Stdout, exit.Stderr...)
	version := versionPattern.FindSubmatch(text)
	if version == nil {
		return "", fmt.Errorf("%s -version: %q is no version", path, compilers.FirstLine(text))
	}
	if vm := machinePattern.Find(text); !strings.Contains(string(vm), "Server VM") && !strings.Contains(string(vm), "HotSpot") {
		return "", fmt.Errorf("%s is no HotSpot: %q", path, vm)
	}
	if v := string(version[1]); strings.HasPrefix(v, "1.") {
		return "", fmt.Errorf("%s is Java %s: want 9 or newer", path, v)
	}
	return string(version[1]), nil
}

// Siblings returns the other versions that are here, with the same flags.
func (m Machine) Siblings() []compilers.Target {
	return compilers.SiblingsOf(m, here(m.host), func(entry string) (Machine, error) {
		return named(context.Background(), m.host, entry)
	})
}
