package corpus

import (
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/safefile"
)

func TestSaveReadOnly(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.Chmod(filepath.Dir(dir), 0o755))
	require.NoError(t, os.Chmod(dir, 0o555))
	e := load(t, "full.txtar")
	asNobody(t, func() {
		_, err := Save(dir, e)
		assert.ErrorIs(t, err, os.ErrPermission)
		assert.ErrorContains(t, err, "corpus: save in "+dir)
	})
	assert.Empty(t, names(t, dir))
}

// asNobody calls f without the right of root to write everywhere. The user of
// file access is a property of the thread, which is thrown away afterwards,
// since the goroutine ends without unlocking it.
func asNobody(t *testing.T, f func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread()
		if syscall.Geteuid() == 0 {
			const nobody = 65534
			if err := syscall.Setfsuid(nobody); err != nil {
				t.Error(err)
				return
			}
		}
		f()
	}()
	<-done
	require.False(t, t.Failed())
}

// A device is not replaced by a file, which root could do.
func TestUpdateDevice(t *testing.T) {
	path := filepath.Join(t.TempDir(), "null")
	if err := syscall.Mknod(path, syscall.S_IFCHR|0o666, 1<<8|3); err != nil {
		t.Skipf("NOT TESTED: devices are not replaced: %v", err)
	}
	assert.ErrorIs(t, Update(path, load(t, "full.txtar")), safefile.ErrNotRegular)
	info, err := os.Lstat(path)
	require.NoError(t, err)
	assert.NotZero(t, info.Mode()&os.ModeDevice)
}
