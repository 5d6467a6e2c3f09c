package golang

import (
	"fmt"
	"os"
	"testing"

	"goreify/reify"
	"goreify/reify/solve/search"
)

func TestTry(t *testing.T) {
	for _, name := range []string{"focus", "mixed", "paper", "wild", "swarm", "loops", "narrow", "facts", "large", "strength"} {
		p, err := reify.FindProfile(name)
		if err != nil {
			t.Fatal(err)
		}
		p = p.Without(Masked...)
		var units []Unit
		bad := 0
		for i := range 150 {
			r := reify.FromSeed(uint64(i))
			k, err := reify.Make(fmt.Sprintf("f%d", i), r, p.Configure(r), search.Engine{})
			if err != nil {
				continue
			}
			if err := Supports(k.Func); err != nil {
				bad++
				t.Log(name, err)
				continue
			}
			style := DrawStyle(r.Style())
			style.Structured = true
			units = append(units, Unit{k.Claim, style, k.More})
		}
		t.Log(name, len(units), bad)
		os.MkdirAll("/tmp/g/"+name, 0o755)
		os.WriteFile("/tmp/g/"+name+"/repro.go", []byte(Emit(units)), 0o644)
		os.WriteFile("/tmp/g/"+name+"/want", []byte(Want(units)), 0o644)
	}
}
