package s3

import (
	"context"
	"errors"
	"iter"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"github.com/glovebox-dev/glovebox/internal/blob"
)

// kind is a directory below the prefix.
type kind string

const (
	blobs     kind = "blobs/"
	renewed   kind = "renewed/"
	condemned kind = "condemned/"
	root      kind = ""
)

// key is the name of an object in the bucket.
func (s *Store) key(k kind, name string) *string {
	return aws.String(s.address.Prefix + string(k) + name)
}

// object is what the store tells of one.
type object struct {
	name   string // in its directory
	size   int64
	stored time.Time // by the clock of the store
}

// head asks for an object. One that is not there is ErrNotFound.
func (s *Store) head(ctx context.Context, k kind, name string) (object, error) {
	client, err := s.client()
	if err != nil {
		return object{}, s.problem(ctx, "ask for a blob", err)
	}
	out, err := client.HeadObject(ctx, &s3.HeadObjectInput{Bucket: &s.address.Bucket, Key: s.key(k, name)})
	if err != nil {
		return object{}, s.problem(ctx, "ask for "+string(k)+name, err)
	}
	return object{name, aws.ToInt64(out.ContentLength), aws.ToTime(out.LastModified)}, nil
}

// mark writes an empty object, whose time is what counts.
func (s *Store) mark(ctx context.Context, k kind, name string) error {
	client, err := s.client()
	if err == nil {
		_, err = client.PutObject(ctx, &s3.PutObjectInput{Bucket: &s.address.Bucket, Key: s.key(k, name), Body: strings.NewReader(""), ContentLength: aws.Int64(0)})
	}
	return s.problem(ctx, "write "+string(k)+name, err)
}

// remove deletes an object. One that is not there is no error.
func (s *Store) remove(ctx context.Context, k kind, name string) error {
	client, err := s.client()
	if err == nil {
		_, err = client.DeleteObject(ctx, &s3.DeleteObjectInput{Bucket: &s.address.Bucket, Key: s.key(k, name)})
	}
	if err = s.problem(ctx, "remove "+string(k)+name, err); errors.Is(err, blob.ErrNotFound) {
		return nil
	}
	return err
}

// list yields the objects of a directory whose names begin with start.
func (s *Store) list(ctx context.Context, k kind, start string) iter.Seq2[object, error] {
	return func(yield func(object, error) bool) {
		client, err := s.client()
		if err != nil {
			yield(object{}, s.problem(ctx, "list the blobs", err))
			return
		}
		directory := *s.key(k, "")
		pages := s3.NewListObjectsV2Paginator(client, &s3.ListObjectsV2Input{Bucket: &s.address.Bucket, Prefix: s.key(k, start)}, func(o *s3.ListObjectsV2PaginatorOptions) {
			o.StopOnDuplicateToken = true // or a store that repeats itself would be listed for ever
		})
		for pages.HasMorePages() {
			page, err := pages.NextPage(ctx)
			if err != nil {
				yield(object{}, s.problem(ctx, "list the blobs", err))
				return
			}
			for _, o := range page.Contents {
				name, ok := strings.CutPrefix(aws.ToString(o.Key), directory)
				if ok && !yield(object{name, aws.ToInt64(o.Size), aws.ToTime(o.LastModified)}, nil) {
					return
				}
			}
		}
	}
}

// All is part of blob.Store.
func (s *Store) All(ctx context.Context) iter.Seq2[blob.Info, error] {
	return func(yield func(blob.Info, error) bool) {
		again := map[string]time.Time{}
		for o, err := range s.list(ctx, renewed, "") {
			if err != nil {
				yield(blob.Info{}, err)
				return
			}
			if blob.CheckDigest(o.name) == nil {
				again[o.name] = o.stored
			}
		}
		for o, err := range s.list(ctx, blobs, "") {
			if err == nil && blob.CheckDigest(o.name) != nil {
				continue
			}
			stored := s.clock.local(later(o.stored, again[o.name]))
			if !yield(blob.Info{Ref: blob.Ref{Digest: o.name, Size: o.size}, Stored: stored}, err) || err != nil {
				return
			}
		}
	}
}

func later(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}
