// Command made prints functions of a profile, for TestHowToAdd.
package main

import (
	"fmt"
	"os"
	"strings"

	"goreify/reify"
	"goreify/reify/emit/c"
	"goreify/reify/solve/search"
)

func main() {
	name, features, _ := strings.Cut(os.Args[1], "+")
	p, err := reify.FindProfile(name)
	for seed := uint64(0); err == nil && seed < 20; seed++ {
		r := reify.FromSeed(seed)
		var conf reify.Config
		if conf, err = p.Configure(r).With("+" + features); err != nil {
			break
		}
		var k *reify.Case
		if k, err = reify.Make("f", r, conf, search.Engine{}); err == nil {
			fmt.Printf("%s\n%s\n", k.Func, c.Emit([]c.Unit{{Claim: k.Claim}}))
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
