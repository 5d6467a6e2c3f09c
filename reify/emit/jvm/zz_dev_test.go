package jvm_test

import (
	"os"
	"os/exec"
	"testing"
	"encoding/hex"
	"strings"
	"fmt"
	"strconv"

	"github.com/stretchr/testify/require"

	"goreify/reify"
	"goreify/reify/emit/jvm"
	"goreify/reify/solve"
	"goreify/reify/solve/search"
)

func cases(t testing.TB, profile string, first, n int) (list []*reify.Case) {
	p, err := reify.FindProfile(profile)
	require.NoError(t, err)
	p = p.Without(jvm.Masked...)
	for i := range n {
		r := reify.FromSeed(uint64(first + i))
		k, err := reify.Make(fmt.Sprintf("f%d", first+i), r, p.Configure(r), search.Engine{})
		if solve.Unsolved(err) {
			continue
		}
		require.NoError(t, err)
		if err := jvm.Supports(k.Func); err != nil {
			t.Log(err)
			continue
		}
		list = append(list, k)
	}
	return list
}

func units(list []*reify.Case) (all []jvm.Unit) {
	for _, k := range list {
		all = append(all, jvm.Unit{Claim: k.Claim, More: k.More, Style: jvm.DrawStyle(k.Recipe.Style().Fork("jvm"))})
	}
	return all
}

func TestDev(t *testing.T) {
	n, _ := strconv.Atoi(os.Getenv("N"))
	profiles := strings.Fields(os.Getenv("P"))
	if len(profiles) == 0 {
		profiles = reify.Profiles()
	}
	for _, p := range profiles {
		if p == "calls" { continue }
		list := cases(t, p, 0, n)
		if len(list) == 0 { t.Log(p, "none"); continue }
		c := jvm.Emit(units(list))
		require.NoError(t, os.WriteFile("/tmp/jvm/run/repro.class.hex", []byte(hex.EncodeToString(c.Binary)), 0o600))
		cmd := exec.Command("java", append(strings.Fields(os.Getenv("J")), "Repro")...)
		cmd.Dir = "/tmp/jvm/run"
		out, err := cmd.CombinedOutput()
		want := strings.Join(c.Answers, "")
		a, b := strings.Split(want, "\n"), strings.Split(string(out), "\n")
		bad := 0
		for i := range min(len(a), len(b)) {
			if a[i] != b[i] { bad++; if bad < 4 { t.Errorf("%s: want %s, got %s", p, a[i], b[i]) } }
		}
		t.Log(p, len(list), "functions", len(a), "lines", bad, "bad", len(c.Binary), err)
		if bad > 0 && len(a) != len(b) { t.Log(string(out)[:min(len(out), 600)]) }
	}
}
