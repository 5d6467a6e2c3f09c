package triage

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"goreify/compilers"
	"goreify/reify/language"
	"goreify/reify/oracle"
)

// Witnesses returns a C file without its text and its compiler: with those that judge it,
// the newest compilers of two families among those of an oracle, and the sanitizers.
func Witnesses(o *oracle.Oracle) (CFile, error) {
	o, err := o.Of(language.C.Name)
	if err != nil {
		return CFile{}, err
	}
	f := CFile{Sanitized: o.Sanitizers}
	var families []string
	for _, t := range slices.Backward(o.Targets) {
		id := t.ID()
		if n := len(families); len(id.Args) == 0 && n < len(f.Judges) && !slices.Contains(families, id.Family) {
			f.Judges[n], families = compilers.Plain(t), append(families, id.Family)
		}
	}
	switch {
	case len(families) < len(f.Judges):
		return f, fmt.Errorf("compilers of %d families must agree on the answer, and of %d are here: %s", len(f.Judges), len(families), strings.Join(families, ", "))
	case len(f.Sanitized) == 0:
		return f, errors.New("no compiler here has working sanitizers")
	}
	return f, nil
}
