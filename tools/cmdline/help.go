package cmdline

import (
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v3"
)

// The library's templates make screens of the help that nobody reads to the end.
func init() {
	cli.HelpPrinter = func(w io.Writer, _ string, data any) {
		if c, ok := data.(*cli.Command); ok {
			fmt.Fprint(w, Help(c))
		}
	}
}

// Help returns the help of a command: a line for each flag, or each command.
func Help(c *cli.Command) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\nUSAGE: %s [flags]", c.FullName(), c.Usage, c.FullName())
	if c.Root() == c {
		b.WriteString(" COMMAND [flags]")
	}
	if c.ArgsUsage != "" {
		b.WriteString(" " + c.ArgsUsage)
	}
	b.WriteString("\n")
	var rows [][2]string
	for _, below := range c.Commands {
		if !below.Hidden && below.Name != "help" {
			rows = append(rows, [2]string{below.Name, below.Usage})
		}
	}
	writeRows(&b, rows)
	if c.Description != "" {
		fmt.Fprintf(&b, "\n%s\n", strings.Trim(c.Description, "\n"))
	}
	rows = nil
	for _, f := range c.Flags {
		if row, ok := flagRow(f); ok {
			rows = append(rows, row)
		}
	}
	writeRows(&b, rows)
	if root := c.Root(); root != c {
		var names []string
		for _, f := range root.Flags {
			name := f.Names()[0]
			if _, ok := flagRow(f); ok && takes(c, name) {
				names = append(names, "-"+name)
			}
		}
		fmt.Fprintf(&b, "\nFlags of every command (see %s -help): %s\n", root.Name, strings.Join(names, " "))
	}
	return b.String()
}

// flagRow returns what help says of a flag; nothing of help itself.
func flagRow(f cli.Flag) (row [2]string, ok bool) {
	doc, ok := f.(cli.DocGenerationFlag)
	name := f.Names()[0]
	if visible, isVisible := f.(cli.VisibleFlag); !ok || name == "help" || isVisible && !visible.IsVisible() {
		return row, false
	}
	usage, holder := doc.GetUsage(), ""
	if before, rest, quoted := strings.Cut(usage, "`"); quoted {
		holder, rest, _ = strings.Cut(rest, "`")
		if usage = before + holder + rest; before == "" {
			usage = strings.TrimLeft(rest, " ,:")
		}
	}
	if value := defaultOf(f); value != "" && name != Workers {
		usage += " (default: " + value + ")"
	}
	return [2]string{strings.TrimSpace("-" + name + " " + holder), usage}, true
}

// defaultOf returns the default of a flag, "" if that is nothing.
func defaultOf(f cli.Flag) string {
	text := ""
	switch f := f.(type) {
	case *cli.StringFlag:
		text = f.Value
	case *cli.IntFlag:
		text = fmt.Sprint(f.Value)
	case *cli.Uint64Flag:
		text = fmt.Sprint(f.Value)
	case *cli.DurationFlag:
		text = f.Value.String()
	}
	if text == "0" || text == "0s" {
		return ""
	}
	return text
}

// columns are how wide help is.
const columns = 100

// wrap returns the lines of a text that are at most so wide, if its words are.
func wrap(text string, width int) (lines []string) {
	line := ""
	for word := range strings.FieldsSeq(text) {
		if line != "" && len(line)+1+len(word) > width {
			lines = append(lines, line)
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}

// Rows returns rows in two columns, as help has them.
func Rows(rows [][2]string) string {
	var b strings.Builder
	writeRows(&b, rows)
	return strings.TrimPrefix(b.String(), "\n")
}

// writeRows writes rows in two columns after an empty line.
func writeRows(b *strings.Builder, rows [][2]string) {
	width := 0
	for _, r := range rows {
		width = max(width, len(r[0]))
	}
	for i, r := range rows {
		if i == 0 {
			b.WriteString("\n")
		}
		for j, line := range wrap(r[1], columns-width-4) {
			if j > 0 {
				r[0] = ""
			}
			fmt.Fprintf(b, "  %-*s  %s\n", width, r[0], line)
		}
	}
}
