package tables

import (
	"context"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

// permitted are the permits that count: of runs that somebody works at.
const permitted = ` FROM permits p` + joinRuns + `WHERE r.owner <> '' AND r.fence = p.fence AND r.` + unfinished

const joinRuns = ` JOIN runs r ON r.id = p.run `

// Permit implements journal.Journal.
func (s journalStore) Permit(ctx context.Context, id string, fence int64, limits []journal.Limit) (full []string, err error) {
	err = s.do(ctx, func(c Tx) (err error) {
		full = nil // a transaction that failed is tried again
		if err := mayWork(c, s.db.Dialect(), id, fence); err != nil {
			return err
		}
		full, err = permit(c, s.db.Dialect(), id, fence, limits)
		return err
	})
	return full, err
}

// mayWork returns ErrFenced for a run that has ended, or belongs to somebody else.
func mayWork(c Tx, d *Dialect, id string, fence int64) error {
	may := false
	err := c.Query(func(row []Value) error {
		now, _ := row[0].(int64)
		owner, _ := row[1].(string)
		status, _ := row[2].(string)
		may = now == fence && owner != "" && !api.Status(status).Ended()
		return nil
	}, `SELECT fence, owner, status FROM runs WHERE id = ?`+d.ForUpdate, id)
	if err == nil && !may {
		return journal.ErrFenced
	}
	return err
}

// permit gives a run its permits, or none of them. Others that do the same wait.
func permit(c Tx, d *Dialect, id string, fence int64, limits []journal.Limit) (full []string, err error) {
	if err := d.alone(c); err != nil {
		return nil, err
	}
	for _, l := range limits {
		n, err := others(c, id, l.Name)
		if err != nil {
			return nil, err
		}
		if n >= l.Most {
			full = append(full, l.Name)
		}
	}
	if len(full) > 0 {
		return full, nil
	}
	for _, l := range limits {
		err := c.Later(`INSERT INTO permits (name, run, fence) VALUES (?, ?, ?) ON CONFLICT (name, run) DO UPDATE SET fence = excluded.fence`, l.Name, id, fence)
		if err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// others counts the permits of a name that other runs have.
func others(c Tx, id, name string) (n int, err error) {
	err = c.Query(func(row []Value) error {
		count, _ := row[0].(int64)
		n = int(count)
		return nil
	}, `SELECT count(*)`+permitted+` AND p.name = ? AND p.run <> ?`, name, id)
	return n, err
}

// release takes the permits from a run that has ended, or that nobody holds any more.
func (p *preparedChange) release(c Tx, d *Dialect) error {
	r := &p.change.Record
	if len(r.Limits) == 0 || isNew(p.change) || r.Holder != "" && !r.Status.Ended() {
		return nil
	}
	if err := c.Later(`DELETE FROM permits WHERE run = ?`, r.ID); err != nil {
		return err
	}
	return d.say(c, "permit")
}

// Permitted implements journal.Journal.
func (s journalStore) Permitted(ctx context.Context, name string) (runs []journal.Permitted, err error) {
	err = s.db.Read(ctx, func(rows Row) error {
		var p journal.Permitted
		err := rows.Scan(&p.Run, &p.Holder, &p.Owner)
		runs = append(runs, p)
		return err
	}, `SELECT p.run, r.owner, r.owned_by`+permitted+` AND p.name = ? ORDER BY p.run`, name)
	return runs, err
}

// working counts the permits of all names.
func (s journalStore) working(ctx context.Context) (map[string]int, error) {
	counts := map[string]int{}
	err := s.db.Read(ctx, func(rows Row) error {
		var name string
		var n int64
		err := rows.Scan(&name, &n)
		counts[name] = int(n)
		return err
	}, `SELECT p.name, count(*)`+permitted+` GROUP BY p.name`)
	return counts, err
}
