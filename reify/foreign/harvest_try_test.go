package foreign

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"goreify/compilers"
	"goreify/compilers/targets"
	"goreify/reify/csource"
)

func TestHarvestTry(t *testing.T) {
	ctx := context.Background()
	ws, _ := compilers.NewWorkspace(os.TempDir())
	defer ws.Close()
	env := compilers.EnvFrom(os.Environ())
	found, _, err := targets.Find(ctx, env)
	if err != nil {
		t.Fatal(err)
	}
	usable, _ := compilers.ProbeAll(ctx, ws, found, compilers.DefaultLimits())
	var sans []compilers.Target
	for i := len(usable) - 1; i >= 0; i-- {
		if s, ok := usable[i].(compilers.Sanitizer); ok {
			u, err := s.Sanitized(ctx, ws, compilers.DefaultLimits())
			if err == nil {
				sans = append(sans, u)
			}
		}
	}
	h, err := NewHarvester(ctx, usable, sans, ws)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range h.witnesses {
		fmt.Println(w.target.ID(), w.reason, w.counted)
	}
	files := strings.Fields(os.Getenv("TRY"))
	var all []*Function
	for _, f := range files {
		text, _ := os.ReadFile(f)
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
		kept, _ := Extract(p, Options{Origin: Origin{File: filepath.Base(f)}})
		all = append(all, kept...)
	}
	fmt.Println(len(all), "variants")
	start, cpu := time.Now(), ws.ChildrenCPU()
	list, err := h.Harvest(ctx, all)
	if err != nil {
		t.Fatal(err)
	}
	four, pairs := 0, 0
	for _, x := range list {
		if len(x.Pairs) >= 4 {
			four++
		}
		pairs += len(x.Pairs)
		fmt.Println(x.Function.Origin.Name, x.Function.Symbol, x.Function.Class, x.Function.Models, len(x.Pairs), x.Refused, x.Rejected)
	}
	fmt.Println(len(list), four, pairs, time.Since(start), ws.ChildrenCPU()-cpu)
}
