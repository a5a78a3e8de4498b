package engine

import (
	"bytes"
	"context"
	"errors"
	"io"
	"iter"
	"os"
	"runtime/debug"
	"time"

	"github.com/cenkalti/backoff/v5"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/engine/replay"
	"github.com/glovebox-dev/glovebox/internal/engine/runlog"
	"github.com/glovebox-dev/glovebox/internal/journal"
	"github.com/glovebox-dev/glovebox/value"
)

// execute takes a run from its start to its end.
func (r *run) execute() {
	result, err := r.guarded()
	switch {
	case r.fallAsleep(err):
		return
	case errors.Is(err, api.ErrAsleep): // it was cancelled while it fell asleep
		err = context.Cause(r.ctx)
	}
	r.finish(result, err)
}

// guarded turns a panic of a runner into the error of its run, so that it does not
// end other runs.
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
	if err := r.passGate(); err != nil {
		return nil, err
	}
	if err := r.load(r.ctx); err != nil {
		return nil, err
	}
	if err := r.permitted(); err != nil {
		return nil, err
	}
	if err := r.readWoken(); err != nil {
		return nil, err
	}
	began := time.Now()
	if r.plan.woken {
		began = r.record().Started
	}
	r.start()
	if err := r.checkDoubt(); err != nil {
		return nil, err
	}
	result, err := r.cached(began)
	if result != nil {
		result.Timings.Total = time.Since(began)
	}
	return result, err
}

// start submits that this process carries the run out, unless that was submitted
// when the run was created, or resumed.
func (r *run) start() {
	if r.state.in(started, attempting) {
		return
	}
	var events []event
	if !r.state.in(resumed) {
		events = append(events, event{api.EventStarted, r.startedData()})
	}
	r.to(started)
	if r.record().Status == api.StatusRunning { // it was asleep
		return
	}
	r.change(edited(func(rec *journal.Record) {
		rec.Status = api.StatusRunning
		if rec.Started.IsZero() {
			rec.Started = time.Now().UTC()
		}
	}), events...) // not waited for: the start of the attempt comes before anything that can be noticed
}

func (r *run) startedData() api.StartedData {
	rec := &r.rec // r.mu is held, or the run has not begun
	return api.StartedData{
		Owner: rec.Holder, Fence: rec.Fence, Resumed: r.plan.replay != nil || r.plan.inDoubt, RetryUnknown: r.plan.retryUnknown,
	}
}

// attempts makes attempts until one succeeds or the policy allows no more.
func (r *run) attempts() (*api.Result, error) {
	policy := newPolicy(r.task)
	if err := r.failed(policy); err != nil {
		return nil, err
	}
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
	r.log.Add("system", []byte("attempt failed, trying again in "+wait.Round(10*time.Millisecond).String()+": "+e.Error()+"\n"))
}

// attempt waits for a slot and makes one attempt in it.
func (r *run) attempt() (*api.Result, error) {
	r.waitsForSlot.Store(true)
	err := r.ticket.AcquireSlot(r.ctx)
	r.waitsForSlot.Store(false)
	if err != nil {
		return nil, err
	}
	defer r.ticket.ReleaseSlot()
	if err := r.beginAttempt(); err != nil {
		return nil, err
	}
	result, err := r.try()
	if err != nil {
		r.share.Release()
	}
	if err != nil && !errors.Is(err, api.ErrAsleep) {
		r.note(result, err)
	}
	return result, err
}

// beginAttempt makes it durable that an attempt is under way, before anything
// that it does can be felt outside.
func (r *run) beginAttempt() error {
	if r.plan.replay != nil {
		r.to(attempting)
		return nil // the journal has its start
	}
	if !r.state.in(attempting) { // else the creation of the run said so
		r.durability.begun = r.change(edited(func(rec *journal.Record) { rec.Attempts++ }),
			event{api.EventAttemptStarted, api.AttemptStartedData{Attempt: r.attemptNumber() + 1, Seed: r.drawn()}})
		r.to(attempting)
	}
	if r.durability.begun == nil || !r.reaches() {
		return nil
	}
	return r.durable(r.ctx, r.durability.begun)
}

// reaches reports whether an attempt can have effects outside that need its start
// to be durable first. A cell without network has none that outlive it, and the
// calls of an orchestrator are journalled before they are made. Output waits for
// the start in any case.
func (r *run) reaches() bool {
	switch r.kind {
	case api.KindOrchestrator, api.KindAgent, api.KindCodegen, api.KindSignal:
		return false
	case api.KindSandbox:
		return !r.task.Network.None() || r.task.StartsRuns || r.task.Asks != nil
	}
	return true
}

// note records that an attempt failed. A run that is being interrupted keeps its
// attempt open, for the process that resumes it.
func (r *run) note(result *api.Result, err error) {
	if r.interrupted() {
		return
	}
	r.change(edited(func(rec *journal.Record) { rec.Deaths = 0 }),
		event{api.EventAttemptEnded, api.AttemptEndedData{Attempt: r.attemptNumber(), Error: api.AsError(err), Samples: samplesOf(result)}})
	r.to(started)
}

// samplesOf returns what the journal keeps of the use of an attempt.
func samplesOf(result *api.Result) []api.RunSample {
	if result == nil {
		return nil
	}
	return result.Samples
}

// interrupted reports whether the engine is closing under the run.
func (r *run) interrupted() bool { return errors.Is(context.Cause(r.ctx), errClosing) }

// try has the runner do the work of one attempt, and takes its outputs.
func (r *run) try() (*api.Result, error) {
	ctx, cancel := r.limited()
	defer cancel()
	ctx, unbind := r.boundToStart(ctx)
	defer unbind(nil)
	if !r.kind.CallsTools() {
		ctx, r.share = r.engine.config.Memory.Share(ctx)
	}
	req, clean, err := r.request(ctx)
	if err != nil {
		return nil, err
	}
	defer clean()
	var calls *caller
	if r.kind.CallsTools() {
		if calls, err = r.newCaller(ctx); err != nil {
			return nil, err
		}
		req.Caller = calls
	}
	if err := r.recall(ctx); err != nil {
		return nil, err
	}
	r.children.Open()
	result, err := r.engine.config.Kinds[r.kind].Run(ctx, r.id, req)
	r.endChildren()
	if calls != nil {
		err = calls.close(err)
	}
	err = startError(ctx, r.overdue(ctx, err))
	if result == nil {
		result = &api.Result{ExitCode: -1}
	}
	if err != nil {
		return result, err
	}
	return result, afterEffect(r.takeOutputs(ctx, result))
}

// afterEffect corrects the outcome of an error that came after the task had
// done its work. NotStarted then means that a later step did not start; the
// task did.
func afterEffect(err error) error {
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
	if !r.kind.CallsTools() || r.task.Timeout == 0 {
		return context.WithCancel(r.ctx)
	}
	return context.WithTimeoutCause(r.ctx, r.task.Timeout, errTimeLimit)
}

// boundToStart returns a context that ends if the start of the attempt does not
// become durable, which an attempt without effects outside does not wait for.
func (r *run) boundToStart(ctx context.Context) (context.Context, context.CancelCauseFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	begin := r.durability.begun
	if begin == nil || r.reaches() { // which has waited for it
		return ctx, cancel
	}
	r.engine.work.Go(func() {
		if begin.Wait(ctx) != nil && ctx.Err() == nil {
			cancel(startFailure{r.durable(ctx, begin)})
		}
	})
	return ctx, cancel
}

// startFailure is the cause when an attempt ends because the journal failed to
// record its start.
type startFailure struct{ error }

// startError returns the startFailure that ended an attempt, or err without
// one.
func startError(ctx context.Context, err error) error {
	var why startFailure
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
	if !r.kind.CallsTools() && r.inputs.HoldFiles() {
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
		stdout.Known = runlog.Printed(r.engine.logPath(r.id))
	}
	stdout.Seen, stdout.Passed = r.seen, &r.seen
	return &api.Request{
		Task: r.task, Inputs: inputs, Root: r.rec.Root, Parent: r.rec.Parent, IdempotencyKey: replay.Key(&r.rec), Stdout: stdout,
		Stderr: r.writer("stderr", r.streams.stderr), Progress: r.show, Report: r.reporter(),
	}, clean, nil
}

// writer returns the writer for a stream of the attempt, which waits until output
// may be shown.
func (r *run) writer(stream string, next io.Writer) *runlog.Writer {
	attempt := r.durability
	return &runlog.Writer{Log: r.log, Stream: stream, Next: next, Passed: new(int), Shown: func() error { return r.shown(attempt) }}
}

// takeOutputs checks the outputs against their types and stores their files as
// blobs. The values of the result keep their paths on this host, and get the
// digests that other hosts see.
func (r *run) takeOutputs(ctx context.Context, result *api.Result) error {
	params := r.task.OutputParams()
	values := make(map[string]any, len(result.Outputs))
	for _, out := range result.Outputs {
		values[out.Name] = out.Value
	}
	for _, p := range params {
		if _, ok := values[p.Name]; !ok {
			return api.Errorf(api.MissingOutput, "the task gave no output %s", p.Name).WithDetails(api.Details{Field: p.Name, Expected: p.Type.String()})
		}
	}
	checked, err := value.CheckSome(params, values)
	if bad := new(value.FieldError); errors.As(err, &bad) {
		return api.BadValue(api.BadOutput, "output", bad.Name, bad.Err)
	}
	taken, blobs, err := taker{engine: r.engine, ctx: ctx, move: r.kind == api.KindSandbox, patient: true}.all(checked)
	if err != nil {
		return badFile(err)
	}
	for i, out := range result.Outputs {
		own, _ := checked.Value(out.Name)
		kept, _ := taken.Value(out.Name)
		if result.Outputs[i].Value, err = withDigests(own, kept); err != nil {
			return err
		}
	}
	text := taken.JSON()
	var payload journal.Payload
	err = r.engine.patiently(ctx, func() error {
		payload, err = r.engine.payload(ctx, bytes.NewReader(text), &blobs)
		return err
	})
	if err != nil {
		return err
	}
	r.outputs = outputs{values: taken, text: text, payload: payload, blobs: blobs, size: sizeOf(taken) + int64(len(text))}
	return nil
}

// withDigests returns v with its files as known as they are in content, which is
// the same value with its files by content.
func withDigests(v, content any) (any, error) {
	next, stop := iter.Pull(value.Files(content))
	defer stop()
	return value.MapFiles(v, func(file any) (any, error) {
		ref, _ := value.RefOf(file)
		stored, _ := next()
		ref.Size, ref.SHA256 = stored.Size, stored.SHA256
		return ref.In(file), nil
	})
}

// outputs are the results of a run, files by content.
type outputs struct {
	values  value.Fields
	text    []byte
	payload journal.Payload
	blobs   []string
	size    int64 // bytes, files included
}

// sizeOf sums the bytes of all files in values.
func sizeOf(values value.Fields) (size int64) {
	if !values.HoldFiles() {
		return 0
	}
	for _, v := range values.Map() {
		for file := range value.Files(v) {
			size += file.Size
		}
	}
	return size
}
