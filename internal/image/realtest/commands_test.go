package realtest

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/egress"
	"github.com/glovebox-dev/glovebox/internal/image"
)

// internet is the one of this host, with another example.com in it.
type internet struct{ server *httptest.Server }

const exampleAddress = "198.51.100.7"

func (internet) LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error) {
	switch strings.TrimSuffix(host, ".") {
	case "example.com":
		return []netip.Addr{netip.MustParseAddr(exampleAddress)}, nil
	case "none.example":
		return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	}
	return net.DefaultResolver.LookupNetIP(ctx, network, host)
}

func (i internet) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	if address == exampleAddress+":443" {
		address = i.server.Listener.Addr().String()
	}
	return new(net.Dialer).DialContext(ctx, network, address)
}

// servedBy is a service whose cells find files at example.com, by their paths.
func servedBy(t *testing.T, files http.Handler) *image.Service {
	t.Helper()
	own, issuer := newCertificate(t)
	world := internet{httptest.NewUnstartedServer(files)}
	world.server.TLS = &tls.Config{Certificates: []tls.Certificate{own}}
	world.server.StartTLS()
	t.Cleanup(world.server.Close)
	bundle := filepath.Join(t.TempDir(), "ca.pem")
	of, err := os.ReadFile("/etc/ssl/certs/ca-certificates.crt")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(bundle, append(of, issuer...), 0o600); err != nil {
		t.Fatal(err)
	}
	return realService(t, func(c *image.Config) {
		c.Getenv = func(name string) string {
			if name == "SSL_CERT_FILE" {
				return bundle
			}
			return os.Getenv(name)
		}
		c.Egress = func(network api.Network, audit func(api.Connection)) (func(context.Context, net.Conn), error) {
			policy, err := egress.ParsePolicy(network)
			if err != nil {
				return nil, err
			}
			return egress.NewProxy(policy, egress.Options{Audit: audit, Resolver: world, Dialer: world}).Serve, nil
		}
	})
}

// The command of the documents works as it is written, and what goes wrong in
// it is no success.
func TestRealCommands(t *testing.T) {
	realHome(t)
	s := servedBy(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/setup.sh" {
			http.NotFound(w, r)
			return
		}
		fmt.Fprint(w, "set -e\necho 41 > /etc/increment\n")
	}))
	const documents = "curl -sSL https://example.com/setup.sh | bash"
	for name, network := range map[string]*api.Network{"nothing said": nil, "its host": {Allow: []string{"example.com"}}} {
		t.Run(name, func(t *testing.T) {
			img, err := s.Ensure(t.Context(), api.ImageSpec{Commands: []string{documents}, Network: network}, show(t))
			if err != nil {
				t.Fatalf("%v\n%s", err, api.AsError(err).Hint)
			}
			if got := runIn(t, img, "cat", "/etc/increment"); got != "41" {
				t.Errorf("the script left %q, want 41", got)
			}
		})
	}
	for name, tt := range map[string]struct {
		command string
		network *api.Network
		want    string // in the error or its hint
	}{
		"no script":           {"curl -fsSL https://example.com/none.sh | bash", nil, "ended with status 22"},
		"no host":             {"curl -sSL https://none.example/setup.sh | bash", nil, "could not reach none.example"},
		"refused":             {documents, &api.Network{}, "--build-network example.com"},
		"refused and ignored": {documents + " || true", &api.Network{}, "refused a connection to example.com"},
		"a broken script":     {"echo 'false | true' | bash -eo pipefail", nil, "ended with status 1"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := s.Ensure(t.Context(), api.ImageSpec{Commands: []string{tt.command}, Network: tt.network}, show(t))
			if e := api.AsError(err); e == nil || e.Code != api.BuildFailed || !strings.Contains(e.Message+e.Hint, tt.want) {
				t.Errorf("error %+v, want build_failed with %q", e, tt.want)
			}
		})
	}
}
