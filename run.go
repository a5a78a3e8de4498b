package glovebox

import (
	"context"
	"errors"
	"io"
	"iter"
	"slices"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/buildcontext"
)

// Values are the inputs of a run by name. Each fits its declared type or the
// run is refused with invalid_input; the package documentation says which Go
// types fit which.
type Values map[string]any

// Types of runs.
type (
	// RunInfo is what is known of a run: status, times, inputs and outputs.
	RunInfo = api.Run
	// Status is where a run stands.
	Status = api.Status
	// Event is one thing that happened to a run.
	Event = api.Event
	// LogEntry is a piece of what a run printed.
	LogEntry = api.LogEntry
	// ResumeOptions say how a run is resumed.
	ResumeOptions = api.ResumeOptions
	// Resolution says what became of a call whose outcome is unknown.
	Resolution = api.Resolution
)

// Run is a run that was started, now or at any time before. It is safe for
// concurrent use.
type Run struct {
	g  *Glovebox
	id string
}

// RerunOptions say what is different when a run is made again.
type RerunOptions struct {
	Task   Task   // replaces the task; nil takes that of the earlier run
	Inputs Values // replace inputs of the earlier run, by name
	From   uint64 // the first call that is done again in any case; 0 reuses all that match
	Fresh  bool   // reuse nothing: no call of the earlier run, and no result of the cache
	// Cache overrules the mode of the task, unless it is empty. With Fresh it is
	// empty, or CacheOverride to keep the new result.
	Cache CacheMode
}

// Run runs a task once and waits for its end.
//
// On failure the error is an *Error, and the result holds what there is, such
// as standard error and timings; it is empty if no run was made. Ending the
// context cancels the run, and everything that it started ends with it; Run
// returns when that is done.
//
// With Ephemeral there is no run, and the result is that of an evaluation.
func (g *Glovebox) Run(ctx context.Context, task Task, inputs Values, opts ...RunOption) (*Result, error) {
	if s := submissionOf(inputs, opts); s.durability == Ephemeral {
		return g.evaluate(ctx, task, s)
	}
	run, err := g.startWithin(ctx, task, inputs, opts)
	if err != nil {
		return &Result{}, err
	}
	return run.finish(ctx)
}

// startWithin starts a run that is not to outlive ctx. If ctx ends before it is
// known whether there is a run, and there is, that is cancelled as soon as it is
// known.
func (g *Glovebox) startWithin(ctx context.Context, task Task, inputs Values, opts []RunOption) (*Run, error) {
	type answer struct {
		run *Run
		err error
	}
	if ctx.Err() != nil {
		return nil, canceledBy(ctx)
	}
	answered := make(chan answer, 1)
	lasting := context.WithoutCancel(ctx)
	go func() {
		run, err := g.Start(lasting, task, inputs, opts...)
		answered <- answer{run, err}
	}()
	select {
	case a := <-answered:
		return a.run, a.err
	case <-ctx.Done():
	}
	go func() {
		if a := <-answered; a.err == nil {
			_ = a.run.Cancel(lasting, "the caller gave up") // no caller is left to report to
		}
	}()
	return nil, canceledBy(ctx)
}

func canceledBy(ctx context.Context) error {
	return api.Errorf(api.Canceled, "the run was cancelled: %w", context.Cause(ctx))
}

// Start makes a run and returns when it is durable, usually before the task
// begins. The run is not bound to ctx: cancel it with Run.Cancel.
//
// Functions among the task and its tools are offered to the run until it ends.
func (g *Glovebox) Start(ctx context.Context, task Task, inputs Values, opts ...RunOption) (*Run, error) {
	s := submissionOf(inputs, slices.Concat([]RunOption{WithParent(g.parent(ctx))}, opts))
	if s.durability == Ephemeral {
		return nil, errStartedEphemeral()
	}
	at := scope{names: g.namesFor(ctx, s.Submission), bound: map[string]*function{}}
	var err error
	if s.Task, _, err = defineAt(task, at); err != nil {
		return nil, err
	}
	return g.offerTo(at.bound, func() (*Run, error) { return g.submit(ctx, task, s) })
}

// submit names a deployed task by its version, so that the run does too.
func (g *Glovebox) submit(ctx context.Context, task Task, s submission) (*Run, error) {
	deployed, ok := task.(Deployed)
	switch {
	case s.image != "":
		ref, err := api.AbsoluteImage(s.image, ".")
		if err != nil {
			return nil, err
		}
		s.Task.Image = api.ImageSpec{Ref: ref, RegistrySecret: s.Task.Image.RegistrySecret}
	case ok:
		s.Task, s.Name = nil, deployed.ref()
	}
	if s.Task != nil {
		if err := buildcontext.TakeAll(ctx, g.service, s.Task); err != nil {
			return nil, err
		}
	}
	info, err := g.service.Submit(ctx, s.Submission)
	if err != nil {
		return nil, err
	}
	return g.Attach(info.ID), nil
}

// Attach returns the run with an id. Its methods fail with not_found if there
// is none.
func (g *Glovebox) Attach(id string) *Run { return &Run{g, id} }

// Resume resumes a run that was interrupted, failed or was canceled. Calls that
// succeeded are not executed again.
//
// The run uses the registered functions, and the functions given here, which
// are offered to it until it ends. Each stands in for the function of its name
// and version, or signature. Calls of other functions wait for a process that
// offers them, and fail as worker_unavailable.
func (g *Glovebox) Resume(ctx context.Context, id string, o ResumeOptions, functions ...Function) (*Run, error) {
	bound, err := g.forAgain(ctx, id, functions)
	if err != nil {
		return nil, err
	}
	return g.offerTo(bound, func() (*Run, error) {
		info, err := g.service.Resume(ctx, id, o)
		if err != nil {
			return nil, err
		}
		return g.Attach(info.ID), nil
	})
}

// Rerun makes a new run of an earlier one. Calls of the earlier one that
// succeeded, and that the new run makes in the same way, are not done again.
func (g *Glovebox) Rerun(ctx context.Context, id string, o RerunOptions) (*Run, error) {
	options := api.RerunOptions{Inputs: o.Inputs, From: o.From, Fresh: o.Fresh, Cache: o.Cache}
	start := func() (*Run, error) {
		info, err := g.service.Rerun(ctx, id, options)
		if err != nil {
			return nil, err
		}
		return g.Attach(info.ID), nil
	}
	if o.Task == nil {
		bound, err := g.forAgain(ctx, id, nil)
		if err != nil {
			return nil, err
		}
		return g.offerTo(bound, start)
	}
	return g.rerunWith(ctx, id, o.Task, &options.Task, start)
}

// rerunWith calls the functions of task by the ids of the earlier run, so that
// its calls of them can be known as the same. While another run has its own
// functions there, they get new ones.
func (g *Glovebox) rerunWith(ctx context.Context, id string, task Task, definition **api.Task, start func() (*Run, error)) (*Run, error) {
	_, functions, err := define(task)
	if err != nil {
		return nil, err
	}
	instance := ""
	if len(functions) > 0 {
		if instance, err = g.instanceOfRun(ctx, id); err != nil {
			return nil, err
		}
	}
	for {
		fresh := instance == ""
		if fresh {
			instance = newInstance()
		}
		at := scope{names: g.names(instance), bound: map[string]*function{}}
		if *definition, _, err = defineAt(task, at); err != nil {
			return nil, err
		}
		err = g.offers.hold(at.bound, true)
		if err == nil {
			return g.follow(at.bound, start)
		}
		if fresh || !errors.Is(err, ErrConflict) {
			return nil, err
		}
		instance = ""
	}
}

// ID returns the id of the run.
func (r *Run) ID() string { return r.id }

// Wait waits for the end of the run and returns its result, as Glovebox.Run
// does. Ending ctx ends the waiting, not the run.
func (r *Run) Wait(ctx context.Context) (*Result, error) {
	holds := r.g.holds.of(r.id)
	result, err := r.g.service.Wait(ctx, r.id)
	if ended(ctx, result, err) {
		for _, h := range holds {
			h.end()
		}
	}
	if result == nil {
		result = &api.Result{RunID: r.id}
	}
	return &Result{*result}, err
}

// Report opens the page of HTML that the program has written for people until now.
// It returns not_found if there is none.
func (r *Run) Report(ctx context.Context) (io.ReadCloser, error) {
	info, err := r.Info(ctx)
	if err != nil {
		return nil, err
	}
	if info.Report == nil {
		return nil, api.Errorf(api.NotFound, "run %s has no report", r.id)
	}
	from, _, err := r.g.service.OpenBlob(ctx, info.Report.SHA256)
	return from, err
}

// Info returns what is known of the run, inputs and outputs included.
func (r *Run) Info(ctx context.Context) (*RunInfo, error) { return r.g.service.Run(ctx, r.id) }

// Status returns where the run stands.
func (r *Run) Status(ctx context.Context) (Status, error) {
	info, err := r.Info(ctx)
	if err != nil {
		return "", err
	}
	return info.Status, nil
}

// Resolve records the outcome of a call of the run, or of the run itself, if
// that is unknown, and returns the run of the call. Resume then continues with
// the answer.
func (r *Run) Resolve(ctx context.Context, o Resolution) (*RunInfo, error) {
	return r.g.service.Resolve(ctx, r.id, o)
}

// Cancel ends the run and the runs that it started. It returns when that is
// asked for; Wait tells when it is done.
func (r *Run) Cancel(ctx context.Context, reason string) error {
	return r.g.service.Cancel(ctx, r.id, reason)
}

// Events yields what happened to the run from its beginning, and then what
// happens, until it has ended. It ends after an error.
func (r *Run) Events(ctx context.Context) iter.Seq2[Event, error] {
	return r.g.service.Events(ctx, r.id, 0)
}

// Logs yields what the run has printed; with follow also what it is going to
// print, until it has ended. It ends after an error.
func (r *Run) Logs(ctx context.Context, follow bool) iter.Seq2[LogEntry, error] {
	return r.g.service.Logs(ctx, r.id, 0, follow)
}

// Calls lists the runs of the tools that the run called, in the order in which
// they began.
func (r *Run) Calls(ctx context.Context) ([]RunInfo, error) {
	var all []RunInfo
	query := api.RunQuery{Parent: r.id, Limit: pageSize}
	for {
		page, err := r.g.service.Runs(ctx, query)
		if err != nil {
			return nil, err
		}
		all = append(all, page.Runs...)
		if query.Cursor = page.Next; page.Next == "" {
			return all, nil
		}
	}
}

// pageSize is how many runs are asked for at a time.
const pageSize = 1000

// cleanEnd bounds the waiting for a cancelled run to end.
const cleanEnd = 30 * time.Second

// finish waits for the run, and cancels it when ctx ends.
func (r *Run) finish(ctx context.Context) (*Result, error) {
	result, err := r.Wait(ctx)
	if err == nil || ctx.Err() == nil {
		return result, err
	}
	after, stop := context.WithTimeout(context.WithoutCancel(ctx), cleanEnd)
	defer stop()
	cause := context.Cause(ctx)
	err = r.Cancel(after, cause.Error())
	if err != nil && !errors.Is(err, ErrConflict) { // it may have ended meanwhile
		return result, canceled(api.AsError(err), cause)
	}
	result, err = r.Wait(after)
	if err == nil || !errors.Is(err, ErrCanceled) {
		return result, err
	}
	return result, canceled(api.AsError(err), cause)
}

// canceled is the error of a run that ended, or could not be ended, because the
// context of its caller did. It unwraps to the cause.
func canceled(err *Error, cause error) error {
	e := api.Errorf(api.Canceled, "the run was cancelled: %w", cause)
	if err.Code != api.Canceled {
		e = api.Errorf(api.Canceled, "the run was given up (%w), but could not be cancelled: %s", cause, err.Message)
	}
	e.Outcome, e.Attempts, e.Details = err.Outcome, err.Attempts, err.Details
	return e
}
