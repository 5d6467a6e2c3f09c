package foreign_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/others/database"
	"goreify/reify/others/foreign"
	"goreify/tools/need"
)

// harvests are what might have come of three functions.
func harvests() []foreign.Harvest {
	make := func(symbol string, class foreign.Class, loops int) foreign.Harvest {
		return foreign.Harvest{
			Function: &foreign.Function{Symbol: symbol, Text: "int " + symbol + "(int a0) { return a0; }\n", Params: []ir.Int{ir.I32, ir.U64}, Result: ir.I64,
				Class: class, Shape: foreign.Shape{Loops: loops, Lines: 3}, Models: foreign.Both,
				Origin: foreign.Origin{Project: "p", Version: "1.2", File: "a.c", Name: "name_" + symbol, Line: 7, Licence: "MIT"}},
			Pairs: []foreign.Pair{{Args: []int64{-1, 2}, Want: -3, Steps: 4}, {Args: []int64{0, -1}, Want: 1 << 62, Steps: 1}},
		}
	}
	return []foreign.Harvest{make("ra", foreign.Loops, 3), make("rb", foreign.Plain, 0), make("rc", foreign.Dead, 0)}
}

var source = foreign.Source{Origin: foreign.Origin{Project: "p", Version: "1.2", File: "a.c", Licence: "MIT"}, Sum: "1234"}

// What is added is there, once, also when the file is opened again.
func TestDatabase(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "functions.db")
	_, err := foreign.Read(path)
	require.ErrorContains(t, err, "there is no database of functions")
	d, err := foreign.Open(path)
	require.NoError(t, err)
	rejected := harvests()[0]
	rejected.Function.Symbol, rejected.Rejected = "rd", true
	for _, want := range []int{3, 0} {
		n, err := d.Add(source, append(harvests(), rejected), []foreign.Refusal{{Name: "main", Line: 3, Reason: foreign.ReasonName}})
		require.NoError(t, err)
		assert.Equal(t, want, n)
	}
	require.NoError(t, d.Close())
	d, err = foreign.Read(path)
	require.NoError(t, err)
	defer d.Close()
	known, err := d.Known(source)
	require.NoError(t, err)
	assert.True(t, known)
	for _, h := range harvests() {
		f, err := d.Function(h.Function.Symbol)
		require.NoError(t, err)
		assert.Equal(t, h.Function, f)
		pairs, err := d.Pairs(f)
		require.NoError(t, err)
		assert.Equal(t, h.Pairs, pairs)
	}
	// A licence that is said later is heard, and not forgotten.
	for _, licence := range []string{"Zlib", foreign.UnknownLicence} {
		said := source
		said.Origin.Licence = licence
		require.NoError(t, d.SetLicence(said))
		f, err := d.Function("rb")
		require.NoError(t, err)
		assert.Equal(t, "Zlib", f.Origin.Licence)
	}
	_, err = d.Function("rd")
	assert.ErrorIs(t, err, foreign.ErrGone)
	symbols, err := d.Find("name_rb")
	require.NoError(t, err)
	assert.Equal(t, []string{"rb"}, symbols)
	s, err := d.Status()
	require.NoError(t, err)
	assert.Equal(t, 3, s.Functions)
	assert.Equal(t, 6, s.Pairs)
	assert.Equal(t, []foreign.Count{{Name: "name", Count: 1}, {Name: "rejected", Count: 1}}, s.Refusals)
}

// The same stream draws the same, what has more weight more often, nothing that is set aside
// or for dead code, unless it is asked for.
func TestDraw(t *testing.T) {
	d, err := foreign.Open(filepath.Join(t.TempDir(), "functions.db"))
	require.NoError(t, err)
	defer d.Close()
	_, err = d.Add(source, harvests(), nil)
	require.NoError(t, err)
	symbols := func(list []*foreign.Function, err error) (s []string) {
		require.NoError(t, err)
		for _, f := range list {
			s = append(s, f.Symbol)
		}
		return s
	}
	first := map[string]int{}
	for seed := range uint64(200) {
		s := symbols(d.Draw(foreign.Any, 9, choice.From(seed)))
		assert.Equal(t, s, symbols(d.Draw(foreign.Any, 9, choice.From(seed))))
		assert.ElementsMatch(t, []string{"ra", "rb"}, s)
		first[s[0]]++
	}
	weight := func(i int) int { return harvests()[i].Function.Weight() }
	assert.Greater(t, weight(0), 3*weight(1))
	assert.Greater(t, first["ra"], 2*first["rb"])
	assert.Equal(t, []string{"rc"}, symbols(d.Draw(foreign.Dead, 9, choice.From(1))))
	before, err := d.Sum()
	require.NoError(t, err)
	require.NoError(t, d.SetAside("ra", "it differs"))
	require.NoError(t, d.SetClass("rb", foreign.Puns))
	assert.Empty(t, symbols(d.Draw(foreign.Any, 9, choice.From(1))))
	assert.Equal(t, []string{"rb"}, symbols(d.Draw(foreign.Puns, 1, choice.From(1))))
	after, err := d.Sum()
	require.NoError(t, err)
	assert.NotEqual(t, before, after)
	_, err = d.Function("ra")
	assert.NoError(t, err, "a killed batch needs it again")
}

// A file that is something else, of another version, or damaged is left alone.
func TestOtherDatabases(t *testing.T) {
	path := filepath.Join(t.TempDir(), "functions.db")
	d, err := foreign.Open(path)
	require.NoError(t, err)
	_, err = d.Add(source, harvests(), nil)
	require.NoError(t, err)
	require.NoError(t, d.Close())
	good, err := os.ReadFile(path)
	require.NoError(t, err)
	try := func(name string, text []byte) error {
		path := filepath.Join(t.TempDir(), name)
		require.NoError(t, os.WriteFile(path, text, 0o600))
		for _, open := range []func(string) (*foreign.DB, error){foreign.Open, foreign.Read} {
			var d *foreign.DB
			if d, err = open(path); err == nil {
				require.NoError(t, d.Close())
			}
		}
		left, e := os.ReadFile(path)
		require.NoError(t, e)
		assert.Equal(t, text, left)
		return err
	}
	assert.ErrorIs(t, try("text", []byte("int main(void) { return 0; }\n")), foreign.ErrForeign)
	newer := append([]byte(nil), good...)
	newer[63]++ // the version of the schema, where SQLite's format has it
	assert.ErrorIs(t, try("newer", newer), foreign.ErrForeign)
	damaged := append([]byte(nil), good...)
	for i := 4096; i < len(damaged); i++ {
		damaged[i] = 0xa5
	}
	assert.ErrorContains(t, try("damaged", damaged), "damaged")
	assert.NoError(t, try("good", good))
}

// While someone else writes, a database can be looked at, and writing waits.
func TestLocked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "functions.db")
	d, err := foreign.Open(path)
	require.NoError(t, err)
	defer d.Close()
	_, err = d.Add(source, harvests(), nil)
	require.NoError(t, err)
	other, err := database.Open(path, "rw")
	require.NoError(t, err)
	defer other.Close()
	tx, err := other.Begin()
	require.NoError(t, err)
	f, err := d.Function("ra")
	require.NoError(t, err)
	_, err = d.Pairs(f)
	require.NoError(t, err)
	done := make(chan error)
	go func() { done <- d.SetAside("ra", "why") }()
	require.NoError(t, tx.Commit())
	require.NoError(t, <-done)
}

// A database that someone else does not let go of says so.
func TestKeptLocked(t *testing.T) {
	need.Long(t)
	t.Parallel() // it waits for ten seconds
	path := filepath.Join(t.TempDir(), "functions.db")
	d, err := foreign.Open(path)
	require.NoError(t, err)
	defer d.Close()
	_, err = d.Add(source, harvests(), nil)
	require.NoError(t, err)
	f, err := d.Function("ra")
	require.NoError(t, err)
	other, err := database.Open(path, "rw")
	require.NoError(t, err)
	defer other.Close()
	_, err = other.Exec(`BEGIN EXCLUSIVE`)
	require.NoError(t, err)
	_, err = d.Pairs(f)
	require.ErrorIs(t, err, foreign.ErrUnusable)
	assert.ErrorContains(t, err, path+": the database of functions cannot be used: another process keeps it locked")
	_, err = other.Exec(`ROLLBACK`)
	require.NoError(t, err)
	_, err = d.Pairs(f)
	assert.NoError(t, err)
}
