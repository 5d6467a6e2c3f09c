package foreign

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

func TestTry(t *testing.T) {
	files := strings.Fields(os.Getenv("TRY"))
	total := map[string]int{}
	ok, texts := 0, 0
	out, _ := os.Create("/tmp/try.c")
	flags, err := ParseFlags(os.Getenv("CFLAGS"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		p, _, err := Load(f, flags, Origin{})
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
			if os.Getenv("V") == "puns" && k.Class == Puns {
				fmt.Println(k.Origin.Name)
			}
			total["class "+string(k.Class)]++
		}
		total["kept"] += len(names)
		for _, r := range refused {
			total[r.Reason]++
			if os.Getenv("V") != "" && r.Reason != "name" {
				fmt.Println(f, r)
			}
		}
	}
	fmt.Println(len(files), ok, texts, total)
}
