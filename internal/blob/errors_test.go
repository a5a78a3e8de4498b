package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
)

func TestAsErrorKnowsEveryErrorOfAStore(t *testing.T) {
	for _, test := range []struct {
		err  error
		code api.Code
	}{
		{ErrNotFound, api.NotFound},
		{ErrDigest, api.InvalidInput},
		{ErrTooLarge, api.RequestTooLarge},
		{ErrCorrupt, api.StorageCorrupt},
		{ErrChanged, api.InvalidInput},
		{context.Canceled, api.Canceled},
		{context.DeadlineExceeded, api.Canceled},
		{io.ErrUnexpectedEOF, api.Internal},
		{api.Errorf(api.StorageFull, "full"), api.StorageFull},
	} {
		got := AsError("the file", fmt.Errorf("blob 12: %w", test.err))
		if !errors.Is(got, &api.Error{Code: test.code}) || !errors.Is(got, test.err) {
			t.Errorf("AsError(%v) = %#v, want code %s and the cause kept", test.err, got, test.code)
		}
	}
	if err := AsError("the file", nil); err != nil {
		t.Errorf("AsError(nil) = %v", err)
	}
}
