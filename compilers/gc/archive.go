package gc

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"goreify/compilers"
)

// packages are those that programs may import, besides what these import.
var packages = []string{"os", "math", "math/bits", "sync/atomic"}

// archives are the compiled packages of the standard library of one version. Copies
// of a toolchain share them.
type archives struct {
	cache string // directory where they are kept, or ""

	mu    sync.Mutex
	ready map[string]string // by the workspace and the settings: the importcfg
}

func newArchives(env compilers.Env) *archives {
	a := &archives{ready: map[string]string{}}
	if env.Cache != "" {
		a.cache = filepath.Join(env.Cache, "go")
	}
	return a
}

// listName is the file that names the packages that are in a directory, a line each.
const listName = "packages"

// importcfg returns the file that tells the compiler and the linker where the packages
// are, which stand in the workspace. It makes those that are not kept, which takes
// seconds.
func (t Toolchain) importcfg(ctx context.Context, ws *compilers.Workspace, level string) (string, error) {
	key := t.Version + "-" + t.goarch()
	if level != "" {
		key += "-" + level
	}
	a := t.std
	a.mu.Lock()
	defer a.mu.Unlock()
	dir := filepath.Join(ws.Dir(), "go"+key)
	if file := a.ready[dir]; file != "" {
		return file, nil
	}
	kept := ""
	if a.cache != "" {
		kept = filepath.Join(a.cache, key)
	}
	if kept == "" || copyArchives(kept, dir) != nil {
		if err := t.makeArchives(ctx, ws, dir, level); err != nil {
			return "", fmt.Errorf("the standard library of go%s: %w", key, err)
		}
		if kept != "" {
			keep(dir, kept) // the next one makes them again, if that fails
		}
	}
	list, err := os.ReadFile(filepath.Join(dir, listName))
	if err != nil {
		return "", err
	}
	var text strings.Builder
	for line := range strings.Lines(string(list)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		fmt.Fprintf(&text, "packagefile %s=%s\n", path, filepath.Join(dir, file))
	}
	file := filepath.Join(dir, "importcfg")
	if err := os.WriteFile(file, []byte(text.String()), 0o644); err != nil {
		return "", err
	}
	a.ready[dir] = file
	return file, os.Chmod(file, 0o644)
}

// keep copies archives to where they are kept, as a whole or not at all.
func keep(dir, kept string) {
	if os.MkdirAll(filepath.Dir(kept), 0o755) != nil {
		return
	}
	temp, err := os.MkdirTemp(filepath.Dir(kept), "new-*")
	if err != nil {
		return
	}
	if copyArchives(dir, filepath.Join(temp, "all")) == nil {
		_ = os.Rename(filepath.Join(temp, "all"), kept) // someone else may have been faster
	}
	_ = os.RemoveAll(temp)
}

// copyArchives copies the archives of a directory to one that it makes. Children read
// them, whoever those are.
func copyArchives(from, to string) error {
	list, err := os.ReadFile(filepath.Join(from, listName))
	if err != nil {
		return err
	}
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	if err := os.Chmod(to, 0o755); err != nil {
		return err
	}
	for line := range strings.Lines(string(list)) {
		_, file, ok := strings.Cut(strings.TrimSpace(line), " ")
		if !ok || filepath.Base(file) != file {
			return fmt.Errorf("%s: %q", filepath.Join(from, listName), line)
		}
		if err := copyFile(filepath.Join(from, file), filepath.Join(to, file)); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(to, listName), list, 0o644) // last: now it is whole
}

func copyFile(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if err := os.WriteFile(to, data, 0o644); err != nil {
		return err
	}
	return os.Chmod(to, 0o644)
}

// makeArchives has the command go compile the packages.
func (t Toolchain) makeArchives(ctx context.Context, ws *compilers.Workspace, to, level string) error {
	job, err := ws.NewDir()
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(job) }()
	limits := compilers.DefaultLimits()
	limits.CompileCPU, limits.CompileWall, limits.Disk, limits.FileSize = 2*time.Minute, 10*time.Minute, 2<<30, 1<<30
	args := append([]string{"list", "-export", "-deps", "-f", "{{if .Export}}{{.ImportPath}} {{.Export}}{{end}}"}, packages...)
	c := compilers.Child{
		Space: ws, Path: filepath.Join(t.Root, "bin", "go"), Args: args, Dir: job,
		Env: t.env(job, level), Bounds: limits.Compile(),
	}
	e := c.Run(ctx)
	if err := e.Failure(); err != nil {
		return err
	}
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	if err := os.Chmod(to, 0o755); err != nil {
		return err
	}
	var list strings.Builder
	for line := range strings.Lines(string(e.Stdout)) {
		path, file, ok := strings.Cut(strings.TrimSpace(line), " ")
		if !ok {
			continue
		}
		name := strings.ReplaceAll(path, "/", ".") + ".a"
		if err := copyFile(file, filepath.Join(to, name)); err != nil {
			return err
		}
		list.WriteString(path + " " + name + "\n")
	}
	if list.Len() == 0 {
		return errors.New("go list names no archives")
	}
	return os.WriteFile(filepath.Join(to, listName), []byte(list.String()), 0o644)
}

// env returns the environment of the toolchain's children.
func (t Toolchain) env(dir, level string) []string {
	tmp := filepath.Join(dir, "tmp")
	env := append(compilers.FixedEnv(t.path, tmp),
		"HOME="+tmp, "GOPATH="+tmp, "GOCACHE="+filepath.Join(tmp, "cache"), "GOROOT="+t.Root, "GOENV=off", "GOFLAGS=",
		"GOTOOLCHAIN=local", "GOPROXY=off", "GO111MODULE=off", "CGO_ENABLED=0", "GOOS=linux", "GOARCH="+t.goarch())
	if level != "" {
		env = append(env, "GOAMD64="+level)
	}
	return env
}
