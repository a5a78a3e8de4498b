package tables

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

// sessionStore is the journal of sessions in a DB.
type sessionStore struct{ *Store }

var _ journal.Sessions = sessionStore{}

// ChangeSession implements journal.Sessions.
func (s sessionStore) ChangeSession(ctx context.Context, r *journal.SessionRecord, e api.SessionEvent) error {
	e.Seq, e.State = r.Seq, r.State
	record, err := json.Marshal(r)
	if err != nil {
		return api.Errorf(api.Internal, "session %s: %w", r.ID, err)
	}
	event, err := json.Marshal(&e)
	if err != nil {
		return api.Errorf(api.Internal, "event %d of session %s: %w", e.Seq, r.ID, err)
	}
	return s.do(ctx, func(c Tx) error {
		write := updateSession
		if r.Seq == 1 {
			write = insertSession
		}
		if err := write(c, r, string(record)); err != nil {
			return err
		}
		_, err := c.Exec(`INSERT INTO session_events (session, seq, event, sum) VALUES (?, ?, ?, ?)`,
			r.ID, e.Seq, string(event), sumOf(r.ID, number(e.Seq), string(event)))
		if err == nil {
			err = s.db.Dialect().say(c, "session")
		}
		return err
	})
}

func insertSession(c Tx, r *journal.SessionRecord, record string) error {
	n, err := c.Exec(`INSERT INTO sessions (id, state, created_at, ended_at, parent, owner, kept, seq, record, sum) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
		r.ID, string(r.State), timeText(r.Created), timeOrNull(r.Ended), r.Parent, r.Holder, r.Kept, r.Seq, record, sessionSum(r.ID, r.Holder, r.Seq, record))
	if err == nil && n == 0 {
		return fmt.Errorf("session %s: %w", r.ID, journal.ErrExists)
	}
	return err
}

func updateSession(c Tx, r *journal.SessionRecord, record string) error {
	n, err := c.Exec(`UPDATE sessions SET state = ?, ended_at = ?, owner = ?, kept = ?, seq = ?, record = ?, sum = ? WHERE id = ? AND seq = ?`,
		string(r.State), timeOrNull(r.Ended), r.Holder, r.Kept, r.Seq, record, sessionSum(r.ID, r.Holder, r.Seq, record), r.ID, r.Seq-1)
	if err != nil || n == 1 {
		return err
	}
	found := false
	err = c.Query(func([]Value) error { found = true; return nil }, `SELECT 1 FROM sessions WHERE id = ?`, r.ID)
	if err == nil && !found {
		return fmt.Errorf("session %s: %w", r.ID, journal.ErrNotFound)
	}
	if err == nil {
		return fmt.Errorf("session %s: %w", r.ID, journal.ErrSequence)
	}
	return err
}

func sessionSum(id, owner string, seq int64, record string) int64 {
	return sumOf(id, owner, number(seq), record)
}

// LoadSession implements journal.Sessions.
func (s sessionStore) LoadSession(ctx context.Context, id string) (*journal.SessionRecord, error) {
	r, err := one(ctx, s.db, scanSession, "session "+id, `SELECT `+sessionColumns+` FROM sessions WHERE id = ?`, id)
	if err != nil {
		return nil, err
	}
	return *r, nil
}

// LiveSessions implements journal.Sessions.
func (s sessionStore) LiveSessions(ctx context.Context) ([]*journal.SessionRecord, error) {
	return all(ctx, s.db, scanSession, `SELECT `+sessionColumns+` FROM sessions WHERE state NOT IN ('ended', 'lost') ORDER BY created_at, id`)
}

// sessionColumns are what scanSession reads.
const sessionColumns = `id, state, owner, seq, record, sum`

func scanSession(rows Row) (*journal.SessionRecord, error) {
	var id, state, owner, record string
	var seq, sum int64
	if err := rows.Scan(&id, &state, &owner, &seq, &record, &sum); err != nil {
		return nil, err
	}
	if sessionSum(id, owner, seq, record) != sum {
		return nil, fmt.Errorf("session %s: %w", id, journal.ErrDamaged)
	}
	r := &journal.SessionRecord{}
	if err := decode(record, r); err != nil {
		return nil, fmt.Errorf("session %s: %w", id, err)
	}
	if r.ID != id || string(r.State) != state {
		return nil, fmt.Errorf("session %s: %w", id, journal.ErrDamaged)
	}
	r.Holder, r.Seq = owner, seq
	return r, nil
}

// Keeps implements journal.Sessions.
func (s sessionStore) Keeps(ctx context.Context, kept string) (found bool, err error) {
	err = s.db.Read(ctx, func(Row) error { found = true; return nil },
		`SELECT 1 FROM sessions WHERE kept = ?1 AND kept <> '' UNION ALL SELECT 1 FROM session_snapshots WHERE kept = ?1 LIMIT 1`, kept)
	return found, err
}

// PruneSessions implements journal.Sessions.
func (s sessionStore) PruneSessions(ctx context.Context, before time.Time, limit int) (pruned int, err error) {
	err = s.doVitally(ctx, func(c Tx) error {
		ids, err := column(c, `SELECT id FROM sessions WHERE state IN ('ended', 'lost') AND ended_at < ? ORDER BY created_at LIMIT ?`, timeText(before), int64(limit))
		if err != nil {
			return err
		}
		pruned = len(ids)
		for _, id := range ids {
			for _, query := range []string{`DELETE FROM session_events WHERE session = ?`, `DELETE FROM sessions WHERE id = ?`} {
				if _, err := c.Exec(query, id); err != nil {
					return err
				}
			}
		}
		return nil
	})
	return pruned, err
}

// SessionEvents implements journal.Sessions.
func (s sessionStore) SessionEvents(ctx context.Context, id string, after int64, limit int) (events []api.SessionEvent, err error) {
	err = s.db.Read(ctx, func(rows Row) error {
		e, err := scanSessionEvent(rows)
		events = append(events, e)
		return err
	}, `SELECT session, seq, event, sum FROM session_events WHERE session = ? AND seq > ? ORDER BY seq LIMIT ?`, id, after, limit)
	return events, err
}

func scanSessionEvent(rows Row) (e api.SessionEvent, err error) {
	var id, event string
	var seq, sum int64
	if err := rows.Scan(&id, &seq, &event, &sum); err != nil {
		return e, err
	}
	if sumOf(id, number(seq), event) != sum {
		return e, fmt.Errorf("event %d of session %s: %w", seq, id, journal.ErrDamaged)
	}
	return e, decode(event, &e)
}
