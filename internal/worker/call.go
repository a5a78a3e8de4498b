package worker

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
)

// call is one attempt that a provider executes. It ends once: the goroutine
// that removes it from its provider settles it.
type call struct {
	id       string
	attempt  *attempt
	provider provider

	// Guarded by Runner.mu.
	written  bool // the provider may know of it
	started  bool // the provider said that the function was about to begin
	canceled bool
	ended    bool

	logs  chan wireLog  // what the function prints; senders wait
	gone  chan struct{} // closed when logs is no longer read
	final chan outcome  // holds the outcome
}

// wireLog is a piece of what a function prints.
type wireLog struct {
	stream string
	text   string
}

// logQueue is how many pieces may wait for the writer of a run.
const logQueue = 4

// outcome is how a call ended: with outputs or an error.
type outcome struct {
	outputs map[string]any  // from this process
	text    json.RawMessage // from a worker
	files   fileMode        // which says what the files in it are
	err     *api.Error
	unsent  bool // the provider went away before it knew of the call: another may take it
	stopped bool // the worker says that it stopped the function
	leaving bool // the worker takes no calls any more
}

func newCall(a *attempt, p provider) *call {
	return &call{
		id: newID(), attempt: a, provider: p,
		logs: make(chan wireLog, logQueue), gone: make(chan struct{}), final: make(chan outcome, 1),
	}
}

// settle ends the call. Runner.mu is held. Only the first counts.
func (c *call) settle(o outcome) {
	if !c.ended {
		c.ended = true
		c.final <- o
	}
}

// print hands on what the function printed. It waits for the run's writer, and
// drops the text when the run no longer waits for the call.
func (c *call) print(ctx context.Context, stream, text string) {
	select {
	case <-c.gone:
	case <-ctx.Done():
	case c.logs <- wireLog{stream, text}:
	}
}

// report keeps a page that the function wrote, before anything else that its worker
// says is read: so a worker has one page in memory, and the page is there when the
// function has ended. A page that cannot be kept does not fail the function, which
// may have done its work; the log of the run says so.
func (c *call) report(ctx context.Context, html string, last bool) {
	keep := c.attempt.req.Report
	if keep == nil {
		return
	}
	if err := keep(ctx, strings.NewReader(html), last); err != nil {
		c.print(ctx, "stderr", "glovebox: a report was not kept: "+err.Error()+"\n")
	}
}
