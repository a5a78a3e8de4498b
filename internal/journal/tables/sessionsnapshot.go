package tables

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

// KeepSnapshot implements journal.Sessions.
func (s sessionStore) KeepSnapshot(ctx context.Context, snapshot *journal.SessionSnapshot) error {
	record, err := json.Marshal(snapshot)
	if err != nil {
		return api.Errorf(api.Internal, "snapshot %s: %w", snapshot.ID, err)
	}
	return s.do(ctx, func(c Tx) error {
		if err := s.db.Dialect().lock(c, "session_snapshots"); err != nil {
			return err
		}
		if snapshot.Name != "" {
			if _, err := c.Exec(`UPDATE session_snapshots SET name = NULL WHERE name = ?`, snapshot.Name); err != nil {
				return err
			}
		}
		n, err := c.Exec(`INSERT INTO session_snapshots (id, name, session, kept, created_at, record, sum) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
			snapshot.ID, textOrNull(snapshot.Name), snapshot.Session, snapshot.Kept, timeText(snapshot.Created), string(record), sumOf(snapshot.ID, string(record)))
		if err == nil && n == 0 {
			return fmt.Errorf("snapshot %s: %w", snapshot.ID, journal.ErrExists)
		}
		return err
	})
}

// SessionSnapshot implements journal.Sessions.
func (s sessionStore) SessionSnapshot(ctx context.Context, ref string) (*journal.SessionSnapshot, error) {
	found, err := one(ctx, s.db, scanSessionSnapshot, "snapshot "+ref, `SELECT id, name, record, sum FROM session_snapshots WHERE id = ?1 OR name = ?1`, ref)
	if err != nil {
		return nil, err
	}
	return *found, nil
}

// SessionSnapshots implements journal.Sessions.
func (s sessionStore) SessionSnapshots(ctx context.Context, session string) ([]*journal.SessionSnapshot, error) {
	return all(ctx, s.db, scanSessionSnapshot, `SELECT id, name, record, sum FROM session_snapshots WHERE ?1 = '' OR session = ?1 ORDER BY created_at DESC, id DESC`, session)
}

// RemoveSnapshot implements journal.Sessions.
func (s sessionStore) RemoveSnapshot(ctx context.Context, id string) error {
	return s.do(ctx, func(c Tx) error {
		n, err := c.Exec(`DELETE FROM session_snapshots WHERE id = ?`, id)
		if err == nil && n == 0 {
			return fmt.Errorf("snapshot %s: %w", id, journal.ErrNotFound)
		}
		return err
	})
}

// scanSessionSnapshot reads a row of id, name, record and sum. The name counts that the
// row has: a newer snapshot may have taken that of the record.
func scanSessionSnapshot(rows Row) (*journal.SessionSnapshot, error) {
	var id, record string
	var name sql.NullString
	var sum int64
	if err := rows.Scan(&id, &name, &record, &sum); err != nil {
		return nil, err
	}
	if sumOf(id, record) != sum {
		return nil, fmt.Errorf("snapshot %s: %w", id, journal.ErrDamaged)
	}
	snapshot := &journal.SessionSnapshot{}
	if err := decode(record, snapshot); err != nil {
		return nil, fmt.Errorf("snapshot %s: %w", id, err)
	}
	snapshot.Name = name.String
	return snapshot, nil
}
