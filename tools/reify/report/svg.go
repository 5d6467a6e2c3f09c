package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// The elements and attributes of Graphviz's output that restyle keeps.
var (
	svgElements   = []string{"g", "polygon", "polyline", "path", "ellipse", "text"}
	svgAttributes = []string{"transform", "points", "d", "cx", "cy", "rx", "ry", "x", "y", "text-anchor", "font-size", "stroke-width", "stroke-dasharray"}
	svgColours    = []string{"none", "transparent", "lightblue", "black", "grey", "blue"}
)

// restyle prepares SVG by Graphviz for a page: only elements that draw are kept,
// colours become classes, to which the page's style gives a meaning for light and dark,
// and names that could be equal in two graphs are removed. The label says what the
// picture shows, for those who cannot see it.
func restyle(svg []byte, label string) (string, error) {
	var out strings.Builder
	dec := xml.NewDecoder(bytes.NewReader(svg))
	depth, skipped := 0, 0 // elements that are open, and how many of them are left out
	for {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return "", fmt.Errorf("SVG: %w", err)
		}
		switch t := token.(type) {
		case xml.StartElement:
			depth++
			root := depth == 1 && t.Name.Local == "svg"
			if skipped > 0 || !root && !slices.Contains(svgElements, t.Name.Local) || background(t) {
				skipped++
				continue
			}
			if root {
				head, err := svgHead(t, label)
				if err != nil {
					return "", err
				}
				out.WriteString(head)
				continue
			}
			out.WriteString("<" + t.Name.Local + keptAttributes(t) + ">")
		case xml.EndElement:
			depth--
			if skipped > 0 {
				skipped--
				continue
			}
			out.WriteString("</" + t.Name.Local + ">")
			if t.Name.Local == "g" {
				out.WriteByte('\n')
			}
		case xml.CharData:
			if skipped == 0 && depth > 0 && len(bytes.TrimSpace(t)) > 0 {
				out.WriteString(escape(string(t)))
			}
		}
	}
	if out.Len() == 0 {
		return "", errors.New("SVG: it is empty")
	}
	return out.String(), nil
}

// background tells whether an element is the white sheet that Graphviz draws on.
func background(t xml.StartElement) bool {
	return t.Name.Local == "polygon" && attribute(t, "fill") == "white"
}

// smallest is how far a picture may be shrunk to fit: below that its letters
// cannot be read, and it scrolls.
const smallest = 0.8

// svgHead returns the start of the picture with its size. It may be shrunk a
// little, never stretched.
func svgHead(t xml.StartElement, label string) (string, error) {
	box := strings.Fields(attribute(t, "viewBox"))
	if len(box) != 4 {
		return "", errors.New("SVG: it has no viewBox")
	}
	var size [2]float64
	for i, text := range box {
		v, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return "", fmt.Errorf("SVG: viewBox: %w", err)
		}
		if i >= 2 {
			size[i-2] = v
		}
	}
	// Graphviz counts points, of which there are 3 to 4 pixels.
	width := math.Round(size[0] * 4 / 3)
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="%s" viewBox="%s" style="width:%.0fpx;min-width:%.0fpx;max-width:100%%">`+"\n",
		escape(label), escape(strings.Join(box, " ")), width, math.Round(smallest*width)), nil
}

// keptAttributes returns what stays of the attributes of an element, with a space
// before each.
func keptAttributes(t xml.StartElement) string {
	var text strings.Builder
	var classes []string
	paint := func(kind, colour string) {
		if colour == "" && kind == "stroke" {
			return
		}
		if !slices.Contains(svgColours, colour) {
			colour = "black"
		}
		classes = append(classes, kind+"-"+colour)
	}
	if t.Name.Local != "g" {
		paint("fill", attribute(t, "fill"))
		paint("stroke", attribute(t, "stroke"))
		fmt.Fprintf(&text, ` class="%s"`, strings.Join(classes, " "))
	}
	for _, a := range t.Attr {
		if a.Name.Space == "" && slices.Contains(svgAttributes, a.Name.Local) {
			fmt.Fprintf(&text, ` %s="%s"`, a.Name.Local, escape(a.Value))
		}
	}
	return text.String()
}

func attribute(t xml.StartElement, name string) string {
	for _, a := range t.Attr {
		if a.Name.Space == "" && a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

func escape(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // a Builder takes everything
	return b.String()
}
