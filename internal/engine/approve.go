package engine

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strconv"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
	"github.com/glovebox-dev/glovebox/value"
)

// approvedInputs are the inputs of a run, as a person changed them if one did.
func approvedInputs(rec *journal.Record) journal.Payload {
	if a := rec.Approval; a != nil && a.Decision != nil && len(a.Decision.Arguments) > 0 {
		return journal.Payload{Inline: a.Decision.Arguments}
	}
	return rec.InputsPayload
}

// permitted refuses to execute a run that asks for approval and has none, however
// it came here: the process that noted a refusal may have died before the end.
func (r *run) permitted() error {
	rec := r.record()
	switch a := rec.Approval; {
	case a == nil || a.Decision != nil && a.Decision.Approved:
		return nil
	case a.Decision != nil:
		return r.refusal(a.Decision)
	}
	return api.Errorf(api.ApprovalRefused, "%s was to be executed although it waits for approval", rec.Task)
}

// takeDecisions takes over what was decided, in whichever process, about runs that
// wait in this one.
func (e *Engine) takeDecisions() {
	if e.holds.Load() == 0 {
		return
	}
	decided, err := e.config.Journal.Decisions(e.ctx, e.owner())
	if err != nil && e.ctx.Err() == nil {
		e.config.Logger.Warn("reading decisions about runs", "error", err)
	}
	for _, a := range decided {
		e.takeDecision(a)
	}
}

func (e *Engine) takeDecision(a journal.Approval) {
	r := e.liveRun(a.Run)
	if r == nil || a.Decision == nil {
		return
	}
	if h := r.hold.Load(); h != nil {
		h.decide(*a.Decision)
	}
}

// Decide approves or refuses a run that asks for it.
func (e *Engine) Decide(ctx context.Context, id string, d api.Decision) (*api.PendingApproval, error) {
	if err := d.Check(); err != nil {
		return nil, err
	}
	rec, err := e.askedRecord(ctx, id)
	if err != nil {
		return nil, err
	}
	d.Time, d.From = time.Now().UTC(), cmp.Or(d.From, api.FromAPI)
	kept := journal.Decision{Decision: d}
	if err := e.takeArguments(ctx, rec, &kept); err != nil {
		return nil, err
	}
	found, err := e.config.Journal.Decide(ctx, id, kept)
	if err != nil {
		return nil, journalError(id, err)
	}
	if err := conflict(rec, found, &kept.Decision); err != nil {
		return nil, err
	}
	e.takeDecision(*found)
	return e.Approval(ctx, id)
}

// askedRecord loads a run that asks for approval.
func (e *Engine) askedRecord(ctx context.Context, id string) (*journal.Record, error) {
	rec, err := e.config.Journal.Load(ctx, id)
	if err != nil {
		return nil, journalError(id, err)
	}
	if rec.Approval == nil {
		return nil, api.Errorf(api.NotFound, "run %s, of %s, asks for no approval", id, rec.Task).
			WithHint("list what waits with: glovebox approvals").WithDetails(api.Details{Run: id})
	}
	return rec, nil
}

// conflict says that another decision counts, if it does.
func conflict(rec *journal.Record, found *journal.Approval, d *api.Decision) error {
	id := rec.ID
	was := found.Decision
	switch {
	case was == nil:
		return api.Errorf(api.Conflict, "run %s waits for no decision any more: it %s", id, rec.Status).WithDetails(api.Details{Run: id, Got: string(rec.Status)})
	case was.Time.Equal(d.Time) && was.By == d.By && was.Identity == d.Identity && was.Approved == d.Approved,
		d.Key != "" && was.Key == d.Key && was.Approved == d.Approved:
		return nil
	}
	text := fmt.Sprintf("run %s was %s already, by %s, from %s, at %s", id, was.Verdict(), was.Author(), was.From, was.Time.UTC().Format(time.RFC3339))
	if was.Reason != "" {
		text += ": " + was.Reason
	}
	return api.Errorf(api.Conflict, "%s", text).WithHint("look at it with: glovebox show %s", id).
		WithDetails(api.Details{Run: id, Got: was.Verdict()})
}

// takeArguments makes the arguments of a decision complete, holds them to the
// signature of the task, and takes their files in.
func (e *Engine) takeArguments(ctx context.Context, rec *journal.Record, d *journal.Decision) error {
	if len(d.Arguments) == 0 && (rec.Kind != api.KindSignal || !d.Approved) {
		return nil
	}
	task, err := e.loadTask(ctx, rec.TaskDigest)
	if err != nil {
		return err
	}
	if rec.Kind == api.KindSignal {
		return e.takeSignal(ctx, task, d)
	}
	var changed, all map[string]json.RawMessage
	if json.Unmarshal(d.Arguments, &changed) != nil {
		return badArguments("an object of arguments by name", shorten(d.Arguments))
	}
	before, err := e.readPayload(ctx, rec.InputsPayload)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(before, &all); err != nil {
		return api.Errorf(api.StorageCorrupt, "the inputs of run %s: %w", rec.ID, err)
	}
	given := maps.Clone(all)
	maps.Copy(given, changed)
	text, err := json.Marshal(given)
	if err != nil {
		return badArguments("JSON", shorten(d.Arguments))
	}
	fields, err := value.Decode("input", task.InputParams(), text)
	if err != nil {
		return api.AsError(err).WithHint("give an argument as its declared type: %s", value.DescribeParams(task.Signature.Inputs))
	}
	for name := range changed {
		if err := onlyDigests(fields, name); err != nil {
			return err
		}
	}
	inputs, blobs, err := e.takeInputs(ctx, task, fields)
	if err != nil {
		return err
	}
	if d.Arguments, d.Blobs = inputs.JSON(), blobs; len(d.Arguments) > journal.MaxInline {
		return longArguments(len(d.Arguments)).WithHint("refuse the call, and start it with other inputs; or give large data as files")
	}
	if inputs.Digest() == rec.InputsDigest {
		d.Arguments, d.Blobs = nil, nil
	}
	return nil
}

// onlyDigests refuses a field whose files are not stored ones.
func onlyDigests(fields value.Fields, name string) error {
	v, _ := fields.Value(name)
	if _, err := value.MapFiles(v, byDigest); err != nil {
		return fieldError(name, err)
	}
	return nil
}

func longArguments(n int) *api.Error {
	return api.Errorf(api.RequestTooLarge, "the arguments have %d bytes, at most %d are kept", n, journal.MaxInline).
		WithDetails(api.Details{Field: "arguments", Limit: journal.MaxInline})
}

func badArguments(expected, got string) error {
	return api.Errorf(api.RequestInvalid, "arguments: expected %s, got %s", expected, got).
		WithDetails(api.Details{Field: "arguments", Expected: expected, Got: got})
}

// Approval returns what a run asks, with its arguments.
func (e *Engine) Approval(ctx context.Context, id string) (*api.PendingApproval, error) {
	rec, err := e.askedRecord(ctx, id)
	if err != nil {
		return nil, err
	}
	kept, err := e.config.Journal.Approval(ctx, id)
	if errors.Is(err, journal.ErrNotFound) { // it was answered by an earlier run
		kept, err = &journal.Approval{Run: id, State: api.ApprovalDecided}, nil
	}
	if err != nil {
		return nil, journalError(id, err)
	}
	return e.pending(ctx, rec, kept, maxPayload)
}

// maxListed bounds the arguments that a list shows of one run, in bytes.
const maxListed = 16 << 10

// pending is what everybody sees of a question. Arguments beyond a size are left out.
func (e *Engine) pending(ctx context.Context, rec *journal.Record, kept *journal.Approval, most int) (*api.PendingApproval, error) {
	task, err := e.loadTask(ctx, rec.TaskDigest)
	if err != nil {
		return nil, err
	}
	p := &api.PendingApproval{
		Run: rec.ID, State: kept.State, Task: rec.Task, Doc: task.Doc, Kind: rec.Kind, Root: rec.Root, Parent: rec.Parent, Call: rec.Call,
		Status: rec.Status, Asked: *rec.Approval, Signature: &task.Signature,
	}
	if kept.Decision != nil {
		p.Decision = &kept.Decision.Decision
	}
	if rec.Root != rec.ID {
		if root, err := e.config.Journal.Load(ctx, rec.Root); err == nil {
			p.Asks = root.Task
		}
	}
	if len(rec.InputsPayload.Inline) > most || rec.InputsPayload.Blob != "" && most < maxPayload {
		return p, nil
	}
	if err := e.takePayloads(ctx, rec.InputsPayload); err != nil {
		return nil, err
	}
	p.Arguments, err = e.readPayload(ctx, rec.InputsPayload)
	return p, err
}

// maxCounted bounds the counting of what waits.
const maxCounted = 1000

// Approvals lists runs that ask for approval.
func (e *Engine) Approvals(ctx context.Context, q api.ApprovalQuery) (page api.ApprovalPage, err error) {
	switch {
	case q.Limit < 0 || q.Limit > maxPage:
		return page, api.Errorf(api.RequestInvalid, "limit is %d, expected 1 to %d", q.Limit, maxPage).
			WithDetails(api.Details{Field: "limit", Expected: "1 to 1000", Got: strconv.Itoa(q.Limit)})
	case q.State != "" && q.State != api.ApprovalWaiting && q.State != api.ApprovalDecided && q.State != api.ApprovalClosed:
		return page, api.Errorf(api.RequestInvalid, "state: expected waiting, decided or closed, got %s", value.Quote(value.Shorten(string(q.State), maxShown))).
			WithDetails(api.Details{Field: "state", Expected: "waiting, decided or closed"})
	}
	q.Limit = cmp.Or(q.Limit, defaultPage)
	found, next, err := e.config.Journal.ListApprovals(ctx, q)
	if err != nil {
		return page, journalError("", err)
	}
	page.Next, page.Approvals = next, []api.PendingApproval{}
	for i := range found {
		rec, err := e.config.Journal.Load(ctx, found[i].Run)
		if err != nil || rec.Approval == nil { // a damaged run is shown by other lists
			continue
		}
		p, err := e.pending(ctx, rec, &found[i], maxListed)
		if err != nil {
			return page, err
		}
		page.Approvals = append(page.Approvals, *p)
	}
	page.Waiting, err = e.config.Journal.CountWaiting(ctx, q.Owner, maxCounted)
	return page, journalError("", err)
}
