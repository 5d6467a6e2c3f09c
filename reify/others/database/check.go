package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// The bounds of a database that strangers may have made.
const (
	mostCheck   = time.Minute // of Check: ten times what a database of a GB takes
	mostValue   = 64 << 20    // bytes of a value
	mostSQL     = 1 << 20     // bytes of a statement
	mostColumns = 200
	mostObjects = 100 // tables and indexes
)

// Check returns what is wrong with a database, or nothing. It looks at it without writing.
// After that, a query of ours takes time in proportion to the size of the file: it has
// tables and indexes only, without expressions that call functions, and SQLite's quick
// check finds no page in two places.
func Check(db *sql.DB) (said string, err error) {
	ctx, cancel := context.WithTimeoutCause(context.Background(), mostCheck, fmt.Errorf("it takes more than %v to look through it", mostCheck))
	defer cancel()
	conn, err := db.Conn(ctx)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	for limit, most := range map[int]int{sqlite3.SQLITE_LIMIT_LENGTH: mostValue, sqlite3.SQLITE_LIMIT_SQL_LENGTH: mostSQL, sqlite3.SQLITE_LIMIT_COLUMN: mostColumns} {
		if _, err := sqlite.Limit(conn, limit, most); err != nil {
			return "", err
		}
	}
	if said, err = plain(ctx, conn); err == nil && said == "" {
		err = conn.QueryRowContext(ctx, `PRAGMA quick_check(1)`).Scan(&said)
	}
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx).Error(), nil
	case said == "ok":
		said = ""
	}
	return said, err
}

// plain returns an object of the database that is more than a table or an index of ours
// could be.
func plain(ctx context.Context, conn *sql.Conn) (said string, err error) {
	rows, err := conn.QueryContext(ctx, `SELECT type, name, COALESCE(sql, '') FROM sqlite_schema LIMIT ?`, mostObjects+1)
	if err != nil {
		return "", err
	}
	defer rows.Close() // it was read
	for n := 1; rows.Next(); n++ {
		var kind, name, text string
		if err := rows.Scan(&kind, &name, &text); err != nil {
			return "", err
		}
		switch {
		case n > mostObjects:
			return fmt.Sprintf("more than %d tables and indexes", mostObjects), nil
		case kind != "table" && kind != "index":
			return fmt.Sprintf("the %s %q is not ours", kind, name), nil
		case computes(text):
			return fmt.Sprintf("the %s %q computes something", kind, name), nil
		}
	}
	return "", rows.Err()
}

// word is a comment, a word of a definition, what is in quotes, or a sign.
var word = regexp.MustCompile("(?s)--[^\\n]*|/\\*.*?(?:\\*/|$)|\\w+|'[^']*'|\"[^\"]*\"|`[^`]*`|\\S")

// computes tells whether the definition of a table or an index may have more than columns,
// keys, and comparisons of columns with constants: a generated column, a call, a module.
// Definitions that versions before this one made, and have changed, are let through.
func computes(text string) bool {
	words := slices.DeleteFunc(word.FindAllString(strings.ToUpper(text), -1), func(w string) bool {
		return strings.HasPrefix(w, "--") || strings.HasPrefix(w, "/*")
	})
	for i, w := range words {
		switch {
		case slices.Contains([]string{"AS", "GENERATED", "VIRTUAL", "USING", "SELECT", "[", ";"}, w):
			return true
		case w == "(" && i > 1 && !slices.Contains([]string{"CHECK", "KEY", "UNIQUE"}, words[i-1]):
			if !slices.Contains([]string{"TABLE", "EXISTS", "REFERENCES", "ON"}, words[i-2]) {
				return true
			}
		}
	}
	return false
}
