// Package database opens SQLite files that are marked with the application that made
// them, and with the version of their schema.
package database

import (
	"bytes"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"

	"modernc.org/sqlite" // the driver
	sqlite3 "modernc.org/sqlite/lib"
)

// ErrForeign says that a file is not a database, or belongs to another application.
var ErrForeign = errors.New("not made by this program")

// Schema returns the version of the schema of the database in a file, or 0 if there is
// no file. The error wraps ErrForeign if application is not the mark in it. The marks
// are read at the offsets of SQLite's file format, because SQLite may write even to
// look at a database.
func Schema(path string, application uint32) (schema uint32, err error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	defer f.Close()
	const atSchema, atApplication, size = 60, 68, 100
	header := make([]byte, size)
	switch _, err := io.ReadFull(f, header); {
	case err == io.EOF: // the file of a command that was killed while it made it
		return 0, nil
	case err != nil && err != io.ErrUnexpectedEOF:
		return 0, fmt.Errorf("%s: %w", path, err)
	}
	if !bytes.HasPrefix(header, []byte("SQLite format 3\x00")) || binary.BigEndian.Uint32(header[atApplication:]) != application {
		return 0, fmt.Errorf("%s: %w", path, ErrForeign)
	}
	return binary.BigEndian.Uint32(header[atSchema:]), nil
}

// Marks returns the statements that mark a database for Schema.
func Marks(application, schema uint32) string {
	return fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d;", application, schema)
}

// Open opens the database in a file, in a mode of SQLite: "ro", "rw" or "rwc".
func Open(path, mode string, pragmas ...string) (*sql.DB, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	q := url.Values{"mode": {mode}, "_pragma": append(pragmas, "busy_timeout(10000)")}
	if mode != "ro" {
		q.Set("_txlock", "immediate")
	}
	u := url.URL{Scheme: "file", Path: abs, RawQuery: q.Encode()}
	db, err := sql.Open("sqlite", u.String())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	db.SetMaxOpenConns(1) // SQLite allows one writer at a time
	return db, nil
}

// Locked tells whether an error says that another process has kept a database locked
// for as long as Open waits, ten seconds.
func Locked(err error) bool {
	var failure *sqlite.Error
	return errors.As(err, &failure) && (failure.Code()&0xff == sqlite3.SQLITE_BUSY || failure.Code()&0xff == sqlite3.SQLITE_LOCKED)
}

// Transact calls f in a transaction that is rolled back if f fails.
func Transact(db *sql.DB, f func(tx *sql.Tx) error) error {
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	if err := f(tx); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}
