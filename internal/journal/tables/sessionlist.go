package tables

import (
	"context"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

// ListSessions implements journal.Sessions. Labels are compared here, row by row:
// they are few, and no two clients ask for the same ones.
func (s sessionStore) ListSessions(ctx context.Context, q api.SessionQuery) (records []*journal.SessionRecord, next string, err error) {
	limit := pageSize(q.Limit)
	query, args, err := sessionQuery(q)
	if err != nil {
		return nil, "", err
	}
	more := false
	err = s.db.ReadOnce(ctx, func(rows Row) error {
		if more {
			return nil
		}
		r, err := scanSession(rows)
		if err != nil || q.Owner != "" && r.Owner != q.Owner || !hasLabels(r.Spec.Labels, q.Labels) {
			return err
		}
		if more = len(records) == limit; !more {
			records = append(records, r)
		}
		return nil
	}, query, args...)
	if err == nil && more {
		last := records[limit-1]
		next = position{List: sessionListID(q), Created: timeText(last.Created), ID: last.ID}.cursor()
	}
	return records, next, err
}

func sessionQuery(q api.SessionQuery) (query string, args []any, err error) {
	var where []string
	add := func(condition string, values ...any) {
		where, args = append(where, condition), append(args, values...)
	}
	if len(q.State) > 0 {
		add(`state IN (?`+strings.Repeat(`, ?`, len(q.State)-1)+`)`, anyStates(q.State)...)
	}
	if q.Parent != "" {
		add(`parent = ?`, q.Parent)
	}
	if !q.Since.IsZero() {
		add(`created_at >= ?`, timeText(q.Since))
	}
	order, compare := ` ORDER BY created_at DESC, id DESC`, `<`
	if q.Oldest {
		order, compare = ` ORDER BY created_at, id`, `>`
	}
	if q.Cursor != "" {
		after, err := parseCursor(q.Cursor, sessionListID(q))
		if err != nil {
			return "", nil, err
		}
		add(`(created_at, id) `+compare+` (?, ?)`, after.Created, after.ID)
	}
	query = `SELECT ` + sessionColumns + ` FROM sessions`
	if len(where) > 0 {
		query += ` WHERE ` + strings.Join(where, ` AND `)
	}
	return query + order, args, nil
}

func anyStates(states []api.SessionState) []any {
	out := make([]any, len(states))
	for i, s := range states {
		out[i] = string(s)
	}
	return out
}

func hasLabels(all, wanted map[string]string) bool {
	for name, value := range wanted {
		if got, ok := all[name]; !ok || got != value {
			return false
		}
	}
	return true
}

func sessionListID(q api.SessionQuery) []byte {
	q.Cursor, q.Limit, q.Since = "", 0, q.Since.UTC()
	return listOf(q)
}
