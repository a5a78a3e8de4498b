package realtest

import (
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
)

// connect opens a connection to the proxy of a cell.
const connect = `python3 -c '
import os, socket
host, port = os.environ["http_proxy"].split("//")[1].strip("/").rsplit(":", 1)
print(socket.create_connection((host, int(port))).recv(100).decode())'`

// TestConnections: they are on record while the session runs, while it is paused, in the
// process that continues it, and after its end; another one has its own.
func TestConnections(t *testing.T) {
	h := newHome(t)
	s := h.open()
	x := s.create(api.SessionSpec{Network: api.Network{Public: true}})
	other := s.create(api.SessionSpec{})
	has := func(s sessions, id string, want int) {
		t.Helper()
		made, err := s.SessionConnections(t.Context(), id)
		if err != nil || len(made) != want {
			t.Fatalf("%d connections, wanted %d: %v", len(made), want, err)
		}
		for _, one := range made {
			if one.Host != "a.org" || one.Port != 443 || !one.Allowed || one.BytesIn != 7 {
				t.Errorf("%+v", one)
			}
		}
	}
	has(s, x.ID, 0)
	for range 2 {
		if out := s.sh(x.ID, connect); !strings.Contains(out, "public=true") {
			t.Fatal(out)
		}
	}
	has(s, x.ID, 2)
	has(s, other.ID, 0)
	if _, err := s.PauseSession(t.Context(), x.ID, api.PauseOptions{FilesOnly: true}); err != nil {
		t.Fatal(err)
	}
	has(s, x.ID, 2)
	if err := s.KillSession(t.Context(), other.ID); err != nil {
		t.Fatal(err)
	}
	next := h.open()
	has(next, x.ID, 2)
	next.sh(x.ID, connect)
	has(next, x.ID, 3)
	if err := next.KillSession(t.Context(), x.ID); err != nil {
		t.Fatal(err)
	}
	has(next, x.ID, 3)
	if _, err := next.SessionConnections(t.Context(), "absent"); !strings.Contains(err.Error(), "no session") {
		t.Error(err)
	}
	if err := next.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	has(next, x.ID, 3)
}
