package experiment

import (
	"bytes"
	"fmt"
	"image/color"
	"math"
	"strconv"

	"goreify/reify/safefile"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

const (
	successLabel = "recipes that end in a function, %"
	rateLabel    = "functions per CPU second"
)

// A chart is a plot with a curve for each series and its legend at the right.
// The y axis is in percent, or logarithmic.
type chart struct {
	file, title, x, y string
	percent           bool
	ticks             []int // of the x axis
	curves            []curve
}

// A curve is a series of points of ours, and those of the paper that are known.
type curve struct {
	name   string
	points plotter.XYs
	paper  plotter.XYs // drawn as crosses in the same colour
}

// colours can be told apart by the colour-blind (Okabe and Ito's palette).
func colours() []color.Color {
	return []color.Color{
		color.RGBA{0, 114, 178, 255}, color.RGBA{213, 94, 0, 255}, color.RGBA{0, 158, 115, 255},
		color.RGBA{204, 121, 167, 255}, color.RGBA{230, 159, 0, 255},
	}
}

// Sizes of a chart.
const (
	width       = 8.5 * vg.Inch
	height      = 4.5 * vg.Inch
	legendWidth = 1.9 * vg.Inch
	margin      = 0.1 * vg.Inch
)

// write writes the chart as SVG.
func (c chart) write(dir string) error {
	p, legend := plot.New(), plot.NewLegend()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = c.title, c.x, c.y
	p.Add(plotter.NewGrid())
	published := false
	for i, each := range c.curves {
		if err := c.draw(p, &legend, each, i); err != nil {
			return fmt.Errorf("%s: %w", c.file, err)
		}
		published = published || len(each.paper) > 0
	}
	if published {
		legend.Add("paper, Table 5", cross{color.Black})
	}
	c.scale(p)
	legend.Top, legend.Left = true, true
	legend.Padding = vg.Points(3)

	canvas := vgsvg.New(width, height)
	all := draw.Crop(draw.New(canvas), margin, -margin, margin, -margin)
	p.Draw(draw.Crop(all, 0, -legendWidth, 0, 0))
	legend.Draw(draw.Crop(all, width-legendWidth-margin, 0, 0, -height/8))

	var svg bytes.Buffer
	if _, err := canvas.WriteTo(&svg); err != nil {
		return fmt.Errorf("%s: %w", c.file, err)
	}
	return safefile.Write(file(dir, c.file), svg.Bytes(), 0o644)
}

// draw adds the curve of that number.
func (c chart) draw(p *plot.Plot, legend *plot.Legend, each curve, i int) error {
	line, points, err := plotter.NewLinePoints(c.drawable(each.points))
	if err != nil {
		return err
	}
	line.Color = colours()[i%len(colours())]
	points.Color, points.Shape = line.Color, draw.CircleGlyph{}
	p.Add(line, points)
	legend.Add(each.name, line, points)
	if len(each.paper) == 0 {
		return nil
	}
	marks, err := plotter.NewScatter(c.drawable(each.paper))
	if err != nil {
		return err
	}
	marks.Color, marks.Shape, marks.Radius = line.Color, draw.CrossGlyph{}, vg.Points(4)
	p.Add(marks)
	return nil
}

// smallest stands for a rate of 0, which a logarithmic axis does not have.
const smallest = 0.01

func (c chart) drawable(points plotter.XYs) plotter.XYs {
	if c.percent {
		return points
	}
	list := make(plotter.XYs, len(points))
	for i, p := range points {
		list[i] = plotter.XY{X: p.X, Y: max(p.Y, smallest)}
	}
	return list
}

// scale sets the axes. The y axis goes from 0 to 100 %, or between whole powers
// of ten.
func (c chart) scale(p *plot.Plot) {
	var ticks plot.ConstantTicks
	for _, x := range c.ticks {
		ticks = append(ticks, plot.Tick{Value: float64(x), Label: strconv.Itoa(x)})
	}
	p.X.Tick.Marker = ticks
	if c.percent {
		p.Y.Min, p.Y.Max = 0, 102
		return
	}
	p.Y.Min = math.Pow(10, math.Floor(math.Log10(p.Y.Min)))
	p.Y.Max = math.Pow(10, math.Floor(math.Log10(p.Y.Max))+1)
	p.Y.Scale = plot.LogScale{}
	p.Y.Tick.Marker = plot.LogTicks{Prec: -1}
}

// A cross is the picture of the paper's points in the legend.
type cross struct{ color.Color }

// Thumbnail implements plot.Thumbnailer.
func (x cross) Thumbnail(c *draw.Canvas) {
	c.DrawGlyph(draw.GlyphStyle{Color: x.Color, Shape: draw.CrossGlyph{}, Radius: vg.Points(4)}, c.Center())
}
