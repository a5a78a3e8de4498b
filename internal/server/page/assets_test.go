package page

import (
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFreshBundles holds the bundled libraries to what they were made of, without
// making them again, which takes npm.
func TestFreshBundles(t *testing.T) {
	sums, err := os.ReadFile("static/bundles.sum")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(sums)) {
		digest, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		text, err := os.ReadFile(filepath.Join("../../..", name))
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprintf("%x", sha256.Sum256(text)); got != digest {
			t.Errorf("%s has changed since the libraries were bundled: make generate", name)
		}
	}
}

func TestAssetsAreCompressed(t *testing.T) {
	a, err := readAssets()
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequest(http.MethodGet, "/page/static/x/codemirror.js", nil)
	r.SetPathValue("version", a.version)
	r.SetPathValue("name", "codemirror.js")
	for range 2 {
		w := httptest.NewRecorder()
		r.Header.Set("Accept-Encoding", "gzip, br")
		a.serve(w, r)
		if h := w.Header(); h.Get("Content-Encoding") != "gzip" || !strings.Contains(h.Get("Cache-Control"), "immutable") || h.Get("Vary") != "Accept-Encoding" {
			t.Errorf("headers: %v", h)
		}
		if w.Body.Len() > 200<<10 {
			t.Errorf("%d bytes are sent", w.Body.Len())
		}
		in, err := gzip.NewReader(w.Body)
		if err != nil {
			t.Fatal(err)
		}
		if text, err := io.ReadAll(in); err != nil || string(text) != string(a.files["codemirror.js"].text) {
			t.Errorf("%d bytes, %v", len(text), err)
		}
	}
	r.Header.Del("Accept-Encoding")
	w := httptest.NewRecorder()
	if a.serve(w, r); w.Header().Get("Content-Encoding") != "" || w.Body.String() != string(a.files["codemirror.js"].text) {
		t.Error("a browser that does not ask for gzip gets it")
	}
	r.SetPathValue("name", "bundles.sum")
	w = httptest.NewRecorder()
	if a.serve(w, r); w.Code != http.StatusNotFound {
		t.Errorf("bundles.sum: %d", w.Code)
	}
}
