package engine

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/blob"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

// streams are what a face wants to see of a run while it runs.
type streams struct {
	stdout, stderr io.Writer
	progress       func(api.Progress)
}

// Submit makes a run and returns when it is durable. A repeated idempotency key
// returns the run of the first submission, and goes on with it if it was
// interrupted.
func (e *Engine) Submit(ctx context.Context, s api.Submission) (*api.Run, error) {
	order, err := e.order(ctx, s)
	if err != nil {
		return nil, err
	}
	run, err := e.create(ctx, order)
	if errors.Is(err, journal.ErrExists) && s.IdempotencyKey != "" {
		return e.repeated(ctx, order)
	}
	if err != nil {
		return nil, journalError(order.rec.ID, err)
	}
	return run, nil
}

// order is a submission that was found good.
type order struct {
	granted
	inputs   map[string]any  // files by content
	text     json.RawMessage // of the inputs
	rec      journal.Record
	blobs    []string
	streams  streams
	override api.CacheMode
	parent   *run
}

// order checks a submission and takes in its files.
func (e *Engine) order(ctx context.Context, s api.Submission) (*order, error) {
	o := &order{override: s.Cache, streams: streams{s.Stdout, s.Stderr, s.Progress}}
	task, version, err := e.resolve(ctx, s)
	if err != nil {
		return nil, err
	}
	if task, err = s.Granted(task); err != nil {
		return nil, err
	}
	if err := e.Validate(task); err != nil {
		return nil, err
	}
	if o.granted, err = grant(task); err != nil {
		return nil, err
	}
	if err := s.Cache.Check(); err != nil {
		return nil, err
	}
	if err := checkKey(s.IdempotencyKey); err != nil {
		return nil, err
	}
	given, err := api.CompleteInputs(inputParams(o.task), s.Inputs)
	if err != nil {
		return nil, err
	}
	if o.inputs, o.blobs, err = e.takeFiles(ctx, given, false); err != nil {
		return nil, err
	}
	o.rec, err = e.newRecord(ctx, o)
	o.rec.Version, o.rec.IdempotencyKey = version, s.IdempotencyKey
	if err != nil || s.Parent == "" {
		return o, err
	}
	return o, e.attach(ctx, o, s.Parent)
}

// resolve finds the task of a submission, and its version if it is deployed.
func (e *Engine) resolve(ctx context.Context, s api.Submission) (task *api.Task, version string, err error) {
	switch {
	case s.Task == nil && s.Name == "", s.Task != nil && s.Name != "":
		return nil, "", api.Errorf(api.InvalidTask, "a run needs a task or the name of a deployed one, and not both").
			WithDetails(api.Details{Field: "task"})
	case s.Task != nil:
		return s.Task, "", nil
	}
	found, err := e.config.Catalog(ctx, s.Name)
	if err != nil {
		return nil, "", err
	}
	return found.Task, versionRef(found), nil
}

// Validate reports what is wrong with a task of any kind.
func (e *Engine) Validate(task *api.Task) error {
	runner, ok := e.config.Kinds[task.KindOf()]
	if !ok {
		return api.Errorf(api.InvalidTask, "there is no kind of task %q", task.Kind).
			WithDetails(api.Details{Field: "kind", Expected: "sandbox, orchestrator or function", Got: string(task.Kind)})
	}
	if err := task.CheckPolicy(); err != nil {
		return err
	}
	if err := runner.Validate(task); err != nil {
		return api.AsError(err)
	}
	if task.Orchestrator == nil {
		return nil
	}
	for i := range task.Orchestrator.Tools {
		if err := e.validateTool(&task.Orchestrator.Tools[i]); err != nil {
			return err
		}
	}
	return nil
}

func (e *Engine) validateTool(tool *api.Task) error {
	err := e.Validate(tool)
	if err == nil {
		return nil
	}
	within := *api.AsError(err)
	within.Message = "tool " + tool.Name + ": " + within.Message
	return &within
}

// attach puts the run below the one whose task asked for it.
func (e *Engine) attach(ctx context.Context, o *order, parent string) error {
	above, err := e.config.Journal.Load(ctx, parent)
	if err != nil {
		return journalError(parent, err)
	}
	if above.Status.Ended() {
		return api.Errorf(api.Conflict, "run %s, which is to be the parent, has ended", parent).WithDetails(api.Details{Field: "parent", Run: parent})
	}
	o.rec.Parent, o.rec.Root, o.parent = parent, above.Root, e.liveRun(parent)
	return nil
}

// newRecord describes a run that has not begun.
func (e *Engine) newRecord(ctx context.Context, o *order) (rec journal.Record, err error) {
	now := time.Now().UTC()
	if o.text, err = api.EncodeFields(inputParams(o.task), o.inputs); err != nil {
		return rec, api.AsError(err)
	}
	rec = journal.Record{Owner: e.config.Owner, Fence: 1, InputsDigest: api.DigestOf(o.text)}
	rec.Run = api.Run{
		ID: NewID(now), Task: nameOf(o.task), Kind: o.task.KindOf(), TaskDigest: o.digest,
		Status: api.StatusQueued, Created: now, ExitCode: -1,
	}
	rec.Root = rec.ID
	rec.InputsPayload, err = e.payload(ctx, o.text, &o.blobs)
	return rec, err
}

func nameOf(task *api.Task) string {
	if task.Name != "" {
		return task.Name
	}
	return string(task.KindOf())
}

// payload keeps long texts out of the journal.
func (e *Engine) payload(ctx context.Context, text json.RawMessage, blobs *[]string) (journal.Payload, error) {
	if len(text) <= journal.MaxInline {
		return journal.Payload{Inline: text}, nil
	}
	ref, err := e.putBlob(ctx, text)
	if err != nil {
		return journal.Payload{}, blob.AsError("keeping a large value", err)
	}
	*blobs = append(*blobs, ref.Digest)
	return journal.Payload{Blob: ref.Digest}, nil
}

// create makes the run durable and lets it go its way. A run whose turn it is
// goes at once, beside the journal: what it must not do before it is durable
// waits for that by itself. Of one that has a key another may be there already.
func (e *Engine) create(ctx context.Context, o *order) (*api.Run, error) {
	r := e.newRun(o.rec, o.parent)
	r.task, r.inputs, r.streams, r.override = o.task, o.inputs, o.streams, o.override
	if err := e.admit(r); err != nil {
		r.cancel(nil)
		return nil, err
	}
	if r.parent != nil {
		if err := r.parent.adopt(r); err != nil {
			e.dismiss(r)
			return nil, err
		}
	}
	receipt := r.create(o)
	run, signature := r.record().Run, o.task.Signature // as it begins, however far it has come by then
	run.Signature, run.Inputs = &signature, o.text
	if r.plan.started && o.rec.IdempotencyKey == "" {
		if err := e.goAhead(ctx, r); err != nil {
			return nil, err
		}
		return &run, nil
	}
	if err := receipt.Wait(ctx); err != nil {
		return nil, e.unconfirmed(ctx, r, err)
	}
	return &run, e.letGo(r)
}

// goAhead lets a run go beside its creation, and waits for that. One that is not
// created, or for which the caller does not wait, ends.
func (e *Engine) goAhead(ctx context.Context, r *run) error {
	known := make(chan struct{})
	defer close(known)
	r.told = &told{known: known}
	r.begin = r.told
	e.work.Go(r.carryOut)
	if r.told.err = r.made.Wait(ctx); r.told.err != nil {
		r.cancel(errGivenUp)
	}
	return r.told.err
}

// told is the receipt of the creation of a run for what may only be felt when
// the caller has been told that there is a run.
type told struct {
	known chan struct{}
	err   error // once it is known
}

func (t *told) Wait(ctx context.Context) error {
	select {
	case <-t.known:
		return t.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// create submits the beginning of a run: with that of its first attempt, if
// nothing is in the way of it.
func (r *run) create(o *order) journal.Receipt {
	r.plan.started = r.queue == nil || r.queue.try()
	r.queued = r.plan.started && r.queue != nil
	r.plan.begun = r.plan.started && !r.engine.cacheable(r) && r.tryPlace()
	r.made = r.change(func(rec *journal.Record) journal.Change {
		r.markBegun(rec)
		return journal.Change{Tasks: map[string]json.RawMessage{rec.TaskDigest: o.definition}, Blobs: o.blobs}
	}, append([]event{{api.EventCreated, api.CreatedData{Run: o.rec.Run}}}, r.beginning()...)...)
	r.begin = r.made
	return r.made
}

// beginning are the events of a new run that begins as its plan says.
func (r *run) beginning() (events []event) {
	if r.plan.started {
		events = append(events, event{api.EventStarted, r.startedData()})
	}
	if r.plan.begun {
		events = append(events, event{api.EventAttemptStarted, api.AttemptStartedData{Attempt: 1, Seed: r.drawn()}})
	}
	return events
}

// markBegun has the record of a new run say so.
func (r *run) markBegun(rec *journal.Record) {
	if r.plan.started {
		rec.Status, rec.Started = api.StatusRunning, rec.Created
	}
	if r.plan.begun {
		rec.Attempts = 1
	}
}

// letGo has a run carried out that is in the journal: at once if it has its turn
// already, else when it gets it.
func (e *Engine) letGo(r *run) error {
	if r.queued || r.queue == nil {
		e.work.Go(r.carryOut)
		return nil
	}
	return e.enqueue(r)
}

// enqueue lets r start when it is its turn.
func (e *Engine) enqueue(r *run) error {
	most := cmp.Or(e.config.MaxQueued, DefaultQueued)
	if r.parent != nil {
		most = min(most, maxStarted)
	}
	if !r.queue.enter(r, most, e.proceed) {
		return e.refuse(r, most)
	}
	r.queueUp()
	return nil
}

// proceed lets a run go whose turn it is. The queue calls it.
func (e *Engine) proceed(r *run) {
	r.queued = true
	e.work.Go(r.carryOut)
}

// queueUp frees what a run that waits does not need, unless it is on its way
// already. One that was cancelled meanwhile waits no more.
func (r *run) queueUp() {
	if r.ctx.Err() != nil {
		r.withdraw()
		return
	}
	if r.streams.stdout == nil && r.streams.stderr == nil && r.streams.progress == nil {
		r.queue.ifWaiting(r, r.unload)
	}
}

// refuse ends a run for which there is no room.
func (e *Engine) refuse(r *run, most int) error {
	err := api.Errorf(api.Overloaded, "%d runs of kind %s wait already", most, r.kind).
		WithHint("wait until some of them have ended, then try again").WithDetails(api.Details{Limit: int64(most)})
	r.finish(nil, err)
	return err
}

// repeated answers a submission whose idempotency key is known.
func (e *Engine) repeated(ctx context.Context, o *order) (*api.Run, error) {
	key := o.rec.IdempotencyKey
	id, err := e.config.Journal.ByKey(ctx, key)
	if err != nil {
		return nil, journalError(key, err)
	}
	live := e.liveRun(id) != nil
	rec, err := e.config.Journal.Load(ctx, id)
	if err != nil {
		return nil, journalError(id, err)
	}
	if rec.TaskDigest != o.rec.TaskDigest || rec.InputsDigest != o.rec.InputsDigest {
		what := "other inputs"
		if rec.TaskDigest != o.rec.TaskDigest {
			what = "another task"
		}
		return nil, api.Errorf(api.Conflict, "the idempotency key %q belongs to run %s, which has %s", key, id, what).
			WithHint("use another key for another run").
			WithDetails(api.Details{Field: "idempotency_key", Run: id})
	}
	if !live && (e.abandoned(rec) || rec.Status == api.StatusInterrupted) {
		run, err := e.goOn(ctx, rec, api.ResumeOptions{}, o.streams)
		if err == nil || api.AsError(err).Code != api.Conflict {
			return run, err
		}
		return e.Run(ctx, id) // somebody else goes on with it
	}
	return e.public(ctx, rec)
}

// maxKey bounds an idempotency key.
const maxKey = 256 // bytes

func checkKey(key string) error {
	for _, c := range []byte(key) {
		if c < ' ' || c >= 0x7f {
			return api.Errorf(api.InvalidTask, "the idempotency key holds a character that is not printable ASCII").
				WithDetails(api.Details{Field: "idempotency_key"})
		}
	}
	if len(key) > maxKey {
		return api.Errorf(api.InvalidTask, "the idempotency key has %d bytes; the most is %d", len(key), maxKey).
			WithDetails(api.Details{Field: "idempotency_key", Limit: maxKey})
	}
	return nil
}

// inputParams are the declared inputs, or any value of the declared names if
// the task does not check types.
func inputParams(task *api.Task) []api.Param { return untyped(task, task.Signature.Inputs) }

func outputParams(task *api.Task) []api.Param { return untyped(task, task.Signature.Outputs) }

func untyped(task *api.Task, params []api.Param) []api.Param {
	if task.Orchestrator == nil || !task.Orchestrator.SkipTypeCheck {
		return params
	}
	loose := make([]api.Param, len(params))
	for i, p := range params {
		loose[i] = p
		loose[i].Type = api.Type{Kind: api.KindAny}
	}
	return loose
}
