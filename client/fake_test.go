package client

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/blob"
)

// quick makes a client wait for nothing longer than a test likes.
func quick(c *Client) *Client {
	c.timing = timing{pause: time.Millisecond, tries: 4, patience: time.Minute, silence: time.Minute, poll: time.Second}
	return c
}

// serve returns a client of a server with this handler.
func serve(t *testing.T, h http.Handler) *Client {
	t.Helper()
	server := httptest.NewServer(h)
	c, err := Dial(server.URL, Options{Token: "secret-token"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
		server.CloseClientConnections()
		server.Close()
	})
	return quick(c)
}

// routes is a server of those routes alone.
func routes(handlers map[string]http.HandlerFunc) *http.ServeMux {
	mux := http.NewServeMux()
	for pattern, h := range handlers {
		mux.HandleFunc(pattern, h)
	}
	return mux
}

func answer(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}

// fail writes a problem document with all members that a server writes.
func fail(w http.ResponseWriter, status int, e *api.Error) {
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]any{
		"type": "urn:glovebox:error:" + string(e.Code), "title": e.Code.Info().Meaning, "status": status, "detail": e.Message,
		"code": e.Code, "hint": e.Hint, "retryable": e.Retryable, "outcome": e.Outcome, "attempts": e.Attempts, "details": e.Details,
	})
}

// cut ends the connection without an answer, or in the middle of it.
func cut(http.ResponseWriter) { panic(http.ErrAbortHandler) }

// blobs adds the routes of blobs to a server.
func blobs(t *testing.T, mux *http.ServeMux) blob.Store {
	t.Helper()
	store := &memory{blobs: map[string][]byte{}}
	mux.HandleFunc("POST /v1/blobs", func(w http.ResponseWriter, r *http.Request) {
		ref, err := store.Put(r.Context(), r.Body, 0)
		if err != nil {
			fail(w, 500, api.AsError(err))
			return
		}
		answer(w, 201, map[string]any{"digest": ref.Digest, "size": ref.Size})
	})
	mux.HandleFunc("GET /v1/blobs/{digest}", func(w http.ResponseWriter, r *http.Request) {
		b, _, err := store.Open(r.Context(), r.PathValue("digest"))
		if err != nil {
			fail(w, 404, api.Errorf(api.NotFound, "no blob"))
			return
		}
		defer b.Close()
		text, _ := io.ReadAll(b)
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(text))
	})
	return store
}

// memory is a store of blobs that builds on every system.
type memory struct {
	blob.Store // what no test needs

	mu    sync.Mutex
	blobs map[string][]byte
}

func (m *memory) Put(_ context.Context, r io.Reader, _ int64) (blob.Ref, error) {
	content, err := io.ReadAll(r)
	if err != nil {
		return blob.Ref{}, err
	}
	digest := strings.TrimPrefix(api.DigestOf(content), "sha256:")
	m.mu.Lock()
	defer m.mu.Unlock()
	m.blobs[digest] = content
	return blob.Ref{Digest: digest, Size: int64(len(content))}, nil
}

func (m *memory) Open(_ context.Context, digest string) (io.ReadCloser, int64, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	content, ok := m.blobs[digest]
	if !ok {
		return nil, 0, blob.ErrNotFound
	}
	return io.NopCloser(bytes.NewReader(content)), int64(len(content)), nil
}

func (m *memory) Stat(ctx context.Context, digest string) (blob.Ref, error) {
	_, size, err := m.Open(ctx, digest)
	return blob.Ref{Digest: digest, Size: size}, err
}

func put(t *testing.T, s blob.Store, text string) blob.Ref {
	t.Helper()
	ref, err := s.Put(context.Background(), bytes.NewReader([]byte(text)), 0)
	if err != nil {
		t.Fatal(err)
	}
	return ref
}
