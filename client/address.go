package client

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/loopback"
)

// address is where a server listens.
type address struct {
	text   string // as it was given, for messages
	base   string // of every request, without a slash at the end
	socket string // path of a Unix socket; empty for TCP
}

// maxSocketPath returns how many bytes fit the address of a Unix socket.
func maxSocketPath() int {
	if runtime.GOOS == "darwin" {
		return 103
	}
	return 107
}

func parseAddress(text string) (address, error) {
	u, err := url.Parse(text)
	if err != nil {
		return address{}, badAddress("", "it is no URL")
	}
	switch {
	case u.User != nil:
		return address{}, badAddress(u.Redacted(), "a user and a password have no place in it; the token goes into GLOVEBOX_TOKEN")
	case u.RawQuery != "" || u.Fragment != "":
		return address{}, badAddress(text, "it has a query or a fragment")
	}
	switch u.Scheme {
	case "unix":
		return unixAddress(text, u)
	case "http", "https":
		return webAddress(text, u)
	}
	return address{}, badAddress(text, "it begins with none of unix, http and https")
}

func unixAddress(text string, u *url.URL) (address, error) {
	switch {
	case runtime.GOOS == "windows":
		return address{}, badAddress(text, "servers run on Linux, and their Unix sockets cannot be reached from Windows; have the server listen on 127.0.0.1:8700 or another port")
	case u.Host != "" || !filepath.IsAbs(u.Path) || u.Path == "/":
		return address{}, badAddress(text, "the path of the socket must be absolute, after three slashes")
	case len(u.Path) > maxSocketPath():
		return address{}, badAddress(text, fmt.Sprintf("the path of the socket is longer than the %d bytes that the system allows", maxSocketPath()))
	}
	return address{text: text, base: "http://localhost", socket: u.Path}, nil
}

// webAddress refuses plain HTTP to other hosts: the token and all that runs
// would be readable on the way.
func webAddress(text string, u *url.URL) (address, error) {
	switch {
	case u.Hostname() == "":
		return address{}, badAddress(text, "it names no host")
	case u.Scheme == "http" && !loopback.IsHost(u.Hostname()):
		return address{}, badAddress(text, "plain http is for servers on this host only; use https")
	}
	return address{text: text, base: u.Scheme + "://" + u.Host + strings.TrimRight(u.EscapedPath(), "/")}, nil
}

func badAddress(text, problem string) *api.Error {
	return api.Errorf(api.RequestInvalid, "the address of the server %q cannot be used: %s", text, problem).
		WithHint("set GLOVEBOX_URL to unix:///path/to/socket, http://127.0.0.1:port or https://host:port").
		WithDetails(api.Details{Field: "url", Expected: "unix:///path/to/socket, http://127.0.0.1:port or https://host:port", Got: text})
}

// httpClient returns given, or a client that knows the way to a. It follows no
// redirect: the API has none, and the token would go along.
func httpClient(a address, given *http.Client) (*http.Client, error) {
	hc := &http.Client{}
	switch {
	case given == nil:
		hc.Transport = transport(a)
	case a.socket != "":
		return nil, api.Errorf(api.RequestInvalid, "a client of HTTP was given for %s, but a Unix socket needs its own", a.text).
			WithHint("leave HTTPClient out for unix addresses").WithDetails(api.Details{Field: "HTTPClient"})
	default:
		*hc = *given
	}
	hc.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return hc, nil
}

// withPatience returns a client that waits for an answer as long as it takes, if
// its transport is ours.
func withPatience(hc *http.Client) *http.Client {
	t, ok := hc.Transport.(*http.Transport)
	if !ok {
		return hc
	}
	patient := *hc
	t = t.Clone()
	t.ResponseHeaderTimeout = 0
	patient.Transport = t
	return &patient
}

// transport speaks HTTP/1.1 only: a connection that is handed over to a worker
// cannot be part of another one.
func transport(a address) *http.Transport {
	dialer := &net.Dialer{Timeout: 10 * time.Second, KeepAlive: 15 * time.Second}
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	t := &http.Transport{
		Proxy: http.ProxyFromEnvironment, DialContext: dialer.DialContext, Protocols: protocols,
		TLSHandshakeTimeout: 10 * time.Second, ResponseHeaderTimeout: 2 * time.Minute, ExpectContinueTimeout: time.Second,
		IdleConnTimeout: 90 * time.Second, MaxIdleConnsPerHost: 32, MaxResponseHeaderBytes: 64 << 10,
		DisableCompression: true, // sizes of blobs are those of the bytes
	}
	if a.socket != "" {
		t.Proxy = nil
		t.DialContext = func(ctx context.Context, _, _ string) (net.Conn, error) {
			return dialer.DialContext(ctx, "unix", a.socket)
		}
	}
	return t
}
