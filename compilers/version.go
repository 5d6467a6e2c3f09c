package compilers

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"
)

// CompareVersions orders versions such as "12.2.0" number by number, and snapshots such
// as "17.0.0 20261020" by their day. Words that are no numbers come before numbers, and
// in the order of their text.
func CompareVersions(a, b string) int {
	between := func(r rune) bool { return strings.ContainsRune(". -+", r) }
	as, bs := strings.FieldsFunc(a, between), strings.FieldsFunc(b, between)
	for i := range min(len(as), len(bs)) {
		x, y := number(as[i]), number(bs[i])
		c := cmp.Compare(x, y)
		if x < 0 && y < 0 {
			c = strings.Compare(as[i], bs[i])
		}
		if c != 0 {
			return c
		}
	}
	return cmp.Compare(len(as), len(bs))
}

// number returns the number that a text is, or -1.
func number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		return -1
	}
	return max(n, -1)
}

var day = regexp.MustCompile(`\b(20\d\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?:\d{6})?\b`)

// SnapshotDay returns the day, as 2006-01-02, that a version such as "17.0.0
// 20261020" is the snapshot of, or "" if it names none: then it is a release.
func SnapshotDay(version string) string {
	m := day.FindStringSubmatch(version)
	if m == nil {
		return ""
	}
	return strings.Join(m[1:], "-")
}

var development = regexp.MustCompile(`-devel\b|-devel_|\dgit\b|-internal\b|-pre\b`)

// Development tells whether a version is not that of a release: two builds of it may
// differ.
func Development(version string) bool {
	return SnapshotDay(version) != "" || development.MatchString(version)
}

var build = regexp.MustCompile(` build ([0-9a-f]{8})\b`)

// StampVersion returns a version with the digest of its build.
func StampVersion(version, digest string) string { return version + " build " + digest }

// BuildOf returns the digest that StampVersion has put into a version, or "".
func BuildOf(version string) string {
	if m := build.FindStringSubmatch(version); m != nil {
		return m[1]
	}
	return ""
}

// ProcessorOf returns the triple that ends the version of a compiler for another
// processor, such as "16.2.0 s390x-linux-gnu"; "" if it is for this machine's.
func ProcessorOf(version string) string {
	last := version[strings.LastIndexByte(version, ' ')+1:]
	if strings.Count(last, "-") >= 2 {
		return last
	}
	return ""
}
