package grid_test

import (
	"bytes"
	"context"
	"encoding/xml"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/reify/oracle"
	"goreify/reify/source"
	"goreify/reify/source/matrix"
	"goreify/tools/reify/grid"
	"goreify/tools/reify/hunt"
)

// A target of C that knows the right answers, and gives others for some functions where it
// optimises. It rejects programs with some others.
type target struct {
	compilers.Target
	name         string
	wrong, never []string // functions
	jobs         sync.Map
}

func (t *target) ID() compilers.ID {
	return compilers.ID{Name: t.name, Family: t.name, Version: "1"}
}
func (*target) Language() compilers.Language { return compilers.C }
func (*target) Modes() []compilers.Mode      { return []compilers.Mode{"-O0", "-O2"} }
func (*target) Reference() compilers.Mode    { return "-O0" }
func (*target) Traits() compilers.Traits     { return compilers.Traits{} }

func (t *target) Build(_ context.Context, ws *compilers.Workspace, job compilers.Job, _ compilers.Limits) (compilers.Built, compilers.Outcome) {
	for _, name := range t.never {
		if bytes.Contains(job.Files[0].Content, []byte(name+"(")) {
			return compilers.Built{}, compilers.Outcome{Verdict: compilers.Rejected, Named: []string{name}, Message: "unknown type", Command: []string{"cc"}}
		}
	}
	dir, err := ws.NewDir()
	if err != nil {
		return compilers.Built{}, compilers.NoRoom(err)
	}
	built := compilers.Built{Path: filepath.Join(dir, "built"), Space: ws}
	t.jobs.Store(built.Path, job)
	return built, compilers.Outcome{Verdict: compilers.OK}
}

func (t *target) Run(_ context.Context, built compilers.Built, _ []string, want []byte, _ compilers.Limits) compilers.Outcome {
	job, _ := t.jobs.Load(built.Path)
	o := compilers.Outcome{Verdict: compilers.OK, Stdout: want, Command: []string{"cc", "./repro"}}
	if job.(compilers.Job).Mode == "-O0" {
		return o
	}
	for _, name := range t.wrong {
		line := regexp.MustCompile(`(?m)^` + name + ` .*$`)
		o.Stdout = line.ReplaceAll(o.Stdout, []byte(name+" 123"))
	}
	if !bytes.Equal(o.Stdout, want) {
		o.Verdict = compilers.WrongAnswer
	}
	return o
}

// listed is a source of one block, of some cells.
type listed struct {
	matrix.Source
	names []string
}

func (listed) Blocks() int64              { return 1 }
func (l listed) Block(int64) source.Input { return matrix.Of(compilers.C, l.names...) }

// hunted returns what a hunt of some cells has come to.
func hunted(t *testing.T, names []string, targets ...compilers.Target) *hunt.Summary {
	t.Helper()
	space, err := compilers.NewWorkspace(t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, space.Close()) })
	o := &oracle.Oracle{Targets: targets, Space: space, Limits: compilers.DefaultLimits()}
	kinds := []hunt.Kind{{Name: "matrix", Language: compilers.C, Seeds: 1, Weight: 1, Source: listed{hunt.Matrices("")[0].Source.(matrix.Source), names}}}
	sum, err := hunt.Start(t.Context(), o, hunt.Options{Dir: filepath.Join(t.TempDir(), "hunt"), Workers: 1, Kinds: kinds, Mix: kinds, Log: io.Discard})
	require.NoError(t, err)
	return sum
}

// A wrong cell is a red square that leads to its finding, and the page has a row for that.
func TestGrid(t *testing.T) {
	one, two := &target{name: "one", wrong: []string{"c0", "c5"}}, &target{name: `<two>&"x"`, never: []string{"c1"}}
	sum := hunted(t, []string{"rotl.u8", "min.u8", "rotl.u16", "div.u8.const0", "neg.u8", "add.u16+lt.u16+not.i32"}, one, two)
	assert.Equal(t, []hunt.OfTarget{
		{Name: `<two>&"x"`, Asked: 5, Right: 4, Rejected: 1}, {Name: "one", Asked: 5, Right: 3, Wrong: 2},
	}, sum.Cells.Targets)
	assert.EqualValues(t, 1, sum.Cells.NotMade)
	r, err := grid.Build(sum.Dir)
	require.NoError(t, err)
	require.Len(t, r.Grids, 2)
	require.Len(t, r.Bugs, 3)
	state := func(g grid.Grid, of ...string) (list []grid.State) {
		for _, words := range of {
			row, column, _ := strings.Cut(words, " ")
			square, ok := g.Singles.Squares[[2]string{row, column}]
			if !ok {
				square = g.Pairs.Squares[[2]string{row, column}]
			}
			list = append(list, square.State)
		}
		return list
	}
	squares := []string{"rotl u8", "min u8", "rotl u16", "div u8", "add lt", "lt not", "rotl u32"}
	assert.Equal(t, []grid.State{grid.Right, grid.Rejected, grid.Right, grid.NotMade, grid.Right, grid.Right, grid.NotAsked}, state(r.Grids[0], squares...))
	assert.Equal(t, []grid.State{grid.Wrong, grid.Right, grid.Right, grid.NotMade, grid.Wrong, grid.Wrong, grid.NotAsked}, state(r.Grids[1], squares...))
	assert.Equal(t, []string{"add", "lt"}, r.Grids[1].Pairs.Rows)
	assert.Equal(t, []string{"not", "lt"}, r.Grids[1].Pairs.Columns)

	path, err := grid.Write(sum)
	require.NoError(t, err)
	assert.Equal(t, filepath.Join(sum.Dir, grid.Dir, grid.Index), path)
	files, err := filepath.Glob(filepath.Join(sum.Dir, grid.Dir, "*"))
	require.NoError(t, err)
	require.Len(t, files, 3)
	for _, file := range files {
		links := 0
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		for dec := xml.NewDecoder(bytes.NewReader(data)); ; {
			token, err := dec.Token()
			if err == io.EOF {
				break
			}
			require.NoError(t, err, file)
			start, ok := token.(xml.StartElement)
			if !ok {
				continue
			}
			assert.NotEqual(t, "two", start.Name.Local, "a name of a compiler is no element")
			for _, a := range start.Attr {
				if to, ok := strings.CutPrefix(a.Value, "../"); ok && a.Name.Local == "href" {
					links++
					to, err := url.PathUnescape(to)
					require.NoError(t, err)
					assert.DirExists(t, filepath.Join(sum.Dir, to))
				}
			}
		}
		assert.Positive(t, links, file)
	}
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.True(t, strings.Contains(string(text), "<summary>add.u16&#43;lt.u16&#43;not.i32</summary>"), "its cells")
}

// Of cells with one key one is looked into, and the page tells it from the others. A type that
// no enumeration has is a column, too.
func TestByKey(t *testing.T) {
	one := &target{name: "one", wrong: []string{"c0", "c1", "c2"}}
	sum := hunted(t, []string{"rotl.u8", "rotl.u8.const1", "rotl.u8.same+neg.u8", "add.v37u8", "neg.u8"}, one, &target{name: "two"})
	assert.Equal(t, hunt.OfTarget{Name: "one", Asked: 5, Right: 2, Wrong: 3, ByKey: 2}, sum.Cells.Targets[0])
	r, err := grid.Build(sum.Dir)
	require.NoError(t, err)
	require.Len(t, r.Bugs, 1)
	assert.Equal(t, []string{"rotl.u8"}, r.Bugs[0].Cells)
	assert.Equal(t, []string{"rotl.u8.const1", "rotl.u8.same+neg.u8"}, r.Bugs[0].ByKey)
	assert.Equal(t, grid.Wrong, r.Grids[0].Singles.Squares[[2]string{"rotl", "u8"}].State)
	assert.Equal(t, grid.ByKey, r.Grids[0].Pairs.Squares[[2]string{"rotl", "neg"}].State)
	assert.Contains(t, r.Grids[0].Singles.Columns, "v37u8")
	path, err := grid.Write(sum)
	require.NoError(t, err)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Contains(t, string(text), "rotl.u8; by their keys rotl.u8.const1 ")
}

// A hunt without cells has no page.
func TestNoCells(t *testing.T) {
	path, err := grid.Write(&hunt.Summary{Dir: t.TempDir()})
	require.NoError(t, err)
	assert.Empty(t, path)
}
