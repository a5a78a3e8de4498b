package image

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// TestSweepsSpareNewScratch: every process sweeps the store when it starts, also
// while another one begins to build.
func TestSweepsSpareNewScratch(t *testing.T) {
	s := fakeService(t, t.TempDir(), &fakeCells{})
	making := filepath.Join(s.store.dir, "tmp", "build-making")
	if err := os.Mkdir(making, 0o700); err != nil {
		t.Fatal(err)
	}
	var sweeps sync.WaitGroup
	done := make(chan struct{})
	for range 2 {
		sweeps.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				if err := s.store.sweepTemp(); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	for range 200 {
		made, err := s.scratch()
		if err != nil {
			t.Error(err)
			break
		}
		if _, err := os.Stat(filepath.Join(made.dir, scratchLock)); err != nil {
			t.Error(err)
		}
		made.close()
	}
	close(done)
	sweeps.Wait()
	if _, err := os.Stat(making); err != nil {
		t.Errorf("a directory in the making was swept away: %v", err)
	}
}
