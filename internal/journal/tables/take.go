package tables

import (
	"context"
	"slices"
	"strings"

	"github.com/glovebox-dev/glovebox/internal/journal"
)

// How many runs are looked at for one taking: pages of so many, and so many pages.
const (
	takePage  = 64
	takePages = 16
)

// takeQuery selects runs of some kinds that anybody may take, but for those that somebody
// is taking: those of others may be many, and in front of them.
func takeQuery(d *Dialect, kinds int, lock string) string {
	return `SELECT ` + recordColumns + ` FROM runs r WHERE r.owner = '' AND r.parent IS NULL AND r.` + unfinished + ` AND ` + d.Plain + `r.num > ?
		AND r.kind IN (?` + strings.Repeat(`, ?`, kinds-1) + `) ORDER BY ` + d.Plain + `r.num LIMIT ?` + lock
}

// takeArgs are what takeQuery asks for: runs after the one of a number.
func takeArgs(after int64, kinds []string) []any {
	args := []any{after}
	for _, kind := range kinds {
		args = append(args, kind)
	}
	return append(args, int64(takePage))
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

// Take implements journal.Journal.
func (s journalStore) Take(ctx context.Context, owner string, w journal.Wanted) (ids []string, err error) {
	kinds := kindsOf(w)
	if len(kinds) == 0 {
		return nil, nil
	}
	if any, err := s.anyFree(ctx, w, kinds); err != nil || !any {
		return nil, err
	}
	err = s.do(ctx, func(c Tx) error {
		t := taking{store: s, owner: owner, wanted: w.Clone(), kinds: kinds}
		for range takePages {
			if more, err := t.page(c); err != nil || !more {
				ids = t.ids
				return err
			}
		}
		ids = t.ids
		return nil
	})
	if err != nil {
		return nil, err
	}
	return ids, nil
}

// anyFree reports whether there is something to take, or more than is looked at. Most
// often there is nothing, which costs no transaction.
func (s journalStore) anyFree(ctx context.Context, w journal.Wanted, kinds []string) (bool, error) {
	any, n := false, 0
	err := s.db.Read(ctx, func(rows Row) error {
		var r recordRow
		if err := rows.Scan(r.targets()...); err != nil {
			return err
		}
		record, err := r.decode()
		n++
		any = any || n == takePage || err == nil && w.Wants(record)
		return nil
	}, takeQuery(s.db.Dialect(), len(kinds), ""), takeArgs(0, kinds)...)
	return any, err
}

// taking is what one transaction has taken so far.
type taking struct {
	store  journalStore
	owner  string
	wanted journal.Wanted
	kinds  []string
	after  int64 // the number of the last run that was looked at
	ids    []string
}

// page takes what is wanted of one page, and reports whether to look at the next one. A
// run whose record is damaged is left where it is.
func (t *taking) page(c Tx) (more bool, err error) {
	var rows []*recordRow
	err = c.Query(func(row []Value) error {
		rows = append(rows, rowOf(row))
		return nil
	}, takeQuery(t.store.db.Dialect(), len(t.kinds), t.store.db.Dialect().SkipLocked), takeArgs(t.after, t.kinds)...)
	if err != nil {
		return false, err
	}
	for _, r := range rows {
		t.after = r.num
		record, err := r.decode()
		if err != nil || !t.wanted.Wants(record) {
			continue
		}
		t.wanted.Room[record.Kind]--
		t.ids = append(t.ids, r.id)
		if err := claim(c, r, t.owner); err != nil {
			return false, err
		}
	}
	return len(rows) == takePage && t.wanted.Any(), nil
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
