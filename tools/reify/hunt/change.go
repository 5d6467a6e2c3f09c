package hunt

import (
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"goreify/compilers"
)

// ErrChanged says that the compilers are others than those of the last run in the
// directory. Options.Confirm decides.
var ErrChanged = errors.New("other compilers than in the last run")

// An installed compiler is one that a run had, as the user calls it.
type installed struct{ name, version string }

func (i installed) String() string { return strings.TrimSpace(i.name + " " + i.version) }

// installedOf returns the compilers that some targets are.
func installedOf(targets []compilers.Target) (list []installed) {
	for _, t := range targets {
		list = append(list, installed{t.ID().String(), t.ID().Version})
	}
	return list
}

// A difference is what changed between the compilers of two runs.
type difference struct {
	gone, added []installed
	upgraded    [][2]installed // the same name, before and now
}

// differenceOf returns it. Compilers have one name each.
func differenceOf(before, now []installed) (d difference) {
	find := func(list []installed, name string) int {
		return slices.IndexFunc(list, func(i installed) bool { return i.name == name })
	}
	for _, old := range before {
		switch at := find(now, old.name); {
		case at < 0:
			d.gone = append(d.gone, old)
		case now[at] != old:
			d.upgraded = append(d.upgraded, [2]installed{old, now[at]})
		}
	}
	for _, i := range now {
		if find(before, i.name) < 0 {
			d.added = append(d.added, i)
		}
	}
	return d
}

// String says which compilers are gone and which are new: "gcc-12 12.2.0 is gone,
// gcc-13 13.2.0 is new".
func (d difference) String() string {
	var parts []string
	for _, i := range d.gone {
		parts = append(parts, i.String()+" is gone")
	}
	for _, i := range d.added {
		parts = append(parts, i.String()+" is new")
	}
	return strings.Join(parts, ", ")
}

// confirmed returns nil if the compilers are those of the last run, or if the user
// goes on with others. It says which were upgraded.
func (h *hunt) confirmed() error {
	before, err := h.store.installed()
	if err != nil || len(before) == 0 {
		return err
	}
	d := differenceOf(before, installedOf(h.targets))
	for _, u := range d.upgraded {
		h.log.line(fmt.Sprintf("%s: version %s now, %s in the last run", u[0].name, u[1].version, u[0].version))
	}
	if text := d.String(); text != "" && (h.Confirm == nil || !h.Confirm(text)) {
		return fmt.Errorf("%w: %s; -switch goes on with these, -o hunts in another directory", ErrChanged, text)
	}
	return nil
}

// installed returns the compilers of the last run, none if they are not known.
func (s *store) installed() ([]installed, error) {
	return each(s.db, `SELECT name, version FROM compilers WHERE run = (SELECT MAX(run) FROM compilers) ORDER BY place`,
		func(i *installed) []any { return []any{&i.name, &i.version} })
}

// install records the compilers of a run.
func install(tx *sql.Tx, run int64, list []installed) error {
	for place, i := range list {
		if _, err := tx.Exec(`INSERT INTO compilers (run, place, name, version) VALUES (?, ?, ?, ?)`, run, place, i.name, i.version); err != nil {
			return err
		}
	}
	return nil
}
