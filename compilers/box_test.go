package compilers

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func enclosed(t testing.TB, p BoxPolicy) *Workspace {
	ws, err := NewWorkspace(t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { _ = ws.Close() })
	wall, reason, err := ws.Enclose(context.Background(), p, nil)
	t.Log(wall, reason, err)
	require.NoError(t, err)
	return ws
}

func TestBox(t *testing.T) {
	ws := enclosed(t, BoxRequire)
	dir, err := ws.NewDir()
	require.NoError(t, err)
	require.NoError(t, ws.boxes.hand(dir))
	run := func(script string) Exit {
		return ws.boxes.run(t.Context(), Child{Path: "/bin/sh", Args: []string{"-c", script}, Dir: dir, Env: FixedEnv("", dir), Bounds: DefaultLimits().Compile()})
	}
	for _, s := range []string{
		"id; ls /; ls -la /root /home /tmp; cat /proc/mounts | head -50; ps ax 2>/dev/null || ls /proc | head; grep Cap /proc/self/status",
		"echo hi > /usr/x; echo hi > /tmp/x && echo wrote tmp; echo hi > out && cat out; touch /etc/x",
		"setsid sleep 1000 & (setsid sh -c 'sleep 1000 &') ; echo started",
		"ps ax 2>/dev/null | head; ls /proc | grep -c '^[0-9]'",
		"gcc --version | head -1; printf 'int main(void){return 7;}' > a.c && gcc -O2 a.c -o a && ./a; echo $?",
		"umount /root; mount -t tmpfs x /mnt; cat /etc/shadow | head -1; kill -SEGV $$",
		"umount /root; echo $?; cat /dev/sda | head -c 10; cat </dev/tcp/127.0.0.1/22",
	} {
		e := run(s)
		t.Logf("%s\n=> %v %d %v cpu %v\n%s%s", s, e.Err, e.Status, e.Signal, e.CPU, e.Stdout, e.Stderr)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	e := ws.boxes.run(ctx, Child{Path: "/bin/sleep", Args: []string{"100"}, Dir: dir, Env: FixedEnv("", dir), Bounds: DefaultLimits().Compile()})
	assert.True(t, e.Cancelled())
	_ = filepath.Join
	_ = os.Args
}

func BenchmarkBox(b *testing.B) {
	for _, p := range []BoxPolicy{BoxOff, BoxRequire} {
		b.Run(string(p), func(b *testing.B) {
			ws := enclosed(b, p)
			dir, err := ws.NewDir()
			require.NoError(b, err)
			c := Child{Path: "/bin/true", Dir: dir, Env: FixedEnv("", dir), Bounds: DefaultLimits().Compile()}
			for b.Loop() {
				if ws.boxes != nil {
					require.NoError(b, ws.boxes.run(context.Background(), c).Failure())
				} else {
					require.NoError(b, c.Run(context.Background()).Failure())
				}
			}
		})
	}
}
