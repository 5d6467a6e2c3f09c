package report

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"

	"goreify/compilers"
	"goreify/compilers/native"
	"goreify/corpus"
)

// A Bucket is findings that show the same bug, as far as is known.
type Bucket struct {
	Key      string    // the entries' bucket or, without one, their fingerprint
	Triaged  bool      // Key is a bucket
	Name     string    // Key made fit for a file name and an anchor; no other bucket of the group has it
	Findings []Finding // at least one; those that fail with Newest come first, and of these the smallest
	Newest   string    // version of the family, for this processor, that any finding of the group names
}

// Group puts findings of the same bucket together. Those without a bucket go by
// their fingerprint. Buckets come sorted: triaged ones first, then by key.
func Group(findings []Finding) []Bucket {
	newest := newestVersions(findings)
	type id struct {
		key     string
		triaged bool
	}
	groups := map[id][]Finding{}
	for _, f := range findings {
		k := id{f.Entry.Bucket, true}
		if k.key == "" {
			k = id{f.Entry.Fingerprint(), false}
		}
		groups[k] = append(groups[k], f)
	}
	var buckets []Bucket
	for k, list := range groups {
		rank := func(f Finding) int {
			if failsWith(f.Entry, newest[lineOf(f.Entry.Family, f.Entry.Version)]) {
				return 0
			}
			return 1
		}
		slices.SortFunc(list, func(a, b Finding) int { return cmp.Or(cmp.Compare(rank(a), rank(b)), compareSize(a, b)) })
		e := list[0].Entry
		buckets = append(buckets, Bucket{Key: k.key, Triaged: k.triaged, Findings: list, Newest: newest[lineOf(e.Family, e.Version)]})
	}
	slices.SortFunc(buckets, func(a, b Bucket) int {
		if a.Triaged != b.Triaged {
			if a.Triaged {
				return -1
			}
			return 1
		}
		return strings.Compare(a.Key, b.Key)
	})
	name(buckets)
	return buckets
}

// Live returns the buckets, with the findings, that are known to fail with the
// newest version of their family.
func Live(buckets []Bucket) []Bucket {
	var live []Bucket
	for _, b := range buckets {
		b.Findings = slices.DeleteFunc(slices.Clone(b.Findings), func(f Finding) bool { return !failsWith(f.Entry, b.Newest) })
		if len(b.Findings) > 0 {
			live = append(live, b)
		}
	}
	return live
}

// A line is a family of compilers for a processor. Versions of one are compared.
type line struct{ family, processor string }

func lineOf(family, version string) line {
	processor := compilers.ProcessorOf(version)
	if _, goarch, ok := strings.Cut(version, " "); ok && family == "gc" && !strings.Contains(goarch, " ") {
		processor = goarch
	}
	return line{family, processor}
}

// newestVersions returns the newest version of each line that findings name.
func newestVersions(findings []Finding) map[line]string {
	newest := map[line]string{}
	hear := func(family, version string) {
		l := lineOf(family, version)
		if old, ok := newest[l]; !ok || compilers.CompareVersions(version, old) > 0 {
			newest[l] = version
		}
	}
	for _, f := range findings {
		e := f.Entry
		hear(e.Family, e.Version)
		for _, c := range slices.Concat(e.Bad, e.Good, e.ReducedBad, e.ReducedGood) {
			hear(c.Family, c.Version)
		}
	}
	return newest
}

// failsWith tells whether a version of the family of an entry is known to fail: on
// its reduced test if there is one that was asked about.
func failsWith(e *corpus.Entry, version string) bool {
	list := e.Bad
	if len(e.ReducedBad) > 0 {
		list = e.ReducedBad
	} else if e.Version == version {
		return true
	}
	return slices.ContainsFunc(list, func(c corpus.Configuration) bool { return c.Family == e.Family && c.Version == version })
}

// compareSize orders findings by the size of their reduced test; findings without one
// come last, by the size of the original program.
func compareSize(a, b Finding) int {
	rank := func(f Finding) (unreduced, lines, bytes int) {
		if f.Entry.Reduced != "" {
			return 0, codeLines(f.Entry.Reduced), len(f.Entry.Reduced)
		}
		for _, text := range f.Entry.Sources {
			lines += codeLines(text)
			bytes += len(text)
		}
		return 1, lines, bytes
	}
	au, al, ab := rank(a)
	bu, bl, bb := rank(b)
	return cmp.Or(cmp.Compare(au, bu), cmp.Compare(al, bl), cmp.Compare(ab, bb), strings.Compare(a.Name, b.Name))
}

// codeLines counts the lines of text that are not blank.
func codeLines(text string) int {
	n := 0
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) != "" {
			n++
		}
	}
	return n
}

// maxName is how long a name gets before it is cut.
const maxName = 80

// name names buckets after their keys. Where that would be too long, or equal except
// for the case of letters, a hash of the key tells them apart.
func name(buckets []Bucket) {
	same := map[string]int{}
	for i := range buckets {
		buckets[i].Name = slug(buckets[i].Key)
		same[strings.ToLower(buckets[i].Name)]++
	}
	for i := range buckets {
		b := &buckets[i]
		if len(b.Name) <= maxName && same[strings.ToLower(b.Name)] == 1 {
			continue
		}
		kind := "fingerprint "
		if b.Triaged {
			kind = "bucket "
		}
		stem := strings.TrimRight(b.Name[:min(len(b.Name), maxName)], "-")
		b.Name = fmt.Sprintf("%s-%016x", stem, xxhash.Sum64String(kind+b.Key))
	}
}

// slug keeps letters, digits and dots inside words; each run of anything else
// becomes one dash.
func slug(s string) string {
	words := strings.FieldsFunc(s, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '.'
	})
	s = strings.Trim(strings.Join(words, "-"), ".-")
	if s == "" {
		return "bucket"
	}
	return s
}

// File is the name of the report of the bucket.
func (b Bucket) File() string { return b.Name + ".md" }

// Standing says in a sentence since when the bug is there, and whether it still is:
// "Fails since gcc 14.4.0 (13.5.0 works), still fails on trunk of 2026-10-20.". It is
// about the test in the report.
func (b Bucket) Standing() string {
	u := bug{Entry: b.Findings[0].Entry}
	u.setTest()
	text := u.Asked.standing(u.Entry.Family, b.Newest)
	if e := u.Entry; e.Reduced != "" && slices.ContainsFunc(e.Bad, func(c corpus.Configuration) bool { return c.Family == e.Family && c.Version == b.Newest }) {
		text = strings.Replace(text, " was not asked about this test", " fails on the program that this was made smaller from", 1)
	}
	return text
}

// Standing is Bucket.Standing, and says of the test in LLVM IR, of the development version and of
// newer compilers that were right since.
func (u *bug) Standing() string {
	text := u.Bucket.Standing()
	if versions := llvmVersions(u.IR); len(versions) > 0 {
		if m := unasked.FindStringSubmatch(text); m != nil && versions[0].number < cmp.Or(major(m[2]), math.MaxInt) {
			text = "Fails in " + m[1] + m[3] + m[4] + m[5]
		}
		said := toldOf(versions)
		if m := since.FindStringSubmatch(text); m != nil && slices.ContainsFunc(versions, func(v llvmVersion) bool { return !v.right && v.number <= major(m[1]) }) {
			text = said + " The table below is about the larger test in " + u.Entry.Language + ", which f" + strings.TrimPrefix(text, "F")
		} else {
			text += " " + said
		}
	}
	if tip := desks[native.Project(u.Entry.Family)].tip; tip != "" && text != "" {
		said := "not asked"
		for _, k := range u.Known {
			said = cmp.Or(k.Remarks().Tip, said)
		}
		text += " " + tip + ": " + said + "."
	}
	if n := len(u.Life); n > 0 && u.Life[n-1].State == corpus.Fixed {
		text = strings.TrimSpace(text + " Not to be filed: " + u.Life[n-1].Compiler + " is right, asked on " + u.Life[n-1].Day + ".")
	}
	return text
}

var (
	// unasked matches that no older version was asked: the oldest, its number, and the rest.
	unasked = regexp.MustCompile(`^Fails since (\w+ (\d*).*?)(?: or earlier \(no older one was asked\)(.*)|(, the newest asked); no older one was asked(\.))$`)
	since   = regexp.MustCompile(` \((\d+)\.[^()]* works\)`)
)

// count is how often the bucket was found.
func (b Bucket) count() int {
	n := 0
	for _, f := range b.Findings {
		n += f.Count
	}
	return n
}

// firstSeen is the day of the oldest finding.
func (b Bucket) firstSeen() string {
	return slices.MinFunc(b.Findings, func(x, y Finding) int { return strings.Compare(x.Entry.Date, y.Entry.Date) }).Entry.Date
}
