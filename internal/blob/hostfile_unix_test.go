//go:build unix

package blob

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// Programs replace files by renaming. Each open finds the old file or the new
// one, and neither is a fault.
func TestOpenRegularOfAFileThatIsReplaced(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	stop, replaced := make(chan struct{}), make(chan error)
	go func() {
		fresh := filepath.Join(dir, "fresh")
		for {
			select {
			case <-stop:
				replaced <- nil
				return
			default:
			}
			if err := errors.Join(os.WriteFile(fresh, nil, 0o600), os.Rename(fresh, path)); err != nil {
				<-stop
				replaced <- err
				return
			}
		}
	}()
	for range 2000 {
		f, err := OpenRegular(path)
		if err != nil {
			t.Error(err)
			break
		}
		f.Close()
	}
	close(stop)
	if err := <-replaced; err != nil {
		t.Error(err)
	}
}
