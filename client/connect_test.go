package client

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// echo accepts the upgrade, says hello, and sends back what it gets.
func echo(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Connection") != "Upgrade" || r.Header.Get("Upgrade") != "glovebox-worker" || r.Header.Get("Authorization") != "Bearer secret-token" {
		w.WriteHeader(400)
		return
	}
	conn, rw, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	defer conn.Close()
	_, _ = io.WriteString(conn, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: glovebox-worker\r\n\r\nhello\n")
	_, _ = io.Copy(conn, rw)
}

func TestConnect(t *testing.T) {
	c := serve(t, routes(map[string]http.HandlerFunc{"POST /v1/workers/connect": echo}))
	ctx, cancel := context.WithCancel(t.Context())
	conn, err := c.Connect(ctx)
	if err != nil {
		t.Fatal(err)
	}
	cancel() // that was for the connecting
	c.http.CloseIdleConnections()
	r := bufio.NewReader(conn)
	if line, err := r.ReadString('\n'); line != "hello\n" {
		t.Fatalf("got %q, %v", line, err)
	}
	for range 3 {
		if _, err := io.WriteString(conn, "text\n"); err != nil {
			t.Fatal(err)
		}
		if line, err := r.ReadString('\n'); line != "text\n" {
			t.Fatalf("got %q, %v", line, err)
		}
	}
	if err := conn.SetReadDeadline(time.Unix(1, 0)); err != nil {
		t.Fatal(err)
	}
	if _, err := r.ReadString('\n'); err == nil || !err.(net.Error).Timeout() {
		t.Errorf("after the deadline: %v", err)
	}
	if err := conn.Close(); err != nil {
		t.Error(err)
	}
	if _, err := io.WriteString(conn, "x"); err == nil {
		t.Error("a closed connection takes bytes")
	}
}

func TestConnectRefused(t *testing.T) {
	c := serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fail(w, 409, api.Errorf(api.Conflict, "no workers")) }))
	_, err := c.Connect(t.Context())
	wantCode(t, err, api.Conflict)
	c = serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { answer(w, 200, nil) }))
	_, err = c.Connect(t.Context())
	wantCode(t, err, api.ServerUnavailable)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = c.Connect(ctx)
	wantCode(t, err, api.Canceled)
}
