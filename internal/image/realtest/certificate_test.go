package realtest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"testing"
	"time"
)

// newCertificate makes a certificate for example.com, and that of its issuer
// in PEM. uv takes no certificate that is its own issuer, as that of httptest.
func newCertificate(t *testing.T) (tls.Certificate, []byte) {
	t.Helper()
	issuer := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test"}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	leaf := &x509.Certificate{
		SerialNumber: big.NewInt(2), DNSNames: []string{"example.com"}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	keys := [2]*ecdsa.PrivateKey{}
	for i := range keys {
		key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		keys[i] = key
	}
	root, err := x509.CreateCertificate(rand.Reader, issuer, issuer, keys[0].Public(), keys[0])
	if err != nil {
		t.Fatal(err)
	}
	own, err := x509.CreateCertificate(rand.Reader, leaf, issuer, keys[1].Public(), keys[0])
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{own}, PrivateKey: keys[1]}, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: root})
}
