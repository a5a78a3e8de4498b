package engine

import (
	"context"
	"errors"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

// journalError turns what the journal says of a run into an *api.Error.
func journalError(id string, err error) error {
	var known *api.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &known):
		return known
	case errors.Is(err, journal.ErrNotFound):
		return noSuchRun(id)
	case errors.Is(err, journal.ErrOwned), errors.Is(err, journal.ErrFenced):
		return api.Errorf(api.Conflict, "run %s: %w", id, err).
			WithHint("another process runs it; follow it with: glovebox show %s", id).WithDetails(api.Details{Run: id})
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return api.Errorf(api.Canceled, "waiting for run %s: %w", id, err)
	case errors.Is(err, journal.ErrCursor):
		return api.Errorf(api.RequestInvalid, "%w", err).WithHint("begin at the first page").WithDetails(api.Details{Field: "cursor"})
	}
	return api.Errorf(api.Internal, "the journal of run %s: %w", id, err)
}

func noSuchRun(id string) *api.Error {
	return api.Errorf(api.NotFound, "there is no run %q", id).
		WithHint("list runs with: glovebox runs").WithDetails(api.Details{Field: "run", Got: id})
}
