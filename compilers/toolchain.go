package compilers

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// A Family is a line of compilers that share options and messages.
type Family string

// The families.
const (
	GCC   Family = "gcc"
	Clang Family = "clang"
)

// A Toolchain is a compiler, with the arguments that every call of it gets.
type Toolchain struct {
	Name    string   // as the user calls it: "gcc-12"
	Path    string   // of the executable, absolute
	Args    []string // go before all others: "-m32"
	Family  Family
	Version string // "12.2.0"; empty if it would not say
	Banner  string // first line of --version

	searchPath string  // PATH of its children
	link       *linker // nil: the driver links; see Direct
}

// String returns the name and the arguments, as REIFY_CC takes them.
func (t Toolchain) String() string {
	return strings.Join(append([]string{t.Name}, t.Args...), " ")
}

// with returns a copy of the toolchain that has more arguments.
func (t Toolchain) with(args ...string) Toolchain {
	t.Args = slices.Concat(t.Args, args)
	return t
}

// identify fills in Family, Version and Banner by running --version, the one
// question that both families answer in full. It costs a millisecond for gcc
// and twenty for clang.
func (t *Toolchain) identify(ctx context.Context) error {
	t.Family = GCC
	if strings.Contains(filepath.Base(t.Name), "clang") {
		t.Family = Clang
	}
	// A cold disk has made clang take more than ten seconds.
	limits := bounds{wall: time.Minute, output: 1 << 16}
	c := child{path: t.Path, args: []string{"--version"}, dir: "/", env: fixedEnv(t.searchPath, os.TempDir()), bounds: limits}
	e := c.run(ctx)
	if err := e.failure(); err != nil {
		return fmt.Errorf("%s --version: %w", t.Path, err)
	}
	family, version, err := parseVersion(string(e.stdout))
	if err != nil {
		return fmt.Errorf("%s --version: %w", t.Path, err)
	}
	t.Banner, _, _ = strings.Cut(string(e.stdout), "\n")
	t.Family, t.Version = family, version
	return nil
}

// failure returns nil if the child exited with status 0, else an error that
// says how it ended.
func (e exit) failure() error {
	switch {
	case e.err != nil:
		return e.err
	case e.stop == stoppedByWall:
		return errors.New("no answer in time")
	case e.stop == stoppedByContext:
		return context.Canceled
	case e.signal != 0:
		return fmt.Errorf("killed by %s", signalName(e.signal))
	case e.status != 0:
		return fmt.Errorf("exit status %d: %s", e.status, firstLine(e.stderr))
	}
	return nil
}

var (
	parenthesised = regexp.MustCompile(`\([^)]*\)`)
	dotted        = regexp.MustCompile(`\b\d+(\.\d+)+`)
)

// parseVersion reads what --version prints. Distributions put their own
// version into parentheses and after the compiler's.
func parseVersion(text string) (Family, string, error) {
	banner, _, _ := strings.Cut(text, "\n")
	var family Family
	switch {
	case strings.Contains(banner, "clang version"):
		family = Clang
	case strings.Contains(text, "Free Software Foundation"):
		family = GCC
	default:
		return "", "", fmt.Errorf("neither gcc nor clang: %q", banner)
	}
	version := dotted.FindString(parenthesised.ReplaceAllString(banner, ""))
	if version == "" {
		return "", "", fmt.Errorf("no version number in %q", banner)
	}
	return family, version, nil
}
