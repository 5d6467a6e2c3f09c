package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v3"
	"golang.org/x/sys/unix"

	"goreify/compilers"
	"goreify/compilers/targets"
	"goreify/reify/solve/z3"
	"goreify/tools/cmdline"
	"goreify/tools/generators"
)

// A check is what doctor has found out about one thing.
type check struct {
	Name string `json:"name"` // as the flag require takes it
	Here bool   `json:"here"`
	Text string `json:"text"` // what is here, or what its lack costs
	Get  string `json:"get,omitempty"`
}

// checked returns the check of a thing: what it does, or what its lack costs and how to get it.
func checked(name string, here bool, does, cost, get string) check {
	if here {
		return check{Name: name, Here: true, Text: does}
	}
	return check{Name: name, Text: cost, Get: get}
}

func doctorCommand() *cli.Command {
	return &cli.Command{
		Name:     "doctor",
		Usage:    "say what is here, what is missing, what that costs, and how to get it",
		Metadata: cmdline.Takes(cmdline.JSON),
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "require", Usage: "`NAMES` of what must be here, between commas, or the exit status is 2 (REIFY_REQUIRE)", Sources: cli.EnvVars("REIFY_REQUIRE")},
		},
		Action: func(ctx context.Context, c *cli.Command) error {
			checks := examine(ctx, c)
			if ctx.Err() != nil { // what did not answer is not known to be missing
				return context.Cause(ctx)
			}
			if err := cmdline.Print(c, checks, func(w io.Writer) error { return writeChecks(w, checks) }); err != nil {
				return err
			}
			return lacking(checks, c.String("require"))
		},
	}
}

// lacking returns an error that names what is required and not here.
func lacking(checks []check, required string) error {
	if required == "" {
		return nil
	}
	var names, missing []string
	for _, k := range checks {
		names = append(names, k.Name)
	}
	for name := range strings.SplitSeq(required, ",") {
		name = strings.TrimSpace(name)
		i := slices.Index(names, name)
		switch {
		case i < 0:
			return fmt.Errorf("-require: unknown name %q%s; want some of %s", name, cmdline.Nearest(name, names), strings.Join(names, ", "))
		case !checks[i].Here:
			missing = append(missing, name)
		}
	}
	if missing != nil {
		return fmt.Errorf("required and not here: %s", strings.Join(missing, ", "))
	}
	return nil
}

// writeChecks writes what is here, and after that what is missing.
func writeChecks(w io.Writer, checks []check) error {
	width := 0
	for _, k := range checks {
		width = max(width, len(k.Name))
	}
	for _, here := range []bool{true, false} {
		first := true
		for _, k := range checks {
			if k.Here != here {
				continue
			}
			if first {
				fmt.Fprintln(w, map[bool]string{true: "Here:", false: "\nMissing:"}[here])
				first = false
			}
			fmt.Fprintf(w, "  %-*s  %s\n", width, k.Name, k.Text)
			if !here && k.Get != "" {
				fmt.Fprintf(w, "  %-*s    %s\n", width, "", k.Get)
			}
		}
	}
	return nil
}

// z3Here returns an error that says why there is no Z3.
func z3Here() error {
	_, err := z3.New(z3.Options{})
	return err
}

// examine looks at this machine.
func examine(ctx context.Context, c *cli.Command) []check {
	var list []check
	progress := cmdline.NewProgress(0, "things")
	defer progress.Close()
	add := func(name string, here bool, does, cost, get string) {
		list = append(list, checked(name, here, does, cost, get))
		progress.Next()
	}
	list = append(list, examineCompilers(ctx, c, progress)...)
	err := z3Here()
	add("z3", err == nil, "the solver Z3", "no -engine z3 and portfolio, which comparisons alone use", "make setup, and build with -tags z3")
	for _, t := range []struct{ name, does, cost, get string }{
		{"valgrind", "valgrind, which checks reductions", "reduced tests are not checked for what sanitizers do not see", "make setup WITH=all"},
		{"cvise", "cvise, which reduces C that is not ours", "triage -do reduce takes reproducers alone, no files of C", "make setup WITH=all"},
		{"dot", "Graphviz, which draws graphs", "reports and show have graphs as text", "make setup WITH=all, or the package graphviz"},
		{"chromium", "a browser, which the tests of reports use", "the pages of reports are not tried in a browser", "make setup WITH=all"},
		{"tcc", "the Tiny C Compiler, a compiler with few features", "what a compiler lacks is tried with stand-ins alone", "make setup WITH=all"},
		{"gcc-12", "gcc 12, which some tests and figures are of", "what is only said of gcc 12 is not tested", "make setup WITH=all"},
		{"apt-get", "Debian's packages", "make setup and make trunk cannot install anything", "a Debian, or an Ubuntu for make setup"},
	} {
		_, err := exec.LookPath(t.name)
		add(t.name, err == nil, t.does, t.cost, t.get)
	}
	_, err = exec.LookPath("runtest")
	if _, lacks := exec.LookPath("jtreg"); lacks != nil {
		err = lacks
	}
	add("harness", err == nil, "DejaGnu and jtreg, which run compilers' own tests", "what export writes is not tried there", "make setup WITH=harness")
	_, err = generators.Csmith(nil)
	add("csmith", err == nil, "csmith, whose programs variants are made of", "no seeds from csmith for the kind text-variants", "make setup WITH=all")
	qemu, _ := filepath.Glob("/usr/bin/qemu-*")
	qemu = slices.DeleteFunc(qemu, func(path string) bool { return strings.Contains(path, "system") })
	cross, _ := filepath.Glob("/usr/bin/*-linux-gnu*-gcc*")
	cross = slices.DeleteFunc(cross, func(path string) bool { return strings.Contains(path, "/x86_64-") })
	add("cross", len(qemu) > 0 && len(cross) > 0, "compilers for other processors, and qemu-user", "programs for other processors are not asked about", "make trunk WITH=cross, or packages such as gcc-s390x-linux-gnu and qemu-user")
	add("mount", os.Geteuid() == 0, "the right to mount file systems", "hunts on full disks are not tested", "run as root")
	_, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	add("landlock", errno == 0, "Landlock, the wall where namespaces are forbidden", "without namespaces nothing but limits holds programs back", "Linux 5.13")
	add("qemu", len(qemu) > 0, fmt.Sprintf("qemu-user for %d processors", len(qemu)), "programs for other processors cannot be run", "make trunk WITH=cross, or the package qemu-user")
	trunk := compilers.EnvFrom(cmdline.Environ(c)).Roots["trunk"]
	_, err = os.Stat(filepath.Join(trunk, "etc/debian_version"))
	add("trunk", err == nil, "compilers of today in "+trunk, "no gcc-17@trunk, clang-24@trunk and others that no release has", "make trunk (4 GB; WITH=cross 7 GB, WITH=java 1.5 GB more)")
	var disk unix.Statfs_t
	if unix.Statfs(".", &disk) == nil {
		free := float64(disk.Bavail) * float64(disk.Bsize) / 1e9
		add("disk", free >= 1, fmt.Sprintf("%.0f GB are free in this directory", free), fmt.Sprintf("only %.1f GB are free in this directory: hunts end when the disk is full", free), "")
	}
	return list
}

// examineCompilers looks at the box, and in it at the compilers.
func examineCompilers(ctx context.Context, c *cli.Command, progress *cmdline.Progress) (list []check) {
	env := compilers.EnvFrom(cmdline.Environ(c))
	space, closer, err := cmdline.OpenSpace(ctx)
	if err != nil {
		return []check{{Name: "box", Text: err.Error()}}
	}
	defer closer()
	env.Space = space
	wall, reason, err := space.Enclose(ctx, compilers.BoxAuto)
	cost := fmt.Sprintf("programs run behind %s alone, so those of strangers take -box auto (%s): %v", wall, wall.Leaks(), errors.Join(err, reason))
	list = append(list, checked("box", err == nil && reason == nil, fmt.Sprintf("programs run behind %s", wall),
		strings.ReplaceAll(cost, "\n", "; "), "user namespaces: a machine, or a container that allows them"))

	progress.Now("looking for compilers")
	found, _ := targets.All(ctx, env) // the families that are not here are named below
	families := map[string][]string{}
	for _, t := range found {
		id := t.ID()
		families[id.Family] = append(families[id.Family], id.String())
	}
	for _, f := range []struct{ name, family, cost, get string }{
		{"gcc", "gcc", "nothing vouches for C as gcc does; clang alone is asked", "make setup"},
		{"clang", "clang", "only gcc is asked about C, and nothing of another family vouches for it", "make setup"},
		{"llc", "llc", "LLVM's code generation and passes are asked about by clang alone", "make trunk, or make setup WITH=all"},
		{"gccgo", "gccgo", "Go is asked of gc alone", "make setup WITH=all"},
		{"gc", "gc", "Go's own compiler cannot be hunted", "go on PATH; GOTOOLCHAIN=go1.25.0 go version fetches others"},
		{"java", "hotspot", "HotSpot cannot be hunted", "a java on PATH, or make trunk WITH=java"},
		{"zero", "zero", "no second virtual machine vouches for Java bytecode", "make trunk WITH=java"},
		{"node", "v8", "V8 cannot be hunted; wazero is always here", "make setup WITH=engines, or a node on PATH"},
		{"bun", "jsc", "JavaScriptCore cannot be hunted", "make setup WITH=engines"},
		{"wizer", "cranelift", "Cranelift cannot be hunted", "make setup WITH=engines"},
		{"wasm-opt", "binaryen", "binaryen cannot be hunted", "make setup WITH=all"},
		{"wasm-interp", "wabt", "wabt cannot be hunted", "make setup WITH=all"},
	} {
		names := families[f.family]
		list = append(list, checked(f.name, len(names) > 0, strings.Join(names, ", "), f.cost, f.get))
	}
	return append(list, examineC(ctx, env, found, progress)...)
}

// examineC looks at what the compilers of C can do here.
func examineC(ctx context.Context, env compilers.Env, found []compilers.Target, progress *cmdline.Progress) []check {
	limits := compilers.DefaultLimits()
	limits.CompileWall = 10 * time.Second
	var sanitized, narrow []string
	for _, t := range found {
		s, ok := t.(compilers.Sanitizer)
		if !ok || len(t.ID().Args) > 0 {
			continue
		}
		progress.Now("trying " + t.ID().String())
		if _, err := s.Sanitized(ctx, env.Space, limits); err == nil {
			sanitized = append(sanitized, t.ID().String())
		}
		if m32, ok := compilers.With(t, "-m32"); ok && compilers.Probe(ctx, m32, env.Space, limits) == nil {
			narrow = append(narrow, t.ID().String())
		}
	}
	return []check{
		checked("sanitizers", sanitized != nil, strings.Join(sanitized, ", "),
			"wrong answers cannot be told from undefined behaviour: only crashes of compilers are findings", "make setup"),
		checked("m32", narrow != nil, "32-bit libraries, for -m32 of "+strings.Join(narrow, ", "),
			"no compiler links with -m32: programs for pointers of 32 bits are not asked about", "make setup WITH=all, or the package gcc-multilib"),
	}
}
