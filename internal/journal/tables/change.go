package tables

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

// maxText bounds a record, a definition and the data of an event. They are
// small; what is large belongs into blobs.
const maxText = 16 << 20 // bytes

// preparedChange is a change as it goes into the tables. The submitting
// goroutine makes it, so that the one goroutine that writes has little to do.
type preparedChange struct {
	change *journal.Change
	record string // JSON
	size   int    // bytes

	deliveries []deliveryRow
}

// prepareChange holds a change to the promises of its type.
func prepareChange(c *journal.Change) (*preparedChange, error) {
	r := &c.Record
	if err := checkRecord(r, isNew(c)); err != nil {
		return nil, err
	}
	record, err := encodeRecord(r)
	if err != nil {
		return nil, defect(r.ID, "its record is no JSON: %w", err)
	}
	p := &preparedChange{change: c, record: record}
	p.size = len(record) + len(r.InputsPayload.Inline) + len(r.OutputsPayload.Inline)
	if err := p.checkEvents(); err != nil {
		return nil, err
	}
	if err := p.checkTasks(); err != nil {
		return nil, err
	}
	for _, d := range c.Deliveries {
		row, err := newDeliveryRow(d)
		if err != nil {
			return nil, err
		}
		p.deliveries, p.size = append(p.deliveries, row), p.size+len(row.record)
	}
	if len(record) > maxText {
		return nil, defect(r.ID, "its record has %d bytes, at most %d are kept", len(record), maxText)
	}
	return p, nil
}

// isNew reports whether a change begins a run.
func isNew(c *journal.Change) bool {
	return len(c.Events) > 0 && c.Events[0].Kind == api.EventCreated
}

func checkRecord(r *journal.Record, isNew bool) error {
	switch {
	case r.ID == "":
		return defect(r.ID, "it has no id")
	case isNew && r.Fence != 1:
		return defect(r.ID, "it is new, and its fence is %d instead of 1", r.Fence)
	case isNew && r.Created.IsZero():
		return defect(r.ID, "it is new, and has no time of creation")
	case r.Status.Ended() == r.Ended.IsZero():
		return defect(r.ID, "its status is %s, which does not go with its time of ending", r.Status)
	}
	for _, p := range []journal.Payload{r.InputsPayload, r.OutputsPayload} {
		if len(p.Inline) > journal.MaxInline {
			return defect(r.ID, "a payload has %d bytes, beyond %d it belongs into a blob", len(p.Inline), journal.MaxInline)
		}
		if len(p.Inline) > 0 && !json.Valid(p.Inline) {
			return defect(r.ID, "a payload is no JSON")
		}
	}
	return nil
}

func (p *preparedChange) checkEvents() error {
	r := &p.change.Record
	for i, e := range p.change.Events {
		p.size += len(e.Data)
		switch {
		case e.Run != r.ID || e.Seq != r.Seq-int64(len(p.change.Events))+int64(i)+1 || e.Kind == "":
			return defect(r.ID, "its event %d, %q of run %q, is not the next one", e.Seq, e.Kind, e.Run)
		case i > 0 && e.Kind == api.EventCreated:
			return defect(r.ID, "it is created by an event that is not its first")
		case len(e.Data) > maxText || (len(e.Data) > 0 && !json.Valid(e.Data)):
			return defect(r.ID, "the data of its event %d is no JSON of at most %d bytes", e.Seq, maxText)
		}
	}
	return nil
}

func (p *preparedChange) checkTasks() error {
	for digest, text := range p.change.Tasks {
		p.size += len(text)
		if digest == "" || len(text) > maxText || !json.Valid(text) {
			return defect(p.change.Record.ID, "the definition %q is no JSON of at most %d bytes", digest, maxText)
		}
	}
	return nil
}

// defect is the error of a change that no engine may make.
func defect(run, format string, args ...any) error {
	return fmt.Errorf("run %q cannot be kept: %w", run, api.Errorf(api.Internal, format, args...))
}

// apply carries a change out.
func (p *preparedChange) apply(c Tx, d *Dialect) error {
	if err := p.write(c, d); err != nil {
		return err
	}
	if err := p.addEvents(c); err != nil {
		return err
	}
	if err := p.addTasks(c); err != nil {
		return err
	}
	if err := p.approvals(c); err != nil {
		return err
	}
	for _, d := range p.deliveries {
		if err := d.insert(c); err != nil {
			return err
		}
	}
	if err := p.addBlobs(c); err != nil {
		return err
	}
	if err := p.release(c, d); err != nil {
		return err
	}
	return p.tell(c, d)
}

// tell wakes other processes that may wait for the change: a run that anybody may take,
// and the end of one that was taken, whose watchers may be elsewhere.
func (p *preparedChange) tell(c Tx, d *Dialect) error {
	r := &p.change.Record
	switch ended := r.Status.Ended(); {
	case !ended && r.Holder == "" && r.Parent == "":
		return d.say(c, "free")
	case ended && r.Fence > 1:
		return d.say(c, "ended")
	}
	return nil
}

// write writes the record.
func (p *preparedChange) write(c Tx, d *Dialect) error {
	if isNew(p.change) {
		return p.insert(c, d)
	}
	return p.update(c)
}

func (p *preparedChange) insert(c Tx, d *Dialect) error {
	r := &p.change.Record
	if r.Seq != int64(len(p.change.Events)) {
		return journal.ErrSequence
	}
	args := append([]any{
		r.ID, textOrNull(r.Parent), int64(r.Call), r.Root, r.Task, string(r.Kind), r.TaskDigest, timeText(r.Created), textOrNull(keyText(r.Owner, r.IdempotencyKey)), r.Fence, textOrNull(r.Trigger.Name()),
		r.Lane().Text(), r.Due(), r.Needs.Memory, milli(r.Needs.CPU), r.Owner,
	}, p.changing()...)
	exists := func() error { return journal.ErrExists }
	err := c.Expect(exists, `INSERT INTO runs (id, parent, call, root, task, kind, task_digest, created_at, idempotency_key, fence, started_by,
		lane, due, memory, cpu_milli, owned_by, status, owner, seq, started_at, ended_at, record, sum, outputs, outputs_blob, outputs_sum)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`, args...)
	switch {
	case d.Orphan(err):
		return fmt.Errorf("run %s is the parent of a new run: %w", r.Parent, journal.ErrNotFound)
	case err != nil:
		return err
	}
	if err := insertLabels(c, r); err != nil || len(r.InputsPayload.Inline) == 0 && r.InputsPayload.Blob == "" {
		return err
	}
	return c.Later(`INSERT INTO inputs (run, json, blob, sum) VALUES (?, ?, ?, ?)`, append([]any{r.ID}, payloadArgs(r.ID, r.InputsPayload)...)...)
}

// keyText is an idempotency key among those of all owners. Neither has a line in it.
func keyText(owner, key string) string {
	if owner == "" || key == "" {
		return key
	}
	return owner + "\n" + key
}

// milli is a number of cores in thousandths, none of which is more than it is.
func milli(cores float64) int64 { return int64(cores * 1000) }

// changing are the columns that a later change sets anew.
func (p *preparedChange) changing() []any {
	r := &p.change.Record
	return append([]any{
		string(r.Status), r.Holder, r.Seq, timeOrNull(r.Started), timeOrNull(r.Ended), p.record, recordSum(r.ID, r.Holder, r.Fence, r.Seq, p.record),
	}, payloadArgs(r.ID, r.OutputsPayload)...)
}

func (p *preparedChange) update(c Tx) error {
	r := &p.change.Record
	before := r.Seq - int64(len(p.change.Events))
	err := c.Expect(func() error { return refusal(c, r) }, `UPDATE runs SET status = ?, owner = ?, seq = ?, started_at = ?, ended_at = ?, record = ?, sum = ?,
		outputs = ?, outputs_blob = ?, outputs_sum = ? WHERE id = ? AND fence = ? AND seq = ?`,
		append(p.changing(), r.ID, r.Fence, before)...)
	if err != nil || !r.Status.Ended() {
		return err
	}
	// A request that came too late must not end the run if it is resumed.
	return c.Later(`DELETE FROM cancel_requests WHERE run = ?`, r.ID)
}

// refusal finds out why no row was changed.
func refusal(c Tx, r *journal.Record) error {
	fence := r.Fence
	err := c.Query(func(row []Value) error {
		fence, _ = row[0].(int64)
		return nil
	}, `SELECT fence FROM runs WHERE id = ?`, r.ID)
	switch {
	case err != nil:
		return err
	case fence != r.Fence:
		return journal.ErrFenced
	}
	return journal.ErrSequence
}

func (p *preparedChange) addEvents(c Tx) error {
	for i := range p.change.Events {
		e := &p.change.Events[i]
		at, data := timeText(e.Time), string(e.Data)
		err := c.Later(`INSERT INTO events (run, seq, time, kind, data, sum) VALUES (?, ?, ?, ?, ?, ?)`,
			e.Run, e.Seq, at, string(e.Kind), textOrNull(data), sumOf(e.Run, number(e.Seq), at, string(e.Kind), data))
		if err != nil {
			return err
		}
	}
	return nil
}

func (p *preparedChange) addTasks(c Tx) error {
	for _, digest := range slices.Sorted(maps.Keys(p.change.Tasks)) {
		text := string(p.change.Tasks[digest])
		err := c.Later(`INSERT INTO definitions (digest, json, sum) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`, digest, text, sumOf(digest, text))
		if err != nil {
			return err
		}
	}
	return nil
}

// addBlobs notes the blobs of the events, and those of the payloads.
func (p *preparedChange) addBlobs(c Tx) error {
	r := &p.change.Record
	for _, digest := range append(slices.Clip(p.change.Blobs), r.InputsPayload.Blob, r.OutputsPayload.Blob) {
		if digest == "" {
			continue
		}
		if err := c.Later(`INSERT INTO blob_refs (run, digest) VALUES (?, ?) ON CONFLICT DO NOTHING`, r.ID, digest); err != nil {
			return err
		}
	}
	return nil
}
