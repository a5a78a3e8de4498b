package tables

import (
	"context"
	"fmt"
	"slices"

	"github.com/glovebox-dev/glovebox/internal/journal"
)

// How many runs are looked at for one taking, in pages of so many and so many pages, and
// how many are locked at once.
const (
	takePage  = 64
	takePages = 16
	takeLocks = 16
)

// maxSelectors bounds how many different selectors of waiting runs are read.
const maxSelectors = 1000

// free is the condition that anybody may take a run.
const free = `r.owner = '' AND r.parent IS NULL AND r.` + unfinished

// selectorsQuery reads which selectors there are of runs that anybody may take, from one to
// the next, however many runs have the same.
const selectorsQuery = `WITH RECURSIVE s (x) AS (
	SELECT min(r.node_selector) FROM runs r WHERE ` + free + `
	UNION ALL SELECT (SELECT min(r.node_selector) FROM runs r WHERE r.node_selector > s.x AND ` + free + `) FROM s WHERE s.x IS NOT NULL)
	SELECT x FROM s WHERE x IS NOT NULL LIMIT ?`

// takeQuery selects runs of some kinds and some selectors that anybody may take, and whose
// needs are small enough.
func takeQuery(d *Dialect, kinds, selectors int) string {
	return `SELECT ` + recordColumns + ` FROM runs r WHERE ` + free + ` AND ` + d.Plain + `r.num > ? AND r.memory <= ? AND r.cpu_milli <= ?
		AND r.kind IN (` + marks(kinds) + `) AND r.node_selector IN (` + marks(selectors) + `) ORDER BY ` + d.Plain + `r.num LIMIT ?`
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
func (s journalStore) choose(ctx context.Context, w journal.Wanted) ([]string, error) {
	selectors, err := s.selectors(ctx, w.Place)
	if err != nil || len(selectors) == 0 {
		return nil, err
	}
	kinds, choice := kindsOf(w), journal.NewChoice(w)
	query, after := takeQuery(s.db.Dialect(), len(kinds), len(selectors)), int64(0)
	for range takePages {
		n := 0
		err := s.db.ReadOnce(ctx, func(rows Row) error {
			var r recordRow
			if err := rows.Scan(r.targets()...); err != nil {
				return err
			}
			n, after = n+1, r.num
			if record, err := r.decode(); err == nil { // one that is damaged is left where it is
				choice.Show(record)
			}
			return nil
		}, query, takeArgs(after, w.Place, kinds, selectors)...)
		if err != nil {
			return nil, err
		}
		if n < takePage || choice.Enough() {
			break
		}
	}
	var ids []string
	for _, r := range choice.Chosen() {
		ids = append(ids, r.ID)
	}
	return ids, nil
}

// takeArgs are what takeQuery asks for: runs after the one of a number.
func takeArgs(after int64, p journal.Place, kinds, selectors []string) []any {
	args := []any{after, p.Memory, milli(p.CPU)}
	for _, text := range slices.Concat(kinds, selectors) {
		args = append(args, text)
	}
	return append(args, int64(takePage))
}

// selectors are those of runs that anybody may take, as far as a place has their labels.
func (s journalStore) selectors(ctx context.Context, p journal.Place) (fit []string, err error) {
	err = s.db.Read(ctx, func(rows Row) error {
		var text string
		if err := rows.Scan(&text); err != nil {
			return err
		}
		selector, err := journal.ParseSelector(text)
		if err == nil && p.Selected(selector) { // one that cannot be read fits nowhere
			fit = append(fit, text)
		}
		return nil
	}, selectorsQuery, int64(maxSelectors))
	if err != nil {
		return nil, fmt.Errorf("the selectors of waiting runs: %w", err)
	}
	return fit, nil
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
		t.wanted.Spend(record)
		t.ids = append(t.ids, id)
		if err := claim(c, locked[id], t.owner); err != nil {
			return err
		}
	}
	return nil
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
