package hunt

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"goreify/compilers/jvm"
	"goreify/compilers/wasm"
	"goreify/tools/need"
)

// A hunted is what a trial hunts bugs of in the place of gcc-99.
type hunted struct {
	mix, cc, modes string         // $MARK is the mark of the trial
	args           []string       // further ones of the hunt
	install        func(*trial)   // makes it, or makes it well again
	wrong          *regexp.Regexp // names of functions that it gets wrong; nil matches none
	mode           string         // the only mode that goes wrong
}

// wrongOf returns the functions of a trial that go wrong.
func (h *hunted) wrongOf(t *trial) map[place]bool {
	list := map[place]bool{}
	if h.wrong == nil {
		return list
	}
	for n := range int64(batchesOfTrial) {
		for name := range strings.FieldsSeq(t.batch(n).Name()) {
			if h.wrong.MatchString(name) {
				list[place{n, name}] = true
			}
		}
	}
	if len(list) == 0 {
		t.complain("nothing goes wrong")
	}
	return list
}

// accused complains of findings that accuse other modes than the one that goes wrong.
func accused(t *trial) {
	for _, e := range t.entries() {
		for _, b := range e.Bad {
			if !slices.Equal(b.Modes, []string{t.other.mode}) {
				t.complain("%s accuses %v", e.Title, b.Modes)
				t.count.false++
			}
		}
	}
}

// settled complains, too, of what goes wrong and is only suspected in the end.
func settled(t *trial) {
	accused(t)
	found := map[place]bool{}
	for _, e := range t.entries() {
		for _, p := range placesOf(e) {
			found[p] = true
		}
	}
	for p := range t.other.wrongOf(t) {
		if !found[p] {
			t.complain("not found: batch %d, %s", p.batch, p.function)
			t.count.lost++
		}
	}
}

// few are the functions that engines get wrong.
const few = `f[12]7`

// garbageFile is the file beside a stand-in that has it print garbage.
const garbageFile = "garbage"

// midway returns what runs a hunt, and does something when its first batch has begun.
func midway(does func(*trial)) func(*trial) {
	return func(t *trial) {
		begun := make(chan struct{})
		go func() {
			defer close(begun)
			for range 600 {
				if time.Sleep(100 * time.Millisecond); readable(t.dir) && len(query(t.T, t.dir, openBatches)) > 0 {
					break
				}
			}
			does(t)
		}()
		t.run()
		<-begun
		t.told()
	}
}

// nonsense has a stand-in print garbage when the first batch has begun, till the end.
func nonsense(t *trial) {
	file := filepath.Join(t.bins, garbageFile)
	midway(func(t *trial) { t.check(os.WriteFile(file, nil, 0o644)) })(t)
	t.check(os.Remove(file))
}

// machine returns a virtual machine that does something to a call, in the modes of which
// the pattern of the shell matches the flags, and prints garbage where another does.
func machine(lie, lies, prints string) *hunted {
	return &hunted{
		mix: "jvm-paper", cc: "java=$MARK/bin/java", modes: "@int,@c1,@tiered", wrong: regexp.MustCompile("^" + few + "$"), mode: "@tiered",
		install: func(t *trial) {
			java, javac := need.Command(t, "java"), need.Command(t, "java", "javac")
			const call = "value = f.applyAsLong(c.request);"
			text := strings.Replace(jvm.Runner, call, call+` if (Boolean.getBoolean("lies") && c.name.matches("`+few+`(#.*)?")) { `+lie+` }`, 1)
			text = strings.Replace(text, "		all.writeTo(out);", `		if (Boolean.getBoolean("prints") && Files.exists(Paths.get("`+filepath.Join(t.bins, garbageFile)+`")) && !all.toString().startsWith("f ")) { all.reset(); all.write("garbage\n".getBytes()); }`+"\n		all.writeTo(out);", 1)
			require.Equal(t, 2, strings.Count(text, "Boolean.getBoolean"))
			file := filepath.Join(t.bins, jvm.RunnerFile)
			require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
			out, err := exec.Command(javac, "-J-XX:TieredStopAtLevel=1", "--release", "8", "-Xlint:-options", "-d", t.bins, file).CombinedOutput()
			require.NoError(t, err, "%s", out)
			script := fmt.Sprintf(`#!/bin/bash
more=()
case "$*" in -version) exec %[4]s -version ;; esac
case "$*" in %[1]s) more+=(-Dlies=true) ;; esac
case "$*" in %[2]s) more+=(-Dprints=true) ;; esac
args=(); for a; do [ "$a" = . ] && a=%[3]s; args+=("$a"); done
exec %[4]s "${more[@]}" "${args[@]}"
`, lies, prints, t.bins, java)
			require.NoError(t, os.WriteFile(filepath.Join(t.bins, "java"), []byte(script), 0o755))
		},
	}
}

// engine is machine for node.
func engine(lie, lies, prints string) *hunted {
	return &hunted{
		mix: "wasm-paper", cc: "node=$MARK/bin/node", modes: "@liftoff,@turbofan,@tiered", wrong: regexp.MustCompile("^" + few + "$"), mode: "@tiered",
		install: func(t *trial) {
			node := need.Command(t, "node")
			const call = "let v = exports[c.f](...c.args);"
			text := strings.Replace(wasm.Runner, call, call+` if (process.env.LIES && /^`+few+`(#.*)?$/.test(c.name)) { `+lie+` }`, 1)
			text = strings.Replace(text, "for (const c of group) say(", "if (process.env.PRINTS && existsSync('"+filepath.Join(t.bins, garbageFile)+"')) say('garbage\\n');\n\t\telse for (const c of group) say(", 1)
			text = strings.Replace(text, "import { ", "import { existsSync, ", 1)
			text = strings.Replace(text, "new URL('repro.wasm.hex', import.meta.url)", "'repro.wasm.hex'", 1) // this one is elsewhere
			require.Equal(t, 2, strings.Count(text, "existsSync"))
			require.Equal(t, 1, strings.Count(text, "LIES"))
			file := filepath.Join(t.bins, "lying.mjs")
			require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
			script := fmt.Sprintf(`#!/bin/bash
case "$* TRAIN=$TRAIN" in %[1]s) export LIES=1 ;; esac
case "$* TRAIN=$TRAIN" in %[2]s) export PRINTS=1 ;; esac
args=(); for a; do [ "$a" = %[3]s ] && a=%[4]s; args+=("$a"); done
exec %[5]s "${args[@]}"
`, lies, prints, wasm.RunnerFile, file, node)
			require.NoError(t, os.WriteFile(filepath.Join(t.bins, "node"), []byte(script), 0o755))
		},
	}
}

// The modes of stand-ins, as patterns of the shell.
const (
	trained = "*train=400*|*tiering-budget*TRAIN=400*"
	never   = "never"
)

// in returns what goes wrong in another mode.
func (h *hunted) in(mode string) *hunted {
	h.mode = mode
	return h
}

// only returns what goes wrong in one function of a batch, with arguments of the hunt.
func (h *hunted) only(name string, args ...string) *hunted {
	h.wrong, h.args = regexp.MustCompile("^"+name+"$"), args
	return h
}

// goCompiler returns a compiler of Go, where a script stands before go tool compile. The
// script has $real, and $wrong if functions are to go wrong.
func goCompiler(script string) *hunted {
	return &hunted{
		mix: "go-paper", cc: "gc=$MARK/bin/go", modes: "@N,@O", wrong: regexp.MustCompile("^" + few + "$"), mode: "@O",
		install: func(t *trial) {
			out, err := exec.Command("go", "env", "GOROOT").Output()
			require.NoError(t, err)
			home := strings.TrimSpace(string(out))
			real := filepath.Join(home, "pkg", "tool", runtime.GOOS+"_"+runtime.GOARCH)
			root := filepath.Join(t.bins, "go")
			tools := filepath.Join(root, "pkg", "tool", filepath.Base(real))
			require.NoError(t, os.MkdirAll(tools, 0o755))
			for from, to := range map[string]string{home: root, filepath.Join(home, "pkg"): filepath.Join(root, "pkg"), real: tools} {
				list, err := os.ReadDir(from)
				require.NoError(t, err)
				for _, f := range list {
					_ = os.Symlink(filepath.Join(from, f.Name()), filepath.Join(to, f.Name())) // what is there stays
				}
			}
			text := "#!/bin/bash\nreal=" + filepath.Join(real, "compile") + "\n" +
				`case " $* " in *" -N "*) ;; *" main "*) wrong=1 ;; esac` + "\n" + t.marked(script) + "\nexec $real \"$@\"\n"
			file := filepath.Join(tools, "compile")
			require.NoError(t, os.WriteFile(file+".new", []byte(text), 0o755))
			require.NoError(t, os.Rename(file+".new", file))
		},
	}
}

// goWrong has functions return too much, or do something to the program.
const goWrong = `[ "$wrong" ] && sed -i -E 's/uint64\((` + few + `\([^()]*\))\)/uint64(\1 + 1)/' repro.go` + "\n"

// goHostile adds Go to each program, to be run before main.
func goHostile(text string) string {
	return `case " $* " in *" main "*) grep -qs 'func try(' repro.go && sed -i 's/^import (/import "syscall"\nimport (/' repro.go && cat >>repro.go <<'END'` + "\n" +
		"func init() { " + text + " }\nEND\n;; esac\n"
}

// timeFaults are hunts of what is slow, does not end, or speaks nonsense.
var timeFaults = []fault{
	{name: "a virtual machine lies after 300 calls", other: machine("if (c.made >= 300) value++;", trained, never), must: settled},
	{name: "a virtual machine lies and prints garbage midway", other: machine("value++;", trained, "*"), machine: nonsense, must: settled},
	{name: "an engine lies after 300 calls", other: engine("if (c.made >= 300) v++;", trained, never), must: settled},
	{name: "an engine hangs after 300 calls", other: engine("if (c.made >= 300 && c.name.startsWith('f17')) for (;;);", trained, never).only("f17", "-compile-time", "1s"), must: settled},
	{name: "an engine lies, and prints garbage in another mode midway", other: engine("v++;", "*no-liftoff*", trained).in("@turbofan"), machine: nonsense, must: settled},
	{name: "a compiler of Go lies", other: goCompiler(goWrong), must: settled},
	{name: "a compiler of Go vanishes midway", other: goCompiler(goWrong), machine: midway(func(t *trial) {
		t.check(os.Remove(filepath.Join(t.bins, "go", "pkg", "tool", runtime.GOOS+"_"+runtime.GOARCH, "compile")))
	}), must: settled},
	{name: "a compiler of Go lies and prints garbage midway", other: goCompiler("[ -e $MARK/bin/garbage ] && { echo garbage; exit 1; }\n" + goWrong), machine: nonsense, must: settled},
	{name: "a compiler of Go lies and compiles nothing midway", other: goCompiler("[ -e $MARK/bin/garbage ] && { echo garbage; exit 0; }\n" + goWrong), machine: nonsense, must: settled},
	{name: "programs of Go write elsewhere, connect and leave processes", other: goCompiler(goHostile(
		`syscall.Open("$MARK/outside", 0101, 0644); if s, err := syscall.Socket(2, 1, 0); err == nil { syscall.Connect(s, &syscall.SockaddrInet4{Port: $PORT, Addr: [4]byte{127, 0, 0, 1}}) }; syscall.ForkExec("/bin/sh", []string{"sh", "-c", "sleep 1000; :", "$MARK"}, &syscall.ProcAttr{Sys: &syscall.SysProcAttr{Setsid: true}})`,
	) + goWrong), must: settled},
	{name: "files are of tomorrow, and the clock is set back", machine: func(t *trial) {
		tomorrow := time.Now().Add(24 * time.Hour)
		t.check(os.Chtimes(t.compiler(), tomorrow, tomorrow))
		t.at(0.5, func(cmd *exec.Cmd) { _ = cmd.Process.Kill() })
		if readable(t.dir) {
			change(t.T, t.dir, fmt.Sprintf(`UPDATE runs SET started = started + %[1]d, seen = seen + %[1]d`, 24*time.Hour.Milliseconds()))
		}
		for _, dir := range []string{t.dir, t.bins} {
			t.check(filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
				return errors.Join(err, os.Chtimes(path, tomorrow, tomorrow))
			}))
		}
	}},
}
