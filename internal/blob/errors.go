package blob

import (
	"context"
	"errors"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// Unknown is the error for a digest whose bytes the asker neither sent nor got from a
// run. It is the same whether they are there or not.
func Unknown(digest string) error {
	got := value.Shorten(digest, 64)
	return api.Errorf(api.NotFound, "there is no blob %s", got).WithHint("upload the bytes first").WithDetails(api.Details{Field: "sha256", Got: got})
}

// AsError gives an error of a Store or of a tree its code; what says for whom
// or what the store was asked. An *api.Error stays as it is.
func AsError(what string, err error) error {
	var known *api.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &known):
		return known
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return api.Errorf(api.Canceled, "%s: %w", what, err)
	case errors.Is(err, ErrNotFound):
		return api.Errorf(api.NotFound, "%s: %w", what, err).WithHint("upload the bytes first, or run the task that makes them again")
	case errors.Is(err, ErrDigest):
		return api.Errorf(api.InvalidInput, "%s: %w", what, err).WithDetails(api.Details{Expected: "64 hexadecimal digits in lower case"})
	case errors.Is(err, ErrTooLarge):
		return api.Errorf(api.RequestTooLarge, "%s: %w", what, err)
	case errors.Is(err, ErrCorrupt):
		return api.Errorf(api.StorageCorrupt, "%s: %w", what, err)
	case errors.Is(err, ErrChanged):
		return api.Errorf(api.InvalidInput, "%s: %w", what, err).WithHint("run again when nothing writes to it")
	}
	return api.Errorf(api.Internal, "%s: %w", what, err)
}
