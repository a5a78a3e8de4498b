package engine

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/blob"
	"github.com/glovebox-dev/glovebox/internal/journal"
	"github.com/glovebox-dev/glovebox/internal/lazyregexp"
	"github.com/glovebox-dev/glovebox/value"
)

// Resolve ends a run in doubt as a person says that it ended.
func (e *Engine) Resolve(ctx context.Context, id string, o api.Resolution) (*api.Run, error) {
	if err := checkResolution(o); err != nil {
		return nil, err
	}
	rec, err := e.config.Journal.Load(ctx, id)
	if err != nil {
		return nil, journalError(id, err)
	}
	root, err := e.loadUnowned(ctx, rec.Root)
	if err != nil {
		return nil, err
	}
	if e.liveRun(root.ID) != nil || !e.abandoned(root) && !root.Status.Ended() {
		return nil, underWay(root.ID)
	}
	doubt, err := e.callInDoubt(ctx, rec, o.Call)
	if err != nil {
		return nil, err
	}
	if err := e.answerDoubt(ctx, doubt, o); err != nil {
		return nil, err
	}
	return e.Run(ctx, doubt.ID)
}

// className is a name of an exception's class.
var className = lazyregexp.New(`^[A-Za-z_][A-Za-z0-9_.]{0,99}$`)

// maxFailed bounds the message of a failure that a person gives.
const maxFailed = 8 << 10 // bytes

func checkResolution(o api.Resolution) error {
	wrong := func(field, expected, got string) error {
		return api.Errorf(api.RequestInvalid, "%s: expected %s, got %s", field, expected, got).
			WithDetails(api.Details{Field: field, Expected: expected, Got: got})
	}
	switch {
	case (o.Value != nil) == (o.Failed != ""):
		got := "neither"
		if o.Value != nil {
			got = "both"
		}
		return wrong("value", "either the value that the call gave, or in failed why it was not done", got)
	case len(o.Failed) > maxFailed:
		return wrong("failed", fmt.Sprintf("at most %d bytes", maxFailed), fmt.Sprintf("%d bytes", len(o.Failed)))
	case o.Exception != "" && o.Failed == "":
		return wrong("exception", "none beside a value", value.Quote(o.Exception))
	case o.Exception != "" && !className().MatchString(o.Exception):
		return wrong("exception", "the name of a class, such as ValueError", value.Quote(value.Shorten(o.Exception, maxShown)))
	}
	return nil
}

// callInDoubt finds what is in doubt at or below a run: the call of a number, or
// of the run that carried it out, or the only one.
func (e *Engine) callInDoubt(ctx context.Context, rec *journal.Record, call string) (*journal.Record, error) {
	doubts, err := e.doubtsAt(ctx, rec)
	if err != nil {
		return nil, err
	}
	if call == "" {
		return onlyDoubt(rec, doubts)
	}
	for _, doubt := range slices.Backward(doubts) { // of one number, the newest
		if doubt.ID == call || doubt.Parent == rec.ID && numbered(doubt, call) {
			return doubt, nil
		}
	}
	return nil, e.notInDoubt(ctx, rec, call)
}

func numbered(rec *journal.Record, call string) bool {
	return rec.Call != 0 && strconv.FormatUint(rec.Call, 10) == call
}

// maxNamed bounds the runs that a message names.
const maxNamed = 5

func onlyDoubt(rec *journal.Record, doubts []*journal.Record) (*journal.Record, error) {
	switch len(doubts) {
	case 0:
		return nil, api.Errorf(api.Conflict, "nothing of run %s is in doubt: it is %s", rec.ID, rec.Status).
			WithHint("look at it with: glovebox show %s", rec.ID).WithDetails(api.Details{Run: rec.ID, Got: string(rec.Status)})
	case 1:
		return doubts[0], nil
	}
	names := ""
	for _, doubt := range doubts[:min(len(doubts), maxNamed)] {
		names += fmt.Sprintf(", run %s of %s", doubt.ID, doubt.Task)
	}
	return nil, api.Errorf(api.Conflict, "%d calls of run %s are in doubt%s", len(doubts), rec.ID, names).
		WithHint("say which one: glovebox resolve %s CALL", rec.ID).WithDetails(api.Details{Field: "call", Run: rec.ID})
}

// notInDoubt says why a call cannot be resolved.
func (e *Engine) notInDoubt(ctx context.Context, rec *journal.Record, call string) error {
	missing := api.Errorf(api.NotFound, "run %s has no call %s", rec.ID, value.Quote(value.Shorten(call, maxShown))).
		WithHint("look at its calls with: glovebox show %s", rec.ID).WithDetails(api.Details{Field: "call", Run: rec.ID})
	found, err := e.config.Journal.Load(ctx, call)
	if errors.Is(err, journal.ErrNotFound) {
		found, err = e.callNumbered(ctx, rec, call)
	}
	if err != nil {
		return journalError(call, err)
	}
	if found == nil || found.Root != rec.Root {
		return missing
	}
	below, err := e.doubtAt(ctx, found)
	if err != nil {
		return err
	}
	conflict := api.Errorf(api.Conflict, "call %s of run %s is not in doubt: run %s, of %s, is %s", call, rec.ID, found.ID, found.Task, found.Status).
		WithHint("look at it with: glovebox show %s", found.ID).WithDetails(api.Details{Run: found.ID, Got: string(found.Status)})
	if below != nil {
		conflict = conflict.WithHint("in doubt is what it called: glovebox resolve %s", below.ID)
	}
	return conflict
}

// callNumbered returns the newest call of a run with a number, or nil.
func (e *Engine) callNumbered(ctx context.Context, rec *journal.Record, call string) (found *journal.Record, err error) {
	calls, err := e.callsOf(ctx, rec)
	for _, one := range calls {
		if numbered(one, call) {
			found = one
		}
	}
	return found, err
}

// answerDoubt ends a run in doubt.
func (e *Engine) answerDoubt(ctx context.Context, doubt *journal.Record, o api.Resolution) error {
	return e.whileLive(doubt, nil, func(r *run) error { return r.endAnswered(ctx, doubt, o) })
}

// endAnswered claims the run, so that no other process resumes it, and ends it.
func (r *run) endAnswered(ctx context.Context, doubt *journal.Record, o api.Resolution) error {
	e := r.engine
	var err error
	if r.task, err = e.loadTask(ctx, doubt.TaskDigest); err != nil {
		return err
	}
	failure, err := r.resolution(ctx, o)
	if err != nil {
		return err
	}
	owed, err := e.owes(ctx, doubt)
	if err != nil {
		return err
	}
	if err := r.take(ctx); err != nil {
		return err
	}
	if r.rec.Seq != doubt.Seq {
		return underWay(r.id) // it was, until now
	}
	return r.durable(ctx, r.endResolved(failure, failure != nil && owed))
}

// owes reports whether the failure of a call has to be kept for the attempt that
// makes the call again. An orchestrator's attempt that is still open meets the
// call itself when it is replayed.
func (e *Engine) owes(ctx context.Context, call *journal.Record) (bool, error) {
	if call.Parent == "" {
		return false, nil
	}
	parent, err := e.config.Journal.Load(ctx, call.Parent)
	if err != nil {
		return false, journalError(call.Parent, err)
	}
	return !parent.Kind.CallsTools() || parent.Status.Ended(), nil
}

// resolution takes what a person said in: the outputs of the run, or its
// failure, which it returns.
func (r *run) resolution(ctx context.Context, o api.Resolution) (*api.Error, error) {
	if o.Failed == "" {
		return nil, r.takeValue(ctx, o.Value)
	}
	x := api.Exception{Type: "RuntimeError", Message: o.Failed}
	if o.Exception != "" {
		x.Type = o.Exception
	}
	failure := api.Errorf(api.PythonException, "%s: %s", x.Type, x.Message).
		WithHint("a person said that it failed so; to do it once more, resume the run").WithDetails(api.Details{Exception: &x})
	failure.Attempts = r.rec.Attempts
	return failure, nil
}

// takeValue holds a value to the types of the outputs.
func (r *run) takeValue(ctx context.Context, text json.RawMessage) error {
	params := r.task.Signature.Outputs
	fields, err := fieldsOf(params, text)
	if err != nil {
		return err
	}
	values, err := api.DecodeFields("output", r.task.OutputParams(), fields)
	if err != nil {
		return api.AsError(err).WithHint("give the value that the call would have given")
	}
	result := new(api.Result)
	for _, p := range params {
		if values[p.Name], err = value.MapFiles(values[p.Name], byDigest); err != nil {
			return fieldError(p.Name, err)
		}
		result.Outputs = append(result.Outputs, api.Output{Name: p.Name, Type: p.Type, Value: values[p.Name]})
	}
	return r.takeOutputs(ctx, result)
}

// byDigest keeps a file to its digest: a path would be one of the server.
func byDigest(file any) (any, error) {
	ref, _ := value.RefOf(file)
	if ref.SHA256 == "" {
		return nil, api.Errorf(api.InvalidInput, "a file is named by the digest of its bytes").
			WithDetails(api.Details{Expected: `{"path": NAME, "sha256": DIGEST}`, Got: "a path"}).
			WithHint("upload its bytes first: POST /v1/blobs, or run.resolve in Python")
	}
	ref.Path = baseName(ref.Path, blob.Ref{Digest: ref.SHA256})
	return ref.In(file), nil
}

// fieldsOf makes an object of the outputs by name of one value, as valueOf reads
// them.
func fieldsOf(params []value.Param, text json.RawMessage) (json.RawMessage, error) {
	wrong := func(expected string) error {
		return api.Errorf(api.InvalidInput, "value: expected %s, got %s", expected, shorten(text)).
			WithDetails(api.Details{Field: "value", Expected: expected, Got: shorten(text)})
	}
	values := []json.RawMessage{text}
	switch len(params) {
	case 0:
		if string(bytes.TrimSpace(text)) != "null" {
			return nil, wrong("null, since the task has no output")
		}
		return nil, nil
	case 1:
	default:
		if err := json.Unmarshal(text, &values); err != nil || len(values) != len(params) {
			return nil, wrong(fmt.Sprintf("a list of the %d outputs, %s", len(params), value.DescribeParams(params)))
		}
	}
	fields := make(map[string]json.RawMessage, len(params))
	for i, p := range params {
		fields[p.Name] = values[i]
	}
	object, err := json.Marshal(fields)
	if err != nil {
		return nil, api.Errorf(api.InvalidInput, "value: it is no JSON: %w", err).
			WithDetails(api.Details{Field: "value", Expected: "JSON", Got: shorten(text)})
	}
	return object, nil
}

// endResolved writes the end that a person gave a run. The call that it is ends
// when its parent is resumed.
func (r *run) endResolved(failure *api.Error, owed bool) journal.Receipt {
	r.mu.Lock()
	defer r.mu.Unlock()
	said := api.ResolvedData{Status: api.StatusSucceeded}
	result := &api.Result{Image: r.rec.Image, Timings: r.rec.Timings, Usage: r.rec.Usage, Network: r.rec.Network}
	result.Usage.Models = api.ModelUsage{} // which the record has
	if failure != nil {
		said.Status, result.ExitCode = api.StatusFailed, -1
	}
	if r.rec.Error != nil {
		said.Code = r.rec.Error.Code
	}
	r.rec.Resolved, r.rec.Owed = time.Now().UTC(), owed
	receipt := r.engine.config.Journal.Submit(r.endChange(result, failure, event{api.EventResolved, said}))
	r.submitted(receipt)
	return receipt
}
