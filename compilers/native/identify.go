package native

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
	"sync"
	"time"

	"goreify/compilers"
)

// A finder looks for compilers.
type finder struct {
	env compilers.Env
	// How long a compiler may take to say its version. On PATH there may be some
	// that nobody asks for. Of those that REIFY_CC names more is borne: a cold disk
	// has made clang take more than ten seconds.
	found, named time.Duration
	now          func() time.Time
}

func newFinder(env compilers.Env) finder {
	return finder{env, 5 * time.Second, time.Minute, time.Now}
}

// errHung says that a compiler did not answer in time.
var errHung = errors.New("no answer")

// identify fills in Family, Version, Banner and Triple of toolchains, or why they are
// unknown. Those that have not been asked before are asked at the same time. One
// that hung lately is asked again only if it is given more than it had then.
func (f finder) identify(ctx context.Context, list []Toolchain, patience time.Duration) {
	known := recall(f.env.Cache)
	heard := make([]record, len(list))
	var wg sync.WaitGroup
	for i := range list {
		t := &list[i]
		// The family of one that does not answer is what its name says.
		t.Family = familyOfName(t.Name)
		is, err := identityOf(t.Path)
		if err != nil {
			t.unknown = err
			continue
		}
		t.found = sighting{t.Path, is}
		before, ok := known[t.Path]
		asked := ok && before.identity == is
		hung := asked && before.Patience >= patience && f.now().Sub(before.Hung).Abs() < hungFor
		switch {
		case asked && before.Version != "":
			t.Family, t.Version, t.Banner, t.Triple = before.Family, before.Version, before.Banner, before.Triple
		case hung:
			t.unknown = f.hung(t.Path, before.Patience)
		default:
			wg.Go(func() {
				t.unknown = f.ask(ctx, t, patience)
				heard[i] = record{identity: is, Family: t.Family, Version: t.Version, Banner: t.Banner, Triple: t.Triple}
				if errors.Is(t.unknown, errHung) {
					heard[i].Patience, heard[i].Hung = patience, f.now()
				}
			})
		}
	}
	wg.Wait()
	if ctx.Err() != nil {
		return // who was interrupted has not said all
	}
	answers := map[string]record{}
	for i, r := range heard {
		if r.Version != "" || r.Patience > 0 {
			answers[list[i].Path] = r
		}
	}
	remember(f.env.Cache, answers)
}

// ask asks a toolchain for its --version, the one question that both families
// answer in full. It costs a millisecond for gcc and twenty for clang.
func (f finder) ask(ctx context.Context, t *Toolchain, patience time.Duration) error {
	limited, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	limits := compilers.Limits{Output: 1 << 16}
	c := compilers.Child{Path: t.Path, Args: []string{"--version"}, Dir: "/", Env: compilers.FixedEnv(t.searchPath, os.TempDir()), Bounds: limits.Compile()}
	e := c.Run(limited)
	if e.Cancelled() && ctx.Err() == nil {
		return f.hung(t.Path, patience)
	}
	if err := e.Failure(); err != nil {
		return fmt.Errorf("%s --version: %w", t.Path, err)
	}
	family, version, err := parseVersion(string(e.Stdout))
	if err != nil {
		return fmt.Errorf("%s --version: %w", t.Path, err)
	}
	t.Banner, _, _ = strings.Cut(string(e.Stdout), "\n")
	t.Family, t.Version = family, version
	t.Triple = tripleOf(string(e.Stdout))
	if t.Triple == "" { // gcc does not say it with its version
		c.Args = []string{"-dumpmachine"}
		if e := c.Run(limited); e.Failure() == nil {
			t.Triple = tripleOf("Target: " + string(e.Stdout))
		}
	}
	return nil
}

// hung returns the error of a compiler that did not answer.
func (f finder) hung(path string, patience time.Duration) error {
	err := fmt.Errorf("%s --version: %w in %v", path, errHung, patience)
	if patience < f.named {
		return fmt.Errorf("%w; it gets %v if REIFY_CC names it", err, f.named)
	}
	return err
}

var (
	targetLine    = regexp.MustCompile(`(?m)^Target: (\w+(?:-[\w.]+){1,3})\s*$`)
	parenthesised = regexp.MustCompile(`\([^)]*\)`)
	dotted        = regexp.MustCompile(`\b\d+(\.\d+)+`)
)

// tripleOf returns the target that a text names in a line, or "".
func tripleOf(text string) string {
	if m := targetLine.FindStringSubmatch(text); m != nil {
		return m[1]
	}
	return ""
}

// parseVersion reads what --version prints. Distributions put their own
// version into parentheses and after the compiler's.
func parseVersion(text string) (name, version string, err error) {
	banner, rest, _ := strings.Cut(text, "\n")
	for n, f := range families {
		if f.banner.MatchString(banner) && strings.Contains(rest, f.vendor) {
			name = n
		}
	}
	if name == "" {
		return "", "", fmt.Errorf("neither gcc nor clang: %q", banner)
	}
	version = dotted.FindString(parenthesised.ReplaceAllString(banner, ""))
	if version == "" {
		return "", "", fmt.Errorf("no version number in %q", banner)
	}
	return name, version, nil
}
