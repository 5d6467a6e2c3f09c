package compilers

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// An Env is what the environment asks for.
type Env struct {
	Path  string // PATH: where compilers are looked for, and where they look
	CC    string // REIFY_CC: compilers to use instead, 'gcc-12,clang-19 -m32'
	Modes string // REIFY_MODES: modes to use instead, '-O0,-O2'
	Cache string // directory for what is known of compilers; empty if nothing is kept
	Home  string // HOME
	// GoModules is Go's module cache, where versions of Go are.
	GoModules string
	// GoCache is Go's build cache; empty if none is known.
	GoCache string
	// Roots are the directories that NAME@ROOT may name without a slash.
	Roots map[string]string
	// Space is where compilers are asked who they are. If it is nil, they run in no
	// box.
	Space *Workspace
}

// EnvFrom picks the variables out of an environment as os.Environ returns it.
// Cache is below the directory that os.UserCacheDir returns, and so is the root
// "trunk" unless REIFY_TRUNK names another.
func EnvFrom(environ []string) Env {
	var e Env
	var home, caches, trunk, gopath string
	for _, entry := range environ {
		name, value, _ := strings.Cut(entry, "=")
		switch name {
		case "PATH":
			e.Path = value
		case "REIFY_CC":
			e.CC = value
		case "REIFY_MODES":
			e.Modes = value
		case "REIFY_TRUNK":
			trunk = value
		case "HOME":
			home = value
		case "GOCACHE":
			e.GoCache = value
		case "GOMODCACHE":
			e.GoModules = value
		case "GOPATH":
			gopath, _, _ = strings.Cut(value, ":")
		case "XDG_CACHE_HOME":
			caches = value
		}
	}
	if caches == "" && home != "" {
		caches = filepath.Join(home, ".cache")
	}
	if filepath.IsAbs(caches) {
		e.Cache = filepath.Join(caches, "goreify")
	}
	if e.GoCache == "" && filepath.IsAbs(caches) {
		e.GoCache = filepath.Join(caches, "go-build")
	}
	e.Home = home
	if gopath == "" && home != "" {
		gopath = filepath.Join(home, "go")
	}
	if e.GoModules == "" && gopath != "" {
		e.GoModules = filepath.Join(gopath, "pkg", "mod")
	}
	if trunk == "" && e.Cache != "" {
		trunk = filepath.Join(e.Cache, "trunk")
	}
	e.Roots = map[string]string{"trunk": trunk}
	return e
}

// Ask runs a program of a root directory, or of this machine if that is "", in the
// workspace of env if there is one, to be told what it is.
func Ask(ctx context.Context, env Env, root, path string, args ...string) (Exit, error) {
	limits := DefaultLimits()
	limits.CompileMemory, limits.CompileWall = 0, 20*time.Second
	dir := "/"
	if env.Space != nil {
		if root == "" {
			env.Space.Show(Dirs(path)...)
		}
		var err error
		if dir, err = env.Space.NewDir(); err != nil {
			return Exit{}, err
		}
		defer Built{Path: filepath.Join(dir, "x"), Space: env.Space}.Remove()
	}
	exit := Child{Space: env.Space, Root: root, Path: path, Args: args, Dir: dir, Env: FixedEnv(env.Path, "/tmp"), Bounds: limits.Compile()}.Run(ctx)
	if err := exit.Failure(); err != nil {
		return exit, fmt.Errorf("%s %s: %w", path, strings.Join(args, " "), err)
	}
	return exit, nil
}

// LookPath returns the absolute path of a program in the directories of a PATH, or "".
func LookPath(path, name string) string {
	for _, dir := range filepath.SplitList(path) {
		file := filepath.Join(dir, name)
		if info, err := os.Stat(file); err == nil && filepath.IsAbs(dir) && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			return file
		}
	}
	return ""
}
