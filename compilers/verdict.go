package compilers

import "fmt"

// A Verdict is what came of compiling and running a program.
type Verdict int

// The verdicts. The zero value is Discarded: an outcome that was not filled in accuses no
// compiler and clears none.
const (
	// Discarded says nothing about the compiler: the machine ran out of memory
	// or disk, someone killed the child, the wall-clock limit passed before the
	// CPU limit did, or the context was cancelled.
	Discarded Verdict = iota
	// OK is exit status 0 and exactly the expected output.
	OK
	// WrongAnswer is any other exit status or output of a program that ended by
	// itself: a miscompilation, if the program is right.
	WrongAnswer
	// Crash is a program killed by a signal of its own making.
	Crash
	// Endless is a program that used up its CPU time or printed without end.
	Endless
	// InternalError is a compiler that crashed, reported an internal error, or ran
	// out of memory when it had a gigabyte and half of its limit.
	InternalError
	// SlowCompile is a compiler that used up its CPU time or printed without end.
	SlowCompile
	// Rejected is a compiler or linker that reported an error in the program.
	Rejected
)

var verdictNames = [...]string{
	Discarded:     "discarded",
	OK:            "ok",
	WrongAnswer:   "wrong-answer",
	Crash:         "crash",
	Endless:       "endless",
	InternalError: "internal-error",
	SlowCompile:   "slow-compile",
	Rejected:      "rejected",
}

// Verdicts returns all the verdicts in order.
func Verdicts() []Verdict {
	all := make([]Verdict, len(verdictNames))
	for i := range all {
		all[i] = Verdict(i)
	}
	return all
}

// String returns the name that ParseVerdict reads, for example "wrong-answer".
func (v Verdict) String() string {
	if v < 0 || int(v) >= len(verdictNames) {
		return fmt.Sprintf("Verdict(%d)", int(v))
	}
	return verdictNames[v]
}

// ParseVerdict returns the verdict of that name, or an error that quotes it.
func ParseVerdict(name string) (Verdict, error) {
	for v, n := range verdictNames {
		if n == name {
			return Verdict(v), nil
		}
	}
	return Discarded, fmt.Errorf("unknown verdict %q", name)
}

// Finding tells whether the verdict accuses the compiler. A finding counts
// only once it has been seen again.
func (v Verdict) Finding() bool { return v != OK && v != Discarded }

// OfTime tells whether the verdict says that a limit was met.
func (v Verdict) OfTime() bool { return v == Endless || v == SlowCompile }
