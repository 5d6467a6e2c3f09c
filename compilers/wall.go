package compilers

import (
	"fmt"
	"slices"
)

// A Wall is what keeps children from the rest of the machine.
type Wall string

// The walls, best first. the package comment says what each holds back.
const (
	Namespaces Wall = "namespaces" // own users, mounts, processes, IPC and network
	Landlock   Wall = "landlock"   // files outside of the workspace cannot be written, no network
	NoWall     Wall = "no box"     // limits on resources, no network, and no child outlives the program
)

// A BoxPolicy says which walls will do.
type BoxPolicy string

// The policies, as REIFY_BOX has them.
const (
	// BoxUsual is BoxAuto for programs of ours. Those of strangers take namespaces.
	BoxUsual   BoxPolicy = ""
	BoxAuto    BoxPolicy = "auto"    // the best wall that there is, and be it none
	BoxRequire BoxPolicy = "require" // namespaces, or it is an error
	BoxOff     BoxPolicy = "off"     // none
)

// ParseBoxPolicy reads a policy.
func ParseBoxPolicy(text string) (BoxPolicy, error) {
	p := BoxPolicy(text)
	if !slices.Contains([]BoxPolicy{BoxUsual, BoxAuto, BoxRequire, BoxOff}, p) {
		return "", fmt.Errorf("box %q: want auto, require or off", text)
	}
	return p, nil
}

// Strangers returns nil if programs may be run that neither we nor this program's authors have
// written or looked at, else why not, and what to do. A workspace that was not asked to Enclose
// its children does not refuse.
func (w *Workspace) Strangers() error { return w.refusal }

// Leaks says what a wall does not hold back.
func (w Wall) Leaks() string { return leaks[w] }

var leaks = map[Wall]string{
	Namespaces: "a bug of the kernel is a way out",
	Landlock:   "they read /proc, /usr and /opt as you, and connect to named sockets",
	NoWall:     "they can do all that you can",
}

// errStrangers says that programs of strangers are not run behind a wall.
func errStrangers(wall Wall) error {
	return fmt.Errorf("programs of strangers take a box of namespaces, and here is %s: -box auto runs them all the same; %s", wall, wall.Leaks())
}
