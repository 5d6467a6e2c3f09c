package corpus

import (
	"fmt"
	"strings"

	"github.com/cespare/xxhash/v2"
	"golang.org/x/tools/txtar"
)

// digestKey is the key of the lines that hold the digests of the files, a line each:
// the name and the digest. Format 1 has no digests.
const digestKey = "digest"

// digest returns the digest of a file, 16 hexadecimal digits of xxhash. A digest
// protects against accidents: a deceiver computes it anew.
func digest(data []byte) string { return fmt.Sprintf("%016x", xxhash.Sum64(data)) }

func digestLines(e *Entry) []string {
	var lines []string
	for _, f := range e.members() {
		lines = append(lines, f.Name+" "+digest(f.Data))
	}
	return lines
}

// A digestLine is the statement of a line of the header about a file.
type digestLine struct {
	line      int
	name, hex string
}

func (p *parser) addDigest(v string) error {
	words := strings.Fields(v)
	if len(words) != 2 {
		return p.errorf("%s: want the name of a file and its digest, or remove the line", digestKey)
	}
	for _, d := range p.digests {
		if d.name == words[0] {
			return p.errorf("%s: second one of %s, the first is at line %d", digestKey, d.name, d.line)
		}
	}
	p.digests = append(p.digests, digestLine{p.line, words[0], words[1]})
	return nil
}

// checkDigests compares the files with their digests. If the digest of want.txt is
// missing, a mismatch with the answer in the header shows that the archive was cut
// there.
func (p *parser) checkDigests(files []txtar.File) error {
	is := map[string]string{}
	for _, f := range files {
		is[f.Name] = digest(f.Data)
	}
	sure := false
	for _, d := range p.digests {
		if is[d.name] == "" {
			p.line = d.line
			return p.errorf("no file %s, which has a digest: the archive was cut; remove the digest line if the file is not wanted", d.name)
		}
		sure = sure || d.name == "want.txt"
	}
	for _, d := range p.digests {
		if is[d.name] != d.hex {
			p.line = d.line
			return p.errorf("%s was changed after it was written: its digest is %s, not %s; remove its digest line if this is wanted", d.name, is[d.name], d.hex)
		}
	}
	want, expected := p.entry.Want, p.entry.Expected
	if last := files[len(files)-1].Name; !sure && last == "want.txt" && expected != "" && len(want) <= maxBytes && Answers(want) != expected {
		return p.errorf("want.txt, the last file, is not what the header expects, %q: the archive was cut, or one of them is wrong", expected)
	}
	return nil
}
