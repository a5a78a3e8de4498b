package evaluation

import (
	"cmp"
	"context"
	"crypto/rand"
	"slices"
	"sync"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// caller makes the calls of one evaluation, each in a goroutine.
type caller struct {
	ctx      context.Context // ends with the evaluation, and its calls with it
	tools    map[string]*api.Task
	make     Tools
	called   func(api.MadeCall)
	parallel chan struct{} // a place for each call that is under way
	began    time.Time
	seed     []byte

	under   map[uint64]context.CancelFunc // calls without an answer, of the goroutine that uses the caller
	working sync.WaitGroup

	mu      sync.Mutex
	ended   []ending
	made    []api.MadeCall // the first of them, in the order of their ids
	count   int
	arrived chan struct{} // one token when there may be an ending
}

// ending is how a call ended: with an answer, or the end of the evaluation.
type ending struct {
	api.Answer
	fatal error
}

var _ api.Caller = (*caller)(nil)

const seedSize = 32

func newCaller(task *api.Task, t Tools, called func(api.MadeCall)) *caller {
	c := &caller{make: t, called: called, began: time.Now(), under: map[uint64]context.CancelFunc{}, arrived: make(chan struct{}, 1)}
	spec := cmp.Or(task.Orchestrator, &api.Orchestrator{}) // without one it has no tools
	c.parallel = make(chan struct{}, cmp.Or(spec.Limits.Parallel, api.DefaultParallel))
	c.tools = make(map[string]*api.Task, len(spec.Tools))
	for i := range spec.Tools {
		c.tools[spec.Tools[i].Name] = &spec.Tools[i]
	}
	if spec.Random == api.RealRandom {
		c.seed = make([]byte, seedSize)
		rand.Read(c.seed)
	}
	return c
}

// Start implements api.Caller. It waits for room beside the other calls.
func (c *caller) Start(ctx context.Context, call api.Call) error {
	tool := c.tools[call.Tool]
	inputs, err := value.CheckOwned(tool.InputParams(), call.Inputs)
	if err != nil {
		return api.AsError(err)
	}
	select {
	case c.parallel <- struct{}{}:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	c.note(api.MadeCall{ID: call.ID, Tool: call.Tool})
	under, cancel := context.WithCancel(c.ctx)
	c.under[call.ID] = cancel
	c.working.Go(func() {
		defer cancel()
		c.execute(under, call.ID, tool, inputs)
	})
	return nil
}

// execute makes a call and delivers how it ended.
func (c *caller) execute(ctx context.Context, id uint64, tool *api.Task, inputs value.Fields) {
	run := ""
	outputs, err := c.make.Call(ctx, tool, inputs, func(made string) {
		run = made
		c.change(id, func(m *api.MadeCall) { m.Run = made })
		if c.called != nil {
			c.called(api.MadeCall{ID: id, Tool: tool.Name, Run: made})
		}
	})
	<-c.parallel
	end := endingOf(id, tool, run, outputs, api.AsError(err))
	if failure := cmp.Or(api.AsError(err), end.Err); failure != nil {
		c.change(id, func(m *api.MadeCall) { m.Error = failure })
	}
	c.mu.Lock()
	c.ended = append(c.ended, end)
	c.mu.Unlock()
	select {
	case c.arrived <- struct{}{}:
	default:
	}
}

func endingOf(id uint64, tool *api.Task, run string, outputs map[string]any, failure *api.Error) (end ending) {
	if failure != nil {
		end.Answer, end.fatal = Failed(id, tool, run, failure)
		return end
	}
	end.Answer = Returned(id, tool, outputs)
	end.Run = run
	return end
}

// Cancel implements api.Caller.
func (c *caller) Cancel(call uint64) {
	if cancel := c.under[call]; cancel != nil {
		delete(c.under, call)
		cancel()
	}
}

// Next implements api.Caller.
func (c *caller) Next(ctx context.Context, wake time.Time) (api.Answer, error) {
	var due <-chan time.Time
	if !wake.IsZero() {
		timer := time.NewTimer(time.Until(wake))
		defer timer.Stop()
		due = timer.C
	}
	for {
		if ctx.Err() != nil {
			return api.Answer{}, context.Cause(ctx)
		}
		if end, ok := c.pick(); ok {
			return end.Answer, end.fatal
		}
		if len(c.under) == 0 && wake.IsZero() {
			return api.Answer{}, api.Errorf(api.Internal, "the code waits for a call, but none is under way")
		}
		select {
		case <-c.arrived:
		case <-due:
			return api.Answer{Time: time.Now()}, nil
		case <-ctx.Done():
		}
	}
}

// pick takes the next ending of a call that the code has not given up.
func (c *caller) pick() (end ending, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(c.ended) > 0 {
		end, c.ended = c.ended[0], c.ended[1:]
		if _, ok := c.under[end.ID]; ok {
			delete(c.under, end.ID)
			return end, true
		}
	}
	return end, false
}

// note lists a call, if there are not too many.
func (c *caller) note(m api.MadeCall) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.count++; len(c.made) < api.MaxMadeCalls {
		c.made = append(c.made, m)
	}
}

// change notes more of a call that is listed.
func (c *caller) change(id uint64, f func(*api.MadeCall)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	i, ok := slices.BinarySearchFunc(c.made, id, func(m api.MadeCall, id uint64) int { return cmp.Compare(m.ID, id) })
	if ok {
		f(&c.made[i])
	}
}

// list returns the calls that were made, at most api.MaxMadeCalls, and how many
// there were.
func (c *caller) list() ([]api.MadeCall, int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.made), c.count
}

// Snapshot implements api.Caller: there is none.
func (c *caller) Snapshot() []byte { return nil }

// Restart implements api.Caller.
func (c *caller) Restart() {}

// Save implements api.Caller: nothing is kept.
func (c *caller) Save([]byte) {}

// Began implements api.Caller.
func (c *caller) Began() time.Time { return c.began }

// Seed implements api.Caller.
func (c *caller) Seed() []byte { return c.seed }
