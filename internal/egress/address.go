package egress

import (
	"net"
	"net/netip"
	"slices"
)

// deniedIPv4 lists what is never reachable, after the IANA registry of
// special-purpose addresses. The documentation ranges are not in it: test
// networks use them for mirrors, and nothing of a host answers there.
var deniedIPv4 = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"),        // this network
	netip.MustParsePrefix("10.0.0.0/8"),       // private
	netip.MustParsePrefix("100.64.0.0/10"),    // carrier NAT, and 100.100.100.200, a metadata service
	netip.MustParsePrefix("127.0.0.0/8"),      // loopback
	netip.MustParsePrefix("168.63.129.16/32"), // a metadata service with a public address
	netip.MustParsePrefix("169.254.0.0/16"),   // link-local, and most metadata services
	netip.MustParsePrefix("172.16.0.0/12"),    // private
	netip.MustParsePrefix("192.0.0.0/24"),     // protocol assignments, and 192.0.0.192, a metadata service
	netip.MustParsePrefix("192.88.99.0/24"),   // relays of 6to4
	netip.MustParsePrefix("192.168.0.0/16"),   // private
	netip.MustParsePrefix("198.18.0.0/15"),    // benchmarks
	netip.MustParsePrefix("224.0.0.0/4"),      // multicast
	netip.MustParsePrefix("240.0.0.0/4"),      // reserved, and broadcast
}

// Of IPv6 only global unicast is reachable, without the assignments for
// protocols, and addresses that carry an IPv4 address count as that address.
var (
	globalIPv6   = netip.MustParsePrefix("2000::/3")
	protocolIPv6 = netip.MustParsePrefix("2001::/23") // Teredo among them
	sixToFour    = netip.MustParsePrefix("2002::/16")
	nat64        = netip.MustParsePrefix("64:ff9b::/96")
)

// reachable reports whether a cell may reach addr under any policy.
func reachable(addr netip.Addr) bool {
	addr = embedded(addr)
	if addr.Is4() {
		return !slices.ContainsFunc(deniedIPv4, func(p netip.Prefix) bool { return p.Contains(addr) })
	}
	return addr.Zone() == "" && globalIPv6.Contains(addr) && !protocolIPv6.Contains(addr)
}

// embedded returns the IPv4 address in an address that a translator or a
// tunnel would turn into it, else addr.
func embedded(addr netip.Addr) netip.Addr {
	addr = addr.Unmap()
	if !addr.Is6() {
		return addr
	}
	b := addr.As16()
	switch {
	case nat64.Contains(addr):
		return netip.AddrFrom4([4]byte(b[12:16]))
	case sixToFour.Contains(addr):
		return netip.AddrFrom4([4]byte(b[2:6]))
	}
	return addr
}

// ownNetworks returns what is on the links of this host's interfaces: its own
// addresses, and those of its neighbours.
func ownNetworks() ([]netip.Prefix, error) {
	nets, err := net.InterfaceAddrs()
	if err != nil {
		return nil, err
	}
	var own []netip.Prefix
	for _, n := range nets {
		if prefix, err := netip.ParsePrefix(n.String()); err == nil {
			own = append(own, prefix.Masked())
		}
	}
	return own, nil
}

// isSelf reports whether a connection to addr comes from there too: it is this
// host's by a route alone, and no interface has it.
func isSelf(conn net.Conn, addr netip.Addr) bool {
	local, ok := conn.LocalAddr().(*net.TCPAddr)
	return ok && local.AddrPort().Addr().Unmap() == addr.Unmap()
}
