package tables

import (
	"context"
	"encoding/json"
)

// Bounds of what one page of a list goes through to find runs.
const (
	maxLooked = 5000   // runs, of which records are read
	maxProbed = 10_000 // rows of an index, for which others are looked up
)

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

// reach is how many rows of its index a page may go through. 0 is all: what the index does
// not tell is not asked for, or rows are few.
func (l *listing) reach() int {
	q := l.query
	switch {
	case q.Parent != "" || q.IDPrefix != "":
		return 0 // the calls of one run, and runs by the beginning of their ids
	case q.Text != "":
		return maxLooked
	case l.by == byFound:
		return 0
	case q.Kind != "" && l.by != byAll, q.Task != "" && l.by != byTask, q.Trigger != "" && l.by != byTrigger, len(q.Status) > 0 && l.by != byStatus, q.Owner != "" && l.by != byOwner:
		return maxLooked
	case q.Kind != "", len(l.labels) > 1, len(l.labels) == 1 && l.by != byLabel:
		return maxProbed
	}
	return 0
}

// bound finds where a page ends that finds little: at the last of the rows that it may go
// through.
func (l *listing) bound(ctx context.Context, db Database) error {
	reach := l.reach()
	if reach == 0 {
		return nil
	}
	created, id := l.order()
	rows, args := l.union(created+` AS created_at, `+id+` AS place`, l.source(), nil, nil)
	var p position
	return db.ReadOnce(ctx, func(rows Row) error {
		if err := rows.Scan(&p.Created, &p.ID); err != nil {
			return err
		}
		l.last = &p
		return nil
	}, `SELECT created_at, place FROM (`+rows+` ORDER BY created_at DESC, place DESC LIMIT 1 OFFSET ?) AS l`, append(args, reach)...)
}
