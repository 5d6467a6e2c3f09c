package hunt

import (
	"database/sql"
	"strings"

	"goreify/reify/source/function"
	"goreify/reify/source/program"
)

// recordInputs records what the batches of an old database are made of that were
// not finished. It recorded the profile and the features of each instead, and drew
// the rest from the batch's number. Batches bred from others cannot be made again:
// they get no input. Databases without these columns are left alone.
func recordInputs(tx *sql.Tx) error {
	var columns int
	err := tx.QueryRow(`SELECT COUNT(*) FROM pragma_table_info('batches') WHERE name IN ('profile', 'features')`).Scan(&columns)
	if err != nil || columns < 2 {
		return err
	}
	type row struct {
		number        int64
		kind, version string
		function.Options
	}
	var rows []row
	err = each(tx, `SELECT number, kind, version, profile, features, seeds
		FROM batches JOIN runs ON runs.id = run
		WHERE done = 0 AND profile <> '' AND kind NOT IN ('mutants', 'mutant-programs') AND number NOT IN (SELECT batch FROM inputs)`,
		func(r *row) []any {
			return []any{&r.number, &r.kind, &r.version, &r.Profile, &r.Features, &r.Size}
		}, &rows)
	if err != nil || len(rows) == 0 {
		return err
	}
	seed, err := recordedSeed(tx)
	if err != nil {
		return err
	}
	for _, r := range rows {
		name := function.Name
		if r.kind == "programs" || strings.HasSuffix(r.kind, "-programs") {
			name = program.Name
		}
		in := r.Draw(name, stream(seed, r.number))
		_, err := tx.Exec(`INSERT INTO inputs (batch, source, version, data) VALUES (?, ?, ?, ?)`, r.number, in.Source, r.version, in.Data)
		if err != nil {
			return err
		}
	}
	return nil
}
