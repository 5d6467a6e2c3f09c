package foreign

import (
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"

	"goreify/reify/others/database"
)

// A Status is the contents of a database in figures.
type Status struct {
	Path      string    `json:"path"`
	Bytes     int64     `json:"bytes"`     // of the file
	Functions int       `json:"functions"` // set aside or not
	Usable    int       `json:"usable"`    // with 4 pairs and more, neither set aside nor of Puns or Dead
	Aside     int       `json:"aside"`
	Pairs     int       `json:"pairs"`
	Projects  []Project `json:"projects"`
	Classes   []Count   `json:"classes"`
	Models    []Count   `json:"models"`
	Refusals  []Count   `json:"refusals"`
}

// A Project is the part of a database that comes from one project.
type Project struct {
	Name      string `json:"name"`
	Version   string `json:"version"`
	Licence   string `json:"licence"`
	Files     int    `json:"files"`
	Functions int    `json:"functions"`
	Four      int    `json:"four"` // with 4 pairs and more
}

// A Count is how often something occurs.
type Count struct {
	Name  string `json:"name"`
	Count int    `json:"count"`
}

// Status counts what is in the database.
func (d *DB) Status() (*Status, error) {
	s := &Status{Path: d.path}
	err := d.db.QueryRow(`SELECT COUNT(*), COALESCE(SUM(pairs >= 4 AND state = '' AND class NOT IN ('puns', 'dead')), 0), COALESCE(SUM(state <> ''), 0), COALESCE(SUM(pairs), 0) FROM function`).
		Scan(&s.Functions, &s.Usable, &s.Aside, &s.Pairs)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", d.path, err)
	}
	if info, err := os.Stat(d.path); err == nil {
		s.Bytes = info.Size()
	}
	for _, q := range []struct {
		to    *[]Count
		query string
	}{
		{&s.Classes, `SELECT class, COUNT(*) FROM function GROUP BY class ORDER BY COUNT(*) DESC, class`},
		{&s.Models, `SELECT models, COUNT(*) FROM function GROUP BY models ORDER BY COUNT(*) DESC, models`},
		{&s.Refusals, `SELECT reason, COUNT(*) FROM refusal GROUP BY reason ORDER BY COUNT(*) DESC, reason`},
	} {
		if err := database.Each(d.db, func(rows *sql.Rows) error {
			var c Count
			err := rows.Scan(&c.Name, &c.Count)
			*q.to = append(*q.to, c)
			return err
		}, q.query); err != nil {
			return nil, fmt.Errorf("%s: %w", d.path, err)
		}
	}
	err = database.Each(d.db, func(rows *sql.Rows) error {
		var p Project
		err := rows.Scan(&p.Name, &p.Version, &p.Licence, &p.Files, &p.Functions, &p.Four)
		s.Projects = append(s.Projects, p)
		return err
	}, `SELECT project, version, licence, COUNT(DISTINCT source.id), COUNT(function.id), COALESCE(SUM(pairs >= 4), 0)
		FROM source LEFT JOIN function ON function.source = source.id GROUP BY project, version, licence ORDER BY project, version, licence`)
	return s, err
}

// Write writes the status for people.
func (s *Status) Write(w io.Writer) error {
	_, err := fmt.Fprintf(w, "%s: %d functions with %d pairs, %d of them with 4 pairs and more for live code, %d set aside, %d bytes\n", s.Path, s.Functions, s.Pairs, s.Usable, s.Aside, s.Bytes)
	for _, p := range s.Projects {
		_, e := fmt.Fprintf(w, "%-24s %-10s %-14s %5d files %5d functions, %d with 4 pairs\n", p.Name, p.Version, p.Licence, p.Files, p.Functions, p.Four)
		err = errors.Join(err, e)
	}
	for _, l := range []struct {
		title string
		list  []Count
	}{{"class", s.Classes}, {"models", s.Models}, {"refused", s.Refusals}} {
		for _, c := range l.list {
			_, e := fmt.Fprintf(w, "%-8s %-14s %6d\n", l.title, c.Name, c.Count)
			err = errors.Join(err, e)
		}
	}
	return err
}
