package egress

import (
	"context"
	"net"
	"net/netip"
	"slices"
	"strings"
	"testing"
)

func TestReachable(t *testing.T) {
	tests := map[string]bool{
		"1.1.1.1": true, "93.184.215.14": true, "172.15.255.255": true, "172.32.0.0": true, "100.63.255.255": true, "100.128.0.0": true,
		"192.0.1.0": true, "198.17.255.255": true, "198.20.0.0": true, "223.255.255.255": true, "11.0.0.0": true,
		"192.0.2.1": true, "198.51.100.1": true, "203.0.113.80": true, // documentation, see deniedIPv4
		"0.0.0.0": false, "0.1.2.3": false, "10.0.0.1": false, "10.255.255.255": false, "127.0.0.1": false, "127.255.255.254": false,
		"100.64.0.1": false, "100.127.255.255": false, "100.100.100.200": false, "169.254.169.254": false, "169.254.0.1": false,
		"172.16.0.1": false, "172.31.255.255": false, "192.168.1.1": false, "192.0.0.192": false, "192.88.99.1": false,
		"198.18.0.1": false, "198.19.255.255": false, "224.0.0.1": false, "239.255.255.255": false, "240.0.0.1": false,
		"255.255.255.255": false, "168.63.129.16": false,

		"2606:4700:4700::1111": true, "2a00:1450:4001::1": true,
		"::": false, "::1": false, "::127.0.0.1": false, "::8.8.8.8": false, "fc00::1": false, "fd00:ec2::254": false,
		"fe80::1": false, "fe80::1%eth0": false, "2606:4700:4700::1111%eth0": false, "fec0::1": false, "ff02::1": false,
		"100::1": false, "2001::1": false, "2001:0:4136:e378:8000:63bf:3fff:fdd2": false, "64:ff9b:1::a00:1": false, "5f00::1": false,

		"::ffff:1.1.1.1": true, "::ffff:127.0.0.1": false, "::ffff:169.254.169.254": false, "::ffff:10.0.0.1": false, "::ffff:a9fe:a9fe": false,
		"64:ff9b::101:101": true, "64:ff9b::7f00:1": false, "64:ff9b::a9fe:a9fe": false, "64:ff9b::10.0.0.1": false,
		"2002:101:101::1": true, "2002:7f00:1::1": false, "2002:a9fe:a9fe::1": false, "2002:c0a8:101::": false,
	}
	for text, want := range tests {
		if got := reachable(netip.MustParseAddr(text)); got != want {
			t.Errorf("reachable(%s) = %v", text, got)
		}
	}
	if reachable(netip.Addr{}) {
		t.Error("no address at all is reachable")
	}
}

func TestOwnNetworksHaveLoopback(t *testing.T) {
	own, err := ownNetworks()
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(own, netip.MustParsePrefix("127.0.0.0/8")) {
		t.Errorf("no loopback in %v", own)
	}
}

// selfDialer connects from the address that it is asked for, as a route of type
// local has it.
type selfDialer struct{}

func (selfDialer) DialContext(_ context.Context, _, address string) (net.Conn, error) {
	conn, _ := net.Pipe()
	return selfConn{conn, net.TCPAddrFromAddrPort(netip.MustParseAddrPort(address))}, nil
}

type selfConn struct {
	net.Conn
	local *net.TCPAddr
}

func (c selfConn) LocalAddr() net.Addr { return c.local }

// TestAddressThatIsTheHostsByARoute: no interface has the address, and whoever
// listens everywhere would answer there.
func TestAddressThatIsTheHostsByARoute(t *testing.T) {
	w := newWorld()
	w.name("anycast.org", "1.2.3.4")
	options := w.options()
	options.Dialer = selfDialer{}
	p := NewProxy(&Policy{public: true}, options)
	if _, r := p.open(t.Context(), target{host: "anycast.org", port: 80}); r == nil || r.status != 403 || strings.Contains(r.line(), "1.2.3.4") || !strings.Contains(r.audit, "1.2.3.4") {
		t.Errorf("got %+v", r)
	}
}

func TestNever(t *testing.T) {
	for host, want := range map[string]bool{
		"localhost": true, "x.localhost": true, "metadata.google.internal": true, "127.0.0.1": true, "10.0.0.1": true, "169.254.169.254": true, "::1": true, "0x7f.1": true,
		"example.com": false, "93.184.216.34": false, "localhost.example.com": false,
	} {
		if Never(host) != want {
			t.Errorf("Never(%s) is %v", host, !want)
		}
	}
}
