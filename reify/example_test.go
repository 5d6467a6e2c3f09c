package reify_test

import (
	"fmt"
	"strings"

	"goreify/reify"
	"goreify/reify/emit/c"
	"goreify/reify/solve/search"
)

// A seed becomes a recipe, the recipe a function with a known answer, and the function a
// C program that prints this answer, unless the compiler is wrong.
func Example() {
	config, err := reify.ParseConfig("3,2,1,1,1") // blocks, variables, assignments, terms
	if err != nil {
		panic(err)
	}
	config.Graph.Loops, config.Graph.LoopBlocks, config.Graph.Depth = 1, 1, 1
	config.MinLen, config.Path.MaxLen = 4, 8
	config.Sketch.Sum, config.Sketch.Memory, config.Sketch.Arrays = true, 0, 0

	k, err := reify.Make("f", reify.FromSeed(279), config, search.Engine{})
	if err != nil {
		panic(err)
	}
	var path []string
	for _, block := range k.Path {
		path = append(path, k.Func.Blocks[block].Name)
	}
	fmt.Printf("f(%d) = %d by way of %s\n\n", k.Args[0], k.Want, strings.Join(path, " "))

	units := []c.Unit{{Claim: k.Claim}}
	text := c.Emit(units)
	start, end := strings.Index(text, "static int f"), strings.Index(text, "int test_f")
	fmt.Print(text[start:end]) // main calls it and prints the next line
	fmt.Print(c.Want(units))

	// Output:
	// f(-3) = 23216 by way of entry b1 b1 b1 b1 b1 exit
	//
	// static int f(int a)
	// {
	//     int b = -65536;
	//
	// entry:
	//     goto b1;
	//
	// b1:
	//     a = a + 17753 + -2;
	//     if (a / 4 - 21206 > 0)
	//         goto exit;
	//     goto b1;
	//
	// exit:
	//     return (int)((unsigned)a + (unsigned)b);
	// }
	//
	// f 23216
}
