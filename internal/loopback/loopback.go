// Package loopback says which hosts are this machine. Doors that let clear text or
// a missing token pass there ask it, so that all of them mean the same.
package loopback

import (
	"net/netip"
	"strings"
)

// IsHost reports whether a host is this machine by its spelling: localhost, or an
// address of the loopback interface, without port or brackets. It asks no resolver:
// what else leads here today may lead elsewhere tomorrow.
func IsHost(host string) bool {
	addr, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && addr.IsLoopback()
}
