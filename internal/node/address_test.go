package node_test

import (
	"net"
	"net/netip"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/node"
)

func TestAdvertised(t *testing.T) {
	outward := netip.MustParseAddr("10.1.0.7")
	for _, test := range []struct {
		listens net.Addr
		tls     bool
		outward netip.Addr
		want    string
		own     bool
	}{
		{&net.UnixAddr{Name: "/run/glove box.sock", Net: "unix"}, false, outward, "unix:///run/glove%20box.sock", true},
		{&net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8700}, false, outward, "http://127.0.0.1:8700", true},
		{&net.TCPAddr{IP: net.IPv4(192, 168, 1, 2), Port: 8700}, true, outward, "https://192.168.1.2:8700", false},
		{&net.TCPAddr{IP: net.IPv6unspecified, Port: 8700}, true, outward, "https://10.1.0.7:8700", false},
		{&net.TCPAddr{IP: net.IPv4zero, Port: 8700}, true, netip.MustParseAddr("fd00::7"), "https://[fd00::7]:8700", false},
		{&net.TCPAddr{IP: net.IPv4zero, Port: 8700}, true, netip.Addr{}, "https://127.0.0.1:8700", true},
	} {
		got := node.Advertised(test.listens, test.tls, test.outward)
		if got != test.want || node.OwnMachine(got) != test.own {
			t.Errorf("%s: got %s, own machine only: %v", test.listens, got, node.OwnMachine(got))
		}
	}
}

func TestCheckAdvertised(t *testing.T) {
	for _, test := range []struct {
		address string
		tls     bool
		text    string // of the error; empty if it is fine
	}{
		{"https://10.1.0.7:8700", true, ""},
		{"https://one.example.org:8700/", true, ""},
		{"https://[fd00::7]:8700", true, ""},
		{"https://10.1.0.7:8700", false, "needs a certificate"},
		{"http://10.1.0.7:8700", true, "does not begin with https"},
		{"10.1.0.7:8700", true, "is no URL"},
		{"unix:///run/glovebox.sock", true, "does not begin with https"},
		{"https://one.example.org", true, "no port"},
		{"https://:8700", true, "no host"},
		{"https://0.0.0.0:8700", true, "no address of one machine"},
		{"https://[::]:8700", true, "no address of one machine"},
		{"https://user:secret@one:8700", true, "more than a host and a port"},
		{"https://one:8700/box", true, "more than a host and a port"},
		{"https://one:8700?x=1", true, "more than a host and a port"},
	} {
		if err := node.CheckAdvertised(test.address, test.tls); test.text != "" {
			wants(t, test.address, err, api.RequestInvalid, test.text)
		} else if err != nil {
			t.Errorf("%s: %v", test.address, err)
		}
	}
}
