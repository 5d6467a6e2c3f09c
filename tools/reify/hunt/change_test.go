package hunt

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/compilers/native"
)

// renamed returns a target under another name, and of another version.
func renamed(t compilers.Target, name, version string) compilers.Target {
	c := t.(native.Toolchain)
	c.Name, c.Version = name, version
	return c
}

// A hunt goes on with other compilers only if that is confirmed. An upgrade is a line.
func TestOtherCompilers(t *testing.T) {
	o := fake(t, "", "-O0")
	own := o.Targets[0]
	opt := options(t, t.TempDir(), 1, 2)
	asked := ""
	opt.Confirm = func(text string) bool { asked = text; return false }
	for range 2 {
		finished(t, o, opt)
		assert.Empty(t, asked)
	}
	o.Targets = []compilers.Target{renamed(own, "gcc-99", "99.2.0")}
	finished(t, o, opt)
	assert.Empty(t, asked)
	assert.Contains(t, opt.Log.(*buffer).String(), "gcc-99: version 99.2.0 now, 99.1.0 in the last run\n")

	o.Targets = []compilers.Target{renamed(own, "gcc-98", "98"), renamed(own, "gcc-97", "97")}
	_, err := Start(t.Context(), o, opt)
	require.ErrorIs(t, err, ErrChanged)
	require.EqualError(t, err, opt.Dir+": other compilers than in the last run: gcc-99 99.2.0 is gone, gcc-98 98 is new, gcc-97 97 is new; -switch goes on with these, -o hunts in another directory")
	assert.Equal(t, "gcc-99 99.2.0 is gone, gcc-98 98 is new, gcc-97 97 is new", asked)
	assert.Len(t, query(t, opt.Dir, `SELECT id FROM runs`), 3, "nothing was begun")

	opt.Confirm = func(string) bool { return true }
	finished(t, o, opt)
	opt.Confirm = nil
	_, err = Start(t.Context(), o, opt)
	require.NoError(t, err, "the last run had these")
}

// Only one of two compilers is hunted. The other one is a witness: without it, what is
// wrong in the reference mode, too, would be unconfirmed.
func TestOnly(t *testing.T) {
	o := fake(t, wrongUnoptimised, "-O0", "-O2")
	right := fake(t, "", "-O0", "-O2").Targets[0]
	o.Targets = append(o.Targets, renamed(right, "gcc-98", "98"))
	opt := options(t, t.TempDir(), 1, 2)
	opt.Only = "gcc-99"
	sum := finished(t, o, opt)
	assert.EqualValues(t, 2, sum.Compilations, "-O0 and -O2 of one of two")
	assert.Equal(t, []string{"gcc-99"}, query(t, opt.Dir, `SELECT DISTINCT compiler FROM findings`))
	assert.Equal(t, "all, gcc-99 alone", sum.Plan)

	opt.Dir, opt.Only = t.TempDir(), "gcc-98"
	sum = finished(t, o, opt)
	assert.EqualValues(t, 2, sum.Compilations)
	assert.Zero(t, sum.Findings)

	opt.Dir, opt.Only = t.TempDir(), "gcc-9"
	_, err := Start(t.Context(), o, opt)
	require.EqualError(t, err, "no compiler gcc-9 is asked, only gcc-99, gcc-98")
}

// Without a mix, kinds are of the languages that compilers are hunted for.
func TestKindsFollowCompilers(t *testing.T) {
	languages := func(targets ...compilers.Target) map[compilers.Language]bool {
		seen := map[compilers.Language]bool{}
		for _, k := range (Options{Kinds: Kinds()}).chosen(targets) {
			seen[k.Language] = true
		}
		return seen
	}
	gc, java := stub{id: compilers.ID{Family: "gc"}}, stub{id: compilers.ID{Family: "hotspot"}}
	assert.Equal(t, map[compilers.Language]bool{compilers.C: true}, languages(someTargets...))
	assert.Equal(t, map[compilers.Language]bool{compilers.Go: true}, languages(gc))
	assert.Equal(t, map[compilers.Language]bool{compilers.C: true, compilers.Go: true, compilers.JVM: true}, languages(someTargets[0], gc, java))
}
