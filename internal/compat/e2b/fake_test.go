package e2b

import (
	"bytes"
	"context"
	"io"
	"iter"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// rest is what no test here asks for.
type rest = api.Sessions

// fakeSessions is a service with files in memory, and with commands that do what
// their first argument says.
type fakeSessions struct {
	rest

	mu       sync.Mutex
	made     []*fakeSession
	ports    map[int]string // where servers of the sessions are
	writes   []api.WriteOptions
	commands []api.ProcessSpec
	code     []api.CodeRequest
	changes  []api.SessionChange
}

type fakeSession struct {
	api.Session
	files map[string]string // a directory is a path that ends in a slash
	ended chan struct{}
}

func gone(id string) error { return api.Errorf(api.NotFound, "there is no session %s", id) }

func (f *fakeSessions) find(id string) (*fakeSession, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, s := range f.made {
		if s.ID == id {
			return s, nil
		}
	}
	return nil, gone(id)
}

func (f *fakeSessions) NewSession(_ context.Context, spec api.SessionSpec) (*api.Session, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	s := &fakeSession{
		Session: api.Session{
			ID: "sandbox" + strings.Repeat("x", len(f.made)), State: api.SessionRunning, Spec: spec, Created: time.Now(), Ends: time.Now().Add(spec.Timeout),
		},
		files: map[string]string{"/home/user/": ""}, ended: make(chan struct{}),
	}
	f.made = append(f.made, s)
	session := s.Session
	return &session, nil
}

func (f *fakeSessions) Session(_ context.Context, id string) (*api.Session, error) {
	s, err := f.find(id)
	if err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	session := s.Session
	return &session, nil
}

func (f *fakeSessions) Sessions(_ context.Context, q api.SessionQuery) (api.SessionPage, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var page api.SessionPage
	for _, s := range slices.Backward(f.made) {
		if !slices.Contains(q.State, s.State) || s.Created.Before(q.Since) {
			continue
		}
		has := maps.Clone(s.Spec.Labels)
		maps.Copy(has, q.Labels)
		if maps.Equal(has, s.Spec.Labels) {
			page.Sessions = append(page.Sessions, s.Session)
		}
	}
	if q.Cursor != "" {
		page.Sessions = page.Sessions[1:]
	}
	if q.Limit == 1 && len(page.Sessions) > 1 {
		page.Sessions, page.Next = page.Sessions[:1], "second"
	}
	return page, nil
}

func (f *fakeSessions) set(id string, state api.SessionState) (*api.Session, error) {
	s, err := f.find(id)
	if err != nil {
		return nil, err
	}
	f.mu.Lock()
	s.State = state
	f.mu.Unlock()
	return f.Session(context.Background(), id)
}

func (f *fakeSessions) KillSession(_ context.Context, id string) error {
	if _, err := f.set(id, api.SessionOver); err != nil {
		return err
	}
	s, err := f.find(id)
	close(s.ended)
	return err
}

func (f *fakeSessions) PauseSession(_ context.Context, id string, _ api.PauseOptions) (*api.Session, error) {
	return f.set(id, api.SessionPaused)
}

func (f *fakeSessions) ResumeSession(_ context.Context, id string) (*api.Session, error) {
	return f.set(id, api.SessionRunning)
}

func (f *fakeSessions) ChangeSession(ctx context.Context, id string, c api.SessionChange) (*api.Session, error) {
	s, err := f.find(id)
	if err != nil {
		return nil, err
	}
	f.mu.Lock()
	f.changes = append(f.changes, c)
	if c.Ends != nil {
		s.Ends = *c.Ends
	}
	f.mu.Unlock()
	return f.Session(ctx, id)
}

func (f *fakeSessions) Snapshot(_ context.Context, ref string) (*api.Snapshot, error) {
	if ref == "kept" || ref == "named:default" {
		return &api.Snapshot{ID: "kept"}, nil
	}
	return nil, api.Errorf(api.NotFound, "there is no snapshot %s", ref)
}

func (f *fakeSessions) SessionUser(_ context.Context, _, name string) (*api.User, error) {
	if name == "root" {
		return &api.User{Name: name, Home: "/root"}, nil
	}
	return nil, api.Errorf(api.NotFound, "there is no user %s", name)
}

func output(data string) api.ProcessEvent {
	return api.ProcessEvent{Type: api.ProcessOutput, Stream: "stdout", Data: []byte(data)}
}

func exited(x api.ProcessExit) api.ProcessEvent {
	return api.ProcessEvent{Type: api.ProcessExited, Exit: &x}
}

func (f *fakeSessions) StartProcess(ctx context.Context, id string, spec api.ProcessSpec) iter.Seq2[api.ProcessEvent, error] {
	f.mu.Lock()
	f.commands = append(f.commands, spec)
	f.mu.Unlock()
	return func(yield func(api.ProcessEvent, error) bool) {
		s, err := f.find(id)
		if err != nil || !yield(api.ProcessEvent{Type: api.ProcessStarted, PID: 7}, nil) {
			return
		}
		switch spec.Argv[0] {
		case "hello":
			_ = yield(output("hello"), nil) && yield(exited(api.ProcessExit{}), nil)
		case "killed":
			yield(exited(api.ProcessExit{Code: -1, Signal: "SIGKILL", Status: 137}), nil)
		case "slow":
			yield(exited(api.ProcessExit{Code: -1, Signal: "SIGKILL", Status: 137, TimedOut: true}), nil)
		case "endless":
			select {
			case <-s.ended:
				yield(api.ProcessEvent{}, api.Errorf(api.SessionEnded, "session %s has ended", id))
			case <-ctx.Done():
			}
		}
	}
}

func (f *fakeSessions) started() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.commands)
}

func (f *fakeSessions) SignalProcess(_ context.Context, _ string, p api.ProcessRef, _ string, _ bool) error {
	if p.PID != 7 {
		return api.Errorf(api.NotFound, "there is no process %d", p.PID)
	}
	return nil
}

func absolute(name string) string {
	return path.Join("/home/user", "/"+strings.TrimPrefix(name, "/home/user"))
}

func (f *fakeSessions) StatFile(_ context.Context, id, name string, _ api.FileOptions) (*api.FileInfo, error) {
	s, err := f.find(id)
	if err != nil {
		return nil, err
	}
	name = absolute(name)
	if _, ok := s.files[name+"/"]; ok {
		return &api.FileInfo{Path: name, Type: api.TypeDir, Mode: 0o755, Owner: "user"}, nil
	}
	content, ok := s.files[name]
	if !ok {
		return nil, api.Errorf(api.NotFound, "%s is not there", name)
	}
	return &api.FileInfo{Path: name, Type: api.TypeFile, Size: int64(len(content)), Mode: 0o644, Owner: "user", Attributes: map[string]string{"e2b.k": "v", "other": "w"}}, nil
}

func (f *fakeSessions) MakeDir(ctx context.Context, id, name string, o api.FileOptions) (*api.FileInfo, error) {
	if _, err := f.StatFile(ctx, id, name, o); err == nil {
		return nil, api.Errorf(api.Conflict, "%s is there", name)
	}
	s, err := f.find(id)
	if err != nil {
		return nil, err
	}
	s.files[absolute(name)+"/"] = ""
	return f.StatFile(ctx, id, name, o)
}

func (f *fakeSessions) ReadFile(ctx context.Context, id, name string, offset, _ int64, o api.FileOptions) (io.ReadCloser, *api.FileInfo, error) {
	info, err := f.StatFile(ctx, id, name, o)
	if err != nil {
		return nil, nil, err
	}
	s, err := f.find(id)
	return io.NopCloser(strings.NewReader(s.files[info.Path][offset:])), info, err
}

func (f *fakeSessions) WriteFile(ctx context.Context, id, name string, content io.Reader, o api.WriteOptions) (*api.FileInfo, error) {
	s, err := f.find(id)
	if err != nil {
		return nil, err
	}
	if info, err := f.StatFile(ctx, id, name, o.FileOptions); err == nil && info.Type == api.TypeDir {
		return nil, api.Errorf(api.RequestInvalid, "%s is a directory", name)
	}
	text, err := io.ReadAll(content)
	if err != nil {
		return nil, err
	}
	s.files[absolute(name)] = string(text)
	f.writes = append(f.writes, o)
	return f.StatFile(ctx, id, name, o.FileOptions)
}

func (f *fakeSessions) RemoveFile(_ context.Context, id, name string, _ api.FileOptions) error {
	s, err := f.find(id)
	if err == nil {
		delete(s.files, absolute(name))
	}
	return err
}

func (f *fakeSessions) WatchFiles(ctx context.Context, _, _ string, _ bool, _ api.FileOptions) iter.Seq2[api.FileEvent, error] {
	return func(yield func(api.FileEvent, error) bool) {
		for _, e := range []api.FileEvent{{Type: api.FilesWatched}, {Type: api.FileCreated, Path: "new"}, {Type: api.FilesOverflow}} {
			if !yield(e, nil) {
				return
			}
		}
		<-ctx.Done()
	}
}

func (f *fakeSessions) DialPort(ctx context.Context, _ string, port int) (net.Conn, error) {
	address, ok := f.ports[port]
	if !ok {
		return nil, api.Errorf(api.NotFound, "nothing listens on port %d", port)
	}
	return (&net.Dialer{}).DialContext(ctx, "tcp", address)
}

func (f *fakeSessions) RunCode(_ context.Context, _ string, r api.CodeRequest) iter.Seq2[api.CodeEvent, error] {
	f.code = append(f.code, r)
	return func(yield func(api.CodeEvent, error) bool) {
		if r.Context == "unknown" {
			yield(api.CodeEvent{}, api.Errorf(api.NotFound, "there is no context unknown"))
			return
		}
		for _, e := range []api.CodeEvent{
			{Type: api.CodeStarted, Count: 1},
			{Type: api.CodeStdout, Text: "1\n"},
			{Type: api.CodeResult, Main: true, Data: map[string]raw{"text/plain": raw(`"'a'"`), "image/png": raw(`"iVBO"`), api.MIMETable: raw(`{"x":[1]}`), "x/y": raw(`1`)}},
			{Type: api.CodeError, Error: &api.CodeFailure{Name: "NameError", Value: "x"}},
			{Type: api.CodeEnded},
		} {
			if !yield(e, nil) {
				return
			}
		}
	}
}

// client asks a face, as a client with the token of its server.
type client struct {
	t        *testing.T
	sessions *fakeSessions
	images   *fakeImages
	face     *Face
	server   *httptest.Server
}

func newClient(t *testing.T) *client {
	sessions := &fakeSessions{ports: map[int]string{}}
	images := &fakeImages{}
	face, err := New(Config{Sessions: sessions, Images: images, Blobs: images, Key: []byte("a key of a test")})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !face.Claims(r, false) {
			t.Errorf("%s %s is not claimed", r.Method, r.URL)
		}
		face.Serve(w, r, face.APIKey(r) == "right")
	}))
	t.Cleanup(server.Close)
	return &client{t, sessions, images, face, server}
}

// ask sends a request, and returns the answer with its body. A header is a name and
// a value.
func (c *client) ask(method, target, body string, header ...string) (*http.Response, string) {
	c.t.Helper()
	r, err := http.NewRequest(method, c.server.URL+target, strings.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	r.Header.Set("X-Api-Key", "right")
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	if host := r.Header.Get("Host"); host != "" {
		r.Host = host
	}
	answer, err := (&http.Transport{DisableCompression: true}).RoundTrip(r)
	if err != nil {
		c.t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		text = append(text, []byte(" BROKEN")...)
	}
	return answer, string(bytes.TrimSpace(text))
}

// made makes a sandbox, and returns its id and the header of requests to it.
func (c *client) made(body string) (id string, header []string) {
	c.t.Helper()
	answer, text := c.ask("POST", "/v2/sandboxes", body)
	if answer.StatusCode != http.StatusCreated {
		c.t.Fatalf("create: %d %s", answer.StatusCode, text)
	}
	s := decoded[sandbox](c.t, text)
	return s.SandboxID, []string{"E2b-Sandbox-Id", s.SandboxID, "X-Access-Token", s.EnvdAccessToken}
}
