package server

import (
	"context"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/glovebox-dev/glovebox/api"
)

// originOf is the origin of this server as the client of a request knows it, empty
// over a Unix socket, where a browser knows none.
func originOf(r *http.Request) string {
	if isLocal(r.Context()) || r.Host == "" {
		return ""
	}
	return schemeOf(r) + "://" + r.Host
}

// portURL is where this server answers for a port, as the client of a request
// reaches it; empty if it does not.
func portURL(ctx context.Context, session string, port int) string {
	i, _ := ctx.Value(infoKey{}).(info)
	u, err := url.Parse(i.origin)
	if err != nil || u.Host == "" {
		return ""
	}
	name := u.Hostname()
	if ip := net.ParseIP(name); ip != nil && ip.IsLoopback() {
		name = "localhost" // names below it lead to this machine
	} else if ip != nil {
		return i.origin + "/v1/sessions/" + session + "/ports/" + strconv.Itoa(port) + "/proxy/"
	}
	u.Host = strconv.Itoa(port) + "-" + session + "." + name + portSuffix(u)
	return u.String() + "/"
}

func portSuffix(u *url.URL) string {
	if u.Port() == "" {
		return ""
	}
	return ":" + u.Port()
}

// withURLs returns a session with the addresses of its open ports.
func withURLs(ctx context.Context, s *api.Session) *api.Session {
	if s == nil || len(s.Ports) == 0 {
		return s
	}
	shown := *s
	shown.Ports = slices.Clone(s.Ports)
	for i := range shown.Ports {
		shown.Ports[i].URL = portURL(ctx, s.ID, shown.Ports[i].Port)
	}
	return &shown
}
