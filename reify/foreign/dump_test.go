package foreign

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"goreify/reify/csource"
)

func TestDump(t *testing.T) {
	f := os.Getenv("TRY")
	text, _ := os.ReadFile(f)
	dirs := []fs.FS{os.DirFS(filepath.Dir(f))}
	flags, _ := ParseFlags(os.Getenv("CFLAGS"))
	for _, d := range flags.Dirs {
		dirs = append(dirs, os.DirFS(d))
	}
	dirs = append(dirs, standIn2(), compilersHeaders{csource.Headers()}, os.DirFS("/usr/include"), os.DirFS("/usr/include/x86_64-linux-gnu"), csource.Headers())
	out, err := csource.PreprocessOver(f, append([]byte(flags.Define), text...), csource.LP64, dirs...)
	fmt.Println(err)
	lines := strings.Split(string(out), "\n")
	var a, b int
	fmt.Sscanf(os.Getenv("L"), "%d,%d", &a, &b)
	for i := a; i < b && i < len(lines); i++ {
		fmt.Println(i+1, lines[i])
	}
}

func standIn2() fs.FS { f, _ := fs.Sub(standIn, "c"); return f }
