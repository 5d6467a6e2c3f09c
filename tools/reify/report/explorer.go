package report

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf16"

	"goreify/compilers"
	"goreify/compilers/gc"
)

// An explored is what Compiler Explorer calls a family of compilers: the table is of its
// configuration (etc/config/*.amazon.properties) of August 2026. Compilers that are not in it have no link.
type explored struct {
	language string
	// newest has the id of the newest compiler, by the first word of a triple, or by GOARCH; "" is
	// this machine's processor. Where it is no snapshot, a release of the same number is meant.
	newest map[string]string
	// releases have ids by the beginning of a version, for this machine's processor.
	releases map[string]string
	// targeted says that one compiler writes code for all processors, by its flags.
	targeted bool
	// options returns the flags of a configuration as the page takes them.
	options func(mode string, args []string) []string
}

var explorer = map[string]explored{
	"gcc": {
		language: "c",
		newest: map[string]string{"": "cgsnapshot", "aarch64": "carm64gtrunk", "arm": "carmgtrunk", "riscv64": "rv64-cgcctrunk",
			"powerpc64": "cppc64gtrunk", "powerpc64le": "cppc64legtrunk", "s390x": "cs390xg1610", "loongarch64": "cloongarch64g1610",
			"m68k": "cm68kg1610", "sh4": "cshg1610", "hppa": "chppag1610", "sparc64": "csparc64g1610", "mips64": "cmips64g1610",
			"mips64el": "cmips64elg1610"},
		releases: map[string]string{"11.3": "cg113", "11.4": "cg114", "11.5": "cg115", "12.2": "cg122", "12.3": "cg123", "12.4": "cg124",
			"12.5": "cg125", "13.1": "cg131", "13.2": "cg132", "13.3": "cg133", "13.4": "cg134", "14.1": "cg141", "14.2": "cg142",
			"14.3": "cg143", "14.4": "cg144", "15.1": "cg151", "15.2": "cg152", "15.3": "cg153", "16.1": "cg161", "16.2": "cg162"},
		options: levelAndFlags,
	},
	"clang": {
		language: "c",
		newest:   map[string]string{"": "cclang_trunk"},
		releases: map[string]string{"14.0": "cclang1400", "15.0": "cclang1500", "16.0": "cclang1600", "17.0": "cclang1701", "18.1": "cclang1810",
			"19.1": "cclang1910", "20.1": "cclang2010", "21.1": "cclang2110", "22.1": "cclang2210"},
		targeted: true,
		options:  levelAndFlags,
	},
	"tcc": {language: "c", newest: map[string]string{"": "tinycctrunk"}, releases: map[string]string{"0.9.27": "tinycc0927"}, options: levelAndFlags},
	"gc": {
		language: "go",
		newest: map[string]string{"": "gltip", "386": "386_gltip", "arm": "arm_gltip", "arm64": "arm64_gltip", "mips": "mips_gltip",
			"mipsle": "mipsle_gltip", "mips64": "mips64_gltip", "mips64le": "mips64le_gltip", "ppc64": "ppc64_gltip",
			"ppc64le": "ppc64le_gltip", "riscv64": "riscv64_gltip", "s390x": "s390x_gltip"},
		releases: map[string]string{"1.22": "gl12212", "1.23": "gl1238", "1.24": "gl12413", "1.25": "gl1257", "1.26": "gl1260"},
		options:  func(mode string, _ []string) []string { return gc.Flags(mode) },
	},
}

func levelAndFlags(mode string, args []string) []string {
	return append(slices.Clone(args), mode, "-w")
}

// processor returns that of a version, in which it is where it is not this machine's, or "". One
// compiler may be for all.
func (x explored) processor(version string) string {
	if triple := compilers.ProcessorOf(version); triple != "" && !x.targeted {
		processor, _, _ := strings.Cut(triple, "-")
		return processor
	}
	if _, goarch, _ := strings.Cut(version, " "); x.language == "go" {
		return goarch
	}
	return ""
}

// release returns the compiler of a release, or "".
func (x explored) release(version string) string {
	number, _, _ := strings.Cut(version, " ")
	if x.processor(version) != "" || compilers.SnapshotDay(version) != "" {
		return ""
	}
	for begin, id := range x.releases {
		if number == begin || strings.HasPrefix(number, begin+".") {
			return id
		}
	}
	return ""
}

// id returns the compiler of a version: that of its release, or the newest.
func (x explored) id(version string) string {
	return cmp.Or(x.release(version), x.newest[x.processor(version)])
}

// maxURL is how long an address may be for what carries it: servers take 8 KB.
const maxURL = 8000

// emulatorFlags are not for a compiler that links nothing.
var emulatorFlags = regexp.MustCompile(`^(?:-static|-fuse-ld=\w+)$`)

// Explorer returns a link to Compiler Explorer that holds the test, the compiler that fails on
// it and, where one is known, the newest release that does not, with their flags; or nothing where the page has no such compiler.
// Programs for this machine's processor are run there.
func (u *bug) Explorer() string {
	e := u.Entry
	x, ok := explorer[e.Family]
	failing := x.id(e.Version)
	if !ok || failing == "" || len(u.Files) != 1 {
		return ""
	}
	mode, args := e.Asked()
	flags := slices.DeleteFunc(slices.Clone(args), emulatorFlags.MatchString)
	type compiler struct {
		ID      string   `json:"id"`
		Options string   `json:"options"`
		Libs    []string `json:"libs,omitempty"`
	}
	type executor struct {
		Compiler compiler `json:"compiler"`
	}
	session := struct {
		ID        int        `json:"id"`
		Language  string     `json:"language"`
		Source    string     `json:"source"`
		Compilers []compiler `json:"compilers"`
		Executors []executor `json:"executors,omitempty"`
	}{ID: 1, Language: x.language, Source: u.Files[0].Text}
	options := strings.Join(x.options(mode, flags), " ")
	ids := []string{failing}
	if good := x.release(u.lastGood()); good != "" && good != failing {
		ids = append(ids, good)
	}
	// Versions end in the processor where it is not this machine's.
	runs := compilers.ProcessorOf(e.Version) == "" && (x.language != "go" || !strings.Contains(e.Version, " "))
	for _, id := range ids {
		c := compiler{ID: id, Options: options}
		session.Compilers = append(session.Compilers, c)
		if runs && classes[e.Verdict].miscompiled {
			session.Executors = append(session.Executors, executor{c})
		}
	}
	state, err := json.Marshal(map[string]any{"sessions": []any{session}})
	if err != nil {
		panic("report: strings are no JSON: " + err.Error())
	}
	url := "https://godbolt.org/clientstate/" + base64.RawURLEncoding.EncodeToString(ascii(state))
	if len(url) > maxURL {
		return ""
	}
	return url
}

// lastGood returns the newest release of the family that is right at all levels at which the
// compiler of the test fails, with the same flags, or "".
func (u *bug) lastGood() string {
	e, best := u.Entry, ""
	for _, r := range u.Matrix.Rows {
		same := lineOf(r.Family, r.Version) == lineOf(e.Family, e.Version) && r.Args == strings.Join(e.Flags, " ")
		if same && compilers.SnapshotDay(r.Version) == "" && !slices.Contains(r.Cells, fails) && slices.Contains(r.Cells, works) &&
			(best == "" || compilers.CompareVersions(r.Version, best) > 0) {
			best = r.Version
		}
	}
	return best
}

// ascii writes characters beyond ASCII in JSON by their numbers: the page reads bytes.
func ascii(json []byte) []byte {
	var out strings.Builder
	for _, r := range string(json) {
		if r < 0x7f {
			out.WriteRune(r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&out, `\u%04x`, unit)
		}
	}
	return []byte(out.String())
}
