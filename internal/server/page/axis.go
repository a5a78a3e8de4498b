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
	idleWidth   = 40.0
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

type tick struct {
	X     float64
	Label string
	Last  bool
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
	if len(a.pieces) == 1 {
		a.pieces[0].idle = false // there is nothing to make longer by making it shorter
	}
	a.place()
	return a
}

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

// ticks name the beginning, the end and the ends of gaps.
func (a *axis) ticks() []tick {
	begin := a.pieces[0].from
	ticks := []tick{{X: 0, Label: "0"}}
	for _, p := range a.pieces {
		if p.idle && p.x > 100 && p.x < 850 {
			ticks = append(ticks, tick{X: p.x, Label: took(p.from.Sub(begin))})
		}
	}
	last := a.pieces[len(a.pieces)-1]
	return append(ticks, tick{X: axisWidth, Label: took(last.to.Sub(begin)), Last: true})
}
