package tables

import (
	"context"
	"slices"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

// insertLabels notes the labels of a new run, which it keeps.
func insertLabels(c Tx, r *journal.Record) error {
	below := int64(0)
	if r.Parent != "" {
		below = 1
	}
	for _, label := range api.LabelTexts(r.Labels) {
		if err := c.Later(`INSERT INTO run_labels (label, below, created_at, run) VALUES (?, ?, ?, ?)`, label, below, timeText(r.Created), r.ID); err != nil {
			return err
		}
	}
	return nil
}

// hasLabel is the condition that a run has a label, for runs that are found otherwise.
const hasLabel = `EXISTS (SELECT 1 FROM run_labels x WHERE x.run = r.id AND x.label = ?)`

// maxWeighed bounds the rows that are counted to find what is the rarest of a query.
const maxWeighed = 1000

// weigh decides which index a list is read by: that of the rarest label, or that of the rest
// of the query if no label is rare and the rest is.
func (l *listing) weigh(ctx context.Context, db Database) error {
	if !l.byLabel {
		return nil
	}
	weights := make(map[string]int, len(l.labels))
	for _, label := range l.labels {
		n, err := countOf(ctx, db, `SELECT 1 FROM run_labels WHERE label = ? LIMIT ?`, label, maxWeighed)
		if err != nil {
			return err
		}
		weights[label] = n
	}
	slices.SortStableFunc(l.labels, func(a, b string) int { return weights[a] - weights[b] })
	if weights[l.labels[0]] < maxWeighed {
		return nil
	}
	rest := listing{dialect: l.dialect, query: l.query, limit: maxWeighed, after: l.after}
	rest.query.Text = ""
	query, args := rest.sql()
	n, err := countOf(ctx, db, strings.Replace(query, listColumns, `1`, 1), args...)
	l.byLabel = n > maxWeighed
	return err
}

func countOf(ctx context.Context, db Database, query string, args ...any) (n int, err error) {
	err = db.ReadOnce(ctx, func(rows Row) error { return rows.Scan(&n) }, `SELECT count(*) FROM (`+query+`) AS counted`, args...)
	return n, err
}

// ofLabel are the runs of the first label, those at the top and those below others
// apart.
func (l *listing) ofLabel() []alternative {
	all := []alternative{{[]string{`l.label = ?`, `l.below = 0`}, []any{l.labels[0]}}, {[]string{`l.label = ?`, `l.below = 1`}, []any{l.labels[0]}}}
	if l.query.Top {
		return all[:1]
	}
	return all
}
