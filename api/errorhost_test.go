package api

import (
	"errors"
	"fmt"
	"syscall"
	"testing"
)

// TestErrorsOfTheHost: what the host lacks is not called a defect.
func TestErrorsOfTheHost(t *testing.T) {
	for cause, want := range map[error]Code{
		syscall.ENOSPC: StorageFull, syscall.EDQUOT: StorageFull, syscall.EMFILE: IsolationUnavailable,
		syscall.ENFILE: IsolationUnavailable, syscall.EROFS: IsolationUnavailable, syscall.EACCES: IsolationUnavailable,
		errors.New("other"): Internal,
	} {
		for _, e := range []*Error{Errorf(Internal, "open it: %w", cause), AsError(fmt.Errorf("open it: %w", cause))} {
			if e.Code != want || e.Hint == "" || e.Outcome != want.Info().Outcome || !errors.Is(e, cause) {
				t.Errorf("%v is %+v, want %s", cause, e, want)
			}
		}
	}
	if e := Errorf(CellLost, "it: %w", syscall.ENOSPC); e.Code != CellLost {
		t.Errorf("a code that was chosen became %s", e.Code)
	}
}
