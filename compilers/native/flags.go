package native

import (
	"regexp"
	"strings"

	"goreify/compilers"
)

// A reproducer from elsewhere is data. Its flags may change what a compiler does with the
// program. They must not name anything to run, read or write, so the flags that may stand
// there are listed, and all others are refused.

// flagShapes are the flags of one word. A flag that a pattern takes may be refused by
// refusedFlags.
var flagShapes = regexp.MustCompile(`^(?:` + strings.Join([]string{
	levelShape,
	`-std=[a-z0-9:+]+`, `-ansi`, `-w`, `-pedantic(?:-errors)?`, `-pipe`, `-pthread`,
	`-static(?:-pie|-libgcc)?`, `-(?:no-)?pie`, `--target=[a-z][a-z0-9_]*(?:-[a-z0-9_.]+){0,3}`,
	`-g(?:[0-3]|gdb[0-3]?|dwarf(?:-[2-5])?|z(?:=(?:none|zlib|zstd))?|toggle|line-tables-only)?`,
	`-g(?:no-)?(?:as-loc-support|as-locview-support|column-info|inline-points|internal-reset-location-views|` +
		`record-gcc-switches|statement-frontiers|strict-dwarf|variable-location-views)`,
	`-W[a-z][a-z0-9+-]*(?:=[a-z0-9+-]+)?`,
	`-[DU][A-Za-z_]\w*`, `-D[A-Za-z_]\w*=[\w.+-]*`,
	`--param=` + paramShape,
	`-m[a-z0-9][a-z0-9._-]*(?:=[A-Za-z0-9_.,:+-]+)?`,
	`-f[A-Za-z][A-Za-z0-9+-]*`,
	`-f(?:dis|en)able-(?:tree|rtl|ipa)-\w[\w-]*(?:=[\w.,:-]+)?`,
	`-fuse-ld=(?:bfd|gold|lld|mold)`,
	`-f(?:` + strings.Join(valuedFlags, "|") + `)=[A-Za-z0-9_.,:+-]+`,
}, "|") + `)$`)

// valuedFlags are those of -f whose values are numbers, names of the compiler's
// own, or symbols.
var valuedFlags = []string{
	"abi-version", "align-(?:functions|jumps|labels|loops)", "cf-protection", "complex-arithmetic", "dbg-cnt",
	"denormal-fp-math(?:-f32)?", "excess-precision", "fp-contract", "fp-exception-behavior", "fp-model",
	"inline-limit", "ira-(?:algorithm|region|verbose)", "lifetime-dse", "live-patching", "lto", "lto-(?:compression-level|partition)",
	"max-errors", "message-length", "no-sanitize(?:-recover|-trap)?", "pack-struct", "patchable-function-entry",
	"permitted-flt-eval-methods", "profile-update", "random-seed", "reorder-blocks-algorithm",
	"sanitize(?:-recover|-trap)?", "sched-stalled-insns(?:-dep)?", "sched-verbose", "simd-cost-model", "stack-(?:check|reuse)",
	"strict-flex-arrays", "tls-model", "tree-parallelize-loops", "trivial-auto-var-init", "vect-cost-model",
	"veclib", "visibility", "zero-call-used-regs",
}

// refusedFlags have the shape of a flag that may stand there. They load or start
// something, write files, or take the next word for a path.
var refusedFlags = regexp.MustCompile(`^(?:-W[alp]|-mllvm|-module.*|` +
	`-f(?:no-)?(?:plugin|pass-plugin|dump|save|auxbase|callgraph-info|time-trace|stack-usage|test-coverage|module|` +
	`prebuilt|offload|intrinsic-modules|crash-diagnostics|ilelist|ramework).*)$`)

// paramShape is a parameter of gcc with its value, nearly always a number.
const paramShape = `(?:[a-z][A-Za-z0-9-]*=-?\d+|(?:evrp|vrp[12])-mode=[a-z]+)`

// pairShapes are the words that may follow a flag which takes the next word.
var pairShapes = map[string]*regexp.Regexp{
	"--param": regexp.MustCompile(`^` + paramShape + `$`),
	"-mllvm":  regexp.MustCompile(`^-[a-z][a-z0-9]*(?:-[a-z0-9]*|-[A-Z]+)*(?:=[A-Za-z0-9_.+-]+)?$`),
	"-Xclang": regexp.MustCompile(`^-(?:disable-O0-optnone|disable-lifetime-markers|disable-llvm-(?:passes|optzns|verifier)|` +
		`(?:no-)?new-struct-path-tbaa|(?:no-)?struct-path-tbaa|(?:no-)?relaxed-aliasing|mrelax-all|vectorize-(?:loops|slp))$`),
}

// refusedLLVM are words in the names of LLVM's options that load or start
// something, or name files.
var refusedLLVM = regexp.MustCompile(`(?i)^-load($|=|-pass)|[^a-z](?:changed|dir|directory|dot|dump|export|file|filename|import|` +
	`json|log|output|path|plugin|profile|remarks|replay|save|trace|view|write)s?(?:$|[^a-z])`)

// screenTool is Screen of a tool of LLVM: it may be given passes, and what -mllvm may.
func (t Toolchain) screenTool(args []string) error {
	return compilers.ScreenEach(args, "tool", func(arg string) bool {
		if forClang([]string{arg}) != nil {
			return t.Clang().Screen(strings.Replace(arg, "-mtriple=", "--target=", 1)) == nil
		}
		name, _, _ := strings.Cut(arg, "=")
		shaped := pairShapes["-mllvm"].MatchString(arg) || attributes.MatchString(arg)
		return shaped && name != "-o" && !refusedLLVM.MatchString(arg)
	})
}

// attributes is a list of features of a processor.
var attributes = regexp.MustCompile(`^-mattr=[+-][\w.+,-]+$`)

// Screen returns nil if a reproducer may bring these arguments along, else an
// error that names the first that it may not. Arguments that the user gives are
// not screened.
func (t Toolchain) Screen(args ...string) error {
	if t.tools != nil {
		return t.screenTool(args)
	}
	for i := 0; i < len(args); i++ {
		flag := args[i]
		if next, ok := pairShapes[flag]; ok && i+1 < len(args) {
			i++
			if next.MatchString(args[i]) && (flag != "-mllvm" || !refusedLLVM.MatchString(args[i])) {
				continue
			}
			flag += " " + args[i]
		} else if flagShapes.MatchString(flag) && !refusedFlags.MatchString(flag) {
			continue
		}
		return compilers.Unscreened(flag, "compiler")
	}
	return nil
}
