package localca

import (
	"crypto/tls"
	"crypto/x509"
	"testing"
	"time"
)

func authority(t *testing.T, secret string) *Authority {
	t.Helper()
	a, err := New([]byte(secret))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func trusting(t *testing.T, a *Authority) *x509.CertPool {
	t.Helper()
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(a.PEM()) {
		t.Fatal("the PEM holds no certificate")
	}
	return pool
}

func TestNamesBelowLocalhost(t *testing.T) {
	a, again, other := authority(t, "secret"), authority(t, "secret"), authority(t, "another")
	for _, name := range []string{"localhost", "8000-abc.localhost", "LOCALHOST", "a.b.localhost"} {
		c, err := a.Config().GetCertificate(&tls.ClientHelloInfo{ServerName: name})
		if err != nil {
			t.Fatal(err)
		}
		for trusted, want := range map[*Authority]bool{a: true, again: true, other: false} {
			if _, err := c.Leaf.Verify(x509.VerifyOptions{Roots: trusting(t, trusted), DNSName: name}); (err == nil) != want {
				t.Errorf("%s: %v, want %v", name, err, want)
			}
		}
		for _, address := range []string{"127.0.0.1", "::1"} {
			if _, err := c.Leaf.Verify(x509.VerifyOptions{Roots: trusting(t, a), DNSName: address}); err != nil {
				t.Errorf("%s at %s: %v", name, address, err)
			}
		}
	}
}

func TestNoOtherNames(t *testing.T) {
	a := authority(t, "secret")
	for _, name := range []string{"example.org", "localhost.example.org", "xlocalhost", "*.localhost", "-.localhost", ".localhost", "a.b.c.d.localhost"} {
		if _, err := a.Certificate(name); err == nil {
			t.Errorf("there is a certificate for %q", name)
		}
	}
	forged, err := a.issue("example.org")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := forged.Leaf.Verify(x509.VerifyOptions{Roots: trusting(t, a), DNSName: "example.org"}); err == nil {
		t.Error("whoever has the key can sign for other names")
	}
}

func TestIssuedIsKeptWithinBounds(t *testing.T) {
	a := authority(t, "secret")
	first, err := a.Certificate("a.localhost")
	if err != nil {
		t.Fatal(err)
	}
	if second, err := a.Certificate("a.localhost"); err != nil || second != first {
		t.Errorf("a second time: another certificate, %v", err)
	}
	for i := range maxIssued {
		a.issued[string(rune('a'+i%26))+string(rune(i))] = first
	}
	if _, err := a.Certificate("b.localhost"); err != nil || len(a.issued) > maxIssued {
		t.Errorf("%d are kept, %v", len(a.issued), err)
	}
}

func TestForHosts(t *testing.T) {
	allowed := func(name string) bool { return name == "api.example.com" }
	a, err := ForHosts([]byte("secret"), []string{"api.example.com"}, allowed, time.Now().Add(time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	c, err := a.Certificate("API.example.com")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Leaf.Verify(x509.VerifyOptions{Roots: trusting(t, a), DNSName: "api.example.com"}); err != nil {
		t.Error(err)
	}
	for _, name := range []string{"", "example.com", "evil.org", "localhost", "127.0.0.1"} {
		if _, err := a.Certificate(name); err == nil {
			t.Errorf("there is a certificate for %q", name)
		}
	}
	for _, name := range []string{"evil.org", "example.com", "localhost"} {
		forged, err := a.issue(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := forged.Leaf.Verify(x509.VerifyOptions{Roots: trusting(t, a), DNSName: name}); err == nil {
			t.Errorf("whoever has the key can sign for %s", name)
		}
	}
	other, err := ForHosts([]byte("another cell"), []string{"api.example.com"}, allowed, time.Now().Add(time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Leaf.Verify(x509.VerifyOptions{Roots: trusting(t, other), DNSName: "api.example.com"}); err == nil {
		t.Error("the authority of another cell is trusted")
	}
}
