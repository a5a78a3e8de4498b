package s3

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"math"
	"net/http"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"github.com/glovebox-dev/glovebox/internal/blob"
)

// streamed is the size beyond which a blob that is read is not cached: a part of it
// may be all that is wanted.
const streamed = 8 << 20

// Open is part of blob.Store.
func (s *Store) Open(ctx context.Context, digest string) (io.ReadCloser, int64, error) {
	if err := blob.CheckDigest(digest); err != nil {
		return nil, 0, err
	}
	if r, size, err := s.cache.open(ctx, digest); err == nil {
		return r, size, nil
	}
	err := s.fetch(ctx, digest, streamed)
	var local *cacheError
	if err != nil && !errors.Is(err, errLarge) && !errors.As(err, &local) {
		return nil, 0, err
	}
	if err == nil {
		if r, size, err := s.cache.open(ctx, digest); err == nil {
			return r, size, nil
		}
	}
	r, err := s.remote(ctx, digest)
	if err != nil {
		return nil, 0, err
	}
	return r, r.size, nil
}

// remote begins to read a blob from the store.
func (s *Store) remote(ctx context.Context, digest string) (*reader, error) {
	r := &reader{s: s, ctx: ctx, digest: digest, sum: sha256.New()}
	if err := r.begin(); err != nil {
		return nil, err
	}
	return r, nil
}

// reader reads a blob from the store and verifies it, unless a part of it was left
// out. A connection that breaks is replaced by one that begins there.
type reader struct {
	s        *Store
	ctx      context.Context
	digest   string
	size, at int64
	body     io.ReadCloser // from at on; nil until it is asked for
	from     int64         // where the last request began
	breaks   int           // in a row without progress
	sum      hash.Hash     // of what was read; nil if that is not all from the beginning
	err      error         // final
}

// mostBreaks is how often in a row a connection may break.
const mostBreaks = 8

// begin asks for the bytes from at on.
func (r *reader) begin() error {
	client, err := r.s.client()
	if err != nil {
		return r.s.problem(r.ctx, "read blob "+r.digest, err)
	}
	in := &s3.GetObjectInput{Bucket: &r.s.address.Bucket, Key: r.s.key(blobs, r.digest)}
	if r.at > 0 {
		in.Range = aws.String(fmt.Sprintf("bytes=%d-", r.at))
	}
	out, err := client.GetObject(r.ctx, in)
	if status(err) == http.StatusRequestedRangeNotSatisfiable {
		return damaged(r.digest) // it is shorter than it was
	}
	if err != nil {
		return r.s.problem(r.ctx, "read blob "+r.digest, err)
	}
	if r.at > 0 && !strings.HasPrefix(aws.ToString(out.ContentRange), fmt.Sprintf("bytes %d-", r.at)) {
		out.Body.Close()
		return r.s.problem(r.ctx, "read blob "+r.digest, errors.New("it sent other bytes than those that it was asked for"))
	}
	if r.at == 0 {
		r.size = aws.ToInt64(out.ContentLength)
	}
	if r.size < 0 || r.size == math.MaxInt64 {
		out.Body.Close()
		return damaged(r.digest)
	}
	r.body, r.from = out.Body, r.at
	return nil
}

// Seek implements io.Seeker. What is read of the middle is not verified.
func (r *reader) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += r.at
	case io.SeekEnd:
		offset += r.size
	}
	if offset < 0 {
		return r.at, fmt.Errorf("read blob %s: a place before its beginning", r.digest)
	}
	if offset != r.at && r.body != nil {
		r.body.Close()
		r.body = nil
	}
	if r.at, r.sum, r.err, r.breaks = offset, nil, nil, 0; offset == 0 {
		r.sum = sha256.New()
	}
	return offset, nil
}

// Read implements io.Reader. It reports damage together with the last byte.
func (r *reader) Read(p []byte) (int, error) {
	if r.err == nil {
		r.err = r.ctx.Err()
	}
	if r.err == nil && r.at >= r.size {
		r.err = r.judge()
	}
	if r.err != nil || len(p) == 0 {
		return 0, r.err
	}
	for {
		n, err := r.some(p[:min(int64(len(p)), r.size-r.at)])
		if r.at += int64(n); r.sum != nil {
			r.sum.Write(p[:n])
		}
		if r.at == r.size {
			r.err = r.judge()
		} else if err != nil {
			r.err = r.broken(err)
		}
		if n > 0 && (r.err == nil || r.err == io.EOF) || r.err != nil {
			return n, r.err
		}
	}
}

// some reads what there is, and asks for it first if need be.
func (r *reader) some(p []byte) (int, error) {
	if r.body == nil {
		if err := r.begin(); err != nil {
			r.breaks = mostBreaks // the requests were repeated enough
			return 0, err
		}
	}
	return r.body.Read(p)
}

// broken decides whether a connection that ended early is replaced.
func (r *reader) broken(err error) error {
	if r.body != nil {
		r.body.Close()
		r.body = nil
	}
	if r.breaks++; r.at-r.from >= 1<<16 {
		r.breaks = 0
	}
	switch {
	case r.ctx.Err() != nil:
		return r.ctx.Err()
	case r.breaks < mostBreaks:
		return nil
	case err == io.EOF: // it has never had more
		return damaged(r.digest)
	}
	return r.s.problem(r.ctx, "read blob "+r.digest, err)
}

// judge is called at the end.
func (r *reader) judge() error {
	if r.sum != nil && hex.EncodeToString(r.sum.Sum(nil)) != r.digest {
		r.s.bad.Store(r.digest, true)
		return damaged(r.digest)
	}
	return io.EOF
}

// Close ends the request that is under way.
func (r *reader) Close() error {
	if r.body == nil {
		return nil
	}
	return r.body.Close()
}
