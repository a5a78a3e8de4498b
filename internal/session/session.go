// Package session keeps cells for clients: sessions, in which commands, code,
// files and ports live until somebody ends them or their time is over.
//
// # States
//
//	starting ──> running <──────────── resuming
//	   │          │   ^                  │  ^
//	   │          │   │ it failed        │  │
//	   │          v   │                  │  │
//	   │        pausing ──────> paused <─┘  │
//	   │          │               │ └───────┘
//	   v          v               v
//	  ended   ended, lost       ended
//
// State.go has the table. Each change is one entry of the journal (journal.Sessions),
// which holds the session as it is after it; a change that fails leaves the state
// before it. Pausing saves the state of the cell, syncs it and records it, and only
// then ends the cell. A session whose process dies is lost, unless it was paused.
//
// # Who holds what
//
// A Service holds the sessions that have a cell in this process (type live) and
// the journal has all. Processes live in the cell with what they write, and
// survive the request that started them, a pause and a fork; requests attach to
// them. A request holds its session (use), which keeps it from being idle, and
// resumes one that is paused.
package session

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"maps"
	"net"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
	"github.com/glovebox-dev/glovebox/internal/journal"
	"github.com/glovebox-dev/glovebox/internal/sandbox"
	"github.com/glovebox-dev/glovebox/internal/withheld"
)

// Cells gives cells to sessions.
type Cells interface {
	// Validate returns what is wrong with a task, as far as that is known before
	// anything starts.
	Validate(task *api.Task) error
	// Withheld returns the withheld secrets of a task whose cells have a lineage; nil if it
	// has none.
	Withheld(task *api.Task, lineage string) (*withheld.Set, error)
	// TakeCell returns a running cell as a task has it, which lives until life ends.
	TakeCell(ctx, life context.Context, task *api.Task, lineage string, serve sandbox.Handler) (*sandbox.Kept, error)
	// RestoreCell is TakeCell for a cell of the image of an id, whose file system
	// begins with the changes in an archive that Layer has written.
	RestoreCell(ctx, life context.Context, task *api.Task, lineage, image string, layer cell.OpenLayer, serve sandbox.Handler) (*sandbox.Kept, error)
	// ResumeCell is TakeCell for a cell that continues where another one was saved.
	ResumeCell(life context.Context, task *api.Task, lineage, image string, saved cell.Saved, files cell.SavedFiles, who sandbox.Identity, serve sandbox.Handler) (*sandbox.Kept, error)
}

// Config is what a Service is made of. All fields must be set, but for those that
// say what their zero value means.
type Config struct {
	Cells   Cells
	Journal journal.Sessions
	// Key returns what authenticates what is saved. It is asked for when it is needed:
	// most processes of a home keep no session.
	Key func() ([]byte, error)
	Dir string // of what is saved; it is made when it is needed
	// Egress returns the handler of the connections that a cell under a policy
	// opens, beside its ways.
	Egress func(policy api.Network, audit func(api.Connection), ways sandbox.Ways) (sandbox.Handler, error)
	// Model returns what handles the questions of a session that may ask a model.
	Model func(asks *api.Asks) sandbox.Handler
	// Extend makes an image of the image of an id, of what a cell has changed of it,
	// which Layer has written, and of a name, which may be empty.
	Extend func(ctx context.Context, image, name string, layer io.Reader) (*api.ImageInfo, error)
	Owner  string            // the name of this process, see Rejoin
	Alive  func(string) bool // whether the process of a name lives
	Max    int               // sessions with a cell in this process at once; 0 means DefaultMax
	Logger *slog.Logger      // nil discards
}

// DefaultMax is how many sessions may have a cell at once.
const DefaultMax = 500

// Service is the sessions of a home. It is safe for concurrent use.
type Service struct {
	config Config
	keep   *keep
	ctx    context.Context // ends with Close
	cancel context.CancelCauseFunc
	under  sync.WaitGroup // what ends sessions
	name   atomic.Pointer[string]

	mu     sync.Mutex
	live   map[string]*live
	closed bool
	news   chan struct{} // closed when something is recorded
}

// New returns a service. Recover takes over what earlier processes left, and
// Close ends it.
func New(c Config) *Service {
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if c.Max == 0 {
		c.Max = DefaultMax
	}
	s := &Service{config: c, keep: &keep{dir: c.Dir, key: c.Key}, live: map[string]*live{}, news: make(chan struct{})}
	s.name.Store(&c.Owner)
	s.ctx, s.cancel = context.WithCancelCause(context.Background())
	s.under.Go(s.sampleAll)
	return s
}

// Memory is what the sessions with a cell in this process ask for together.
func (s *Service) Memory() (sum int64) {
	for _, l := range s.all() {
		sum += l.memory()
	}
	return sum
}

// memory is what the cell of a session asks for; 0 if it has none.
func (l *live) memory() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.cell == nil {
		return 0
	}
	return l.record.Spec.Resources.WithDefaults().Memory
}

var errClosed = errors.New("the process that held the session is closing")

// Close pauses the sessions that are to be paused at their end, a few at a time,
// and ends the cells of all. What cannot be paused in time is lost.
func (s *Service) Close() error {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	all := s.all()
	ctx, cancel := context.WithTimeout(context.Background(), closePatience)
	defer cancel()
	errs := make([]error, len(all))
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	var closing sync.WaitGroup
	for i, l := range all {
		slots <- struct{}{}
		closing.Go(func() {
			errs[i] = l.close(ctx)
			<-slots
		})
	}
	closing.Wait()
	s.cancel(errClosed)
	s.under.Wait()
	return errors.Join(errs...)
}

// all returns the sessions that this process holds.
func (s *Service) all() []*live {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Collect(maps.Values(s.live))
}

// closePatience is how long sessions may take to be paused when their process stops.
const closePatience = 30 * time.Second

// close pauses a session, or ends it.
func (l *live) close(ctx context.Context) error {
	l.turn <- struct{}{}
	defer l.done()
	r := l.current()
	if r.State == api.SessionRunning && r.Spec.AtEnd == api.AtEndPause && ctx.Err() == nil {
		err := l.pause(ctx, api.PauseOptions{FilesOnly: r.Spec.FilesOnly, Reason: errClosed.Error()})
		if err == nil {
			return nil
		}
		l.service.config.Logger.Warn("pausing a session whose process stops", "session", l.id, "error", err)
	}
	return l.endHeld(context.Background(), api.SessionLost, errClosed.Error())
}

// Recover marks what sessions of dead processes have become.
func (s *Service) Recover(ctx context.Context) error {
	records, err := s.config.Journal.LiveSessions(ctx)
	if err != nil {
		return err
	}
	for _, r := range records {
		if r.State == api.SessionPaused || r.Holder != "" && s.config.Alive(r.Holder) {
			continue
		}
		if err := s.recover(ctx, r); err != nil && !errors.Is(err, journal.ErrSequence) {
			return err
		}
	}
	return nil
}

// recover records what is left of a session whose process died. One that was
// being resumed still has what was saved of it.
func (s *Service) recover(ctx context.Context, r *journal.SessionRecord) error {
	to := api.SessionLost
	if r.State == api.SessionResuming {
		to = api.SessionPaused
	}
	const reason = "the process that held it ended"
	return s.change(ctx, r, to, reason, nil)
}

// handler is the network access of a cell, which may be exchanged while the cell
// lives.
type handler struct {
	mu    sync.Mutex
	serve sandbox.Handler
}

func (h *handler) set(serve sandbox.Handler) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.serve = serve
}

// Serve carries one connection by the policy that holds when it begins.
func (h *handler) Serve(ctx context.Context, conn net.Conn) {
	h.mu.Lock()
	serve := h.serve
	h.mu.Unlock()
	if serve != nil {
		serve(ctx, conn)
	}
}

// now is the time as the journal keeps it.
func now() time.Time { return time.Now().UTC() }

var _ Cells = (*sandbox.Runner)(nil)

// ended is the error of a session that is over.
func ended(r *journal.SessionRecord) error {
	what := "has ended"
	if r.State == api.SessionLost {
		what = "was lost"
	}
	if r.Reason != "" {
		what += ": " + r.Reason
	}
	return api.Errorf(api.SessionEnded, "session %s %s", r.ID, what)
}
