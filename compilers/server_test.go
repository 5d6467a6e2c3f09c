package compilers

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// answering returns a script that answers requests.
func answering(answer string) Child {
	return Child{
		Path:   "/bin/sh",
		Args:   []string{"-c", `while read request < "$1"; do ` + answer + `; done`, "sh"},
		Env:    FixedEnv("/usr/bin:/bin", "/tmp"),
		Bounds: DefaultLimits().Compile(),
	}
}

func served(t *testing.T, ws *Workspace, answer string) *Server {
	s, err := ws.Serve(answer, answering(answer))
	require.NoError(t, err)
	return s
}

func ask(t *testing.T, s *Server) string {
	answer, end, err := s.Ask(t.Context(), []byte("request"), time.Minute)
	if err != nil {
		return err.Error()
	}
	return string(answer) + "end " + end
}

// Servers that are idle are asked again, those that have died meanwhile are not, and
// lines after an answer are not taken for the next one.
func TestServer(t *testing.T) {
	ws, err := NewWorkspace(t.TempDir())
	require.NoError(t, err)

	const good = `printf '%s\n' "$request $$" "end well" > "$2"`
	s := served(t, ws, good)
	first := ask(t, s)
	assert.Regexp(t, `^request \d+\nend well$`, first)
	s.Spend(time.Hour)
	assert.Greater(t, ws.ChildrenCPU(), time.Hour, "the CPU time of one that lives")
	ws.Keep(s, false)
	s = served(t, ws, good)
	assert.Equal(t, first, ask(t, s))
	ws.Keep(s, true)
	assert.Less(t, ws.ChildrenCPU(), time.Hour, "what it said, and not what its process took")
	s = served(t, ws, good)
	assert.NotEqual(t, first, ask(t, s), "a fat one was kept")
	ws.Keep(s, false)

	const dies = `printf '%s\n' $$ end > "$2"; exit`
	s = served(t, ws, dies)
	first = ask(t, s)
	ws.Keep(s, false)
	require.True(t, s.Ended(time.Minute))
	s = served(t, ws, dies)
	assert.NotEqual(t, first, ask(t, s))
	s.Close()

	s = served(t, ws, `printf 'right\nend\nwrong\n' > "$2"`)
	assert.Equal(t, "right\nend ", ask(t, s))
	for range 1000 { // what is written at once may be read in parts
		if s.unread() {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	assert.Equal(t, "the server gave no answer: garbage: it went on after the end of the last one", ask(t, s))

	// One that is still busy when the workspace is closed does not outlive it.
	require.NoError(t, ws.Close())
	ws.Keep(s, false)
	assert.True(t, s.dead())
	assert.Empty(t, ws.servers.idle)
}
