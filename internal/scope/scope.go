// Package scope shows the engine to the code of one cell: an api.Service that
// starts runs below the run of that cell, follows them, and does nothing else.
//
// The code is taken to be hostile. It sees no runs but its own and those below
// it, and what it starts is given no secret, no host of the network and no image
// that its own task could not have: authority never grows on the way down. What
// it makes the host keep is charged to a budget.
package scope

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"iter"
	"sync"
	"sync/atomic"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/denied"
)

// The bounds of one attempt.
const (
	maxDepth  = 16       // runs above the one whose cell may start runs
	maxClimb  = 100      // runs between another one and that of the cell; more than there can be
	maxImages = 16       // builds
	startCost = 64 << 10 // bytes that a run costs beside those that it was given
)

// Engine is what a scope stands on.
type Engine struct {
	api.Service
	// DeployFree deploys, but a name taken by a different task is a conflict.
	DeployFree func(ctx context.Context, d api.Deployment) ([]api.TaskVersion, error)
	// ParentOf returns the run that a run is below, or "".
	ParentOf func(ctx context.Context, id string) (string, error)
	// KnownImage reports whether an image is here, so that asking for it builds
	// nothing and reaches no registry.
	KnownImage func(spec api.ImageSpec) bool
	// TreeSize returns the bytes of all files in a stored directory.
	TreeSize func(ctx context.Context, digest string) (int64, error)
}

// Scope is what the code of one attempt may ask of the engine. It is safe for
// concurrent use.
type Scope struct {
	denied.Service
	engine Engine
	run    string
	task   *api.Task // of the run: the bounds of all below it
	nonce  string    // keeps its idempotency keys apart from those of others

	budget atomic.Int64 // bytes that may still be handed over

	mu      sync.Mutex
	mine    map[string]bool // runs below it, as far as they are known
	images  map[string]bool // that were built for it
	closed  bool
	pending sync.WaitGroup // submissions under way
}

var _ api.Service = (*Scope)(nil)

// deny refuses what the code of a cell may not ask for.
func deny(what string) *api.Error { return refused("%s", what) }

func refused(format string, args ...any) *api.Error {
	return api.Errorf(api.Unauthorized, "the code of a cell cannot "+format, args...).
		WithHint("a cell can start runs below its own, with what its own task has, and follow those; ask for everything else from outside of cells")
}

// failing is a stream that begins with its error.
func failing[T any](err error) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		yield(none, err)
	}
}

// New returns the scope of one attempt of a run.
func New(e Engine, run string, task *api.Task) *Scope {
	s := &Scope{Service: denied.Service{Refuse: deny}, engine: e, run: run, task: task, nonce: rand.Text(), mine: map[string]bool{}, images: map[string]bool{}}
	s.budget.Store(task.Limits.WithDefaults().Outputs)
	return s
}

// Close ends the scope: nothing more is started, and what is being started has
// been when it returns.
func (s *Scope) Close() error {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.pending.Wait()
	return nil
}

// enter begins what must not happen after Close.
func (s *Scope) enter() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return api.Errorf(api.Conflict, "the attempt of run %s has ended", s.run).WithDetails(api.Details{Run: s.run})
	}
	s.pending.Add(1)
	return nil
}

// charge takes bytes from the budget, before they are kept.
func (s *Scope) charge(n int64) error {
	if s.budget.Add(-n) >= 0 {
		return nil
	}
	s.budget.Add(n)
	limit := s.task.Limits.WithDefaults().Outputs
	return api.Errorf(api.LimitExceeded, "the cell has handed over all of the %d bytes that it may, at %d for each run that it starts", limit, startCost).
		WithHint("raise limits.outputs of the task that starts the runs, or hand over less").
		WithDetails(api.Details{Field: "limits.outputs", Limit: limit})
}

// checkBelow refuses runs that are not below the one of the cell, with the same
// error as for runs that do not exist.
func (s *Scope) checkBelow(ctx context.Context, id string) error {
	path := []string{}
	for at := id; at != "" && len(path) < maxClimb; {
		s.mu.Lock()
		known := s.mine[at]
		s.mu.Unlock()
		if known {
			s.remember(path)
			return nil
		}
		path = append(path, at)
		parent, err := s.engine.ParentOf(ctx, at)
		if err != nil {
			break
		}
		if parent == s.run {
			s.remember(path)
			return nil
		}
		at = parent
	}
	return refused("ask for run %.128s: it is not below its own", id).WithDetails(api.Details{Field: "run", Expected: "a run below " + s.run})
}

// checkRead also lets the cell see its own run.
func (s *Scope) checkRead(ctx context.Context, id string) error {
	if id == s.run {
		return nil
	}
	return s.checkBelow(ctx, id)
}

func (s *Scope) remember(runs []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, id := range runs {
		s.mine[id] = true
	}
}

// Submit implements api.Runs: the run is below that of the cell.
func (s *Scope) Submit(ctx context.Context, sub api.Submission) (*api.Run, error) {
	if err := s.enter(); err != nil {
		return nil, err
	}
	defer s.pending.Done()
	if err := s.place(ctx, &sub); err != nil {
		return nil, err
	}
	task, err := s.grant(ctx, &sub)
	if err != nil {
		return nil, err
	}
	size, err := s.weigh(ctx, sub, task)
	if err != nil {
		return nil, err
	}
	if err := s.charge(startCost + size); err != nil {
		return nil, err
	}
	if sub.IdempotencyKey != "" {
		sum := sha256.Sum256([]byte(s.nonce + " " + sub.IdempotencyKey))
		sub.IdempotencyKey = "cell:" + hex.EncodeToString(sum[:])
	}
	run, err := s.engine.Submit(ctx, sub)
	if err != nil {
		return nil, err
	}
	s.remember([]string{run.ID})
	return shownRun(run)
}

// place puts a submission below the run of the cell.
func (s *Scope) place(ctx context.Context, sub *api.Submission) error {
	if sub.Parent == "" || sub.Parent == s.run {
		sub.Parent = s.run
	} else if err := s.checkBelow(ctx, sub.Parent); err != nil {
		return err
	}
	depth := 0
	for at := sub.Parent; at != ""; depth++ {
		if depth == maxDepth {
			return api.Errorf(api.LimitExceeded, "run %s is below %d others, and nothing can be started below it", sub.Parent, maxDepth).
				WithHint("start the runs from one nearer to the top; a task that calls itself without end comes here, too").
				WithDetails(api.Details{Limit: maxDepth, Run: sub.Parent})
		}
		parent, err := s.engine.ParentOf(ctx, at)
		if err != nil {
			return err
		}
		at = parent
	}
	return nil
}

// grant checks that the task of a submission is within the authority of the
// cell, and returns it. The version of a deployed one is fixed, so that what is
// started is what was checked.
func (s *Scope) grant(ctx context.Context, sub *api.Submission) (*api.Task, error) {
	if sub.Name != "" {
		version, err := s.engine.Task(ctx, sub.Name)
		if err != nil {
			return nil, err
		}
		sub.Name = fmt.Sprintf("%s@%d", version.Name, version.Version)
		return version.Task, s.checkDeployed(version.Task)
	}
	if sub.Task == nil {
		return nil, api.Errorf(api.InvalidTask, "a run needs a task or the name of a deployed one").WithDetails(api.Details{Field: "task"})
	}
	task, err := s.checkGiven(sub.Task)
	sub.Task = task
	return task, err
}

// Wait implements api.Runs.
func (s *Scope) Wait(ctx context.Context, id string) (*api.Result, error) {
	if id == s.run {
		return nil, refused("wait for its own run, which waits for it")
	}
	if err := s.checkBelow(ctx, id); err != nil {
		return nil, err
	}
	return s.engine.Wait(ctx, id)
}

// Run implements api.Runs.
func (s *Scope) Run(ctx context.Context, id string) (*api.Run, error) {
	if err := s.checkRead(ctx, id); err != nil {
		return nil, err
	}
	run, err := s.engine.Run(ctx, id)
	if err != nil || id == s.run {
		return run, err
	}
	return shownRun(run)
}

// RunTask implements api.Runs for the run of the cell, and for runs that it
// started with a task of its own. Cells do not see deployed tasks.
func (s *Scope) RunTask(ctx context.Context, id string) (*api.Task, error) {
	if err := s.checkRead(ctx, id); err != nil {
		return nil, err
	}
	run, err := s.engine.Run(ctx, id)
	if err != nil {
		return nil, err
	}
	if id != s.run && (run.Parent != s.run || run.Version != "") {
		return nil, refused("see the task of a run, but of its own and of those that it started with tasks of its own")
	}
	return s.engine.RunTask(ctx, id)
}

// Runs implements api.Runs: of a run below, or its own, those that it started.
func (s *Scope) Runs(ctx context.Context, q api.RunQuery) (api.RunPage, error) {
	if q.Parent == "" {
		return api.RunPage{}, refused("list runs, but those that it started: name its own run as the parent")
	}
	if err := s.checkRead(ctx, q.Parent); err != nil {
		return api.RunPage{}, err
	}
	return s.engine.Runs(ctx, q)
}

// Events implements api.Runs.
func (s *Scope) Events(ctx context.Context, id string, after int64) iter.Seq2[api.Event, error] {
	if err := s.checkRead(ctx, id); err != nil {
		return failing[api.Event](err)
	}
	return s.engine.Events(ctx, id, after)
}

// Logs implements api.Runs.
func (s *Scope) Logs(ctx context.Context, id string, after int64, follow bool) iter.Seq2[api.LogEntry, error] {
	if err := s.checkRead(ctx, id); err != nil {
		return failing[api.LogEntry](err)
	}
	return s.engine.Logs(ctx, id, after, follow)
}

// Cancel implements api.Runs.
func (s *Scope) Cancel(ctx context.Context, id, reason string) error {
	if err := s.checkBelow(ctx, id); err != nil {
		return err
	}
	return s.engine.Cancel(ctx, id, reason)
}

// Check implements api.Runs. It starts nothing.
func (s *Scope) Check(ctx context.Context, task *api.Task) ([]api.Problem, error) {
	return s.engine.Check(ctx, task)
}

// Prompt implements api.Runs. It starts nothing.
func (s *Scope) Prompt(ctx context.Context, task *api.Task) (string, error) {
	return s.engine.Prompt(ctx, task)
}

// ExplainCache implements api.Cache. It leaves out the runs of others.
func (s *Scope) ExplainCache(ctx context.Context, id string) (*api.CacheExplanation, error) {
	if err := s.checkBelow(ctx, id); err != nil {
		return nil, err
	}
	explained, err := s.engine.ExplainCache(ctx, id)
	if err != nil {
		return nil, err
	}
	own := *explained
	own.Source, own.Nearest, own.Differs = "", "", nil
	if own.Verdict == "joined" {
		own.Reason = "the same was under way"
	}
	return &own, nil
}

// PutBlob implements api.Blobs. The bytes are charged before they are kept.
func (s *Scope) PutBlob(ctx context.Context, r io.Reader) (string, int64, error) {
	if err := s.charge(1); err != nil {
		return "", 0, err
	}
	return s.engine.PutBlob(ctx, &charged{s, r})
}

// charged is a reader whose bytes are paid for.
type charged struct {
	scope *Scope
	r     io.Reader
}

// Read implements io.Reader.
func (c *charged) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	if short := c.scope.charge(int64(n)); short != nil {
		return 0, short
	}
	return n, err
}

// OpenBlob implements api.Blobs. A digest cannot be guessed: who has it has seen
// the bytes, or was given it.
func (s *Scope) OpenBlob(ctx context.Context, digest string) (io.ReadCloser, int64, error) {
	return s.engine.OpenBlob(ctx, digest)
}

// BuildImage implements api.Images.
func (s *Scope) BuildImage(ctx context.Context, spec api.ImageSpec, progress func(api.Progress)) (*api.ImageInfo, error) {
	spec, err := s.checkImage(spec)
	if err != nil {
		return nil, err
	}
	return s.engine.BuildImage(ctx, spec, progress)
}
