package s3

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/internal/blob/blobtest"
	"github.com/glovebox-dev/glovebox/internal/blob/s3/s3test"
)

// Blobs that were used lately stay at hand, and others are fetched again when they are needed.
func TestCacheIsBounded(t *testing.T) {
	server := s3test.Start(t)
	s := opened(t, server, rand.Text(), "", usual)
	s.cache.most = 1 << 20
	var contents [][]byte
	for i := range 12 {
		contents = append(contents, content(100<<10)) // more than a share, so that each is weighed
		put(t, s, contents[i])
		old := time.Now().Add(time.Duration(i-100) * time.Minute)
		if path := s.cache.Path(blobtest.RefOf(contents[i]).Digest); i < 10 {
			if err := os.Chtimes(path, old, old); err != nil && !errors.Is(err, os.ErrNotExist) {
				t.Fatal(err)
			}
		}
		if err := same(t, s, contents[0]); err != nil {
			t.Fatal(err)
		}
	}
	size, have := int64(0), map[string]bool{}
	for info := range s.cache.All(t.Context()) {
		size += info.Size
		have[info.Digest] = true
	}
	if size > s.cache.most || size == 0 {
		t.Errorf("the cache has %d bytes of %d", size, s.cache.most)
	}
	if !have[blobtest.RefOf(contents[0]).Digest] || have[blobtest.RefOf(contents[1]).Digest] {
		t.Errorf("what was read each time is at hand: %v; what was never read: %v", have[blobtest.RefOf(contents[0]).Digest], have[blobtest.RefOf(contents[1]).Digest])
	}
	for _, b := range contents {
		if err := same(t, s, b); err != nil {
			t.Error(err)
		}
	}
}

// A file that is exported is another name of the one in the cache, also after that left.
func TestExportLinks(t *testing.T) {
	server := s3test.Start(t)
	s := opened(t, server, rand.Text(), "", usual)
	ref := put(t, s, content(small))
	a, b := filepath.Join(t.TempDir(), "a"), filepath.Join(t.TempDir(), "b")
	if err := errors.Join(s.Export(t.Context(), ref.Digest, a, false), s.Export(t.Context(), ref.Digest, b, false)); err != nil {
		t.Fatal(err)
	}
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	if err := errors.Join(errA, errB); err != nil || !os.SameFile(infoA, infoB) {
		t.Errorf("two files were made (%v)", err)
	}
	if err := s.cache.Remove(t.Context(), ref.Digest); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(a); err != nil || blobtest.RefOf(got) != ref {
		t.Errorf("the file is gone with the cache: %v", err)
	}
}

// Many who want a blob at once fetch it once, and who leaves takes nothing from others.
func TestFetchesAreOne(t *testing.T) {
	server := s3test.Start(t)
	p, prefix, b := newProxy(t, server), rand.Text(), content(large)
	ref := put(t, opened(t, server, prefix, "", usual), b)
	s := opened(t, server, prefix, p.URL, usual)
	s.fetches.going = map[string]*flight{}
	began, proceed := make(chan struct{}), make(chan struct{})
	p.set(func(n int, _ *http.Request) fault {
		if n == 0 {
			close(began)
			<-proceed
		}
		return pass
	})
	leaving, leave := context.WithCancel(t.Context())
	var all sync.WaitGroup
	want := func(ctx context.Context, wanted error) {
		all.Go(func() {
			if err := s.Export(ctx, ref.Digest, filepath.Join(t.TempDir(), "out"), false); !errors.Is(err, wanted) {
				t.Errorf("Export = %v, want %v", err, wanted)
			}
		})
	}
	want(leaving, context.Canceled)
	<-began
	for range 8 {
		want(t.Context(), nil)
	}
	for waiting := 0; waiting < 9; {
		s.fetches.mu.Lock()
		for _, f := range s.fetches.going {
			waiting = f.waiting
		}
		s.fetches.mu.Unlock()
	}
	leave()
	close(proceed)
	all.Wait()
	if n := p.count(); n != 1 {
		t.Errorf("%d requests, want 1", n)
	}
}

// A fetch ends when the last one who waits for it leaves.
func TestFetchEnds(t *testing.T) {
	var f flights
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	err := f.do(ctx, "it", func(ctx context.Context) error {
		cancel()
		<-ctx.Done()
		ended <- ctx.Err()
		return ctx.Err()
	})
	if !errors.Is(err, context.Canceled) || !errors.Is(<-ended, context.Canceled) {
		t.Errorf("do = %v", err)
	}
}

// Parts of a large blob are read without the rest.
func TestSeek(t *testing.T) {
	server := s3test.Start(t)
	p, prefix := newProxy(t, server), rand.Text()
	b := content(large)
	ref := put(t, opened(t, server, prefix, "", usual), b)
	s := opened(t, server, prefix, p.URL, usual)
	r, size, err := s.Open(t.Context(), ref.Digest)
	if err != nil || size != large {
		t.Fatalf("Open = %d, %v", size, err)
	}
	defer r.Close()
	for _, at := range []int64{large - 10, 5 << 20, 1, 0} {
		p.set(func(n int, _ *http.Request) fault { return map[bool]fault{true: cut, false: pass}[n == 0] })
		if _, err := r.(io.Seeker).Seek(at, io.SeekStart); err != nil {
			t.Fatal(err)
		}
		got := make([]byte, min(1<<20, large-at))
		if _, err := io.ReadFull(r, got); err != nil || !bytes.Equal(got, b[at:at+int64(len(got))]) {
			t.Errorf("at %d: %d other bytes, %v", at, len(got), err)
		}
	}
	if end, err := r.(io.Seeker).Seek(0, io.SeekEnd); err != nil || end != large {
		t.Errorf("the end is at %d, %v", end, err)
	}
	if n, err := r.Read(make([]byte, 1)); n != 0 || err != io.EOF {
		t.Errorf("Read at the end = %d, %v", n, err)
	}
	if s.cache.Has(ref.Digest) {
		t.Error("a blob of which parts were read is in the cache")
	}
}

// A cache that cannot be written does not keep blobs from being read.
func TestReadWithoutCache(t *testing.T) {
	server := s3test.Start(t)
	prefix, b := rand.Text(), content(small)
	put(t, opened(t, server, prefix, "", usual), b)
	a, err := ParseAddress(server.Address(prefix, ""))
	if err != nil {
		t.Fatal(err)
	}
	s := OpenReadOnly(a, filepath.Join(t.TempDir(), "none"))
	if err := same(t, s, b); err != nil {
		t.Error(err)
	}
	if err := putOnly(t.Context(), s, b); err == nil {
		t.Error("a blob was put")
	}
}

// A blob that is asked for again and again is asked of the store once.
func TestStatIsRemembered(t *testing.T) {
	server := s3test.Start(t)
	p := newProxy(t, server)
	s := opened(t, server, rand.Text(), p.URL, usual)
	ref := put(t, s, content(small))
	p.set(nil)
	for range 10 {
		if got, err := s.Stat(t.Context(), ref.Digest); err != nil || got != ref {
			t.Fatalf("Stat = %v, %v", got, err)
		}
	}
	if _, err := s.Put(t.Context(), strings.NewReader("x"), 1); err != nil {
		t.Fatal(err)
	}
	if n := p.count(); n != 2 { // it is sent, and collectors are looked for
		t.Errorf("%d requests for a put, want 2", n)
	}
}
