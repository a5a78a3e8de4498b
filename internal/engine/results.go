package engine

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"strconv"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/blob"
	"github.com/glovebox-dev/glovebox/internal/budget"
	"github.com/glovebox-dev/glovebox/internal/engine/runlog"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

// maxPayload bounds a payload that is read back; what was written is bounded by
// the kinds.
const maxPayload = 256 << 20 // bytes

// readPayload returns the JSON of a payload; none is null.
func (e *Engine) readPayload(ctx context.Context, p journal.Payload) (json.RawMessage, error) {
	if p.Blob == "" {
		return p.Inline, nil
	}
	r, size, err := e.config.Blobs.Open(ctx, p.Blob)
	if err != nil {
		return nil, blob.AsError("a large value", err)
	}
	defer r.Close()
	if size > maxPayload {
		return nil, api.Errorf(api.StorageCorrupt, "a value of %d bytes is larger than any that is kept", size)
	}
	text := make([]byte, size)
	if _, err := io.ReadFull(r, text); err != nil {
		return nil, blob.AsError("a large value", err)
	}
	if _, err := io.Copy(io.Discard, r); err != nil { // at whose end the digest is checked
		return nil, blob.AsError("a large value", err)
	}
	return text, nil
}

// takePayloads takes memory for payloads that are passed on as they are.
func (e *Engine) takePayloads(ctx context.Context, payloads ...journal.Payload) error {
	var size int64
	for _, p := range payloads {
		if p.Blob == "" {
			continue
		}
		ref, err := e.config.Blobs.Stat(ctx, p.Blob)
		if err != nil {
			return blob.AsError("a large value", err)
		}
		size += ref.Size
	}
	return takeMemory(ctx, budget.CostOfText(size))
}

// takeMemory takes memory for a value that is read back, if the caller
// counts what it holds.
func takeMemory(ctx context.Context, bytes int64) error {
	err := budget.Take(ctx, bytes)
	if large := new(budget.TooLargeError); errors.As(err, &large) {
		return api.Errorf(api.OutputTooLarge, "%w", err).WithHint("give the process more memory for values").
			WithDetails(api.Details{Limit: large.Budget, Peak: large.Need})
	}
	if errors.Is(err, budget.ErrBusy) {
		return api.Errorf(api.Overloaded, "%w", err)
	}
	if err != nil {
		return api.Errorf(api.Canceled, "the waiting was ended: %w", err)
	}
	return nil
}

// public is a record as everybody sees it, with its payloads.
func (e *Engine) public(ctx context.Context, rec *journal.Record) (*api.Run, error) {
	if err := e.takePayloads(ctx, rec.InputsPayload, rec.OutputsPayload); err != nil {
		return nil, err
	}
	run, err := e.withOutputs(ctx, rec)
	if err != nil {
		return nil, err
	}
	run.Inputs, err = e.readPayload(ctx, rec.InputsPayload)
	return run, err
}

// outcome is public without the inputs.
func (e *Engine) outcome(ctx context.Context, rec *journal.Record) (*api.Run, error) {
	if err := e.takePayloads(ctx, rec.OutputsPayload); err != nil {
		return nil, err
	}
	return e.withOutputs(ctx, rec)
}

func (e *Engine) withOutputs(ctx context.Context, rec *journal.Record) (*api.Run, error) {
	run := rec.Run
	task, err := e.loadTask(ctx, rec.TaskDigest)
	if err != nil {
		return nil, err
	}
	run.Signature = &task.Signature
	if run.Outputs, err = e.readPayload(ctx, rec.OutputsPayload); err != nil {
		return nil, err
	}
	return &run, nil
}

// abandoned reports whether no process executes a run that has not ended: its
// process is gone, or is this one and could not write any more. Rec was read
// when the run was not live.
func (e *Engine) abandoned(rec *journal.Record) bool {
	switch {
	case rec.Status.Ended(), waitsForAny(rec):
		return false
	case rec.Holder == e.owner():
		kept, _ := e.shared.reserved.held()
		return e.liveRun(rec.ID) == nil && kept != rec.ID
	}
	return !e.config.Alive(rec.Holder)
}

// correctStatus shows an abandoned run as interrupted, also before that is
// recorded. Live has the runs that were live before rec was read.
func (e *Engine) correctStatus(rec *journal.Record, run *api.Run, live map[string]bool) {
	if !live[rec.ID] && e.abandoned(rec) {
		run.Status = api.StatusInterrupted
	}
	if run.Status == api.StatusInterrupted && rec.Deaths >= maxDeaths {
		run.Error = deadly(rec)
	}
}

func (e *Engine) liveRuns() map[string]bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	live := make(map[string]bool, len(e.live))
	for id := range e.live {
		live[id] = true
	}
	return live
}

// RunTask returns the task of a run, as the journal keeps it.
func (e *Engine) RunTask(ctx context.Context, id string) (*api.Task, error) {
	rec, err := e.config.Journal.Load(ctx, id)
	if err != nil {
		return nil, journalError(id, err)
	}
	return e.loadTask(ctx, rec.TaskDigest)
}

// Run returns a run, inputs and outputs included.
func (e *Engine) Run(ctx context.Context, id string) (*api.Run, error) {
	return e.shown(ctx, id, e.public)
}

// Outcome returns a run without its inputs, which may be long and are not read.
func (e *Engine) Outcome(ctx context.Context, id string) (*api.Run, error) {
	return e.shown(ctx, id, e.outcome)
}

func (e *Engine) shown(ctx context.Context, id string, read func(context.Context, *journal.Record) (*api.Run, error)) (*api.Run, error) {
	live := map[string]bool{id: e.liveRun(id) != nil}
	rec, err := e.config.Journal.Load(ctx, id)
	if err != nil {
		return nil, journalError(id, err)
	}
	run, err := read(ctx, rec)
	if err == nil {
		e.correctStatus(rec, run, live)
		run.Waiting = e.waiting(ctx, rec, run.Status)
	}
	return run, err
}

// The bounds of a page of a list.
const (
	defaultPage = 50
	maxPage     = 1000
)

// maxText bounds the text that a list of runs is searched for, in bytes.
const maxText = 200

// Runs lists runs.
func (e *Engine) Runs(ctx context.Context, q api.RunQuery) (api.RunPage, error) {
	switch {
	case q.Limit == 0:
		q.Limit = defaultPage
	case q.Limit < 0 || q.Limit > maxPage:
		return api.RunPage{}, api.Errorf(api.RequestInvalid, "limit is %d, expected 1 to %d", q.Limit, maxPage).
			WithDetails(api.Details{Field: "limit", Expected: "1 to 1000", Got: strconv.Itoa(q.Limit)})
	}
	if len(q.Text) > maxText {
		return api.RunPage{}, api.Errorf(api.RequestInvalid, "text has %d bytes, expected at most %d", len(q.Text), maxText).
			WithDetails(api.Details{Field: "text", Limit: maxText})
	}
	live := e.liveRuns()
	records, next, err := e.config.Journal.List(ctx, q)
	var damage *journal.Damage
	if errors.As(err, &damage) {
		err = nil
	}
	if err != nil {
		return api.RunPage{}, journalError("", err)
	}
	page := api.RunPage{Runs: make([]api.Run, len(records)), Next: next}
	if damage != nil {
		page.Damaged = damage.Runs
	}
	for i, rec := range records {
		page.Runs[i] = rec.Run
		e.correctStatus(rec, &page.Runs[i], live)
	}
	return page, nil
}

// result is what a run gave, from the journal.
func (e *Engine) result(ctx context.Context, id string) (*api.Result, error) {
	result, rec, err := e.ended(ctx, id)
	if err == nil {
		result.Outputs, err = e.outputsOf(ctx, rec)
	}
	return result, err
}

// ended is a result without its outputs, and the record that has them.
func (e *Engine) ended(ctx context.Context, id string) (*api.Result, *journal.Record, error) {
	rec, err := e.config.Journal.Load(ctx, id)
	if err != nil {
		return &api.Result{RunID: id}, nil, journalError(id, err)
	}
	result := &api.Result{
		RunID: id, ExitCode: rec.ExitCode, Image: rec.Image, Cached: rec.Cached, Attempts: rec.Attempts,
		Timings: rec.Timings, Usage: rec.Usage, Network: rec.Network,
	}
	result.Stdout, result.Stderr = runlog.Last(e.logPath(id))
	switch {
	case rec.Error != nil:
		return result, rec, rec.Error
	case rec.Deaths >= maxDeaths:
		return result, rec, deadly(rec)
	case !rec.Status.Ended():
		return result, rec, api.Errorf(api.Interrupted, "the process of run %s is gone", id).
			WithHint("continue with: glovebox resume %s", id).WithDetails(api.Details{Run: id})
	}
	return result, rec, nil
}

// outputsOf returns the outputs of a run, files with paths of this host.
func (e *Engine) outputsOf(ctx context.Context, rec *journal.Record) ([]api.Output, error) {
	task, err := e.loadTask(ctx, rec.TaskDigest)
	if err != nil {
		return nil, err
	}
	values, err := e.earlierOutputs(ctx, task, rec)
	if err != nil {
		return nil, err
	}
	if values, err = e.layOut(ctx, values, e.outputDir(rec.ID)); err != nil {
		return nil, err
	}
	outputs := make([]api.Output, 0, len(task.Signature.Outputs))
	for _, p := range task.Signature.Outputs {
		v, _ := values.Value(p.Name)
		outputs = append(outputs, api.Output{Name: p.Name, Type: p.Type, Value: v})
	}
	return outputs, nil
}
