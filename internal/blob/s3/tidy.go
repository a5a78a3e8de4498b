package s3

import (
	"context"
	"errors"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"github.com/glovebox-dev/glovebox/internal/blob"
)

// Tidy removes what processes that died left in the store: uploads that were not
// completed, marks of collectors, and those of blobs that are gone.
func (s *Store) Tidy(ctx context.Context) error {
	return errors.Join(s.tidyUploads(ctx), s.tidyMarks(ctx, condemned, s.times.keep), s.tidyMarks(ctx, renewed, s.times.dead))
}

func (s *Store) tidyUploads(ctx context.Context) error {
	client, err := s.client()
	if err != nil {
		return s.problem(ctx, "list unfinished uploads", err)
	}
	pages := s3.NewListMultipartUploadsPaginator(client, &s3.ListMultipartUploadsInput{Bucket: &s.address.Bucket, Prefix: s.key(blobs, "")})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return s.problem(ctx, "list unfinished uploads", err)
		}
		for _, u := range page.Uploads {
			if s.clock.now().Sub(aws.ToTime(u.Initiated)) < s.times.dead {
				continue
			}
			_, err := client.AbortMultipartUpload(ctx, &s3.AbortMultipartUploadInput{Bucket: &s.address.Bucket, Key: u.Key, UploadId: u.UploadId})
			if err != nil && !absent(err) && !hasCode(err, "NoSuchUpload") {
				return s.problem(ctx, "remove an unfinished upload", err)
			}
		}
	}
	return nil
}

// tidyMarks removes marks of an age.
func (s *Store) tidyMarks(ctx context.Context, k kind, age time.Duration) error {
	for mark, err := range s.list(ctx, k, "") {
		if err != nil {
			return err
		}
		if s.clock.now().Sub(mark.stored) < age {
			continue
		}
		remove := s.remove
		if k == renewed {
			remove = s.tidyRenewed
		}
		if err := remove(ctx, k, mark.name); err != nil {
			return err
		}
	}
	return nil
}

// tidyRenewed removes what says that a blob was renewed, unless the blob is there. The
// request is signed before that is known, as those of a collector are: it must not meet
// the mark of a blob that comes later.
func (s *Store) tidyRenewed(ctx context.Context, k kind, digest string) error {
	if blob.CheckDigest(digest) != nil {
		return nil
	}
	request, err := s.signRemovals(ctx, digest, k)
	if err != nil {
		return err
	}
	if _, err := s.head(ctx, blobs, digest); !errors.Is(err, blob.ErrNotFound) {
		return err
	}
	return s.send(ctx, digest, request)
}
