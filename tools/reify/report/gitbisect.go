package report

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"goreify/compilers"
	"goreify/corpus"
)

// A clone is the repository of a compiler: its builds between two versions can be searched for
// the commit that brought a bug.
type clone struct {
	url   string
	tag   string // of a release, which %s is the number of
	build string // commands that build the compiler of the checkout, from its directory
	needs string // what that needs
	tool  string // what the build made, in a command of ours
	names *regexp.Regexp
}

// clones are those of the families that git bisect is known to work for.
var clones = map[string]clone{
	"gcc": {
		url: "https://gcc.gnu.org/git/gcc.git", tag: "releases/gcc-%s",
		build: `mkdir -p "$BUILD" && cd "$BUILD" && "$SOURCE/configure" $TARGET --disable-bootstrap --disable-multilib --enable-languages=c --disable-libsanitizer \
    --enable-checking=release && make -j"$(nproc)" $PARTS`,
		needs: "a compiler of C++, make, flex, bison; GMP, MPFR and MPC (or contrib/download_prerequisites)",
		tool:  `"$BUILD/gcc/xgcc" -B"$BUILD/gcc/"`, names: regexp.MustCompile(`^(?:\S*-)?gcc(?:-\d+)?$`),
	},
	"clang": ofLLVM("clang", " -DLLVM_ENABLE_PROJECTS=clang"),
	"llc":   ofLLVM("llc", ""),
	"opt":   ofLLVM("opt", ""),
	"gc": {
		url: "https://go.googlesource.com/go", tag: "go%s",
		build: `cd "$SOURCE/src" && ./make.bash`,
		needs: "an older Go, at GOROOT_BOOTSTRAP or on PATH",
		tool:  `"$SOURCE/bin/go"`, names: regexp.MustCompile(`^go$`),
	},
}

// ofLLVM returns that of a tool of LLVM, which is built with some settings.
func ofLLVM(tool, settings string) clone {
	return clone{
		url: "https://github.com/llvm/llvm-project.git", tag: "llvmorg-%s",
		build: `cmake -G Ninja -S "$SOURCE/llvm" -B "$BUILD" -DCMAKE_BUILD_TYPE=Release -DLLVM_ENABLE_ASSERTIONS=ON` + settings + ` && ninja -C "$BUILD" ` + tool,
		needs: "a compiler of C++, CMake, Ninja",
		tool:  `"$BUILD/bin/` + tool + `"`, names: regexp.MustCompile(`^` + tool + `(?:-\d+)?$`),
	}
}

// bisectMark is how a script begins, and bisectFile how its name ends, which begins as that of
// the report.
const (
	bisectMark = "#!/bin/sh\n# Written by reify report: "
	bisectFile = "-bisect.sh"
)

// bisectScript returns a script for git bisect run, or nothing if the bug is none of a compiler
// that it is known for, or has no command that may be repeated. The script builds what is
// checked out, and is good, bad or, if it cannot be built, neither.
func (u *bug) bisectScript() string {
	c, ok := clones[u.Entry.Family]
	if !ok || u.Command == "" || len(u.Files) == 0 || long(u.Files) || u.Entry.Verdict == compilers.Rejected.String() {
		return ""
	}
	mode, args := u.Entry.Asked()
	bad, good := u.Asked.edge(u.Entry.Family, u.Newest, mode, strings.Join(args, " "))
	compile, run, _ := strings.Cut(u.Command, " && ")
	list, ok := words(compile)
	if !ok {
		return ""
	}
	at := slices.IndexFunc(list, c.names.MatchString)
	if at < 0 {
		return ""
	}
	var line []string
	for i, w := range list {
		switch {
		case i == at:
			w = c.tool
		case strings.HasPrefix(w, "GOTOOLCHAIN="):
			w = "GOTOOLCHAIN=local"
		default:
			w = compilers.Quote(w)
		}
		line = append(line, w)
	}
	parts, program, needs := "all-gcc all-target-libgcc", "", []string(nil)
	target, linker := elsewhere(list, at)
	if linker != "" {
		parts = "all-gcc"
		program = assemble(line)
	}
	for _, w := range strings.Fields(run) {
		if strings.HasPrefix(w, "qemu-") {
			needs = append(needs, w)
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%sthe commit that brought a bug, by git bisect run.\n#\n", bisectMark)
	fmt.Fprintf(&b, "#   git clone %s && cd \"$(basename %s .git)\"\n", c.url, c.url)
	if good == "" {
		fmt.Fprintf(&b, "#   git bisect start %s GOOD    # no version is known to be right\n", c.revision(bad))
	} else {
		fmt.Fprintf(&b, "#   git bisect start %s \"$(git merge-base %[1]s %s)\"\n", c.revision(bad), c.revision(good))
	}
	fmt.Fprintf(&b, "#   git bisect run sh PATH/TO/THIS\n#\n# It needs %s", c.needs)
	if linker != "" {
		fmt.Fprintf(&b, ".\n# The compiler that is built makes assembly alone; CROSS=%s, which is here, assembles and links that, with\n# the binutils and the libraries of the target (Debian: gcc and its triple, or gcc-multilib)", compilers.Quote(linker))
	}
	b.WriteString(".\n# Exit status: 0 is right, 1 wrong, 125 cannot be built, 255 something is missing.\n")
	fmt.Fprintf(&b, "SOURCE=$PWD BUILD=${BUILD:-$PWD-build} TARGET=%s PARTS='%s' CROSS=${CROSS:-%s}\n", compilers.Quote(target), parts, compilers.Quote(linker))
	if linker != "" && run != "" {
		needs = append(needs, "$CROSS")
	}
	for _, tool := range needs {
		fmt.Fprintf(&b, "command -v \"%s\" >/dev/null || { echo \"%[1]s is missing\" >&2; exit 255; }\n", tool)
	}
	fmt.Fprintf(&b, "DIR=$(mktemp -d) && trap 'rm -rf \"$DIR\"' EXIT || exit 125\n")
	fmt.Fprintf(&b, "(%s) >\"$DIR/log\" 2>&1 || { tail \"$DIR/log\"; exit 125; }\ncd \"$DIR\" || exit 125\n", c.build)
	for _, f := range u.Files {
		b.WriteString(hereDocument(f))
	}
	if u.Want != "" {
		b.WriteString(hereDocument(file{u.WantFile(), u.Want}))
	}
	command := strings.Join(line, " ")
	switch u.Entry.Verdict {
	case compilers.InternalError.String(): // other failures, such as of a flag that is new, say nothing
		fmt.Fprintf(&b, "%s >log 2>&1 && exit 0\ngrep -Eqi 'internal compiler error|error in backend|assertion|please submit' log && exit 1\nexit 125\n", command)
	case compilers.SlowCompile.String():
		fmt.Fprintf(&b, "%s >log 2>&1 && exit 0\n[ $? = 124 ] && exit 1\nexit 125\n", command)
	default:
		if u.Want != "" && !u.Compared() {
			run = fmt.Sprintf("%s >got; diff %s got >&2", run, compilers.Quote(u.WantFile()))
		}
		if linker != "" {
			command += fmt.Sprintf(` && "$CROSS" %s%s.s -o %[2]s`, linking(list), program)
		}
		fmt.Fprintf(&b, "%s || exit 125\n{ %s; } || exit 1\n", command, run)
	}
	return b.String()
}

// elsewhere returns the argument of configure for a gcc whose programs are for another processor, and
// the compiler that links its programs, if the one that is built has no libraries for them.
func elsewhere(list []string, at int) (target, linker string) {
	switch triple := crossGCC.FindStringSubmatch(list[at]); {
	case triple != nil:
		return "--target=" + triple[1], triple[1] + "-gcc"
	case strings.HasPrefix(list[at], "gcc") && slices.Contains(list, "-m32"):
		return "", "gcc"
	}
	return "", ""
}

var crossGCC = regexp.MustCompile(`^(\S+)-gcc(?:-\d+)?$`)

// assemble makes a command write assembly in place of a program, whose name it returns.
func assemble(line []string) (program string) {
	for i, w := range line {
		switch {
		case w == "-c":
			line[i] = "-S"
		case w == "-o" && i+1 < len(line):
			program = line[i+1]
			line[i], line[i+1] = "-S -o", program+".s"
		}
	}
	return program
}

// linking returns those words of a command that matter where a program is linked.
func linking(list []string) (words string) {
	for _, w := range list {
		if w == "-static" || strings.HasPrefix(w, "-m") {
			words += compilers.Quote(w) + " "
		}
	}
	return words
}

// hereDocument returns the command that writes a file. No line of the file ends it.
func hereDocument(f file) string {
	end := "END"
	for strings.Contains(f.Text, end) {
		end += "-END"
	}
	return fmt.Sprintf("cat >%s <<'%s'\n%s\n%[2]s\n", compilers.Quote(f.Name), end, strings.TrimRight(f.Text, "\n"))
}

var (
	release  = regexp.MustCompile(`^[\d.]*\d`)
	revision = regexp.MustCompile(` ([0-9a-f]{12,40}|r\d+-\d+)(?: |$)`)
)

// revision returns the name that a version has in the repository: that of its tag, or the
// commit that a snapshot names.
func (c clone) revision(version string) string {
	if m := revision.FindStringSubmatch(version); m != nil {
		if base, n, ok := strings.Cut(strings.TrimPrefix(m[1], "r"), "-"); ok { // GCC counts commits after a tag
			return fmt.Sprintf(`"$(git rev-list --first-parent --reverse basepoints/gcc-%s..origin/master | sed -n %sp)"`, base, n)
		}
		return m[1]
	}
	if number := release.FindString(version); number != "" {
		return fmt.Sprintf(c.tag, number)
	}
	return "BAD"
}

// edge returns the first version that fails in a mode with some arguments, and the last one
// before it that is right, or nothing. Versions are those of newest's processor.
func (m matrix) edge(family, newest, mode, args string) (bad, good string) {
	level := slices.Index(m.Levels, mode)
	for _, r := range m.Rows {
		if lineOf(r.Family, r.Version) != lineOf(family, newest) || r.Args != args || level < 0 {
			continue
		}
		switch r.Cells[level] {
		case fails:
			return r.Version, good
		case works:
			good = r.Version
		}
	}
	return newest, ""
}

// versions returns what other versions of the compiler say of the test, as configurations.
func versions(e *corpus.Entry) (bad, good []corpus.Configuration) {
	for _, s := range e.Versions() {
		for _, v := range s.Versions {
			switch s.Verdict {
			case e.Verdict:
				bad = corpus.Add(bad, e.Family, v, e.Flags, e.Mode)
			case compilers.OK.String():
				good = corpus.Add(good, e.Family, v, e.Flags, e.Mode)
			}
		}
	}
	return bad, good
}
