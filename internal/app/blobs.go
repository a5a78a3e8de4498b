package app

import (
	"cmp"
	"context"
	"errors"
	"os"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/blob"
	blobfile "github.com/glovebox-dev/glovebox/internal/blob/file"
	"github.com/glovebox-dev/glovebox/internal/blob/s3"
	"github.com/glovebox-dev/glovebox/internal/home"
	"github.com/glovebox-dev/glovebox/internal/host"
	"github.com/glovebox-dev/glovebox/internal/prune"
)

// blobStore keeps the blobs of a home, in it or elsewhere.
type blobStore interface {
	blob.Store
	prune.Blobs
	// Sweep deletes what killed processes left unfinished in the home.
	Sweep(ctx context.Context, before time.Time) error
	// place says where they are, or "" if they are in the home.
	place() string
	// claim makes sure that they are those of this home.
	claim(ctx context.Context, dir home.Dir) error
	// tidy removes what killed processes left elsewhere.
	tidy(ctx context.Context) error
}

// blobsAddress returns where the blobs of a home are; ok is false if they are in it.
func blobsAddress(dir home.Dir, named string) (a s3.Address, ok bool, err error) {
	text := cmp.Or(named, os.Getenv(host.BlobsVariable))
	place, err := dir.BlobsPlace()
	switch {
	case err != nil:
		return a, false, err
	case text == "" && place != "":
		return a, false, api.Errorf(api.RequestInvalid, "the blobs of the home %s are in %s", dir, place).
			WithHint("set %s to their address; glovebox blobs move %s brings them back into the home", host.BlobsVariable, host.BlobsInHome).
			WithDetails(api.Details{Field: host.BlobsVariable, Expected: place})
	case text == "":
		return a, false, nil
	}
	if a, err = s3.ParseAddress(text); err != nil {
		return a, false, err
	}
	if place != "" && place != a.Place() {
		return a, false, api.Errorf(api.Conflict, "the blobs of the home %s are in %s, and not in %s", dir, place, a.Place()).
			WithHint("use the address where they are; glovebox blobs move %s brings them back into the home", host.BlobsInHome).
			WithDetails(api.Details{Field: "blobs", Expected: place, Got: a.Place()})
	}
	return a, true, nil
}

// openBlobs opens the blobs of a home, and notes where they are. A store elsewhere is
// asked for nothing but whose it is, the first time.
func openBlobs(ctx context.Context, dir home.Dir, named string) (blobStore, error) {
	a, elsewhere, err := blobsAddress(dir, named)
	if err != nil {
		return nil, err
	}
	if !elsewhere {
		store, err := blobfile.Open(dir.Blobs())
		return inHome{store}, err
	}
	place, err := dir.BlobsPlace()
	if err != nil {
		return nil, err
	}
	if place == "" && hasBlobs(ctx, dir) {
		return nil, api.Errorf(api.Conflict, "the home %s has its blobs in %s", dir, dir.Blobs()).
			WithHint("move them with: glovebox blobs move ADDRESS, or begin another home with GLOVEBOX_HOME")
	}
	store, err := s3.Open(a, dir.BlobCache())
	if err != nil || place != "" {
		return inBucket{store}, err
	}
	if err := (inBucket{store}).claim(ctx, dir); err != nil {
		return nil, err
	}
	return inBucket{store}, dir.SetBlobsPlace(a.Place())
}

func openBlobsToRead(dir home.Dir, named string) (blobStore, error) {
	a, elsewhere, err := blobsAddress(dir, named)
	if err != nil {
		return nil, err
	}
	if elsewhere {
		return inBucket{s3.OpenReadOnly(a, dir.BlobCache())}, nil
	}
	return inHome{blobfile.OpenReadOnly(dir.Blobs())}, nil
}

// outagePatience bounds how long what a run gave waits for a store of blobs.
const outagePatience = 5 * time.Minute

func unavailable(err error) bool { return errors.Is(err, &api.Error{Code: api.ServerUnavailable}) }

// blobsAway says that something waits for the store of the blobs.
func (a *App) blobsAway() {
	a.logger.Warn("the store of the blobs does not answer; the outputs of runs wait for it", "blobs", a.blobs.place())
}

// keep writes what would be lost, and waits for space and for the store of the blobs.
func (a *App) keep(ctx context.Context, write func() error) error {
	return a.outage.Do(ctx, func() error { return a.patience.Do(ctx, write) })
}

// hasBlobs reports whether there are blobs in the home.
func hasBlobs(ctx context.Context, dir home.Dir) bool {
	for range blobfile.OpenReadOnly(dir.Blobs()).All(ctx) {
		return true // or an error, which is none of an empty directory
	}
	return false
}

// inHome are blobs in the home.
type inHome struct{ *blobfile.Store }

func (inHome) place() string                         { return "" }
func (inHome) claim(context.Context, home.Dir) error { return nil }
func (inHome) tidy(context.Context) error            { return nil }

// RemoveOld implements prune.Blobs.
func (b inHome) RemoveOld(_ context.Context, digest string, before time.Time) (bool, int64, error) {
	removed, err := b.Store.RemoveOld(digest, before)
	return removed.Done, removed.Freed, err
}

// inBucket are blobs in a store that speaks S3.
type inBucket struct{ *s3.Store }

func (b inBucket) place() string                  { return b.Place() }
func (b inBucket) tidy(ctx context.Context) error { return b.Tidy(ctx) }

func (b inBucket) claim(ctx context.Context, dir home.Dir) error {
	owner, err := dir.ID()
	if err != nil {
		return err
	}
	return b.Claim(ctx, owner)
}
