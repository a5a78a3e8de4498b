package cell

import (
	"os"
	"path/filepath"
	"testing"
)

func TestNamedCertificates(t *testing.T) {
	dir := t.TempDir()
	file := func(name string, size int64) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(path, size); err != nil {
			t.Fatal(err)
		}
		return path
	}
	a, b, huge := file("a.pem", 10), file("b.pem", 10), file("huge.pem", MaxCertificates+1)
	tests := []struct {
		name string
		env  map[string]string
		want string
	}{
		{"nothing", nil, ""},
		{"the first", map[string]string{"SSL_CERT_FILE": a, "PIP_CERT": b}, a},
		{"only one for pip", map[string]string{"PIP_CERT": b}, b},
		{"only one for curl", map[string]string{"CURL_CA_BUNDLE": b}, b},
		{"a directory, then a file", map[string]string{"SSL_CERT_FILE": dir, "REQUESTS_CA_BUNDLE": b}, b},
		{"missing", map[string]string{"SSL_CERT_FILE": filepath.Join(dir, "nope")}, ""},
		{"huge", map[string]string{"SSL_CERT_FILE": huge}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, ok := NamedCertificates(func(name string) string { return tt.env[name] })
			if got != tt.want || ok != (tt.want != "") {
				t.Errorf("got %q, %v; want %q", got, ok, tt.want)
			}
		})
	}
}
