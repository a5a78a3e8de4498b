package sqlite

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

// sessionPlace is the place of a session in a list.
type sessionPlace struct {
	List    []byte `json:"l"` // identifies the list
	Created string `json:"t"`
	ID      string `json:"i"`
}

// ListSessions implements journal.Sessions. Labels are compared here, row by row:
// they are few, and no two clients ask for the same ones.
func (s sessionStore) ListSessions(ctx context.Context, q api.SessionQuery) (records []*journal.SessionRecord, next string, err error) {
	limit := q.Limit
	if limit <= 0 {
		limit = defaultPage
	}
	limit = min(limit, maxPage)
	query, args, err := sessionQuery(q)
	if err != nil {
		return nil, "", err
	}
	more := false
	rows, err := s.db.readers.QueryContext(ctx, query, args...)
	err = s.db.each(rows, err, func(rows *sql.Rows) error {
		if more {
			return nil
		}
		r, err := scanSession(rows)
		if err != nil || !hasLabels(r.Spec.Labels, q.Labels) {
			return err
		}
		if more = len(records) == limit; !more {
			records = append(records, r)
		}
		return nil
	})
	if err == nil && more {
		next = sessionCursor(q, records[limit-1])
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
		after, err := parseSessionCursor(q)
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

func sessionCursor(q api.SessionQuery, last *journal.SessionRecord) string {
	text, err := json.Marshal(sessionPlace{List: sessionListID(q), Created: timeText(last.Created), ID: last.ID})
	if err != nil { // only texts
		return ""
	}
	return base64.RawURLEncoding.EncodeToString(text)
}

func parseSessionCursor(q api.SessionQuery) (*sessionPlace, error) {
	const maxCursor = 1 << 10
	text, err := base64.RawURLEncoding.DecodeString(q.Cursor)
	if err != nil || len(text) > maxCursor {
		return nil, journal.ErrCursor
	}
	place := &sessionPlace{}
	if json.Unmarshal(text, place) != nil || !slices.Equal(place.List, sessionListID(q)) {
		return nil, journal.ErrCursor
	}
	return place, nil
}

// sessionListID tells lists apart by what they select.
func sessionListID(q api.SessionQuery) []byte {
	q.Cursor, q.Limit, q.Since = "", 0, q.Since.UTC()
	text, err := json.Marshal(q)
	if err != nil { // a time beyond the year 9999
		text = nil
	}
	sum := sha256.Sum256(text)
	return sum[:8]
}
