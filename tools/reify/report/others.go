package report

import (
	"errors"
	"fmt"
	"strings"

	"goreify/corpus"
	"goreify/reify/ir"
)

// ErrLicence means that tests hold functions of others without a known licence, so that
// it is unknown whether they may be published.
var ErrLicence = errors.New("text of others without a known licence is in the test; -share writes it all the same")

// origins returns the functions of others in the test of a report, and in the program as
// it was found.
func origins(e *corpus.Entry) (left, all []corpus.Origin) {
	all = e.Origins()
	if e.Reduced == "" {
		return all, all
	}
	p, err := ir.Parse(e.ReducedProgram)
	if e.ReducedProgram == "" || err != nil {
		return all, all // as far as anybody knows
	}
	for _, f := range p.Funcs {
		if f.Foreign == nil {
			continue
		}
		one := corpus.Entry{Notes: []corpus.Note{corpus.OriginOf(f.Foreign.Origin, f.Foreign.Licence)}}
		left = append(left, one.Origins()...)
	}
	return left, all
}

// unlicensed returns where functions come from of which no licence is known.
func unlicensed(list []corpus.Origin) (names []string) {
	for _, o := range list {
		if o.Licence == corpus.Unlicensed {
			names = append(names, o.From)
		}
	}
	return names
}

// setOthers sets what there is of others, and takes out what may not be shown. The
// error wraps ErrLicence if that is the test.
func (u *bug) setOthers(share bool) error {
	left, all := origins(u.Entry)
	u.Others, u.NoOthers = left, len(all) > 0 && len(left) == 0
	if share {
		return nil
	}
	if names := unlicensed(left); names != nil {
		return fmt.Errorf("%s: %w", strings.Join(names, ", "), ErrLicence)
	}
	if unlicensed(all) != nil {
		u.Original = nil
	}
	return nil
}
