package cmdline

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/urfave/cli/v3"
)

// Print writes a value to the standard output of a command: as indented JSON if the flag of
// that name says so, or as write does.
func Print(c *cli.Command, v any, write func(io.Writer) error) error {
	w := c.Root().Writer
	if !c.Bool(JSON) {
		return write(w)
	}
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(w, string(text))
	return err
}

// Several returns a number of things: "1 bucket", "2 buckets".
func Several(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return fmt.Sprintf("%d %s", n, thing)
}
