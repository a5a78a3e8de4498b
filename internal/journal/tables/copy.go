package tables

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"slices"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
)

// table is a table as it is copied.
type table struct {
	name    string
	columns string
	key     string // in whose order it is copied
}

// copied are all tables. A run comes after the one that made it.
var copied = []table{
	{"runs", `num, id, parent, call, root, task, kind, task_digest, status, owner, fence, seq, created_at, started_at, ended_at, idempotency_key, record, sum, outputs, outputs_blob, outputs_sum, started_by, memory, cpu_milli, owned_by, lane, due`, `num`},
	{"run_labels", `label, below, created_at, run`, `label, below, created_at, run`},
	{"inputs", `run, json, blob, sum`, `run`},
	{"events", `run, seq, time, kind, data, sum`, `run, seq`},
	{"definitions", `digest, json, sum`, `digest`},
	{"blob_refs", `run, digest`, `run, digest`},
	{"snapshots", `run, fence, attempt, started, answered, data, sum`, `run`},
	{"cancel_requests", `run, reason`, `run`},
	{"permits", `name, run, fence`, `name, run`},
	{"approvals", `run, root, task, asked_at, state, fresh, decision, sum`, `run`},
	{"cache_entries", `num, key, task, created, used, size, entry, stdout, stderr, sum`, `num`},
	{"tasks", `name, version, current, digest, about, task, sum`, `name, version`},
	{"environments", `name, version, current, about, sum`, `name, version`},
	{"sessions", `id, state, created_at, ended_at, parent, owner, kept, seq, record, sum`, `id`},
	{"session_events", `session, seq, event, sum`, `session, seq`},
	{"session_snapshots", `id, name, session, kept, created_at, record, sum`, `id`},
	{"schedules", `name, next_at, seq, record, sum`, `name`},
	{"schedule_starts", `schedule, id, planned_at, open, record, sum`, `schedule, id`},
	{"hooks", `name, record, sum`, `name`},
	{"hook_calls", `num, hook, record, sum`, `num`},
	{"owners", `name, record, sum`, `name`},
	{"tokens", `id, owner, name, used_at, record, sum`, `id`},
	{"owner_blobs", `owner, digest`, `owner, digest`},
	{"deeds", `num, owner, object, record, sum`, `num`},
	{"deliveries", `id, run, host, state, created_at, next_at, changed_at, seq, record, sum`, `id`},
}

// Content is what a table holds.
type Content struct {
	Table  string
	Rows   int64
	Digest string // of all columns of all rows, in order
}

// atOnce is how many rows are sent together.
const atOnce = 200

// CopyFrom fills a store that is empty with the rows of another, all or nothing, and
// returns what they are. What it then holds is read again and compared. A store that
// holds something is refused.
func (s *Store) CopyFrom(ctx context.Context, from *Store) ([]Content, error) {
	for _, t := range copied {
		if err := s.mustBeEmpty(ctx, t); err != nil {
			return nil, err
		}
	}
	var contents []Content
	err := s.do(ctx, func(c Tx) error {
		contents = nil // a transaction that failed is tried again
		for _, t := range copied {
			content, err := t.copy(ctx, c, from)
			if err != nil {
				return fmt.Errorf("copy the table %s: %w", t.name, err)
			}
			contents = append(contents, content)
		}
		if renumber := s.db.Dialect().Renumber; renumber != nil {
			return renumber(c)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return contents, s.mustHold(ctx, contents)
}

func (s *Store) mustBeEmpty(ctx context.Context, t table) error {
	empty := true
	err := s.db.ReadOnce(ctx, func(Row) error { empty = false; return nil }, `SELECT 1 FROM `+t.name+` LIMIT 1`)
	if err == nil && !empty {
		return api.Errorf(api.Conflict, "the target is not empty: its table %s has rows", t.name).WithHint("give a database that is new")
	}
	return err
}

// mustHold compares what a store holds with what it should.
func (s *Store) mustHold(ctx context.Context, want []Content) error {
	for i, t := range copied {
		got, err := t.read(ctx, s, func([]any) error { return nil })
		if err != nil {
			return err
		}
		if got != want[i] {
			return api.Errorf(api.StorageCorrupt, "the copy of the table %s has %d rows with the digest %s, and the original %d with %s",
				t.name, got.Rows, got.Digest, want[i].Rows, want[i].Digest)
		}
	}
	return nil
}

// copy inserts all rows of a table of another store.
func (t table) copy(ctx context.Context, c Tx, from *Store) (Content, error) {
	insert := `INSERT INTO ` + t.name + ` (` + t.columns + `) VALUES (?` + strings.Repeat(`, ?`, strings.Count(t.columns, `,`)) + `)`
	n := 0
	return t.read(ctx, from, func(row []any) error {
		if n++; n%atOnce != 0 {
			return c.Later(insert, row...)
		}
		_, err := c.Exec(insert, row...)
		return err
	})
}

// read calls f with each row of a table, and returns what they are.
func (t table) read(ctx context.Context, s *Store, f func(row []any) error) (Content, error) {
	content, digest := Content{Table: t.name}, sha256.New()
	err := s.db.Stream(ctx, func(r Row) error {
		row := make([]any, strings.Count(t.columns, `,`)+1)
		into := make([]any, len(row))
		for i := range row {
			into[i] = &row[i]
		}
		if err := r.Scan(into...); err != nil {
			return err
		}
		for i, v := range row {
			if b, ok := v.([]byte); ok && b == nil {
				row[i] = []byte{} // nil would be NULL
			}
		}
		content.Rows++
		if err := digestRow(digest, row); err != nil {
			return err
		}
		return f(row)
	}, `SELECT `+t.columns+` FROM `+t.name+` ORDER BY `+t.key)
	content.Digest = hex.EncodeToString(digest.Sum(nil))
	return content, err
}

// digestRow adds a row to a digest: of each column its kind, its length and its bytes.
func digestRow(h hash.Hash, row []any) error {
	for _, value := range row {
		kind, bytes := byte('n'), []byte(nil)
		switch v := value.(type) {
		case nil:
		case int64:
			kind, bytes = 'i', binary.BigEndian.AppendUint64(nil, uint64(v))
		case string:
			kind, bytes = 't', []byte(v)
		case []byte:
			kind, bytes = 'b', v
		default:
			return fmt.Errorf("a column has the type %T", value)
		}
		h.Write(binary.BigEndian.AppendUint64([]byte{kind}, uint64(len(bytes))))
		h.Write(bytes)
	}
	return nil
}

// Copied names the tables that are copied and their columns, a line each.
func Copied() string {
	var lines []string
	for _, t := range copied {
		lines = append(lines, t.name+": "+t.columns)
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}
