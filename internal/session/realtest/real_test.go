// Package realtest judges sessions with real cells.
package realtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
	"github.com/glovebox-dev/glovebox/internal/cell/celltest"
	"github.com/glovebox-dev/glovebox/internal/cell/gvisor"
	"github.com/glovebox-dev/glovebox/internal/cell/pool"
	"github.com/glovebox-dev/glovebox/internal/journal"
	"github.com/glovebox-dev/glovebox/internal/journal/sqlite"
	"github.com/glovebox-dev/glovebox/internal/runsc"
	"github.com/glovebox-dev/glovebox/internal/sandbox"
	"github.com/glovebox-dev/glovebox/internal/session"
)

func TestMain(m *testing.M) {
	if runsc.IsReexec() {
		runsc.Main()
	}
	runsc.CloseOnExec()
	playCycler()
	os.Exit(m.Run())
}

// realImages has the Debian of the cell tests. The name of an image is the user that it names.
type realImages struct{ rootFS string }

func (realImages) Check(api.ImageSpec) error { return nil }

func (r realImages) Ensure(_ context.Context, spec api.ImageSpec, _ func(api.Progress)) (*sandbox.Image, error) {
	return &sandbox.Image{
		ID: "sha256:test", RootFS: r.rootFS, Python: "/usr/bin/python3", User: spec.Name,
		Env: []string{"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"},
	}, nil
}

func (r realImages) Stored(string) (*sandbox.Image, error) {
	return r.Ensure(context.Background(), api.ImageSpec{}, nil)
}

// home is what sessions need, and what outlives a Service.
type home struct {
	t       *testing.T
	runner  *sandbox.Runner
	journal *failing
	dir     string
	count   int
}

// failing is a journal that fails when a test wants it.
type failing struct {
	journal.Sessions
	on atomic.Value // the state that it cannot record
}

var errNoSpace = errors.New("no space for the journal")

func (f *failing) ChangeSession(ctx context.Context, r *journal.SessionRecord, e api.SessionEvent) error {
	if state, _ := f.on.Load().(api.SessionState); state == r.State {
		return errNoSpace
	}
	return f.Sessions.ChangeSession(ctx, r, e)
}

func egress(policy api.Network, audit func(api.Connection), _ sandbox.Ways) (sandbox.Handler, error) {
	return func(_ context.Context, conn net.Conn) {
		audit(api.Connection{Host: "a.org", Port: 443, Allowed: policy.Public, BytesIn: 7})
		_, _ = fmt.Fprintf(conn, "public=%t allow=%v\n", policy.Public, policy.Allow)
	}, nil
}

func testKey() ([]byte, error) { return []byte("a key of a test"), nil }

// extend is a store of images that keeps none.
func extend(_ context.Context, image, name string, layer io.Reader) (*api.ImageInfo, error) {
	size, err := io.Copy(io.Discard, layer)
	return &api.ImageInfo{ID: image + "-and-more", Name: name, Size: size}, err
}

func newHome(t *testing.T) *home {
	t.Helper()
	return newHomeWith(t, func(d cell.Driver) cell.Driver { return d })
}

// newHomeWith is newHome with cells of another driver around the real one.
func newHomeWith(t *testing.T, wrap func(cell.Driver) cell.Driver) *home {
	t.Helper()
	if os.Getenv("GLOVEBOX_TEST_REAL") == "" {
		t.Skip("set GLOVEBOX_TEST_REAL=1 to run in gVisor cells")
	}
	driver, err := gvisor.New(gvisor.Config{Program: "/proc/self/exe", Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	db, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	h := &home{t: t, dir: filepath.Join(t.TempDir(), "sessions"), journal: &failing{Sessions: db.Sessions()}}
	h.runner = sandbox.New(sandbox.Config{
		Driver: wrap(driver), Images: realImages{celltest.RootFS(t)}, Dir: t.TempDir(), Warm: pool.Config{Cells: 2, Memory: 1 << 30},
		Secrets:      func(string) ([]byte, error) { return []byte("hunter2hunter2"), nil },
		Certificates: func(bool) ([]byte, error) { return nil, nil },
		Egress: func(p api.Network, a func(api.Connection), _ sandbox.Ways) (sandbox.Handler, error) {
			return egress(p, a, sandbox.Ways{})
		},
	})
	t.Cleanup(func() {
		if err := errors.Join(h.runner.Close(context.Background()), db.Close()); err != nil {
			t.Error(err)
		}
	})
	return h
}

// sessions is a service of a test.
type sessions struct {
	*session.Service
	t *testing.T
}

// open returns a service of the home, as another process would have one.
func (h *home) open() sessions { return h.openWith(0) }

// openWith returns one that has so many sessions with a cell at most; 0 is the default.
func (h *home) openWith(bound int) sessions {
	h.t.Helper()
	h.count++
	s := session.New(session.Config{
		Cells: h.runner, Journal: h.journal, Dir: h.dir, Key: testKey, Egress: egress, Extend: extend, Owner: fmt.Sprintf("process-%d", h.count), Alive: func(string) bool { return false },
		Max: bound,
	})
	if err := s.Recover(h.t.Context()); err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() {
		if err := s.Close(); err != nil {
			h.t.Error(err)
		}
	})
	return sessions{s, h.t}
}

func (s sessions) create(spec api.SessionSpec) *api.Session {
	s.t.Helper()
	x, err := s.NewSession(s.t.Context(), spec)
	if err != nil {
		s.t.Fatal(err)
	}
	return x
}

// sh runs a script that has to succeed, and returns what it printed.
func (s sessions) sh(id, script string) string {
	s.t.Helper()
	out, exit, err := s.run(id, api.ProcessSpec{Argv: []string{"/bin/sh", "-c", script}})
	if err != nil || exit.Status != 0 {
		s.t.Fatalf("%s: %q, %+v, %v", script, out, exit, err)
	}
	return strings.TrimSpace(out)
}

func (s sessions) run(id string, spec api.ProcessSpec) (out string, exit api.ProcessExit, err error) {
	var b bytes.Buffer
	for e, err := range s.StartProcess(s.t.Context(), id, spec) {
		if err != nil {
			return b.String(), exit, err
		}
		b.Write(e.Data)
		if e.Exit != nil {
			exit = *e.Exit
		}
	}
	return b.String(), exit, nil
}

func (s sessions) want(id string, state api.SessionState) *api.Session {
	s.t.Helper()
	x, err := s.Session(s.t.Context(), id)
	if err != nil || x.State != state {
		s.t.Fatalf("session is %+v, %v, want it to be %s", x, err, state)
	}
	return x
}

// eventually waits until a session is in a state.
func (s sessions) eventually(id string, state api.SessionState) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), time.Minute)
	defer cancel()
	for e, err := range s.SessionEvents(ctx, id, 0, true) {
		if err != nil {
			s.t.Fatalf("waiting for %s: %v", state, err)
		}
		if e.State == state {
			if x := s.latest(id); x == state {
				return
			}
		}
	}
	s.want(id, state)
}

func (s sessions) latest(id string) api.SessionState {
	x, err := s.Session(s.t.Context(), id)
	if err != nil {
		s.t.Fatal(err)
	}
	return x.State
}

func TestLife(t *testing.T) {
	s := newHome(t).open()
	x := s.create(api.SessionSpec{Env: map[string]string{"GREETING": "hello"}, Labels: map[string]string{"for": "test"}})
	if got := s.sh(x.ID, `echo $GREETING; pwd; id -u`); got != "hello\n/work\n1000" {
		t.Errorf("a command finds %q", got)
	}
	s.sh(x.ID, "echo kept > file")
	if got := s.sh(x.ID, "cat file"); got != "kept" {
		t.Errorf("the next command finds %q", got)
	}
	if err := s.KillSession(t.Context(), x.ID); err != nil {
		t.Fatal(err)
	}
	s.want(x.ID, api.SessionOver)
	for name, err := range map[string]error{
		"a command":  second(s.run(x.ID, api.ProcessSpec{Argv: []string{"true"}})),
		"a pause":    first(s.PauseSession(t.Context(), x.ID, api.PauseOptions{})),
		"a resume":   first(s.ResumeSession(t.Context(), x.ID)),
		"a fork":     first(s.ForkSession(t.Context(), x.ID, api.ForkOptions{})),
		"a change":   first(s.ChangeSession(t.Context(), x.ID, api.SessionChange{})),
		"a snapshot": first(s.NewSnapshot(t.Context(), x.ID, api.SnapshotOptions{})),
	} {
		if !errors.Is(err, api.SessionEnded) {
			t.Errorf("%s of a session that was killed: %v", name, err)
		}
	}
	if err := s.KillSession(t.Context(), x.ID); err != nil {
		t.Errorf("killed again: %v", err)
	}
	if err := s.KillSession(t.Context(), "nobody"); !errors.Is(err, api.NotFound) {
		t.Errorf("a session that there is not: %v", err)
	}
}

// TestUserOfTheImage: commands run as whom the image names, also after a pause.
func TestUserOfTheImage(t *testing.T) {
	s := newHome(t).open()
	for user, want := range map[string]string{"": "root", "daemon": "daemon", "daemon:staff": "daemon", "4321:1": "4321"} {
		x := s.create(api.SessionSpec{Image: api.ImageSpec{Name: user}, User: api.UserOfImage})
		if x.Spec.User != want {
			t.Errorf("the user of an image of %q is %q", user, x.Spec.User)
		}
		if got := s.sh(x.ID, "id -un 2>/dev/null || true"); got != want {
			t.Errorf("a command of an image of %q runs as %q", user, got)
		}
		if _, err := s.PauseSession(t.Context(), x.ID, api.PauseOptions{FilesOnly: true}); err != nil {
			t.Fatal(err)
		}
		if got := s.sh(x.ID, "id -un 2>/dev/null || true"); got != want {
			t.Errorf("after a pause it runs as %q", got)
		}
	}
}

func first[T any](_ T, err error) error          { return err }
func second[T, U any](_ T, _ U, err error) error { return err }

// TestFilesSurviveAPause: what was changed, made and removed.
func TestFilesSurviveAPause(t *testing.T) {
	s := newHome(t).open()
	x := s.create(api.SessionSpec{})
	s.sh(x.ID, "mkdir -p a/b && echo one > a/b/f && ln -s f a/b/link && chmod 600 a/b/f && head -c 5000000 /dev/urandom > big && sha256sum big > sum")
	if _, exit, err := s.run(x.ID, api.ProcessSpec{Argv: []string{"rm", "/etc/debian_version"}, User: "root"}); err != nil || exit.Status != 0 {
		t.Fatalf("%+v, %v", exit, err)
	}
	paused, err := s.PauseSession(t.Context(), x.ID, api.PauseOptions{FilesOnly: true, Reason: "a test"})
	if err != nil || paused.State != api.SessionPaused || paused.Saved < 5_000_000 || paused.Reason != "a test" {
		t.Fatalf("%+v, %v", paused, err)
	}
	if got := s.sh(x.ID, "sha256sum -c sum; cat a/b/link; stat -c '%a %u' a/b/f; ls /etc/debian_version 2>/dev/null || echo gone"); got != "big: OK\none\n600 1000\ngone" {
		t.Errorf("after the pause: %q", got)
	}
	if got := s.want(x.ID, api.SessionRunning); got.Saved != 0 || got.Reason != "" {
		t.Errorf("after it was resumed: %+v", got)
	}
}

// TestFailedPause: a pause that cannot be recorded leaves a session that runs.
func TestFailedPause(t *testing.T) {
	h := newHome(t)
	s := h.open()
	x := s.create(api.SessionSpec{})
	s.sh(x.ID, "echo kept > file; (while :; do date >> ticks; sleep 0.01; done) >/dev/null 2>&1 &")
	for _, state := range []api.SessionState{api.SessionPaused, api.SessionPausing} {
		h.journal.on.Store(state)
		if _, err := s.PauseSession(t.Context(), x.ID, api.PauseOptions{FilesOnly: true}); !errors.Is(err, errNoSpace) {
			t.Errorf("%s: %v", state, err)
		}
		h.journal.on.Store(api.SessionState(""))
		if got := s.sh(x.ID, "cat file; a=$(wc -l < ticks); until test $(wc -l < ticks) -gt $a; do sleep 0.05; done; echo on"); got != "kept\non" {
			t.Errorf("after a pause that failed at %s: %q", state, got)
		}
		s.want(x.ID, api.SessionRunning)
	}
	entries, err := os.ReadDir(h.dir)
	if err != nil || len(entries) != 0 {
		t.Errorf("saved states that nobody has: %v, %v", entries, err)
	}
}

// TestFailedResume: a session that cannot be resumed stays paused, with all of it.
func TestFailedResume(t *testing.T) {
	h := newHome(t)
	s := h.open()
	x := s.create(api.SessionSpec{})
	s.sh(x.ID, "echo kept > file")
	if _, err := s.PauseSession(t.Context(), x.ID, api.PauseOptions{FilesOnly: true}); err != nil {
		t.Fatal(err)
	}
	h.journal.on.Store(api.SessionRunning)
	if _, err := s.ResumeSession(t.Context(), x.ID); !errors.Is(err, errNoSpace) {
		t.Fatalf("%v", err)
	}
	h.journal.on.Store(api.SessionState(""))
	if got := s.want(x.ID, api.SessionPaused); got.Error == nil {
		t.Error("nothing says why it could not be resumed")
	}
	if got := s.sh(x.ID, "cat file"); got != "kept" {
		t.Errorf("%q", got)
	}
}

// TestDamagedState: a saved state that is not what was saved is refused, and kept.
func TestDamagedState(t *testing.T) {
	h := newHome(t)
	s := h.open()
	x := s.create(api.SessionSpec{})
	if _, err := s.PauseSession(t.Context(), x.ID, api.PauseOptions{FilesOnly: true}); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(h.dir)
	if err != nil || len(entries) != 1 {
		t.Fatalf("%v, %v", entries, err)
	}
	path := filepath.Join(h.dir, entries[0].Name())
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, append(content, 0), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := s.ResumeSession(t.Context(), x.ID); !errors.Is(err, api.StorageCorrupt) {
		t.Errorf("%v", err)
	}
	s.want(x.ID, api.SessionPaused)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	s.sh(x.ID, "true")
}

// TestCycles: a tree that grows over many pauses loses nothing.
func TestCycles(t *testing.T) {
	s := newHome(t).open()
	x := s.create(api.SessionSpec{})
	const cycles = 15
	for i := range cycles {
		s.sh(x.ID, fmt.Sprintf("mkdir -p d%d && head -c %d /dev/urandom > d%d/f && sha256sum d%d/f >> sums", i, 1000*(i+1), i, i))
		if _, err := s.PauseSession(t.Context(), x.ID, api.PauseOptions{FilesOnly: true}); err != nil {
			t.Fatal(err)
		}
	}
	if got := s.sh(x.ID, "sha256sum -c sums | grep -c OK; ls -d d* | wc -l"); got != fmt.Sprintf("%d\n%d", cycles, cycles) {
		t.Errorf("%q", got)
	}
}

// TestForks: they begin with what the session has, and go their own ways.
func TestForks(t *testing.T) {
	s := newHome(t).open()
	x := s.create(api.SessionSpec{Labels: map[string]string{"a": "1"}})
	s.sh(x.ID, "echo parent > file")
	forks, err := s.ForkSession(t.Context(), x.ID, api.ForkOptions{Count: 3, FilesOnly: true, Labels: map[string]string{"b": "2"}})
	if err != nil || len(forks) != 3 {
		t.Fatalf("%+v, %v", forks, err)
	}
	for i, f := range forks {
		if f.Error != nil {
			t.Fatal(f.Error)
		}
		if got := s.sh(f.Session.ID, fmt.Sprintf("cat file; echo %d > file", i)); got != "parent" {
			t.Errorf("fork %d begins with %q", i, got)
		}
		if f.Session.Parent != x.ID || f.Session.Spec.Labels["a"] != "1" || f.Session.Spec.Labels["b"] != "2" {
			t.Errorf("fork %d: %+v", i, f.Session)
		}
	}
	for i, f := range forks {
		if got := s.sh(f.Session.ID, "cat file"); got != fmt.Sprint(i) {
			t.Errorf("fork %d has %q", i, got)
		}
	}
	if got := s.sh(x.ID, "cat file"); got != "parent" {
		t.Errorf("the session has %q", got)
	}
	for _, count := range []int{-1, api.MaxForks + 1} {
		if _, err := s.ForkSession(t.Context(), x.ID, api.ForkOptions{Count: count}); !errors.Is(err, api.RequestInvalid) {
			t.Errorf("%d forks: %v", count, err)
		}
	}
}

// TestSnapshots: they outlive their session, and a name leads to the newest.
func TestSnapshots(t *testing.T) {
	h := newHome(t)
	s := h.open()
	x := s.create(api.SessionSpec{Env: map[string]string{"A": "1"}})
	s.sh(x.ID, "echo one > file")
	old, err := s.NewSnapshot(t.Context(), x.ID, api.SnapshotOptions{Name: "work/state:1"})
	if err != nil {
		t.Fatal(err)
	}
	s.sh(x.ID, "echo two > file")
	if _, err := s.NewSnapshot(t.Context(), x.ID, api.SnapshotOptions{Name: "work/state:1"}); err != nil {
		t.Fatal(err)
	}
	if err := s.KillSession(t.Context(), x.ID); err != nil {
		t.Fatal(err)
	}
	for ref, want := range map[string]string{old.ID: "one 1", "work/state:1": "two 1"} {
		y := s.create(api.SessionSpec{Snapshot: ref})
		if got := s.sh(y.ID, "echo $(cat file) $A"); got != want {
			t.Errorf("%s begins with %q, want %q", ref, got, want)
		}
		if err := s.KillSession(t.Context(), y.ID); err != nil {
			t.Fatal(err)
		}
	}
	for _, ref := range []string{old.ID, "work/state:1"} {
		if err := s.RemoveSnapshot(t.Context(), ref); err != nil {
			t.Error(err)
		}
	}
	if entries, err := os.ReadDir(h.dir); err != nil || len(entries) != 0 {
		t.Errorf("saved states that nobody has: %v, %v", entries, err)
	}
	if _, err := s.NewSession(t.Context(), api.SessionSpec{Snapshot: old.ID}); !errors.Is(err, api.NotFound) {
		t.Errorf("a snapshot that was removed: %v", err)
	}
}

// TestAtOnce: whatever is asked at the same time, a session is in one state, and
// nothing is lost.
func TestAtOnce(t *testing.T) {
	s := newHome(t).open()
	x := s.create(api.SessionSpec{})
	s.sh(x.ID, "mkdir d")
	var all sync.WaitGroup
	for i := range 12 {
		all.Go(func() {
			out, exit, err := s.run(x.ID, api.ProcessSpec{Argv: []string{"/bin/sh", "-c", fmt.Sprintf("echo %d > d/%d; sync", i, i)}})
			if err != nil && !errors.Is(err, api.Conflict) { // it was paused under it
				t.Errorf("command %d: %q, %+v, %v", i, out, exit, err)
			}
		})
		if i%4 == 0 {
			all.Go(func() {
				if _, err := s.PauseSession(t.Context(), x.ID, api.PauseOptions{FilesOnly: true}); err != nil && !errors.Is(err, api.Conflict) {
					t.Errorf("pause: %v", err)
				}
			})
			all.Go(func() {
				if _, err := s.ResumeSession(t.Context(), x.ID); err != nil {
					t.Errorf("resume: %v", err)
				}
			})
		}
	}
	all.Wait()
	s.sh(x.ID, "true")
	s.want(x.ID, api.SessionRunning)
	var before int64
	for e, err := range s.SessionEvents(t.Context(), x.ID, 0, false) {
		if err != nil || e.Seq != before+1 {
			t.Errorf("event %+v after %d, %v", e, before, err)
		}
		before = e.Seq
	}
}

// TestWrongSpecs: what is wrong is named.
func TestWrongSpecs(t *testing.T) {
	s := newHome(t).open()
	for field, spec := range map[string]api.SessionSpec{
		"timeout":          {Timeout: -1},
		"idle":             {Idle: time.Millisecond},
		"at_end":           {AtEnd: "explode"},
		"labels":           {Labels: map[string]string{"": "x"}},
		"dir":              {Dir: "relative"},
		"user":             {User: "a\nb"},
		"snapshot":         {Snapshot: "../x"},
		"resources.memory": {Resources: api.Resources{Memory: 1}},
		"env":              {Env: map[string]string{"A=B": "x"}},
	} {
		_, err := s.NewSession(t.Context(), spec)
		var e *api.Error
		if !errors.As(err, &e) || !strings.HasPrefix(e.Details.Field, field) {
			t.Errorf("%s: %v", field, err)
		}
	}
	page, err := s.Sessions(t.Context(), api.SessionQuery{})
	if err != nil || len(page.Sessions) != 0 {
		t.Errorf("sessions were made: %+v, %v", page, err)
	}
}

// TestUsage: what a session uses is seen, its disk included.
func TestUsage(t *testing.T) {
	s := newHome(t).open()
	x := s.create(api.SessionSpec{})
	s.sh(x.ID, "head -c 3000000 /dev/zero > file")
	var samples []api.UsageSample
	for range 100 { // where nothing counts it, what is used is seen from time to time
		var err error
		if samples, err = s.SessionUsage(t.Context(), x.ID, time.Time{}, time.Time{}); err != nil || len(samples) == 0 {
			t.Fatalf("%+v, %v", samples, err)
		}
		if u := samples[len(samples)-1]; u.CPU > 0 && u.Memory > 0 {
			break
		}
		s.sh(x.ID, "sleep 0.1")
	}
	if u := samples[len(samples)-1]; u.Disk < 3_000_000 || u.Memory == 0 || u.CPU == 0 || u.MemoryLimit != api.DefaultMemory || u.DiskLimit != api.DefaultDisk {
		t.Errorf("%+v", u)
	}
	if samples, err := s.SessionUsage(t.Context(), x.ID, time.Now().Add(time.Hour), time.Time{}); err != nil || len(samples) != 0 {
		t.Errorf("samples of the future: %+v, %v", samples, err)
	}
}

// TestFollowerOfAPause: whoever follows a process learns that the session was paused,
// also if it runs again: the number may be that of another process then.
func TestFollowerOfAPause(t *testing.T) {
	s := newHome(t).open()
	x := s.create(api.SessionSpec{})
	for e, err := range s.StartProcess(t.Context(), x.ID, api.ProcessSpec{Argv: []string{"sleep", "60"}}) {
		if err != nil {
			if !errors.Is(err, api.Conflict) {
				t.Errorf("%v", err)
			}
			break
		}
		if e.Type != api.ProcessStarted {
			t.Fatalf("%+v", e)
		}
		if _, err := s.PauseSession(t.Context(), x.ID, api.PauseOptions{FilesOnly: true}); err != nil {
			t.Fatal(err)
		}
		s.start(x.ID, "sleep", "60")
	}
}
