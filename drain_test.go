//go:build linux

package glovebox_test

import (
	"bufio"
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
)

// TestServerDrains: after the first signal a server still answers, reports that
// it is not ready, and names what it waits for; after the second it interrupts
// that.
func TestServerDrains(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for runs to end: run without -short")
	}
	bin, dir := buildProgram(t), shortDir(t)
	socket := filepath.Join(dir, "socket")
	cmd := exec.CommandContext(t.Context(), filepath.Join(bin, "glovebox"), "serve", "--listen", "unix:"+socket, "--drain", "1h")
	cmd.Env = append(os.Environ(), "GLOVEBOX_HOME="+filepath.Join(dir, "home"))
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	said := bufio.NewScanner(stderr)
	waitForLine(t, said, "listening on")
	server := serverProcess{address: socket, cmd: cmd}
	id := startEndless(t, server)
	server.signal(t, syscall.SIGTERM)
	waitForLine(t, said, id+" (endless)")
	dialer := func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", socket)
	}
	web := &http.Client{Transport: &http.Transport{DialContext: dialer}}
	for path, want := range map[string]int{"/readyz": 503, "/healthz": 200, "/v1/runs/" + id: 200} {
		answer, err := web.Get("http://localhost" + path)
		if err != nil {
			t.Fatal(err)
		}
		if answer.Body.Close(); answer.StatusCode != want {
			t.Errorf("%s is %s", path, answer.Status)
		}
	}
	server.signal(t, syscall.SIGTERM)
	waitForLine(t, said, "interrupting")
	for said.Scan() {
	}
	if err := errors.Join(said.Err(), cmd.Wait()); err != nil {
		t.Error(err)
	}
	next := attachedHome{bin, dir}.serve(t, nil, "--listen", "unix:"+socket, "--drain", "0")
	var began int
	for event, err := range dial(t, "unix://"+socket, "").Attach(id).Events(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if event.Kind == api.EventStarted {
			began++
		}
		if began == 2 { // the next server resumes it
			break
		}
	}
	next.signal(t, syscall.SIGTERM)
	next.checkEnd(t)
}

// waitForLine reads lines until one holds text.
func waitForLine(t *testing.T, lines *bufio.Scanner, text string) {
	t.Helper()
	for lines.Scan() {
		if strings.Contains(lines.Text(), text) {
			return
		}
	}
	t.Fatalf("it never said %q: %v", text, lines.Err())
}
