// Package s3 keeps blobs in a bucket of a store that speaks the protocol of S3, with
// a cache of them in a directory of this host. Any number of processes, on any number
// of hosts, may use the same prefix of a bucket. Below the prefix are:
//
//	blobs/DIGEST             the bytes
//	renewed/DIGEST           nothing; its time says when an old blob was asked for
//	condemned/DIGEST.RANDOM  nothing; says that a collector may delete a blob
//	owner                    whose blobs they are
//
// # Collection
//
// A collector must not delete what somebody has just come to refer to, and S3 has no
// request that deletes an object only if it is old. So:
//
//   - Who asks for a blob with Stat writes renewed/DIGEST if the blob is old.
//   - A collector writes condemned/DIGEST.RANDOM, looks after that whether the blob is
//     still old, and deletes it by a request that the store itself refuses half a
//     minute after it was signed. So a collector that stood still deletes nothing.
//   - Who has put or renewed a blob looks after that who condemns it. If nobody does,
//     each later collector will see that it is new. Otherwise the writer waits until
//     the store would refuse the request, and looks again whether the blob is there.
//
// The marks of collectors stay for longer than that, so that none is missed. All times
// are those of the store. It needs no more of S3 than that what was written is seen by
// all later requests, lists included.
package s3

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/s3"

	"github.com/glovebox-dev/glovebox/internal/blob"
	"github.com/glovebox-dev/glovebox/internal/blob/file"
)

// Store is a blob.Store.
type Store struct {
	address Address
	client  func() (*s3.Client, error) // made when it is first used
	clock   clock
	cache   *cache
	known   knowledge
	fetches flights
	limits  limits
	times   times
	bad     sync.Map // digests of blobs that were found damaged; whoever puts one writes over it
}

var _ blob.Store = (*Store)(nil)

// times decide what is old, and how long a collector may take.
type times struct {
	renew time.Duration // a blob of this age is renewed when it is asked for
	trust time.Duration // so long nothing is asked about a blob that was found
	erase time.Duration // a request to delete is refused after it
	calm  time.Duration // a mark of this age condemns nothing any more
	keep  time.Duration // how long marks stay
	dead  time.Duration // an upload in parts of this age is one of a process that is gone
}

// usual keep a writer safe for 25 minutes after Stat: package prune deletes nothing
// that is not an hour old.
var usual = times{renew: 30 * time.Minute, trust: 5 * time.Minute, erase: 30 * time.Second, calm: time.Minute, keep: 10 * time.Minute, dead: 24 * time.Hour}

// Open returns the blobs at an address, with a cache in dir, which it makes. It sends
// nothing.
func Open(a Address, dir string) (*Store, error) {
	cached, err := file.Open(dir)
	if err != nil {
		return nil, err
	}
	return open(a, cached, patient, usual), nil
}

// OpenReadOnly leaves the cache as it is.
func OpenReadOnly(a Address, dir string) *Store {
	return open(a, file.OpenReadOnly(dir), patient, usual)
}

func open(a Address, cached *file.Store, l limits, t times) *Store {
	s := &Store{address: a, limits: l, times: t, cache: &cache{Store: cached, most: a.Cache}}
	s.client = sync.OnceValues(func() (*s3.Client, error) { return newClient(context.Background(), a, l, &s.clock) })
	return s
}

// Place names the blobs, without credentials.
func (s *Store) Place() string { return s.address.Place() }

// Sweep deletes what killed processes left unfinished in the cache, if it was begun
// before a time.
func (s *Store) Sweep(ctx context.Context, before time.Time) error {
	return s.cache.Sweep(ctx, before)
}

// Put is part of blob.Store. The bytes pass through the cache: their name is known
// only when all have been read.
func (s *Store) Put(ctx context.Context, r io.Reader, limit int64) (blob.Ref, error) {
	ref, err := s.cache.Put(ctx, r, limit)
	if err != nil {
		return blob.Ref{}, err
	}
	return s.share(ctx, ref)
}

// Import is part of blob.Store.
func (s *Store) Import(ctx context.Context, path string, move bool) (blob.Ref, error) {
	ref, err := s.cache.Import(ctx, path, move)
	if err != nil {
		return blob.Ref{}, err
	}
	return s.share(ctx, ref)
}

// share brings a blob of the cache to the store. What did not get there is no blob.
func (s *Store) share(ctx context.Context, ref blob.Ref) (blob.Ref, error) {
	if err := s.ensure(ctx, ref); err != nil {
		return blob.Ref{}, errors.Join(err, s.cache.Remove(context.WithoutCancel(ctx), ref.Digest))
	}
	return ref, s.cache.grew(ctx, ref.Size)
}

// Remove is part of blob.Store. It asks nobody whether the blob is needed.
func (s *Store) Remove(ctx context.Context, digest string) error {
	if err := blob.CheckDigest(digest); err != nil {
		return err
	}
	s.known.forget(digest)
	return errors.Join(s.remove(ctx, blobs, digest), s.cache.Remove(ctx, digest))
}
