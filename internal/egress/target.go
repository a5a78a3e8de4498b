package egress

import (
	"net"
	"net/netip"
	"strconv"
	"strings"
)

// target is where a program in the cell wants to go.
type target struct {
	host string     // the name in lower case without a trailing dot, or the text of addr
	addr netip.Addr // valid if the program gave an address
	port uint16
}

// parseTarget reads "host:port"; a missing port is fallback, or an error if
// that is 0. Anything that is not exactly an address must be a name.
func parseTarget(text string, fallback uint16) (target, *refusal) {
	host, port, ok := splitPort(text, fallback)
	if !ok {
		return target{}, badRequest("expected host:port, got %s", strconv.Quote(clip(text)))
	}
	if addr, err := netip.ParseAddr(host); err == nil {
		if addr.Zone() != "" {
			return target{host: clip(host), port: port}, denied("addresses with a zone are never reachable")
		}
		return target{host: addr.String(), addr: addr, port: port}, nil
	}
	if endsInNumber(host) {
		return target{host: clip(host), port: port}, denied("%s is never reachable: it is neither a name nor an address in its usual form", strconv.Quote(clip(host)))
	}
	name, ok := parseName(host)
	if !ok {
		return target{}, badRequest("%s is not a host name", strconv.Quote(clip(host)))
	}
	return target{host: name, port: port}, nil
}

func splitPort(text string, fallback uint16) (string, uint16, bool) {
	host, portText, err := net.SplitHostPort(text)
	if err == nil {
		port, ok := parsePort(portText)
		return host, port, ok
	}
	if fallback == 0 {
		return "", 0, false
	}
	if inner, ok := strings.CutPrefix(text, "["); ok {
		host, ok := strings.CutSuffix(inner, "]")
		return host, fallback, ok
	}
	return text, fallback, !strings.Contains(text, ":")
}

func parsePort(text string) (uint16, bool) {
	if text == "" || len(text) > 5 || text[0] < '1' || text[0] > '9' {
		return 0, false
	}
	port, err := strconv.ParseUint(text, 10, 16)
	return uint16(port), err == nil
}

// parseName returns the canonical form of a host name: lower case, without the
// trailing dot. Underscores are let through, as resolvers do.
func parseName(text string) (string, bool) {
	name := strings.ToLower(strings.TrimSuffix(text, "."))
	if name == "" || len(name) > 253 || !isASCII(name) || endsInNumber(name) {
		return "", false
	}
	for label := range strings.SplitSeq(name, ".") {
		if !isLabel(label) {
			return "", false
		}
	}
	return name, true
}

func isLabel(label string) bool {
	if label == "" || len(label) > 63 || label[0] == '-' || label[len(label)-1] == '-' {
		return false
	}
	for _, c := range []byte(label) {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' && c != '_' {
			return false
		}
	}
	return true
}

// endsInNumber reports whether the last label is a number. Some programs and
// C libraries read such a host as an IPv4 address in decimal, octal or
// hexadecimal, so it is never treated as a name.
func endsInNumber(host string) bool {
	host = strings.TrimSuffix(host, ".")
	last := strings.ToLower(host[strings.LastIndexByte(host, '.')+1:])
	if hex, ok := strings.CutPrefix(last, "0x"); ok {
		return strings.Trim(hex, "0123456789abcdef") == ""
	}
	return last != "" && strings.Trim(last, "0123456789") == ""
}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= 0x80 {
			return false
		}
	}
	return true
}

// isDeniedName reports the names of metadata services and of the host itself.
// Their addresses are refused too; the names make the refusal plain.
func (t target) isDeniedName() bool {
	switch t.host {
	case "localhost", "metadata", "metadata.google.internal", "metadata.goog", "host.docker.internal":
		return true
	}
	return strings.HasSuffix(t.host, ".localhost")
}

// Never reports whether no policy lets a cell reach host: private addresses, and
// the names of metadata services and of the host itself.
func Never(host string) bool {
	if addr, err := netip.ParseAddr(host); err == nil {
		return !reachable(addr)
	}
	return endsInNumber(host) || target{host: host}.isDeniedName()
}

// String returns host:port, as the audit and refusals show it.
func (t target) String() string { return net.JoinHostPort(t.host, strconv.Itoa(int(t.port))) }

// clip cuts hostile text to what fits into a line.
func clip(text string) string { return text[:min(len(text), 80)] }
