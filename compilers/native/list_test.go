package native

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
)

// One function as two compilers write it.
var listings = [2]string{`	.file	"repro.c"
	.text
	.globl	c0
	.type	c0, @function
c0:
.LFB0:
	.cfi_startproc
	cmpl	$4, %edi
	ja	.L2
	leaq	CSWTCH.1(%rip), %rax
	ret
	.p2align 4,,10
.L2:
	mulsd	.LC0(%rip), %xmm0
	call	c0.cold
	ret
.LFE0:
	.size	c0, .-c0
	.type	c0.cold, @function
c0.cold:
	ud2
	.size	c0.cold, .-c0.cold
	.section	.rodata
	.type	CSWTCH.1, @object
CSWTCH.1:
	.long	0
	.long	7
.LC0:
	.quad	5
`, `	.section	.rodata
.LCPI0_0:
	.quad	5                               # double 5
	.text
	.type	c0,@function
c0:                                     # @c0
# %bb.0:
	cmpl	$4,  %edi
	ja	.LBB0_1  # far
	leaq	.Lswitch.table.c0(%rip), %rax
	ret
.LBB0_1:
	mulsd	.LCPI0_0(%rip), %xmm0
	call	c0.cold
	ret
.Lfunc_end0:
	.size	c0, .Lfunc_end0-c0
	.type	c0.cold,@function
c0.cold:
	ud2
	.size	c0.cold, .-c0.cold
	.type	.Lswitch.table.c0,@object
.Lswitch.table.c0:
	.long	0
	.long	7
`}

// Equal code is equal, whatever its labels are called, and other code or data is not.
func TestListing(t *testing.T) {
	one, two := listing(listings[0]), listing(listings[1])
	require.Len(t, one, 1)
	assert.Equal(t, one, two)
	for _, edit := range [][2]string{{"$4", "$5"}, {"long\t7", "long\t8"}, {"quad\t5", "quad\t6"}, {"ud2", "nop"}, {"ja\t", "jb\t"}, {"ja\t.L2", "ja\t.LFE0"}} {
		other := strings.Replace(listings[0], edit[0], edit[1], 1)
		require.NotEqual(t, listings[0], other)
		assert.NotEqual(t, one, listing(other), "%q", edit)
	}
}

// Signs of comments differ, and some are signs of other things.
func TestAsmComments(t *testing.T) {
	for line, want := range map[string]string{
		"mov r0, #5 @ five": "mov r0, #5", "mov w0, #5 // =5": "mov w0, #5", "call memcpy@PLT": "call memcpy@PLT",
		"mov %g1, %g2 ! TAILCALL": "mov %g1, %g2", "add x, y  /* z */": "add x, y", "#APP": "#APP",
		"ldr r0, [r1, #-4]!": "ldr r0, [r1, #-4]!", "nop #": "nop",
	} {
		got := listing(".type f, %function\nf:\n\t" + line + "\n.size f, .-f\n")
		assert.Equal(t, map[string]string{"f": want + "\n"}, got)
	}
}

// Real compilers list what they compile, the same each time, and of another level other
// code. A program that is none is rejected.
func TestListReal(t *testing.T) {
	job := compilers.Job{Files: compilers.Single([]byte("int f(int x) { int y = x; while (y > 9) y /= 3; return y; }\nint main(void) { return f(41); }\n"))}
	for _, family := range []string{"gcc", "clang"} {
		t.Run(family, func(t *testing.T) {
			target, ws := firstOf(t, family), newWorkspace(t)
			var list []map[string]string
			for _, job.Mode = range []compilers.Mode{"-O0", "-O2", "-O2"} {
				functions, o, err := target.List(t.Context(), ws, job, roomy())
				require.NoError(t, err)
				require.Equal(t, compilers.OK, o.Verdict, o)
				require.Contains(t, functions, "f")
				require.Contains(t, functions, "main")
				list = append(list, functions)
			}
			assert.Equal(t, list[1], list[2])
			assert.NotEqual(t, list[0]["f"], list[1]["f"])
			_, o, err := target.List(t.Context(), ws, compilers.Job{Files: compilers.Single([]byte("no")), Mode: "-O2"}, roomy())
			require.NoError(t, err)
			assert.Equal(t, compilers.Rejected, o.Verdict)
			requireNothingLeft(t, ws)
		})
	}
}
