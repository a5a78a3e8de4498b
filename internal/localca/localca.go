// Package localca makes authorities that sign certificates for few names: those below
// localhost, so that a server on the loopback can be reached by https as well, or the
// hosts of one cell, whose TLS this host ends. The key of one follows from a secret of
// the home. Its own certificate allows no other names: who trusts it trusts nobody else
// on the network.
package localca

import (
	"cmp"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"strings"
	"sync"
	"time"

	"github.com/glovebox-dev/glovebox/internal/lazyregexp"
)

// Authority signs certificates as they are asked for. It is safe for concurrent
// use.
type Authority struct {
	key       *ecdsa.PrivateKey
	cert      *x509.Certificate
	names     func(string) bool // whether it signs for one
	addresses []net.IP          // in each certificate
	fresh     time.Duration     // how long one is good

	mu     sync.Mutex
	issued map[string]*tls.Certificate // by name
}

const (
	lasting   = 10 * 365 * 24 * time.Hour // of the authority
	fresh     = 30 * 24 * time.Hour       // of a certificate for localhost
	briefly   = 24 * time.Hour            // of a certificate for a host
	maxIssued = 1000                      // certificates that are kept
)

// New returns the authority of a secret for names below localhost. That of the same
// secret has the same key, and what was signed by one is good for the other.
func New(secret []byte) (*Authority, error) {
	a := &Authority{
		names: func(name string) bool { return localName().MatchString(name) }, fresh: fresh,
		addresses: []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback},
	}
	return a, a.make(secret, &x509.Certificate{
		Subject: pkix.Name{CommonName: "Glovebox on this host"}, NotAfter: time.Now().Add(lasting), PermittedDNSDomains: []string{"localhost"},
		PermittedIPRanges: []*net.IPNet{{IP: net.IPv4(127, 0, 0, 0).To4(), Mask: net.CIDRMask(8, 32)}, {IP: net.IPv6loopback, Mask: net.CIDRMask(128, 128)}},
	})
}

// ForHosts returns the authority of a secret for names within domains, those that
// allowed accepts. It is good until a time.
func ForHosts(secret []byte, domains []string, allowed func(name string) bool, until time.Time) (*Authority, error) {
	a := &Authority{names: allowed, fresh: briefly}
	return a, a.make(secret, &x509.Certificate{
		Subject: pkix.Name{CommonName: "Glovebox for one cell"}, NotAfter: until, PermittedDNSDomains: domains,
		ExcludedIPRanges: []*net.IPNet{{IP: net.IPv4zero.To4(), Mask: net.CIDRMask(0, 32)}, {IP: net.IPv6zero, Mask: net.CIDRMask(0, 128)}},
	})
}

// make completes an authority whose certificate is template.
func (a *Authority) make(secret []byte, template *x509.Certificate) (err error) {
	if a.key, err = keyOf(secret); err != nil {
		return fmt.Errorf("the key of local certificates: %w", err)
	}
	template.SerialNumber, template.NotBefore = big.NewInt(1), time.Now().Add(-time.Hour)
	template.IsCA, template.BasicConstraintsValid, template.MaxPathLenZero, template.KeyUsage = true, true, true, x509.KeyUsageCertSign
	template.PermittedDNSDomainsCritical = true
	a.cert, err = sign(template, template, a.key, a.key)
	a.issued = map[string]*tls.Certificate{}
	return err
}

// keyOf makes a key of a secret. Nearly every hash is one.
func keyOf(secret []byte) (key *ecdsa.PrivateKey, err error) {
	for i := range 8 {
		mac := hmac.New(sha256.New, secret)
		fmt.Fprintf(mac, "certificates of localhost %d", i)
		if key, err = ecdsa.ParseRawPrivateKey(elliptic.P256(), mac.Sum(nil)); err == nil {
			return key, nil
		}
	}
	return nil, err
}

func sign(template, parent *x509.Certificate, key, by *ecdsa.PrivateKey) (*x509.Certificate, error) {
	der, err := x509.CreateCertificate(rand.Reader, template, parent, key.Public(), by)
	if err != nil {
		return nil, fmt.Errorf("signing a local certificate: %w", err)
	}
	return x509.ParseCertificate(der)
}

// PEM is the certificate of the authority, for those who are to trust it.
func (a *Authority) PEM() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: a.cert.Raw})
}

// Config returns the TLS of a server that has a certificate for every name below
// localhost.
func (a *Authority) Config() *tls.Config {
	return &tls.Config{MinVersion: tls.VersionTLS12, NextProtos: []string{"http/1.1"}, GetCertificate: func(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
		return a.Certificate(cmp.Or(hello.ServerName, "localhost"))
	}}
}

var localName = lazyregexp.New(`^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.){0,3}localhost$`)

// Certificate returns the one for a name, or why there is none.
func (a *Authority) Certificate(name string) (*tls.Certificate, error) {
	name = strings.ToLower(name)
	if !a.names(name) {
		return nil, fmt.Errorf("there is no certificate for %q", name)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if c := a.issued[name]; c != nil && time.Until(c.Leaf.NotAfter) > a.fresh/2 {
		return c, nil
	}
	c, err := a.issue(name)
	if err != nil {
		return nil, err
	}
	if len(a.issued) >= maxIssued {
		clear(a.issued)
	}
	a.issued[name] = c
	return c, nil
}

func (a *Authority) issue(name string) (*tls.Certificate, error) {
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		return nil, err
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	leaf, err := sign(&x509.Certificate{
		SerialNumber: serial, Subject: pkix.Name{CommonName: name}, DNSNames: []string{name}, IPAddresses: a.addresses,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(a.fresh),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}, a.cert, key, a.key)
	if err != nil {
		return nil, err
	}
	return &tls.Certificate{Certificate: [][]byte{leaf.Raw, a.cert.Raw}, PrivateKey: key, Leaf: leaf}, nil
}
