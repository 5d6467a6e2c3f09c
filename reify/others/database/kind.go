package database

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// A Kind is the databases of one application with one version of its schema.
type Kind struct {
	Application, Schema uint32 // the marks of a file: see Marks
	Tables              string // the statements that make the tables of a new file
	Name                string // "pool", for errors
	Missing             string // what to do if there is no file, with %s for its path
	Foreign             error  // says that a file is something else, or of another version
}

// Open opens the database in a file, in a mode of SQLite. "rwc" makes a database, in a
// directory that is made, too, if there is no file; for "ro" and "rw" it must be there. The
// error wraps k.Foreign if the file is something else. A stranger may have made it, so its
// content is checked.
func (k Kind) Open(path, mode string) (*sql.DB, error) {
	found, err := k.inspect(path)
	switch {
	case err != nil:
		return nil, err
	case !found && mode != "rwc":
		return nil, fmt.Errorf("%s: there is no %s; "+k.Missing, path, k.Name, path)
	}
	if !found {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return nil, err
		}
	}
	db, err := Open(path, mode, "synchronous(FULL)")
	if err != nil {
		return nil, err
	}
	if !found {
		err = Transact(db, func(tx *sql.Tx) error {
			_, err := tx.Exec(Marks(k.Application, k.Schema) + k.Tables)
			return err
		})
	}
	if err == nil {
		err = k.intact(db)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), db.Close())
	}
	return db, nil
}

// intact returns an error if a file is damaged, or was made to do harm.
func (k Kind) intact(db *sql.DB) error {
	said, err := Check(db)
	if err == nil && said != "" {
		err = errors.New(said)
	}
	if err != nil {
		return fmt.Errorf("the %s is damaged: %w", k.Name, err)
	}
	return nil
}

// inspect tells whether there is a database of the kind in a file.
func (k Kind) inspect(path string) (found bool, err error) {
	schema, err := Schema(path, k.Application)
	if errors.Is(err, ErrForeign) || err == nil && schema != 0 && schema != k.Schema {
		return false, fmt.Errorf("%s: %w", path, k.Foreign)
	}
	return schema != 0, err
}

// Each calls f for each row that a query returns, until f returns an error.
func Each(db *sql.DB, f func(rows *sql.Rows) error, query string, args ...any) error {
	rows, err := db.Query(query, args...)
	if err != nil {
		return err
	}
	defer rows.Close() // read only
	for rows.Next() {
		if err := f(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}
