package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// calls are those of an orchestrator, as far as they are shown while it runs.
type calls struct {
	done, failed, reused int
	open                 map[uint64]*call
	newest               []*call // that began last, at most maxLiveCalls
}

// maxLiveCalls bounds the calls that have a line.
const maxLiveCalls = 6

// call is one of a tool.
type call struct {
	number   uint64
	tool     string
	run      string
	began    time.Time
	took     time.Duration
	status   api.Status // empty while it runs
	step     api.Progress
	followed bool
}

func (c *calls) begin(data api.CallStartedData, at time.Time) {
	if data.Reused {
		c.reused++
		return
	}
	one := &call{number: data.Call, tool: data.Tool, run: data.Run, began: at}
	c.open[data.Call] = one
	c.newest = append(c.newest, one)
	c.newest = c.newest[max(0, len(c.newest)-maxLiveCalls):]
}

func (c *calls) end(data api.CallEndedData, at time.Time) {
	one := c.open[data.Call]
	if one == nil {
		return
	}
	delete(c.open, data.Call)
	one.status, one.took = data.Status, max(0, at.Sub(one.began))
	if data.Status == api.StatusSucceeded {
		c.done++
	} else {
		c.failed++
	}
}

// summary is a line for all calls.
func (c *calls) summary() string {
	text := fmt.Sprintf("calls: %d done", c.done)
	for _, part := range []struct {
		n    int
		name string
	}{{c.reused, "reused"}, {c.failed, "failed"}, {len(c.open), "running"}} {
		if part.n > 0 {
			text += fmt.Sprintf(", %d %s", part.n, part.name)
		}
	}
	return text
}

// lines are those of single calls: the ones that run for longest, and the ones
// that began last.
func (c *calls) lines(now time.Time) []string {
	shown := slices.Clone(c.newest)
	for _, one := range c.longest() {
		if !slices.Contains(shown, one) {
			shown = append(shown[1:], one)
		}
	}
	slices.SortFunc(shown, func(a, b *call) int { return int(int64(a.number) - int64(b.number)) })
	var lines []string
	for _, one := range shown {
		lines = append(lines, one.line(now))
	}
	return lines
}

// longest returns the calls that have been running for longest, half as many as
// have lines.
func (c *calls) longest() []*call {
	var running []*call
	for _, one := range c.open {
		running = append(running, one)
	}
	slices.SortFunc(running, func(a, b *call) int { return a.began.Compare(b.began) })
	return running[:min(len(running), maxLiveCalls/2)]
}

func (one *call) line(now time.Time) string {
	text := fmt.Sprintf("  %d %s  ", one.number, one.tool)
	if one.status != "" {
		return text + string(one.status) + " in " + one.took.Round(time.Millisecond).String()
	}
	return text + elapsed(now.Sub(one.began)) + "  " + describe(one.step)
}

// callWatcher shows the calls of a run, what their runs do and, if asked for,
// what they print.
type callWatcher struct {
	service  api.Service
	line     *progress
	printed  func(tool string) stream // nil: not asked for
	stages   sync.WaitGroup
	printing sync.WaitGroup
	slots    chan struct{} // for following what runs print
}

// These bound how many runs are followed at the same time for their stages and
// for their output, and how long a run lasts before it is followed.
const (
	maxStages   = 8
	maxPrinting = 64
	worthwhile  = 2 * time.Second
	unnoticed   = 300 * time.Millisecond
)

func newCallWatcher(service api.Service, line *progress, printed func(string) stream) *callWatcher {
	return &callWatcher{service: service, line: line, printed: printed, slots: make(chan struct{}, maxPrinting)}
}

// watchCalls shows the calls of a run until ctx ends. join waits until the
// output of tools is printed.
func watchCalls(ctx context.Context, service api.Service, id string, line *progress, printed func(string) stream) (join func()) {
	w := newCallWatcher(service, line, printed)
	ctx, stop := context.WithCancel(ctx)
	var watching sync.WaitGroup
	watching.Go(func() {
		select {
		case <-ctx.Done():
		case <-time.After(w.delay()):
			w.watch(ctx, id)
		}
	})
	return func() {
		if printed != nil {
			watching.Wait()
			w.printing.Wait()
		}
		stop()
		watching.Wait()
		w.stages.Wait()
	}
}

// delay returns how long a run lasts before its calls are read. Reading them
// costs something, and the user would not see them earlier.
func (w *callWatcher) delay() time.Duration {
	switch {
	case w.printed != nil:
		return 0
	case w.line.width != nil:
		return unnoticed
	}
	return telling
}

func (w *callWatcher) watch(ctx context.Context, id string) {
	for event, err := range w.service.Events(ctx, id, 0) {
		if err != nil {
			return // the result tells it
		}
		w.take(ctx, event)
	}
}

// take shows what an event says of a call.
func (w *callWatcher) take(ctx context.Context, event api.Event) {
	var started api.CallStartedData
	var ended api.CallEndedData
	switch {
	case event.Kind == api.EventCallStarted && json.Unmarshal(event.Data, &started) == nil:
		w.line.change(func(c *calls) { c.begin(started, event.Time) })
		if w.printed != nil && !started.Reused {
			w.print(ctx, started)
		}
	case event.Kind == api.EventCallEnded && json.Unmarshal(event.Data, &ended) == nil:
		w.line.change(func(c *calls) { c.end(ended, event.Time) })
	case event.Kind == api.EventAttemptStarted:
		w.line.change(func(*calls) {})
	default:
		return
	}
	w.follow(ctx)
}

// change shows what has become of the calls.
func (p *progress) change(f func(*calls)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.calls == nil {
		p.calls = &calls{open: map[uint64]*call{}}
	}
	f(p.calls)
	if p.width != nil && p.now().Sub(p.drawn) >= flicker {
		p.draw()
	}
}

// follow follows the runs of the calls that began first.
func (w *callWatcher) follow(ctx context.Context) {
	w.line.mu.Lock()
	defer w.line.mu.Unlock()
	following := 0
	for _, one := range w.line.calls.open {
		if one.followed {
			following++
		}
	}
	for _, one := range w.line.calls.open {
		if !one.followed && following < maxStages {
			one.followed = true
			following++
			w.stages.Go(func() { w.showStages(ctx, one) })
		}
	}
}

func (w *callWatcher) showStages(ctx context.Context, one *call) {
	select {
	case <-ctx.Done():
		return
	case <-time.After(worthwhile):
	}
	w.line.mu.Lock()
	ended := one.status != ""
	w.line.mu.Unlock()
	if ended {
		return
	}
	for event, err := range w.service.Events(ctx, one.run, 0) {
		var step api.Progress
		if err != nil {
			return
		}
		if event.Kind == api.EventProgress && json.Unmarshal(event.Data, &step) == nil {
			w.line.mu.Lock()
			one.step = step
			w.line.mu.Unlock()
			w.line.showOf(one.tool, step)
		}
	}
}

// print prints what the run of a call prints, with the name of its tool before
// each line.
func (w *callWatcher) print(ctx context.Context, started api.CallStartedData) {
	w.printing.Go(func() {
		select {
		case w.slots <- struct{}{}:
		case <-ctx.Done():
			return
		}
		defer func() { <-w.slots }()
		to := w.printed(started.Tool)
		_ = copyLogs(ctx, w.service, started.Run, 0, true, func(e api.LogEntry) error { // the result does not depend on it
			if e.Stream != streamStdout && e.Stream != streamStderr {
				return nil
			}
			_, err := to.Write(e.Bytes())
			return err
		})
		_ = to.flush()
	})
}

// ofTool returns what puts the name of a tool before each line that it prints.
func ofTool(w io.Writer, tool string) *lines {
	side, _ := shareLines(prefixing{w, visible(tool) + ": "})
	return side
}

type prefixing struct {
	io.Writer
	prefix string
}

func (p prefixing) Write(b []byte) (int, error) {
	var text []byte
	for line := range bytes.Lines(b) {
		text = append(append(text, p.prefix...), line...)
	}
	if len(text) > 0 && text[len(text)-1] != '\n' {
		text = append(text, '\n')
	}
	_, err := p.Writer.Write(text)
	return len(b), err
}
