package tables

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

// scheduleStore keeps schedules in a DB.
type scheduleStore struct{ *Store }

var _ journal.Schedules = scheduleStore{}

// scheduleRow is a schedule as it goes into its table.
type scheduleRow struct {
	name, record string
	next         any
	seq          int64
}

func newScheduleRow(r journal.ScheduleRecord) (scheduleRow, error) {
	text, err := json.Marshal(r)
	if err != nil {
		return scheduleRow{}, api.Errorf(api.Internal, "schedule %s: %w", r.Name, err)
	}
	return scheduleRow{r.Name, string(text), timeOrNull(r.Next), r.Seq}, nil
}

// PutSchedules implements journal.Schedules.
func (s scheduleStore) PutSchedules(ctx context.Context, put []journal.ScheduleRecord, remove []string) error {
	rows := make([]scheduleRow, len(put))
	for i, r := range put {
		var err error
		if rows[i], err = newScheduleRow(r); err != nil {
			return err
		}
	}
	remove = slices.Clone(remove)
	return s.do(ctx, func(c Tx) error {
		for _, r := range rows {
			if err := r.put(c); err != nil {
				return err
			}
		}
		for _, name := range remove {
			for _, query := range []string{`DELETE FROM schedule_starts WHERE schedule = ?`, `DELETE FROM schedules WHERE name = ?`} {
				if _, err := c.Exec(query, name); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// put inserts or replaces a schedule whose Seq is the next one.
func (r scheduleRow) put(c Tx) error {
	sum := scheduleSum(r.name, r.seq, r.record)
	var n int64
	var err error
	if r.seq == 1 {
		n, err = c.Exec(`INSERT INTO schedules (name, next_at, seq, record, sum) VALUES (?, ?, 1, ?, ?) ON CONFLICT DO NOTHING`, r.name, r.next, r.record, sum)
	} else {
		n, err = c.Exec(`UPDATE schedules SET next_at = ?, seq = ?, record = ?, sum = ? WHERE name = ? AND seq = ?`, r.next, r.seq, r.record, sum, r.name, r.seq-1)
	}
	if err == nil && n == 0 {
		return fmt.Errorf("schedule %s: %w", r.name, journal.ErrSequence)
	}
	return err
}

func scheduleSum(name string, seq int64, record string) int64 {
	return sumOf(name, number(seq), record)
}

// PlanStarts implements journal.Schedules.
func (s scheduleStore) PlanStarts(ctx context.Context, r journal.ScheduleRecord, starts ...journal.StartRecord) error {
	row, err := newScheduleRow(r)
	if err != nil {
		return err
	}
	rows := make([]startRow, len(starts))
	for i, start := range starts {
		if rows[i], err = newStartRow(start); err != nil {
			return err
		}
	}
	return s.do(ctx, func(c Tx) error {
		if err := row.put(c); err != nil {
			return err
		}
		for _, start := range rows {
			if err := start.insert(c); err != nil {
				return err
			}
		}
		_, err := c.Exec(`DELETE FROM schedule_starts WHERE schedule = ?1 AND open = 0 AND id IN
			(SELECT id FROM schedule_starts WHERE schedule = ?1 AND open = 0 ORDER BY planned_at DESC, id DESC LIMIT ?2 OFFSET ?3)`, row.name, int64(math.MaxInt64), int64(journal.KeptStarts))
		return err
	})
}

// startRow is a start as it goes into its table.
type startRow struct {
	schedule, id, planned, record string
	open                          int64
}

func newStartRow(r journal.StartRecord) (startRow, error) {
	r.Status = "" // what it is now is for whoever looks
	text, err := json.Marshal(r)
	if err != nil {
		return startRow{}, api.Errorf(api.Internal, "a start of schedule %s: %w", r.Schedule, err)
	}
	row := startRow{schedule: r.Schedule, id: r.ID, planned: timeText(r.Planned), record: string(text)}
	if r.Open {
		row.open = 1
	}
	return row, nil
}

func (r startRow) sum() int64 { return sumOf(r.schedule, r.id, number(r.open), r.record) }

func (r startRow) insert(c Tx) error {
	_, err := c.Exec(`INSERT INTO schedule_starts (schedule, id, planned_at, open, record, sum) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
		r.schedule, r.id, r.planned, r.open, r.record, r.sum())
	return err
}

// ChangeStart implements journal.Schedules.
func (s scheduleStore) ChangeStart(ctx context.Context, start journal.StartRecord) error {
	r, err := newStartRow(start)
	if err != nil {
		return err
	}
	return s.do(ctx, func(c Tx) error {
		n, err := c.Exec(`UPDATE schedule_starts SET open = ?, record = ?, sum = ? WHERE schedule = ? AND id = ?`, r.open, r.record, r.sum(), r.schedule, r.id)
		if err == nil && n == 0 {
			return fmt.Errorf("start %s of schedule %s: %w", r.id, r.schedule, journal.ErrNotFound)
		}
		return err
	})
}

// scheduleColumns are what scanSchedule reads.
const scheduleColumns = `name, seq, record, sum`

func scanSchedule(rows Row) (r journal.ScheduleRecord, err error) {
	var name, record string
	var seq, sum int64
	if err := rows.Scan(&name, &seq, &record, &sum); err != nil {
		return r, err
	}
	if scheduleSum(name, seq, record) != sum {
		return r, fmt.Errorf("schedule %s: %w", name, journal.ErrDamaged)
	}
	if err := decode(record, &r); err != nil {
		return r, fmt.Errorf("schedule %s: %w", name, err)
	}
	r.Seq = seq
	return r, nil
}

// Schedule implements journal.Schedules.
func (s scheduleStore) Schedule(ctx context.Context, name string) (*journal.ScheduleRecord, error) {
	return one(ctx, s.db, scanSchedule, "schedule "+name, `SELECT `+scheduleColumns+` FROM schedules WHERE name = ?`, name)
}

// Schedules implements journal.Schedules.
func (s scheduleStore) Schedules(ctx context.Context) ([]journal.ScheduleRecord, error) {
	return all(ctx, s.db, scanSchedule, `SELECT `+scheduleColumns+` FROM schedules ORDER BY name`)
}

// dueQuery is what a server asks again and again.
const dueQuery = `SELECT ` + scheduleColumns + ` FROM schedules WHERE next_at <= ? ORDER BY next_at`

// DueSchedules implements journal.Schedules.
func (s scheduleStore) DueSchedules(ctx context.Context, now time.Time) ([]journal.ScheduleRecord, error) {
	return all(ctx, s.db, scanSchedule, dueQuery, timeText(now))
}

// startColumns are what scanStart reads.
const startColumns = `schedule, id, open, record, sum`

func scanStart(rows Row) (r journal.StartRecord, err error) {
	var row startRow
	var sum int64
	if err := rows.Scan(&row.schedule, &row.id, &row.open, &row.record, &sum); err != nil {
		return r, err
	}
	if row.sum() != sum {
		return r, fmt.Errorf("start %s of schedule %s: %w", row.id, row.schedule, journal.ErrDamaged)
	}
	if err := decode(row.record, &r); err != nil {
		return r, fmt.Errorf("start %s of schedule %s: %w", row.id, row.schedule, err)
	}
	return r, nil
}

// Starts implements journal.Schedules.
func (s scheduleStore) Starts(ctx context.Context, schedule string, limit int) ([]journal.StartRecord, error) {
	return all(ctx, s.db, scanStart, `SELECT `+startColumns+` FROM schedule_starts WHERE schedule = ? ORDER BY planned_at DESC, id DESC LIMIT ?`, schedule, limit)
}

// openStartsQuery is what a server asks again and again.
const openStartsQuery = `SELECT ` + startColumns + ` FROM schedule_starts WHERE open = 1 ORDER BY planned_at, schedule, id`

// OpenStarts implements journal.Schedules.
func (s scheduleStore) OpenStarts(ctx context.Context) ([]journal.StartRecord, error) {
	return all(ctx, s.db, scanStart, openStartsQuery)
}
