package survey

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/compilers/events"
	"goreify/tools/need"
)

func event(name string) events.Event {
	return events.Event{Counter: events.Counter{Pass: "p", Name: name}}
}

// set returns the set of events that are named by single letters.
func set(letters string) Set {
	s := Set{}
	for _, r := range letters {
		s[event(string(r))] = true
	}
	return s
}

func TestCover(t *testing.T) {
	inputs := []Input{
		{"cheap", set("ab"), time.Second},
		{"same", set("ab"), time.Second},
		{"all", set("abcdxyz"), 4 * time.Second},
		{"costly", set("e"), 100 * time.Second},
		{"seeded", set("s"), time.Second},
		{"d", set("d"), time.Second},
	}
	names := func(most int, budget time.Duration) string {
		var list []string
		for _, in := range Cover(inputs, []Set{set("s")}, most, budget) {
			list = append(list, in.Name)
		}
		return strings.Join(list, " ")
	}
	// a, b and d are not rare: two have them or more.
	assert.Equal(t, "all costly", names(9, time.Hour))
	assert.Equal(t, "all", names(1, time.Hour))
	assert.Equal(t, "all", names(9, time.Minute))
	assert.Equal(t, "", names(9, time.Second))
	assert.Equal(t, "", names(0, time.Hour))
	inputs = inputs[:1]
	assert.Equal(t, "cheap", names(9, time.Hour))
}

func TestIsRare(t *testing.T) {
	for _, tt := range []struct {
		n, total int
		want     bool
	}{{0, 0, true}, {1, 3, true}, {2, 3, false}, {2, 39, false}, {2, 40, true}, {3, 40, false}} {
		assert.Equal(t, tt.want, IsRare(tt.n, tt.total), tt)
	}
}

func TestParseInput(t *testing.T) {
	args, err := ParseInput([]byte("go test fuzz v1\n[]byte(\"a\\x00\\n)\")\n[]byte(\"\")\n[]byte(\"\")\n[]byte(\"b\")\n"))
	require.NoError(t, err)
	assert.Equal(t, [][]byte{[]byte("a\x00\n)"), {}, {}, []byte("b")}, args)
	for _, bad := range []string{"", "go test fuzz v2\n", "go test fuzz v1\nint(3)\n", "go test fuzz v1\n[]byte(3)\n", "go test fuzz v1\n\n"} {
		_, err := ParseInput([]byte(bad))
		assert.ErrorContains(t, err, "fuzz input: line ", bad)
	}
}

func TestTable(t *testing.T) {
	gcc, clang := compilers.Toolchain{Name: "gcc-99", Version: "99.1"}, compilers.Toolchain{Name: "clang-9", Version: "9.0"}
	var b strings.Builder
	require.NoError(t, Table(&b, []Reach{
		{Toolchain: gcc, Level: "-O0", Counts: events.Counts{}},
		{Toolchain: gcc, Level: "-O2", Counts: events.Counts{{Pass: "p", Name: "a"}: 1, {Pass: "q", Name: "b"}: 17}},
		{Toolchain: clang, Level: "-O2", Err: errors.New("clang crashed")},
	}, []Set{set("a"), set("a"), set("c")}))
	assert.Equal(t, `gcc-99 99.1: 2 counters
pass  counter  -O0  -O2  of 3
p     a        -    1    2
q     b        -    17   0 *

clang-9 9.0: 0 counters
pass  counter  -O2  of 3
NOT HEARD: clang-9 -O2: clang crashed

`, b.String())
}

func TestAsk(t *testing.T) {
	need.Command(t, "gcc")
	found, err := compilers.Find(t.Context(), compilers.Env{Path: os.Getenv("PATH"), CC: "gcc"})
	require.NoError(t, err)
	ws, err := compilers.NewWorkspace(t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, ws.Close()) })
	limits := compilers.DefaultLimits()
	limits.CompileWall = time.Minute
	s := Surveyor{Toolchains: found, Levels: []string{"-O0", "-O3"}, Space: ws, Limits: limits}
	// Without main; and with a flag that it needs.
	p := Program{Job: compilers.Job{Source: []byte("int a[N]; void f(void) { for (int i = 0; i < N; i++) a[i] *= 3; }\n")}, Flags: []string{"-DN=256"}, Family: compilers.GCC}
	reaches := s.Ask(t.Context(), p)
	require.Len(t, reaches, 2)
	require.NoError(t, reaches[1].Err)
	vect := events.Event{Counter: events.Counter{Pass: "vect", Name: "Vectorized loops"}}
	assert.False(t, Union(reaches[:1])[vect])
	assert.True(t, Union(reaches)[vect])
	assert.Positive(t, CPU(reaches))

	p.Family = compilers.Clang
	reaches = s.Ask(t.Context(), p)
	assert.ErrorContains(t, reaches[0].Err, "rejected: ")
}
