package embed

import (
	"errors"
	"testing"

	"github.com/glovebox-dev/glovebox"
)

func TestOpenNeedsInit(t *testing.T) {
	defer prepared.Store(prepared.Swap(false))
	if _, err := Open(Options{Home: t.TempDir()}); !errors.Is(err, glovebox.ErrIsolationUnavailable) {
		t.Errorf("Open without Init: %v", err)
	}
}
