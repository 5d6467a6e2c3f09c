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
	"slices"

	"golang.org/x/sys/unix"
	"modernc.org/sqlite" // the driver
	sqlite3 "modernc.org/sqlite/lib"

	"goreify/reify/safefile"
)

// ErrForeign says that a file is not a database, or belongs to another application.
var ErrForeign = errors.New("not made by this program")

// Schema returns the version of the schema of the database in a file, or 0 if there is
// no file. The error wraps ErrForeign if application is not the mark in it. It is an error
// if the file, or what SQLite keeps beside it, is a link or not regular. The marks are read
// at the offsets of SQLite's file format, because SQLite may write even to look at a
// database.
func Schema(path string, application uint32) (schema uint32, err error) {
	f, err := regular(path)
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

// regular opens the file of a database. SQLite opens it once more, by its name, with files
// beside it: all that are there must be regular.
func regular(path string) (*os.File, error) {
	dir, err := safefile.Open(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	defer dir.Close() // files that were opened stay open
	name := filepath.Base(path)
	for _, suffix := range []string{"-wal", "-shm", "-journal"} {
		info, err := dir.Lstat(name + suffix)
		if err == nil && !info.Mode().IsRegular() {
			return nil, fmt.Errorf("%s%s: %w: remove it", path, suffix, safefile.ErrNotRegular)
		}
	}
	return dir.File(name)
}

// Marks returns the statements that mark a database for Schema.
func Marks(application, schema uint32) string {
	return fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d;", application, schema)
}

// untrusted are pragmas for databases that strangers may have made.
var untrusted = []string{"trusted_schema(0)", "cell_size_check(1)", "mmap_size(0)"}

// Open opens the database in a file, in a mode of SQLite: "ro", "rw" or "rwc". A stranger
// may have made it: Check says whether it can be used.
func Open(path, mode string, pragmas ...string) (*sql.DB, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	q := url.Values{"mode": {mode}, "_defensive": {"1"}, "_pragma": slices.Concat(pragmas, untrusted, []string{"busy_timeout(10000)"})}
	switch {
	case mode != "ro":
		q.Set("_txlock", "immediate")
	case closed(abs):
		q.Set("immutable", "1") // else SQLite makes files beside it
	}
	u := url.URL{Scheme: "file", Path: abs, RawQuery: q.Encode()}
	db, err := sql.Open("sqlite", u.String())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	db.SetMaxOpenConns(1) // SQLite allows one writer at a time
	return db, nil
}

// closed tells whether a database is in a directory that cannot be written to, and no
// process has left changes beside it.
func closed(path string) bool {
	info, err := os.Lstat(path + "-wal")
	return unix.Access(filepath.Dir(path), unix.W_OK) != nil && (err != nil || info.Size() == 0)
}

// ReadOnly tells whether an error says that a database cannot be written to.
func ReadOnly(err error) bool {
	var failure *sqlite.Error
	return errors.As(err, &failure) && (failure.Code()&0xff == sqlite3.SQLITE_READONLY || failure.Code()&0xff == sqlite3.SQLITE_CANTOPEN)
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
