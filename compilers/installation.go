package compilers

import (
	"fmt"
	"slices"
	"strings"
)

// An Installation is a compiler or an engine as it was found, with the arguments of every
// call of it. The targets of most families embed one.
type Installation struct {
	Name    string // as the user calls it: "gccgo-12"
	Path    string // of the executable, absolute; "" if it has none of its own
	Version string // "12.2.0"
	Args    []string

	Host   Env      // where it was found, and other versions are
	Found  Sighting // of the files that change when it is built anew
	Chosen []Mode   // to be asked in; nil for all that are usual
}

// InstallationOf returns what an entry of REIFY_CC says of an installation.
func InstallationOf(env Env, entry string) Installation {
	name, args, _ := strings.Cut(strings.TrimSpace(entry), " ")
	return Installation{Name: name, Args: strings.Fields(args), Host: env}
}

// Identity returns the ID of the target, given its family and what it compiles for.
func (i Installation) Identity(family, triple string) ID {
	return ID{Name: i.Name, Args: i.Args, Family: family, Version: i.Version, Triple: triple}
}

// String returns the name and the arguments, as REIFY_CC takes them.
func (i Installation) String() string { return i.Identity("", "").String() }

// Dirs returns the directories that it is installed in and that its arguments name, if
// they are no usual ones.
func (i Installation) Dirs() []string {
	if i.Path == "" {
		return nil
	}
	return slices.Concat(Dirs(i.Path), DirsOf(i.Args))
}

// Changed returns an error if the files are not those that were found.
func (i Installation) Changed() error { return i.Found.Changed(i.String(), i.Version) }

// Digest returns the digest of the files; see Stamped.
func (i Installation) Digest(cache string) (string, error) { return i.Found.Digest(cache) }

// Unscreened is the error of Screener.Screen for a flag; what is to be named with it.
func Unscreened(flag, what string) error {
	return fmt.Errorf("%.80s is not a flag that a reproducer may bring; if you trust it, name the %s with its flags in REIFY_CC", Quote(flag), what)
}

// ScreenEach is Screener.Screen where each argument stands for itself, and may says
// which of them a reproducer may bring.
func ScreenEach(args []string, what string, may func(arg string) bool) error {
	for _, arg := range args {
		if !may(arg) {
			return Unscreened(arg, what)
		}
	}
	return nil
}
