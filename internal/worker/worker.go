// Package worker runs tasks of kind function: code in a process of the user's.
// That is this process, for functions that were registered here, or a worker
// that is connected by a stream and offers functions by their ids.
//
// Everything that a worker sends is hostile: it is bounded, and checked against
// the declared signature.
package worker

import (
	"cmp"
	"context"
	"crypto/rand"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// Config is what a Runner is made of. Zero fields take the defaults.
type Config struct {
	Patience    time.Duration // how long a run waits for a process that offers its function; 0 means 30 s
	Grace       time.Duration // how long the calls of a worker outlive its connection; 0 means 15 s
	CancelGrace time.Duration // how long a function that was asked to stop has to end; 0 means 5 s
	Heartbeat   time.Duration // whole seconds between signs of life; 0 means 10 s
	MaxQueue    int           // runs that wait for one function; 0 means 10,000
	MaxWorkers  int           // workers known at the same time; 0 means 1,000
}

func (c Config) withDefaults() Config {
	return Config{
		Patience: cmp.Or(c.Patience, 30*time.Second), Grace: cmp.Or(c.Grace, 15*time.Second),
		CancelGrace: cmp.Or(c.CancelGrace, 5*time.Second), Heartbeat: cmp.Or(c.Heartbeat, 10*time.Second).Round(time.Second),
		MaxQueue: cmp.Or(c.MaxQueue, 10_000), MaxWorkers: cmp.Or(c.MaxWorkers, 1000),
	}
}

// Runner runs functions. It is safe for concurrent use.
type Runner struct {
	config Config

	mu        sync.Mutex // also guards the fields of calls, providers and waiters
	providers []provider // in the order in which they came
	remotes   map[identity]*remote
	queues    map[key][]*waiter // first come, first served
	nextTurn  int64
	closed    bool
}

// Invocation is what a function is called with.
type Invocation struct {
	RunID  string
	Inputs map[string]any // every declared input, as its type says
	// IdempotencyKey is the same whenever the same thing is to be done again.
	IdempotencyKey string
	Stdout, Stderr io.Writer // what the function prints; never nil
}

// New returns a runner that no process offers anything yet.
func New(c Config) *Runner {
	return &Runner{config: c.withDefaults(), remotes: map[identity]*remote{}, queues: map[key][]*waiter{}}
}

// Identity names the function, the only thing beside the task that can change
// the result.
func (r *Runner) Identity(_ context.Context, task *api.Task, _ func(api.Progress)) (string, error) {
	return "function/" + task.Function.ID, nil
}

// Run makes one attempt of a task that Validate has accepted. The error, if
// any, is an *api.Error. The result is never nil. Run returns within CancelGrace
// after ctx has ended, unless the writers of the request hold it up.
func (r *Runner) Run(ctx context.Context, runID string, req *api.Request) (*api.Result, error) {
	a := newAttempt(r, runID, req)
	outputs, err := a.run(ctx)
	return a.finish(outputs, err)
}

// Workers lists the workers that are connected, or were a moment ago, by name.
func (r *Runner) Workers() []api.Worker {
	r.mu.Lock()
	defer r.mu.Unlock()
	workers := make([]api.Worker, 0, len(r.remotes))
	for _, w := range r.remotes {
		workers = append(workers, w.describe())
	}
	slices.SortFunc(workers, func(a, b api.Worker) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), a.Since.Compare(b.Since), cmp.Compare(a.ID, b.ID))
	})
	return workers
}

// Close ends all connections and all calls. It asks functions of this process
// to stop, and does not wait for them.
func (r *Runner) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
	for _, queue := range r.queues {
		for _, w := range queue {
			w.err <- errClosed(api.NotStarted)
		}
	}
	clear(r.queues)
	for _, p := range slices.Clone(r.providers) {
		p.close()
	}
	return nil
}

// errClosed is the error of waiting calls. Calls under way get the same error
// with an unknown outcome.
func errClosed(o api.Outcome) *api.Error {
	e := api.Errorf(api.Interrupted, "the process of the run is ending")
	e.Outcome = o
	return e
}

// newID returns an id that cannot be guessed.
func newID() string { return rand.Text() }
