package celltest

import (
	"context"
	"io"
	"net"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/glovebox-dev/glovebox/internal/attack/programs"
	"github.com/glovebox-dev/glovebox/internal/cell"
)

var networkChecks = []check{
	{"N01_no_protocol_leaves", networkNothingLeaves},
	{"N02_no_names", networkNoNames},
	{"N04_host_loopback", networkHostLoopback},
	{"H09_host_sockets", networkHostSockets},
	{"loopback of the cell", networkOwnLoopback},
	{"no proxy without a policy", networkNoProxy},
	{"proxy", networkProxy},
	{"N08_proxy_is_the_only_way", networkProxyOnly},
	{"N12_many_connections", networkManyConnections},
	{"connections end with the cell", networkEnds},
}

func networkNothingLeaves(t *testing.T, s *suite) {
	holds(programs.NothingLeaves)(t, s)
	s.open(t).python("import socket; print([name for _, name in socket.if_nameindex()])").prints(t, "['lo']\n")
}

func networkNoNames(t *testing.T, s *suite) {
	s.open(t).python(programs.NoNames.Code).prints(t, programs.NoNames.Want)
}

// networkHostLoopback listens on every address of the host.
func networkHostLoopback(t *testing.T, s *suite) {
	l, err := net.Listen("tcp", ":0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	var accepted atomic.Int64
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			accepted.Add(1)
			conn.Close()
		}
	}()
	addresses := []string{"127.0.0.1", "::1", "0.0.0.0", "localhost", "host.docker.internal", "10.0.2.2", "172.17.0.1"}
	for _, address := range hostAddresses(t) {
		addresses = append(addresses, address.String())
	}
	port := l.Addr().(*net.TCPAddr).Port
	s.open(t).python(programs.Loopback.Code, append([]string{strconv.Itoa(port)}, addresses...)...).prints(t, programs.Loopback.Want)
	if n := accepted.Load(); n != 0 {
		t.Errorf("the host accepted %d connections", n)
	}
}

func hostAddresses(t *testing.T) []net.IP {
	t.Helper()
	addrs, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	var ips []net.IP
	for _, addr := range addrs {
		if ip, ok := addr.(*net.IPNet); ok {
			ips = append(ips, ip.IP)
		}
	}
	return ips
}

// networkHostSockets tries the sockets that have no address in a network.
func networkHostSockets(t *testing.T, s *suite) {
	const name = "@glovebox-celltest"
	l, err := net.Listen("unix", name+strconv.Itoa(int(serial.Add(1))))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	x := s.open(t)
	address := strings.TrimPrefix(l.Addr().String(), "@")
	x.python(programs.HostSockets.Code, address).prints(t, programs.HostSockets.Want)
	x.pythonRoot(programs.HostSockets.Code, address).prints(t, programs.HostSockets.Want)
}

func networkOwnLoopback(t *testing.T, s *suite) {
	s.open(t).python(`
import socket
l = socket.create_server(("127.0.0.1", 0))
c = socket.create_connection(l.getsockname())
l.accept()[0].sendall(b"hello"); print(c.recv(5).decode())
`).prints(t, "hello\n")
}

func networkNoProxy(t *testing.T, s *suite) {
	s.open(t).python(dialProxy).prints(t, "refused\n")
}

const dialProxy = `
import socket
try:
    c = socket.create_connection(("127.0.0.1", 3128), 5)
    c.sendall(b"ping"); c.shutdown(socket.SHUT_WR)
    data = b""
    while chunk := c.recv(100): data += chunk
    print(data.decode())
except OSError:
    print("refused")
`

// echo answers what it was sent, in capitals, after the other side has ended.
func echo(_ context.Context, conn net.Conn) {
	data, err := io.ReadAll(io.LimitReader(conn, 1<<20))
	if err != nil {
		return
	}
	io.WriteString(conn, strings.ToUpper(string(data)))
}

func networkProxy(t *testing.T, s *suite) {
	s.open(t, func(spec *cell.Spec) { spec.Serve = echo }).python(dialProxy).prints(t, "PING\n")
}

// networkProxyOnly ignores the proxy in a cell that has one.
func networkProxyOnly(t *testing.T, s *suite) {
	var served atomic.Int64
	x := s.open(t, func(spec *cell.Spec) {
		spec.Serve = func(context.Context, net.Conn) { served.Add(1) }
	})
	x.python(`
import os, socket, urllib.request
for key in list(os.environ):
    if "proxy" in key.lower(): del os.environ[key]
for address in (("1.1.1.1", 443), ("1.1.1.1", 80), ("169.254.169.254", 80), ("127.0.0.1", 80), ("127.0.0.2", 3128)):
    try:
        socket.create_connection(address, 3); print("reached", address)
    except OSError:
        pass
opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
try:
    opener.open("http://1.1.1.1/", timeout=3); print("reached the internet")
except OSError:
    pass
`).prints(t, "")
	if n := served.Load(); n != 0 {
		t.Errorf("%d connections came through the proxy, though none was made to it", n)
	}
}

func networkManyConnections(t *testing.T, s *suite) {
	x := s.open(t, func(spec *cell.Spec) { spec.Serve = echo })
	x.python(`
import socket
held, answered = [], 0
for i in range(2000):
    try:
        held.append(socket.create_connection(("127.0.0.1", 3128), 5))
    except OSError:
        break
for c in held: c.close()
`).succeeds(t)
	x.python(dialProxy).prints(t, "PING\n")
}

// networkEnds closes a cell while a connection is being served.
func networkEnds(t *testing.T, s *suite) {
	ended := make(chan error, 1)
	serving := make(chan struct{})
	x := s.open(t, func(spec *cell.Spec) {
		spec.Serve = func(ctx context.Context, conn net.Conn) {
			close(serving)
			_, err := io.Copy(io.Discard, conn)
			ended <- err
		}
	})
	done := make(chan struct{})
	go func() {
		defer close(done)
		x.python("import socket; c = socket.create_connection(('127.0.0.1', 3128)); c.recv(1)")
	}()
	<-serving
	x.death()
	<-ended
	<-done
}
