package egress

import (
	"context"
	"errors"
	"net"
	"net/http"
)

// ErrRefused is why Outbound does not connect to what nobody may reach.
var ErrRefused = errors.New("refused")

// Outbound connects the host itself to what users name, under the rules for cells:
// names are resolved once, every address is checked, and none of this host, of
// private networks or of metadata services is reached, unless Options.Also has it.
type Outbound struct{ proxy *Proxy }

// NewOutbound returns an Outbound. Of the options, Audit, Quota and Engine have no
// meaning.
func NewOutbound(o Options) *Outbound {
	return &Outbound{NewProxy(&Policy{public: true}, o)}
}

// DialContext connects to HOST:PORT. The error of what is refused is ErrRefused; it
// names no address that a name led to.
func (o *Outbound) DialContext(ctx context.Context, _, address string) (net.Conn, error) {
	t, r := parseTarget(address, 0)
	if r == nil {
		var conn net.Conn
		if conn, _, r = o.proxy.connectTo(ctx, t); r == nil {
			return conn, nil
		}
	}
	if r.status == http.StatusBadGateway {
		return nil, plainError(r.reason)
	}
	host, _, _ := net.SplitHostPort(address)
	return nil, errors.Join(plainError(clip(host)+" is a private, local or metadata address, one of this host or its link, or leads there"), ErrRefused)
}
