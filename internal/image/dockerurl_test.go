package image

import (
	"bytes"
	"context"
	"crypto/x509"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/egress"
	"github.com/glovebox-dev/glovebox/internal/oci"
)

// web is a server that builds reach as files.example.com, through the proxy of
// cells, for which that is a public address.
type web struct {
	*Service
	address string
	packed  []byte
	asked   []string // paths
}

func (w *web) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	if strings.TrimSuffix(host, ".") == "inside.example.com" {
		return []netip.Addr{netip.MustParseAddr("10.0.0.1")}, nil
	}
	return []netip.Addr{netip.MustParseAddr("203.0.113.1")}, nil
}

func (w *web) DialContext(ctx context.Context, network, _ string) (net.Conn, error) {
	return new(net.Dialer).DialContext(ctx, network, w.address)
}

func (w *web) ServeHTTP(out http.ResponseWriter, r *http.Request) {
	w.asked = append(w.asked, r.URL.Path)
	switch path := r.URL.Path; path {
	case "/absent":
		http.NotFound(out, r)
	case "/away":
		http.Redirect(out, r, r.URL.Query().Get("to"), http.StatusFound)
	case "/short":
		out.Header().Set("Content-Length", "100")
		io.WriteString(out, "cut")
	case "/packed.tar":
		out.Write(w.packed)
	default:
		io.WriteString(out, "text of "+path)
	}
}

// serveFiles makes a service and the server that its builds reach.
func serveFiles(t *testing.T, tls bool) *web {
	t.Helper()
	w := &web{Service: dockerService(t, &fakeCells{}, contexts{}), packed: tarOf(t, entry{name: "inside"})}
	server := httptest.NewUnstartedServer(w)
	if tls {
		server.StartTLS()
		w.roots = x509.NewCertPool()
		w.roots.AddCert(server.Certificate())
	} else {
		server.Start()
	}
	t.Cleanup(server.Close)
	w.address = server.Listener.Addr().String()
	w.config.Network = api.Network{Allow: []string{"*.example.com"}}
	w.config.Egress = func(n api.Network, audit func(api.Connection)) (func(context.Context, net.Conn), error) {
		policy, err := egress.ParsePolicy(n)
		return egress.NewProxy(policy, egress.Options{
			Audit: audit, Resolver: w, Dialer: w,
			Own:      func() ([]netip.Prefix, error) { return nil, nil },
			Upstream: func(*http.Request) (*url.URL, error) { return nil, nil },
		}).Serve, err
	}
	return w
}

// build builds a Dockerfile whose second line is given.
func (w *web) build(t *testing.T, line string) (*Image, error) {
	t.Helper()
	return w.Ensure(t.Context(), api.ImageSpec{Dockerfile: "FROM python:3.12\n" + line + "\n"}, nil)
}

func checksumOf(text string) string { return string(oci.DigestOf([]byte(text))) }

func TestAddURL(t *testing.T) {
	for _, tls := range []bool{true, false} {
		w, scheme := serveFiles(t, tls), "http"
		if tls {
			scheme = "https"
		}
		at := scheme + "://files.example.com"
		img, err := w.build(t, fmt.Sprintf("ADD %[1]s/dir/tool?v=1 %[1]s/packed.tar %[1]s/ /in/\nADD --chown=bob --chmod=755 %[1]s/away?to=/x /bin/tool\nADD --checksum=%[2]s %[1]s/pinned /",
			at, checksumOf("text of /pinned")))
		if err != nil {
			t.Fatal(err)
		}
		want := []string{
			"in/tool -rw------- = text of /dir/tool", "in/packed.tar -rw------- = " + string(w.packed), "in/__unnamed__ -rw------- = text of /",
			"bin/tool -rwxr-xr-x of 70 = text of /x", "pinned -rw------- = text of /pinned",
		}
		if diff := cmp.Diff(want, rootOf(t, img, "in/tool", "in/packed.tar", "in/__unnamed__", "bin/tool", "pinned")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", scheme, diff)
		}
	}
}

// A file with a checksum is fetched once, whatever follows it. Other files are fetched
// again, and make a new layer if they have changed.
func TestAddURLAgain(t *testing.T) {
	w := serveFiles(t, true)
	pinned := "ADD --checksum=" + checksumOf("text of /pinned") + " https://files.example.com/pinned /"
	for _, test := range []struct {
		lines string
		want  []string
	}{
		{pinned + "\nENV A=1", []string{"/pinned"}},
		{pinned + "\nENV A=2", nil},
		{"ADD https://files.example.com/a /\nENV A=1", []string{"/a"}},
		{"ADD https://files.example.com/a /\nENV A=2", []string{"/a"}},
		{"ADD https://files.example.com/a /\nENV A=2", nil}, // the same spec is the same image
		{"RUN x\n" + pinned, []string{"/pinned"}},
		{pinned + "\nCOPY --from=library /etc/passwd /copied", nil},
	} {
		w.asked = nil
		img, err := w.build(t, test.lines)
		if err != nil {
			t.Fatalf("%s: %v", test.lines, err)
		}
		if diff := cmp.Diff(test.want, w.asked); diff != "" {
			t.Errorf("%s: fetched (-want +got):\n%s", test.lines, diff)
		}
		if strings.Contains(test.lines, "/pinned") && rootOf(t, img, "pinned")[0] != "pinned -rw------- = text of /pinned" {
			t.Errorf("%s lacks the file", test.lines)
		}
	}
}

// B10: what ADD fetches comes from where the steps of the build may reach, also
// after a redirect.
func TestAddURLStaysWithinThePolicy(t *testing.T) {
	const files = "https://files.example.com"
	for name, test := range map[string]struct {
		address, message, hint string
	}{
		"another host":             {"https://other.example.org/x", "other.example.org", "glovebox serve --build-network *.example.com,other.example.org"},
		"another host by http":     {"http://other.example.org/x", "other.example.org", "glovebox serve --build-network *.example.com,other.example.org"},
		"a redirect":               {files + "/away?to=https://other.example.org/x", "other.example.org", "--build-network *.example.com,other.example.org"},
		"a redirect to this host":  {files + "/away?to=https://127.0.0.1/x", "127.0.0.1", "to reach 127.0.0.1"},
		"a redirect to a file":     {files + "/away?to=file:///etc/passwd", "unsupported protocol scheme", ""},
		"a name of a private host": {"https://inside.example.com/x", "inside.example.com", "inside.example.com"},
		"a private address":        {"http://10.0.0.1/x", "10.0.0.1", "10.0.0.1"},
		"a metadata service":       {"http://169.254.169.254/latest", "169.254.169.254", "which no build and no cell can"},
		"an engine":                {"http://" + api.EngineHost + "/v1/runs", api.EngineHost, api.EngineHost},
	} {
		for _, public := range []bool{false, true} {
			w := serveFiles(t, true)
			if public && strings.Contains(test.hint, "--build-network") {
				continue
			}
			if public {
				w.config.Network = api.Network{Public: true}
			}
			_, err := w.build(t, "ADD "+test.address+" /")
			e := api.AsError(err)
			if e == nil || e.Code != api.BuildFailed || !strings.HasPrefix(e.Message, "Dockerfile:2: ADD ") || !strings.Contains(e.Message, test.message) || !strings.Contains(e.Hint, test.hint) {
				t.Errorf("%s: %+v, want %q and the hint %q", name, e, test.message, test.hint)
			}
			for _, path := range w.asked {
				if path != "/away" {
					t.Errorf("%s: the server was asked for %s", name, path)
				}
			}
		}
	}
}

func TestAddURLFails(t *testing.T) {
	for line, want := range map[string]string{
		"ADD https://files.example.com/absent /":                                   "files.example.com answers 404 Not Found",
		"ADD https://files.example.com/short /":                                    "the file was not fetched to its end",
		"ADD --checksum=" + checksumOf("other") + " https://files.example.com/x /": "the file of the URL has another checksum",
		"ADD https://files.example.com/x https://files.example.com/y /one":         "several files would become",
	} {
		_, err := serveFiles(t, true).build(t, line)
		if e := api.AsError(err); e == nil || e.Code != api.BuildFailed || !strings.Contains(e.Message, want) {
			t.Errorf("%s: %+v, want %q", line, e, want)
		}
	}
	w := serveFiles(t, true)
	w.roots = nil
	if _, err := w.build(t, "ADD https://files.example.com/x /"); err == nil || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("a certificate of a stranger: %v", err)
	}
	to := filepath.Join(t.TempDir(), "file")
	if _, err := receive(strings.NewReader("12345"), to, 4); err == nil || !strings.Contains(err.Error(), "more than 4 bytes") {
		t.Errorf("a file that is too large: %v", err)
	}
	if f, err := receive(bytes.NewReader([]byte("1234")), to, 4); err != nil || f.size != 4 || f.digest != checksumOf("1234") {
		t.Errorf("a file that is not: %+v, %v", f, err)
	}
}
