package native

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
)

// Flags that change how a program is compiled may stand in a reproducer.
func TestScreenAccepts(t *testing.T) {
	accepted := strings.Split(strings.TrimSpace(`
-O
-O0
-O3
-Os
-Ofast
-m32 -fwrapv
-march=native
-march=x86-64-v3
-mtune=znver4
-mavx2
-mno-sse4.1
-mstringop-strategy=rep_8byte
-mmemcpy-strategy=libcall:-1:noalign
-mpreferred-stack-boundary=4
-mprefer-vector-width=512
-fno-strict-aliasing
-fno-tree-vrp
-fno-aggressive-loop-optimizations
-ftree-vectorize
-fmodulo-sched
-fPIC
-fPIE -pie
-no-pie
-static
-static-pie
--target=aarch64-linux-gnu
-flto
-flto=auto
-flto=thin
-flto-partition=none
-fuse-ld=bfd
-fuse-ld=gold
-fuse-ld=lld
-fuse-ld=mold
-fsanitize=undefined,address -fno-sanitize-recover=all
-fdisable-tree-vrp2
-fdisable-rtl-into_cfglayout
-fdisable-tree-ivopts=f
-fenable-tree-unswitch
-fdbg-cnt=ivopts_loop:3
-fvect-cost-model=unlimited
-fexcess-precision=standard
-ffp-contract=off
-falign-functions=64:32:16
-fprofile-generate
-fopt-info-vec
-ftrivial-auto-var-init=pattern
-std=gnu17
-std=iso9899:1999
-ansi -pedantic-errors
-g
-g3
-ggdb
-gdwarf-5
-gno-statement-frontiers
-w
-Wall -Wextra
-Wno-unused
-Werror=return-type
-Wframe-larger-than=1024
--param max-inline-insns-auto=80
--param=vect-max-version-for-alias-checks=-1
--param=vrp1-mode=ranger
--param sra-max-scalarization-size-Ospeed=100
-mllvm -opt-bisect-limit=37
-mllvm -opt-bisect-limit=-1
-mllvm -enable-gvn-hoist
-mllvm -pre-RA-sched=list-ilp
-mllvm -regalloc=greedy
-Xclang -disable-O0-optnone
-DANSWER=42
-DNDEBUG -UFAST
-DX=
-DSCALE=1.5e-3
-pthread -pipe
`), "\n")
	require.Greater(t, len(accepted), 40)
	for _, line := range accepted {
		assert.NoError(t, Toolchain{}.Screen(strings.Fields(line)...), line)
	}
	assert.NoError(t, Toolchain{}.Screen())
}

// Flags that start, load, read or write anything may not, nor may unknown ones.
func TestScreenRefuses(t *testing.T) {
	refused := strings.Split(strings.TrimSpace(`
-wrapper /tmp/evil
-wrapper sh,-c,id
-fplugin=/tmp/evil.so
-fplugin=evil
-fplugin-arg-evil-x=1
-fpass-plugin=/tmp/evil.so
-B/tmp
-B /tmp
-Bevil
-specs=/tmp/evil.specs
-specs=evil
--specs=evil
--target=/tmp/evil
--target=-evil
@evil
@/tmp/evil
-MF /tmp/x
-MD
-MMD
-MFx
-o /tmp/x
-ox
-save-temps
-save-temps=obj
--save-temps
-x c
-xassembler
-include /etc/passwd
-imacros /etc/passwd
-I/home
-I /home
-isystem /home
-iquote.
-idirafter/x
-isysroot /
--sysroot=/
-L/tmp
-L.
-lm
-levil
-l:evil.so
-T evil.ld
-Tevil.ld
-Xlinker -plugin
-Xassembler --x
-Xpreprocessor -MD
-Xclang -load
-Xclang -fplugin=/tmp/evil.so
-Xclang -plugin
-Xclang
-Wl,-plugin,/tmp/evil.so
-Wl,--dynamic-linker=/tmp/evil
-Wl
-Wa,-I/home
-Wa,--MD,x
-Wp,-MD,/tmp/x
-fdump-tree-all
-fdump-tree-all=/tmp/x
-fdump-passes
-fopt-info-vec=/tmp/x
-fopt-info=x
-fsave-optimization-record
-foptimization-record-file=/tmp/x
-fprofile-use=/tmp/x
-fprofile-use=x
-fprofile-dir=/tmp
-fprofile-generate=/tmp
-fprofile-list=x
-fauto-profile=x
-fauxbase /tmp/x
-fauxbase-strip
-fdebug-prefix-map=/a=/b
-ffile-prefix-map=a=b
-fcallgraph-info
-ftime-trace=/tmp/x
-fproc-stat-report=/tmp/x
-fstack-usage
-fmodule-mapper=|sh
-fmodules
-fmodules-cache-path=/tmp
-fprebuilt-module-path=/tmp
-fcrash-diagnostics-dir=/tmp
-fcompare-debug=-fplugin=x
-fsanitize-ignorelist=x
-fbasic-block-sections=list=x
-fuse-ld=/tmp/evil
-fuse-ld=evil
-foffload=x
-fresolution=x
-fpre-include=x
-frecord-command-line=/x
-filelist x
-framework x
-ffoo/bar
-fsanitize=/x
-fdisable-tree-vrp2=/x
-fdisable-evil/x
-march=/x
-march=
-mllvm -load=evil.so
-mllvm --load=evil.so
-mllvm -load
-mllvm -load-pass-plugin=evil
-mllvm -info-output-file=x
-mllvm -view-dag-combine1-dags
-mllvm -dot-cfg-mssa=x
-mllvm -print-changed=dot-cfg
-mllvm -stats-json
-mllvm -stats-JSON
-mllvm -dumpTo=x
-mllvm -sample-profile-file=x
-mllvm -cgscc-inline-replay=x
-mllvm evil.so
-mllvm -x=/tmp
-mllvm
-module-dependency-dir
--param
--param x=/tmp
--param=x=y
-D
-DX=/tmp/x
-DZ(a)=a
-DX=$(id)
-DX="a"
-D1=2
-U
-O9
-Ox
-std=/x
-g/x
-gcc-toolchain=/tmp
-gsplit-dwarf=x
--gcc-toolchain=/tmp
-ccc-gcc-name x
--config=evil
--config evil
-working-directory=/
-no-canonical-prefixes
-print-file-name=x
-shared
-nostdlib
-nostartfiles
-rdynamic
-r
-c
-E
-S
-v
-###
-dumpdir /tmp/
-pass-exit-codes
-serialize-diagnostics x
-E=/x
-t
-u evil
-z now
evil.o
/tmp/evil.a
-
--
-f
-m
-W
`), "\n")
	require.Greater(t, len(refused), 60)
	for _, line := range refused {
		words := strings.Fields(line)
		assert.ErrorContains(t, Toolchain{}.Screen(words...), words[0], line)
		assert.Error(t, Toolchain{}.Screen(append([]string{"-O2"}, words...)...), line)
		assert.Error(t, Toolchain{}.Screen(append(words, "-O2")...), line)
	}
	for _, word := range []string{"", " ", "-O2\n", "-O2\n-x", "-DX=a\nb", "-fwrapv ", "-fwrap\x00v", "-fwrapv\n@evil"} {
		assert.Error(t, Toolchain{}.Screen(word), "%q", word)
	}
	assert.EqualError(t, Toolchain{}.Screen("-O2", "-wrapper", "x"),
		"-wrapper is not a flag that a reproducer may bring; if you trust it, name the compiler with its flags in REIFY_CC")
	assert.ErrorContains(t, compilers.Screen(Toolchain{}, "-mllvm", "-load=x"), "'-mllvm -load=x' is not a flag")
}
