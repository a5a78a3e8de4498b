package engine

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"sync"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

// memory is a Journal in memory. It outlives engines, as a disk does.
type memory struct {
	mu        sync.Mutex
	records   map[string]*journal.Record
	events    map[string][]api.Event
	tasks     map[string]json.RawMessage
	keys      map[string]string
	cancels   map[string]string
	snapshots map[string]journal.Snapshot
	approvals map[string]*journal.Approval
	fresh     map[string]bool  // decisions that were not taken over
	order     []string         // ids, as they were created
	permits   map[string]int64 // fences by run
	changes   int              // submissions that were applied
}

func newMemory() *memory {
	return &memory{
		records: map[string]*journal.Record{}, events: map[string][]api.Event{}, tasks: map[string]json.RawMessage{},
		keys: map[string]string{}, cancels: map[string]string{}, snapshots: map[string]journal.Snapshot{},
		approvals: map[string]*journal.Approval{}, fresh: map[string]bool{}, permits: map[string]int64{},
	}
}

type done struct{ err error }

func (d done) Wait(context.Context) error { return d.err }

func (m *memory) Submit(changes ...journal.Change) journal.Receipt {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, c := range changes {
		if err := m.check(c); err != nil {
			return done{err}
		}
	}
	for _, c := range changes {
		m.apply(c)
	}
	m.changes++
	return done{}
}

func (m *memory) check(c journal.Change) error {
	known := m.records[c.Record.ID]
	switch {
	case known == nil && int(c.Record.Seq) == len(c.Events) && m.keys[c.Record.Owner+"\n"+c.Record.IdempotencyKey] == "":
		return nil
	case known == nil:
		return journal.ErrExists
	case known.Fence != c.Record.Fence:
		return journal.ErrFenced
	case known.Seq != c.Record.Seq-int64(len(c.Events)):
		return journal.ErrSequence
	}
	return nil
}

func (m *memory) apply(c journal.Change) {
	rec := c.Record
	if known := m.records[rec.ID]; known == nil {
		m.order = append(m.order, rec.ID)
		rec.Num = int64(len(m.order))
	} else {
		rec.Num, rec.InputsPayload = known.Num, known.InputsPayload
	}
	m.records[rec.ID] = &rec
	m.events[rec.ID] = append(m.events[rec.ID], c.Events...)
	maps.Copy(m.tasks, c.Tasks)
	m.follow(c)
	if rec.IdempotencyKey != "" {
		m.keys[rec.Owner+"\n"+rec.IdempotencyKey] = rec.ID
	}
}

func (m *memory) Claim(_ context.Context, id, from, owner string) (*journal.Record, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	rec, ok := m.records[id]
	if !ok {
		return nil, journal.ErrNotFound
	}
	claimed := *rec
	if rec.Holder != "" && rec.Holder != from {
		return &claimed, journal.ErrOwned
	}
	claimed.Holder, claimed.Fence = owner, rec.Fence+1
	m.records[id] = &claimed
	result := claimed
	return &result, nil
}

func (m *memory) Permit(_ context.Context, id string, fence int64, limits []journal.Limit) ([]string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	r := m.records[id]
	if r == nil || r.Fence != fence || r.Holder == "" || r.Status.Ended() {
		return nil, journal.ErrFenced
	}
	full := m.full(id, limits)
	if len(full) == 0 {
		m.permits[id] = fence
	}
	return full, nil
}

// full are the names of limits that let no more runs work. The caller holds mu.
func (m *memory) full(id string, limits []journal.Limit) (full []string) {
	for _, l := range limits {
		if len(m.permitted(l.Name, id)) >= l.Most {
			full = append(full, l.Name)
		}
	}
	return full
}

// permitted are the runs but one with a permit of a name. The caller holds mu.
func (m *memory) permitted(name, but string) (runs []journal.Permitted) {
	for id, fence := range m.permits {
		r := m.records[id]
		named := slices.ContainsFunc(r.Limits, func(l journal.Limit) bool { return l.Name == name })
		if named && id != but && r.Fence == fence && r.Holder != "" && !r.Status.Ended() {
			runs = append(runs, journal.Permitted{Run: id, Holder: r.Holder, Owner: r.Owner})
		}
	}
	return runs
}

func (m *memory) Permitted(_ context.Context, name string) ([]journal.Permitted, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.permitted(name, ""), nil
}

func (m *memory) Take(_ context.Context, owner string, w journal.Wanted) (ids []string, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	w = w.Clone()
	choice := journal.NewChoice(w, nil)
	show := choice.Lane()
	for _, id := range m.order {
		if r := m.records[id]; r.Holder == "" && r.Parent == "" && !r.Status.Ended() {
			show(r)
		}
	}
	for _, r := range choice.Chosen() {
		if !w.Wants(r) || len(m.full(r.ID, r.Limits)) > 0 {
			continue
		}
		w.Spend(r)
		taken := *r
		taken.Holder, taken.Fence = owner, taken.Fence+1
		m.records[r.ID], ids = &taken, append(ids, r.ID)
		m.permits[r.ID] = taken.Fence
	}
	return ids, nil
}

func (m *memory) HeldBy(context.Context) (map[string]int, error) { return nil, nil }

func (m *memory) Load(_ context.Context, id string) (*journal.Record, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if rec, ok := m.records[id]; ok {
		loaded := *rec
		return &loaded, nil
	}
	return nil, journal.ErrNotFound
}

func (m *memory) Events(_ context.Context, id string, after int64, limit int) ([]api.Event, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	events := m.events[id]
	if int(after) >= len(events) {
		return nil, nil
	}
	events = events[after:]
	return slices.Clone(events[:min(limit, len(events))]), nil
}

func (m *memory) all(match func(*journal.Record) bool) (found []*journal.Record) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, id := range m.order {
		if rec := *m.records[id]; match == nil || match(&rec) {
			found = append(found, &rec)
		}
	}
	return found
}

func (m *memory) Calls(_ context.Context, parent string) ([]*journal.Record, error) {
	return m.all(func(r *journal.Record) bool { return r.Parent == parent && r.Call != 0 }), nil
}

func (m *memory) List(_ context.Context, q api.RunQuery) ([]*journal.Record, string, error) {
	found := m.all(func(r *journal.Record) bool { return q.Parent == "" || r.Parent == q.Parent })
	if q.Parent == "" {
		slices.Reverse(found)
	}
	return found[:min(q.Limit, len(found))], "", nil
}

func (m *memory) Unfinished(context.Context) ([]*journal.Record, error) {
	found := m.all(func(r *journal.Record) bool { return !r.Status.Ended() })
	slices.SortStableFunc(found, func(a, b *journal.Record) int { return cmp.Compare(a.ID, b.ID) })
	return found, nil
}

func (m *memory) ByKey(_ context.Context, owner, key string) (string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if id, ok := m.keys[owner+"\n"+key]; ok {
		return id, nil
	}
	return "", journal.ErrNotFound
}

func (m *memory) Task(_ context.Context, digest string) (json.RawMessage, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if text, ok := m.tasks[digest]; ok {
		return text, nil
	}
	return nil, journal.ErrNotFound
}

func (m *memory) RequestCancel(_ context.Context, id, reason string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.cancels[id] = reason
	return nil
}

func (m *memory) CancelRequests(_ context.Context, owner string) (map[string]string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	asked := map[string]string{}
	for id, reason := range m.cancels {
		if rec := m.records[id]; rec != nil && rec.Holder == owner && !rec.Status.Ended() {
			asked[id] = reason
		}
	}
	return asked, nil
}

func (m *memory) SaveSnapshot(_ context.Context, s journal.Snapshot) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if rec := m.records[s.Run]; rec == nil || rec.Fence != s.Fence {
		return journal.ErrFenced
	}
	s.Data = slices.Clone(s.Data)
	m.snapshots[s.Run] = s
	return nil
}

func (m *memory) Snapshot(_ context.Context, run string) (*journal.Snapshot, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if s, ok := m.snapshots[run]; ok {
		return &s, nil
	}
	return nil, nil
}

func (m *memory) Prune(context.Context, journal.Pruning) ([]string, error) {
	return nil, errors.New("not in memory")
}

func (m *memory) References(context.Context, func(string) error) error { return nil }

func (m *memory) Close() error { return nil }

// crashing is a journal whose process dies after a number of submissions: later
// ones never happen, and their receipts never come.
type crashing struct {
	journal.Journal
	mu     sync.Mutex
	left   int
	died   chan struct{}
	gone   chan struct{} // closed when nothing of the process is to move any more
	killed bool
}

func newCrashing(j journal.Journal, left int) *crashing {
	return &crashing{Journal: j, left: left, died: make(chan struct{}), gone: make(chan struct{})}
}

// never is the receipt of a process that is no more.
type never struct{ gone chan struct{} }

func (n never) Wait(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-n.gone:
		return errors.New("the process is gone")
	}
}

func (c *crashing) Submit(changes ...journal.Change) journal.Receipt {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.left == 0 {
		if !c.killed {
			c.killed = true
			close(c.died)
		}
		return never{c.gone}
	}
	c.left--
	return c.Journal.Submit(changes...)
}

func (c *crashing) SaveSnapshot(ctx context.Context, s journal.Snapshot) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.killed {
		return nil
	}
	return c.Journal.SaveSnapshot(ctx, s)
}

// follow keeps what a change says of an approval.
func (m *memory) follow(c journal.Change) {
	id := c.Record.ID
	for _, ev := range c.Events {
		switch ev.Kind {
		case api.EventApprovalAsked:
			m.approvals[id] = &journal.Approval{Run: id, State: api.ApprovalWaiting}
		case api.EventApprovalDecided:
			delete(m.fresh, id)
		}
	}
	if a := m.approvals[id]; a != nil && c.Record.Status.Ended() && (a.State == api.ApprovalWaiting || m.fresh[id]) {
		m.approvals[id] = &journal.Approval{Run: id, State: api.ApprovalClosed}
		delete(m.fresh, id)
	}
}

func (m *memory) Decide(_ context.Context, run string, d journal.Decision) (*journal.Approval, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	a := m.approvals[run]
	if a == nil {
		return nil, journal.ErrNotFound
	}
	if a.State == api.ApprovalWaiting {
		a = &journal.Approval{Run: run, State: api.ApprovalDecided, Decision: &d}
		m.approvals[run], m.fresh[run] = a, true
	}
	found := *a
	return &found, nil
}

func (m *memory) Approval(_ context.Context, run string) (*journal.Approval, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if a := m.approvals[run]; a != nil {
		found := *a
		return &found, nil
	}
	return nil, journal.ErrNotFound
}

func (m *memory) Decisions(_ context.Context, owner string) (found []journal.Approval, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for run := range m.fresh {
		if m.records[run].Holder == owner {
			found = append(found, *m.approvals[run])
		}
	}
	return found, nil
}

func (m *memory) ListApprovals(_ context.Context, q api.ApprovalQuery) (found []journal.Approval, next string, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, id := range m.order {
		a, rec := m.approvals[id], m.records[id]
		if a != nil && a.State == cmp.Or(q.State, api.ApprovalWaiting) && (q.Task == "" || rec.Task == q.Task) && (q.Root == "" || rec.Root == q.Root) {
			found = append(found, *a)
		}
	}
	return found, "", nil
}

func (m *memory) CountWaiting(ctx context.Context, _ string, most int) (int, error) {
	found, _, err := m.ListApprovals(ctx, api.ApprovalQuery{})
	return min(len(found), most), err
}
