package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/tools/need"
)

const readmeFile = "../../README.md"

// readmeCommands returns the commands of the README: lines of shell, steps of CI, and what
// stands between backticks and begins like a command.
func readmeCommands(t *testing.T) (list []string) {
	data, err := os.ReadFile(readmeFile)
	require.NoError(t, err)
	text := string(data)
	inline := regexp.MustCompile("`((?:reify|make|go (?:run|install)) [^`]*)`")
	for _, block := range regexp.MustCompile("(?ms)^```(\\w*)\n(.*?)^```$").FindAllStringSubmatch(text, -1) {
		text = strings.Replace(text, block[0], "", 1)
		switch block[1] {
		case "sh":
			list = append(list, strings.Split(strings.TrimSpace(block[2]), "\n")...)
		case "yaml":
			for _, m := range regexp.MustCompile(`(?m)- run: (.*)$`).FindAllStringSubmatch(block[2], -1) {
				list = append(list, strings.Split(m[1], " && ")...)
			}
		}
	}
	for _, m := range inline.FindAllStringSubmatch(text, -1) {
		list = append(list, m[1])
	}
	for i, line := range list {
		line, _, _ = strings.Cut(line, "  #")
		list[i] = strings.TrimSpace(line)
	}
	return list
}

// The README is short, and each of its commands can be given as it stands there, but for
// places and times.
func TestReadme(t *testing.T) {
	data, err := os.ReadFile(readmeFile)
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	assert.LessOrEqual(t, len(lines), 180)
	for i, line := range lines {
		assert.LessOrEqual(t, len([]rune(line)), 110, "README.md:%d", i+1)
	}

	need.Long(t)
	gcc := need.Command(t, "gcc")
	dir := t.TempDir()
	list := readmeCommands(t)
	t.Chdir(filepath.Join("..", ".."))
	own := filepath.Join(dir, "my-compiler")
	require.NoError(t, os.Symlink(gcc, own))
	buckets := filepath.Join(dir, "buckets")
	require.NoError(t, os.Mkdir(buckets, 0o755))
	text, err := os.ReadFile("tools/reify/report/testdata/buckets/a-reduced.txtar")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(buckets, "a-reduced.txtar"), text, 0o644))
	findings, err := filepath.Glob("corpus/wrong-answer-gcc-12-O3-*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, findings)
	hunted := filepath.Join(dir, "hunt")

	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	require.NoError(t, err)

	// What is not here is said, and left out.
	skips := map[string]func(*testing.T) string{
		"/path/to/clang": func(t *testing.T) string { return need.Command(t, "clang", "clang", "clang-14") },
		"/path/to/jdk":   func(t *testing.T) string { return need.Command(t, "java") },
		"/path/to/node":  func(t *testing.T) string { return need.Command(t, "node") },
		"tcc":            func(t *testing.T) string { return need.Command(t, "tcc") },
	}
	replace := strings.NewReplacer(
		"YOUR-COMPILER", own+" -o DIR -modes -O0 -only rotl.u8.const* -workers 1", "/path/to/gcc", own, "$PWD/build/bin/gcc", own, "/path/to/goroot", strings.TrimSpace(string(goroot)), "/b/gcc/xgcc", own, "-B/b/gcc/", "-B"+dir,
		"-time 8h", "-n 4 -workers 1", "-time 10m", "-n 4 -workers 1",
		"corpus/*.txtar", "-modes -O0 "+findings[0], "BUCKET", "gcc/wrong-answer/tree-vrp2/O2,O3", "URL", "https://example.org/1", "FILE", findings[0],
	)
	for n, line := range list {
		t.Run(line, func(t *testing.T) {
			words := replace.Replace(line)
			for name, find := range skips {
				if strings.Contains(words, name) {
					words = strings.ReplaceAll(words, name, find(t))
				}
			}
			switch {
			case strings.HasPrefix(words, "awk") || strings.HasPrefix(words, "f {"):
				return // a test of package corpus runs this
			case strings.HasPrefix(words, "go run ./tools/lab"):
				return // a test of the command lab runs this
			case strings.HasPrefix(words, "go install "):
				out, err := exec.Command("go", "list", strings.TrimPrefix(words, "go install ")).CombinedOutput()
				require.NoError(t, err, string(out))
				return
			case strings.HasPrefix(words, "make"):
				out, err := exec.Command("sh", "-c", "make -n "+strings.TrimPrefix(words, "make")).CombinedOutput()
				require.NoError(t, err, string(out))
				return
			}
			words = strings.TrimPrefix(words, "go run ./tools/")
			require.True(t, strings.HasPrefix(words, "reify "), "a command that is not tested")
			place := filepath.Join(dir, "hunt")
			switch {
			case strings.HasPrefix(words, "reify hunt -o DIR"), strings.HasPrefix(words, "reify matrix"):
				place = filepath.Join(dir, "own", strings.Map(func(r rune) rune {
					if strings.ContainsRune("/ ", r) {
						return '-'
					}
					return r
				}, line[len(line)-6:]))
			case strings.HasPrefix(words, "reify export"):
				place = filepath.Join(dir, "extracted")
			case strings.HasPrefix(words, "reify status"):
				if _, err := os.Stat(hunted); err != nil {
					status, out := command(t, "hunt", "-cc", own, "-o", hunted, "-n", "30", "-mix", "focused", "-workers", "1", "-modes", "-O0")
					require.Zero(t, status, out)
				}
			case strings.HasPrefix(words, "reify triage"), strings.HasPrefix(words, "reify report"), strings.HasPrefix(words, "reify known"):
				place = buckets
			}
			args := fields(strings.ReplaceAll(strings.ReplaceAll(words, "DIR", place), "-o hunt", "-o "+place))
			for i, arg := range args {
				if arg == "hunt" && i > 1 {
					args[i] = place
				}
				if strings.HasPrefix(arg, "out/findings/") {
					args[i] = findings[0]
				}
			}
			if args[1] == "triage" {
				args = append(args, "-n", "1")
			}
			if args[1] == "known" {
				args = append(args, "-known", filepath.Join(dir, "known.txt"))
			}
			status, out := command(t, args[1:]...)
			assert.LessOrEqual(t, status, 1, "%d: %q: %s", n, args, out)
		})
	}
}

// fields splits a line into words, of which some are between single quotes.
func fields(line string) (words []string) {
	for i, part := range strings.Split(line, "'") {
		if i%2 == 1 {
			words = append(words, part)
		} else {
			words = append(words, strings.Fields(part)...)
		}
	}
	return words
}
