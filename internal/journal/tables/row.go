package tables

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"strconv"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

// timeFormat has a fixed width, so that times sort as text.
const timeFormat = "2006-01-02T15:04:05.000000000Z"

func timeText(t time.Time) string { return t.UTC().Format(timeFormat) }

// timeOrNull is NULL for no time.
func timeOrNull(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return timeText(t)
}

func parseTime(text string) (time.Time, error) {
	t, err := time.Parse(timeFormat, text)
	if err != nil {
		return t, fmt.Errorf("%w: %w", journal.ErrDamaged, err)
	}
	return t, nil
}

// textOrNull is NULL for an empty text.
func textOrNull[T ~string | ~[]byte](s T) any {
	if len(s) == 0 {
		return nil
	}
	return string(s)
}

func number(n int64) string { return strconv.FormatInt(n, 10) }

// sumOf is the CRC-32C of texts, each followed by a zero byte. SQLite finds
// damage of its own structure; the sum finds that of what a row holds.
func sumOf(texts ...string) int64 {
	table := crc32.MakeTable(crc32.Castagnoli)
	b := make([]byte, 0, 1024)
	for _, t := range texts {
		b = append(append(b, t...), 0)
	}
	return int64(crc32.Checksum(b, table))
}

// decode reads the JSON of a row whose sum was right.
func decode(text string, v any) error {
	if err := json.Unmarshal([]byte(text), v); err != nil {
		return fmt.Errorf("%w: %w", journal.ErrDamaged, err)
	}
	return nil
}

// encodeRecord writes a record without its payloads.
func encodeRecord(r *journal.Record) (string, error) {
	bare := *r
	bare.InputsPayload, bare.OutputsPayload, bare.Inputs, bare.Outputs = journal.Payload{}, journal.Payload{}, nil, nil
	text, err := json.Marshal(&bare)
	return string(text), err
}

// recordSum is the sum of a row of runs, but for its outputs.
func recordSum(id, owner string, fence, seq int64, record string) int64 {
	return sumOf(id, owner, number(fence), number(seq), record)
}

// recordColumns are what scanRecord reads.
const recordColumns = `r.num, r.id, r.status, r.owner, r.fence, r.seq, r.record, r.sum`

// recordRow receives recordColumns.
type recordRow struct {
	id, status, owner, record string
	num, fence, seq, sum      int64
}

func (r *recordRow) targets() []any {
	return []any{&r.num, &r.id, &r.status, &r.owner, &r.fence, &r.seq, &r.record, &r.sum}
}

func (r *recordRow) decode() (*journal.Record, error) {
	if recordSum(r.id, r.owner, r.fence, r.seq, r.record) != r.sum {
		return nil, fmt.Errorf("run %s: %w", r.id, journal.ErrDamaged)
	}
	record := &journal.Record{}
	if err := decode(r.record, record); err != nil {
		return nil, fmt.Errorf("run %s: %w", r.id, err)
	}
	if record.ID != r.id || string(record.Status) != r.status {
		return nil, fmt.Errorf("run %s: %w", r.id, journal.ErrDamaged)
	}
	record.Num, record.Holder, record.Fence, record.Seq = r.num, r.owner, r.fence, r.seq
	return record, nil
}

// payloadRow receives the columns of a payload.
type payloadRow struct {
	json, blob sql.NullString
	sum        sql.NullInt64
}

func (p *payloadRow) targets() []any { return []any{&p.json, &p.blob, &p.sum} }

func (p *payloadRow) decode(id string) (journal.Payload, error) {
	if !p.sum.Valid && !p.json.Valid && !p.blob.Valid {
		return journal.Payload{}, nil
	}
	if p.sum.Int64 != sumOf(id, p.json.String, p.blob.String) {
		return journal.Payload{}, fmt.Errorf("payload of run %s: %w", id, journal.ErrDamaged)
	}
	payload := journal.Payload{Blob: p.blob.String}
	if p.json.Valid {
		payload.Inline = json.RawMessage(p.json.String)
	}
	return payload, nil
}

// payloadArgs are the columns of a payload.
func payloadArgs(id string, p journal.Payload) []any {
	if len(p.Inline) == 0 && p.Blob == "" {
		return []any{nil, nil, nil}
	}
	return []any{textOrNull(p.Inline), textOrNull(p.Blob), sumOf(id, string(p.Inline), p.Blob)}
}

// eventRow receives the columns of an event.
type eventRow struct {
	seq, sum   int64
	time, kind string
	data       sql.NullString
}

func (e *eventRow) decode(run string) (api.Event, error) {
	if e.sum != sumOf(run, number(e.seq), e.time, e.kind, e.data.String) {
		return api.Event{}, fmt.Errorf("event %d of run %s: %w", e.seq, run, journal.ErrDamaged)
	}
	at, err := parseTime(e.time)
	event := api.Event{Run: run, Seq: e.seq, Time: at, Kind: api.EventKind(e.kind)}
	if e.data.Valid {
		event.Data = json.RawMessage(e.data.String)
	}
	return event, err
}
