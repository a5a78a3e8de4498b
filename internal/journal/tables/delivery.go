package tables

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

// deliveryStore keeps deliveries in a DB.
type deliveryStore struct{ *Store }

var _ journal.Deliveries = deliveryStore{}

// deliveryRow is a delivery as it goes into its table.
type deliveryRow struct {
	id, run, host, state, created, changed, record string
	next                                           any
	seq                                            int64
}

func newDeliveryRow(d journal.DeliveryRecord) (deliveryRow, error) {
	text, err := json.Marshal(d)
	if err != nil {
		return deliveryRow{}, api.Errorf(api.Internal, "delivery %s: %w", d.ID, err)
	}
	row := deliveryRow{
		id: d.ID, run: d.Run, host: d.Host, state: string(d.State), created: timeText(d.Created), changed: timeText(d.Changed),
		record: string(text), seq: d.Seq,
	}
	if d.State == api.DeliveryWaiting {
		row.next = timeText(d.Next)
	}
	return row, nil
}

func deliverySum(id, host string, seq int64, record string) int64 {
	return sumOf(id, host, number(seq), record)
}

// insert adds a delivery. One that is there already was made by the same event.
func (r deliveryRow) insert(c Tx) error {
	return c.Later(`INSERT INTO deliveries (id, run, host, state, created_at, next_at, changed_at, seq, record, sum)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
		r.id, r.run, r.host, r.state, r.created, r.next, r.changed, r.seq, r.record, deliverySum(r.id, r.host, r.seq, r.record))
}

// ChangeDelivery implements journal.Deliveries.
func (s deliveryStore) ChangeDelivery(ctx context.Context, d journal.DeliveryRecord) error {
	r, err := newDeliveryRow(d)
	if err != nil {
		return err
	}
	return s.do(ctx, func(c Tx) error {
		n, err := c.Exec(`UPDATE deliveries SET state = ?, next_at = ?, changed_at = ?, seq = ?, record = ?, sum = ? WHERE id = ? AND seq = ?`,
			r.state, r.next, r.changed, r.seq, r.record, deliverySum(r.id, r.host, r.seq, r.record), r.id, r.seq-1)
		if err == nil && n == 0 {
			return fmt.Errorf("delivery %s: %w", r.id, journal.ErrSequence)
		}
		return err
	})
}

// deliveryColumns are what scanDelivery reads.
const deliveryColumns = `id, host, seq, record, sum`

func scanDelivery(rows Row) (d journal.DeliveryRecord, err error) {
	var id, host, record string
	var seq, sum int64
	if err := rows.Scan(&id, &host, &seq, &record, &sum); err != nil {
		return d, err
	}
	if deliverySum(id, host, seq, record) != sum {
		return d, fmt.Errorf("delivery %s: %w", id, journal.ErrDamaged)
	}
	if err := decode(record, &d); err != nil {
		return d, fmt.Errorf("delivery %s: %w", id, err)
	}
	d.Host, d.Seq = host, seq
	return d, nil
}

// Delivery implements journal.Deliveries.
func (s deliveryStore) Delivery(ctx context.Context, id string) (*journal.DeliveryRecord, error) {
	return one(ctx, s.db, scanDelivery, "delivery "+id, `SELECT `+deliveryColumns+` FROM deliveries WHERE id = ?`, id)
}

// dueQueries are what a server asks again and again: what is due by its time, and
// what was changed in the future, which is due because the clock was set back.
func dueQueries(except int) [2]string {
	hosts := ``
	if except > 0 {
		hosts = ` AND host NOT IN (?` + strings.Repeat(`, ?`, except-1) + `)`
	}
	return [2]string{
		`SELECT ` + deliveryColumns + ` FROM deliveries WHERE next_at <= ?` + hosts + ` ORDER BY next_at LIMIT ?`,
		`SELECT ` + deliveryColumns + ` FROM deliveries WHERE next_at IS NOT NULL AND changed_at > ?` + hosts + ` ORDER BY changed_at LIMIT ?`,
	}
}

// DueDeliveries implements journal.Deliveries.
func (s deliveryStore) DueDeliveries(ctx context.Context, now time.Time, except []string, limit int) ([]journal.DeliveryRecord, error) {
	args := []any{timeText(now)}
	for _, host := range except {
		args = append(args, host)
	}
	args = append(args, limit)
	var due []journal.DeliveryRecord
	seen := map[string]bool{}
	for _, query := range dueQueries(len(except)) {
		err := s.db.Read(ctx, func(rows Row) error {
			d, err := scanDelivery(rows)
			switch {
			case errors.Is(err, journal.ErrDamaged):
				return nil // it holds up no other; a check of all rows names it
			case err != nil:
				return err
			case !seen[d.ID]:
				due, seen[d.ID] = append(due, d), true
			}
			return nil
		}, query, args...)
		if err != nil {
			return nil, err
		}
	}
	return due[:min(limit, len(due))], nil
}

// deliveryList returns the query of one row more than a page.
func deliveryList(q api.DeliveryQuery, after *position, d *Dialect) (string, []any) {
	var where []string
	var args []any
	add := func(wanted bool, condition string, values ...any) {
		if wanted {
			where, args = append(where, condition), append(args, values...)
		}
	}
	add(q.Run != "", `run = ?`, q.Run)
	switch {
	case q.State == "":
	case q.Run != "":
		add(true, d.Plain+`state = ?`, string(q.State)) // a run has few of them
	default:
		add(true, `state = ?`, string(q.State))
	}
	if after != nil {
		add(true, `(created_at, id) < (?, ?)`, after.Created, after.ID)
	}
	return `SELECT ` + deliveryColumns + ` FROM deliveries` + clause(where) + ` ORDER BY created_at DESC, id DESC LIMIT ?`, append(args, pageSize(q.Limit)+1)
}

// ListDeliveries implements journal.Deliveries.
func (s deliveryStore) ListDeliveries(ctx context.Context, q api.DeliveryQuery) ([]journal.DeliveryRecord, string, error) {
	bare := q
	bare.Cursor, bare.Limit = "", 0
	var after *position
	if q.Cursor != "" {
		var err error
		if after, err = parseCursor(q.Cursor, listOf(bare)); err != nil {
			return nil, "", err
		}
	}
	query, args := deliveryList(q, after, s.db.Dialect())
	list, err := all(ctx, s.db, scanDelivery, query, args...)
	size := pageSize(q.Limit)
	if err != nil || len(list) <= size {
		return list, "", err
	}
	last := list[size-1]
	return list[:size], position{List: listOf(bare), Created: timeText(last.Created), ID: last.ID}.cursor(), nil
}
