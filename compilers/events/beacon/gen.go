//go:build ignore

// Gen writes lamps.go.
package main

import (
	"bytes"
	"fmt"
	"log"
	"os"

	"goreify/compilers/events/beacon/board"
)

func main() {
	var b bytes.Buffer
	board.Write(&b)
	if err := os.WriteFile("lamps.go", b.Bytes(), 0o644); err != nil {
		log.Fatal(err)
	}
	fmt.Println("lamps.go:", board.Rows*board.Columns, "lamps")
}
