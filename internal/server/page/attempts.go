package page

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// attempt is one try of a run, as its events tell.
type attempt struct {
	Number  int
	Began   time.Time
	Ended   time.Time // zero if it has not ended, or its process died
	Took    time.Duration
	Outcome string // as a status
	Error   *api.Error
	Calls   []attemptCall
	Samples []api.RunSample
}

// attemptCall is a call that an attempt made.
type attemptCall struct {
	Call   uint64
	Tool   string
	Run    string
	Reused bool
	Status api.Status // empty while it is under way
}

const (
	maxShownAttempts = 50
	maxReadEvents    = 20_000
)

// attemptsOf reads the tries of a run. It does not wait for what is to come: it stops at
// the last one that the run says it had, or at its last event.
func (p *Page) attemptsOf(ctx context.Context, run *api.Run) ([]attempt, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var all attempts
	read := 0
	for e, err := range p.Service.Events(ctx, run.ID, 0) {
		if err != nil {
			return nil, err
		}
		all.add(e)
		if read++; read == maxReadEvents || !run.Status.Ended() && len(all.list) == run.Attempts {
			break
		}
	}
	all.close(cmp.Or(string(run.Status), "running"), end(run, p.Now()))
	if len(all.list) > maxShownAttempts {
		return all.list[len(all.list)-maxShownAttempts:], nil
	}
	return all.list, nil
}

// attempts gathers tries from the events of a run.
type attempts struct {
	list  []attempt
	calls map[uint64]int // the place of a call of the last one
}

func (a *attempts) add(e api.Event) {
	last := len(a.list) - 1
	switch e.Kind {
	case api.EventAttemptStarted:
		var d api.AttemptStartedData
		if json.Unmarshal(e.Data, &d) == nil {
			a.close("interrupted", e.Time)
			a.list, a.calls = append(a.list, attempt{Number: d.Attempt, Began: e.Time}), map[uint64]int{}
		}
	case api.EventAttemptEnded:
		var d api.AttemptEndedData
		if last >= 0 && json.Unmarshal(e.Data, &d) == nil {
			a.list[last].Ended, a.list[last].Error, a.list[last].Outcome = e.Time, d.Error, "succeeded"
			a.list[last].Samples = d.Samples
			if d.Error != nil {
				a.list[last].Outcome = "failed"
			}
		}
	case api.EventInterrupted:
		a.close("interrupted", e.Time)
	case api.EventCallStarted:
		var d api.CallStartedData
		if last >= 0 && json.Unmarshal(e.Data, &d) == nil {
			a.calls[d.Call] = len(a.list[last].Calls)
			a.list[last].Calls = append(a.list[last].Calls, attemptCall{Call: d.Call, Tool: d.Tool, Run: d.Run, Reused: d.Reused})
		}
	case api.EventCallEnded:
		var d api.CallEndedData
		if last >= 0 && json.Unmarshal(e.Data, &d) == nil {
			if i, ok := a.calls[d.Call]; ok {
				a.list[last].Calls[i].Status = d.Status
			}
		}
	}
	if last = len(a.list) - 1; last >= 0 && !a.list[last].Ended.IsZero() {
		a.list[last].Took = a.list[last].Ended.Sub(a.list[last].Began)
	}
}

// close ends the last try at a time, if nothing said how it ended.
func (a *attempts) close(outcome string, at time.Time) {
	last := len(a.list) - 1
	if last < 0 || a.list[last].Outcome != "" {
		return
	}
	a.list[last].Outcome, a.list[last].Ended = outcome, at
	a.list[last].Took = at.Sub(a.list[last].Began)
}

// attemptsRow is the row of a run with several tries: each is a bar, and the times
// between them are waits.
func attemptsRow(b *branch, depth int, a *axis, now time.Time) timelineRow {
	run := b.run
	row := timelineRow{Label: run.Task, Link: run.ID, Depth: min(depth, 9), Status: string(run.Status), Took: runTook(run, now), Count: 1, Note: note(run)}
	at, wait := run.Created, "waited for its turn"
	for _, try := range b.attempts {
		if try.Began.After(at) {
			row.Bars = append(row.Bars, a.bar(at, try.Began, "queue", wait+": "+took(try.Began.Sub(at))))
		}
		title := fmt.Sprintf("attempt %d: %s, %s", try.Number, try.Outcome, took(try.Took))
		if try.Error != nil {
			title += ", " + string(try.Error.Code)
		}
		row.Bars = append(row.Bars, a.bar(try.Began, try.Ended, "s-"+try.Outcome, title))
		at, wait = try.Ended, "waited to be tried again"
	}
	return row
}
