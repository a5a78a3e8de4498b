package page

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// timeline shows a run and those that it started on one axis of time.
type timeline struct {
	Rows  []timelineRow
	Gaps  []gap
	Ticks []tick
	More  int // runs that are left out
}

// meaning is what the colour of a bar says.
type meaning struct{ Class, Words string }

// meanings are those of all colours, in the order of the stages of a run.
var meanings = []meaning{
	{"queue", "waited for its turn"}, {"waits", "waited for calls, a time or an image"}, {"image", "image"}, {"start", "start"}, {"inputs", "inputs"}, {"exec", "execution"}, {"collect", "outputs"},
	{"s-succeeded", "succeeded"}, {"s-failed", "failed"}, {"s-interrupted", "interrupted"}, {"s-running", "running"}, {"s-queued", "queued"}, {"s-canceled", "canceled"},
}

// Legend explains the colours that the timeline has.
func (t *timeline) Legend() (used []meaning) {
	has := map[string]bool{}
	for _, row := range t.Rows {
		for _, b := range row.Bars {
			has[b.Class] = true
		}
		for _, p := range row.Paths {
			has[p.Class] = true
		}
	}
	for _, m := range meanings {
		if has[m.Class] {
			used = append(used, m)
		}
	}
	return used
}

// timelineRow is one run, or all calls of one task by one run.
type timelineRow struct {
	Label  string
	Link   string // the id of the run; empty for several
	List   string // leads to the list of several, relative to the root; empty for one
	Depth  int
	Status string
	Took   time.Duration
	Count  int
	Bars   []bar
	Paths  []barPath // the bars of several runs
	Note   string
}

// barPath draws all bars of one class, in a tenth of the bytes that elements of their
// own would take.
type barPath struct{ Class, D string }

// branch is a run with what it called, as far as that was read.
type branch struct {
	run      *api.Run
	calls    []*branch
	more     int
	attempts []attempt // if there were several, as far as they were read
}

// stage is a part of a run.
type stage struct {
	name  string
	title string
	took  time.Duration
	waits bool // nothing is done in it
}

// stagesOf returns the stages of a run in their order.
func stagesOf(run *api.Run) []stage {
	t := run.Timings
	return []stage{
		{"queue", "waited", t.Queue, true}, {"image", "image", t.Image, false}, {"start", "start of the cell", t.Start + t.Guest, false},
		{"inputs", "inputs", t.Inputs, false}, {"exec", "execution", t.Exec, false}, {"collect", "outputs", t.Collect + t.Destroy, false},
	}
}

// newTimeline draws a tree of runs at a time.
func newTimeline(root *branch, now time.Time) *timeline {
	t := &timeline{}
	var busy []span
	root.walk(func(b *branch) { busy = append(busy, active(b.run, now)...) })
	for _, try := range root.attempts {
		busy = append(busy, span{try.Began, try.Began}, span{try.Ended, try.Ended})
	}
	whole := span{root.run.Created, end(root.run, now)}
	axis := newAxis(whole, busy)
	t.Gaps, t.Ticks = axis.gaps(), axis.ticks()
	t.add(root, 0, axis, now)
	return t
}

func (b *branch) walk(f func(*branch)) {
	f(b)
	for _, c := range b.calls {
		c.walk(f)
	}
}

func end(run *api.Run, now time.Time) time.Time {
	if run.Ended.IsZero() {
		return now
	}
	return run.Ended
}

// active returns when a run did something by itself: a run that calls others does
// nothing while it waits for them, but at its ends.
func active(run *api.Run, now time.Time) []span {
	from, to := run.Created, end(run, now)
	if !run.Started.IsZero() {
		from = run.Started
	}
	if run.Calls == 0 && run.SleepsUntil.IsZero() && run.Kind != api.KindOrchestrator {
		return []span{{from, to}}
	}
	return []span{{run.Created, run.Created}, {from, from}, {to, to}}
}

func severity(class string) int {
	return map[string]int{"s-interrupted": 1, "s-failed": 2}[class]
}

// manyCalls is from how many calls of one task by one run on they share a row.
const manyCalls = 3

func (t *timeline) add(b *branch, depth int, a *axis, now time.Time) {
	t.Rows = append(t.Rows, t.row(b, depth, a, now))
	byTask := map[string][]*branch{}
	var order []string
	for _, c := range b.calls {
		if byTask[c.run.Task] == nil {
			order = append(order, c.run.Task)
		}
		byTask[c.run.Task] = append(byTask[c.run.Task], c)
	}
	for _, task := range order {
		same := byTask[task]
		if len(same) <= manyCalls {
			for _, c := range same {
				t.add(c, depth+1, a, now)
			}
			continue
		}
		t.Rows = append(t.Rows, shared(b.run.ID, task, same, depth+1, a, now))
	}
	t.More += b.more
}

// row is that of one run, with a bar for each of its stages.
func (t *timeline) row(b *branch, depth int, a *axis, now time.Time) timelineRow {
	run := b.run
	if len(b.attempts) > 0 {
		return attemptsRow(b, depth, a, now)
	}
	row := timelineRow{Label: run.Task, Link: run.ID, Depth: min(depth, 9), Status: string(run.Status), Took: runTook(run, now), Count: 1, Note: note(run)}
	if (run.Calls > 0 || sleeps(run)) && !run.Started.IsZero() {
		if run.Started.After(run.Created) {
			row.Bars = append(row.Bars, a.bar(run.Created, run.Started, "queue", "waited: "+took(run.Started.Sub(run.Created))))
		}
		row.drawCaller(b, a, now)
		return row
	}
	at := run.Created
	for _, s := range stagesOf(run) {
		if s.name == "image" { // what no stage has counted was before the attempt, as the build of a new image
			if ahead := unaccounted(run); ahead > 0 {
				row.Bars = append(row.Bars, a.bar(at, at.Add(ahead), "waits", "waited until it could begin: "+took(ahead)))
				at = at.Add(ahead)
			}
		}
		if s.took <= 0 {
			continue
		}
		row.Bars = append(row.Bars, a.bar(at, at.Add(s.took), s.name, fmt.Sprintf("%s: %s", s.title, took(s.took))))
		at = at.Add(s.took)
	}
	if rest := run.Ended.Sub(at); run.Kind == api.KindOrchestrator && rest > 0 { // its execution is the time that it computed
		row.Bars = append(row.Bars, a.bar(at, run.Ended, "waits", "slept or waited: "+took(rest)))
	}
	if len(row.Bars) == 0 || run.Attempts > 1 || !run.Status.Ended() {
		row.Bars = []bar{a.bar(run.Created, end(run, now), "s-"+string(run.Status), fmt.Sprintf("%s: %s", run.Status, took(row.Took)))}
	}
	return row
}

// unaccounted is how long an ended run that is in a cell took beyond all of its stages, if
// that can be seen beside them.
func unaccounted(run *api.Run) time.Duration {
	if run.Ended.IsZero() || run.Kind != api.KindSandbox {
		return 0
	}
	whole := run.Ended.Sub(run.Created)
	left := whole
	for _, s := range stagesOf(run) {
		left -= s.took
	}
	if left < whole/20 {
		return 0
	}
	return left
}

// drawCaller draws when a run worked by itself, and over it when calls of it were under
// way, or it sleeps. Where not all calls are known, nothing can separate the two.
func (r *timelineRow) drawCaller(b *branch, a *axis, now time.Time) {
	from, to := b.run.Started, end(b.run, now)
	whole := to.Sub(from)
	if b.more > 0 || len(b.calls) < b.run.Calls {
		r.Bars = append(r.Bars, a.bar(from, to, "waits", "computed, and waited: "+took(whole)))
		return
	}
	waits, waited := waitsOf(b, from, to), time.Duration(0)
	var bars []bar
	for _, w := range waits {
		waited += w.to.Sub(w.from)
		bars = append(bars, a.bar(w.from, w.to, "waits", ""))
	}
	r.Bars = append(r.Bars, a.bar(from, to, "exec", fmt.Sprintf("worked by itself: %s, waited for calls or slept: %s", took(whole-waited), took(waited))))
	r.Paths = paths(merge(bars))
}

// waitsOf are the times between two in which a call of a run was under way, and that since
// which it sleeps, each once.
func waitsOf(b *branch, from, to time.Time) (waits []span) {
	var all []span
	last := from
	for _, c := range b.calls {
		one := span{from: latest(from, c.run.Created), to: earliest(to, end(c.run, to))}
		all, last = append(all, one), latest(last, one.to)
	}
	if sleeps(b.run) {
		all = append(all, span{from: last, to: to})
	}
	slices.SortFunc(all, func(a, b span) int { return a.from.Compare(b.from) })
	for _, one := range all {
		switch n := len(waits); {
		case !one.to.After(one.from):
		case n > 0 && !one.from.After(waits[n-1].to):
			waits[n-1].to = latest(waits[n-1].to, one.to)
		default:
			waits = append(waits, one)
		}
	}
	return waits
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

func earliest(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

// sleeps reports whether the code of a run waits for a time.
func sleeps(run *api.Run) bool { return !run.SleepsUntil.IsZero() && !run.Status.Ended() }

// shared is the row of calls of one task.
func shared(parent, task string, calls []*branch, depth int, a *axis, now time.Time) timelineRow {
	row := timelineRow{Label: task, Depth: min(depth, 9), Count: len(calls), List: "page/runs?" + filter{Parent: parent, Task: task}.query("")}
	counts := map[api.Status]int{}
	first, last := calls[0].run.Created, end(calls[0].run, now)
	for _, c := range calls {
		counts[c.run.Status]++
		from, to := c.run.Created, end(c.run, now)
		row.Bars = append(row.Bars, a.bar(from, to, "s-"+string(c.run.Status), ""))
		if from.Before(first) {
			first = from
		}
		if to.After(last) {
			last = to
		}
	}
	row.Took = last.Sub(first)
	for _, s := range []api.Status{api.StatusFailed, api.StatusRunning, api.StatusInterrupted, api.StatusQueued, api.StatusCanceled, api.StatusSucceeded} {
		if counts[s] > 0 {
			if row.Status == "" {
				row.Status = string(s)
			}
			row.Note += fmt.Sprintf(", %d %s", counts[s], s)
		}
	}
	row.Note = row.Note[2:]
	row.Paths, row.Bars = paths(merge(row.Bars)), nil
	return row
}

// paths draws bars as lines along the middle of a row.
func paths(bars []bar) []barPath {
	var all []barPath
	texts := map[string]*strings.Builder{}
	for _, b := range bars {
		if texts[b.Class] == nil {
			texts[b.Class] = &strings.Builder{}
			all = append(all, barPath{Class: b.Class})
		}
		t := texts[b.Class]
		t.WriteString("M" + strconv.Itoa(int(b.X)) + " 9h" + strconv.Itoa(max(int(b.Width+0.5), 2)))
	}
	for i := range all {
		all[i].D = texts[all[i].Class].String()
	}
	slices.SortStableFunc(all, func(a, b barPath) int { return severity(a.Class) - severity(b.Class) }) // failures on top
	return all
}

// merge joins bars of a row that nobody could tell apart.
func merge(bars []bar) []bar {
	slices.SortFunc(bars, func(a, b bar) int { return int(1e6 * (a.X - b.X)) })
	var merged []bar
	for _, b := range bars {
		last := len(merged) - 1
		if last >= 0 && merged[last].Class == b.Class && b.X < merged[last].X+merged[last].Width+0.5 {
			merged[last].Width = max(merged[last].Width, b.X+b.Width-merged[last].X)
			continue
		}
		merged = append(merged, b)
	}
	return merged
}
