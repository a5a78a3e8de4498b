package sqlite

import (
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/glovebox-dev/glovebox/internal/journal/tables"
)

// dialect is what SQLite has of its own. Its transactions take turns, so that they
// need no locks. Whatever looks like a digest in a task counts as one; a damaged row
// starts nothing, and so needs nothing.
var dialect = &tables.Dialect{
	Indexed: func(index string) string { return ` INDEXED BY ` + index },
	Join:    ` CROSS JOIN `,
	Plain:   `+`,
	// First that the record has the text anywhere, which is soon known, then that it
	// is where it is looked for.
	HasText: `instr(lower(r.record), lower(?)) > 0 AND instr(lower(r.task || char(10) || CASE WHEN json_valid(r.record) THEN
	coalesce(json_extract(r.record, '$.error.message'), '') || char(10) || coalesce(json_extract(r.record, '$.error.code'), '') ELSE '' END), lower(?)) > 0`,
	CacheBlobs: `SELECT DISTINCT b.value FROM cache_entries, json_each(cache_entries.entry, '$.blobs') b
		WHERE b.value > ? ORDER BY b.value LIMIT ?`,
	CatalogBlobs: `SELECT DISTINCT t.atom FROM tasks, json_tree(iif(json_valid(tasks.task), tasks.task, 'null')) t
		WHERE t.type = 'text' AND length(t.atom) = 64 AND t.atom NOT GLOB '*[^0-9a-f]*' AND t.atom > ? ORDER BY t.atom LIMIT ?`,
	Orphan: func(err error) bool { return hasCode(err, sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY) },
}
