package server

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestHandedConnections: a client of a listener of handed connections needs no
// token, is not the user of the host, and calls the server by its name.
func TestHandedConnections(t *testing.T) {
	s, err := New(Config{Service: newFake(), Admitted: true, Hosts: []string{"engine.glovebox"}, Limits: Limits{Drain: 100 * time.Millisecond}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	handed, done := NewHanded(), make(chan error, 1)
	go func() { done <- s.Serve(ctx, handed) }()
	for _, c := range []struct {
		request string
		want    int
		says    string
	}{
		{"GET /v1/runs HTTP/1.1\r\nHost: engine.glovebox\r\n\r\n", 200, ""},
		{"GET /v1/runs HTTP/1.1\r\nHost: evil.example\r\n\r\n", 421, "not called"},
		{"POST /v1/runs HTTP/1.1\r\nHost: engine.glovebox\r\nContent-Type: application/json\r\nContent-Length: 49\r\n\r\n" +
			`{"task": {"image": {"ref": "/tmp/x"}, "code":""}}`, 422, "is a path"},
	} {
		near, far := net.Pipe()
		over := make(chan struct{})
		go func() {
			defer close(over)
			handed.Hand(far)
		}()
		if _, err := io.WriteString(near, c.request); err != nil {
			t.Fatal(err)
		}
		answer, err := http.ReadResponse(bufio.NewReader(near), nil)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(answer.Body)
		if answer.StatusCode != c.want || !strings.Contains(string(body), c.says) {
			t.Errorf("%.40q: %d %s", c.request, answer.StatusCode, body)
		}
		near.Close()
		<-over
	}
	near, far := net.Pipe()
	go handed.Hand(far)
	io.WriteString(near, "GET /v1/runs HTTP/1.1\r\n")
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
	if _, err := near.Read(make([]byte, 1)); err == nil {
		t.Error("a connection outlives its server")
	}
	late, end := net.Pipe()
	handed.Hand(end)
	if _, err := late.Read(make([]byte, 1)); err == nil {
		t.Error("a connection that came too late is open")
	}
}
