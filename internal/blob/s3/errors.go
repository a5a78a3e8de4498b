package s3

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"

	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/smithy-go"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/blob"
)

// status is that of the answer that an error tells of, or 0.
func status(err error) int {
	var answer *awshttp.ResponseError
	if errors.As(err, &answer) {
		return answer.HTTPStatusCode()
	}
	return 0
}

// hasCode reports whether the store said one of these words.
func hasCode(err error, codes ...string) bool {
	var said smithy.APIError
	return errors.As(err, &said) && slices.Contains(codes, said.ErrorCode())
}

// absent reports whether a thing is not there. An answer to HEAD has no code.
func absent(err error) bool {
	return hasCode(err, "NoSuchKey", "NotFound") || status(err) == http.StatusNotFound && !hasCode(err, "NoSuchBucket")
}

// there reports whether a thing was not written because it is there already, or is
// being written by somebody else.
func there(err error) bool {
	code := status(err)
	return code == http.StatusPreconditionFailed || code == http.StatusConflict
}

// problem turns an error of a request into one that says what to do.
func (s *Store) problem(ctx context.Context, doing string, err error) error {
	var done *api.Error
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("%s: %w", doing, ctx.Err())
	case errors.As(err, &done), errors.Is(err, blob.ErrNotFound), errors.Is(err, blob.ErrCorrupt):
		return err
	case absent(err):
		return fmt.Errorf("%s: %w", doing, blob.ErrNotFound)
	case hasCode(err, "NoSuchBucket"):
		return api.Errorf(api.RequestInvalid, "%s: there is no bucket %s", doing, s.address.Bucket).
			WithHint("make the bucket, or correct the address of the blobs").WithDetails(api.Details{Field: "blobs", Expected: "a bucket that exists"})
	case status(err) == http.StatusInsufficientStorage, hasCode(err, "QuotaExceeded", "XMinioStorageFull", "InsufficientCapacity"):
		return api.Errorf(api.StorageFull, "%s: the store %s is full: %w", doing, s.Place(), err).WithHint("free space there, for example with: glovebox prune")
	case status(err) == http.StatusForbidden || status(err) == http.StatusUnauthorized:
		return s.away(doing, err).WithHint("check the credentials of the environment (AWS_ACCESS_KEY_ID, AWS_PROFILE or a role), what they may do in the bucket, and the clock of this host")
	}
	return s.away(doing, err).WithHint("check that the store runs and can be reached, and that there are credentials for it; what failed can be tried again")
}

func (s *Store) away(doing string, err error) *api.Error {
	return api.Errorf(api.ServerUnavailable, "%s: the store %s did not do it: %w", doing, s.Place(), err)
}

func damaged(digest string) error { return fmt.Errorf("blob %s: %w", digest, blob.ErrCorrupt) }
