package s3

import (
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/blob"
)

const (
	eager    = 1 << 20 // bytes that are sent at once: to ask first would take as long
	mostPart = 10_000  // parts of an object
	atOnce   = 4       // parts under way
)

// ensure makes sure that the store has a blob that the cache has.
func (s *Store) ensure(ctx context.Context, ref blob.Ref) error {
	if got, ok := s.known.find(ref.Digest, s.times); ok && got == ref {
		return nil
	}
	f, err := os.Open(s.cache.Path(ref.Digest))
	if err != nil {
		return api.Errorf(api.Internal, "read blob %s in the cache: %w", ref.Digest, err)
	}
	defer f.Close()
	u := upload{Store: s, ref: ref, from: f}
	for ask := ref.Size > eager; ; ask = true {
		if done, err := u.attempt(ctx, ask); done || err != nil {
			return err
		}
	}
}

// upload brings one blob to the store.
type upload struct {
	*Store
	ref   blob.Ref
	from  io.ReaderAt
	tries int
	over  bool // what is there is not the blob, and is written over
}

// attempt looks for the blob, or writes it, and reports whether it stays there.
func (u *upload) attempt(ctx context.Context, ask bool) (done bool, err error) {
	if u.tries++; u.tries > 5 {
		return false, api.Errorf(api.ServerUnavailable, "blob %s does not stay in %s", u.ref.Digest, u.Place()).WithHint("see what removes objects there, such as a rule of the bucket")
	}
	_, u.over = u.bad.Load(u.ref.Digest)
	if ask && !u.over {
		got, err := u.renew(ctx, u.ref.Digest)
		u.over = err == nil && got.Size != u.ref.Size
		if err == nil && !u.over {
			return true, nil
		}
		if err != nil && !errors.Is(err, blob.ErrNotFound) {
			return false, err
		}
	}
	began := time.Now()
	err = u.write(ctx)
	if there(err) && !u.over {
		return false, nil // and is looked for
	}
	if err != nil {
		return false, u.problem(ctx, "store blob "+u.ref.Digest, err)
	}
	met, err := u.avoidCollectors(ctx, u.ref.Digest)
	if err != nil || met || time.Since(began) > u.times.keep/2 {
		return false, err // it is looked for again
	}
	u.bad.Delete(u.ref.Digest)
	u.known.note(u.ref, began)
	return true, nil
}

// write sends the bytes, as a whole or in parts.
func (u *upload) write(ctx context.Context) error {
	client, err := u.client()
	if err != nil {
		return err
	}
	if u.ref.Size > u.limits.part {
		return u.parts(ctx, client)
	}
	_, err = client.PutObject(ctx, &s3.PutObjectInput{
		Bucket: &u.address.Bucket, Key: u.key(blobs, u.ref.Digest), IfNoneMatch: u.condition(),
		Body: io.NewSectionReader(u.from, 0, u.ref.Size), ContentLength: &u.ref.Size,
	})
	if u.unconditional(err) {
		return u.write(ctx)
	}
	return err
}

// condition lets the store refuse what it has already, so that the time of a blob
// changes only when it was not there.
func (u *upload) condition() *string {
	if u.over {
		return nil
	}
	return aws.String("*")
}

// unconditional reports whether the store knows no conditions. Then the same bytes are
// written over those that are there.
func (u *upload) unconditional(err error) bool {
	if u.over || status(err) != http.StatusNotImplemented && !hasCode(err, "NotImplemented") {
		return false
	}
	u.over = true
	return true
}

// parts sends a large blob in parts, of which a few are under way. Their bytes are read
// from the file when they are sent. What fails is given up, so that the store keeps no
// part of it.
func (u *upload) parts(ctx context.Context, client *s3.Client) error {
	key := u.key(blobs, u.ref.Digest)
	begun, err := client.CreateMultipartUpload(ctx, &s3.CreateMultipartUploadInput{Bucket: &u.address.Bucket, Key: key})
	if err != nil {
		return err
	}
	done, err := u.sendParts(ctx, client, begun.UploadId)
	if err == nil {
		_, err = client.CompleteMultipartUpload(ctx, &s3.CompleteMultipartUploadInput{
			Bucket: &u.address.Bucket, Key: key, UploadId: begun.UploadId, IfNoneMatch: u.condition(), MultipartUpload: &types.CompletedMultipartUpload{Parts: done},
		})
	}
	if err == nil {
		return nil
	}
	if u.unconditional(err) {
		return u.parts(ctx, client)
	}
	if hasCode(err, "NoSuchUpload") { // the answer to the first request for it was lost
		if found, lost := u.head(ctx, blobs, u.ref.Digest); lost == nil && found.size == u.ref.Size {
			return nil
		}
	}
	ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	_, _ = client.AbortMultipartUpload(ending, &s3.AbortMultipartUploadInput{Bucket: &u.address.Bucket, Key: key, UploadId: begun.UploadId}) // else Tidy does
	return err
}

// sendParts sends all parts, and returns what they are put together from.
func (u *upload) sendParts(ctx context.Context, client *s3.Client, id *string) ([]types.CompletedPart, error) {
	size := max(u.limits.part, (u.ref.Size+mostPart-1)/mostPart)
	done := make([]types.CompletedPart, (u.ref.Size+size-1)/size)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var senders sync.WaitGroup
	numbers := make(chan int32)
	for range min(atOnce, len(done)) {
		senders.Go(func() {
			for n := range numbers {
				at := int64(n) * size
				sent, err := client.UploadPart(ctx, &s3.UploadPartInput{
					Bucket: &u.address.Bucket, Key: u.key(blobs, u.ref.Digest), UploadId: id, PartNumber: aws.Int32(n + 1),
					Body: io.NewSectionReader(u.from, at, min(size, u.ref.Size-at)),
				})
				if err != nil {
					cancel(err)
					continue
				}
				done[n] = types.CompletedPart{ETag: sent.ETag, PartNumber: aws.Int32(n + 1)}
			}
		})
	}
	for n := range done {
		numbers <- int32(n)
	}
	close(numbers)
	senders.Wait()
	return done, context.Cause(ctx)
}
