package egress

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"testing"
)

// TestOutbound (attack A16): the host connects for users where a cell could, and
// where the operator allows it, and to the address that was checked.
func TestOutbound(t *testing.T) {
	w := newWorld()
	w.name("a.org", "1.2.3.4")
	w.name("inside.org", "10.1.2.3")
	w.name("both.org", "1.2.3.4", "127.0.0.1")
	w.name("allowed.org", "10.9.0.1")
	w.name("rebinds.org", "1.2.3.4")
	w.later["rebinds.org"] = []netip.Addr{netip.MustParseAddr("127.0.0.1")}
	own := func() ([]netip.Prefix, error) { return []netip.Prefix{netip.MustParsePrefix("5.6.7.0/24")}, nil }
	o := NewOutbound(Options{
		Resolver: w, Dialer: w, Own: own, Also: []netip.Prefix{netip.MustParsePrefix("10.9.0.0/16")},
		Upstream: func(*http.Request) (*url.URL, error) { return nil, nil },
	})
	for address, want := range map[string]string{
		"a.org:443": "1.2.3.4:443", "rebinds.org:443": "1.2.3.4:443", "allowed.org:8443": "10.9.0.1:8443", "10.9.0.1:80": "10.9.0.1:80",
		"inside.org:443": "", "both.org:443": "", "127.0.0.1:80": "", "[::1]:80": "", "169.254.169.254:80": "", "5.6.7.8:443": "", "[::ffff:127.0.0.1]:80": "",
		"[64:ff9b::7f00:1]:80": "", "0x7f000001:80": "", "127.1:80": "", "10.8.0.1:443": "",
	} {
		w.dialled = nil
		_, err := o.DialContext(t.Context(), "tcp", address)
		switch {
		case want == "" && (!errors.Is(err, ErrRefused) || len(w.dialled) > 0):
			t.Errorf("%s: dialled %q, %v", address, w.dialled, err)
		case want == "" && strings.Contains(err.Error(), "10.1.2.3"):
			t.Errorf("%s: the error tells where the name leads: %v", address, err)
		case want != "" && (errors.Is(err, ErrRefused) || !slices.Equal(w.dialled, []string{want})):
			t.Errorf("%s: dialled %q, %v, want %s", address, w.dialled, err, want)
		}
	}
	if _, err := o.DialContext(t.Context(), "tcp", "none.org:443"); err == nil || errors.Is(err, ErrRefused) {
		t.Errorf("a name without an address: %v", err)
	}
}

// TestOutboundToThisHost: an address of this host is reached if the operator allows
// it, and only then.
func TestOutboundToThisHost(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	dial := func(also ...netip.Prefix) error {
		conn, err := NewOutbound(Options{Also: also}).DialContext(context.WithoutCancel(t.Context()), "tcp", listener.Addr().String())
		if err == nil {
			conn.Close()
		}
		return err
	}
	if err := dial(); !errors.Is(err, ErrRefused) {
		t.Errorf("not allowed: %v", err)
	}
	if err := dial(netip.MustParsePrefix("127.0.0.1/32")); err != nil {
		t.Errorf("allowed: %v", err)
	}
}
