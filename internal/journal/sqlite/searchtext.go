package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"strings"
)

// maxLooked bounds the runs that one page of a search for a text looks at.
const maxLooked = 5000

// hasText is the condition of a search: first that the record has the text anywhere,
// which is soon known, then that it is where it is looked for.
const hasText = `instr(lower(r.record), lower(?)) > 0 AND instr(lower(r.task || char(10) || CASE WHEN json_valid(r.record) THEN
	coalesce(json_extract(r.record, '$.error.message'), '') || char(10) || coalesce(json_extract(r.record, '$.error.code'), '') ELSE '' END), lower(?)) > 0`

// needle is a text as it stands in the JSON of a record.
func needle(text string) string {
	if text == "" {
		return ""
	}
	quoted, err := json.Marshal(text)
	if err != nil { // of a string
		return ""
	}
	return string(quoted[1 : len(quoted)-1])
}

// bound finds where a search for a text ends: at the last of the runs that it may look
// at. The calls of one run, and runs by the beginning of their ids, are looked at as a
// whole.
func (l *listing) bound(ctx context.Context, db *DB) error {
	if l.query.Text == "" || l.query.Parent != "" || l.query.IDPrefix != "" {
		return nil
	}
	all := *l
	all.query.Text, all.limit = "", maxLooked
	query, args := all.sql()
	query = strings.TrimSuffix(query, ` LIMIT ?)`) + ` LIMIT 1 OFFSET ?)`
	var p position
	rows, err := db.readers.QueryContext(ctx, strings.Replace(query, listColumns, `id, created_at`, 1), append(args[:len(args)-1], maxLooked)...)
	return db.each(rows, err, func(rows *sql.Rows) error {
		if err := rows.Scan(&p.ID, &p.Created); err != nil {
			return err
		}
		l.last = &p
		return nil
	})
}
