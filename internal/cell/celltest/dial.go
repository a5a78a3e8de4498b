package celltest

import (
	"context"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
)

var dialChecks = []check{
	{"half-close", dialHalfClose},
	{"IPv6", dialIPv6},
	{"two hundred at a time", dialMany},
	{"refused", dialRefused},
	{"close ends the connection", dialClose},
}

// server echoes what it gets on each connection, and then says how much that was
// and ends.
const server = `
import socket, sys, threading
family, address = (socket.AF_INET6, "::1") if sys.argv[1] == "6" else (socket.AF_INET, "127.0.0.1")
listener = socket.socket(family)
listener.bind((address, 8000))
listener.listen(512)
def serve(conn):
    total = 0
    try:
        while data := conn.recv(65536):
            total += len(data)
            conn.sendall(data)
        conn.sendall(b"got %d" % total)
        print("end", total, flush=True)
    except OSError as e: print("broken", flush=True)
    conn.close()
print("up", flush=True)
while True: threading.Thread(target=serve, args=(listener.accept()[0],)).start()
`

func (x *session) dial() net.Conn {
	x.t.Helper()
	conn, err := x.cell.DialPort(x.ctx, 8000)
	if err != nil {
		x.t.Fatal(describe(err))
	}
	x.t.Cleanup(func() { conn.Close() })
	return conn
}

// exchange sends text and the end of it, and returns what comes back.
func exchange(conn net.Conn, text string) (string, error) {
	go func() {
		io.WriteString(conn, text)
		conn.(interface{ CloseWrite() error }).CloseWrite()
	}()
	back, err := io.ReadAll(conn)
	return string(back), err
}

func dialHalfClose(t *testing.T, s *suite) {
	x := s.open(t)
	x.until(x.start(command("/usr/bin/python3", "-c", server, "4")), "up")
	text := strings.Repeat("0123456789", 300000)
	if back, err := exchange(x.dial(), text); err != nil || back != text+"got 3000000" {
		t.Errorf("%d bytes came back, %v", len(back), err)
	}
}

func dialIPv6(t *testing.T, s *suite) {
	x := s.open(t)
	x.until(x.start(command("/usr/bin/python3", "-c", server, "6")), "up")
	if back, err := exchange(x.dial(), "six"); err != nil || back != "sixgot 3" {
		t.Errorf("got %q, %v", back, err)
	}
}

func dialMany(t *testing.T, s *suite) {
	x := s.open(t)
	x.until(x.start(command("/usr/bin/python3", "-c", server, "4")), "up")
	conns := make([]net.Conn, 200)
	for i := range conns {
		conns[i] = x.dial()
	}
	var all sync.WaitGroup
	for i, conn := range conns {
		all.Go(func() {
			text := strings.Repeat(fmt.Sprintf("%04d", i), 10000)
			if back, err := exchange(conn, text); err != nil || back != text+"got 40000" {
				t.Errorf("connection %d: %d bytes came back, %v", i, len(back), err)
			}
		})
	}
	x.sh("echo meanwhile").prints(t, "meanwhile\n")
	all.Wait()
}

func dialRefused(t *testing.T, s *suite) {
	x := s.open(t)
	_, err := x.cell.DialPort(x.ctx, 8000)
	failsWith(t, err, api.NotFound, "port")
	_, err = x.cell.DialPort(x.ctx, 70000)
	failsWith(t, err, api.RequestInvalid, "port")
	ctx, cancel := context.WithCancel(x.ctx)
	cancel()
	_, err = x.cell.DialPort(ctx, 8000)
	failsWith(t, err, api.Canceled, "")
	x.sh("echo alive").prints(t, "alive\n")
}

func dialClose(t *testing.T, s *suite) {
	x := s.open(t)
	a := x.start(command("/usr/bin/python3", "-c", server, "4"))
	x.until(a, "up\n")
	conn := x.dial()
	io.WriteString(conn, "last words")
	conn.Close()
	if got := x.until(a, "\n"); got != "end 10\n" && got != "broken\n" {
		t.Errorf("the server says %q", got)
	}
}
