package server

import (
	"crypto/tls"
	"io"
	"net"
	"net/http/httptest"
	"testing"
	"time"
)

// TestEitherWay: one port answers with TLS and without, knows which it was, and
// gives up on a client that says nothing.
func TestEitherWay(t *testing.T) {
	issuer := httptest.NewTLSServer(nil)
	defer issuer.Close()
	h := start(t, func(c *Config) { c.Limits.Header = 200 * time.Millisecond })
	plain, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	srv := h.httpServer(t.Context())
	go func() { _ = srv.Serve(WithTLS(plain, &tls.Config{Certificates: issuer.TLS.Certificates})) }()
	defer srv.Close()
	address := plain.Addr().String()
	for _, scheme := range []string{"http", "https"} {
		for origin, want := range origins(scheme, address) {
			res := h.do(issuer.Client(), scheme+"://"+address+"/v1/version", "GET", "", "Authorization: Bearer "+token, "Origin: "+origin)
			if res.StatusCode != want {
				t.Errorf("%s with the origin %s: %d, want %d", scheme, origin, res.StatusCode, want)
			}
		}
	}
	silent, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	_ = silent.SetReadDeadline(time.Now().Add(10 * time.Second))
	if n, err := io.Copy(io.Discard, silent); err != nil {
		t.Errorf("a client that says nothing stays connected: %d bytes, %v", n, err)
	}
}

// origins are those of pages, with the status that each has to get over a scheme.
func origins(scheme, address string) map[string]int {
	all := map[string]int{"http://" + address: 403, "https://" + address: 403}
	all[scheme+"://"+address] = 200
	return all
}

// TestOnlyLoopbackIsEitherWay: a Unix socket stays as it is.
func TestOnlyLoopbackIsEitherWay(t *testing.T) {
	ln, err := Listen("unix:"+t.TempDir()+"/s.sock", ListenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	if WithTLS(ln, nil) != ln {
		t.Error("a Unix socket was wrapped")
	}
}
