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
	by      index
	after   *position // where the page begins; nil at the beginning
	last    *position // where what a page looks at ends; nil at the end of the list
}

func newListing(q api.RunQuery, d *Dialect) (*listing, error) {
	l := &listing{dialect: d, query: q, labels: api.LabelTexts(q.Labels), limit: pageSize(q.Limit)}
	l.by = l.ways()[0].by
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
	source := l.source()
	if l.by == byLabel {
		source += l.dialect.Join + `runs r ON r.id = l.run`
	}
	created, id := l.order()
	rest, args := l.rest()
	union, all := l.union(recordColumns+`, `+created+` AS created_at, `+id+` AS place, r.call AS call`, source, rest, args)
	return `SELECT ` + listColumns + ` FROM (` + union + order + `) AS l`, append(all, l.limit+1)
}

// union joins a selection of each of the alternatives, with further conditions.
func (l *listing) union(columns, source string, rest []string, args []any) (string, []any) {
	span, bounds := l.span()
	var parts []string
	var all []any
	for _, a := range l.alternatives() {
		parts = append(parts, `SELECT `+columns+` FROM `+source+clause(slices.Concat(span, rest, a.where)))
		all = slices.Concat(all, bounds, args, a.args)
	}
	return strings.Join(parts, ` UNION ALL `), all
}

func clause(where []string) string {
	if len(where) == 0 {
		return ""
	}
	return ` WHERE ` + strings.Join(where, ` AND `)
}

// conditions are joined by AND.
type conditions struct {
	where []string
	args  []any
}

func (c *conditions) add(wanted bool, condition string, values ...any) {
	if wanted {
		c.where, c.args = append(c.where, condition), append(c.args, values...)
	}
}

// span are the conditions of the order: what of it is looked at.
func (l *listing) span() ([]string, []any) {
	q, c := l.query, conditions{}
	created, id := l.order()
	if l.last != nil {
		c.add(true, `(`+created+`, `+id+`) >= (?, ?)`, l.last.Created, l.last.ID)
	}
	c.add(!q.Since.IsZero(), created+` >= ?`, timeText(q.Since))
	c.add(!q.Until.IsZero(), created+` < ?`, timeText(q.Until))
	switch {
	case l.after == nil:
	case q.Parent != "":
		c.add(true, `(r.call, r.id) > (?, ?)`, int64(l.after.Call), l.after.ID)
	default:
		c.add(true, `(`+created+`, `+id+`) < (?, ?)`, l.after.Created, l.after.ID)
	}
	return c.where, c.args
}

// rest are the conditions beyond those of the index. The cheapest come first.
func (l *listing) rest() ([]string, []any) {
	q, c, plain := l.query, conditions{}, l.dialect.Plain
	for i, label := range l.labels {
		if i > 0 || l.by != byLabel {
			condition, values := l.hasLabel(label)
			c.add(true, condition, values...)
		}
	}
	c.add(q.Task != "" && l.by != byTask, plain+`r.task = ?`, q.Task)
	c.add(q.Owner != "" && l.by != byOwner, plain+`r.owned_by = ?`, q.Owner)
	c.add(q.Kind != "", `r.kind = ?`, string(q.Kind))
	c.add(q.Trigger != "" && l.by != byTrigger, plain+`r.started_by = ?`, q.Trigger)
	c.add(q.Top && !l.by.knowsTop(), plain+`r.parent IS NULL`)
	if statuses := distinct(q.Status); len(statuses) > 0 && l.by != byStatus {
		c.add(true, `r.status IN (?`+strings.Repeat(`, ?`, len(statuses)-1)+`)`, statuses...)
	}
	if text := needle(q.Text); text != "" {
		c.add(true, l.dialect.HasText, text, q.Text)
	}
	return c.where, c.args
}
