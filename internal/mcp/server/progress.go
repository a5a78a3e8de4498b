package server

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/glovebox-dev/glovebox/api"
)

// reporter tells a client that waits what happens: the stages of a run, and the
// lines that it prints, but those that come too fast. A client that reads none of
// it slows nothing but its own answer. A nil reporter tells nobody.
type reporter struct {
	send func(message string, count int)
	wake chan struct{}
	over chan struct{}
	done sync.WaitGroup

	mu     sync.Mutex
	latest string
}

// betweenProgress is the least time between two notifications.
const betweenProgress = 200 * time.Millisecond

// report begins to tell the client of a request, if it asked for that.
func report(ctx context.Context, req *mcp.CallToolRequest) *reporter {
	token := req.Params.GetProgressToken()
	if token == nil {
		return nil
	}
	r := &reporter{wake: make(chan struct{}, 1), over: make(chan struct{})}
	r.send = func(message string, count int) {
		_ = req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: token, Progress: float64(count), Message: message}) // the answer does not depend on it
	}
	r.done.Go(r.pass)
	return r
}

// pass sends the latest message, not too often.
func (r *reporter) pass() {
	for count := 1; ; count++ {
		select {
		case <-r.wake:
		case <-r.over:
			return
		}
		r.mu.Lock()
		message := r.latest
		r.mu.Unlock()
		r.send(message, count)
		select {
		case <-time.After(betweenProgress):
		case <-r.over:
			return
		}
	}
}

// stop ends the telling: after the answer nothing more may come.
func (r *reporter) stop() {
	if r != nil {
		close(r.over)
		r.done.Wait()
	}
}

func (r *reporter) say(message string) {
	r.mu.Lock()
	r.latest = message
	r.mu.Unlock()
	select {
	case r.wake <- struct{}{}:
	default: // it is awake
	}
}

// step tells of a stage of a run.
func (r *reporter) step(p api.Progress) {
	if r == nil {
		return
	}
	message := strings.TrimSuffix(p.Stage+": "+p.Message, ": ")
	if p.Total > 0 {
		message += fmt.Sprintf(" (%d of %d)", p.Done, p.Total)
	}
	r.say(message)
}

// writer returns what tells of each line that is written to it, nil if nobody
// listens.
func (r *reporter) writer() io.Writer {
	if r == nil {
		return nil
	}
	return &lines{say: r.say}
}

// lines passes on what is written, line by line.
type lines struct {
	say     func(string)
	started []byte // of a line that has not ended
}

func (l *lines) Write(p []byte) (int, error) {
	for rest := p; len(rest) > 0; {
		line, after, ended := bytes.Cut(rest, []byte("\n"))
		if room := maxLine - len(l.started); room > 0 {
			l.started = append(l.started, line[:min(len(line), room)]...)
		}
		if rest = after; ended {
			l.say(valid(l.started))
			l.started = l.started[:0]
		}
	}
	return len(p), nil
}
