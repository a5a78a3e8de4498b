package oci

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	memory "github.com/google/go-containerregistry/pkg/registry"
	"github.com/google/go-containerregistry/pkg/v1/remote/transport"

	"github.com/glovebox-dev/glovebox/api"
)

const password = "hunter2-canary"

// startRegistry serves a registry in memory that asks for a password, and
// returns its host and port.
func startRegistry(t *testing.T, wrap func(http.Handler) http.Handler) string {
	t.Helper()
	t.Setenv("DOCKER_CONFIG", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	handler := memory.New(memory.Logger(log.New(io.Discard, "", 0)))
	protected := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if user, pass, _ := r.BasicAuth(); user != "me" || pass != password {
			w.Header().Set("WWW-Authenticate", `Basic realm="test"`)
			http.Error(w, `{"errors":[{"code":"UNAUTHORIZED","message":"authentication required"}]}`, http.StatusUnauthorized)
			return
		}
		handler.ServeHTTP(w, r)
	})
	var top http.Handler = protected
	if wrap != nil {
		top = wrap(protected)
	}
	server := httptest.NewServer(top)
	t.Cleanup(server.Close)
	return strings.TrimPrefix(server.URL, "http://")
}

func login() Options { return Options{Username: "me", Password: password} }

// roundTrip pushes the example and pulls it again.
func roundTrip(t *testing.T, host string, opts Options) {
	t.Helper()
	ctx := context.Background()
	ref := host + "/some/image:tag"
	_, err := Open(ctx, ref, opts)
	wantCode(t, err, api.ImageNotFound, ref)
	want := exampleImage(t)
	digest, err := Push(ctx, ref, want, opts)
	if err != nil {
		t.Fatal(err)
	}
	if computed, err := want.ManifestDigest(ctx); err != nil || computed != digest {
		t.Errorf("pushed %s, computed %s, %v", digest, computed, err)
	}
	for _, ref := range []string{ref, host + "/some/image@" + string(digest)} {
		img, err := Open(ctx, ref, opts)
		checkExample(t, img, err)
		if img.Digest != digest {
			t.Errorf("digest %s, want %s", img.Digest, digest)
		}
	}
}

func TestRegistry(t *testing.T) {
	roundTrip(t, startRegistry(t, nil), login())
}

func TestRegistryWithDockerConfig(t *testing.T) {
	host := startRegistry(t, nil)
	dir := t.TempDir()
	t.Setenv("DOCKER_CONFIG", dir)
	config := fmt.Sprintf(`{"auths":{%q:{"username":"me","password":%q}}}`, host, password)
	if err := os.WriteFile(filepath.Join(dir, "config.json"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	roundTrip(t, host, Options{})
}

func TestRegistryRefuses(t *testing.T) {
	host := startRegistry(t, nil)
	ctx := context.Background()
	wrong := Options{Username: "me", Password: "wrong-" + password}
	for name, opts := range map[string]Options{"no password": {}, "wrong password": wrong} {
		t.Run(name, func(t *testing.T) {
			_, err := Open(ctx, host+"/some/image", opts)
			wantCode(t, err, api.RegistryDenied, host, "401")
			noCanary(t, err)
			_, err = Push(ctx, host+"/some/image", exampleImage(t), opts)
			wantCode(t, err, api.RegistryDenied, host)
			noCanary(t, err)
		})
	}
}

func noCanary(t *testing.T, err error) {
	t.Helper()
	for e := err; e != nil; e = errors.Unwrap(e) {
		if strings.Contains(e.Error(), password) {
			t.Errorf("the password is in %q", e)
		}
	}
}

func TestReferencesAreChecked(t *testing.T) {
	for _, ref := range []string{"https://me:" + password + "@example.com/image", "me:" + password + "@example.com/image", "example.com/me:" + password + "@image", "", "UPPER/case", "a b", "a:b:c", "example.com/x@sha256:12"} {
		_, err := Open(context.Background(), ref, Options{})
		wantCode(t, err, api.ImageNotFound, "reference")
		noCanary(t, err)
	}
}

// A layer that changes on its way, or that the registry never had, is refused.
func TestRegistryServesOtherBytes(t *testing.T) {
	var evil []byte
	host := startRegistry(t, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method != http.MethodGet || !strings.Contains(r.URL.Path, "/blobs/") || evil == nil {
				next.ServeHTTP(w, r)
				return
			}
			w.Write(evil)
		})
	})
	ctx := context.Background()
	ref := host + "/some/image"
	if _, err := Push(ctx, ref, exampleImage(t), login()); err != nil {
		t.Fatal(err)
	}
	img, err := Open(ctx, ref, login())
	if err != nil {
		t.Fatal(err)
	}
	size := int(img.Layers[0].Size)
	for name, bytes := range map[string][]byte{"same size": bytes.Repeat([]byte("e"), size), "longer": bytes.Repeat([]byte("e"), size+1), "shorter": bytes.Repeat([]byte("e"), size-1)} {
		t.Run(name, func(t *testing.T) {
			evil = bytes
			_, err := flatten(t, img.Layers...)
			wantCode(t, err, api.ImageInvalid, "layer sha256:")
		})
	}
}

func TestRegistryBreaksOff(t *testing.T) {
	cut := false
	host := startRegistry(t, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if cut && r.Method == http.MethodGet && strings.Contains(r.URL.Path, "/blobs/") {
				w.Header().Set("Content-Length", "100000")
				w.Write([]byte("part"))
				w.(http.Flusher).Flush()
				panic(http.ErrAbortHandler)
			}
			next.ServeHTTP(w, r)
		})
	})
	ctx := context.Background()
	if _, err := Push(ctx, host+"/some/image", exampleImage(t), login()); err != nil {
		t.Fatal(err)
	}
	img, err := Open(ctx, host+"/some/image", login())
	if err != nil {
		t.Fatal(err)
	}
	cut = true
	_, err = flatten(t, img.Layers...)
	wantCode(t, err, api.RegistryUnavailable)
	if !api.AsError(err).Retryable {
		t.Error("a broken connection is not worth a retry?")
	}
}

func TestRegistryUnreachable(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	host := l.Addr().String()
	l.Close()
	_, err = Open(context.Background(), host+"/some/image", Options{})
	wantCode(t, err, api.RegistryUnavailable, host)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = Open(ctx, host+"/some/image", Options{})
	wantCode(t, err, api.Canceled)
}

func TestRegistryErrors(t *testing.T) {
	for status, want := range map[int]struct {
		code  api.Code
		retry bool
	}{
		401: {api.RegistryDenied, false}, 403: {api.RegistryDenied, false}, 404: {api.ImageNotFound, false},
		429: {api.RegistryUnavailable, true}, 500: {api.RegistryUnavailable, true}, 503: {api.RegistryUnavailable, true},
		400: {api.RegistryUnavailable, false}, 418: {api.RegistryUnavailable, false},
	} {
		answer := &transport.Error{StatusCode: status, Errors: []transport.Diagnostic{{Code: "X", Message: "token " + password}}}
		err := login().registryError(context.Background(), fmt.Errorf("wrapped: %w", answer))
		wantCode(t, err, want.code, fmt.Sprint(status))
		noCanary(t, err)
		if got := api.AsError(err).Retryable; got != want.retry {
			t.Errorf("%d: retryable %v", status, got)
		}
	}
}

// Only this machine is spoken to in the clear, also where a registry sends us
// elsewhere.
func TestPlainHTTPOnlyOnLoopback(t *testing.T) {
	asked := 0
	g := guard{local: true, next: roundTripper(func(*http.Request) (*http.Response, error) {
		asked++
		return &http.Response{StatusCode: 200, Body: http.NoBody}, nil
	})}
	for url, allowed := range map[string]bool{
		"http://localhost:5000/v2/": true, "http://127.0.0.1/": true, "http://[::1]:5000/": true, "https://example.com/": true, "https://10.0.0.1/": true,
		"http://example.com/": false, "http://10.0.0.1:5000/": false, "http://registry.local/": false, "http://localhost.example.com/": false, "http://203.0.113.80/": false,
	} {
		before := asked
		req := httptest.NewRequest(http.MethodGet, url, nil)
		_, err := g.RoundTrip(req)
		if (err == nil) != allowed || (asked > before) != allowed {
			t.Errorf("%s: %v", url, err)
		}
		if !allowed {
			wantCode(t, err, api.RegistryDenied, "plain http")
		}
	}
}

// A registry elsewhere must not have us ask what listens on this machine.
func TestRegistriesElsewhereDoNotLeadToThisMachine(t *testing.T) {
	asked := false
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked = true }))
	defer server.Close()
	parsed, err := parseReference("registry.example/app:1")
	if err != nil {
		t.Fatal(err)
	}
	_, err = newGuard(parsed).RoundTrip(httptest.NewRequest(http.MethodGet, server.URL+"/token", nil))
	wantCode(t, err, api.RegistryDenied, "plain http")
	if asked {
		t.Error("the server of this machine was asked")
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// TestDockerRegistry speaks to the registry that people run.
func TestDockerRegistry(t *testing.T) {
	server, err := exec.LookPath("docker-registry")
	if err != nil {
		t.Skip("docker-registry is not installed")
	}
	htpasswd, err := exec.LookPath("htpasswd")
	if err != nil {
		t.Skip("htpasswd is not installed (package apache2-utils)")
	}
	dir := t.TempDir()
	t.Setenv("DOCKER_CONFIG", dir)
	make := exec.Command(htpasswd, "-Bni", "me")
	make.Stdin = strings.NewReader(password)
	users, err := make.Output()
	if err != nil {
		t.Fatal(err)
	}
	host := freeAddress(t)
	config := fmt.Sprintf("version: 0.1\nstorage: {filesystem: {rootdirectory: %[1]s/data}}\nhttp: {addr: %[2]q, secret: x}\nauth: {htpasswd: {realm: test, path: %[1]s/users}}\nlog: {level: error}\n", dir, host)
	for name, data := range map[string][]byte{"users": users, "config.yml": []byte(config)} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(server, "serve", filepath.Join(dir, "config.yml"))
	cmd.Env = []string{"OTEL_TRACES_EXPORTER=none"}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	waitForRegistry(t, host)

	roundTrip(t, host, login())
	_, err = Open(context.Background(), host+"/some/image:tag", Options{})
	wantCode(t, err, api.RegistryDenied, host)
	_, err = Open(context.Background(), host+"/some/image:other", login())
	wantCode(t, err, api.ImageNotFound, "other")
}

func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// waitForRegistry asks until the server that we started answers.
func waitForRegistry(t *testing.T, host string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		if resp, err := http.Get("http://" + host + "/v2/"); err == nil {
			resp.Body.Close()
			return
		}
		select {
		case <-ctx.Done():
			t.Fatal("docker-registry does not answer")
		case <-tick.C:
		}
	}
}
