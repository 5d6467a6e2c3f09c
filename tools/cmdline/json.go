package cmdline

import (
	"encoding/json"
	"fmt"
	"io"
)

// PrintJSON writes a value as indented JSON.
func PrintJSON(w io.Writer, v any) error {
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
