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

func TestTry(t *testing.T) {
	files := strings.Fields(os.Getenv("TRY"))
	total := map[string]int{}
	ok, funcs, texts := 0, 0, 0
	out, _ := os.Create("/tmp/try.c")
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		dirs := []fs.FS{os.DirFS(filepath.Dir(f)), os.DirFS(filepath.Dir(f) + "/../include"), os.DirFS("/usr/include"), os.DirFS("/usr/include/x86_64-linux-gnu")}
		pre, err := csource.Preprocess(f, text, csource.LP64, dirs...)
		if err != nil {
			fmt.Println("PRE", f, err)
			continue
		}
		p, err := csource.ParseUnit(f, pre, csource.LP64)
		if err != nil {
			fmt.Println("PARSE", f, err)
			continue
		}
		ok++
		kept, refused := Extract(p, Options{})
		names := map[string]bool{}
		for _, k := range kept {
			names[k.Origin.Name] = true
			texts++
			fmt.Fprintln(out, k.Text)
		}
		funcs += len(names)
		total["kept"] += len(names)
		for _, r := range refused {
			total[r.Reason]++
			if os.Getenv("V") != "" {
				fmt.Println(f, r)
			}
		}
	}
	fmt.Println(len(files), ok, funcs, texts, total)
}
