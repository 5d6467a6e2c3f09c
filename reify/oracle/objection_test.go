package oracle_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/corpus"
	"goreify/reify/oracle"
	"goreify/tools/need"
)

const clangBanner = "clang version 99.1.0 (Fake)"

// families returns an oracle that asks a fake gcc-99 and a fake clang-99, both
// with sanitizers and at -O0 and -O2; what they do before gcc is called is as
// for writeFake.
func families(t *testing.T, gcc, clang string) *oracle.Oracle {
	o := fakes(t, "gcc-99,clang-99", "-O0,-O2", map[string]string{"gcc-99": gcc, "clang-99": clang})
	require.Len(t, o.Sanitizers, 2, "%v", o.Unusable)
	require.NotEqual(t, o.Sanitizers[0].ID().Family, o.Sanitizers[1].ID().Family)
	return o
}

const (
	// Of programs with f1, so that the sanitizers are found to work.
	sanitized  = `case "$*" in *-fsanitize=*) grep -q 'int test_f1(' "$src" && `
	end        = " ;; esac\n"
	reports    = sanitized + `sed -i 's/^int main(void)$/int main(void) { volatile int x = 2147483647; x = x + 1; return 0; } int unused(void)/' "$src"` + end
	misprints  = sanitized + `sed -i 's/printf("f1 /printf("f1 2/' "$src"` + end
	refuses    = sanitized + `{ echo "out of memory: Cannot allocate memory" >&2; exit 1; }` + end
	wrongAtO2  = `case "$level" in -O2) sed -i 's/printf("f1 /printf("f1 1/' "$src"` + end
	wrongAtAll = `sed -i 's/printf("f1 /printf("f1 1/' "$src"` + "\n"
)

// A sanitizer that is contradicted by one of another family ends no hunt, and
// what it objects to is no finding.
func TestDisputedObjections(t *testing.T) {
	need.Long(t)
	for name, o := range map[string]*oracle.Oracle{
		"of the compiler that fails": families(t, reports+wrongAtO2, ""),
		"of another":                 families(t, reports, wrongAtO2),
	} {
		t.Run(name, func(t *testing.T) {
			report, err := o.Check(t.Context(), cases(t, 3), 0)
			require.NoError(t, err)
			assert.Nil(t, report.Finding)
			require.Len(t, report.Suspicions, 1)
			f := report.Suspicions[0]
			assert.Equal(t, []string{"f1"}, names(f.Subject))
			assert.Contains(t, f.Doubt, "gcc-99 -fsanitize=undefined,address -fno-sanitize-recover=all reports ")
			assert.Contains(t, f.Doubt, "signed integer overflow")
			assert.Contains(t, f.Doubt, ", and clang-99 -fsanitize=")
			assert.Equal(t, 1, report.Discarded)
			require.Len(t, report.Discards, 1)
			assert.Contains(t, report.Discards[0], "-O2: not confirmed: wrong-answer")
			assert.Contains(t, report.Discards[0], f.Doubt)

			e := entry(t, f)
			e.Date = "2026-01-02"
			require.NoError(t, e.Check())
			assert.Contains(t, e.Witness, corpus.Witness{Who: "disputed", Said: f.Doubt})
			back, err := corpus.Parse("x", e.Format())
			require.NoError(t, err)
			assert.Equal(t, e.Witness, back.Witness)
		})
	}
}

// An objection stands if nobody who was asked contradicts it.
func TestObjectionsStand(t *testing.T) {
	need.Long(t)
	for name, o := range map[string]*oracle.Oracle{
		"both families report":      families(t, reports+wrongAtO2, reports),
		"the other family is wrong": families(t, reports+wrongAtO2, misprints),
		"nobody is right at -O0":    families(t, reports+wrongAtAll, "case $level in -O0) "+strings.TrimSpace(wrongAtAll)+end),
		"the other is misled":       families(t, "case $level in -O0) "+strings.TrimSpace(wrongAtAll)+end, reports+wrongAtO2),
	} {
		t.Run(name, func(t *testing.T) {
			_, err := o.Check(t.Context(), cases(t, 3), 0)
			assert.Contains(t, requireOurs(t, err).Error(), "signed integer overflow")
		})
	}
	o := families(t, reports+wrongAtO2, "")
	o.Sanitizers = o.Sanitizers[1:]
	require.Equal(t, "gcc", o.Sanitizers[0].ID().Family)
	_, err := o.Check(t.Context(), cases(t, 3), 0)
	requireOurs(t, err) // alone
	o = families(t, reports+wrongAtO2, "")
	o.Sanitizers[0] = o.Sanitizers[1]
	_, err = o.Check(t.Context(), cases(t, 3), 0)
	requireOurs(t, err) // of one family
}

// Where the machine keeps the other family from answering, neither is accused.
func TestUnansweredSanitizersAccuseNobody(t *testing.T) {
	report, err := families(t, reports+wrongAtO2, refuses).Check(t.Context(), cases(t, 3), 0)
	require.NoError(t, err)
	assert.Nil(t, report.Finding)
	assert.Equal(t, 1, report.Unanswered)
	require.Len(t, report.Suspicions, 1)
	assert.Contains(t, report.Suspicions[0].Doubt, "signed integer overflow")
	assert.Contains(t, report.Suspicions[0].Doubt, "not all others gave an answer: ")
}

// Neither is accused if time is too short to ask who might contradict it.
func TestUnheardSanitizersAccuseNobody(t *testing.T) {
	asleep := filepath.Join(t.TempDir(), "asleep")
	o := families(t, sanitized+"mkdir "+asleep+" && sleep 1000"+end+wrongAtO2, reports)
	o.Limits.CompileWall = 5 * time.Minute
	require.Equal(t, "clang", o.Sanitizers[0].ID().Family, "it is asked first")
	report, err := o.Check(until(t, asleep), cases(t, 3), 0)
	require.NoError(t, err)
	assert.Nil(t, report.Finding)
	require.Len(t, report.Suspicions, 1)
	assert.Contains(t, report.Suspicions[0].Doubt, "not all others could be asked in time")
}

// Without an objection the same compiler is found out.
func TestContentSanitizersChangeNothing(t *testing.T) {
	report, err := families(t, wrongAtO2, "").Check(t.Context(), cases(t, 3), 0)
	require.NoError(t, err)
	require.NotNil(t, report.Finding)
	assert.Empty(t, report.Finding.Doubt)
	assert.Empty(t, report.Suspicions)
}
