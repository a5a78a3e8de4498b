package pool

import (
	"math"
	"time"
)

// demand is what is known about how one class is taken.
type demand struct {
	takes []time.Time // the newest, in order of time
	often bool        // taken often enough to be kept ready unasked
	// peak is the most takes within one span, which is how long a replacement
	// takes; it was seen at, and fades from then on.
	peak int
	at   time.Time
	heat float64 // takes, each of half the weight after half a window
	// start is how long a start takes, as a moving mean; 0 until one was seen.
	start time.Duration
}

// manyTakes is how many takes of a class are remembered, if that is enough to see
// a burst as large as the bound.
const manyTakes = 256

// take notes that an item is taken now.
func (d *demand) take(now time.Time, cfg Config) {
	d.heat = d.heatAt(now, cfg) + 1
	d.takes = append(d.takes, now)
	if over := len(d.takes) - max(cfg.Often, cfg.Cells, manyTakes); over > 0 {
		d.takes = append(d.takes[:0], d.takes[over:]...)
	}
	if i := len(d.takes) - cfg.Often; i >= 0 && now.Sub(d.takes[i]) <= cfg.Window {
		d.often = true
	}
	if n := d.within(now, d.span()); n >= d.burst(now, cfg) {
		d.peak, d.at = n, now
	}
}

// within counts the takes of the newest span of time.
func (d *demand) within(now time.Time, span time.Duration) int {
	n := 0
	for n < len(d.takes) && now.Sub(d.takes[len(d.takes)-1-n]) < span {
		n++
	}
	return n
}

// started notes how long a start took.
func (d *demand) started(took time.Duration) {
	if d.start == 0 {
		d.start = took
		return
	}
	d.start += (took - d.start) / 4
}

// span is how long it takes until what is taken is replaced: a start, and
// another that it may have to wait for.
func (d *demand) span() time.Duration {
	const unknown, least, most = time.Second, 10 * time.Millisecond, 30 * time.Second
	if d.start == 0 {
		return 2 * unknown
	}
	return 2 * min(max(d.start, least), most)
}

// burst is what is left of the peak: it fades evenly until nothing is left when
// it was quiet for so long. Rounded up.
func (d *demand) burst(now time.Time, cfg Config) int {
	left := cfg.Quiet - now.Sub(d.at)
	if left <= 0 || d.peak == 0 {
		return 0
	}
	quiet := int64(cfg.Quiet)
	return int((int64(d.peak)*int64(left) + quiet - 1) / quiet)
}

// heatAt says how much the class is taken these days, to compare it with others.
func (d *demand) heatAt(now time.Time, cfg Config) float64 {
	if len(d.takes) == 0 {
		return 0
	}
	return d.heat * math.Exp2(-2*float64(now.Sub(d.last()))/float64(cfg.Window))
}

// since says whether the class was taken after a time.
func (d *demand) since(t time.Time) bool { return len(d.takes) > 0 && d.last().After(t) }

func (d *demand) last() time.Time { return d.takes[len(d.takes)-1] }

// wanted returns how many items should be ready now, and when that becomes fewer
// if nothing is taken until then; zero if it does not.
//
// That is the peak: the most takes within the time that a replacement needs. With
// so many ready, no taker would have waited. It covers both the rate and the
// bursts, because the most is never below the mean.
func (d *demand) wanted(now time.Time, cfg Config) (n int, until time.Time) {
	if !d.often {
		return 0, time.Time{}
	}
	end := d.last().Add(cfg.Quiet)
	if !now.Before(end) {
		*d = demand{start: d.start}
		return 0, time.Time{}
	}
	n = d.burst(now, cfg)
	if n <= 1 {
		return 1, end
	}
	fades := cfg.Quiet - time.Duration(int64(n-1)*int64(cfg.Quiet)/int64(d.peak))
	return n, d.at.Add(fades)
}
