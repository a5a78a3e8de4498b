package attack

import (
	"net"
	"strings"
	"testing"
)

// reach asks the proxy of the cell for each URL, and connects by CONNECT too.
const reach = `
import os, socket, urllib.request
from urllib.parse import urlsplit
out = []
proxy = urlsplit(os.environ.get("HTTP_PROXY", "http://127.0.0.1:3128"))
for url in urls.split():
    try:
        out.append("GET " + url + " " + str(urllib.request.urlopen(url, timeout=10).status))
    except OSError:
        pass
    try:
        c = socket.create_connection((proxy.hostname, proxy.port), 10)
        host = urlsplit(url).netloc
        host = host if ":" in host.rpartition("]")[2] else host + ":80"
        c.sendall(("CONNECT %s HTTP/1.1\r\nHost: %s\r\n\r\n" % (host, host)).encode())
        answer = c.recv(100).decode("latin-1").split("\r\n")[0]
        if " 200" in answer: out.append("CONNECT " + host)
    except OSError:
        pass
`

func reached(t *testing.T, network string, urls []string) []any {
	t.Helper()
	e := glovebox(t, "run", "--json", "--network", network, "-i", "urls="+strings.Join(urls, " "), "-o", "out:list[str]", "-c", reach).succeeds(t)
	out, ok := e.result(t).Outputs["out"].([]any)
	if !ok {
		t.Fatalf("the outputs are %v", e.result(t).Outputs)
	}
	return out
}

func TestAttackN03_Metadata(t *testing.T) {
	urls := []string{
		"http://169.254.169.254/latest/meta-data/", "http://2852039166/", "http://0xa9fea9fe/", "http://0251.0376.0251.0376/", "http://169.254.43518/",
		"http://[::ffff:169.254.169.254]/", "http://[::ffff:a9fe:a9fe]/", "http://[fd00:ec2::254]/", "http://[64:ff9b::a9fe:a9fe]/",
		"http://metadata.google.internal/", "http://METADATA.google.internal./", "http://100.100.100.200/", "http://169.254.169.254.nip.io/",
	}
	if got := reached(t, "public", urls); len(got) > 0 {
		t.Errorf("reached %v", got)
	}
}

func TestAttackN04_HostAndItsNetwork(t *testing.T) {
	l, err := net.Listen("tcp", ":0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			conn.Write([]byte("HTTP/1.0 200 OK\r\n\r\n"))
			conn.Close()
		}
	}()
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	hosts := []string{"127.0.0.1", "localhost", "127.1", "0", "0.0.0.0", "2130706433", "0x7f.1", "[::1]", "[::]", "[::ffff:127.0.0.1]", "localtest.me", "host.docker.internal"}
	addrs, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	for _, addr := range addrs {
		if ip, ok := addr.(*net.IPNet); ok {
			hosts = append(hosts, strings.TrimSuffix(net.JoinHostPort(ip.IP.String(), ""), ":"))
		}
	}
	var urls []string
	for _, host := range hosts {
		urls = append(urls, "http://"+host+":"+port+"/")
	}
	for _, network := range []string{"public", "localhost,127-0-0-1.example.com"} {
		if got := reached(t, network, urls); len(got) > 0 {
			t.Errorf("with --network %s reached %v", network, got)
		}
	}
}

func TestAttackN08_WithoutTheProxy(t *testing.T) {
	code := `
import socket, urllib.request
out = []
for address in (("1.1.1.1", 443), ("pypi.org", 443)):
    try: socket.create_connection(address, 5); out.append(str(address))
    except OSError: pass
try: urllib.request.build_opener(urllib.request.ProxyHandler({})).open("https://pypi.org", timeout=5); out.append("pypi.org")
except OSError: pass
`
	e := glovebox(t, "run", "--network", "public", "-o", "out:list[str]", "-c", code).succeeds(t)
	if e.stdout != "{\"out\":[]}\n" {
		t.Errorf("without the proxy: %s", e.stdout)
	}
}
