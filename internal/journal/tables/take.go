package tables

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"math"
	"slices"

	"github.com/glovebox-dev/glovebox/internal/journal"
)

// How many runs of a lane are looked at for one taking, in pages of so many and so many
// pages, and how many are locked at once.
const (
	takePage  = 64
	takePages = 16
	takeLocks = 16
)

// How many different lanes of waiting runs are read, and into how many of them is looked.
const (
	maxLanes  = 1000
	takeLanes = 64
)

// free is the condition that anybody may take a run.
const free = `r.owner = '' AND r.parent IS NULL AND r.` + unfinished

// fitting is the condition that the needs of a run are small enough.
const fitting = free + ` AND r.memory <= ? AND r.cpu_milli <= ?`

// lanesQuery reads which lanes there are of runs that anybody may take, from one to the
// next, however many runs have the same, and when the first run of each is due whose needs
// are small enough.
const lanesQuery = `WITH RECURSIVE s (x) AS (
	SELECT min(r.lane) FROM runs r WHERE ` + free + `
	UNION ALL SELECT (SELECT min(r.lane) FROM runs r WHERE r.lane > s.x AND ` + free + `) FROM s WHERE s.x IS NOT NULL)
	SELECT x, (SELECT r.due FROM runs r WHERE r.lane = s.x AND ` + fitting + ` ORDER BY r.due, r.num LIMIT 1) FROM s WHERE x IS NOT NULL LIMIT ?`

// takeQuery selects runs of some kinds and a lane that anybody may take.
func takeQuery(kinds int) string {
	return `SELECT ` + recordColumns + ` FROM runs r WHERE r.lane = ? AND (r.due > ? OR r.due = ? AND r.num > ?) AND ` + fitting + `
		AND r.kind IN (` + marks(kinds) + `) ORDER BY r.due, r.num LIMIT ?`
}

// lockQuery locks runs that still nobody has, but for those that somebody is taking.
func lockQuery(d *Dialect) string {
	return `SELECT ` + recordColumns + ` FROM runs r WHERE r.id IN (` + marks(takeLocks) + `) AND ` + free + d.SkipLocked
}

// kindsOf names the kinds for which there is room.
func kindsOf(w journal.Wanted) (kinds []string) {
	for kind, n := range w.Room {
		if n > 0 {
			kinds = append(kinds, string(kind))
		}
	}
	slices.Sort(kinds)
	return kinds
}

// Take implements journal.Journal. Most often there is nothing to take, which costs no
// transaction.
func (s journalStore) Take(ctx context.Context, owner string, w journal.Wanted) (ids []string, err error) {
	if !w.Any() {
		return nil, nil
	}
	chosen, err := s.choose(ctx, w)
	if err != nil || len(chosen) == 0 {
		return nil, err
	}
	err = s.do(ctx, func(c Tx) error {
		t := taking{store: s, owner: owner, wanted: w.Clone()}
		err := t.all(c, chosen)
		ids = t.ids
		return err
	})
	if err != nil {
		return nil, err
	}
	return ids, nil
}

// choose returns the ids of runs to take, the first one first.
func (s journalStore) choose(ctx context.Context, w journal.Wanted) (ids []string, err error) {
	lanes, err := s.lanes(ctx, w.Place)
	if err != nil {
		return nil, err
	}
	working, err := s.workingFor(ctx, lanes)
	if err != nil {
		return nil, err
	}
	choice := journal.NewChoice(w, working)
	for _, lane := range lanes {
		if err := s.look(ctx, lane.text, w, choice.Lane()); err != nil {
			return nil, err
		}
	}
	for _, r := range choice.Chosen() {
		ids = append(ids, r.ID)
	}
	return ids, nil
}

// look shows the runs of a lane, until it was enough.
func (s journalStore) look(ctx context.Context, lane string, w journal.Wanted, show func(*journal.Record) bool) error {
	kinds := kindsOf(w)
	query, due, num, enough := takeQuery(len(kinds)), int64(math.MinInt64), int64(0), false
	for range takePages {
		n := 0
		err := s.db.ReadOnce(ctx, func(rows Row) error {
			var r recordRow
			if err := rows.Scan(r.targets()...); err != nil {
				return err
			}
			n, num = n+1, r.num
			if record, err := r.decode(); err == nil { // one that is damaged is left where it is
				due, enough = record.Due(), show(record)
			}
			return nil
		}, query, takeArgs(lane, due, num, w.Place, kinds)...)
		if err != nil || n < takePage || enough {
			return err
		}
	}
	return nil
}

// takeArgs are what takeQuery asks for: runs of a lane after one.
func takeArgs(lane string, due, num int64, p journal.Place, kinds []string) []any {
	args := []any{lane, due, due, num, p.Memory, milli(p.CPU)}
	for _, text := range kinds {
		args = append(args, text)
	}
	return append(args, int64(takePage))
}

// lane is one of those that wait.
type lane struct {
	journal.Lane
	text  string
	due   int64 // its first run that fits
	place int   // among those of its owner
}

// lanes are those of runs that anybody may take, as far as a place can hold them: of each
// owner alike, those whose first run is due first.
func (s journalStore) lanes(ctx context.Context, p journal.Place) (found []lane, err error) {
	err = s.db.Read(ctx, func(rows Row) error {
		var l lane
		var due sql.NullInt64
		err := rows.Scan(&l.text, &due)
		if err != nil || !due.Valid {
			return err
		}
		l.due = due.Int64
		l.Lane, err = journal.ParseLane(l.text)
		if err == nil && p.Selected(l.Selector) { // one that cannot be read fits nowhere
			found = append(found, l)
		}
		return nil
	}, lanesQuery, p.Memory, milli(p.CPU), int64(maxLanes))
	if err != nil {
		return nil, fmt.Errorf("the lanes of waiting runs: %w", err)
	}
	if found, err = s.permitted(ctx, found); err != nil {
		return nil, err
	}
	byDue := func(a, b lane) int { return cmp.Compare(a.due, b.due) }
	slices.SortFunc(found, byDue)
	before := map[string]int{} // lanes of the owner
	for i := range found {
		found[i].place = before[found[i].Owner]
		before[found[i].Owner]++
	}
	slices.SortFunc(found, func(a, b lane) int { return cmp.Or(cmp.Compare(a.place, b.place), byDue(a, b)) })
	return found[:min(len(found), takeLanes)], nil
}

// workingFor counts what is carried out for each owner, if several wait.
func (s journalStore) workingFor(ctx context.Context, lanes []lane) (map[string]int, error) {
	if !slices.ContainsFunc(lanes, func(l lane) bool { return l.Owner != lanes[0].Owner }) {
		return nil, nil
	}
	working := map[string]int{}
	err := s.db.Read(ctx, func(rows Row) error {
		var owner string
		var n int64
		err := rows.Scan(&owner, &n)
		working[owner] = int(n)
		return err
	}, `SELECT owned_by, count(*) FROM runs WHERE owner <> '' AND parent IS NULL AND `+unfinished+` GROUP BY owned_by`)
	return working, err
}

// permitted are those of some lanes whose limits let further runs work.
func (s journalStore) permitted(ctx context.Context, lanes []lane) ([]lane, error) {
	if !slices.ContainsFunc(lanes, func(l lane) bool { return len(l.Limits) > 0 }) {
		return lanes, nil
	}
	working, err := s.working(ctx)
	return slices.DeleteFunc(lanes, func(l lane) bool {
		return slices.ContainsFunc(l.Limits, func(limit journal.Limit) bool { return working[limit.Name] >= limit.Most })
	}), err
}

// taking is what one transaction has taken so far.
type taking struct {
	store  journalStore
	owner  string
	wanted journal.Wanted
	ids    []string
}

// all takes of the chosen runs those that nobody else takes, as far as there is room.
func (t *taking) all(c Tx, chosen []string) error {
	for some := range slices.Chunk(chosen, takeLocks) {
		if !t.wanted.Any() {
			return nil
		}
		if err := t.some(c, some); err != nil {
			return err
		}
	}
	return nil
}

// some takes some of the chosen runs.
func (t *taking) some(c Tx, chosen []string) error {
	args := make([]any, takeLocks)
	for i := range args {
		args[i] = chosen[min(i, len(chosen)-1)]
	}
	locked := map[string]*recordRow{}
	err := c.Query(func(row []Value) error {
		r := rowOf(row)
		locked[r.id] = r
		return nil
	}, lockQuery(t.store.db.Dialect()), args...)
	if err != nil {
		return err
	}
	for _, id := range chosen {
		if locked[id] == nil {
			continue
		}
		record, err := locked[id].decode()
		if err != nil || !t.wanted.Wants(record) {
			continue
		}
		if err := t.one(c, locked[id], record); err != nil {
			return err
		}
	}
	return nil
}

// one takes a run, unless as many as may work at its side.
func (t *taking) one(c Tx, r *recordRow, record *journal.Record) error {
	if len(record.Limits) > 0 {
		full, err := permit(c, t.store.db.Dialect(), r.id, r.fence+1, record.Limits)
		if err != nil || len(full) > 0 {
			return err
		}
	}
	t.wanted.Spend(record)
	t.ids = append(t.ids, r.id)
	return claim(c, r, t.owner)
}

// rowOf makes a row of recordColumns.
func rowOf(row []Value) *recordRow {
	r := &recordRow{}
	r.num, _ = row[0].(int64)
	r.id, _ = row[1].(string)
	r.status, _ = row[2].(string)
	r.owner, _ = row[3].(string)
	r.fence, _ = row[4].(int64)
	r.seq, _ = row[5].(int64)
	r.record, _ = row[6].(string)
	r.sum, _ = row[7].(int64)
	return r
}

// claim makes owner the owner of a run that the transaction has locked.
func claim(c Tx, r *recordRow, owner string) error {
	return c.Later(`UPDATE runs SET owner = ?, fence = ?, sum = ? WHERE id = ?`,
		owner, r.fence+1, recordSum(r.id, owner, r.fence+1, r.seq, r.record), r.id)
}

// HeldBy implements journal.Journal.
func (s journalStore) HeldBy(ctx context.Context) (map[string]int, error) {
	held := map[string]int{}
	err := s.db.Read(ctx, func(rows Row) error {
		var owner string
		var n int64
		err := rows.Scan(&owner, &n)
		held[owner] = int(n)
		return err
	}, `SELECT owner, count(*) FROM runs WHERE `+unfinished+` GROUP BY owner`)
	return held, err
}
