package native

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"goreify/compilers"
)

const (
	gccBanner   = `printf 'gcc-X (Debian 12.2.0-14+deb12u1) %s\nCopyright (C) 2022 Free Software Foundation, Inc.\n' `
	clangBanner = `printf 'Debian clang version %s (3~deb12u1)\nTarget: x86_64-pc-linux-gnu\n' `
)

// fakePath makes two directories of compilers and returns them as PATH.
func fakePath(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	local, bin := filepath.Join(root, "local"), filepath.Join(root, "bin")
	for _, dir := range []string{local, bin} {
		require.NoError(t, os.Mkdir(dir, 0o700))
	}
	link := func(target, file string) { require.NoError(t, os.Symlink(target, filepath.Join(bin, file))) }
	script(t, filepath.Join(bin, "x86_64-linux-gnu-gcc-12"), gccBanner+"12.2.0")
	script(t, filepath.Join(bin, "gcc-9"), gccBanner+"9.4.0")
	script(t, filepath.Join(bin, "clang-19"), clangBanner+"19.1.7")
	script(t, filepath.Join(bin, "clang-100"), "exit 3")
	script(t, filepath.Join(bin, "gcc-ar-12"), "exit 1")
	script(t, filepath.Join(bin, "ccache"), gccBanner+"1.0.0")
	script(t, filepath.Join(local, "clang"), clangBanner+"20.1.0")
	link("x86_64-linux-gnu-gcc-12", "gcc-12")
	link("gcc-12", "gcc")
	link("clang-19", "clang")
	link("ccache", "gcc-13")
	link("nowhere", "gcc-14")
	require.NoError(t, os.WriteFile(filepath.Join(bin, "gcc-10"), nil, 0o600))
	return "relative:" + local + ":" + filepath.Join(root, "missing") + ":" + bin
}

func TestFindOnPath(t *testing.T) {
	found, err := Toolchains(t.Context(), compilers.Env{Path: fakePath(t)})
	require.NoError(t, err)
	type row struct {
		name, version string
		family        string
	}
	var rows []row
	for _, tc := range found {
		rows = append(rows, row{tc.Name, tc.Version, tc.Family})
	}
	assert.Equal(t, []row{
		{"gcc-9", "9.4.0", "gcc"},
		{"gcc-12", "12.2.0", "gcc"}, // and not gcc, nor the ccache behind gcc-13
		{"clang-19", "19.1.7", "clang"},
		{"clang-100", "", "clang"}, // broken
		{"clang", "20.1.0", "clang"},
	}, rows)
	assert.Equal(t, "gcc-X (Debian 12.2.0-14+deb12u1) 12.2.0", found[1].Banner)

	ws := newWorkspace(t)
	assert.ErrorContains(t, found[3].Probe(t.Context(), ws, roomy()), "clang-100 cannot be used")
	assert.ErrorContains(t, found[3].Probe(t.Context(), ws, roomy()), "exit status 3")

	_, err = Toolchains(t.Context(), compilers.Env{Path: t.TempDir()})
	assert.ErrorContains(t, err, "no gcc, gcc-N, clang or clang-N on PATH")
}

func TestFindNamed(t *testing.T) {
	path := fakePath(t)
	found, err := Toolchains(t.Context(), compilers.Env{Path: path, CC: "gcc-12, clang-19 -m32 -g"})
	require.NoError(t, err)
	require.Len(t, found, 2)
	assert.Equal(t, "gcc-12", found[0].String())
	assert.Equal(t, "clang-19 -m32 -g", found[1].String())
	assert.Equal(t, []string{"-m32", "-g"}, found[1].Args)

	own := script(t, filepath.Join(t.TempDir(), "mycc"), clangBanner+"21.0.0")
	found, err = Toolchains(t.Context(), compilers.Env{Path: path, CC: own})
	require.NoError(t, err)
	assert.Equal(t, "clang", found[0].Family)
	assert.Equal(t, own, found[0].Path)

	for cc, want := range map[string]string{
		"gcc-12,gcc-77": "gcc-77: not found on PATH",
		"gcc-12,,gcc-9": "empty entry",
		"/none/gcc":     "/none/gcc: no such executable",
		"clang-100":     "exit status 3",
		"gcc-ar-12":     "exit status 1",
	} {
		_, err := Toolchains(t.Context(), compilers.Env{Path: path, CC: cc})
		assert.ErrorContains(t, err, want)
		assert.ErrorContains(t, err, "REIFY_CC=")
	}
}

func TestEnv(t *testing.T) {
	e := compilers.EnvFrom([]string{"PATH=/bin", "HOME=/home/me", "REIFY_CC=gcc", "REIFY_MODES=-O0, -O2,-O0"})
	assert.Equal(t, compilers.Env{Path: "/bin", CC: "gcc", Modes: "-O0, -O2,-O0", Cache: "/home/me/.cache/goreify", Home: "/home/me", GoModules: "/home/me/go/pkg/mod", GoCache: "/home/me/.cache/go-build", Roots: map[string]string{"trunk": "/home/me/.cache/goreify/trunk"}}, e)
	assert.Equal(t, "/r", compilers.EnvFrom([]string{"HOME=/home/me", "REIFY_TRUNK=/r"}).Roots["trunk"])
	assert.Equal(t, "/c/goreify", compilers.EnvFrom([]string{"HOME=/home/me", "XDG_CACHE_HOME=/c"}).Cache)
	assert.Empty(t, compilers.EnvFrom([]string{"HOME=/home/me", "XDG_CACHE_HOME=c"}).Cache, "as os.UserCacheDir does")
	levels, err := levelsOf(e)
	require.NoError(t, err)
	assert.Equal(t, []string{"-O0", "-O2"}, levels)

	levels, err = levelsOf(compilers.Env{})
	require.NoError(t, err)
	assert.Equal(t, []string{"-O0", "-O1", "-Os", "-O2", "-O3"}, levels)

	for _, bad := range []string{"-O0,", "O2", "-O7", "-O2 -g"} {
		_, err := levelsOf(compilers.Env{Modes: bad})
		assert.ErrorContains(t, err, "no optimisation level", bad)
	}
}

// The levels of the environment are the modes of what is found.
func TestFindGivesModes(t *testing.T) {
	env := compilers.Env{Path: fakePath(t), CC: "gcc-12, clang-19"}
	for levels, want := range map[string][]compilers.Mode{"": Levels, "-O2,-Os": {"-O2", "-Os"}} {
		env.Modes = levels
		found, err := findAll(t.Context(), env)
		require.NoError(t, err)
		require.Len(t, found, 2)
		for _, tc := range found {
			assert.Equal(t, want, tc.Modes())
			assert.Equal(t, "-O0", tc.Reference())
		}
		assert.Equal(t, "x86_64-pc-linux-gnu", found[1].ID().Triple)
		assert.Equal(t, compilers.ID{Name: "gcc-12", Args: []string{}, Family: "gcc", Version: "12.2.0"}, found[0].ID())
	}
	env.Modes = "-O7"
	_, err := findAll(t.Context(), env)
	assert.ErrorContains(t, err, "no optimisation level")
}

// With sanitizers there is one level to ask at, whatever the environment wants.
func TestModesOfSanitized(t *testing.T) {
	plain := Toolchain{Name: "gcc-99", Args: []string{"-m32"}, levels: []compilers.Mode{"-O3"}}
	tc := plain.sanitized()
	assert.Equal(t, []compilers.Mode{"-O1"}, tc.Modes())
	assert.Equal(t, "-O1", tc.Reference())
	assert.Equal(t, "gcc-99 -m32 -fsanitize=undefined,address -fno-sanitize-recover=all", tc.String())
	assert.Equal(t, []compilers.Mode{"-O3"}, plain.Modes(), "as it was")
	assert.Equal(t, "-O0", plain.Reference())
	assert.Equal(t, Levels, Toolchain{}.Modes())
}

func TestParseVersion(t *testing.T) {
	const fsf = "\nCopyright (C) 2021 Free Software Foundation, Inc.\n"
	for _, tt := range []struct {
		text    string
		family  string
		version string
	}{
		{"gcc-12 (Debian 12.2.0-14+deb12u1) 12.2.0" + fsf, "gcc", "12.2.0"},
		{"x86_64-linux-gnu-gcc-12 (Debian 12.2.0-14) 12.2.0" + fsf, "gcc", "12.2.0"},
		{"cc (Debian 12.2.0-14) 12.2.0" + fsf, "gcc", "12.2.0"},
		{"gcc-99 (Fake) 99.1.0" + fsf, "gcc", "99.1.0"},
		{"Android (9352603, based on r450784d1) clang version 14.0.7 (https://example.org 4c603efb)", "clang", "14.0.7"},
		{"gcc (GCC) 13.2.1 20231011 (Red Hat 13.2.1-4)" + fsf, "gcc", "13.2.1 20231011"},
		{"gcc-15 (Ubuntu 15-20250404-0ubuntu1) 15.0.1 20250404 (experimental) [master r15]" + fsf, "gcc", "15.0.1 20250404"},
		{"gcc (Debian 20261020-1) 17.0.0 20261020 (experimental) [trunk r17-5409-g5a4f77eb6af]" + fsf, "gcc", "17.0.0 20261020 r17-5409"},
		{"Debian clang version 24.0.0 (++20261025103442+7e3c57157096-1~exp1)", "clang", "24.0.0 20261025 7e3c57157096"},
		{"Debian clang version 16.0.6 (15~deb12u1)\nTarget: x", "clang", "16.0.6"},
		{"clang version 20.0.0git (https://example.org/llvm 1.2.3)", "clang", "20.0.0git"},
		{"clang version 22.0.0git (https://github.com/llvm/llvm-project.git 7e3c571570967e3c571570967e3c571570961234)", "clang", "22.0.0git 7e3c57157096"},
		{"xgcc (GCC) 17.0.0 20261123 (experimental)" + fsf, "gcc", "17.0.0 20261123"},
		{"Apple clang version 15.0.0 (clang-1500.3.9.4)", "clang", "15.0.0"},
	} {
		family, version, err := parseVersion(tt.text)
		require.NoError(t, err)
		assert.Equal(t, tt.family, family, tt.text)
		assert.Equal(t, tt.version, version, tt.text)
	}
	for _, bad := range []string{
		"", "tcc version 0.9.27", "clang version unknown",
		"GNU bash, version 5.2.15(1)-release (x86_64-pc-linux-gnu)" + fsf,
		"ls (GNU coreutils) 9.1" + fsf, "g++ (Debian 12.2.0-14) 12.2.0" + fsf, "gcov (Debian 12.2.0-14) 12.2.0" + fsf,
		"gcc (GCC) 13.2.1", "gcc version 12.2.0 (Debian 12.2.0-14)" + fsf, "not a clang version 3.0, but a name for it: gcc" + fsf,
	} {
		_, _, err := parseVersion(bad)
		assert.Error(t, err, bad)
	}
}

// A compiler may live in a root directory, and links in there are those of the root.
func TestRoots(t *testing.T) {
	root := t.TempDir()
	bin := filepath.Join(root, "usr", "bin")
	require.NoError(t, os.MkdirAll(bin, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(bin, "real-gcc"), nil, 0o755))
	require.NoError(t, os.Symlink("/usr/bin/real-gcc", filepath.Join(bin, "gcc-99")))
	require.NoError(t, os.Symlink("/bin/sh", filepath.Join(bin, "gcc-98")))
	env := compilers.EnvFrom([]string{"PATH=/bin", "REIFY_TRUNK=" + root})
	for name, want := range map[string]string{
		"gcc-99@" + root: "in the root directory " + root + " run in a box of namespaces only",
		"gcc-99@trunk":   "in the root directory " + root + " run in a box of namespaces only",
		"gcc-98@trunk":   "gcc-98: not found on PATH (/usr/local/bin:/usr/bin:/bin) in the root directory " + root,
		"@" + root:       "no compiler stands before the @",
		"bin/gcc@trunk":  "bin/gcc: no such executable in the root directory " + root,
		"gcc-99@branch":  `no root directory is called "branch"`,
		"gcc-99@./gone":  "there is no root directory",
	} {
		env.CC = name
		_, err := findAll(t.Context(), env)
		require.ErrorContains(t, err, want, name)
	}
	is, err := compilers.IdentityOf(root, "/usr/bin/gcc-99")
	require.NoError(t, err)
	assert.Equal(t, filepath.Join(bin, "real-gcc"), is.Resolved)
}
