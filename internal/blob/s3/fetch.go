package s3

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/glovebox-dev/glovebox/internal/blob"
)

// errLarge says that a blob is larger than what was to be fetched.
var errLarge = errors.New("the blob is too large to be cached")

// cacheError is an error of the cache, without which the store can still be read.
type cacheError struct{ error }

// Unwrap returns what happened.
func (e *cacheError) Unwrap() error { return e.error }

// fetch brings a blob to the cache, if it has at most so many bytes, or whatever size
// it has if most is 0. Concurrent fetches of one blob are one.
func (s *Store) fetch(ctx context.Context, digest string, most int64) error {
	return s.fetches.do(ctx, fmt.Sprint(digest, most), func(ctx context.Context) error {
		if s.cache.Has(digest) {
			return nil
		}
		r, err := s.remote(ctx, digest)
		if err != nil {
			return err
		}
		defer r.Close()
		if most > 0 && r.size > most {
			return errLarge
		}
		got, err := s.cache.Put(ctx, r, max(r.size, 1))
		switch {
		case r.err != nil && r.err != io.EOF:
			return r.err
		case err != nil:
			return &cacheError{err}
		case got.Digest != digest:
			return errors.Join(damaged(digest), s.cache.Remove(ctx, got.Digest))
		}
		return s.cache.grew(ctx, got.Size)
	})
}

// Export is part of blob.Store. The file is another name of one of the cache, as far
// as that is possible.
func (s *Store) Export(ctx context.Context, digest, path string, executable bool) error {
	if err := blob.CheckDigest(digest); err != nil {
		return err
	}
	for try := 0; ; try++ {
		err := s.cache.Export(ctx, digest, path, executable)
		gone := errors.Is(err, blob.ErrNotFound)
		if errors.Is(err, blob.ErrCorrupt) { // of the cache alone, perhaps
			gone, err = true, errors.Join(err, s.cache.Remove(ctx, digest))
		}
		if !gone || try == 3 {
			s.cache.used(ctx, digest)
			return err
		}
		if err := s.fetch(ctx, digest, 0); err != nil {
			return err
		}
	}
}

// flights are fetches under way, each for all that want its blob.
type flights struct {
	mu    sync.Mutex
	going map[string]*flight
}

type flight struct {
	done    chan struct{}
	err     error // once done is closed
	waiting int
	cancel  context.CancelFunc
}

// do does the work unless it is under way, and waits for it. The work ends early when
// nobody waits for it any more.
func (f *flights) do(ctx context.Context, name string, work func(context.Context) error) error {
	g := f.join(ctx, name, work)
	select {
	case <-g.done:
		return g.err
	case <-ctx.Done():
		f.leave(name, g)
		return ctx.Err()
	}
}

func (f *flights) join(ctx context.Context, name string, work func(context.Context) error) *flight {
	f.mu.Lock()
	defer f.mu.Unlock()
	g := f.going[name]
	if g == nil {
		var doing context.Context
		g = &flight{done: make(chan struct{})}
		doing, g.cancel = context.WithCancel(context.WithoutCancel(ctx))
		if f.going == nil {
			f.going = map[string]*flight{}
		}
		f.going[name] = g
		go func() {
			g.err = work(doing)
			f.end(name, g)
			close(g.done)
		}()
	}
	g.waiting++
	return g
}

func (f *flights) leave(name string, g *flight) {
	f.mu.Lock()
	g.waiting--
	last := g.waiting == 0
	f.mu.Unlock()
	if last {
		f.end(name, g)
	}
}

// end stops a flight, and lets the next one begin.
func (f *flights) end(name string, g *flight) {
	g.cancel()
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.going[name] == g {
		delete(f.going, name)
	}
}
