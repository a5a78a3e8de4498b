package client

import (
	"context"
	"encoding/json"
	"io"
	"sync"

	"github.com/glovebox-dev/glovebox/api"
)

// printing hands the streams of a run to those that a submission named.
type printing struct {
	done chan struct{}
	err  error // of the server; set when done is closed
}

// print begins to follow what a run prints and reports, if anybody wants that,
// for as long as the client lives.
func (c *Client) print(run *api.Run, s api.Submission) {
	if s.Stdout == nil && s.Stderr == nil && s.Progress == nil {
		return
	}
	p := &printing{done: make(chan struct{})}
	c.mu.Lock()
	c.follows[run.ID] = p
	c.mu.Unlock()
	c.followers.Go(func() {
		defer close(p.done)
		p.err = c.printAll(run, s)
	})
}

func (c *Client) printAll(run *api.Run, s api.Submission) error {
	ctx, cancel := context.WithCancel(c.life)
	var all sync.WaitGroup
	defer all.Wait()
	defer cancel()
	ended := make(chan struct{})
	if s.Progress != nil {
		all.Go(func() {
			defer close(ended)
			c.report(ctx, run.ID, s.Progress)
		})
	} else {
		close(ended)
	}
	if err := c.printLogs(ctx, run, writers{"stdout": s.Stdout, "stderr": s.Stderr}); err != nil {
		return err
	}
	<-ended
	return nil
}

// report passes on the stages of a run. They are a courtesy: what is lost of
// them is no error.
func (c *Client) report(ctx context.Context, run string, f func(api.Progress)) {
	for event, err := range c.Events(ctx, run, 0) {
		var p api.Progress
		if err == nil && event.Kind == api.EventProgress && json.Unmarshal(event.Data, &p) == nil {
			f(p)
		}
	}
}

// writers are those of a submission, by stream.
type writers map[string]io.Writer

// printLogs writes what a run prints. A writer that fails gets no more. That the
// server did not keep all of it is an error, unless the run has declared
// outputs: then what it prints is no result, and standard error says it.
func (c *Client) printLogs(ctx context.Context, run *api.Run, to writers) error {
	declared := run.Signature != nil && len(run.Signature.Outputs) > 0
	for entry, err := range c.Logs(ctx, run.ID, 0, true) {
		if err != nil {
			return err
		}
		if entry.Cut && !declared && (to["stdout"] != nil || to["stderr"] != nil) {
			return tooMuchPrinted(run.ID)
		}
		if entry.Cut {
			entry.Stream = "stderr"
		}
		if w := to[entry.Stream]; w != nil {
			if _, err := w.Write(entry.Bytes()); err != nil {
				delete(to, entry.Stream)
			}
		}
	}
	return nil
}

func tooMuchPrinted(run string) error {
	return api.Errorf(api.OutputTooLarge, "run %s printed more than its server keeps and passes on: what is missing is the end", run).
		WithHint("write large results to an output of type File; what else the run gave is there: glovebox show %s", run).
		WithDetails(api.Details{Run: run})
}

// printed waits for all that a run printed to be written, and returns why some
// of it was not.
func (c *Client) printed(ctx context.Context, run string) error {
	c.mu.Lock()
	p := c.follows[run]
	c.mu.Unlock()
	if p == nil {
		return nil
	}
	select {
	case <-p.done:
	case <-ctx.Done():
		return canceled(ctx)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.follows[run] == p {
		delete(c.follows, run)
	}
	return p.err
}
