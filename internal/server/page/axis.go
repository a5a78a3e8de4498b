package page

import (
	"sort"
	"time"
)

// The axis of a timeline has axisWidth units. A time in which nothing was done is
// compressed to idleWidth of them, where it is a fifth of the whole, and not shorter
// than shortestGap.
const (
	axisWidth   = 1000.0
	idleWidth   = 60.0
	shortestGap = 2 * time.Second
)

// span is a time in which something was done.
type span struct{ from, to time.Time }

// bar is a part of the axis in which a run was in one stage.
type bar struct {
	X, Width float64
	Class    string
	Title    string
}

// gap is a part of the axis that stands for a long time in which nothing was done.
type gap struct {
	X, Width float64
	Label    string
}

// Text is the label of the gap, which stays between the ends of the axis.
func (g gap) Text() tick {
	switch {
	case g.X < labelWidth/2:
		return tick{X: g.X, Label: g.Label, Anchor: "start"}
	case g.X+g.Width > axisWidth-labelWidth/2:
		return tick{X: g.X + g.Width, Label: g.Label, Anchor: "end"}
	}
	return tick{X: g.X + g.Width/2, Label: g.Label, Anchor: "middle"}
}

// labelWidth is the room that the label of a time takes where there is little of it.
const labelWidth = 110.0

// tick is the name of a place on the axis.
type tick struct {
	X      float64
	Label  string
	Anchor string // the part of the label that is at the place: start, middle or end
}

// axis leads from times to places.
type axis struct {
	pieces []piece // in order, without a gap between them
}

type piece struct {
	span
	x, width float64
	idle     bool
}

// newAxis makes the axis of a whole in which something was done at times.
func newAxis(whole span, busy []span) *axis {
	total := whole.to.Sub(whole.from)
	if total <= 0 {
		return &axis{[]piece{{span: span{whole.from, whole.from.Add(time.Nanosecond)}, width: axisWidth}}}
	}
	sort.Slice(busy, func(i, j int) bool { return busy[i].from.Before(busy[j].from) })
	longIdle := max(time.Duration(float64(total)*0.2), shortestGap)
	a := &axis{}
	at := whole.from
	for _, b := range append(busy, span{whole.to, whole.to}) {
		if b.from.Sub(at) > longIdle {
			a.pieces = append(a.pieces, piece{span: span{at, b.from}, idle: true})
			at = b.from
		}
		if b.to.After(at) {
			a.extend(span{at, b.to})
			at = b.to
		}
	}
	if !a.worth() {
		a.pieces = []piece{{span: whole}}
	}
	a.place()
	return a
}

// worth reports whether making gaps shorter shows more of what was done: where that took
// next to nothing, the axis would be of what no one looks for.
func (a *axis) worth() bool {
	var busy time.Duration
	for _, p := range a.pieces {
		if !p.idle {
			busy += p.to.Sub(p.from)
		}
	}
	last := a.pieces[len(a.pieces)-1]
	return busy > last.to.Sub(a.pieces[0].from)/leastBusy
}

// leastBusy is which part of a time in which something was done, at least, its gaps are
// made shorter for.
const leastBusy = 1000

// extend adds a time in which something was done; those that follow each other are one
// piece, so that finding a place stays cheap.
func (a *axis) extend(s span) {
	if last := len(a.pieces) - 1; last >= 0 && !a.pieces[last].idle {
		a.pieces[last].to = s.to
		return
	}
	a.pieces = append(a.pieces, piece{span: s})
}

// place gives each piece its part of the width.
func (a *axis) place() {
	var busy time.Duration
	idle := 0
	for _, p := range a.pieces {
		if p.idle {
			idle++
		} else {
			busy += p.to.Sub(p.from)
		}
	}
	left := axisWidth - float64(idle)*idleWidth
	if busy == 0 {
		left = 0
	}
	x := 0.0
	for i := range a.pieces {
		p := &a.pieces[i]
		switch {
		case busy == 0:
			p.width = axisWidth / float64(len(a.pieces))
		case p.idle:
			p.width = idleWidth
		default:
			p.width = left * float64(p.to.Sub(p.from)) / float64(busy)
		}
		p.x = x
		x += p.width
	}
}

func (a *axis) at(t time.Time) float64 {
	for _, p := range a.pieces {
		if t.Before(p.to) {
			if t.Before(p.from) {
				return p.x
			}
			return p.x + p.width*float64(t.Sub(p.from))/float64(p.to.Sub(p.from))
		}
	}
	return axisWidth
}

// bar is at least wide enough to be seen.
func (a *axis) bar(from, to time.Time, class, title string) bar {
	x := a.at(from)
	width := max(a.at(to)-x, 3)
	return bar{X: min(x, axisWidth-width), Width: width, Class: class, Title: title}
}

func (a *axis) gaps() []gap {
	var gaps []gap
	for _, p := range a.pieces {
		if p.idle {
			gaps = append(gaps, gap{X: p.x, Width: p.width, Label: took(p.to.Sub(p.from))})
		}
	}
	return gaps
}

// ticks name the beginning, the end and round times between them, as far as there is room.
func (a *axis) ticks() []tick {
	begin, last := a.pieces[0].from, a.pieces[len(a.pieces)-1]
	ticks := []tick{{Label: "0", Anchor: "start"}}
	for _, p := range a.pieces {
		if p.idle || p.width < labelWidth {
			continue
		}
		step := roundStep(time.Duration(float64(p.to.Sub(p.from)) * 1.6 * labelWidth / p.width))
		for at := p.from.Sub(begin).Truncate(step) + step; at < p.to.Sub(begin); at += step {
			x := a.at(begin.Add(at))
			if x-ticks[len(ticks)-1].X >= labelWidth && axisWidth-x >= 1.5*labelWidth {
				ticks = append(ticks, tick{X: x, Label: took(at), Anchor: "middle"})
			}
		}
	}
	return append(ticks, tick{X: axisWidth, Label: took(last.to.Sub(begin)), Anchor: "end"})
}

// roundStep is the shortest step that people count in and that is not below another.
func roundStep(least time.Duration) time.Duration {
	for unit := time.Microsecond; unit < time.Minute; unit *= 10 {
		for _, n := range []time.Duration{1, 2, 5} {
			if n*unit >= least && n*unit < time.Minute {
				return n * unit
			}
		}
	}
	for _, minutes := range []time.Duration{1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720} {
		if minutes*time.Minute >= least {
			return minutes * time.Minute
		}
	}
	const day = 24 * time.Hour
	return (least + day - 1) / day * day
}
