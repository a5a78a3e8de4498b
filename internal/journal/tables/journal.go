package tables

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

// journalStore is the journal in a DB.
type journalStore struct{ *Store }

var _ journal.Journal = journalStore{}

// Submit implements journal.Journal.
func (s journalStore) Submit(changes ...journal.Change) journal.Receipt {
	prepared := make([]*preparedChange, len(changes))
	op := NewOperation(context.Background(), nil)
	for i := range changes {
		p, err := prepareChange(&changes[i])
		if err != nil {
			return Failed(err)
		}
		prepared[i] = p
		op.Size += p.size
		op.Followed = op.Followed || endsCall(&changes[i])
		op.Vital = op.Vital || !isNew(&changes[i])
		op.Patient = op.Patient || changes[i].Record.Status.Ended()
		op.Runs = append(op.Runs, changes[i].Record.ID)
	}
	op.do = func(c Tx) error {
		for _, p := range prepared {
			if err := p.apply(c, s.db.Dialect()); err != nil {
				return err
			}
		}
		return nil
	}
	return s.db.Write(op)
}

// endsCall reports whether a change gives an orchestrator the result of a call.
func endsCall(c *journal.Change) bool {
	return len(c.Events) > 0 && c.Events[len(c.Events)-1].Kind == api.EventCallEnded
}

// Claim implements journal.Journal.
func (s journalStore) Claim(ctx context.Context, id, from, owner string) (*journal.Record, error) {
	var held bool
	err := s.do(ctx, func(c Tx) error {
		r, err := claimable(c, id, s.db.Dialect().ForUpdate)
		if err != nil {
			return err
		}
		if held = r.owner != "" && r.owner != from; held {
			return nil
		}
		return claim(c, r, owner)
	})
	if err != nil {
		return nil, err
	}
	record, err := s.Load(ctx, id)
	if err == nil && held {
		err = journal.ErrOwned
	}
	return record, err
}

// claimable reads a run that is about to be claimed.
func claimable(c Tx, id, forUpdate string) (*recordRow, error) {
	var r *recordRow
	err := c.Query(func(row []Value) error {
		r = &recordRow{id: id}
		r.owner, _ = row[0].(string)
		r.fence, _ = row[1].(int64)
		r.seq, _ = row[2].(int64)
		r.record, _ = row[3].(string)
		r.sum, _ = row[4].(int64)
		return nil
	}, `SELECT owner, fence, seq, record, sum FROM runs WHERE id = ?`+forUpdate, id)
	switch {
	case err != nil:
		return nil, err
	case r == nil:
		return nil, journal.ErrNotFound
	case r.sum != recordSum(id, r.owner, r.fence, r.seq, r.record):
		return nil, fmt.Errorf("run %s: %w", id, journal.ErrDamaged)
	}
	return r, nil
}

// wholeColumns are what scanWhole reads, from runs r left join inputs i.
const wholeColumns = recordColumns + `, i.json, i.blob, i.sum, r.outputs, r.outputs_blob, r.outputs_sum`

// scanWhole reads a record with its payloads.
func scanWhole(rows Row) (*journal.Record, error) {
	var r recordRow
	var in, out payloadRow
	if err := rows.Scan(append(append(r.targets(), in.targets()...), out.targets()...)...); err != nil {
		return nil, err
	}
	record, err := r.decode()
	if err != nil {
		return nil, err
	}
	if record.InputsPayload, err = in.decode(r.id); err != nil {
		return nil, err
	}
	record.OutputsPayload, err = out.decode(r.id)
	return record, err
}

// Load implements journal.Journal.
func (s journalStore) Load(ctx context.Context, id string) (*journal.Record, error) {
	var record *journal.Record
	err := s.db.Read(ctx, func(rows Row) (err error) {
		record, err = scanWhole(rows)
		return err
	}, `SELECT `+wholeColumns+` FROM runs r LEFT JOIN inputs i ON i.run = r.id WHERE r.id = ?`, id)
	if err == nil && record == nil {
		err = journal.ErrNotFound
	}
	return record, err
}

// Calls implements journal.Journal.
func (s journalStore) Calls(ctx context.Context, parent string) ([]*journal.Record, error) {
	return all(ctx, s.db, scanWhole, `SELECT `+wholeColumns+` FROM runs r LEFT JOIN inputs i ON i.run = r.id WHERE r.parent = ? AND r.call <> 0 ORDER BY r.call, r.num`, parent)
}

// maxEvents bounds one page of events.
const maxEvents = 1000

// Events implements journal.Journal.
func (s journalStore) Events(ctx context.Context, id string, after int64, limit int) ([]api.Event, error) {
	if limit <= 0 || limit > maxEvents {
		limit = maxEvents
	}
	var events []api.Event
	err := s.db.Read(ctx, func(rows Row) error {
		var e eventRow
		if err := rows.Scan(&e.seq, &e.time, &e.kind, &e.data, &e.sum); err != nil {
			return err
		}
		event, err := e.decode(id)
		events = append(events, event)
		return err
	}, `SELECT seq, time, kind, data, sum FROM events WHERE run = ? AND seq > ? ORDER BY seq LIMIT ?`, id, after, limit)
	return events, err
}

// unfinishedQuery must not read what has ended: by their number, runs are in the
// table, and so SQLite is kept from following it.
func unfinishedQuery(d *Dialect) string {
	return `SELECT ` + recordColumns + ` FROM runs r WHERE r.` + unfinished + ` ORDER BY ` + d.Plain + `r.num`
}

// Unfinished implements journal.Journal.
func (s journalStore) Unfinished(ctx context.Context) ([]*journal.Record, error) {
	var records []*journal.Record
	var damaged error // of the first
	err := s.db.Read(ctx, func(rows Row) error {
		var r recordRow
		if err := rows.Scan(r.targets()...); err != nil {
			return err
		}
		record, err := r.decode()
		if err == nil {
			records = append(records, record)
		} else if damaged == nil {
			damaged = err
		}
		return nil
	}, unfinishedQuery(s.db.Dialect()))
	if err == nil {
		err = s.db.Explain(damaged)
	}
	return records, err
}

// definitionRow receives the columns of a definition.
type definitionRow struct {
	text string
	sum  int64
}

func (d *definitionRow) check(digest string) error {
	if d.sum != sumOf(digest, d.text) {
		return fmt.Errorf("definition %s: %w", digest, journal.ErrDamaged)
	}
	return nil
}

// ByKey implements journal.Journal.
func (s journalStore) ByKey(ctx context.Context, owner, key string) (string, error) {
	var id string
	err := s.db.Read(ctx, func(rows Row) error { return rows.Scan(&id) }, `SELECT id FROM runs WHERE idempotency_key = ?`, keyText(owner, key))
	if err == nil && id == "" {
		err = journal.ErrNotFound
	}
	return id, err
}

// Task implements journal.Journal.
func (s journalStore) Task(ctx context.Context, digest string) (json.RawMessage, error) {
	var task json.RawMessage
	err := s.db.Read(ctx, func(rows Row) error {
		var d definitionRow
		if err := rows.Scan(&d.text, &d.sum); err != nil {
			return err
		}
		task = json.RawMessage(d.text)
		return d.check(digest)
	}, `SELECT json, sum FROM definitions WHERE digest = ?`, digest)
	if err == nil && task == nil {
		err = journal.ErrNotFound
	}
	return task, err
}

// Close implements journal.Journal.
func (s journalStore) Close() error { return s.db.Close() }
