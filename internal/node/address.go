package node

import (
	"net"
	"net/netip"
	"net/url"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/loopback"
)

// OwnMachine reports whether an address leads to whatever machine uses it.
func OwnMachine(address string) bool {
	u, err := url.Parse(address)
	return err != nil || u.Scheme == "unix" || loopback.IsHost(u.Hostname())
}

// CheckAdvertised refuses what others cannot reach a node by. TLS says whether the node
// has a certificate.
func CheckAdvertised(address string, tls bool) error {
	bad := func(problem, hint string) error {
		return api.Errorf(api.RequestInvalid, "the address %q that other nodes are to reach this one by %s", address, problem).
			WithHint("%s", hint).WithDetails(api.Details{Field: "advertise", Expected: "https://HOST:PORT", Got: address})
	}
	const form = "write https://HOST:PORT, with a name or an address of this machine"
	u, err := url.Parse(address)
	switch {
	case err != nil:
		return bad("is no URL", form)
	case u.Scheme != "https":
		return bad("does not begin with https", form)
	case u.User != nil || u.RawQuery != "" || u.Fragment != "" || strings.TrimSuffix(u.Path, "/") != "":
		return bad("has more than a host and a port", form)
	case u.Hostname() == "" || u.Port() == "":
		return bad("has no host or no port", form)
	case !tls:
		return bad("needs a certificate, and this server has none", "give --tls-cert and --tls-key, and listen on an address that others reach")
	}
	if ip, err := netip.ParseAddr(u.Hostname()); err == nil && ip.IsUnspecified() {
		return bad("is no address of one machine", form)
	}
	return nil
}

// Advertised is the address by which others reach a node that listens on an address as
// net.Addr has it. Outward is an address of this machine that others are likely to
// reach, for a node that listens on all of them.
func Advertised(listens net.Addr, tls bool, outward netip.Addr) string {
	at, ok := listens.(*net.TCPAddr)
	if !ok {
		return (&url.URL{Scheme: "unix", Path: listens.String()}).String()
	}
	scheme := "http"
	if tls {
		scheme = "https"
	}
	ip := at.AddrPort().Addr().Unmap()
	if ip.IsUnspecified() {
		ip = outward.Unmap()
	}
	if !ip.IsValid() {
		ip = netip.AddrFrom4([4]byte{127, 0, 0, 1})
	}
	return scheme + "://" + netip.AddrPortFrom(ip, at.AddrPort().Port()).String()
}
