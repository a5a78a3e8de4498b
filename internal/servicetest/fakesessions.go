package servicetest

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"net"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// FakeSessions are sessions in memory, for the tests of faces: their commands are
// echo, cat, sleep and sh -c "exit N", their files are a map, and their code is
// repeated to whoever runs it. They pass RunSessions.
type FakeSessions struct {
	mu        sync.Mutex
	changed   *sync.Cond
	sessions  map[string]*fakeSession
	order     []string // ids, the oldest first
	snapshots []api.Snapshot
	servers   map[int]string // addresses of this host, by port of any cell
}

type fakeSession struct {
	api.Session
	events    []api.SessionEvent
	processes []*fakeProcess
	files     map[string]*fakeFile
	contexts  []api.Context
}

// NewFakeSessions returns a service without sessions.
func NewFakeSessions() *FakeSessions {
	f := &FakeSessions{sessions: map[string]*fakeSession{}, servers: map[int]string{}}
	f.changed = sync.NewCond(&f.mu)
	return f
}

var _ api.Sessions = (*FakeSessions)(nil)

// Listen has a server of this host answer at a port of every cell.
func (f *FakeSessions) Listen(port int, address string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.servers[port] = address
}

// await waits under the lock until done, or ctx ends.
func (f *FakeSessions) await(ctx context.Context, done func() bool) error {
	defer context.AfterFunc(ctx, func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.changed.Broadcast()
	})()
	for !done() && ctx.Err() == nil {
		f.changed.Wait()
	}
	return ctx.Err()
}

func (f *FakeSessions) find(id string) (*fakeSession, error) {
	if s, ok := f.sessions[id]; ok {
		return s, nil
	}
	return nil, api.Errorf(api.NotFound, "there is no session %s", id)
}

// running finds a session, and continues it if it is paused.
func (f *FakeSessions) running(id string) (*fakeSession, error) {
	s, err := f.find(id)
	switch {
	case err != nil:
		return nil, err
	case s.State == api.SessionOver:
		return nil, api.Errorf(api.SessionEnded, "session %s has ended", id)
	case s.State == api.SessionPaused:
		f.enter(s, api.SessionRunning)
	}
	return s, nil
}

func (f *FakeSessions) enter(s *fakeSession, state api.SessionState) {
	s.State = state
	f.happen(s, string(state), "")
}

func (f *FakeSessions) happen(s *fakeSession, kind, detail string) {
	s.events = append(s.events, api.SessionEvent{Seq: int64(len(s.events) + 1), Time: time.Unix(1, 0).UTC(), Type: kind, State: s.State, Detail: detail})
	f.changed.Broadcast()
}

// shown returns a session as it is now.
func (s *fakeSession) shown() *api.Session {
	c := s.Session
	c.Spec.Labels, c.Ports = maps.Clone(c.Spec.Labels), slices.Clone(c.Ports)
	return &c
}

func (f *FakeSessions) add(spec api.SessionSpec, parent *fakeSession) *fakeSession {
	s := &fakeSession{files: map[string]*fakeFile{"/": newFakeDir(), "/work": newFakeDir()}}
	s.Session = api.Session{ID: fmt.Sprintf("session%d", len(f.order)+1), Spec: spec, Image: "sha256:i", Created: time.Unix(int64(len(f.order)+1), 0).UTC()}
	if parent != nil {
		s.Parent = parent.ID
		for name, file := range parent.files {
			copied := *file
			s.files[name] = &copied
		}
	}
	f.sessions[s.ID] = s
	f.order = append(f.order, s.ID)
	f.enter(s, api.SessionStarting)
	f.enter(s, api.SessionRunning)
	return s
}

// NewSession implements api.Sessions.
func (f *FakeSessions) NewSession(_ context.Context, spec api.SessionSpec) (*api.Session, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if spec.Idle == 0 {
		spec.Idle = api.DefaultIdle
	}
	if spec.AtEnd == "" {
		spec.AtEnd = api.AtEndPause
	}
	if spec.Snapshot != "" {
		i := f.snapshot(spec.Snapshot)
		if i < 0 {
			return nil, api.Errorf(api.NotFound, "there is no snapshot %s", spec.Snapshot)
		}
		s := f.add(spec, f.sessions[f.snapshots[i].Session])
		s.Parent, s.Snapshot = "", f.snapshots[i].ID
		return s.shown(), nil
	}
	return f.add(spec, nil).shown(), nil
}

// Session implements api.Sessions.
func (f *FakeSessions) Session(_ context.Context, id string) (*api.Session, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	s, err := f.find(id)
	if err != nil {
		return nil, err
	}
	return s.shown(), nil
}

// Sessions implements api.Sessions.
func (f *FakeSessions) Sessions(_ context.Context, q api.SessionQuery) (page api.SessionPage, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	ids := slices.Clone(f.order)
	if !q.Oldest {
		slices.Reverse(ids)
	}
	skip := 0
	if q.Cursor != "" {
		if skip, err = strconv.Atoi(q.Cursor); err != nil {
			return page, api.Errorf(api.RequestInvalid, "the cursor %q is none", q.Cursor)
		}
	}
	limit := q.Limit
	if limit == 0 {
		limit = 50
	}
	seen := 0
	for _, id := range ids {
		s := f.sessions[id]
		if !s.fits(q) {
			continue
		}
		if seen++; seen <= skip {
			continue
		}
		if len(page.Sessions) == limit {
			page.Next = strconv.Itoa(skip + limit)
			break
		}
		page.Sessions = append(page.Sessions, *s.shown())
	}
	return page, nil
}

func (s *fakeSession) fits(q api.SessionQuery) bool {
	if len(q.State) > 0 && !slices.Contains(q.State, s.State) || q.Parent != "" && q.Parent != s.Parent || s.Created.Before(q.Since) {
		return false
	}
	for name, text := range q.Labels {
		if got, ok := s.Spec.Labels[name]; !ok || got != text {
			return false
		}
	}
	return true
}

// ChangeSession implements api.Sessions.
func (f *FakeSessions) ChangeSession(_ context.Context, id string, c api.SessionChange) (*api.Session, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	s, err := f.find(id)
	if err != nil {
		return nil, err
	}
	if s.State == api.SessionOver {
		return nil, api.Errorf(api.SessionEnded, "session %s has ended", id)
	}
	if c.Timeout != nil {
		s.Spec.Timeout, s.Ends = *c.Timeout, s.Created.Add(*c.Timeout)
	}
	if c.Ends != nil {
		s.Ends = *c.Ends
	}
	if c.Idle != nil {
		s.Spec.Idle = *c.Idle
	}
	if c.AtEnd != nil {
		s.Spec.AtEnd = *c.AtEnd
	}
	if c.Network != nil {
		s.Spec.Network = *c.Network
	}
	for name, text := range c.Labels {
		if s.Spec.Labels == nil {
			s.Spec.Labels = map[string]string{}
		}
		if s.Spec.Labels[name] = text; text == "" {
			delete(s.Spec.Labels, name)
		}
	}
	f.happen(s, "changed", "")
	return s.shown(), nil
}

// KillSession implements api.Sessions.
func (f *FakeSessions) KillSession(_ context.Context, id string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	s, err := f.find(id)
	if err != nil || s.State == api.SessionOver {
		return err
	}
	s.Ended = s.Created
	f.enter(s, api.SessionOver)
	return nil
}

// PauseSession implements api.Sessions.
func (f *FakeSessions) PauseSession(_ context.Context, id string, o api.PauseOptions) (*api.Session, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	s, err := f.find(id)
	switch {
	case err != nil:
		return nil, err
	case s.State == api.SessionOver:
		return nil, api.Errorf(api.SessionEnded, "session %s has ended", id)
	}
	s.Reason, s.Memory = o.Reason, !o.FilesOnly
	f.enter(s, api.SessionPaused)
	return s.shown(), nil
}

// ResumeSession implements api.Sessions.
func (f *FakeSessions) ResumeSession(_ context.Context, id string) (*api.Session, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	s, err := f.running(id)
	if err != nil {
		return nil, err
	}
	return s.shown(), nil
}

// ForkSession implements api.Sessions.
func (f *FakeSessions) ForkSession(_ context.Context, id string, o api.ForkOptions) ([]api.Fork, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	s, err := f.running(id)
	if err != nil {
		return nil, err
	}
	if o.Count > api.MaxForks {
		return nil, api.Errorf(api.RequestInvalid, "%d forks, at most %d", o.Count, api.MaxForks).WithDetails(api.Details{Field: "count"})
	}
	var forks []api.Fork
	for range max(1, o.Count) {
		spec := s.shown().Spec
		if spec.Labels == nil {
			spec.Labels = map[string]string{}
		}
		maps.Copy(spec.Labels, o.Labels)
		fork := f.add(spec, s)
		f.happen(s, "forked", fork.ID)
		forks = append(forks, api.Fork{Session: fork.shown()})
	}
	return forks, nil
}

// SessionEvents implements api.Sessions.
func (f *FakeSessions) SessionEvents(ctx context.Context, id string, after int64, follow bool) iter.Seq2[api.SessionEvent, error] {
	return func(yield func(api.SessionEvent, error) bool) {
		for {
			f.mu.Lock()
			s, err := f.find(id)
			if err == nil && follow {
				err = f.await(ctx, func() bool { return int64(len(s.events)) > after || s.State == api.SessionOver })
			}
			var ready []api.SessionEvent
			if err == nil {
				ready = slices.Clone(s.events[min(after, int64(len(s.events))):])
			}
			over := err == nil && (s.State == api.SessionOver || !follow)
			f.mu.Unlock()
			if err != nil {
				yield(api.SessionEvent{}, err)
				return
			}
			for _, e := range ready {
				if after = e.Seq; !yield(e, nil) {
					return
				}
			}
			if over {
				return
			}
		}
	}
}

// SessionConnections implements api.Sessions.
func (f *FakeSessions) SessionConnections(_ context.Context, id string) ([]api.Connection, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	s, err := f.find(id)
	if err != nil {
		return nil, err
	}
	return []api.Connection{{Time: s.Created, Host: "pypi.org", Port: 443, Address: "151.101.0.223:443", Allowed: true, BytesIn: 100, BytesOut: 20}}, nil
}

// SessionUsage implements api.Sessions.
func (f *FakeSessions) SessionUsage(_ context.Context, id string, since, _ time.Time) ([]api.UsageSample, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	s, err := f.find(id)
	if err != nil || s.Created.Before(since) {
		return nil, err
	}
	return []api.UsageSample{{Time: s.Created, CPUs: 1, CPU: time.Second, CPUPercent: 12.5, Memory: 1 << 20, MemoryLimit: 1 << 30, Disk: 1 << 10, DiskLimit: 1 << 32}}, nil
}

// snapshot returns the place of a snapshot, or -1.
func (f *FakeSessions) snapshot(ref string) int {
	return slices.IndexFunc(f.snapshots, func(s api.Snapshot) bool { return s.ID == ref || s.Name == ref && ref != "" })
}

// NewSnapshot implements api.Snapshots.
func (f *FakeSessions) NewSnapshot(_ context.Context, id string, o api.SnapshotOptions) (*api.Snapshot, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	s, err := f.running(id)
	if err != nil {
		return nil, err
	}
	if i := f.snapshot(o.Name); o.Name != "" && i >= 0 {
		f.snapshots[i].Name = ""
	}
	made := api.Snapshot{ID: fmt.Sprintf("snapshot%d", len(f.snapshots)+1), Name: o.Name, Session: id, Image: s.Image, Memory: o.Memory, Size: 1 << 20, Created: s.Created}
	f.snapshots = append(f.snapshots, made)
	f.happen(s, "snapshot", made.ID)
	return &made, nil
}

// Snapshot implements api.Snapshots.
func (f *FakeSessions) Snapshot(_ context.Context, ref string) (*api.Snapshot, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	i := f.snapshot(ref)
	if i < 0 {
		return nil, api.Errorf(api.NotFound, "there is no snapshot %s", ref)
	}
	found := f.snapshots[i]
	return &found, nil
}

// Snapshots implements api.Snapshots.
func (f *FakeSessions) Snapshots(_ context.Context, session string) (list []api.Snapshot, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, s := range slices.Backward(f.snapshots) {
		if session == "" || s.Session == session {
			list = append(list, s)
		}
	}
	return list, nil
}

// SnapshotImage implements api.Snapshots.
func (f *FakeSessions) SnapshotImage(_ context.Context, ref string, o api.SnapshotImageOptions) (*api.ImageInfo, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	i := f.snapshot(ref)
	if i < 0 {
		return nil, api.Errorf(api.NotFound, "there is no snapshot %s", ref)
	}
	return &api.ImageInfo{ID: "sha256:of-" + f.snapshots[i].ID, Name: o.Name, Size: f.snapshots[i].Size, Created: f.snapshots[i].Created}, nil
}

// RemoveSnapshot implements api.Snapshots.
func (f *FakeSessions) RemoveSnapshot(_ context.Context, ref string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	i := f.snapshot(ref)
	if i < 0 {
		return api.Errorf(api.NotFound, "there is no snapshot %s", ref)
	}
	f.snapshots = slices.Delete(f.snapshots, i, i+1)
	return nil
}

// DialPort implements api.Ports.
func (f *FakeSessions) DialPort(ctx context.Context, id string, port int) (net.Conn, error) {
	f.mu.Lock()
	_, err := f.running(id)
	address, ok := f.servers[port]
	f.mu.Unlock()
	switch {
	case err != nil:
		return nil, err
	case !ok:
		return nil, api.Errorf(api.NotFound, "nothing listens on port %d", port)
	}
	return (&net.Dialer{}).DialContext(ctx, "tcp", address)
}

// OpenPort implements api.Ports.
func (f *FakeSessions) OpenPort(_ context.Context, id string, port int, o api.PortOptions) (*api.Port, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	s, err := f.running(id)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(s.Ports, func(p api.Port) bool { return p.Port == port })
	if i < 0 {
		s.Ports, i = append(s.Ports, api.Port{Port: port, Token: fmt.Sprintf("token-of-%s-%d", id, port)}), len(s.Ports)
		f.happen(s, "port_opened", strconv.Itoa(port))
	}
	s.Ports[i].Public = o.Public
	opened := s.Ports[i]
	return &opened, nil
}

// ClosePort implements api.Ports.
func (f *FakeSessions) ClosePort(_ context.Context, id string, port int) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	s, err := f.running(id)
	if err != nil {
		return err
	}
	s.Ports = slices.DeleteFunc(s.Ports, func(p api.Port) bool { return p.Port == port })
	f.happen(s, "port_closed", strconv.Itoa(port))
	return nil
}
