package tables

import (
	"context"
	"slices"

	"github.com/glovebox-dev/glovebox/api"
)

// index says by which index a list is read.
type index int

const (
	byAll    index = iota // the order of all runs
	byFound               // few runs: those below one run, or with the beginning of one id
	byStatus              // and in the order, as the others
	byTrigger
	byTask
	byLabel
	byOwner
)

// knowsTop reports whether an index has runs at the top apart from those below others.
func (i index) knowsTop() bool { return i == byAll || i == byTask || i == byLabel || i == byOwner }

// maxWeighed bounds the rows that are counted to find what is the rarest of a query.
const maxWeighed = 1000

// ways are the indices that a list can be read by. The first are better where none is
// short: labels are looked up for their rows without the runs.
func (l *listing) ways() (all []listing) {
	add := func(wanted bool, by index) {
		way := *l
		if way.by = by; wanted {
			all = append(all, way)
		}
	}
	q := l.query
	if q.IDPrefix != "" || q.Root != "" || q.Parent != "" {
		add(true, byFound)
		return all
	}
	add(len(q.Status) > 0, byStatus)
	add(q.Trigger != "", byTrigger)
	add(q.Task != "", byTask)
	add(q.Owner != "", byOwner)
	for i := range l.labels {
		add(true, byLabel)
		last := &all[len(all)-1]
		last.labels = slices.Concat(l.labels[i:i+1], l.labels[:i], l.labels[i+1:])
	}
	add(len(all) == 0, byAll)
	return all
}

// weigh chooses the index that has the fewest rows, counted up to a bound. What fits on the
// page is short enough.
func (l *listing) weigh(ctx context.Context, db Database) error {
	ways, least := l.ways(), maxWeighed+1
	if len(ways) == 1 {
		return nil
	}
	for _, way := range ways {
		rows, args := way.union(`1`, way.source(), nil, nil)
		n, err := countOf(ctx, db, rows+` LIMIT ?`, append(args, maxWeighed)...)
		if err != nil {
			return err
		}
		if n < least {
			*l, least = way, n
		}
		if n <= l.limit {
			break
		}
	}
	return nil
}

func countOf(ctx context.Context, db Database, query string, args ...any) (n int, err error) {
	err = db.ReadOnce(ctx, func(rows Row) error { return rows.Scan(&n) }, `SELECT count(*) FROM (`+query+`) AS counted`, args...)
	return n, err
}

// source is the table whose index is read.
func (l *listing) source() string {
	switch {
	case l.by == byLabel:
		return `run_labels l`
	case l.query.IDPrefix != "": // few rows, which no order of another index finds soon
		return `runs r` + l.dialect.indexed("sqlite_autoindex_runs_1")
	}
	return `runs r`
}

// order names the columns by which runs are listed, but for calls of one run.
func (l *listing) order() (created, id string) {
	if l.by == byLabel {
		return `l.created_at`, `l.run`
	}
	return `r.created_at`, `r.id`
}

// alternative is a condition of which a row fulfils at most one.
type alternative struct {
	where []string
	args  []any
}

// alternatives are the conditions that the index is made for.
func (l *listing) alternatives() []alternative {
	q := l.query
	switch l.by {
	case byFound:
		return l.found()
	case byLabel:
		return l.ofLabel()
	case byTrigger:
		return []alternative{{[]string{`r.started_by = ?`}, []any{q.Trigger}}}
	case byStatus:
		return ofStatus(q.Status)
	}
	var c conditions
	c.add(l.by == byTask, `r.task = ?`, q.Task)
	c.add(l.by == byOwner, `r.owned_by = ? AND r.owned_by <> ''`, q.Owner)
	top := alternative{append(slices.Clip(c.where), `r.parent IS NULL`), c.args}
	if q.Top {
		return []alternative{top}
	}
	return []alternative{top, {append(slices.Clip(c.where), `r.parent IS NOT NULL`), c.args}}
}

// found are the runs that a query names otherwise than by what they are like.
func (l *listing) found() []alternative {
	q := l.query
	var c conditions
	c.add(q.IDPrefix != "", `r.id >= ? AND r.id < ?`, q.IDPrefix, q.IDPrefix+"\U0010ffff")
	c.add(q.Parent != "", `r.parent = ?`, q.Parent)
	if q.Root == "" || q.IDPrefix != "" || q.Parent != "" {
		c.add(q.Root != "", `r.root = ?`, q.Root)
		return []alternative{{c.where, c.args}}
	}
	return []alternative{{[]string{`r.id = ?`, `r.root = ?`}, []any{q.Root, q.Root}}, {[]string{`r.root = ?`, `r.root <> r.id`}, []any{q.Root}}}
}

// The conditions of the indices by status, which a query has to repeat.
const (
	unfinished = `status IN ('queued', 'running', 'interrupted')`
	ended      = `status NOT IN ('queued', 'running', 'interrupted')`
)

func ofStatus(statuses []api.Status) (all []alternative) {
	for _, status := range distinct(statuses) {
		index := `r.` + ended
		switch status {
		case string(api.StatusQueued), string(api.StatusRunning), string(api.StatusInterrupted):
			index = `r.` + unfinished
		}
		all = append(all, alternative{[]string{`r.status = ?`, index}, []any{status}})
	}
	return all
}

// distinct returns each status once, as a text.
func distinct(statuses []api.Status) (texts []any) {
	for _, status := range slices.Compact(slices.Sorted(slices.Values(statuses))) {
		texts = append(texts, string(status))
	}
	return texts
}
