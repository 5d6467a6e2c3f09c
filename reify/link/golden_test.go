package link_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"goreify/reify/choice"
	"goreify/reify/ir"
	"goreify/reify/link"
)

var update = flag.Bool("update", false, "rewrite the goldens")

// TestGolden links the functions in the first file of each archive, with the
// name of that file as the bytes that decide, and compares the program with the
// second. The archive of helpers gets these.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		require.NoError(t, err)
		text := string(archive.Files[0].Data)
		in, err := ir.Parse(text)
		require.NoError(t, err, file)
		printed := in.String()
		all := parsed(t, in)
		o := link.DefaultOptions()
		if archive.Files[0].Name == "helpers" {
			o.Deciding, o.Helpers = 80, 60
		}
		p, err := link.Link(all, o, choice.New([]byte(archive.Files[0].Name)))
		require.NoError(t, err, file)
		require.NoError(t, p.IR.Check())
		got := p.IR.String()
		if *update {
			archive.Files[0].Data = []byte(printed)
			archive.Files = append(archive.Files[:1], txtar.File{Name: "linked", Data: []byte(got)})
			require.NoError(t, os.WriteFile(file, txtar.Format(archive), 0o666))
			continue
		}
		assert.Equal(t, text, printed, "in the form that is printed")
		require.Len(t, archive.Files, 2, file)
		assert.Equal(t, string(archive.Files[1].Data), got, file)
	}
}

// inputs returns the functions that a golden begins with.
func inputs(t testing.TB, name string) *ir.Program {
	archive, err := txtar.ParseFile(filepath.Join("testdata", name+".txtar"))
	require.NoError(t, err)
	p, err := ir.Parse(string(archive.Files[0].Data))
	require.NoError(t, err)
	return p
}

// parsed returns leaves of the functions of p with their cases.
func parsed(t testing.TB, p *ir.Program) []*link.Leaf {
	var all []*link.Leaf
	for _, f := range p.Funcs {
		var cases []*ir.Claim
		for _, c := range p.Claims {
			if c.Func == f {
				cases = append(cases, c)
			}
		}
		l, err := link.NewLeaf(cases...)
		require.NoError(t, err)
		all = append(all, l)
	}
	return all
}

const leaf = "func @f(%a i32) i32 {\n  entry:\n    goto exit\n  exit:\n    return %a + 1\n}\n"

func TestNewLeafRefuses(t *testing.T) {
	for _, test := range []struct{ text, says string }{
		{leaf + "case f(a = 1) = 3 path entry exit\n", "returns 2"},
		{strings.Replace(leaf, "+ 1", "+ @f(2)", 1) + "case f(a = 1) = 3 path entry exit\n", "not a leaf"},
		{leaf + "case f(a = 2147483647) = 0 path entry exit\n", "SignedOverflow"},
	} {
		_, err := link.NewLeaf(ir.MustParse(test.text).Claims...)
		assert.ErrorContains(t, err, test.says)
	}
}

func TestBusy(t *testing.T) {
	all := parsed(t, ir.MustParse(leaf+"case f(a = 1) = 2 path entry exit\n"))
	s := choice.New(nil)
	_, err := link.Link([]*link.Leaf{all[0], all[0]}, link.DefaultOptions(), s)
	assert.ErrorIs(t, err, link.ErrBusy)
	_, err = link.Link(all, link.DefaultOptions(), s)
	require.NoError(t, err)
	_, err = link.Link(all, link.DefaultOptions(), s)
	assert.ErrorIs(t, err, link.ErrBusy)
}

// A program that does not do what it must is not handed out.
func TestWrong(t *testing.T) {
	in := ir.MustParse(leaf + "case f(a = 1) = 2 path entry exit\n")
	all := parsed(t, in)
	in.Claims[0].Want = 3
	_, err := link.Link(all, link.Options{MaxCalls: 1}, choice.New(nil))
	var wrong *link.Wrong
	require.ErrorAs(t, err, &wrong)
	assert.Contains(t, wrong.Program, "func @f(")
}
