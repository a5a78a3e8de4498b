package tables

import (
	"context"
	"encoding/json"
	"strings"
)

// maxLooked bounds the runs that one page of a search for a text looks at.
const maxLooked = 5000

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
func (l *listing) bound(ctx context.Context, db Database) error {
	if l.query.Text == "" || l.query.Parent != "" || l.query.IDPrefix != "" {
		return nil
	}
	all := *l
	all.query.Text, all.limit = "", maxLooked
	query, args := all.sql()
	query = strings.TrimSuffix(query, ` LIMIT ?) AS l`) + ` LIMIT 1 OFFSET ?) AS l`
	var p position
	return db.ReadOnce(ctx, func(rows Row) error {
		if err := rows.Scan(&p.ID, &p.Created); err != nil {
			return err
		}
		l.last = &p
		return nil
	}, strings.Replace(query, listColumns, `id, created_at`, 1), append(args[:len(args)-1], maxLooked)...)
}
