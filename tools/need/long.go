package need

import "testing"

// Long skips a test that takes more than about a second of CPU time if go test -short
// asks for less.
func Long(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("NOT TESTED: with -short, what takes long")
	}
}
