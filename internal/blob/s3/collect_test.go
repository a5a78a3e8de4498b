package s3

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/s3"

	"github.com/glovebox-dev/glovebox/internal/blob"
	"github.com/glovebox-dev/glovebox/internal/blob/blobtest"
	"github.com/glovebox-dev/glovebox/internal/blob/s3/s3test"
)

// brisk lets collectors and writers wait for each other for seconds.
var brisk = times{renew: 30 * time.Minute, trust: 5 * time.Minute, erase: 2 * time.Second, calm: 4 * time.Second, keep: 10 * time.Minute, dead: 24 * time.Hour}

// grace is that of package prune.
const grace = time.Hour

// age makes an object older than anything that collectors spare.
func age(t *testing.T, server *s3test.Server, key string) {
	t.Helper()
	old := time.Now().Add(-2 * grace)
	if err := os.Chtimes(server.File(key), old, old); err != nil {
		t.Fatal(err)
	}
}

func collect(t *testing.T, s *Store, digest string) (removed bool, err error) {
	removed, _, err = s.RemoveOld(t.Context(), digest, time.Now().Add(-grace))
	return removed, err
}

func exists(t *testing.T, server *s3test.Server, key string) bool {
	t.Helper()
	_, err := os.Lstat(server.File(key))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	return err == nil
}

func TestRemoveOld(t *testing.T) {
	server := s3test.Start(t)
	for name, test := range map[string]struct {
		use     func(s *Store, b []byte) error // after it has become old
		removed bool
	}{
		"old":       {func(*Store, []byte) error { return nil }, true},
		"put again": {func(s *Store, b []byte) error { return putOnly(t.Context(), s, b) }, false},
		"asked for": {func(s *Store, b []byte) error {
			_, err := s.Stat(t.Context(), blobtest.RefOf(b).Digest)
			return err
		}, false},
		"read": {func(s *Store, b []byte) error { return same(t, s, b) }, true},
	} {
		t.Run(name, func(t *testing.T) {
			prefix, b := rand.Text(), content(small)
			digest := put(t, opened(t, server, prefix, "", brisk), b).Digest
			s := opened(t, server, prefix, "", brisk)
			if removed, err := collect(t, s, digest); removed || err != nil {
				t.Errorf("new: RemoveOld = %v, %v", removed, err)
			}
			age(t, server, prefix+"/blobs/"+digest)
			if err := test.use(opened(t, server, prefix, "", brisk), b); err != nil {
				t.Fatal(err)
			}
			removed, err := collect(t, s, digest)
			if removed != test.removed || err != nil {
				t.Errorf("RemoveOld = %v, %v; want %v", removed, err, test.removed)
			}
			if is := exists(t, server, prefix+"/blobs/"+digest); is == removed {
				t.Errorf("the blob is there: %v", is)
			}
			if removed {
				put(t, s, b) // it can come back
			}
		})
	}
}

// steps are the requests of a collector: it is held before each of them.
const steps = 5

// A collector stands still at each of its requests, for a moment or for longer than it
// may, while somebody comes to use the blob. A writer that finds the blob keeps it.
func TestCollectorStandsStill(t *testing.T) {
	if testing.Short() {
		t.Skip("takes half a minute")
	}
	server := s3test.Start(t)
	for use, do := range map[string]func(s *Store, b []byte) error{
		"put": func(s *Store, b []byte) error { return putOnly(t.Context(), s, b) },
		"stat": func(s *Store, b []byte) error {
			_, err := s.Stat(t.Context(), blobtest.RefOf(b).Digest)
			return err
		},
	} {
		for _, long := range []bool{false, true} {
			for step := range steps {
				t.Run(fmt.Sprintf("%s/%v/%d", use, long, step), func(t *testing.T) {
					prefix, b := rand.Text(), content(small)
					digest := put(t, opened(t, server, prefix, "", brisk), b).Digest
					age(t, server, prefix+"/blobs/"+digest)
					stand(t, server, prefix, step, long, func(writer *Store) {
						err := do(writer, b)
						if err != nil && !(use == "stat" && errors.Is(err, blob.ErrNotFound)) {
							t.Error(err)
						}
						if is := exists(t, server, prefix+"/blobs/"+digest); is != (err == nil) {
							t.Errorf("the writer heard %v, and the blob is there: %v", err, is)
						}
					}, digest, func() bool { return exists(t, server, prefix+"/blobs/"+digest) })
				})
			}
		}
	}
}

// stand runs a collector that stands still at a step until a writer is done, or, if it
// is not long, until the writer meets its mark.
func stand(t *testing.T, server *s3test.Server, prefix string, step int, long bool, write func(*Store), digest string, there func() bool) {
	behind, before := newProxy(t, server), newProxy(t, server)
	held, gate := make(chan struct{}), make(chan struct{})
	release := sync.OnceFunc(func() { close(gate) })
	behind.set(func(n int, _ *http.Request) fault {
		if n == step {
			close(held)
			<-gate
		}
		return pass
	})
	lists := 0
	before.set(func(_ int, r *http.Request) fault {
		if strings.Contains(r.URL.RawQuery, "condemned") {
			if lists++; lists == 2 && !long {
				release()
			}
		}
		return pass
	})
	collected := make(chan error, 1)
	go func() {
		_, err := collect(t, opened(t, server, prefix, behind.URL, brisk), digest)
		collected <- err
	}()
	select {
	case <-held:
	case err := <-collected:
		t.Fatalf("the collector has no request %d: %v", step, err)
	}
	write(opened(t, server, prefix, before.URL, brisk))
	had := there()
	release()
	err := <-collected
	behind.Close() // what it had sent has arrived
	if there() != had {
		t.Errorf("the collector deleted what the writer was told of (its error: %v)", err)
	}
}

// Collectors and writers work on the same blobs at once.
func TestCollectorsAndWriters(t *testing.T) {
	server := s3test.Start(t)
	prefix := rand.Text()
	contents := make([][]byte, 40)
	first := opened(t, server, prefix, "", brisk)
	for i := range contents {
		contents[i] = content(small)
		age(t, server, prefix+"/blobs/"+put(t, first, contents[i]).Digest)
	}
	var all sync.WaitGroup
	var gone, kept int
	var mu sync.Mutex
	for worker := range 3 {
		s := opened(t, server, prefix, "", brisk)
		all.Go(func() {
			for i := range contents {
				if _, err := collect(t, s, blobtest.RefOf(contents[(i+worker*13)%len(contents)]).Digest); err != nil {
					t.Error(err)
				}
			}
		})
		writer := opened(t, server, prefix, "", brisk)
		all.Go(func() {
			for i := range contents {
				b := contents[(i*7+worker)%len(contents)]
				ref, err := writer.Stat(t.Context(), blobtest.RefOf(b).Digest)
				if worker == 0 {
					ref, err = writer.Put(t.Context(), bytes.NewReader(b), 0)
				}
				there := exists(t, server, prefix+"/blobs/"+blobtest.RefOf(b).Digest)
				mu.Lock()
				switch {
				case err == nil && ref == blobtest.RefOf(b) && there:
					kept++
				case errors.Is(err, blob.ErrNotFound):
					gone++
				default:
					t.Errorf("writer %d heard %v, and the blob is there: %v", worker, err, there)
				}
				mu.Unlock()
			}
		})
	}
	all.Wait()
	t.Logf("%d uses found the blob, %d did not", kept, gone)
}

func TestTidy(t *testing.T) {
	server := s3test.Start(t)
	prefix := rand.Text()
	s := opened(t, server, prefix, "", brisk)
	kept := put(t, s, content(small)).Digest
	client, err := s.client()
	if err != nil {
		t.Fatal(err)
	}
	gone := blobtest.RefOf(content(small)).Digest
	begun, err := client.CreateMultipartUpload(t.Context(), &s3.CreateMultipartUploadInput{Bucket: &s.address.Bucket, Key: s.key(blobs, gone)})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"condemned/" + gone + ".x", "renewed/" + gone, "renewed/" + kept} {
		if err := s.mark(t.Context(), root, name); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Tidy(t.Context()); err != nil || !exists(t, server, prefix+"/condemned/"+gone+".x") {
		t.Fatalf("Tidy of what is new: %v", err)
	}
	s.times.keep, s.times.dead = -time.Minute, -time.Minute
	if err := s.Tidy(t.Context()); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"condemned/" + gone + ".x": false, "renewed/" + gone: false, "renewed/" + kept: true, "blobs/" + kept: true} {
		if exists(t, server, prefix+"/"+name) != want {
			t.Errorf("%s is there: %v", name, !want)
		}
	}
	_, err = client.ListParts(t.Context(), &s3.ListPartsInput{Bucket: &s.address.Bucket, Key: s.key(blobs, gone), UploadId: begun.UploadId})
	if !hasCode(err, "NoSuchUpload") {
		t.Errorf("the unfinished upload: %v", err)
	}
}

func TestClaim(t *testing.T) {
	server := s3test.Start(t)
	prefix := rand.Text()
	a, b := opened(t, server, prefix, "", brisk), opened(t, server, prefix, "", brisk)
	if err := errors.Join(a.Claim(t.Context(), "home-a"), b.Claim(t.Context(), "home-a")); err != nil {
		t.Error(err)
	}
	expect(t, b.Claim(t.Context(), "home-b"), "conflict", "use another prefix")
	if err := errors.Join(a.GiveUp(t.Context()), b.Claim(t.Context(), "home-b")); err != nil {
		t.Error(err)
	}
}

// The clocks of this host and of the store differ: what is old goes by that of the
// store.
func TestClocksDiffer(t *testing.T) {
	server := s3test.Start(t)
	p, prefix := newProxy(t, server), rand.Text()
	p.behind = 12 * time.Minute
	b := content(small)
	digest := put(t, opened(t, server, prefix, "", brisk), b).Digest
	recent := time.Now().Add(-p.behind - 55*time.Minute) // by the clock of this host it is old
	if err := os.Chtimes(server.File(prefix+"/blobs/"+digest), recent, recent); err != nil {
		t.Fatal(err)
	}
	s := opened(t, server, prefix, p.URL, brisk)
	if removed, err := collect(t, s, digest); removed || err != nil {
		t.Errorf("RemoveOld = %v, %v", removed, err)
	}
	for info, err := range s.All(t.Context()) {
		if age := time.Since(info.Stored); err != nil || age < 54*time.Minute || age > 56*time.Minute {
			t.Errorf("it seems %v old, %v", age, err)
		}
	}
}
