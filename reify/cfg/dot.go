package cfg

import (
	"fmt"
	"strings"
)

// maxSteps is how many step numbers DOT writes on an edge; on an edge with more steps
// it writes their number alone.
const maxSteps = 6

// DOT returns the graph in the language of Graphviz with a path highlighted. The blocks
// that the path visits are filled, and labelled with the number of visits if there are
// several. Its edges are labelled with the steps that take them, counted from 1.
// Everything else is grey. The edge of a false condition is dashed, and so is that of a
// switch's default. names holds the name of each block, or is nil for those of Name;
// path may be nil.
func (g *Graph) DOT(names []string, path []int) string {
	visits := make([]int, g.Len())
	steps := make(map[[2]int][]int)
	for i, b := range path {
		visits[b]++
		if i > 0 {
			e := [2]int{path[i-1], b}
			steps[e] = append(steps[e], i)
		}
	}
	var sb strings.Builder
	sb.WriteString("digraph cfg {\n")
	sb.WriteString("\tnode [shape=box, fontname=monospace];\n")
	sb.WriteString("\tedge [fontname=monospace, fontsize=10];\n")
	for b := range g.Succs {
		name := g.Name(b)
		if names != nil {
			name = names[b]
		}
		attrs := "color=grey, fontcolor=grey"
		if visits[b] > 0 {
			attrs = "style=filled, fillcolor=lightblue"
		}
		if visits[b] > 1 {
			name += fmt.Sprintf(" ×%d", visits[b])
		}
		fmt.Fprintf(&sb, "\t%d [label=%s, %s];\n", b, dotQuote(name), attrs)
	}
	for b, list := range g.Succs {
		for i, t := range list {
			attrs := []string{"color=grey"}
			if taken := steps[[2]int{b, t}]; taken != nil {
				attrs = []string{"color=blue", "penwidth=2", "label=" + dotQuote(stepLabel(taken))}
			}
			if i > 0 && i == len(list)-1 {
				attrs = append(attrs, "style=dashed")
			}
			fmt.Fprintf(&sb, "\t%d -> %d [%s];\n", b, t, strings.Join(attrs, ", "))
		}
	}
	sb.WriteString("}\n")
	return sb.String()
}

func stepLabel(steps []int) string {
	text := strings.Trim(fmt.Sprint(steps[:min(len(steps), maxSteps)]), "[]")
	if len(steps) > maxSteps {
		text += fmt.Sprintf(" … ×%d", len(steps))
	}
	return text
}

// dotQuote returns s as a quoted string. Quotes are the only characters that the
// language escapes; a backslash is doubled because labels give it a meaning.
func dotQuote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s) + `"`
}
