package gvisor

import (
	"testing"

	"github.com/glovebox-dev/glovebox/internal/cell"
	"github.com/glovebox-dev/glovebox/internal/runsc"
)

// TestRestoredConfig: a kernel takes its state only with the mounts that it had,
// whatever room the disk has now.
func TestRestoredConfig(t *testing.T) {
	now := runsc.Config{ID: "new", Shared: 7}
	if got := (&restored{saved: cell.Saved{Shared: 5}}).config(now); got.Shared != 5 || got.ID != "new" {
		t.Errorf("restored: %+v", got)
	}
	if got := (*restored)(nil).config(now); got.Shared != 7 {
		t.Errorf("started: %+v", got)
	}
}
