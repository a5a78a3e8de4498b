package outputs

import (
	"context"
	"errors"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/budget"
)

// Claim returns a text of the cell when there is memory to decode it, which the
// run holds until its end.
func Claim(ctx context.Context, text *budget.Text) ([]byte, error) {
	if err := takeMemory(ctx, text.Cost()); err != nil {
		return nil, err
	}
	b, err := text.Bytes()
	if err != nil {
		return nil, HostError(err)
	}
	return b, nil
}

// takeMemory waits until values that take so many bytes can be decoded.
func takeMemory(ctx context.Context, bytes int64) error {
	err := budget.Take(ctx, bytes)
	var large *budget.TooLargeError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &large):
		return api.Errorf(api.OutputTooLarge, "%w", err).
			WithHint("write large data to a File or a DataFrame, or give the process more memory for values").
			WithDetails(api.Details{Limit: large.Budget, Peak: large.Need})
	case errors.Is(err, budget.ErrBusy):
		return api.Errorf(api.Overloaded, "%w", err)
	}
	return api.Errorf(api.Canceled, "the run was cancelled: %w", err)
}
