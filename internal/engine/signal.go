package engine

import (
	"context"
	"encoding/json"
	"strconv"
	"time"

	"github.com/cenkalti/backoff/v5"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
	"github.com/glovebox-dev/glovebox/value"
)

// Signal sends a value to what waits for the signal of a name at or below a run.
func (e *Engine) Signal(ctx context.Context, id, name string, s api.Signal) (*api.PendingApproval, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	waits, err := e.awaitSignal(ctx, id, name, s)
	if err != nil {
		return nil, err
	}
	task, err := e.loadTask(ctx, waits.TaskDigest)
	if err != nil {
		return nil, err
	}
	values, err := sentValues(task, s.Value)
	if err != nil {
		return nil, err
	}
	return e.Decide(ctx, waits.ID, api.Decision{Approved: true, Arguments: values, By: s.By, Identity: s.Identity, From: s.From, Key: s.Key})
}

// sentValues makes an object of the outputs of a signal from what somebody sent.
func sentValues(task *api.Task, text json.RawMessage) (json.RawMessage, error) {
	if len(task.Signature.Outputs) > 0 {
		return fieldsOf(task.Signature.Outputs, text)
	}
	if len(text) > 0 && string(text) != "null" {
		return nil, badValue("nothing: the signal "+task.Name+" carries no value", shorten(text))
	}
	return nil, nil
}

func badValue(expected, got string) error {
	return api.Errorf(api.InvalidInput, "value: expected %s, got %s", expected, got).
		WithDetails(api.Details{Field: "value", Expected: expected, Got: got})
}

// The pauses between two looks at whether a signal is waited for.
const (
	firstLook = 10 * time.Millisecond
	lastLook  = time.Second
)

// awaitSignal finds the run that takes the signal, and waits for one as long as the
// sender does.
func (e *Engine) awaitSignal(ctx context.Context, id, name string, s api.Signal) (*journal.Record, error) {
	pauses := &backoff.ExponentialBackOff{InitialInterval: firstLook, MaxInterval: lastLook, Multiplier: 2}
	pauses.Reset()
	for until := time.Now().Add(s.Wait); ; {
		rec, err := e.config.Journal.Load(ctx, id)
		if err != nil {
			return nil, journalError(id, err)
		}
		found, err := e.signalAt(ctx, rec, name, s.Key)
		if found != nil || err != nil {
			return found, err
		}
		left := time.Until(until)
		if left <= 0 || rec.Status.Ended() {
			return nil, notAwaited(rec, name)
		}
		select {
		case <-ctx.Done():
			return nil, api.Errorf(api.Canceled, "the waiting was ended: %w", context.Cause(ctx))
		case <-time.After(min(left, pauses.NextBackOff())):
		}
	}
}

func notAwaited(rec *journal.Record, name string) error {
	return api.Errorf(api.Conflict, "run %s, of %s, does not wait for the signal %s: it is %s", rec.ID, rec.Task, value.Quote(value.Shorten(name, maxShown)), rec.Status).
		WithHint("see what it waits for with: glovebox approvals; or have the signal wait for the run").
		WithDetails(api.Details{Field: "name", Run: rec.ID, Got: value.Shorten(name, maxShown)})
}

// signalAt returns the run that waits longest for a signal at or below a run, or that
// took it under the same key before; nil if there is none.
func (e *Engine) signalAt(ctx context.Context, rec *journal.Record, name, key string) (*journal.Record, error) {
	if key != "" {
		taken, err := e.signalWhere(ctx, rec, name, api.ApprovalDecided, func(a *journal.Approval) bool { return a.Decision != nil && a.Decision.Key == key })
		if taken != nil || err != nil {
			return taken, err
		}
	}
	return e.signalWhere(ctx, rec, name, api.ApprovalWaiting, func(*journal.Approval) bool { return true })
}

func (e *Engine) signalWhere(ctx context.Context, rec *journal.Record, name string, state api.ApprovalState, fits func(*journal.Approval) bool) (*journal.Record, error) {
	q := api.ApprovalQuery{State: state, Task: name, Root: rec.Root, Limit: maxPage}
	for {
		found, next, err := e.config.Journal.ListApprovals(ctx, q)
		if err != nil {
			return nil, journalError(rec.ID, err)
		}
		for i := range found {
			if !fits(&found[i]) {
				continue
			}
			waits, err := e.config.Journal.Load(ctx, found[i].Run)
			if err != nil {
				return nil, journalError(found[i].Run, err)
			}
			if waits.Kind != api.KindSignal {
				continue
			}
			below, err := e.isBelow(ctx, waits, rec)
			if below || err != nil {
				return waits, err
			}
		}
		if q.Cursor = next; next == "" {
			return nil, nil
		}
	}
}

// maxNested bounds how far a run is from the top of its tree.
const maxNested = 1000

// isBelow reports whether a run is another one, or was called by it or below it.
func (e *Engine) isBelow(ctx context.Context, rec, above *journal.Record) (bool, error) {
	for range maxNested {
		if rec.ID == above.ID || rec.Root == above.ID {
			return true, nil
		}
		if rec.Parent == "" {
			break
		}
		parent, err := e.config.Journal.Load(ctx, rec.Parent)
		if err != nil {
			return false, journalError(rec.Parent, err)
		}
		rec = parent
	}
	return false, nil
}

// sent reports whether a run is a signal that was sent with a value.
func sent(rec *journal.Record) bool {
	a := rec.Approval
	return rec.Kind == api.KindSignal && a != nil && a.Decision != nil && len(a.Decision.Arguments) > 0
}

// takeSignal holds the values of a signal to its outputs, and takes their files in.
func (e *Engine) takeSignal(ctx context.Context, task *api.Task, d *journal.Decision) error {
	params := task.OutputParams()
	if len(d.Arguments) == 0 && len(params) > 0 {
		return badArguments("the values of the signal: "+value.DescribeParams(params), "nothing")
	}
	if len(d.Arguments) == 0 {
		return nil
	}
	fields, err := value.Decode("output", params, d.Arguments)
	if err != nil {
		return api.AsError(err).WithHint("send %s", value.DescribeParams(params))
	}
	if fields.Len() != len(params) {
		return badArguments("all values of the signal: "+value.DescribeParams(params), strconv.Itoa(fields.Len())+" of them")
	}
	for _, p := range params {
		if err := onlyDigests(fields, p.Name); err != nil {
			return err
		}
	}
	taken, blobs, err := e.takeFiles(ctx, fields)
	if err != nil {
		return err
	}
	if d.Arguments, d.Blobs = taken.JSON(), blobs; len(d.Arguments) > journal.MaxInline {
		return longArguments(len(d.Arguments)).WithHint("send large data as a file")
	}
	return nil
}
