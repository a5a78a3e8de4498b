package tables

import (
	"context"
	"slices"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

// List implements journal.Journal.
func (s journalStore) List(ctx context.Context, q api.RunQuery) ([]*journal.Record, string, error) {
	l, err := newListing(q, s.db.Dialect())
	if err != nil {
		return nil, "", err
	}
	if err := l.weigh(ctx, s.db); err != nil {
		return nil, "", err
	}
	if err := l.bound(ctx, s.db); err != nil {
		return nil, "", err
	}
	query, args := l.sql()
	var page page
	err = s.db.ReadOnce(ctx, func(rows Row) error {
		if page.count++; page.count > l.limit {
			return nil
		}
		return page.add(rows)
	}, query, args...)
	switch {
	case err != nil:
		return nil, "", err
	case page.count > l.limit:
		return page.records, l.cursor(page.last), s.db.Explain(page.damage())
	}
	if l.last != nil {
		return page.records, l.cursor(*l.last), s.db.Explain(page.damage())
	}
	return page.records, "", s.db.Explain(page.damage())
}

// page is what one call of List returns.
type page struct {
	records []*journal.Record
	damaged []string // ids
	count   int      // of rows, those of the next page included
	last    position
}

// add adds a row. Where it is in the list is not taken from its record, which
// may be damaged.
func (p *page) add(rows Row) error {
	var r recordRow
	if err := rows.Scan(append(r.targets(), &p.last.Created, &p.last.Call)...); err != nil {
		return err
	}
	p.last.ID = r.id
	record, err := r.decode()
	if err != nil {
		p.damaged = append(p.damaged, r.id)
		return nil
	}
	p.records = append(p.records, record)
	return nil
}

func (p *page) damage() error {
	if len(p.damaged) == 0 {
		return nil
	}
	return &journal.Damage{Runs: p.damaged}
}

// listing is a list that is being read.
type listing struct {
	dialect *Dialect
	query   api.RunQuery
	labels  []string // that are asked for
	limit   int
	// byLabel says that the list is read by the index of the first label. Fewer runs are
	// below one run, or have the beginning of one id.
	byLabel bool
	after   *position // where the page begins; nil at the beginning
	last    *position // where a search for a text ends; nil at the end of the list
}

func newListing(q api.RunQuery, d *Dialect) (*listing, error) {
	l := &listing{dialect: d, query: q, labels: api.LabelTexts(q.Labels), limit: pageSize(q.Limit)}
	l.byLabel = len(l.labels) > 0 && q.IDPrefix == "" && q.Root == "" && q.Parent == ""
	if q.Cursor == "" {
		return l, nil
	}
	var err error
	l.after, err = parseCursor(q.Cursor, l.identity())
	return l, err
}

func (l *listing) identity() []byte {
	q := l.query
	q.Cursor, q.Limit = "", 0
	q.Since, q.Until = q.Since.UTC(), q.Until.UTC()
	return listOf(q)
}

func (l *listing) cursor(last position) string {
	p := position{List: l.identity(), ID: last.ID}
	if l.query.Parent != "" {
		p.Call = last.Call
	} else {
		p.Created = last.Created
	}
	return p.cursor()
}

const listColumns = `num, id, status, owner, fence, seq, record, sum, created_at, call`

// sql returns the query of one row more than a page. Each of the alternatives is
// a query of its own, so that it can follow an index; SQLite merges them.
func (l *listing) sql() (string, []any) {
	order := ` ORDER BY created_at DESC, place DESC LIMIT ?`
	if l.query.Parent != "" {
		order = ` ORDER BY call, place LIMIT ?`
	}
	created, id := l.order()
	selection := `SELECT ` + recordColumns + `, ` + created + ` AS created_at, ` + id + ` AS place, r.call AS call FROM `
	switch {
	case l.byLabel:
		selection += `run_labels l` + l.dialect.Join + `runs r ON r.id = l.run`
	case l.query.IDPrefix != "": // few rows, which no order of another index finds soon
		selection += `runs r` + l.dialect.indexed("sqlite_autoindex_runs_1")
	default:
		selection += `runs r`
	}
	where, args := l.conditions()
	var parts []string
	var all []any
	for _, a := range l.alternatives() {
		parts = append(parts, selection+clause(append(where[:len(where):len(where)], a.where...)))
		all = append(append(all, args...), a.args...)
	}
	return `SELECT ` + listColumns + ` FROM (` + strings.Join(parts, ` UNION ALL `) + order + `) AS l`, append(all, l.limit+1)
}

// order names the columns by which runs are listed, but for calls of one run.
func (l *listing) order() (created, id string) {
	if l.byLabel {
		return `l.created_at`, `l.run`
	}
	return `r.created_at`, `r.id`
}

// alternative is a condition of which a row fulfils at most one.
type alternative struct {
	where []string
	args  []any
}

// alternatives are the conditions that indices are made for.
func (l *listing) alternatives() []alternative {
	q := l.query
	switch {
	case q.IDPrefix != "":
		return []alternative{{[]string{`r.id >= ? AND r.id < ?`}, []any{q.IDPrefix, q.IDPrefix + "\U0010ffff"}}}
	case q.Root != "":
		return []alternative{{[]string{`r.id = ?`}, []any{q.Root}}, {where: []string{`r.root <> r.id`}}}
	case q.Parent != "":
		return []alternative{{}}
	case l.byLabel:
		return l.ofLabel()
	case q.Trigger != "":
		return []alternative{{[]string{`r.started_by = ?`}, []any{q.Trigger}}}
	case len(q.Status) > 0:
		return byStatus(q.Status)
	case q.Top:
		return []alternative{{}} // which has a condition of its own
	}
	return []alternative{{where: []string{`r.parent IS NULL`}}, {where: []string{`r.parent IS NOT NULL`}}}
}

// The conditions of the indices by status, which a query has to repeat.
const (
	unfinished = `status IN ('queued', 'running', 'interrupted')`
	ended      = `status NOT IN ('queued', 'running', 'interrupted')`
)

func byStatus(statuses []api.Status) (all []alternative) {
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

func clause(where []string) string {
	if len(where) == 0 {
		return ""
	}
	return ` WHERE ` + strings.Join(where, ` AND `)
}

// conditions are those of the query but its statuses, and the place to go on.
func (l *listing) conditions() ([]string, []any) {
	q := l.query
	var where []string
	var args []any
	add := func(wanted bool, condition string, values ...any) {
		if wanted {
			where, args = append(where, condition), append(args, values...)
		}
	}
	created, id := l.order()
	byLabel, found := l.byLabel, q.IDPrefix != "" || q.Root != "" || q.Parent != ""
	other, plain := byLabel || q.Trigger != "", l.dialect.Plain // whose index it is
	add(q.Task != "" && !other, `r.task = ?`, q.Task)
	add(q.Task != "" && other, plain+`r.task = ?`, q.Task)
	add(q.Kind != "", `r.kind = ?`, string(q.Kind))
	add(q.Parent != "", `r.parent = ?`, q.Parent)
	add(q.Trigger != "" && (found || byLabel), plain+`r.started_by = ?`, q.Trigger)
	add(q.Root != "", `r.root = ?`, q.Root)
	top := q.Top && !byLabel // of a label there is an index
	add(top && !other && len(q.Status) == 0, `r.parent IS NULL`)
	add(top && (other || len(q.Status) > 0), plain+`r.parent IS NULL`)
	if statuses := distinct(q.Status); len(statuses) > 0 && (found || other) {
		add(true, `r.status IN (?`+strings.Repeat(`, ?`, len(statuses)-1)+`)`, statuses...)
	}
	for i, label := range l.labels {
		add(i > 0 || !byLabel, hasLabel, label)
	}
	if text := needle(q.Text); text != "" {
		add(true, l.dialect.HasText, text, q.Text)
	}
	if l.last != nil {
		add(true, `(`+created+`, `+id+`) >= (?, ?)`, l.last.Created, l.last.ID)
	}
	add(!q.Since.IsZero(), created+` >= ?`, timeText(q.Since))
	add(!q.Until.IsZero(), created+` < ?`, timeText(q.Until))
	switch {
	case l.after == nil:
	case q.Parent != "":
		add(true, `(r.call, r.id) > (?, ?)`, int64(l.after.Call), l.after.ID)
	default:
		add(true, `(`+created+`, `+id+`) < (?, ?)`, l.after.Created, l.after.ID)
	}
	return where, args
}
