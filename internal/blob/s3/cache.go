package s3

import (
	"cmp"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/glovebox-dev/glovebox/internal/blob"
	"github.com/glovebox-dev/glovebox/internal/blob/file"
)

// cache holds blobs of the store in a directory, which the processes of a home share.
// What was not used for longest goes first. It may hold a few parts of share more
// than it should.
type cache struct {
	*file.Store
	most     int64
	trimming sync.Mutex
}

// share is the part of the cache after whose growth, on average, its size is looked
// at. Chance decides, so that processes need not know of each other's growth.
const share = 16

// open reads a blob that is at hand. A damaged one is removed, so that it is fetched
// when it is read again.
func (c *cache) open(ctx context.Context, digest string) (io.ReadCloser, int64, error) {
	r, size, err := c.Store.Open(ctx, digest)
	if err != nil {
		return nil, 0, err
	}
	c.used(ctx, digest)
	return &atHand{ReadCloser: r, cache: c, digest: digest}, size, nil
}

// used notes that a blob was used now.
func (c *cache) used(ctx context.Context, digest string) { _, _ = c.Stat(ctx, digest) } // else it goes sooner

// Has reports whether a blob is at hand.
func (c *cache) Has(digest string) bool {
	_, err := c.Stat(context.Background(), digest)
	return err == nil
}

// grew is called after so many bytes came to the cache.
func (c *cache) grew(ctx context.Context, bytes int64) error {
	if rand.Int64N(max(c.most/share, 1)) >= bytes || !c.trimming.TryLock() {
		return nil
	}
	defer c.trimming.Unlock()
	return c.trim(ctx)
}

// trim removes what was not used for longest, until the cache is a share smaller than
// it may be.
func (c *cache) trim(ctx context.Context) error {
	var all []blob.Info
	var size int64
	for info, err := range c.All(ctx) {
		if err != nil {
			return err
		}
		all = append(all, info)
		size += info.Size
	}
	if size <= c.most {
		return nil
	}
	slices.SortFunc(all, func(a, b blob.Info) int { return cmp.Compare(a.Stored.UnixNano(), b.Stored.UnixNano()) })
	for _, info := range all {
		if size <= c.most-c.most/share {
			break
		}
		removed, err := c.RemoveOld(info.Digest, info.Stored.Add(time.Nanosecond)) // unless it was used since
		if err != nil {
			return err
		}
		if removed.Done {
			size -= info.Size
		}
	}
	return nil
}

// atHand reads a blob of the cache.
type atHand struct {
	io.ReadCloser
	cache  *cache
	digest string
}

// Read implements io.Reader.
func (r *atHand) Read(p []byte) (int, error) {
	n, err := r.ReadCloser.Read(p)
	if errors.Is(err, blob.ErrCorrupt) {
		_ = r.cache.Remove(context.Background(), r.digest) // the damage is reported already
	}
	return n, err
}

// Seek implements io.Seeker.
func (r *atHand) Seek(offset int64, whence int) (int64, error) {
	return r.ReadCloser.(io.Seeker).Seek(offset, whence)
}
