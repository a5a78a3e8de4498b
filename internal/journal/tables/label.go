package tables

import (
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

// hasLabel is the condition that a run has one more label. Of a row of the order, the key
// of the label is known, so that nothing of the run is read.
func (l *listing) hasLabel(label string) (string, []any) {
	const has = `EXISTS (SELECT 1 FROM run_labels x WHERE x.label = ? AND `
	created, id := l.order()
	key := `x.created_at = ` + created + ` AND ` + l.dialect.Plain + `x.run = ` + id + `)`
	switch l.by {
	case byFound:
		return has + `x.run = r.id)`, []any{label}
	case byLabel:
		return has + `x.below = l.below AND ` + key, []any{label}
	}
	return has + `x.below IN (0, 1) AND ` + key, []any{label}
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
