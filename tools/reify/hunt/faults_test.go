package hunt

import (
	"cmp"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"goreify/tools/need"
)

// TestFaults takes many minutes: make faults.
var (
	faulty = flag.Bool("faults", false, "hunt on broken machines")
	older  = flag.String("older", "", "reify that was built before, which rows of TestFaults are to fail with")
)

// A fault is a hunt that goes wrong: what the compiler does, and what the machine
// does. Whatever it is, a healthy hunt that goes on later must have found all
// that there is to find, and nothing else, and nothing may be left behind.
type fault struct {
	name    string
	standIn string       // "gets some functions wrong" if there is none
	machine func(*trial) // what happens to a hunt; nil lets it run
	nobody  bool         // it runs as an ordinary user, where the test is root
	must    func(*trial) // what else must hold in the end, by t.complain
	other   *hunted      // what is hunted in the place of gcc-99
}

// faults are the hunts of TestFaults. That each other value of hunt.db that flips is
// noticed, or nothing comes of it, is TestFlippedValues', which has a hunt for each.
func faults() []fault {
	var list []fault
	for _, kB := range []int{100, 160, 200, 300, 400, 800, 1600, 3200} {
		size := kB << 10
		list = append(list,
			fault{name: fmt.Sprintf("TMPDIR has %d kB", kB), machine: func(t *trial) {
				need.Disk(t, t.tmp, size)
				t.run()
				t.told()
			}},
			fault{name: fmt.Sprintf("the hunt's directory has %d kB", kB), machine: func(t *trial) {
				need.Disk(t, t.dir, size)
				t.run()
				t.told()
			}},
		)
	}
	for i := range 4 {
		part := float64(i+1) / 5
		when := fmt.Sprintf(" after %.0f %% of its time", 100*part)
		list = append(list,
			fault{name: "the compiler vanishes" + when, machine: func(t *trial) {
				t.at(part, func(*exec.Cmd) { t.check(os.Remove(t.compiler())) })
				t.told()
			}},
			fault{name: "TMPDIR fills up" + when, machine: func(t *trial) {
				need.Disk(t, t.tmp, 8<<20)
				t.at(part, func(*exec.Cmd) { t.fill(t.tmp) })
				t.told()
			}},
			fault{name: "the compiler is another" + when, machine: func(t *trial) {
				t.at(part, func(*exec.Cmd) { t.install(standIns["is of another version, and gets others wrong"], "99.2.0") })
				t.goOn = t.run // with the new one
			}},
			fault{name: "SIGHUP" + when, machine: signalled(syscall.SIGHUP, part)},
			fault{name: "SIGTERM" + when, machine: signalled(syscall.SIGTERM, part)},
		)
	}
	list = append(list,
		fault{name: "TMPDIR fills up in triage", machine: fullInTriage},
		fault{name: "reduce in place asks fewer", machine: reducedNarrowly},
		fault{name: "nobody answers about a batch", machine: setAside},
		fault{name: "a compiler on PATH hangs", machine: hangs},
		fault{name: "TMPDIR fills up after 20 %, and the compiler is right", standIn: "is right", machine: func(t *trial) {
			need.Disk(t, t.tmp, 8<<20)
			t.at(0.2, func(*exec.Cmd) { t.fill(t.tmp) })
			t.told()
		}},
		fault{name: "killed 20 times", machine: func(t *trial) {
			for range 20 {
				t.at(rand.Float64(), func(cmd *exec.Cmd) { _ = cmd.Process.Kill() })
			}
		}},
		fault{name: "bytes of hunt.db flip", machine: func(t *trial) {
			t.run()
			t.spoilt(t.flip)
		}},
		fault{name: "single values of hunt.db flip", machine: func(t *trial) {
			t.mute(1)
			t.run() // leaves batch 1 open
			for _, column := range []string{"batches.done", "batches.tries", "batches.number", "hunt.seed"} {
				t.spoilt(func() { require.True(t, flipValue(t.T, t.dir, column, "MAX"), column) })
			}
		}},
		fault{name: "the reader of the log goes away", machine: func(t *trial) { t.deaf = true; t.run() }},
		fault{name: "endless output is told", standIn: "prints for ever", must: func(t *trial) {
			for _, e := range t.entries() {
				if e.Verdict != "endless" || !strings.Contains(e.Message, "printed more than") {
					t.complain("%s: %s", e.Verdict, e.Message)
				}
			}
		}},
	)
	list = append(list, timeFaults...)
	for name := range standIns {
		if name == "makes programs that make a directory of mode 000" {
			list = append(list, fault{name: name + ", as an ordinary user", standIn: name, nobody: true})
		}
		list = append(list, fault{name: name, standIn: name})
	}
	slices.SortStableFunc(list[len(list)-len(standIns)-1:], func(a, b fault) int { return cmp.Compare(a.name, b.name) })
	return list
}

// setAside has a compiler that does not answer about batch 1, for three runs and
// one more: the batch is open, then set aside, and status says so.
func setAside(t *trial) {
	t.mute(1)
	for range mostTries + 1 {
		t.run()
		t.told()
	}
	if tries := query(t, t.dir, `SELECT number || ' ' || tries FROM batches WHERE done = 0`); !slices.Equal(tries, []string{fmt.Sprint("1 ", mostTries)}) {
		t.complain("open batches, and how often they ran: %v", tries)
	}
	if _, said := t.verb("status", t.dir); !strings.Contains(said, "batch 1 (mix focused) is set aside") {
		t.complain("status: %s", said)
	}
	t.again = true
}

// hangs has a compiler that does not answer be on PATH: it costs the hunt the time
// that one gets, and the next one nothing.
func hangs(t *trial) {
	const slack = 10 * time.Second // of two minutes that it cost
	require.NoError(t, os.WriteFile(filepath.Join(t.bins, "gcc-98"), []byte("#!/bin/sh\nexec /bin/sleep 1000\n"), 0o755))
	own := standIns["gets some functions wrong"]
	t.install(standIn{script: "PATH=/usr/local/bin:/usr/bin:/bin\n" + own.script}, "99.1.0")
	t.onPath = true
	for _, most := range []time.Duration{5 * time.Second, 0} {
		began := time.Now()
		t.run()
		if took := time.Since(began); took > t.whole+most+slack {
			t.complain("it took %v, and usually takes %v", took, t.whole)
		}
	}
	t.onPath = false
}

func signalled(s syscall.Signal, part float64) func(*trial) {
	return func(t *trial) { t.at(part, func(cmd *exec.Cmd) { _ = cmd.Process.Signal(s) }) }
}

// A toll is what went wrong, as it was seen.
type toll struct {
	lost    int // functions that the compiler got wrong, and of which nothing tells
	false   int // findings in functions that it got right
	escaped int // processes that live on, files elsewhere, connections
	left    int // files in TMPDIR
	hung    int // commands that did not end in time
}

func (c *toll) add(d toll) {
	c.lost, c.false, c.escaped, c.left, c.hung = c.lost+d.lost, c.false+d.false, c.escaped+d.escaped, c.left+d.left, c.hung+d.hung
}

func (c toll) String() string {
	return fmt.Sprintf("lost %d, false %d, escaped %d, left over %d, hung %d", c.lost, c.false, c.escaped, c.left, c.hung)
}

// batchesOfTrial of sixty functions each are hunted through.
const batchesOfTrial = 2

// TestFaults hunts while compilers, programs and the machine do what they should
// not, and replays, shows and reports files of strangers. It prints a line for
// each and the sum of what was seen.
func TestFaults(t *testing.T) {
	if !*faulty {
		t.Skip("NOT TESTED: hunts on broken machines, without -faults, as make faults has it")
	}
	bin := buildCommand(t)
	var sum toll
	var failing []string
	row := func(name string, test func(t *testing.T) (toll, []string)) {
		t.Run(name, func(t *testing.T) {
			c, complaints := test(t)
			sum.add(c)
			text := fmt.Sprintf("%s: %v", name, c)
			for _, line := range complaints {
				text += "\n\t" + line
			}
			if c != (toll{}) || len(complaints) > 0 {
				failing = append(failing, name)
				t.Error(text)
			} else {
				t.Log(text)
			}
		})
	}
	var whole time.Duration // of a hunt that nothing happens to
	row("nothing happens", func(t *testing.T) (toll, []string) {
		tr := newTrial(t, bin, fault{})
		began := time.Now()
		tr.run()
		whole = time.Since(began)
		return tr.observe(), tr.complaints
	})
	for _, f := range faults() {
		row(f.name, func(t *testing.T) (toll, []string) {
			tr := newTrial(t, bin, f)
			tr.whole = cmp.Or(whole, 5*time.Second)
			if f.machine == nil {
				tr.run()
			} else {
				f.machine(tr)
			}
			return tr.observe(), tr.complaints
		})
	}
	for _, h := range hostiles {
		row(h.name, func(t *testing.T) (toll, []string) { return h.try(t, bin) })
	}
	for _, a := range slices.Concat(fileAttacks, textAttacks) {
		row(a.name, func(t *testing.T) (toll, []string) { return a.trySome(t, bin) })
	}
	for _, b := range breaches() {
		row(b.name, func(t *testing.T) (toll, []string) { return b.try(t, bin) })
	}
	fmt.Printf("faults: %v\n", sum)
	if len(failing) > 0 {
		fmt.Printf("failing rows:\n\t%s\n", strings.Join(failing, "\n\t"))
	}
}

// buildCommand builds reify and returns its path.
func buildCommand(t *testing.T) string {
	t.Helper()
	if *older != "" {
		return *older
	}
	dir, err := os.MkdirTemp("", "reify-faults-")
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	bin := filepath.Join(dir, "reify")
	out, err := exec.Command("go", "build", "-o", bin, "goreify/tools/reify").CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.NoError(t, os.Chmod(dir, 0o755))
	return bin
}
