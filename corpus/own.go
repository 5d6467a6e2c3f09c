package corpus

import (
	"embed"
	"io/fs"
	"sync"
)

// repository holds this repository's reproducers, as they were when the program was built. A list
// of their digests would have to be renewed with each that is triaged.
//
//go:embed *.txtar
var repository embed.FS

// ownContents returns the contents of the repository's reproducers.
var ownContents = sync.OnceValue(func() map[string]bool {
	own := map[string]bool{}
	files, err := fs.Glob(repository, "*"+Ext)
	for _, name := range files {
		var data []byte
		if data, err = repository.ReadFile(name); err != nil {
			break
		}
		own[string(data)] = true
	}
	if err != nil {
		panic("corpus: what is in the program cannot be read: " + err.Error())
	}
	return own
})

// LoadOwn is Load, and tells whether the file has the content of one of this repository's
// reproducers, which its authors have looked at. Where the file lies, and what it is called, says
// nothing. The bytes that are compared are those that the entry is made of.
func LoadOwn(path string) (e *Entry, own bool, err error) {
	data, err := readFile(path)
	if err != nil {
		return nil, false, err
	}
	return parse(path, data)
}
