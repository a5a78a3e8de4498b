package engine

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/blob"
	"github.com/glovebox-dev/glovebox/internal/journal"
	"github.com/glovebox-dev/glovebox/internal/tuning"
	"github.com/glovebox-dev/glovebox/value"
)

// streams are what the caller wants to see of a run while it runs.
type streams struct {
	stdout, stderr io.Writer
	progress       func(api.Progress)
}

// Submit makes a run and returns when it is durable. A repeated idempotency key
// returns the run of the first submission, and resumes it if it was
// interrupted.
func (e *Engine) Submit(ctx context.Context, s api.Submission) (*api.Run, error) {
	sub, err := e.accept(ctx, s)
	if err != nil {
		return nil, err
	}
	if sub.refusal != nil {
		return e.answerRefused(ctx, sub)
	}
	run, err := e.begin(ctx, sub)
	if errors.Is(err, journal.ErrExists) && s.IdempotencyKey != "" {
		return e.repeated(ctx, sub)
	}
	if err != nil {
		return nil, journalError(sub.rec.ID, err)
	}
	return run, nil
}

// answerRefused answers a submission that the checker refuses. If it repeats a
// run that an earlier checker accepted, it gets that run, and otherwise the
// refusal.
func (e *Engine) answerRefused(ctx context.Context, sub *submission) (*api.Run, error) {
	if sub.parent != nil {
		if run, err := sub.parent.again(ctx, sub); run != nil || err != nil {
			return run, err
		}
	}
	if sub.rec.IdempotencyKey == "" {
		return nil, sub.refusal
	}
	run, err := e.repeated(ctx, sub)
	if err != nil && api.AsError(err).Code == api.NotFound {
		return nil, sub.refusal
	}
	return run, err
}

// begin creates the run, unless an earlier attempt of the parent started the same.
func (e *Engine) begin(ctx context.Context, sub *submission) (*api.Run, error) {
	if sub.parent != nil {
		if run, err := sub.parent.again(ctx, sub); run != nil || err != nil {
			return run, err
		}
	}
	return e.create(ctx, sub)
}

// submission is an api.Submission that was checked, with the record of its run.
type submission struct {
	granted
	inputs   value.Fields // files by content
	rec      journal.Record
	blobs    []string
	streams  streams
	override api.CacheMode
	parent   *run
	refusal  error // by the checker, which refuses new runs but not those that exist
}

// accept checks a submission and takes in its files.
func (e *Engine) accept(ctx context.Context, s api.Submission) (*submission, error) {
	sub := &submission{override: s.Cache, streams: streams{s.Stdout, s.Stderr, s.Progress}}
	task, version, err := e.resolve(ctx, s)
	if err != nil {
		return nil, err
	}
	if task, err = s.Granted(task); err != nil {
		return nil, err
	}
	if err := e.Validate(task); err != nil {
		if s.IdempotencyKey == "" && s.Parent == "" || api.AsError(err).Code != api.CheckFailed {
			return nil, err
		}
		sub.refusal = err
	}
	if sub.granted, err = grant(task); err != nil {
		return nil, err
	}
	if err := s.Cache.Check(); err != nil {
		return nil, err
	}
	if err := checkKey(s.IdempotencyKey); err != nil {
		return nil, err
	}
	if err := checkGroup(s.Group); err != nil {
		return nil, err
	}
	given, err := s.CompleteInputs(inputParams(sub.task))
	if err != nil {
		return nil, err
	}
	if sub.inputs, sub.blobs, err = e.takeFiles(ctx, given); err != nil {
		return nil, err
	}
	sub.rec, err = e.newRecord(ctx, sub)
	sub.rec.Version, sub.rec.IdempotencyKey, sub.rec.Group = version, s.IdempotencyKey, s.Group
	if err != nil || s.Parent == "" {
		return sub, err
	}
	return sub, e.attach(ctx, sub, s.Parent)
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

// ValidateKept is Validate of a task that is to be started later. A clock and
// randomness that a start can grant may be missing, which it says.
func (e *Engine) ValidateKept(task *api.Task) (warnings []string, _ error) {
	err := e.Validate(task)
	if err == nil || api.AsError(err).Code != api.CheckFailed || task.Orchestrator == nil {
		return nil, err
	}
	granted, grantErr := (&api.Submission{Clock: readable(task.Orchestrator.Clock), Random: cmp.Or(task.Orchestrator.Random, api.RealRandom)}).Granted(task)
	if grantErr != nil {
		return nil, grantErr
	}
	if err := e.Validate(granted); err != nil {
		return nil, err
	}
	return strings.Split(api.AsError(err).Message, "\n"), nil
}

func readable(c api.Clock) api.Clock {
	if c.Readable() {
		return c
	}
	return api.RealClock
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
func (e *Engine) attach(ctx context.Context, sub *submission, parent string) error {
	above, err := e.config.Journal.Load(ctx, parent)
	if err != nil {
		return journalError(parent, err)
	}
	if above.Status.Ended() {
		return api.Errorf(api.Conflict, "run %s, which is to be the parent, has ended", parent).WithDetails(api.Details{Field: "parent", Run: parent})
	}
	sub.rec.Parent, sub.rec.Root, sub.parent = parent, above.Root, e.liveRun(parent)
	sub.rec.Fresh = above.Fresh
	return nil
}

// newRecord describes a run that has not begun.
func (e *Engine) newRecord(ctx context.Context, sub *submission) (rec journal.Record, err error) {
	now := time.Now().UTC()
	rec = journal.Record{Owner: e.config.Owner, Fence: 1, InputsDigest: sub.inputs.Digest()}
	rec.Run = api.Run{
		ID: NewID(now), Task: nameOf(sub.task), Kind: sub.task.KindOf(), TaskDigest: sub.digest,
		Status: api.StatusQueued, Created: now, ExitCode: -1,
	}
	rec.Root = rec.ID
	rec.InputsPayload, err = e.payload(ctx, sub.inputs.JSON(), &sub.blobs)
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

// held returns the inputs as a run holds them: a cell takes their JSON only.
func (s *submission) held() value.Fields {
	if s.task.KindOf() == api.KindSandbox {
		return s.inputs.Written()
	}
	return s.inputs
}

// create submits the creation of the run and dispatches the run. A run that gets
// its turn immediately runs ahead of its creation; durability says what it waits
// for. A run with a key does not, since another may have the key already.
func (e *Engine) create(ctx context.Context, sub *submission) (*api.Run, error) {
	r := e.newRun(sub.rec, sub.parent)
	r.task, r.inputs, r.streams, r.override = sub.task, sub.held(), sub.streams, sub.override
	if err := e.admitBelow(r); err != nil {
		return nil, err
	}
	receipt := r.create(sub)
	run, signature := r.record().Run, sub.task.Signature // as it begins, however far it has come by then
	run.Signature = &signature
	if r.state.in(started, attempting) && sub.rec.IdempotencyKey == "" && tuning.On(tuning.Ahead) {
		if err := e.runAhead(ctx, r); err != nil {
			return nil, err
		}
		return &run, nil
	}
	if err := receipt.Wait(ctx); err != nil {
		return nil, e.unconfirmed(ctx, r, err)
	}
	return &run, e.dispatch(r)
}

// runAhead starts a run while its creation is written, and waits for that. If
// the creation fails, or the caller stops waiting, the run is cancelled.
func (e *Engine) runAhead(ctx context.Context, r *run) error {
	caller := &acknowledgement{answered: make(chan struct{})}
	defer close(caller.answered)
	r.durability.caller, r.durability.begun = caller, caller
	e.work.Go(r.execute)
	if caller.err = r.durability.created.Wait(ctx); caller.err != nil {
		r.cancel(errGivenUp)
	}
	return caller.err
}

// create submits the beginning of a run: with that of its first attempt, if
// nothing is in the way of it.
func (r *run) create(sub *submission) journal.Receipt {
	if r.ticket.TryTurn() {
		r.to(started)
		r.tryAttempt()
	}
	r.durability.created = r.change(func(rec *journal.Record) journal.Change {
		r.markBegun(rec)
		return journal.Change{Tasks: map[string]json.RawMessage{rec.TaskDigest: sub.definition}, Blobs: sub.blobs}
	}, append([]event{{api.EventCreated, api.CreatedData{Run: sub.rec.Run}}}, r.beginning()...)...)
	r.durability.begun = r.durability.created
	return r.durability.created
}

// tryAttempt makes the first attempt begin with the creation of the run, if
// neither the cache nor other attempts are in its way.
func (r *run) tryAttempt() {
	if !r.engine.cacheable(r) && r.ticket.TrySlot() {
		r.to(attempting)
	}
}

// beginning returns the events of a new run up to its phase.
func (r *run) beginning() (events []event) {
	if r.state.in(started, attempting) {
		events = append(events, event{api.EventStarted, r.startedData()})
	}
	if r.state.in(attempting) {
		events = append(events, event{api.EventAttemptStarted, api.AttemptStartedData{Attempt: 1, Seed: r.drawn()}})
	}
	return events
}

// markBegun sets the record of a new run to its phase.
func (r *run) markBegun(rec *journal.Record) {
	if r.state.in(started, attempting) {
		rec.Status, rec.Started = api.StatusRunning, rec.Created
	}
	if r.state.in(attempting) {
		rec.Attempts = 1
	}
}

// dispatch executes a run that is in the journal: now if it has its turn,
// otherwise when it gets one.
func (e *Engine) dispatch(r *run) error {
	if r.ticket.HasTurn() {
		e.work.Go(r.execute)
		return nil
	}
	return e.enqueue(r)
}

// enqueue has a run wait for its turn.
func (e *Engine) enqueue(r *run) error {
	most := cmp.Or(e.config.MaxQueued, DefaultQueued)
	if r.parent != nil {
		most = min(most, maxStarted)
	}
	if r.state.in(admitted) {
		r.to(queued)
	}
	if !r.ticket.Enter(most) {
		return e.refuse(r, most)
	}
	r.queueUp()
	return nil
}

// queueUp unloads a run that waits for its turn, if it does. A run that was
// cancelled before it entered the queue is withdrawn.
func (r *run) queueUp() {
	if r.ctx.Err() != nil {
		r.withdraw()
		return
	}
	if r.streams.stdout == nil && r.streams.stderr == nil && r.streams.progress == nil {
		r.ticket.IfWaiting(r.unload)
	}
}

// refuse ends a run whose queue is full.
func (e *Engine) refuse(r *run, most int) error {
	err := api.Errorf(api.Overloaded, "%d runs of kind %s wait already", most, r.kind).
		WithHint("wait until some of them have ended, then try again").WithDetails(api.Details{Limit: int64(most)})
	r.finish(nil, err)
	return err
}

// repeated answers a submission whose idempotency key is known.
func (e *Engine) repeated(ctx context.Context, sub *submission) (*api.Run, error) {
	key := sub.rec.IdempotencyKey
	id, err := e.config.Journal.ByKey(ctx, key)
	if err != nil {
		return nil, journalError(key, err)
	}
	live := e.liveRun(id) != nil
	rec, err := e.config.Journal.Load(ctx, id)
	if err != nil {
		return nil, journalError(id, err)
	}
	if rec.TaskDigest != sub.rec.TaskDigest || rec.InputsDigest != sub.rec.InputsDigest {
		what := "other inputs"
		if rec.TaskDigest != sub.rec.TaskDigest {
			what = "another task"
		}
		return nil, api.Errorf(api.Conflict, "the idempotency key %q belongs to run %s, which has %s", key, id, what).
			WithHint("use another key for another run").
			WithDetails(api.Details{Field: "idempotency_key", Run: id})
	}
	if !live && (e.abandoned(rec) || rec.Status == api.StatusInterrupted) {
		run, err := e.resume(ctx, rec, api.ResumeOptions{}, sub.streams)
		if err == nil || api.AsError(err).Code != api.Conflict {
			return run, err
		}
		return e.Run(ctx, id) // another process resumes it
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

// maxGroup bounds the name of a group, in bytes.
const maxGroup = 512

func checkGroup(name string) error {
	printable := utf8.ValidString(name) && strings.IndexFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) < 0
	if printable && len(name) <= maxGroup {
		return nil
	}
	return api.WrongField("group", value.Quote(name), fmt.Sprintf("a name of at most %d bytes in one line", maxGroup))
}

// inputParams are the declared inputs, or any value of the declared names if
// the task does not check types.
func inputParams(task *api.Task) []value.Param { return untyped(task, task.Signature.Inputs) }

func outputParams(task *api.Task) []value.Param { return untyped(task, task.Signature.Outputs) }

func untyped(task *api.Task, params []value.Param) []value.Param {
	if task.Orchestrator == nil || !task.Orchestrator.SkipTypeCheck {
		return params
	}
	loose := make([]value.Param, len(params))
	for i, p := range params {
		loose[i] = p
		loose[i].Type = value.Type{Kind: value.KindAny}
	}
	return loose
}
