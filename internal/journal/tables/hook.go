package tables

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

// hookStore keeps hooks in a DB.
type hookStore struct{ *Store }

var _ journal.Hooks = hookStore{}

// PutHooks implements journal.Hooks.
func (s hookStore) PutHooks(ctx context.Context, put []journal.HookRecord, remove []string) error {
	names, records := make([]string, len(put)), make([]string, len(put))
	for i, h := range put {
		text, err := json.Marshal(h)
		if err != nil {
			return api.Errorf(api.Internal, "hook %s: %w", h.Name, err)
		}
		names[i], records[i] = h.Name, string(text)
	}
	remove = slices.Clone(remove)
	return s.do(ctx, func(c Tx) error {
		for i, name := range names {
			if _, err := c.Exec(`INSERT INTO hooks (name, record, sum) VALUES (?, ?, ?)
				ON CONFLICT (name) DO UPDATE SET record = excluded.record, sum = excluded.sum`, name, records[i], sumOf(name, records[i])); err != nil {
				return err
			}
		}
		for _, name := range remove {
			for _, query := range []string{`DELETE FROM hook_calls WHERE hook = ?`, `DELETE FROM hooks WHERE name = ?`} {
				if _, err := c.Exec(query, name); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// hookColumns are what scanHook reads.
const hookColumns = `name, record, sum`

func scanHook(rows Row) (h journal.HookRecord, err error) {
	var name, record string
	var sum int64
	if err := rows.Scan(&name, &record, &sum); err != nil {
		return h, err
	}
	if sumOf(name, record) != sum {
		return h, fmt.Errorf("hook %s: %w", name, journal.ErrDamaged)
	}
	return h, decode(record, &h)
}

// Hook implements journal.Hooks.
func (s hookStore) Hook(ctx context.Context, name string) (*journal.HookRecord, error) {
	return one(ctx, s.db, scanHook, "hook "+name, `SELECT `+hookColumns+` FROM hooks WHERE name = ?`, name)
}

// Hooks implements journal.Hooks.
func (s hookStore) Hooks(ctx context.Context) ([]journal.HookRecord, error) {
	return all(ctx, s.db, scanHook, `SELECT `+hookColumns+` FROM hooks ORDER BY name`)
}

// AddCall implements journal.Hooks.
func (s hookStore) AddCall(ctx context.Context, hook string, call api.HookCall) error {
	text, err := json.Marshal(call)
	if err != nil {
		return api.Errorf(api.Internal, "a call of hook %s: %w", hook, err)
	}
	record := string(text)
	return s.do(ctx, func(c Tx) error {
		n, err := c.Exec(`INSERT INTO hook_calls (hook, record, sum) SELECT name, ?, ? FROM hooks WHERE name = ?`, record, sumOf(hook, record), hook)
		if err != nil || n == 0 {
			return err
		}
		_, err = c.Exec(`DELETE FROM hook_calls WHERE num IN (SELECT num FROM hook_calls WHERE hook = ? ORDER BY num DESC LIMIT ? OFFSET ?)`, hook, int64(math.MaxInt64), int64(journal.KeptCalls))
		return err
	})
}

// callColumns are what scanCall reads.
const callColumns = `hook, record, sum`

func scanCall(rows Row) (call api.HookCall, err error) {
	var hook, record string
	var sum int64
	if err := rows.Scan(&hook, &record, &sum); err != nil {
		return call, err
	}
	if sumOf(hook, record) != sum {
		return call, fmt.Errorf("a call of hook %s: %w", hook, journal.ErrDamaged)
	}
	return call, decode(record, &call)
}

// HookCalls implements journal.Hooks.
func (s hookStore) HookCalls(ctx context.Context, hook string, limit int) ([]api.HookCall, error) {
	return all(ctx, s.db, scanCall, `SELECT `+callColumns+` FROM hook_calls WHERE hook = ? ORDER BY num DESC LIMIT ?`, hook, limit)
}
