package compilers

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"
)

// An Env is what the environment asks for.
//
// CC has entries with commas between them. Each is a compiler and its arguments:
//
//	NAME[=PATH] [ARGS]   gcc-12, clang-19 -m32, gc=/home/me/goroot, java=/opt/jdk, node=/opt/node
//	NAME@ROOT [ARGS]     gcc-17@trunk: in a root directory, by its name or path
//	PATH [ARGS]          /home/me/build/gcc/xgcc -B/home/me/build/gcc/: what it prints of itself says its NAME
//
// A PATH is that of an executable, or of a directory that Go or a JDK is in. It ends at
// a blank or a comma, and may have none.
type Env struct {
	Path  string // PATH: where compilers are looked for, and where they look
	CC    string // REIFY_CC: compilers to use instead; see below
	Modes string // REIFY_MODES: modes to use instead, '-O0,-O2'
	Cache string // directory for what is known of compilers; empty if nothing is kept
	Home  string // HOME
	// GoModules is Go's module cache, where versions of Go are.
	GoModules string
	// GoCache is Go's build cache; empty if none is known.
	GoCache string
	// Roots are the directories that NAME@ROOT may name without a slash.
	Roots map[string]string
	// Space is where compilers are asked for their versions. If it is nil, they run in no
	// box.
	Space *Workspace
}

// EnvFrom picks the variables out of an environment as os.Environ returns it.
// Cache is below the directory that os.UserCacheDir returns, and so is the root
// "trunk" unless REIFY_TRUNK names another.
func EnvFrom(environ []string) Env {
	vars := map[string]string{}
	for _, entry := range environ {
		name, value, _ := strings.Cut(entry, "=")
		vars[name] = value
	}
	e := Env{
		Path: vars["PATH"], CC: vars["REIFY_CC"], Modes: vars["REIFY_MODES"],
		Home: vars["HOME"], GoCache: vars["GOCACHE"], GoModules: vars["GOMODCACHE"],
	}
	caches, trunk := vars["XDG_CACHE_HOME"], vars["REIFY_TRUNK"]
	if caches == "" && e.Home != "" {
		caches = filepath.Join(e.Home, ".cache")
	}
	if filepath.IsAbs(caches) {
		e.Cache = filepath.Join(caches, "goreify")
	}
	if e.GoCache == "" && filepath.IsAbs(caches) {
		e.GoCache = filepath.Join(caches, "go-build")
	}
	gopath, _, _ := strings.Cut(vars["GOPATH"], ":")
	if gopath == "" && e.Home != "" {
		gopath = filepath.Join(e.Home, "go")
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

// A Query is what an executable is asked to learn which compiler it is.
type Query struct {
	Root string // the root directory that it is in; "" is that of this machine
	Path string
	Args []string
	Env  []string // besides FixedEnv
}

// askLimit is how long an executable may take to say which compiler it is. One with
// assertions, on a cold disk, takes some seconds.
const askLimit = 20 * time.Second

// Ask runs an executable in the workspace of env, if there is one, to be told which
// compiler it is. The error says how it ended if that was not well; what it printed is
// there all the same.
func Ask(ctx context.Context, env Env, q Query) (Exit, error) {
	limits := DefaultLimits()
	limits.CompileMemory, limits.CompileCPU, limits.CompileWall = 0, askLimit, askLimit
	if q.Root == "" {
		env.Space.Show(Dirs(q.Path)...)
	}
	exit := q.Within(ctx, env, limits)
	if err := exit.Failure(); err != nil {
		return exit, fmt.Errorf("%s %s: %w", q.Path, strings.Join(q.Args, " "), err)
	}
	return exit, nil
}

// Within runs the executable in a directory of its own of the workspace of env or, if
// there is none, in /. It finds its helpers on the PATH of env, and gets the limits of
// compiling.
func (q Query) Within(ctx context.Context, env Env, limits Limits) Exit {
	dir := "/"
	if env.Space == nil {
		limits.Disk = 0 // nothing is weighed but a directory of its own
	} else {
		var err error
		if dir, err = env.Space.NewDir(); err != nil {
			return Exit{Err: err, Status: -1}
		}
		defer env.Space.Remove(dir)
	}
	c := Child{Space: env.Space, Root: q.Root, Path: q.Path, Args: q.Args, Dir: dir, Bounds: limits.Compile()}
	c.Env = append(FixedEnv(env.Path, "/tmp"), q.Env...)
	return c.Run(ctx)
}

// LookEmulator returns the emulator of qemu-user of a name, such as "qemu-arm", that is on a
// PATH in a root directory, or "". It may be linked statically.
func LookEmulator(root, path, name string) string {
	return cmp.Or(LookIn(root, path, name), LookIn(root, path, name+"-static"))
}

// LookPath returns the absolute path of a program in the directories of a PATH, or "".
func LookPath(path, name string) string { return LookIn("", path, name) }

// LookIn is LookPath in a root directory.
func LookIn(root, path, name string) string {
	for _, dir := range filepath.SplitList(path) {
		if file := filepath.Join(dir, name); filepath.IsAbs(dir) && Executable(root, file) {
			return file
		}
	}
	return ""
}
