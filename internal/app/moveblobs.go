package app

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/glovebox-dev/glovebox/internal/blob"
	blobfile "github.com/glovebox-dev/glovebox/internal/blob/file"
	"github.com/glovebox-dev/glovebox/internal/blob/s3"
	"github.com/glovebox-dev/glovebox/internal/home"
	"github.com/glovebox-dev/glovebox/internal/host"
)

// MoveBlobs implements host.Engine. No other process enters the home meanwhile.
func (Engine) MoveBlobs(ctx context.Context, o host.Options, to string) (moved *host.MovedBlobs, err error) {
	err = aloneIn(ctx, o, "blobs", func(dir home.Dir) error {
		moved, err = moveBlobs(ctx, dir, o.Blobs, to)
		return err
	})
	return moved, err
}

func moveBlobs(ctx context.Context, dir home.Dir, named, to string) (*host.MovedBlobs, error) {
	place, err := dir.BlobsPlace()
	switch {
	case err != nil:
		return nil, err
	case to == host.BlobsInHome && place == "":
		return nil, conflict("the blobs of the home %s are in it already", dir)
	case to == host.BlobsInHome:
		return bringBlobs(ctx, dir, named)
	case place != "":
		return nil, conflict("the blobs of the home %s are in %s already", dir, place).WithHint("bring them back with: glovebox blobs move %s", host.BlobsInHome)
	}
	a, err := s3.ParseAddress(to)
	if err != nil {
		return nil, err
	}
	return sendBlobs(ctx, dir, a)
}

// sendBlobs moves the blobs from the home to a store. From the moment at which the home
// says that they are there, the directory is a copy that nothing uses.
func sendBlobs(ctx context.Context, dir home.Dir, a s3.Address) (*host.MovedBlobs, error) {
	source, err := blobfile.Open(dir.Blobs())
	if err != nil {
		return nil, blob.AsError("the blobs", err)
	}
	target, err := s3.Open(a, dir.BlobCache())
	if err != nil {
		return nil, blob.AsError("the cache of the blobs", err)
	}
	if err := (inBucket{target}).claim(ctx, dir); err != nil {
		return nil, err
	}
	kept := dir.Blobs() + ".moved-" + time.Now().UTC().Format("20060102T150405.000000Z")
	moved := &host.MovedBlobs{From: dir.Blobs(), To: target.Place(), Kept: kept}
	if err := copyBlobs(ctx, source, target, moved); err != nil {
		return nil, err
	}
	if err := dir.SetBlobsPlace(target.Place()); err != nil {
		return nil, err
	}
	if err := os.Rename(dir.Blobs(), kept); err != nil {
		return nil, home.Error(kept, err)
	}
	return moved, nil
}

// bringBlobs moves the blobs from a store to a directory, which gets its name when it
// is whole.
func bringBlobs(ctx context.Context, dir home.Dir, named string) (*host.MovedBlobs, error) {
	a, _, err := blobsAddress(dir, named)
	if err != nil {
		return nil, err
	}
	source, err := s3.Open(a, dir.BlobCache())
	if err != nil {
		return nil, blob.AsError("the cache of the blobs", err)
	}
	if err := (inBucket{source}).claim(ctx, dir); err != nil {
		return nil, err
	}
	if err := os.Remove(dir.Blobs()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, conflict("there is a directory %s already", dir.Blobs()).WithHint("if an earlier move was interrupted, remove it")
	}
	making := dir.Blobs() + ".moving"
	target, err := blobfile.Open(making)
	if err != nil {
		return nil, blob.AsError("the blobs", err)
	}
	moved := &host.MovedBlobs{From: source.Place(), To: dir.Blobs(), Kept: source.Place()}
	if err := copyBlobs(ctx, source, target, moved); err != nil {
		return nil, err
	}
	if err := os.Rename(making, dir.Blobs()); err != nil {
		return nil, home.Error(making, err)
	}
	if err := errors.Join(dir.SetBlobsPlace(""), source.GiveUp(ctx), os.RemoveAll(dir.BlobCache())); err != nil {
		return nil, blob.AsError("the blobs", err)
	}
	return moved, nil
}

// movers is how many blobs are on the way at once.
const movers = 8

// copyBlobs copies all blobs. Each store checks what it reads against its digest, and
// what the other one has is not copied again: a move that was interrupted continues.
func copyBlobs(ctx context.Context, source, target blob.Store, moved *host.MovedBlobs) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var count, bytes atomic.Int64
	var all sync.WaitGroup
	refs := make(chan blob.Ref)
	for range movers {
		all.Go(func() {
			for ref := range refs {
				if err := copyBlob(ctx, source, target, ref); err != nil {
					cancel(blob.AsError("blob "+ref.Digest, err))
					continue
				}
				count.Add(1)
				bytes.Add(ref.Size)
			}
		})
	}
	for info, err := range source.All(ctx) {
		if err != nil {
			cancel(blob.AsError("list the blobs", err))
			break
		}
		refs <- info.Ref
	}
	close(refs)
	all.Wait()
	moved.Blobs, moved.Bytes = count.Load(), bytes.Load()
	return context.Cause(ctx)
}

func copyBlob(ctx context.Context, source, target blob.Store, ref blob.Ref) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	if has, err := target.Stat(ctx, ref.Digest); err == nil && has == ref {
		return nil
	}
	r, _, err := source.Open(ctx, ref.Digest)
	if err != nil {
		return err
	}
	defer r.Close()
	_, err = target.Put(ctx, r, 0)
	return err
}
