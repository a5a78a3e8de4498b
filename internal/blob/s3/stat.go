package s3

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/blob"
)

// Stat is part of blob.Store.
func (s *Store) Stat(ctx context.Context, digest string) (blob.Ref, error) {
	if err := blob.CheckDigest(digest); err != nil {
		return blob.Ref{}, err
	}
	return s.renew(ctx, digest)
}

// renew makes sure that a blob is there, and that no collector deletes it soon.
func (s *Store) renew(ctx context.Context, digest string) (blob.Ref, error) {
	if ref, ok := s.known.find(digest, s.times); ok {
		return ref, nil
	}
	found, err := s.lastUse(ctx, digest)
	if err != nil {
		return blob.Ref{}, err
	}
	if s.clock.now().Sub(found.stored) > s.times.renew {
		if err := s.mark(ctx, renewed, digest); err != nil {
			return blob.Ref{}, err
		}
		found.stored = s.clock.now()
	}
	// Requests of collectors that saw it as older have been refused for long.
	if s.clock.now().Sub(found.stored) < 2*s.times.calm {
		met, err := s.avoidCollectors(ctx, digest)
		if err == nil && met {
			_, err = s.head(ctx, blobs, digest)
		}
		if err != nil {
			return blob.Ref{}, err
		}
	}
	ref := blob.Ref{Digest: digest, Size: found.size}
	s.known.note(ref, s.clock.local(found.stored))
	return ref, nil
}

// lastUse returns a blob with the time when it was put or renewed.
func (s *Store) lastUse(ctx context.Context, digest string) (object, error) {
	found, err := s.head(ctx, blobs, digest)
	if err != nil || s.clock.now().Sub(found.stored) <= s.times.renew {
		return found, err
	}
	again, err := s.head(ctx, renewed, digest)
	if errors.Is(err, blob.ErrNotFound) {
		return found, nil
	}
	found.stored = later(found.stored, again.stored)
	return found, err
}

// avoidCollectors is called after a blob was put or renewed. It waits until those who
// condemned it before can delete it no more, and reports whether there were any: then
// the blob may be gone.
func (s *Store) avoidCollectors(ctx context.Context, digest string) (met bool, err error) {
	for began := time.Now(); ; {
		wait, any, err := s.condemned(ctx, digest)
		if err != nil || wait <= 0 {
			return any, err
		}
		if time.Since(began) > 4*s.times.calm {
			return true, api.Errorf(api.ServerUnavailable, "blob %s is being removed all the time", digest).WithHint("stop the processes that prune %s, and try again", s.Place())
		}
		select {
		case <-ctx.Done():
			return true, ctx.Err()
		case <-time.After(min(wait, s.times.calm/20)):
		}
	}
}

// condemned returns how long the marks of collectors of a blob still count, and
// whether there are any.
func (s *Store) condemned(ctx context.Context, digest string) (wait time.Duration, any bool, err error) {
	for mark, err := range s.list(ctx, condemned, digest+".") {
		if err != nil {
			return 0, true, err
		}
		any = true
		wait = max(wait, s.times.calm-s.clock.now().Sub(mark.stored))
	}
	return wait, any, nil
}

// knowledge is what a process has lately found out about blobs, so that one that is
// used a hundred times in a minute is asked for once.
type knowledge struct {
	mu    sync.Mutex
	found map[string]sighting
}

type sighting struct {
	size         int64
	stored, seen time.Time // by the clock of this host
}

// mostKnown bounds the memory; all is forgotten then.
const mostKnown = 100_000

func (k *knowledge) find(digest string, t times) (blob.Ref, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	f, ok := k.found[digest]
	return blob.Ref{Digest: digest, Size: f.size}, ok && time.Since(f.seen) < t.trust && time.Since(f.stored) < t.renew+t.trust
}

func (k *knowledge) note(ref blob.Ref, stored time.Time) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.found == nil || len(k.found) >= mostKnown {
		k.found = map[string]sighting{}
	}
	k.found[ref.Digest] = sighting{ref.Size, stored, time.Now()}
}

func (k *knowledge) forget(digest string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.found, digest)
}
