package compilers

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"syscall"

	"goreify/reify/safefile"
)

// An Identity tells a file from one that comes to be in its place.
type Identity struct {
	Resolved string // the path behind all links
	Size     int64
	Modified int64 // in nanoseconds since 1970
	Inode    uint64
}

// IdentityOf returns the identity of the file behind a path in a root directory.
func IdentityOf(root, path string) (Identity, error) {
	resolved, err := InRoot(root, path)
	if err != nil {
		return Identity{}, err
	}
	info, err := os.Stat(resolved)
	if err != nil {
		return Identity{}, err
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return Identity{}, errors.New(resolved + ": the file has no inode")
	}
	return Identity{resolved, info.Size(), info.ModTime().UnixNano(), stat.Ino}, nil
}

// A Sighting is which files were at the paths of a target's parts: those that change
// when it is built anew. The zero Sighting has no paths.
type Sighting struct {
	root  string
	paths []string
	were  []Identity
}

// See returns which files are at some paths in a root directory.
func See(root string, paths ...string) (Sighting, error) {
	s := Sighting{root: root, paths: paths}
	for _, path := range paths {
		is, err := IdentityOf(root, path)
		if err != nil {
			return Sighting{}, err
		}
		s.were = append(s.were, is)
	}
	return s, nil
}

// Begins tells whether a path in a root directory is the first one.
func (s Sighting) Begins(root, path string) bool {
	return s.root == root && len(s.paths) > 0 && s.paths[0] == path
}

// Changed returns an error if other files are at the paths now, for a target of a name
// and a version. It costs some microseconds for each.
func (s Sighting) Changed(name, version string) error {
	for i, path := range s.paths {
		now, err := IdentityOf(s.root, path)
		switch {
		case err != nil:
			return fmt.Errorf("%s is gone: %w", name, err)
		case now != s.were[i]:
			return fmt.Errorf("%s is not the compiler any more that was found as version %s: %s was replaced", name, version, now.Resolved)
		}
	}
	return nil
}

// digestsFile is the file in the cache that holds the digests of files that were read.
const digestsFile = "digests.json"

// Digest returns the first digits of the digest of what the files hold. Those that the
// cache knows, a directory or "", are not read again.
func (s Sighting) Digest(cache string) (string, error) {
	known := ReadCache[digested](cache, digestsFile)
	all, added := sha256.New(), false
	for _, is := range s.were {
		d, ok := known[is.Resolved]
		if !ok || d.Identity != is {
			sum, err := sumOf(is.Resolved)
			if err != nil {
				return "", err
			}
			d, added = digested{is, sum}, true
			known[is.Resolved] = d
		}
		fmt.Fprintln(all, d.Sum)
	}
	if added {
		WriteCache(cache, digestsFile, known)
	}
	return hex.EncodeToString(all.Sum(nil))[:8], nil
}

// A digested file is one whose digest is known.
type digested struct {
	Identity
	Sum string
}

func sumOf(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// ReadCache returns what a file of a cache, a directory or "", holds of files, by their
// paths. A file that cannot be read holds nothing.
func ReadCache[T any](cache, name string) map[string]T {
	known := map[string]T{}
	if cache == "" {
		return known
	}
	text, err := safefile.Read(filepath.Join(cache, name), safefile.Most)
	if err != nil || json.Unmarshal(text, &known) != nil || known == nil {
		return map[string]T{}
	}
	return known
}

// WriteCache writes that, without files that are gone, and makes the directory. Other
// processes see the old content or the new, and no part of it. Failures are passed over:
// the content is found out again.
func WriteCache[T any](cache, name string, known map[string]T) {
	if cache == "" {
		return
	}
	maps.DeleteFunc(known, func(path string, _ T) bool {
		_, err := os.Stat(path)
		return errors.Is(err, fs.ErrNotExist)
	})
	text, err := json.MarshalIndent(known, "", "\t")
	if err == nil && os.MkdirAll(cache, 0o700) == nil {
		_ = safefile.Write(filepath.Join(cache, name), append(text, '\n'), 0o600)
	}
}

// A Stamped target can tell its build from others that call themselves the same.
type Stamped interface {
	Target
	// Digest returns the digest of what compiles. Where cache is a directory, it remembers
	// digests.
	Digest(cache string) (string, error)
	// Stamped returns the target with a digest in its version: "17.0.0 20261123 build 1a2b3c4d".
	Stamped(digest string) Target
}
