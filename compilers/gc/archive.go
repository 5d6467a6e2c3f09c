package gc

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"goreify/compilers"
	"goreify/reify/safefile"
)

// packages are those that programs may import, besides what these import.
var packages = []string{"os", "math", "math/bits", "sync/atomic"}

// archives are the compiled packages of the standard library of one version, for each
// workspace that programs were built in. Copies of a toolchain share them.
type archives struct {
	mu    sync.Mutex
	ready map[string]string // by the workspace and the settings: the importcfg
}

func newArchives() *archives { return &archives{ready: map[string]string{}} }

// importcfg returns the file that tells the compiler and the linker where the packages
// are, which stand in the workspace. The first time it puts them there.
func (t Toolchain) importcfg(ctx context.Context, ws *compilers.Workspace, m mode) (string, error) {
	key := t.Version + "-" + t.goarch()
	if level := t.level(m); level != "" {
		key += "-" + level
	}
	if m.race {
		key += raceFlag
	}
	a := t.std
	a.mu.Lock()
	defer a.mu.Unlock()
	// Two directories of Go may be of one version.
	dir := filepath.Join(ws.Fixed(), fmt.Sprintf("go%s-%08x", key, crc32.ChecksumIEEE([]byte(t.Root))))
	if file := a.ready[dir]; file != "" {
		return file, nil
	}
	// Go's own cache has what go test and go build made, and keeps what is made now.
	// Where there is none, or it cannot be written, another does for a while.
	caches := []string{""}
	if filepath.IsAbs(t.Host.GoCache) {
		caches = []string{t.Host.GoCache, ""}
	}
	var file string
	var err error
	for _, cache := range caches {
		if file, err = t.makeArchives(ctx, ws, dir, cache, m); err == nil {
			a.ready[dir] = file
			return file, nil
		}
	}
	return "", fmt.Errorf("the standard library of go%s: %w", key, err)
}

// makeArchives has the command go compile the packages that its cache does not have, and
// copies them to a directory, with the importcfg. Without a cache it takes seconds.
// The command runs in no box: it sees nothing but the standard library, and its cache is
// hidden there.
func (t Toolchain) makeArchives(ctx context.Context, ws *compilers.Workspace, to, cache string, m mode) (importcfg string, err error) {
	job, err := ws.NewDir()
	if err != nil {
		return "", err
	}
	defer ws.Remove(job)
	env := t.env(job, m)
	if cache != "" {
		env = append(env, "GOCACHE="+cache)
	}
	limits := compilers.DefaultLimits()
	limits.CompileCPU, limits.CompileWall, limits.Disk, limits.FileSize = 2*time.Minute, 10*time.Minute, 2<<30, 1<<30
	c := compilers.Child{
		Path: filepath.Join(t.Root, "bin", "go"), Dir: job, Env: env, Bounds: limits.Compile(),
		Args: append([]string{"list", "-export", "-deps", "-f", "{{if .Export}}{{.ImportPath}} {{.Export}}{{end}}"}, packages...),
	}
	if m.race {
		c.Args = slices.Insert(c.Args, 1, raceFlag)
		c.Args = append(c.Args, "runtime/race")
	}
	e := c.Run(ctx)
	if err := e.Failure(); err != nil {
		return "", err
	}
	if err := makeReadable(to); err != nil {
		return "", err
	}
	var text strings.Builder
	for line := range strings.Lines(string(e.Stdout)) {
		path, file, ok := strings.Cut(strings.TrimSpace(line), " ")
		if !ok {
			continue
		}
		copied := filepath.Join(to, strings.ReplaceAll(path, "/", ".")+".a")
		if err := copyFile(file, copied); err != nil {
			return "", err
		}
		fmt.Fprintf(&text, "packagefile %s=%s\n", path, copied)
	}
	if text.Len() == 0 {
		return "", errors.New("go list names no archives")
	}
	importcfg = filepath.Join(to, "importcfg")
	return importcfg, writeFile(importcfg, []byte(text.String()))
}

// makeReadable makes a directory that the user of children can read.
func makeReadable(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return os.Chmod(dir, 0o755)
}

func copyFile(from, to string) error {
	data, err := safefile.Read(from, 1<<30)
	if err != nil {
		return err
	}
	return writeFile(to, data)
}

// writeFile writes a file that children can read.
func writeFile(name string, data []byte) error {
	if err := os.WriteFile(name, data, 0o644); err != nil {
		return err
	}
	return os.Chmod(name, 0o644)
}

// env returns the environment of the toolchain's children.
func (t Toolchain) env(dir string, m mode) []string {
	tmp := filepath.Join(dir, "tmp")
	env := append(compilers.FixedEnv(t.Host.Path, tmp),
		"HOME="+tmp, "GOPATH="+tmp, "GOCACHE="+filepath.Join(tmp, "cache"), "GOROOT="+t.Root, "GOENV=off", "GOFLAGS=",
		"GOTOOLCHAIN=local", "GOPROXY=off", "GO111MODULE=off", "GOOS=linux", "GOARCH="+t.goarch())
	if m.race { // its library is one of C
		env = append(env, "CGO_ENABLED=1")
	} else {
		env = append(env, "CGO_ENABLED=0")
	}
	if level := t.level(m); level != "" {
		env = append(env, "GOAMD64="+level)
	}
	return env
}
