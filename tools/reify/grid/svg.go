package grid

import (
	"fmt"
	"html"
	"net/url"
	"strings"

	"goreify/corpus"
	"goreify/reify/printable"
)

// Sizes of a picture, in its units.
const (
	side   = 7   // of a square
	left   = 90  // words of rows
	top    = 56  // words of columns
	margin = 12  // around all, and between tables
	legend = 130 // width of the words for a state
)

// text returns what may stand in XML, and only shows.
func text(s string) string { return html.EscapeString(printable.Line(s)) }

// SVG returns the picture of the grid. Wrong squares lead to the directory of their finding,
// from a directory beside that of findings.
func (g Grid) SVG() []byte {
	var b strings.Builder
	width, height := 2*margin+legend*len(states), 2*margin+30
	for _, t := range []Table{g.Singles, g.Pairs} {
		width = max(width, 2*margin+left+side*len(t.Columns))
		if len(t.Rows) > 0 {
			height += margin + 20 + top + side*len(t.Rows)
		}
	}
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%[1]d" height="%[2]d" font-family="sans-serif" font-size="7" role="img" aria-label="%[3]s">
<rect width="%[1]d" height="%[2]d" fill="#eeeeee"/>
<text x="%[4]d" y="%[5]d" font-size="14">%[3]s</text>
`, width, height, text(g.Target), margin, margin+10)
	for s := range states {
		x := margin + legend*s
		fmt.Fprintf(&b, `<rect x="%d" y="%d" width="%d" height="%[3]d" fill="%s"/><text x="%d" y="%d" font-size="9">%s</text>`+"\n",
			x, margin+20, side, states[s].colour, x+side+4, margin+27, State(s))
	}
	y := margin + 30
	for _, part := range []struct {
		title string
		Table
	}{{"operation by type", g.Singles}, {"operation, and the operation on its result", g.Pairs}} {
		if len(part.Rows) == 0 {
			continue
		}
		y += margin + 20
		fmt.Fprintf(&b, `<text x="%d" y="%d" font-size="11">%s</text>`+"\n", margin, y-8, part.title)
		part.draw(&b, y+top)
		y += top + side*len(part.Rows)
	}
	b.WriteString("</svg>\n")
	return []byte(b.String())
}

// draw writes a table whose first squares are at a height.
func (t Table) draw(b *strings.Builder, y int) {
	const x = margin + left
	fmt.Fprintf(b, `<g transform="translate(%d,%d) rotate(-90)">`+"\n", x+side-1, y-3)
	for i, w := range t.Columns {
		fmt.Fprintf(b, `<text y="%d">%s</text>`+"\n", side*i, text(w))
	}
	fmt.Fprintf(b, "</g>\n"+`<g transform="translate(%d,%d)" text-anchor="end">`+"\n", x-3, y+side-1)
	for j, row := range t.Rows {
		fmt.Fprintf(b, `<text y="%d">%s</text>`+"\n", side*j, text(row))
	}
	b.WriteString("</g>\n")
	var single strings.Builder
	paths := map[State]*line{NotAsked: {}, NotMade: {}, Same: {}, Right: {}} // in squares
	for j, row := range t.Rows {
		for i := 0; i < len(t.Columns); {
			s, ok := t.Squares[[2]string{row, t.Columns[i]}]
			n := 1
			switch path := paths[s.State]; {
			case !ok:
			case path == nil:
				square(&single, s, row+" "+t.Columns[i], x+side*i, y+side*j)
			default: // alike ones are one stroke
				for ; i+n < len(t.Columns); n++ {
					if next, ok := t.Squares[[2]string{row, t.Columns[i+n]}]; !ok || next.State != s.State {
						break
					}
				}
				path.stroke(i, j, n)
			}
			i += n
		}
	}
	fmt.Fprintf(b, `<g transform="translate(%d,%d) scale(%d)">`+"\n", x, y, side)
	for s := range states {
		if path := paths[State(s)]; path != nil && path.Len() > 0 {
			fmt.Fprintf(b, `<path stroke="%s" d="%s"/>`+"\n", states[s].colour, path)
		}
	}
	b.WriteString("</g>\n" + single.String())
}

// A line is the strokes of a path, each as high as a square.
type line struct {
	strings.Builder
	x, y int // of the end, if there is a stroke
}

// stroke adds so many squares from one on.
func (l *line) stroke(x, y, n int) {
	if l.Len() > 0 && l.y == y {
		fmt.Fprintf(l, "m%d 0h%d", x-l.x, n)
	} else {
		fmt.Fprintf(l, "M%d %d.5h%d", x, y, n)
	}
	l.x, l.y = x+n, y
}

// square writes one that is not alike others.
func square(b *strings.Builder, s Square, words string, x, y int) {
	rect := fmt.Sprintf(`<rect x="%d" y="%d" width="%d" height="%[3]d" fill="%s"><title>%s: %s</title></rect>`, x, y, side, states[s.State].colour, text(words), s.State)
	if s.Finding != "" {
		rect = fmt.Sprintf(`<a href="../%s/%s/">%s</a>`, corpus.FindingsDir, html.EscapeString(url.PathEscape(s.Finding)), rect)
	}
	b.WriteString(rect + "\n")
}
