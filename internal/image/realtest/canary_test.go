package realtest

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/image"
)

// S01: an index with a password is used, and the password is nowhere in the
// store, in no layer and in no word of the build. The index is on loopback, so
// this also shows that an index which a cell could not reach is relayed.
func TestRealIndexWithPassword(t *testing.T) {
	home := realHome(t)
	const canary = "c4n4ry-in-a-url"
	upstream := &url.URL{Scheme: "https", Host: "pypi.org"}
	proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(upstream)
		r.Out.Header.Del("Authorization")
	}}
	var asked atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, password, _ := r.BasicAuth(); password != canary {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		asked.Add(1)
		proxy.ServeHTTP(w, r)
	}))
	defer server.Close()
	s := realService(t, func(c *image.Config) {
		c.Getenv = func(k string) string {
			if k == "PIP_INDEX_URL" {
				return strings.Replace(server.URL, "//", "//user:"+canary+"@", 1) + "/simple"
			}
			return os.Getenv(k)
		}
	})
	var words []string
	// The command looks for the password where a hostile one would.
	spec := api.ImageSpec{Packages: []string{"idna"}, Commands: []string{"env > /opt/env; cat /proc/*/environ /run/glovebox/* > /opt/all 2>/dev/null; true"}}
	img, err := s.Ensure(t.Context(), spec, func(p api.Progress) { words = append(words, p.Message) })
	if err != nil {
		t.Fatalf("%v\n%s", err, api.AsError(err).Details.Log)
	}
	defer func() {
		if err := s.Remove(img.ID); err != nil {
			t.Error(err)
		}
	}()
	if asked.Load() == 0 {
		t.Error("the index was not asked")
	}
	if strings.Contains(strings.Join(words, "\n"), canary) {
		t.Error("the password is in the progress")
	}
	for path := range tree(t, home) {
		text, err := os.ReadFile(filepath.Join(home, path))
		if err != nil || bytes.Contains(text, []byte(canary)) {
			t.Errorf("%s has the password (%v)", path, err)
		}
	}
}
