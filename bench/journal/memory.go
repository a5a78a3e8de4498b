package main

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"sync"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

// memory is a journal that forgets everything with the process. It is what the
// engine costs without one. What the measures do not need, it does not have.
type memory struct {
	journal.Journal
	mu      sync.Mutex
	records map[string]*journal.Record
	events  map[string][]api.Event
	tasks   map[string]json.RawMessage
}

func newMemory() *memory {
	return &memory{records: map[string]*journal.Record{}, events: map[string][]api.Event{}, tasks: map[string]json.RawMessage{}}
}

// done is the receipt of what needs no waiting.
type done struct{}

func (done) Wait(context.Context) error { return nil }

func (m *memory) Submit(changes ...journal.Change) journal.Receipt {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, c := range changes {
		rec := c.Record
		if known := m.records[rec.ID]; known != nil {
			rec.InputsPayload = known.InputsPayload
		}
		m.records[rec.ID] = &rec
		m.events[rec.ID] = append(m.events[rec.ID], c.Events...)
		maps.Copy(m.tasks, c.Tasks)
	}
	return done{}
}

func (m *memory) Load(_ context.Context, id string) (*journal.Record, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	rec, ok := m.records[id]
	if !ok {
		return nil, journal.ErrNotFound
	}
	loaded := *rec
	return &loaded, nil
}

func (m *memory) Events(_ context.Context, id string, after int64, limit int) ([]api.Event, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	events := m.events[id][min(int(after), len(m.events[id])):]
	return slices.Clone(events[:min(limit, len(events))]), nil
}

func (m *memory) Task(_ context.Context, digest string) (json.RawMessage, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.tasks[digest], nil
}

func (*memory) Unfinished(context.Context) ([]*journal.Record, error)             { return nil, nil }
func (*memory) CancelRequests(context.Context, string) (map[string]string, error) { return nil, nil }
func (*memory) SaveSnapshot(context.Context, journal.Snapshot) error              { return nil }
func (*memory) Snapshot(context.Context, string) (*journal.Snapshot, error)       { return nil, nil }
func (*memory) Close() error                                                      { return nil }
