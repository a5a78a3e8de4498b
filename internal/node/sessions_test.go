package node_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/denied"
	"github.com/glovebox-dev/glovebox/internal/node"
	"github.com/glovebox-dev/glovebox/internal/server"
	"github.com/glovebox-dev/glovebox/internal/servicetest"
)

// service has sessions, and nothing else.
type service struct {
	nothing
	sessions
}

type sessions = api.Sessions // under another name than that of its method

type nothing struct{ denied.Service }

var (
	key      = []byte("what all nodes have")
	errMoved = errors.New("it has moved")
)

// holding starts the node "a", which holds sessions, and returns what it registered.
func holding(t *testing.T, sessions api.Sessions) (node.Peer, *httptest.Server) {
	t.Helper()
	s, err := server.New(server.Config{
		Service:   service{sessions: &node.Sessions{Local: sessions, Asked: server.FromNode, Moved: moved, Holder: elsewhere}},
		TokenHash: server.HashToken("of the users, which no node needs"),
		Node:      func(token string) (bool, bool) { return node.Judge(key, "a", token) },
	})
	if err != nil {
		t.Fatal(err)
	}
	web := httptest.NewTLSServer(s.Handler())
	t.Cleanup(func() {
		web.CloseClientConnections()
		web.Close()
	})
	return node.Peer{ID: "a", Host: "one", Address: web.URL, Certificate: node.Fingerprint(web.Certificate().Raw), SameMachine: true}, web
}

func moved(err error) bool { return errors.Is(err, errMoved) }

// elsewhere names a node that must not be asked.
func elsewhere(context.Context, string) (*node.Peer, error) {
	return nil, errors.New("a node that was asked by another one asks a further one")
}

// asking is a node that asks another one for every session.
func asking(t *testing.T, local api.Sessions, peer node.Peer) *node.Sessions {
	t.Helper()
	pool := node.NewPool(key)
	t.Cleanup(pool.Close)
	return &node.Sessions{
		Local: local, Pool: pool, Asked: server.FromNode, Moved: moved,
		Holder: func(context.Context, string) (*node.Peer, error) { return &peer, nil },
	}
}

// TestSessionsOfAnotherNode judges what a node answers of sessions that another one has.
func TestSessionsOfAnotherNode(t *testing.T) {
	servicetest.RunSessions(t, func(t *testing.T) api.Sessions {
		kept := servicetest.NewFakeSessions()
		peer, _ := holding(t, kept)
		return asking(t, kept, peer)
	})
}

func wants(t *testing.T, what string, err error, code api.Code, text string) {
	t.Helper()
	if e, ok := api.FindError(err); !ok || e.Code != code || !strings.Contains(e.Message, text) {
		t.Errorf("%s: got %v, want %s with %q", what, err, code, text)
	}
}

// TestStrangers: a node is asked only if what answers is that node, and lets in nodes
// only, for sessions only.
func TestStrangers(t *testing.T) {
	kept := servicetest.NewFakeSessions()
	made, err := kept.NewSession(t.Context(), api.SessionSpec{})
	if err != nil {
		t.Fatal(err)
	}
	peer, web := holding(t, kept)
	for what, test := range map[string]struct {
		change func(*node.Peer)
		text   string
	}{
		"another certificate": {func(p *node.Peer) { p.Certificate = node.Fingerprint([]byte("another")) }, "another certificate"},
		"another lease":       {func(p *node.Peer) { p.ID = "b" }, "another name"},
		"another machine":     {func(p *node.Peer) { p.SameMachine = false }, "only its own machine reaches"},
		"no address":          {func(p *node.Peer) { p.Address = "" }, "no address"},
		"nobody there":        {func(p *node.Peer) { p.Address = "https://127.0.0.1:1" }, "does not answer"},
		"no address at all":   {func(p *node.Peer) { p.Address = "ftp://127.0.0.1:1" }, "cannot be used"},
	} {
		p := peer
		test.change(&p)
		_, err := asking(t, kept, p).Processes(t.Context(), made.ID)
		wants(t, what, err, api.ServerUnavailable, test.text)
	}
	for what, test := range map[string]struct {
		token, path string
		status      int
	}{
		"a node":           {node.Token(key, "a"), "/v1/sessions/" + made.ID + "/processes", http.StatusOK},
		"for another node": {node.Token(key, "b"), "/v1/sessions/" + made.ID + "/processes", http.StatusUnauthorized},
		"of another key":   {node.Token([]byte("guessed"), "a"), "/v1/sessions/" + made.ID + "/processes", http.StatusUnauthorized},
		"without a name":   {node.Token(key, ""), "/v1/sessions/" + made.ID + "/processes", http.StatusUnauthorized},
		"for secrets":      {node.Token(key, "a"), "/v1/secrets", http.StatusUnauthorized},
		"for runs":         {node.Token(key, "a"), "/v1/runs", http.StatusUnauthorized},
		"as a page":        {node.Token(key, "a"), "/v1/sessions/" + made.ID + "/ports/80/proxy/", http.StatusNotFound},
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, web.URL+test.path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+test.token)
		resp, err := web.Client().Do(r)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != test.status {
			t.Errorf("%s: status %d, want %d", what, resp.StatusCode, test.status)
		}
	}
}

// withPort returns sessions, and one of them that listens on port 80.
func withPort(t *testing.T) (*servicetest.FakeSessions, *api.Session) {
	t.Helper()
	echo, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { echo.Close() })
	kept := servicetest.NewFakeSessions()
	kept.Listen(80, echo.Addr().String())
	made, err := kept.NewSession(t.Context(), api.SessionSpec{})
	if err != nil {
		t.Fatal(err)
	}
	return kept, made
}

// TestNodeGone: what is under way with a node ends, with an error that says so, when its
// lease is over, also if its connections stand.
func TestNodeGone(t *testing.T) {
	kept, made := withPort(t)
	peer, _ := holding(t, kept)
	s := asking(t, kept, peer)
	conn, err := s.DialPort(t.Context(), made.ID, 80)
	if err != nil {
		t.Fatal(err)
	}
	var last error
	for e, err := range s.StartProcess(t.Context(), made.ID, api.ProcessSpec{Argv: []string{"sleep", "3600"}}) {
		if e.Type == api.ProcessStarted {
			s.Pool.Forget(func(id string) bool { return id != "a" })
		}
		last = err
	}
	wants(t, "a command", last, api.ServerUnavailable, "is gone")
	if _, err := conn.Read(make([]byte, 1)); err == nil {
		t.Error("a connection to a port goes on")
	}
	s.Pool.Close()
	_, err = s.Processes(t.Context(), made.ID)
	wants(t, "after the end", err, api.ServerUnavailable, "closing")
}

// TestPortClosed: who closes a port ends the connections that other nodes carry to it.
func TestPortClosed(t *testing.T) {
	kept, made := withPort(t)
	peer, _ := holding(t, kept)
	first, second := asking(t, kept, peer), asking(t, kept, peer)
	if _, err := first.OpenPort(t.Context(), made.ID, 80, api.PortOptions{}); err != nil {
		t.Fatal(err)
	}
	conn, err := first.DialPort(t.Context(), made.ID, 80)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := second.ClosePort(t.Context(), made.ID, 80); err != nil {
		t.Fatal(err)
	}
	if _, err := conn.Read(make([]byte, 1)); err == nil {
		t.Error("the connection goes on")
	}
}

// moving says some times that the session is elsewhere.
type moving struct {
	*servicetest.FakeSessions
	times int
}

func (m *moving) away() error {
	if m.times--; m.times >= 0 {
		return api.Errorf(api.Conflict, "session x: %w", errMoved)
	}
	return nil
}

func (m *moving) Processes(context.Context, string) ([]api.Process, error) { return nil, m.away() }

func (m *moving) StartProcess(context.Context, string, api.ProcessSpec) iter.Seq2[api.ProcessEvent, error] {
	return func(yield func(api.ProcessEvent, error) bool) {
		yield(api.ProcessEvent{Type: api.ProcessExited}, m.away())
	}
}

// TestMoved: a session that another node takes in between is looked for again, a few
// times. A node that was asked by another one does not look for it.
func TestMoved(t *testing.T) {
	for _, test := range []struct {
		times int
		ends  api.Code
	}{{0, ""}, {2, ""}, {3, api.Conflict}} {
		lookups, m := 0, &moving{times: test.times}
		s := &node.Sessions{
			Local: m, Asked: server.FromNode, Moved: moved,
			Holder: func(context.Context, string) (*node.Peer, error) { lookups++; return nil, nil },
		}
		_, err := s.Processes(t.Context(), "x")
		if code := codeOf(err); code != test.ends || lookups != min(test.times+1, 3) {
			t.Errorf("moved %d times: %v after %d lookups", test.times, err, lookups)
		}
		m.times = test.times
		for e, err := range s.StartProcess(t.Context(), "x", api.ProcessSpec{}) {
			if codeOf(err) != test.ends || err == nil && e.Type != api.ProcessExited {
				t.Errorf("a stream, moved %d times: %+v, %v", test.times, e, err)
			}
		}
	}
	m := &moving{times: 100}
	peer, _ := holding(t, m)
	_, err := asking(t, m, peer).Processes(t.Context(), "x")
	wants(t, "asked by a node", err, api.ServerUnavailable, "moved to another node")
}

func codeOf(err error) api.Code {
	if err == nil {
		return ""
	}
	return api.AsError(err).Code
}

// TestCancel: who gives a request up ends it at the other node too.
func TestCancel(t *testing.T) {
	kept := servicetest.NewFakeSessions()
	made, err := kept.NewSession(t.Context(), api.SessionSpec{})
	if err != nil {
		t.Fatal(err)
	}
	left := make(chan error, 1)
	peer, _ := holding(t, &watched{FakeSessions: kept, left: left})
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	for _, err := range asking(t, kept, peer).FollowProcess(ctx, made.ID, api.ProcessRef{PID: 1}, 0) {
		if err == nil {
			cancel(fmt.Errorf("enough"))
			continue
		}
		wants(t, "given up", err, api.Canceled, "enough")
	}
	select {
	case <-left:
	case <-time.After(time.Minute):
		t.Error("the other node goes on")
	}
}

// watched follows a command until its client leaves.
type watched struct {
	*servicetest.FakeSessions
	left chan error
}

func (w *watched) FollowProcess(ctx context.Context, _ string, _ api.ProcessRef, _ int64) iter.Seq2[api.ProcessEvent, error] {
	return func(yield func(api.ProcessEvent, error) bool) {
		yield(api.ProcessEvent{Type: api.ProcessStarted, PID: 1}, nil)
		<-ctx.Done()
		w.left <- ctx.Err()
	}
}
