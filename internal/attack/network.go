package attack

import (
	"context"
	"net"
	"slices"
	"strconv"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/attack/programs"
)

func networkCases() []Case {
	return []Case{
		{Name: "N01_no_protocol_leaves", Area: Network, Tries: "send something by every protocol, from a cell without a network", Attack: byEverybody(programs.NothingLeaves)},
		{Name: "N02_no_names", Area: Network, Tries: "look names up, from a cell without a network", Attack: byUser(programs.NoNames)},
		{Name: "N03_metadata", Area: Network, Tries: "reach the metadata services of clouds in every spelling, from a cell with the public network", Attack: metadata},
		{Name: "N04_host_loopback", Area: Network, Tries: "reach a port of this host, from a cell without a network", Attack: hostLoopback},
		{Name: "N04_host_and_its_network", Area: Network, Tries: "reach a port of this host by the proxy, from a cell with the public network", Attack: hostByProxy},
		{Name: "N08_without_the_proxy", Area: Network, Tries: "reach a port of this host past the proxy, from a cell with the public network", Attack: pastTheProxy},
		{Name: "N10_look_alikes", Area: Network, Tries: "reach hosts whose names look like the one that is allowed", Attack: lookAlikes},
	}
}

// byProxy prints which of its arguments the proxy of the cell lets it reach: URLs by
// GET and CONNECT. Those of a list are asked at the same time.
const byProxy = `
import concurrent.futures, os, socket, sys, urllib.request
from urllib.parse import urlsplit
proxy = urlsplit(os.environ.get("HTTP_PROXY", "http://127.0.0.1:3128"))
def reach(url):
    out = []
    try: out.append("GET " + url + " " + str(urllib.request.urlopen(url, timeout=4).status))
    except (OSError, ValueError): pass
    try:
        c = socket.create_connection((proxy.hostname, proxy.port), 4)
        host = urlsplit(url).netloc
        host = host if ":" in host.rpartition("]")[2] else host + ":80"
        c.sendall(("CONNECT %s HTTP/1.1\r\nHost: %s\r\n\r\n" % (host, host)).encode())
        if b" 200" in c.recv(100).split(b"\r\n")[0]: out.append("CONNECT " + host)
    except OSError: pass
    return out
with concurrent.futures.ThreadPoolExecutor(16) as pool:
    for out in pool.map(reach, sys.argv[1:]):
        for line in out: print(line)
`

// reachesNothing executes a program in a cell with a network; what it prints was reached.
func (b *Bench) reachesNothing(ctx context.Context, network api.Network, code string, arguments ...string) error {
	out, err := b.Run(ctx, Job{Code: code, Arguments: arguments, Network: network})
	if err != nil {
		return err
	}
	if reached := strings.TrimSpace(out.Stdout); reached != "" {
		return broken("reached: %s", reached)
	}
	return nil
}

// metadataURLs are spellings of the addresses at which clouds give credentials.
var metadataURLs = []string{
	"http://169.254.169.254/latest/meta-data/", "http://2852039166/", "http://0xa9fea9fe/", "http://0251.0376.0251.0376/", "http://169.254.43518/",
	"http://[::ffff:169.254.169.254]/", "http://[::ffff:a9fe:a9fe]/", "http://[fd00:ec2::254]/", "http://[64:ff9b::a9fe:a9fe]/",
	"http://metadata.google.internal/", "http://METADATA.google.internal./", "http://100.100.100.200/", "http://169.254.169.254.nip.io/",
}

func metadata(ctx context.Context, b *Bench) error {
	return b.reachesNothing(ctx, api.Network{Public: true}, byProxy, metadataURLs...)
}

// listen accepts connections on every address of this host, and closes them.
func listen() (port string, stop func(), err error) {
	l, err := net.Listen("tcp", ":0")
	if err != nil {
		return "", nil, api.AsError(err)
	}
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return // it was closed
			}
			_, _ = conn.Write([]byte("HTTP/1.0 200 OK\r\n\r\n")) // who does not read it was here all the same
			_ = conn.Close()
		}
	}()
	return strconv.Itoa(l.Addr().(*net.TCPAddr).Port), func() { _ = l.Close() }, nil
}

// hostNames are the names and addresses of this host, in many spellings.
func hostNames() []string {
	names := []string{"127.0.0.1", "localhost", "127.1", "0", "0.0.0.0", "2130706433", "0x7f.1", "::1", "::", "::ffff:127.0.0.1", "localtest.me", "host.docker.internal", "10.0.2.2", "172.17.0.1"}
	addrs, _ := net.InterfaceAddrs() // without, those above are tried
	for _, addr := range addrs {
		if ip, ok := addr.(*net.IPNet); ok && !slices.Contains(names, ip.IP.String()) {
			names = append(names, ip.IP.String())
		}
	}
	return names
}

func hostLoopback(ctx context.Context, b *Bench) error {
	port, stop, err := listen()
	if err != nil {
		return err
	}
	defer stop()
	return b.byBoth(ctx, programs.Loopback, append([]string{port}, hostNames()...)...)
}

func hostByProxy(ctx context.Context, b *Bench) error {
	port, stop, err := listen()
	if err != nil {
		return err
	}
	defer stop()
	var urls []string
	for _, name := range hostNames() {
		urls = append(urls, "http://"+net.JoinHostPort(name, port)+"/")
	}
	for _, network := range []api.Network{{Public: true}, {Allow: []string{"localhost"}}} {
		if err := b.reachesNothing(ctx, network, byProxy, urls...); err != nil {
			return err
		}
	}
	return nil
}

func pastTheProxy(ctx context.Context, b *Bench) error {
	port, stop, err := listen()
	if err != nil {
		return err
	}
	defer stop()
	return b.reachesNothing(ctx, api.Network{Public: true}, programs.Loopback.Code, append([]string{port}, hostNames()...)...)
}

// lookAlikes wants each name to be refused for the policy, which is known before the
// name is looked up: it works without a network, too.
func lookAlikes(ctx context.Context, b *Bench) error {
	return b.reachesNothing(ctx, api.Network{Allow: []string{"example.com"}}, `
import os, socket, sys
from urllib.parse import urlsplit
proxy = urlsplit(os.environ.get("HTTP_PROXY", "http://127.0.0.1:3128"))
for name in sys.argv[1:]:
    c = socket.create_connection((proxy.hostname, proxy.port), 10)
    c.sendall(("CONNECT %s:443 HTTP/1.1\r\nHost: %s:443\r\n\r\n" % (name, name)).encode())
    status = c.recv(100).split(b" ")[1].decode()
    if status not in ("400", "403"): print(name, status)
`, "example.com.evil.test", "notexample.com", "www.example.com", "xn--exmple-cua.com", "127.0.0.1")
}
