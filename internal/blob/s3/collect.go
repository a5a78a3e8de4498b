package s3

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"github.com/glovebox-dev/glovebox/internal/blob"
)

// RemoveOld deletes a blob, unless it was stored, or asked for with Stat, since before,
// and returns how many bytes that frees. Others may use the store meanwhile, see the
// package comment.
func (s *Store) RemoveOld(ctx context.Context, digest string, before time.Time) (removed bool, freed int64, err error) {
	if err := blob.CheckDigest(digest); err != nil {
		return false, 0, err
	}
	mark := digest + "." + strings.ToLower(rand.Text())
	if err := s.mark(ctx, condemned, mark); err != nil { // and the clock of the store is known now
		return false, 0, err
	}
	requests, err := s.signRemovals(ctx, digest, blobs, renewed)
	if err != nil {
		return false, 0, err
	}
	found, old, err := s.old(ctx, digest, before)
	if err != nil || !old {
		return false, 0, errors.Join(err, s.remove(ctx, condemned, mark)) // nothing was deleted because of it
	}
	s.known.forget(digest)
	if err := s.send(ctx, digest, requests); err != nil {
		return false, 0, err
	}
	return true, found.size, s.cache.Remove(ctx, digest)
}

// old reports whether a blob is there and was neither stored nor asked for since
// before. Times of S3 are cut to the second.
func (s *Store) old(ctx context.Context, digest string, before time.Time) (object, bool, error) {
	found, err := s.head(ctx, blobs, digest)
	if errors.Is(err, blob.ErrNotFound) {
		return found, false, nil
	}
	if err != nil {
		return found, false, err
	}
	again, err := s.head(ctx, renewed, digest)
	if err != nil && !errors.Is(err, blob.ErrNotFound) {
		return found, false, err
	}
	return found, later(found.stored, again.stored).Add(time.Second).Before(s.clock.store(before)), nil
}

// signRemovals makes the requests that delete what there is of a blob. The store refuses
// them soon, by its own clock.
func (s *Store) signRemovals(ctx context.Context, digest string, kinds ...kind) ([]*v4.PresignedHTTPRequest, error) {
	client, err := s.client()
	if err != nil {
		return nil, s.problem(ctx, "remove blob "+digest, err)
	}
	signer := s3.NewPresignClient(client, func(o *s3.PresignOptions) {
		o.Expires, o.Presigner = s.times.erase, storeTime{v4.NewSigner(func(o *v4.SignerOptions) { o.DisableURIPathEscaping = true }), s.clock.now()}
	})
	var requests []*v4.PresignedHTTPRequest
	for _, k := range kinds {
		r, err := signer.PresignDeleteObject(ctx, &s3.DeleteObjectInput{Bucket: &s.address.Bucket, Key: s.key(k, digest)})
		if err != nil {
			return nil, s.problem(ctx, "remove blob "+digest, err)
		}
		requests = append(requests, r)
	}
	return requests, nil
}

// storeTime signs with the time of the store.
type storeTime struct {
	s3.HTTPPresignerV4
	now time.Time
}

// PresignHTTP implements s3.HTTPPresignerV4.
func (t storeTime) PresignHTTP(ctx context.Context, c aws.Credentials, r *http.Request, hash, service, region string, _ time.Time, o ...func(*v4.SignerOptions)) (string, http.Header, error) {
	return t.HTTPPresignerV4.PresignHTTP(ctx, c, r, hash, service, region, t.now, o...)
}

// send sends signed requests, each once: whether it may be sent again is not known.
func (s *Store) send(ctx context.Context, digest string, signed []*v4.PresignedHTTPRequest) error {
	for _, r := range signed {
		if err := s.sendOne(ctx, r); err != nil {
			return s.problem(ctx, "remove blob "+digest, err)
		}
	}
	return nil
}

// sendOne keeps the address out of errors, because it has the signature in it.
func (s *Store) sendOne(ctx context.Context, signed *v4.PresignedHTTPRequest) error {
	client, err := s.client()
	if err != nil {
		return err
	}
	r, err := http.NewRequestWithContext(ctx, signed.Method, signed.URL, nil)
	if err != nil {
		return errors.New("the store has no usable address")
	}
	r.Header = signed.SignedHeader.Clone()
	answer, err := client.Options().HTTPClient.Do(r)
	if u := (*url.Error)(nil); errors.As(err, &u) {
		err = u.Err
	}
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(answer.Body, 1<<16)) // so that the connection can be used again
	if answer.StatusCode/100 != 2 && answer.StatusCode != http.StatusNotFound {
		return fmt.Errorf("it answered with status %d; either it may not be deleted, or the store took longer than %s", answer.StatusCode, s.times.erase)
	}
	return nil
}
