package native

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"strings"
	"sync"
	"time"

	"goreify/compilers"
)

// A finder looks for compilers.
type finder struct {
	env compilers.Env
	// The time that a compiler may take to say its version. PATH may hold some that are
	// of no interest. Those that REIFY_CC names get more: a cold disk has made clang take
	// more than ten seconds.
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
		if t.other == nil {
			t.Family = familyOfName(t.Name)
		}
		is, err := compilers.IdentityOf(t.Root, t.Path)
		if err != nil {
			t.unknown = err
			continue
		}
		f.env.Space.Show(t.Dirs()...)
		if !t.own() {
			t.found, t.unknown = compilers.See(t.Root, t.Path)
		}
		before := known[t.outside()]
		if before.Identity != is || before.Family != "" && !t.mayBe(before.Family) {
			before = record{Identity: is}
		}
		t.survey = &survey{space: f.env.Space, known: map[string]platform{}, lists: map[string]string{}}
		maps.Copy(t.survey.known, before.Platforms)
		p, asked := before.Platforms[t.words()]
		asked = asked && (!t.ir || p.Tools != nil)
		hung := before.Patience >= patience && f.now().Sub(before.Hung).Abs() < hungFor
		switch {
		case before.Version != "" && asked:
			t.Family, t.Version, t.Banner, t.Triple = before.Family, before.Version, before.Banner, p.Triple
		case hung:
			t.unknown = f.hung(t.Path, before.Patience)
		default:
			wg.Go(func() {
				t.unknown = f.ask(ctx, t, patience)
				heard[i] = record{Identity: is, Family: t.Family, Version: t.Version, Banner: t.Banner, Platforms: t.survey.known}
				if errors.Is(t.unknown, errHung) {
					heard[i].Patience, heard[i].Hung = patience, f.now()
				}
			})
		}
	}
	wg.Wait()
	if ctx.Err() != nil {
		return // an answer that was interrupted is not whole
	}
	answers := map[string]record{}
	for i, r := range heard {
		if r.Version == "" && r.Patience == 0 {
			continue
		}
		if other, ok := answers[list[i].outside()]; ok { // with other arguments
			maps.Copy(r.Platforms, other.Platforms)
		}
		answers[list[i].outside()] = r
	}
	remember(f.env.Cache, answers)
}

// ask asks a toolchain for its --version, and what it compiles for. Each costs a
// millisecond or two for gcc and twenty for clang.
func (f finder) ask(ctx context.Context, t *Toolchain, patience time.Duration) error {
	limited, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	e := t.says(limited, f.env.Space, cmp.Or(t.row().Ask, usualQuestion))
	if e.Cancelled() && ctx.Err() == nil {
		return f.hung(t.Path, patience)
	}
	if t.other != nil {
		return f.askOther(ctx, limited, t, e, patience)
	}
	if err := e.Failure(); err != nil {
		return fmt.Errorf("%s --version: %w", t.Path, err)
	}
	family, version, err := parseVersion(string(e.Stdout))
	if errors.Is(err, errBanner) && strings.Contains(string(e.Stdout), families["gcc"].vendor) {
		said := t.says(limited, f.env.Space, "-v")
		family, version, err = parseVerbose(string(e.Stdout), string(said.Stderr), err)
	}
	if err != nil {
		return fmt.Errorf("%s --version: %w", t.Path, err)
	}
	p, said := t.askPlatform(limited, f.env.Space)
	switch {
	case said.Cancelled() && ctx.Err() == nil:
		// Half of what it is must not be remembered as all.
		return f.hung(t.Path, patience)
	case said.Failure() == nil:
		t.survey.known[t.words()] = p
	}
	t.Banner, _, _ = strings.Cut(string(e.Stdout), "\n")
	t.Family, t.Version, t.Triple = family, version, p.Triple
	return nil
}

// askOther is the rest of ask for a compiler of another package's family, which has said
// its version.
func (f finder) askOther(ctx, limited context.Context, t *Toolchain, said compilers.Exit, patience time.Duration) error {
	banner, version, err := t.other.introduced(string(said.Stdout) + "\n" + string(said.Stderr))
	if err != nil {
		return errors.Join(fmt.Errorf("%s: %w", t.Path, err), said.Failure())
	}
	p, err := t.askParts(limited, f.env.Space)
	switch {
	case limited.Err() != nil && ctx.Err() == nil:
		return f.hung(t.Path, patience)
	case err == nil:
		t.survey.known[t.words()] = p
	}
	t.Banner, t.Version = banner, version
	if errors.Is(err, errNoSpace) {
		return nil
	}
	return err
}

// mayBe tells whether the toolchain may turn out to be of a family.
func (t Toolchain) mayBe(family string) bool {
	if t.other != nil {
		return family == t.other.Name
	}
	return families[family].Banner != nil
}

// Introduces asks for the version, and for how it was configured.
func (t Toolchain) Introduces() []compilers.Query {
	ask := []string{"-v"}
	for _, arg := range t.Args {
		if strings.HasPrefix(arg, "--target=") {
			ask = append(ask, arg)
		}
	}
	if t.IsTool() {
		ask = []string{"--version"}
	}
	return []compilers.Query{{Root: t.Root, Path: t.Path, Args: ask}}
}

func (t Toolchain) says(ctx context.Context, space *compilers.Workspace, args ...string) compilers.Exit {
	return t.hear(ctx, space, t.Path, args...)
}

// hear is says for another program in the toolchain's root directory. Its time is that
// of the context.
func (t Toolchain) hear(ctx context.Context, space *compilers.Workspace, path string, args ...string) compilers.Exit {
	limits := compilers.DefaultLimits()
	limits.CompileCPU, limits.CompileWall = 0, 0
	return compilers.Query{Root: t.Root, Path: path, Args: args}.Within(ctx, compilers.Env{Space: space, Path: t.searchPath}, limits)
}

// hung returns the error of a compiler that did not answer.
func (f finder) hung(path string, patience time.Duration) error {
	err := fmt.Errorf("%s: %w in %v to --version and -dM", path, errHung, patience)
	if patience < f.named {
		return fmt.Errorf("%w; it gets %v if REIFY_CC names it", err, f.named)
	}
	return err
}

var (
	targetLine    = regexp.MustCompile(`(?m)^Target: (\w+(?:-[\w.]+){1,3})\s*$`)
	parenthesised = regexp.MustCompile(`\([^)]*\)`)
	dotted        = regexp.MustCompile(`\b\d+(\.\d+)+`)
	// A snapshot says its date and, mostly, its revision: gcc at the end of the line,
	// Debian's clang in parentheses.
	snapshotOf = regexp.MustCompile(`\d (20\d{6})\b(?: \(\w+\))?(?: \[.*\b(r\d+-\d+)\b.*\])?|\(\+\+(20\d{6})\d*\+([0-9a-f]{12})`)
)

// checkout is the end of a clang's version that was built from a checkout, with the
// revision if it knows that.
var checkout = regexp.MustCompile(`\dgit\b(?: \(\S+ ([0-9a-f]{12})[0-9a-f]{28}\))?`)

// tripleOf returns the target that a text names in a line, or "".
func tripleOf(text string) string {
	if m := targetLine.FindStringSubmatch(text); m != nil {
		return m[1]
	}
	return ""
}

// parseVersion reads what --version prints. Distributions put their own
// version into parentheses and after the compiler's. That of a snapshot has its date
// and revision after it: "17.0.0 20261020 r17-5409".
func parseVersion(text string) (name, version string, err error) {
	banner, rest, _ := strings.Cut(text, "\n")
	for n, f := range families {
		if f.Banner.MatchString(banner) && strings.Contains(rest, f.vendor) {
			name = n
		}
	}
	if name == "" {
		if err := compilers.Unsupported(text); err != nil {
			return "", "", err
		}
		return "", "", fmt.Errorf("%w: %q", errBanner, banner)
	}
	return parseBanner(name, banner)
}

// errBanner says that a compiler did not introduce itself as gcc or clang do.
var errBanner = errors.New("neither gcc nor clang")

var (
	// verbose is what gcc says at the end of -v, by whatever name it is called.
	verbose = regexp.MustCompile(`(?m)^gcc version \d`)
	// otherLanguage has the names of gcc's drivers for other languages than C.
	otherLanguage = regexp.MustCompile(`\+\+|fortran|gccgo|gdc|gm2|gnat`)
)

// parseVerbose is parseVersion for a gcc under a name of its users', which says more with
// -v. failed is the error of parseVersion.
func parseVerbose(text, said string, failed error) (name, version string, err error) {
	banner, _, _ := strings.Cut(text, "\n")
	called, _, _ := strings.Cut(banner, " ")
	if !verbose.MatchString(said) || otherLanguage.MatchString(called) {
		return "", "", failed
	}
	return parseBanner("gcc", banner)
}

// parseBanner returns a family, and the version that its banner has.
func parseBanner(name, banner string) (family, version string, err error) {
	version = dotted.FindString(parenthesised.ReplaceAllString(banner, ""))
	if version == "" {
		return "", "", fmt.Errorf("no version number in %q", banner)
	}
	if m := snapshotOf.FindStringSubmatch(banner); m != nil {
		version = strings.Join(strings.Fields(version+" "+m[1]+m[3]+" "+m[2]+m[4]), " ")
	} else if m := checkout.FindStringSubmatch(banner); m != nil {
		version = strings.TrimSpace(version + "git " + m[1])
	}
	return name, version, nil
}
