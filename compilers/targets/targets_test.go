package targets

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
	"goreify/compilers/native"
)

// An engine is a target of another kind than gcc and clang.
type engine struct {
	compilers.Target
	name string
}

func (e engine) ID() compilers.ID { return compilers.ID{Name: e.name, Family: "toy"} }

// toys knows entries that are called toy, and finds one that is there or not.
func toys(here bool) compilers.Finder {
	return compilers.Finder{
		Families: []string{"toy"},
		Find: func(_ context.Context, env compilers.Env) (found []compilers.Target, unknown map[string]error, _ error) {
			unknown = map[string]error{}
			switch names := env.Named(); {
			case names == nil && here:
				found = append(found, engine{name: "toy"})
			case names == nil:
				unknown[""] = errors.New("no toy")
			default:
				for _, name := range names {
					if name == "toy" {
						found = append(found, engine{name: name})
					} else {
						unknown[name] = errors.New(name + " is no toy")
					}
				}
			}
			return found, unknown, nil
		},
	}
}

// Each finder claims the entries that it knows, and none of the others.
func TestTwoFinders(t *testing.T) {
	bin := t.TempDir()
	script := "#!/bin/sh\nprintf 'gcc-9 (Fake) 9.4.0\\nFree Software Foundation\\n'\n"
	require.NoError(t, os.WriteFile(filepath.Join(bin, "gcc-9"), []byte(script), 0o700))
	for name, tt := range map[string]struct {
		path, cc string
		toy      bool
		want     []string
		err      string
	}{
		"all that are here":   {path: bin, toy: true, want: []string{"gcc-9", "toy"}},
		"no gcc":              {path: t.TempDir(), toy: true, want: []string{"toy"}},
		"no toy":              {path: bin, want: []string{"gcc-9"}},
		"nothing":             {path: t.TempDir(), err: "on PATH: install one, or name one in REIFY_CC\nno toy"},
		"both named":          {path: bin, cc: "toy, gcc-9  -m32", want: []string{"gcc-9 -m32", "toy"}},
		"one named":           {path: t.TempDir(), cc: "toy", want: []string{"toy"}},
		"the other named":     {path: bin, cc: "gcc-9", toy: true, want: []string{"gcc-9"}},
		"an unknown name":     {path: bin, cc: "toy,teapot,gcc-9", err: "teapot is no toy"},
		"an entry is missing": {path: bin, cc: "toy,,gcc-9", err: `REIFY_CC="toy,,gcc-9": empty entry`},
	} {
		t.Run(name, func(t *testing.T) {
			finders := []compilers.Finder{native.Finder, toys(tt.toy)}
			for range finders {
				found, named, err := find(t.Context(), compilers.Env{Path: tt.path, CC: tt.cc}, finders)
				if tt.err != "" {
					for line := range strings.Lines(tt.err) { // reasons are in the order of finders
						assert.ErrorContains(t, err, strings.TrimSpace(line))
					}
				} else {
					require.NoError(t, err)
				}
				assert.Equal(t, tt.cc != "", named)
				var ids []string
				for _, f := range found {
					ids = append(ids, f.ID().String())
				}
				slices.Sort(ids)
				assert.Equal(t, tt.want, ids)
				slices.Reverse(finders)
			}
		})
	}
	_, _, err := find(t.Context(), compilers.Env{Path: bin, Modes: "-O7"}, []compilers.Finder{native.Finder, toys(true)})
	assert.ErrorContains(t, err, "no optimisation level")
	for _, levels := range []string{"@O, @turbofn", "@"} {
		_, _, err = Find(t.Context(), compilers.Env{Path: bin, Modes: levels})
		assert.ErrorContains(t, err, "no compiler has the mode")
		_, err = All(t.Context(), compilers.Env{Path: bin, Modes: levels})
		assert.ErrorContains(t, err, "no compiler has the mode")
	}
	_, _, err = Find(t.Context(), compilers.Env{Path: bin, Modes: "@O,-O2 , @turbofan"})
	assert.NoError(t, err)
	assert.Equal(t, []string{"llc", "opt", "lli", "clang", "gcc", "tcc", "gc", "gccgo", "wazero", "v8", "jsc", "cranelift", "binaryen", "wabt", "hotspot", "zero"}, Families())
}

// A finder that does not know a name says nothing if another one says more.
func TestErrName(t *testing.T) {
	for entry, want := range map[string]string{
		"node-99": "node-99 is neither on PATH",
		"gc-1.99": "go1.99 is not here",
		"gccgo-9": "gccgo-9 is not on PATH",
	} {
		_, _, err := Find(t.Context(), compilers.Env{Path: "/nowhere", CC: entry})
		assert.ErrorContains(t, err, want)
		assert.NotErrorIs(t, err, compilers.ErrName)
	}
}
