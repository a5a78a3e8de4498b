package engine

import (
	"context"
	"errors"
	"io"
	"iter"
	"os"
	"runtime/debug"
	"time"

	"github.com/cenkalti/backoff/v5"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

// carryOut takes a run from its start to its end.
func (r *run) carryOut() {
	result, err := r.guarded()
	switch {
	case r.rest(err):
		return
	case errors.Is(err, api.ErrAsleep): // and its end came while it fell asleep
		err = context.Cause(r.ctx)
	}
	r.finish(result, err)
}

// guarded makes a panic of a kind the error of the run: other runs go on.
func (r *run) guarded() (result *api.Result, err error) {
	defer func() {
		if p := recover(); p != nil {
			r.engine.config.Logger.Error("a run panicked", "run", r.id, "panic", p, "stack", string(debug.Stack()))
			err = api.Errorf(api.Internal, "the run ended in a panic: %v", p)
		}
	}()
	return r.attemptAll()
}

func (r *run) attemptAll() (*api.Result, error) {
	if err := r.load(r.ctx); err != nil {
		return nil, err
	}
	if err := r.goOnAwake(); err != nil {
		return nil, err
	}
	began := time.Now()
	if r.plan.slept {
		began = r.record().Started
	}
	r.start()
	r.endForgotten()
	if err := r.checkDoubt(); err != nil {
		return nil, err
	}
	result, err := r.cached(began)
	if result != nil {
		result.Timings.Total = time.Since(began)
	}
	return result, err
}

// start says that this process took the run on, unless whoever made it live has
// said so already.
func (r *run) start() {
	if r.record().Status == api.StatusRunning {
		return
	}
	var events []event
	if !r.plan.started {
		events = append(events, event{api.EventStarted, r.startedData()})
	}
	r.change(edited(func(rec *journal.Record) {
		rec.Status = api.StatusRunning
		if rec.Started.IsZero() {
			rec.Started = time.Now().UTC()
		}
	}), events...) // nothing of the user's is done before the next event, which is waited for
}

func (r *run) startedData() api.StartedData {
	rec := &r.rec // r.mu is held, or the run has not begun
	return api.StartedData{
		Owner: rec.Owner, Fence: rec.Fence, Resumed: r.plan.replay != nil || r.plan.inDoubt, RetryUnknown: r.plan.retryUnknown,
	}
}

// checkDoubt stops a run whose attempt was under way when its process died,
// unless it does no harm to do it again.
func (r *run) checkDoubt() error {
	if !r.plan.inDoubt || r.task.Idempotent || r.plan.retryUnknown {
		return nil
	}
	return api.Errorf(api.OutcomeUnknown,
		"attempt %d of task %s was under way when its process ended; nobody knows whether it was carried out, and the task is not declared idempotent",
		r.plan.attempts, r.rec.Task).WithDetails(api.Details{Run: r.id})
}

// attempts makes attempts until one succeeds or the policy allows no more.
func (r *run) attempts() (*api.Result, error) {
	policy := newPolicy(r.task)
	var result *api.Result
	_, err := backoff.Retry(r.ctx, func() (struct{}, error) {
		var err error
		if result, err = r.attempt(); err == nil {
			return struct{}{}, nil
		}
		if errors.Is(err, api.ErrAsleep) {
			return struct{}{}, backoff.Permanent(err)
		}
		if policy.again(api.AsError(err)) && r.settled(r.ctx) == nil {
			return struct{}{}, err
		}
		return struct{}{}, backoff.Permanent(err)
	}, backoff.WithBackOff(newBackOff()), backoff.WithMaxElapsedTime(0), backoff.WithNotify(r.announce))
	return result, err
}

func (r *run) announce(err error, wait time.Duration) {
	e := api.AsError(err)
	r.show(api.Progress{Stage: "retry", Message: "trying again in " + wait.Round(10*time.Millisecond).String() + ": " + e.Message})
	r.log.add("system", []byte("attempt failed, trying again in "+wait.Round(10*time.Millisecond).String()+": "+e.Error()+"\n"))
}

// attempt waits for a place and makes one attempt in it.
func (r *run) attempt() (*api.Result, error) {
	if err := r.takePlace(); err != nil {
		return nil, err
	}
	defer r.leavePlace()
	if err := r.beginAttempt(); err != nil {
		return nil, err
	}
	result, err := r.try()
	if err != nil && !errors.Is(err, api.ErrAsleep) {
		r.note(err)
	}
	return result, err
}

// beginAttempt makes it durable that an attempt is under way, before anything
// that it does can be felt outside.
func (r *run) beginAttempt() error {
	if r.plan.replay != nil {
		return nil // the attempt that was under way goes on
	}
	if !r.plan.begun {
		r.begin = r.change(edited(func(rec *journal.Record) { rec.Attempts++ }),
			event{api.EventAttemptStarted, api.AttemptStartedData{Attempt: r.attemptNumber() + 1, Seed: r.drawn()}})
	}
	r.plan.begun = false
	if r.begin == nil || !r.reaches() {
		return nil
	}
	return r.durable(r.ctx, r.begin)
}

// reaches reports whether the task can do something outside of itself that the
// journal does not come before anyway. What a cell without a way out has done is
// gone with it. The calls of an orchestrator are in the journal before they are
// made; what is printed waits too.
func (r *run) reaches() bool {
	switch r.kind {
	case api.KindOrchestrator:
		return false
	case api.KindSandbox:
		return !r.task.Network.None() || r.task.StartsRuns
	}
	return true
}

func (r *run) attemptNumber() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.rec.Attempts
}

// note records that an attempt failed. A run that is being interrupted keeps
// its attempt open, and so does one whose place in the journal is another's.
func (r *run) note(err error) {
	if r.interrupted() {
		return
	}
	r.change(edited(func(*journal.Record) {}),
		event{api.EventAttemptEnded, api.AttemptEndedData{Attempt: r.attemptNumber(), Error: api.AsError(err)}})
}

// interrupted reports whether the engine is closing under the run.
func (r *run) interrupted() bool { return errors.Is(context.Cause(r.ctx), errClosing) }

// try does what an attempt is there for, and takes in what it gave.
func (r *run) try() (*api.Result, error) {
	ctx, cancel := r.limited()
	defer cancel()
	ctx, unwatched := r.watched(ctx)
	defer unwatched(nil)
	req, clean, err := r.request(ctx)
	if err != nil {
		return nil, err
	}
	defer clean()
	var calls *caller
	if r.kind == api.KindOrchestrator {
		if calls, err = r.newCaller(ctx); err != nil {
			return nil, err
		}
		req.Caller = calls
	}
	r.started.begin()
	result, err := r.engine.config.Kinds[r.kind].Run(ctx, r.id, req)
	r.endStarted()
	if calls != nil {
		err = calls.close(err)
	}
	err = r.vain(ctx, r.overdue(ctx, err))
	if result == nil {
		result = &api.Result{ExitCode: -1}
	}
	if err != nil {
		return result, err
	}
	return result, r.carriedOut(r.takeOutputs(ctx, result))
}

// carriedOut is for errors after the task did what it does, whose own outcome
// speaks of what they kept from happening.
func (r *run) carriedOut(err error) error {
	if err == nil || api.AsError(err).Outcome != api.NotStarted {
		return err
	}
	lost := *api.AsError(err)
	lost.Outcome = api.Unknown
	return &lost
}

var errTimeLimit = errors.New("the time limit is over")

// limited bounds an attempt of an orchestrator; the runners of the other kinds
// do it themselves, and know when to start the clock.
func (r *run) limited() (context.Context, context.CancelFunc) {
	if r.kind != api.KindOrchestrator || r.task.Timeout == 0 {
		return context.WithCancel(r.ctx)
	}
	return context.WithTimeoutCause(r.ctx, r.task.Timeout, errTimeLimit)
}

// watched ends an attempt that went ahead of the journal when that cannot say
// that it began.
func (r *run) watched(ctx context.Context) (context.Context, context.CancelCauseFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	begin := r.begin
	if begin == nil || r.reaches() { // which has waited for it
		return ctx, cancel
	}
	r.engine.work.Go(func() {
		if begin.Wait(ctx) != nil && ctx.Err() == nil {
			cancel(unbegun{r.durable(ctx, begin)})
		}
	})
	return ctx, cancel
}

// unbegun is why attempts end whose beginning is not in the journal.
type unbegun struct{ error }

// vain returns why an attempt was ended, if that is that it did not begin.
func (r *run) vain(ctx context.Context, err error) error {
	var why unbegun
	if err != nil && errors.As(context.Cause(ctx), &why) {
		return why.error
	}
	return err
}

func (r *run) overdue(ctx context.Context, err error) error {
	if err == nil || !errors.Is(context.Cause(ctx), errTimeLimit) {
		return err
	}
	return api.Errorf(api.Timeout, "the run was ended after its time limit of %s, waiting for tools included", r.task.Timeout).
		WithDetails(api.Details{Duration: r.task.Timeout})
}

// request is what the runner gets. Clean removes what was laid out for it.
func (r *run) request(ctx context.Context) (*api.Request, func(), error) {
	inputs, clean := r.inputs, func() {}
	if r.kind != api.KindOrchestrator && holdFiles(r.inputs) {
		dir := r.engine.inputDir(r.id)
		err := os.RemoveAll(dir) // what an attempt left whose process was killed
		if err != nil {
			return nil, nil, api.Errorf(api.Internal, "lay out the inputs: %w", err)
		}
		if inputs, err = r.engine.layOut(ctx, r.inputs, dir); err != nil {
			return nil, nil, errors.Join(err, os.RemoveAll(dir))
		}
		clean = func() { os.RemoveAll(dir) }
	}
	stdout := r.writer("stdout", r.streams.stdout)
	if r.plan.replay != nil {
		stdout.known = printed(r.log.path)
	}
	stdout.seen, stdout.passed = r.seen, &r.seen
	return &api.Request{
		Task: r.task, Inputs: inputs, IdempotencyKey: r.id, Stdout: stdout,
		Stderr: r.writer("stderr", r.streams.stderr), Progress: r.show,
	}, clean, nil
}

// writer takes what the attempt prints. It waits for what has to come before.
func (r *run) writer(stream string, next io.Writer) *logWriter {
	return &logWriter{log: r.log, stream: stream, next: next, passed: new(int), after: r.begin, told: r.told}
}

// holdFiles reports whether there is a file in the values.
func holdFiles(values map[string]any) bool {
	for _, v := range values {
		for range api.Files(v) {
			return true
		}
	}
	return false
}

// takeOutputs holds the outputs to their types and keeps their files by
// content. The values of the result keep the paths that a face of this host
// wants, and get the digests that everybody else sees.
func (r *run) takeOutputs(ctx context.Context, result *api.Result) error {
	params := outputParams(r.task)
	values := make(map[string]any, len(result.Outputs))
	for _, out := range result.Outputs {
		values[out.Name] = out.Value
	}
	for _, p := range params {
		v, ok := values[p.Name]
		if !ok {
			return api.Errorf(api.MissingOutput, "the task gave no output %s", p.Name).WithDetails(api.Details{Field: p.Name, Expected: p.Type.String()})
		}
		n, err := api.Normalize(p.Type, v)
		if err != nil {
			return api.BadValue(api.BadOutput, "output", p.Name, err)
		}
		values[p.Name] = n
	}
	taken, blobs, err := r.engine.takeFiles(ctx, values, r.kind == api.KindSandbox)
	if err != nil {
		return badFile(err)
	}
	for i, out := range result.Outputs {
		if result.Outputs[i].Value, err = withDigests(values[out.Name], taken[out.Name]); err != nil {
			return err
		}
	}
	text, err := api.EncodeFields(params, taken)
	if err != nil {
		return api.AsError(err)
	}
	payload, err := r.engine.payload(ctx, text, &blobs)
	if err != nil {
		return err
	}
	r.outputs = outputs{values: taken, text: text, payload: payload, blobs: blobs, size: sizeOf(taken) + int64(len(text))}
	return nil
}

// withDigests returns v with its files as known as they are in content, which is
// the same value with its files by content.
func withDigests(v, content any) (any, error) {
	next, stop := iter.Pull(api.Files(content))
	defer stop()
	return api.MapFiles(v, func(file any) (any, error) {
		ref, _ := api.RefOf(file)
		stored, _ := next()
		ref.Size, ref.SHA256 = stored.Size, stored.SHA256
		return ref.In(file), nil
	})
}

// outputs are the results of a run, files by content.
type outputs struct {
	values  map[string]any
	text    []byte
	payload journal.Payload
	blobs   []string
	size    int64 // bytes, files included
}

// sizeOf sums the bytes of all files in values.
func sizeOf(values map[string]any) (size int64) {
	for _, v := range values {
		for file := range api.Files(v) {
			size += file.Size
		}
	}
	return size
}
