package s3

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/blob"
	"github.com/glovebox-dev/glovebox/internal/blob/blobtest"
	"github.com/glovebox-dev/glovebox/internal/blob/s3/s3test"
)

// content is different in each test, and never small enough to be the same by chance.
func content(size int) []byte {
	b := make([]byte, size)
	_, _ = rand.Read(b)
	return b
}

const (
	small = 1000
	large = 11 << 20 // three parts
)

func put(t *testing.T, s *Store, b []byte) blob.Ref {
	t.Helper()
	ref, err := s.Put(t.Context(), bytes.NewReader(b), 0)
	if err != nil || ref != blobtest.RefOf(b) {
		t.Fatalf("Put = %v, %v", ref, err)
	}
	return ref
}

func get(t *testing.T, s *Store, digest string) ([]byte, error) {
	t.Helper()
	r, _, err := s.Open(t.Context(), digest)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(r)
}

// operations are what each kind of fault is tried with. Each gets a store through the
// proxy, and one that reached the server before with the content as a blob, or not.
var operations = map[string]struct {
	size int
	has  bool // the blob is there already
	do   func(t *testing.T, s *Store, b []byte) error
}{
	"put":        {small, false, func(t *testing.T, s *Store, b []byte) error { return putOnly(t.Context(), s, b) }},
	"put large":  {large, false, func(t *testing.T, s *Store, b []byte) error { return putOnly(t.Context(), s, b) }},
	"put again":  {small, true, func(t *testing.T, s *Store, b []byte) error { return putOnly(t.Context(), s, b) }},
	"open":       {small, true, func(t *testing.T, s *Store, b []byte) error { return same(t, s, b) }},
	"open large": {large, true, func(t *testing.T, s *Store, b []byte) error { return same(t, s, b) }},
	"stat": {small, true, func(t *testing.T, s *Store, b []byte) error {
		_, err := s.Stat(t.Context(), blobtest.RefOf(b).Digest)
		return err
	}},
	"export": {large, true, func(t *testing.T, s *Store, b []byte) error {
		path := filepath.Join(t.TempDir(), "out")
		if err := s.Export(t.Context(), blobtest.RefOf(b).Digest, path, false); err != nil {
			return err
		}
		got, err := os.ReadFile(path)
		if !bytes.Equal(got, b) {
			t.Errorf("the file has %d bytes, and others", len(got))
		}
		return err
	}},
	"list": {small, true, func(t *testing.T, s *Store, b []byte) error {
		n := 0
		for _, err := range s.All(t.Context()) {
			if err != nil {
				return err
			}
			n++
		}
		if n != 1 {
			t.Errorf("%d blobs, want 1", n)
		}
		return nil
	}},
}

func putOnly(ctx context.Context, s *Store, b []byte) error {
	_, err := s.Put(ctx, bytes.NewReader(b), 0)
	return err
}

func same(t *testing.T, s *Store, b []byte) error {
	got, err := get(t, s, blobtest.RefOf(b).Digest)
	if err == nil && !bytes.Equal(got, b) {
		t.Errorf("%d bytes came back as %d others", len(b), len(got))
	}
	return err
}

// Each request fails once, in each way: the operation succeeds all the same.
func TestOneFault(t *testing.T) {
	each(t, func(t *testing.T, server *s3test.Server, p *proxy, name string, n int, f fault) {
		b := content(operations[name].size)
		prefix := prepared(t, server, name, b)
		p.set(func(i int, _ *http.Request) fault { return map[bool]fault{true: f, false: pass}[i == n] })
		if err := operations[name].do(t, opened(t, server, prefix, p.URL, usual), b); err != nil {
			t.Errorf("request %d: %v", n, err)
		}
		p.set(nil)
		if err := same(t, opened(t, server, prefix, "", usual), b); err != nil {
			t.Errorf("request %d: the blob is lost: %v", n, err)
		}
	})
}

// From some request on the store is away: the operation says so, and the blob is there
// as a whole or not at all.
func TestStoreGoesAway(t *testing.T) {
	each(t, func(t *testing.T, server *s3test.Server, p *proxy, name string, n int, f fault) {
		if f == blackhole || f == throttle {
			return // the same but slower
		}
		b := content(operations[name].size)
		prefix := prepared(t, server, name, b)
		p.set(func(i int, _ *http.Request) fault { return map[bool]fault{true: f, false: pass}[i >= n] })
		err := operations[name].do(t, opened(t, server, prefix, p.URL, usual), b)
		if f != forget && !errors.Is(err, &api.Error{Code: api.ServerUnavailable}) {
			t.Errorf("request %d: err = %v, want server_unavailable", n, err)
		}
		p.set(nil)
		after := same(t, opened(t, server, prefix, "", usual), b)
		if after != nil && (operations[name].has || err == nil || !errors.Is(after, blob.ErrNotFound)) {
			t.Errorf("request %d: the operation said %v, and the blob %v", n, err, after)
		}
	})
}

// each calls f for all faults at all requests of all operations.
func each(t *testing.T, f func(t *testing.T, server *s3test.Server, p *proxy, operation string, n int, how fault)) {
	if testing.Short() {
		t.Skip("takes a minute")
	}
	server := s3test.Start(t)
	for name, operation := range operations {
		t.Run(name, func(t *testing.T) {
			p := newProxy(t, server)
			b := content(operation.size)
			prefix := prepared(t, server, name, b)
			if err := operation.do(t, opened(t, server, prefix, p.URL, usual), b); err != nil {
				t.Fatal(err)
			}
			requests := p.count()
			for how, kind := range faults {
				t.Run(how, func(t *testing.T) {
					for n := range requests {
						f(t, server, p, name, n, kind)
					}
				})
			}
		})
	}
}

// prepared returns a new prefix, with the blob if the operation needs it.
func prepared(t *testing.T, server *s3test.Server, operation string, b []byte) string {
	prefix := rand.Text()
	if operations[operation].has {
		put(t, opened(t, server, prefix, "", usual), b)
	}
	return prefix
}

// A store that lies about content is found out by whoever reads, and is corrected by
// whoever puts the blob again.
func TestDamage(t *testing.T) {
	server := s3test.Start(t)
	for name, damage := range map[string]func(b []byte) []byte{
		"another byte": func(b []byte) []byte { b[len(b)/2] ^= 1; return b },
		"shorter":      func(b []byte) []byte { return b[:len(b)-1] },
		"longer":       func(b []byte) []byte { return append(b, 0) },
		"empty":        func([]byte) []byte { return nil },
	} {
		for _, size := range []int{small, large} {
			t.Run(fmt.Sprint(name, size), func(t *testing.T) {
				prefix, b := rand.Text(), content(size)
				ref := put(t, opened(t, server, prefix, "", usual), b)
				file := server.File(prefix + "/blobs/" + ref.Digest)
				if err := os.WriteFile(file, damage(bytes.Clone(b)), 0o644); err != nil {
					t.Fatal(err)
				}
				s := opened(t, server, prefix, "", usual)
				if _, err := get(t, s, ref.Digest); !errors.Is(err, blob.ErrCorrupt) {
					t.Errorf("read: %v, want ErrCorrupt", err)
				}
				out := filepath.Join(t.TempDir(), "out")
				if err := s.Export(t.Context(), ref.Digest, out, false); !errors.Is(err, blob.ErrCorrupt) {
					t.Errorf("Export: %v, want ErrCorrupt", err)
				}
				if _, err := os.Lstat(out); !errors.Is(err, os.ErrNotExist) {
					t.Errorf("a file was made of it: %v", err)
				}
				put(t, s, b)
				if err := same(t, opened(t, server, prefix, "", usual), b); err != nil {
					t.Errorf("put again: %v", err)
				}
			})
		}
	}
}

// The cache of this host may be damaged while the store is not.
func TestDamagedCache(t *testing.T) {
	server := s3test.Start(t)
	b := content(small)
	s := opened(t, server, rand.Text(), "", usual)
	ref := put(t, s, b)
	spoil := func() {
		path := s.cache.Path(ref.Digest)
		if err := errors.Join(os.Chmod(path, 0o600), os.WriteFile(path, []byte("something else"), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	spoil()
	if err := s.Export(t.Context(), ref.Digest, filepath.Join(t.TempDir(), "out"), false); err != nil {
		t.Errorf("Export: %v", err)
	}
	spoil()
	if _, err := get(t, s, ref.Digest); !errors.Is(err, blob.ErrCorrupt) {
		t.Errorf("read: %v, want ErrCorrupt", err)
	}
	if err := same(t, s, b); err != nil {
		t.Errorf("read again: %v", err)
	}
}

func TestErrorsSayWhatToDo(t *testing.T) {
	server := s3test.Start(t)
	s := opened(t, server, rand.Text(), closedPort(t), usual)
	err := putOnly(t.Context(), s, content(small))
	expect(t, err, api.ServerUnavailable, "check that the store runs")

	s = opened(t, server, rand.Text(), "", usual)
	s.address.Bucket = "no-such-bucket"
	expect(t, putOnly(t.Context(), s, content(small)), api.RequestInvalid, "make the bucket")

	t.Setenv("AWS_SECRET_ACCESS_KEY", "wrong-and-still-secret")
	s = opened(t, server, rand.Text(), "", usual)
	err = putOnly(t.Context(), s, content(small))
	expect(t, err, api.ServerUnavailable, "check the credentials")
	if strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), s3test.AccessKey) {
		t.Errorf("the error has a credential: %v", err)
	}
}

func expect(t *testing.T, err error, code api.Code, hint string) {
	t.Helper()
	if e := api.AsError(blob.AsError("it", err)); e == nil || e.Code != code || !strings.Contains(e.Hint, hint) {
		t.Errorf("err = %v (%+v), want %s with the hint %q", err, e, code, hint)
	}
}
