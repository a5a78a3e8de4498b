package cell

import "os"

// CertificatesFile is where a cell has the bundle of certificates of its host.
const CertificatesFile = "/run/glovebox/ca.pem"

// MaxCertificates bounds a bundle.
const MaxCertificates = 8 << 20 // bytes

// CertificatesEnv points the usual programs at CertificatesFile.
func CertificatesEnv() []string {
	names := []string{"SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "PIP_CERT", "CURL_CA_BUNDLE", "GIT_SSL_CAINFO", "NODE_EXTRA_CA_CERTS"}
	env := make([]string, len(names))
	for i, name := range names {
		env[i] = name + "=" + CertificatesFile
	}
	return env
}

// NamedCertificates finds the bundle that the environment of the host names,
// which it does where a proxy shows certificates of its own. A variable that
// names no such file counts as unset.
func NamedCertificates(getenv func(string) string) (path string, ok bool) {
	for _, name := range []string{"SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "PIP_CERT"} {
		if path := getenv(name); IsCertificates(path) {
			return path, true
		}
	}
	return "", false
}

// SystemCertificates finds the bundle that programs of the host use: the one that its
// environment names, or that of its system.
func SystemCertificates(getenv func(string) string) (path string, ok bool) {
	if path, ok := NamedCertificates(getenv); ok {
		return path, true
	}
	for _, p := range []string{"/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem"} {
		if IsCertificates(p) {
			return p, true
		}
	}
	return "", false
}

// IsCertificates reports whether path may be a bundle: a regular file that is
// not too large.
func IsCertificates(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Size() <= MaxCertificates
}
