package report

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/corpus"
)

// A script builds the compiler, asks it by the command of the report, and can be read by a
// shell; a line of a test does not end the file that it writes.
func TestBisectScript(t *testing.T) {
	for name, tt := range map[string]struct {
		family, version, command, versions string
		flags, want                        []string
	}{
		"gcc": {"gcc", "17.0.0 20261020 r17-5409", "gcc-17 -O2 -w reduced.c -o reduced && timeout 10 ./reduced", "", nil, []string{
			`sed -n 5409p`, `releases/gcc-16.2.0`, `"$BUILD/gcc/xgcc" -B"$BUILD/gcc/" -O2 -w reduced.c -o reduced || exit 125`, "{ timeout 10 ./reduced; } || exit 1"}},
		"cross gcc": {"gcc", "16.2.0 sh4-linux-gnu", "sh4-linux-gnu-gcc-16 -static -O2 -w reduced.c -o reduced && timeout 10 qemu-sh4 ./reduced", "", nil, []string{
			`TARGET=--target=sh4-linux-gnu PARTS='all-gcc' CROSS=${CROSS:-sh4-linux-gnu-gcc}`, `releases/gcc-16.2.0 GOOD`, "CROSS=sh4-linux-gnu-gcc, which is here",
			"command -v \"qemu-sh4\" >/dev/null || { echo \"qemu-sh4 is missing\" >&2; exit 255; }\ncommand -v \"$CROSS\"",
			`-static -O2 -w reduced.c -S -o reduced.s && "$CROSS" -static reduced.s -o reduced || exit 125`}},
		"cross gcc, compiles": {"gcc", "16.2.0 sh4-linux-gnu", "timeout 60 sh4-linux-gnu-gcc-16 -static -Os -w reduced.c -o reduced", "", nil, []string{
			`timeout 60 "$BUILD/gcc/xgcc" -B"$BUILD/gcc/" -static -Os -w reduced.c -S -o reduced.s >log 2>&1 && exit 0`}},
		"gcc -m32": {"gcc", "17.0.0 20261020 r17-5409", "gcc-17 -m32 -O2 -w reduced.c -o reduced && ./reduced", "", nil, []string{
			`TARGET='' PARTS='all-gcc' CROSS=${CROSS:-gcc}`, `-m32 -O2 -w reduced.c -S -o reduced.s && "$CROSS" -m32 reduced.s -o reduced || exit 125`}},
		"clang": {"clang", "24.0.0 20261025 7e3c57157096", "clang-24 -O2 -w reduced.c -o reduced && ./reduced", "", nil, []string{
			"git bisect start 7e3c57157096 GOOD", `"$BUILD/bin/clang" -O2`}},
		"go": {"gc", "1.27.4 s390x", "env GOTOOLCHAIN=go1.27.4 GOARCH=s390x go build -o reduced reduced.go && timeout 10 qemu-s390x ./reduced",
			"ok: 1.22.0 s390x 1.25.0 s390x; wrong-answer: 1.26.8 s390x 1.27.4 s390x", []string{"GOARCH=s390x"}, []string{
				`git bisect start go1.26.8 "$(git merge-base go1.26.8 go1.25.0)"`, `env GOTOOLCHAIN=local GOARCH=s390x "$SOURCE/bin/go" build -o reduced reduced.go`}},
	} {
		e := &corpus.Entry{Family: tt.family, Version: tt.version, Verdict: "wrong-answer", Mode: "-O2", Main: "repro.c", Flags: tt.flags,
			Reduced: "END\nrm -rf /\n", ReducedCommand: tt.command}
		if tt.family == "gc" {
			e.Mode, e.Main = "@O", "repro.go"
		}
		if strings.Contains(name, "compiles") {
			e.Verdict = "internal-error"
		}
		e.SetNote(corpus.NoteVersions, tt.versions)
		if tt.family == "gcc" && !strings.Contains(tt.version, "sh4") {
			e.ReducedBad = corpus.Add(nil, "gcc", tt.version, nil, "-O2")
			e.ReducedGood = corpus.Add(nil, "gcc", "16.2.0", nil, "-O2")
		}
		u := &bug{Entry: e, Bucket: Bucket{Newest: tt.version}}
		u.setTest()
		script := u.bisectScript()
		for _, want := range append(tt.want, "<<'END-END'\nEND\nrm -rf /\nEND-END\n") {
			assert.Contains(t, script, want, name)
		}
		sh := exec.Command("sh", "-n")
		sh.Stdin = strings.NewReader(script)
		out, err := sh.CombinedOutput()
		require.NoError(t, err, "%s: %s", name, out)
	}
	assert.Empty(t, (&bug{Entry: &corpus.Entry{Family: "wazero"}}).bisectScript(), "no way is known")
}
