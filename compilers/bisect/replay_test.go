package bisect

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A gcc that dumps two functions, f before g, each with a line that names the pass. It
// says of what it reads back what the script has made of $text: wrong, overflowing,
// or that it is no C.
const replayScript = `
passes="tree-evrp ipa-cp tree-fixup_cfg3 tree-fre3 tree-vrp1 tree-ivopts tree-vrp2"
case $args in
*-dM*)
	echo "Target: x86_64-linux-gnu" >&2 ;;
*-fgimple*)
	text=$(tr -d '\n' < repro.c) ;;
*-fdump-passes*)
	for p in $passes rtl-combine; do echo "   $p   :  ON" >&2; done ;;
*--help=optimizers*)
	printf '  -fomega  \t[enabled]\n'; exit ;;
*-gimple-uid=stderr*)
	for f in f g; do
		for p in tree-ssa $passes; do
			case $args in *-fdump-$p-gimple-*) printf 'int __GIMPLE (ssa)\n%s ()\n{\n  at %s %s;\n}\n\n' $f $f $p >&2 ;; esac
		done
	done ;;
esac
state=
wrong=answer
case $args in *-fgimple*) wrong= ;; esac
`

// The script decides about the program.
const replayEnd = `
case $args$state in
*-fgimple*wrong) wrong=answer ;;
*-fgimple*unreadable) echo "repro.c: error: no" >&2; exit 1 ;;
*signed-integer-overflow*-fgimple*overflow)
	echo '#!/bin/sh
kill -ILL $$' > repro; chmod +x repro; exit ;;
esac
`

func TestReplay(t *testing.T) {
	for name, tt := range map[string]struct {
		script string
		want   Blame
	}{
		"a pass on the first function": {
			`case $text in *'at f tree-vrp1'*|*'at f tree-ivopts'*|*'at f tree-vrp2'*) state=wrong ;; esac`,
			Blame{Pass: "tree-vrp1", Function: "f", Seen: true},
		},
		"a pass on the second one": {
			`case $text in *'at g tree-ivopts'*|*'at g tree-vrp2'*) state=wrong ;; esac
			case $args in *-fno-ivopts*) wrong= ;; esac`,
			Blame{Pass: "tree-ivopts", Function: "g", Flags: []string{"-fno-ivopts"}, Seen: true},
		},
		"an overflow that matters": {
			`case $text in *'at g tree-ivopts'*|*'at g tree-vrp2'*) state=overflow ;; esac
			case $args in *-fwrapv*) wrong= ;; esac`,
			Blame{Pass: "tree-ivopts", Function: "g", Seen: true, Overflows: true, Alone: []string{wraps}},
		},
		"an overflow that does not": {
			`case $text in *'at g tree-vrp2'*) state=wrong ;; *'at g tree-ivopts'*) state=overflow ;; esac`,
			Blame{Pass: "tree-vrp2", Function: "g", Seen: true},
		},
		// Of f something wrong was found out in the end, and used at the beginning of g.
		"the function before is to blame": {
			`case $text in *'at g tree-fre3'*|*'at g tree-vrp1'*|*'at g tree-ivopts'*|*'at g tree-vrp2'*|*'at f tree-vrp2'*) state=wrong ;; esac
			case $args in *-fdisable-tree-vrp2*) wrong= ;; esac`,
			Blame{Pass: "tree-vrp2", Function: "f"},
		},
		"some cannot be read back": {
			`case $text in *'at f tree-vrp1'*) state=unreadable ;; *'at f tree-ivopts'*|*'at f tree-vrp2'*) state=wrong ;; esac
			case $args in *-fdisable-tree-vrp1*) wrong= ;; esac`,
			Blame{Pass: "tree-vrp1", Function: "f", Seen: true},
		},
		"the back end": {
			`case $args in *-fdisable-rtl-combine*) wrong= ;; esac`,
			Blame{Pass: "rtl-combine", Function: "f"},
		},
		"no pass of the back end": {
			`case $text in *'startwith("optimized")'*) state=wrong ;; esac`,
			Blame{Pass: "code generation for x86_64"},
		},
		"a flag of the back end": {
			`case $text in *'startwith("optimized")'*) state=wrong ;; esac
			case $args in *-fno-omega*) wrong= ;; esac`,
			Blame{Pass: "code generation for x86_64", Flags: []string{"-fno-omega"}},
		},
		"nothing but a note": { // that is wrong, of a pass on GIMPLE: the program alone is compiled rightly
			`case $args in *-fno-omega*) wrong= ;; esac`,
			Blame{Flags: []string{"-fno-omega"}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b, err := find(t, "gcc-99", gccBanner, replayScript+tt.script+replayEnd)
			require.NoError(t, err)
			got := *b
			got.Tests, got.CPU = 0, 0
			assert.Equal(t, tt.want, got)
		})
	}
}

// A compiler that fails dumps no more than what it got to.
func TestReplayNothing(t *testing.T) {
	test := testOf(t, "gcc-99", gccBanner, replayScript+`wrong=
case $args in *-fgimple*|*-fdisable-tree-vrp1*|*-O0*) ;; *) echo 'internal compiler error: in f, at g.cc:1' >&2; exit 4 ;; esac
`+replayEnd)
	require.True(t, test.first.Verdict.Finding())
	b, err := Find(t.Context(), test)
	require.NoError(t, err)
	assert.Equal(t, "tree-vrp1", b.Pass)
	assert.False(t, b.Seen)
}
