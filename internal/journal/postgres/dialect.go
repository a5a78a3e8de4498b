package postgres

import (
	"strconv"
	"strings"

	"github.com/glovebox-dev/glovebox/internal/journal/tables"
)

// dialect is what Postgres has of its own. Other processes write at the same time,
// so what a transaction has read and goes by is locked. Whatever looks like a digest
// in a task counts as one. Blobs are the last member of the entry of a result.
var dialect = &tables.Dialect{
	ForUpdate:  ` FOR UPDATE`,
	SkipLocked: ` FOR UPDATE SKIP LOCKED`,
	Say:        func(c tables.Tx, what string) error { return c.Later(say(what)) },
	Join:       ` JOIN `,
	Lock: func(c tables.Tx, table string) error {
		return c.Later(`LOCK TABLE ` + table + ` IN SHARE ROW EXCLUSIVE MODE`)
	},
	Alone: func(c tables.Tx) error { // a table lock would meet that of a permit which was just given back
		return c.Later(`SELECT pg_advisory_xact_lock(` + permitLock + `)`)
	},
	// First that the record has the text anywhere, which is soon known, then that it
	// is where it is looked for.
	HasText: `strpos(lower(r.record), lower(? COLLATE "C")) > 0
		AND strpos(lower(r.task || chr(10) || run_words(r.record)) COLLATE "C", lower(? COLLATE "C")) > 0`,
	CacheBlobs: `SELECT DISTINCT m[1] COLLATE "C" AS digest FROM cache_entries,
		regexp_matches(substring(entry FROM '"blobs":(\[[^]]*\])}$'), '"([^"]+)"', 'g') m
		WHERE m[1] COLLATE "C" > ? ORDER BY digest LIMIT ?`,
	CatalogBlobs: `SELECT DISTINCT m[1] COLLATE "C" AS digest FROM tasks, regexp_matches(tasks.task, '"([0-9a-f]{64})"', 'g') m
		WHERE m[1] COLLATE "C" > ? ORDER BY digest LIMIT ?`,
	Renumber: renumber,
	Orphan:   func(err error) bool { return hasState(err, foreignKeyViolation) },
}

// permitLock is the number of an advisory lock: the bytes of "permits".
const permitLock = "31636739527898227"

// renumber sets the counters of the tables that have one behind their last row.
func renumber(c tables.Tx) error {
	for _, table := range []string{"runs", "cache_entries", "hook_calls", "deeds"} {
		err := c.Later(`SELECT setval(pg_get_serial_sequence('` + table + `', 'num'), (SELECT coalesce(max(num), 0) + 1 FROM ` + table + `), false)`)
		if err != nil {
			return err
		}
	}
	return nil
}

// numbered writes the arguments of a statement as Postgres has them: $1 for ?1, and
// for each ? the next number.
func numbered(query string) string {
	var b strings.Builder
	b.Grow(len(query) + 32)
	for n := 1; ; n++ {
		before, after, found := strings.Cut(query, "?")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		b.WriteByte('$')
		if after == "" || after[0] < '0' || after[0] > '9' {
			b.WriteString(strconv.Itoa(n))
		}
		query = after
	}
}
