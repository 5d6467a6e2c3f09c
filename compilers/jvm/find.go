package jvm

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"goreify/compilers"
)

// Finder finds the virtual machines that REIFY_CC names.
var Finder = compilers.Finder{Families: []string{hotspot, zero}, Modes: modes.Names(), Find: findAll, Names: names, Signs: []compilers.Sign{
	{Name: "java", Ask: "-version", Says: versionPattern, Example: `openjdk version "28-internal" 2027-03-16`, Home: javaInHome},
}}

// javaInHome is where the executable is in a JDK.
const javaInHome = "bin/java"

func findAll(ctx context.Context, env compilers.Env) (found []compilers.Target, unknown map[string]error, err error) {
	return compilers.FindNamed(ctx, env, "no Java virtual machine is named in REIFY_CC, as in java", named)
}

// named returns the machine of an entry of REIFY_CC.
func named(ctx context.Context, env compilers.Env, entry string) (Machine, error) {
	m := Machine{Installation: compilers.InstallationOf(env, entry)}
	m.Chosen = env.ModesOf(m.all())
	name, path, given := strings.Cut(m.Name, "=")
	plain, root, err := env.Root(name)
	switch {
	case given && plain == "java" && err == nil:
		if m.Path, m.Root = path, root; root == "" {
			m.Path, err = compilers.AtHome(path, javaInHome)
		} else if !filepath.IsAbs(path) {
			err = errors.New("want an absolute path")
		}
		if err != nil {
			return m, fmt.Errorf("%s: %w", m.Name, err)
		}
	case plain != "java" && !versioned(plain):
		return m, fmt.Errorf("%s: no Java virtual machine %w", entry, compilers.ErrName)
	case err != nil:
		return m, err
	default:
		if m.Root = root; root != "" {
			env.Path = compilers.RootPath
		}
		if m.Path = find(env, root, plain); m.Path == "" {
			if root != "" {
				return m, fmt.Errorf("%s is not below %s", name, filepath.Join(root, debianDir))
			}
			return m, fmt.Errorf("%s is neither on PATH, nor below %s, nor in %s", name, debianDir, cacheDir(env))
		}
	}
	if m.Version, err = m.versionOf(ctx, env); err == nil {
		m.Found, err = compilers.See(m.Root, m.parts()...)
	}
	return m, err
}

// parts are the files that change when a machine is built anew.
func (m Machine) parts() []string {
	files := []string{m.Path}
	resolved, err := compilers.InRoot(m.Root, m.Path)
	if err != nil {
		return files
	}
	kind := "server"
	if m.zero() {
		kind = zero
	}
	lib := filepath.Join(filepath.Dir(filepath.Dir(resolved)), "lib", kind, "libjvm.so")
	inside := strings.TrimPrefix(lib, m.Root)
	if _, err := compilers.InRoot(m.Root, inside); err == nil {
		files = append(files, inside)
	}
	return files
}

// versioned reports whether a directory with a version of Java may be called so.
func versioned(name string) bool {
	return strings.HasPrefix(name, "java-") || strings.HasPrefix(name, "temurin-")
}

// debianDir is where distributions have the versions of Java, a directory each.
const debianDir = "/usr/lib/jvm"

func cacheDir(env compilers.Env) string { return filepath.Join(env.Cache, "engines") }

// installed returns the executables of the versions of Java in a root directory, by the
// names of their directories; no links. Of this machine, what users have themselves
// comes last.
func installed(env compilers.Env, root string) (names []string, paths map[string]string) {
	paths = map[string]string{}
	dirs := []string{debianDir}
	if root == "" && env.Cache != "" {
		dirs = append(dirs, cacheDir(env))
	}
	for _, dir := range dirs {
		outside, err := compilers.InRoot(root, dir)
		if err != nil {
			continue // there may be none
		}
		entries, _ := os.ReadDir(outside)
		for _, e := range entries {
			path := filepath.Join(dir, e.Name(), "bin", "java")
			if !e.IsDir() || !versioned(e.Name()) || !compilers.Executable(root, path) {
				continue
			}
			names, paths[e.Name()] = append(names, e.Name()), path
		}
	}
	return names, paths
}

// find returns the executable of a name in a root directory, or "".
func find(env compilers.Env, root, name string) string {
	if name == "java" {
		if path := compilers.LookIn(root, env.Path, name); path != "" {
			return path
		}
	}
	names, paths := installed(env, root)
	for _, one := range slices.Backward(names) {
		if one == name || strings.HasPrefix(one, name+"-") || strings.HasPrefix(one, name+".") {
			return paths[one]
		}
	}
	return ""
}

// here returns the names of all machines that are on this machine: that on PATH, those
// that are others, and those in root directories.
func here(env compilers.Env) []string {
	var list []string
	first := ""
	if path := find(env, "", "java"); path != "" {
		list = append(list, "java")
		first, _ = filepath.EvalSymlinks(path)
	}
	names, paths := installed(env, "")
	for _, name := range names {
		if real, err := filepath.EvalSymlinks(paths[name]); err == nil && real != first {
			list = append(list, name)
		}
	}
	for _, root := range slices.Sorted(maps.Keys(env.Roots)) {
		names, _ := installed(env, env.Roots[root])
		for _, name := range names {
			list = append(list, name+compilers.RootMark+root)
		}
	}
	return list
}

// names returns the entries of REIFY_CC for all that are here: here, and Zero of those.
func names(env compilers.Env) []string {
	list := here(env)
	for _, name := range list {
		plain, root, err := env.Root(name)
		java, _ := compilers.InRoot(root, find(env, root, plain))
		if _, lacks := os.Stat(filepath.Join(filepath.Dir(java), "../lib", "zero", "libjvm.so")); err == nil && lacks == nil {
			list = append(list, name+" "+zeroFlag)
		}
	}
	return list
}

var (
	versionPattern = regexp.MustCompile(`(?m)^\w+ version "(\d[\w.+-]*)"`)
	earlyPattern   = regexp.MustCompile(`(?m) \(build (\d[\w.]*-ea\+\d+)`) // what is not released yet has no other number
	machinePattern = regexp.MustCompile(`(?m)^.* VM .*$`)
)

// versionOf asks the executable for its version. Machines other than HotSpot and Zero
// have other flags, and are refused.
func (m Machine) versionOf(ctx context.Context, env compilers.Env) (string, error) {
	if !compilers.Executable(m.Root, m.Path) {
		return "", fmt.Errorf("%s: not an executable file", filepath.Join(m.Root, m.Path))
	}
	args, kind := []string{"-version"}, "Server"
	if m.zero() {
		args, kind = []string{zeroFlag, "-version"}, "Zero"
	}
	exit, err := compilers.Ask(ctx, env, compilers.Query{Root: m.Root, Path: m.Path, Args: args})
	text := append(exit.Stdout, exit.Stderr...)
	if said := compilers.Unsupported(string(text)); said != nil {
		return "", fmt.Errorf("%s: %w", m.Path, said)
	}
	if err != nil {
		return "", err
	}
	version := versionPattern.FindSubmatch(text)
	if version == nil {
		return "", fmt.Errorf("%s -version: %q is no version", m.Path, compilers.FirstLine(text))
	}
	if vm := machinePattern.Find(text); !strings.Contains(string(vm), kind+" VM") {
		return "", fmt.Errorf("%s is no HotSpot (%s VM): %q", m.Path, kind, vm)
	}
	if v := string(version[1]); strings.HasPrefix(v, "1.") {
		return "", fmt.Errorf("%s is Java %s: want 9 or newer", m.Path, v)
	}
	if early := earlyPattern.FindSubmatch(text); early != nil {
		version = early
	}
	return string(version[1]), nil
}

// Siblings returns the other versions that are here, with the same flags.
func (m Machine) Siblings() []compilers.Target {
	if m.own != nil {
		return nil
	}
	return compilers.SiblingsOf(m, m.Host, here(m.Host), named)
}
