package e2b

import (
	"context"
	"crypto/rand"
	"sync"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

type watchRequest struct {
	pathRequest
	Recursive    bool `json:"recursive"`
	IncludeEntry bool `json:"includeEntry"`
}

// watchMessage has one of its fields.
type watchMessage struct {
	Start      *struct{}  `json:"start,omitempty"`
	Filesystem *fileEvent `json:"filesystem,omitempty"`
	Keepalive  *struct{}  `json:"keepalive,omitempty"`
}

type fileEvent struct {
	Name  string     `json:"name"`
	Type  string     `json:"type"`
	Entry *entryInfo `json:"entry,omitempty"`
}

var eventTypes = map[string]string{
	api.FileCreated: "EVENT_TYPE_CREATE", api.FileWritten: "EVENT_TYPE_WRITE", api.FileRemoved: "EVENT_TYPE_REMOVE",
	api.FileRenamed: "EVENT_TYPE_RENAME", api.FileChmod: "EVENT_TYPE_CHMOD",
}

// fileEvent returns an event as a client reads it; nil if E2B knows none of the
// kind.
func (c *call) fileEvent(in *watchRequest, e api.FileEvent) *fileEvent {
	kind, ok := eventTypes[e.Type]
	if !ok {
		return nil
	}
	out := &fileEvent{Name: e.Path, Type: kind}
	if in.IncludeEntry && e.Info != nil {
		out.Entry = c.entry(e.Info)
	}
	return out
}

// watch sends the changes in a directory.
func (c *call) watch(in *watchRequest, out frames) error {
	if err := c.checkWatched(in); err != nil {
		return err
	}
	events := c.face.Sessions.WatchFiles(c.ctx(), c.session.ID, c.path(in.Path), in.Recursive, c.options())
	return alive(c.ctx(), c.pingInterval(), events, func(e api.FileEvent) error {
		if e.Type == api.FilesWatched {
			return out.send(watchMessage{Start: &struct{}{}})
		}
		if event := c.fileEvent(in, e); event != nil {
			return out.send(watchMessage{Filesystem: event})
		}
		return nil
	}, func() error {
		return out.send(watchMessage{Keepalive: &struct{}{}})
	})
}

func (c *call) checkWatched(in *watchRequest) error {
	info, err := c.face.Sessions.StatFile(c.ctx(), c.session.ID, c.path(in.Path), c.options())
	if err == nil && info.Type != api.TypeDir {
		return connectError{codeInvalidArgument, "path is not a directory: " + info.Path}
	}
	return err
}

// The bounds of watchers that keep what nobody has read yet.
const (
	maxWatchers      = 64 // of one sandbox
	maxWatcherEvents = 10_000
	watcherIdle      = 10 * time.Minute      // without a question
	settleTime       = 50 * time.Millisecond // at least
	maxSettleTime    = time.Second
	maxSettles       = 10
)

// watchers are those whose clients ask for changes instead of following them. They
// end when they are removed or not asked for some time, and with their sandbox.
type watchers struct {
	mu   sync.Mutex
	byID map[string]*watcher
}

type watcher struct {
	session string
	dir     string
	stop    context.CancelFunc
	idle    *time.Timer

	mu     sync.Mutex
	events []*fileEvent
}

func (w *watcher) end() {
	w.idle.Stop()
	w.stop()
}

func (w *watcher) add(e *fileEvent) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.events) < maxWatcherEvents {
		w.events = append(w.events, e)
	}
}

func (w *watcher) take() []*fileEvent {
	w.mu.Lock()
	defer w.mu.Unlock()
	events := w.events
	w.events = nil
	return events
}

func (w *watcher) count() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.events)
}

// settle waits until no more events come: a client that changed a file and asks
// then expects to hear of it. Pause is how long none may come.
func (w *watcher) settle(ctx context.Context, pause time.Duration) {
	for range maxSettles {
		before := w.count()
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return
		}
		if w.count() == before {
			return
		}
	}
}

func (ws *watchers) add(id string, w *watcher) error {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	n := 0
	for _, other := range ws.byID {
		if other.session == w.session {
			n++
		}
	}
	if n >= maxWatchers {
		return connectError{codeResourceExhausted, "the sandbox has too many watchers"}
	}
	if ws.byID == nil {
		ws.byID = map[string]*watcher{}
	}
	ws.byID[id] = w
	return nil
}

func (ws *watchers) find(id, session string) (*watcher, error) {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	if w := ws.byID[id]; w != nil && w.session == session {
		return w, nil
	}
	return nil, connectError{codeNotFound, "watcher with id " + id + " not found"}
}

func (ws *watchers) remove(id string) {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	delete(ws.byID, id)
}

type watcherID struct {
	WatcherID string `json:"watcherId"`
}

// newWatcher begins to keep the changes in a directory, and returns when it does.
func (c *call) newWatcher(in *watchRequest) (*watcherID, error) {
	if err := c.checkWatched(in); err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(context.WithoutCancel(c.ctx()))
	id, w := rand.Text(), &watcher{session: c.session.ID, dir: c.path(in.Path), stop: stop, idle: time.AfterFunc(watcherIdle, stop)}
	if err := c.face.watchers.add(id, w); err != nil {
		w.end()
		return nil, err
	}
	watched := make(chan error, 2) // that it has begun, and that it has ended
	go func() {
		defer w.end()
		defer c.face.watchers.remove(id)
		watched <- w.collect(ctx, c, in, watched)
	}()
	select {
	case err := <-watched:
		if err != nil {
			return nil, err
		}
		return &watcherID{id}, nil
	case <-c.ctx().Done():
		stop()
		return nil, c.ctx().Err()
	}
}

// collect keeps events until ctx ends. It says so once that none is missed.
func (w *watcher) collect(ctx context.Context, c *call, in *watchRequest, watched chan<- error) error {
	for e, err := range c.face.Sessions.WatchFiles(ctx, c.session.ID, c.path(in.Path), in.Recursive, c.options()) {
		if err != nil {
			return err
		}
		if e.Type == api.FilesWatched {
			watched <- nil
			continue
		}
		if event := c.fileEvent(in, e); event != nil {
			w.add(event)
		}
	}
	return nil
}

type eventsAnswer struct {
	Events []*fileEvent `json:"events,omitempty"`
}

func (c *call) watcherEvents(in *watcherID) (*eventsAnswer, error) {
	w, err := c.face.watchers.find(in.WatcherID, c.session.ID)
	if err != nil {
		return nil, err
	}
	w.idle.Reset(watcherIdle)
	w.settle(c.ctx(), c.pace(w.dir))
	return &eventsAnswer{w.take()}, nil
}

// pace is how long a sandbox may take until it says what has happened: as long as a
// question takes now, on a host that others keep busy.
func (c *call) pace(dir string) time.Duration {
	began := time.Now()
	_, _ = c.face.Sessions.StatFile(c.ctx(), c.session.ID, dir, c.options())
	return min(max(settleTime, 2*time.Since(began)), maxSettleTime)
}

func (c *call) removeWatcher(in *watcherID) (*none, error) {
	w, err := c.face.watchers.find(in.WatcherID, c.session.ID)
	if err != nil {
		return nil, err
	}
	c.face.watchers.remove(in.WatcherID)
	w.stop()
	return &none{}, nil
}
