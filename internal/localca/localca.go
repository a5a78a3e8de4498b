// Package localca is an authority that signs certificates for names below
// localhost, so that a server on the loopback can be reached by https as well. Its
// key follows from one of the home. Its own certificate allows no other names:
// who trusts it trusts nobody on the network.
package localca

import (
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
	key  *ecdsa.PrivateKey
	cert *x509.Certificate

	mu     sync.Mutex
	issued map[string]*tls.Certificate // by name
}

const (
	lasting   = 10 * 365 * 24 * time.Hour // of the authority
	fresh     = 30 * 24 * time.Hour       // of a certificate
	maxIssued = 1000                      // certificates that are kept
)

// New returns the authority of a secret. That of the same secret has the same key,
// and what was signed by one is good for the other.
func New(secret []byte) (*Authority, error) {
	key, err := keyOf(secret)
	if err != nil {
		return nil, fmt.Errorf("the key of local certificates: %w", err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "Glovebox on this host"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(lasting),
		IsCA: true, BasicConstraintsValid: true, MaxPathLenZero: true, KeyUsage: x509.KeyUsageCertSign,
		PermittedDNSDomainsCritical: true, PermittedDNSDomains: []string{"localhost"},
		PermittedIPRanges: []*net.IPNet{{IP: net.IPv4(127, 0, 0, 0).To4(), Mask: net.CIDRMask(8, 32)}, {IP: net.IPv6loopback, Mask: net.CIDRMask(128, 128)}},
	}
	cert, err := sign(template, template, key, key)
	if err != nil {
		return nil, err
	}
	return &Authority{key: key, cert: cert, issued: map[string]*tls.Certificate{}}, nil
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
		return a.certificate(hello.ServerName)
	}}
}

var localName = lazyregexp.New(`^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.){0,3}localhost$`)

// certificate returns one for a name, or for the addresses of the loopback if the
// client names none.
func (a *Authority) certificate(name string) (*tls.Certificate, error) {
	name = strings.ToLower(name)
	if name == "" {
		name = "localhost"
	}
	if !localName().MatchString(name) {
		return nil, fmt.Errorf("there is no certificate for %q", name)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if c := a.issued[name]; c != nil && time.Until(c.Leaf.NotAfter) > fresh/2 {
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
		SerialNumber: serial, Subject: pkix.Name{CommonName: name}, DNSNames: []string{name}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(fresh),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}, a.cert, key, a.key)
	if err != nil {
		return nil, err
	}
	return &tls.Certificate{Certificate: [][]byte{leaf.Raw, a.cert.Raw}, PrivateKey: key, Leaf: leaf}, nil
}
