package egress

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

const toEngine = api.EngineHost + ":80"

// engineEcho gives back every line.
func engineEcho(_ context.Context, conn net.Conn) {
	lines := bufio.NewScanner(conn)
	for lines.Scan() {
		fmt.Fprintln(conn, lines.Text())
	}
}

// The way to the engine is open under every policy, and opens nothing else
// (attack C01).
func TestEngineUnderEveryPolicy(t *testing.T) {
	for _, policy := range []api.Network{{}, allow("a.org"), public} {
		w := newWorld()
		options := w.options()
		options.Engine = engineEcho
		c := w.cellWith(t, policy, options)
		conn, r, status := c.connect(toEngine)
		if !strings.HasPrefix(status, "200") {
			t.Fatalf("%+v: %s", policy, status)
		}
		fmt.Fprintln(conn, "hello")
		if line, err := r.ReadString('\n'); line != "hello\n" {
			t.Errorf("%+v: got %q, %v", policy, line, err)
		}
		conn.Close()
		if a := w.waitForAudit(t, 1)[0]; a.Host != api.EngineHost || a.Port != 80 || !a.Allowed || a.Address != "" {
			t.Errorf("%+v: audit %+v", policy, a)
		}
	}
	w := newWorld()
	options := w.options()
	options.Engine = engineEcho
	c := w.cellWith(t, api.Network{}, options)
	for to, want := range map[string]string{
		"engine.glovebox:443": "400", "engine.glovebox:8080": "400", "x.engine.glovebox:80": "403", "a.org:80": "403", "127.0.0.1:80": "403",
	} {
		if _, _, status := c.connect(to); !strings.HasPrefix(status, want) {
			t.Errorf("%s: %s, want %s", to, status, want)
		}
	}
	if status, body := c.get("http://engine.glovebox/v1/runs"); status != http.StatusBadRequest || !strings.Contains(body, "CONNECT") {
		t.Errorf("a plain request: %d %q", status, body)
	}
}

func TestNoEngineWithoutLeave(t *testing.T) {
	w := newWorld()
	for _, policy := range []api.Network{allow("engine.glovebox"), public} {
		if _, _, status := w.cell(t, policy).connect(toEngine); !strings.HasPrefix(status, "403") {
			t.Errorf("%+v: %s", policy, status)
		}
	}
}

// A cell that waits for a result is silent for long, and is not cut off; when the
// run ends, its connections do.
func TestSilentEngineLives(t *testing.T) {
	w := newWorld()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		options := w.options()
		options.Engine = engineEcho
		client, server := net.Pipe()
		done := make(chan struct{})
		go func() {
			defer close(done)
			NewProxy(&Policy{}, options).Serve(ctx, server)
		}()
		fmt.Fprintf(client, "CONNECT %s HTTP/1.1\r\n\r\n", toEngine)
		readHead(client)
		time.Sleep(10 * idleTimeout)
		fmt.Fprintln(client, "still here")
		if line, err := bufio.NewReader(client).ReadString('\n'); line != "still here\n" {
			t.Errorf("got %q, %v", line, err)
		}
		cancel()
		<-done
		if _, err := client.Read(make([]byte, 1)); err == nil {
			t.Error("the connection outlives its run")
		}
	})
}

// TestEngineHangsUp: when the engine hangs up, the cell sees the end of the
// stream.
func TestEngineHangsUp(t *testing.T) {
	w := newWorld()
	options := w.options()
	options.Engine = func(_ context.Context, conn net.Conn) { io.WriteString(conn, "bye") }
	c := w.cellWith(t, api.Network{}, options)
	conn, r, _ := c.connect(toEngine)
	if text, _ := io.ReadAll(r); string(text) != "bye" {
		t.Errorf("got %q", text)
	}
	conn.Close()
	w.waitForAudit(t, 1)
}

// TestEngineAnswersEarly: a program that keeps sending when the engine has
// answered and hung up still gets the answer, and is cut off in the end.
func TestEngineAnswersEarly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		options := newWorld().options()
		options.Engine = func(_ context.Context, conn net.Conn) {
			conn.Read(make([]byte, 1))
			io.WriteString(conn, "too large")
		}
		client, server := net.Pipe()
		done := make(chan struct{})
		go func() {
			defer close(done)
			NewProxy(&Policy{}, options).Serve(t.Context(), halfPipe{server})
		}()
		fmt.Fprintf(client, "CONNECT %s HTTP/1.1\r\n\r\n", toEngine)
		readHead(client)
		answer := make(chan string)
		go func() {
			text := make([]byte, len("too large"))
			io.ReadFull(client, text)
			answer <- string(text)
		}()
		for range 100 {
			if _, err := client.Write(make([]byte, 1000)); err != nil {
				t.Fatalf("cut off while sending: %v", err)
			}
		}
		if text := <-answer; text != "too large" {
			t.Errorf("got %q", text)
		}
		began := time.Now()
		<-done
		if took := time.Since(began); took != lingerTimeout {
			t.Errorf("cut off after %s", took)
		}
	})
}

// halfPipe is a pipe one of whose directions can end alone.
type halfPipe struct{ net.Conn }

func (halfPipe) CloseWrite() error { return nil }

// Many connections to the engine leave room for those to elsewhere, and one too
// many is refused (attack C06).
func TestEngineConnectionsAreBounded(t *testing.T) {
	w := newWorld()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		options := w.options()
		options.Engine = engineEcho
		p := NewProxy(&Policy{}, options)
		connect := func() string {
			client, server := net.Pipe()
			go p.Serve(ctx, server)
			fmt.Fprintf(client, "CONNECT %s HTTP/1.1\r\n\r\n", toEngine)
			return readHead(client)
		}
		for range maxEngine {
			if head := connect(); !strings.Contains(head, " 200 ") {
				t.Fatalf("got %q", head)
			}
		}
		if head := connect(); !strings.Contains(head, " 503 ") {
			t.Errorf("one too many: %q", head)
		}
		cancel()
		synctest.Wait()
		if len(p.engineSlots) != 0 {
			t.Errorf("%d are in use", len(p.engineSlots))
		}
	})
}

func TestEngineQuota(t *testing.T) {
	w := newWorld()
	options := w.options()
	options.Quota = 1000
	options.Engine = func(_ context.Context, conn net.Conn) { io.Copy(io.Discard, conn) }
	c := w.cellWith(t, api.Network{}, options)
	conn, r, _ := c.connect(toEngine)
	io.WriteString(conn, strings.Repeat("x", 2000))
	io.Copy(io.Discard, r)
	if a := w.waitForAudit(t, 1)[0]; !strings.Contains(a.Reason, "quota") {
		t.Errorf("audit %+v", a)
	}
	if _, _, status := c.connect(toEngine); !strings.HasPrefix(status, "403") {
		t.Errorf("afterwards: %s", status)
	}
}
