package realtest

import (
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
)

// TestHosts: localhost and the name of the cell are known without a resolver, and what
// an image or its user has written of localhost stays.
func TestHosts(t *testing.T) {
	s := newHome(t).open()
	x := s.create(api.SessionSpec{})
	const look = "import socket\nfor name in ('localhost', socket.gethostname()): print({a[4][0] for a in socket.getaddrinfo(name, 80, socket.AF_INET)})"
	if got := printed(s.code(x.ID, api.CodeRequest{Code: look})); got != "{'127.0.0.1'}\n{'127.0.1.1'}" {
		t.Errorf("names of the loopback: %s", got)
	}
	const serve = "import urllib.request, http.server, threading\nsrv = http.server.HTTPServer(('127.0.0.1', 8080), http.server.SimpleHTTPRequestHandler)\n" +
		"threading.Thread(target=srv.serve_forever, daemon=True).start()\nprint(urllib.request.build_opener(urllib.request.ProxyHandler({})).open('http://localhost:8080').status)"
	if got := printed(s.code(x.ID, api.CodeRequest{Code: serve})); !strings.Contains(got, "200") {
		t.Errorf("a server of localhost: %s", got)
	}
	forks, err := s.ForkSession(t.Context(), x.ID, api.ForkOptions{Count: 1})
	if err != nil || forks[0].Error != nil {
		t.Fatalf("%+v, %v", forks, err)
	}
	if got := printed(s.code(forks[0].Session.ID, api.CodeRequest{Code: look})); got != "{'127.0.0.1'}\n{'127.0.1.1'}" {
		t.Errorf("names in a fork: %s", got)
	}
	const own = "10.1.1.1 localhost"
	if _, exit, err := s.run(x.ID, api.ProcessSpec{Argv: []string{"sh", "-c", "echo " + own + " >/etc/hosts"}, User: "root"}); err != nil || exit.Status != 0 {
		t.Fatalf("%+v, %v", exit, err)
	}
	if _, err := s.PauseSession(t.Context(), x.ID, api.PauseOptions{FilesOnly: true}); err != nil {
		t.Fatal(err)
	}
	if got := s.sh(x.ID, "cat /etc/hosts"); got != own {
		t.Errorf("what a user wrote became %q", got)
	}
}
