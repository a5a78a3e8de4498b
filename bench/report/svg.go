package report

import (
	"encoding/xml"
	"fmt"
	"math"
	"strings"
)

// Panel is one block of bars of a picture: the rows of one work of a group.
type Panel struct {
	Title string
	Note  string // what is better, and how the axis is divided
	Rows  []Row
	Ours  func(Row) bool // those that are drawn as ours
}

// The measures of a picture, in pixels.
const (
	width     = 900
	labels    = 250 // where bars begin
	bars      = 500 // the longest bar
	lineHigh  = 22
	titleHigh = 44
	margin    = 20
)

// The picture has a ground of its own, so that it can be read wherever it is
// shown, and follows what the reader's system prefers.
const style = `<style>
.ground{fill:#ffffff}.text{fill:#1f2328}.quiet{fill:#59636e}.ours{fill:#0969da}.peer{fill:#9aa4af}
@media (prefers-color-scheme: dark){.ground{fill:#0d1117}.text{fill:#f0f6fc}.quiet{fill:#9198a1}.ours{fill:#4493f8}.peer{fill:#656c76}}
text{font:13px ui-sans-serif,system-ui,"Segoe UI",Helvetica,Arial,sans-serif}.title{font-weight:600;font-size:15px}
</style>
`

// SVG draws panels below each other. Bars are on a logarithmic axis, since
// contenders are orders of magnitude apart.
func SVG(title string, panels []Panel) string {
	var body strings.Builder
	y := margin + titleHigh
	fmt.Fprintf(&body, "<text class=\"text title\" x=\"%d\" y=\"%d\">%s</text>\n", margin, margin+14, escape(title))
	for _, p := range panels {
		y = p.draw(&body, y)
	}
	return fmt.Sprintf("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">\n%s<rect class=\"ground\" width=\"%d\" height=\"%d\" rx=\"8\"/>\n%s</svg>\n",
		width, y, escape(title), style, width, y, body.String())
}

func (p Panel) draw(body *strings.Builder, y int) (below int) {
	fmt.Fprintf(body, "<text class=\"text title\" x=\"%d\" y=\"%d\">%s<tspan class=\"quiet\" dx=\"10\" font-weight=\"400\" font-size=\"12\">%s</tspan></text>\n",
		margin, y, escape(p.Title), escape(p.Note))
	y += 12
	scale := p.scale()
	for _, r := range p.Rows {
		class := "peer"
		if p.Ours(r) {
			class = "ours"
		}
		length := scale(r.shown())
		middle := y + lineHigh/2 + 4
		fmt.Fprintf(body, "<text class=\"text\" x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>\n", labels-8, middle, escape(r.Name))
		fmt.Fprintf(body, "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" rx=\"2\"/>\n", class, labels, y+3, length, lineHigh-6)
		fmt.Fprintf(body, "<text class=\"quiet\" x=\"%.1f\" y=\"%d\">%s</text>\n", labels+length+6, middle, escape(r.caption()))
		y += lineHigh
	}
	return y + titleHigh - 8
}

// shown is what the bar of the row is as long as.
func (r *Row) shown() float64 {
	if r.PerSecond > 0 {
		return r.PerSecond
	}
	return r.Median
}

func (r *Row) caption() string {
	if r.PerSecond > 0 {
		return digits(r.PerSecond) + "/s"
	}
	return r.Unit.Text(r.Median)
}

// scale gives the largest value the longest bar, and the smallest one that can
// still be seen.
func (p Panel) scale() func(float64) float64 {
	low, high := math.Inf(1), 0.0
	for _, r := range p.Rows {
		if v := r.shown(); v > 0 {
			low, high = min(low, v), max(high, v)
		}
	}
	low /= 2
	return func(v float64) float64 {
		if v <= low || high <= low {
			return 1
		}
		return max(1, bars*math.Log(v/low)/math.Log(high/low))
	}
}

func escape(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // a strings.Builder takes everything
	return b.String()
}
