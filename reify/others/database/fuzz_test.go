package database_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"goreify/reify/others/database"
	"goreify/tools/need"
)

// FuzzCheck looks through files that may be databases, and reads those with nothing wrong.
func FuzzCheck(f *testing.F) {
	for _, text := range []string{ours, ours + "CREATE VIEW v AS SELECT 1;"} {
		path := filepath.Join(f.TempDir(), "a.db")
		db, err := database.Open(path, "rwc")
		require.NoError(f, err)
		_, err = db.Exec("PRAGMA page_size = 512;" + text)
		require.NoError(f, err)
		require.NoError(f, db.Close())
		data, err := os.ReadFile(path)
		require.NoError(f, err)
		f.Add(data)
	}
	path := filepath.Join(f.TempDir(), "a.db")
	f.Fuzz(func(t *testing.T, data []byte) {
		data = data[:min(len(data), need.MostInput)]
		require.NoError(t, os.WriteFile(path, data, 0o600))
		need.Little(t, func() {
			db, err := database.Open(path, "ro")
			require.NoError(t, err)
			defer db.Close()
			if said, err := database.Check(db); said != "" || err != nil {
				return
			}
			rows, err := db.Query("SELECT c.id, c.text, b.x FROM c LEFT JOIN b ON b.y = c.id ORDER BY c.text")
			if err != nil {
				return
			}
			defer rows.Close()
			for rows.Next() {
				var id, text, x any
				_ = rows.Scan(&id, &text, &x)
			}
		})
	})
}
