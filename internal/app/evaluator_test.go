package app

import (
	"context"
	"os"
	"path/filepath"
	"testing"
)

// TestEvaluatorIsForItsUser shows that no other user can connect to the socket,
// and that nothing is made beside it.
func TestEvaluatorIsForItsUser(t *testing.T) {
	dir := t.TempDir()
	socket := filepath.Join(dir, "s")
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- Engine{}.Evaluate(ctx, socket, func() {
			info, err := os.Lstat(socket)
			if err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("the socket is %v, %v; want mode 0600", info, err)
			}
			stop()
		})
	}()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestEvaluatorNeedsAPlace(t *testing.T) {
	if err := (Engine{}).Evaluate(t.Context(), filepath.Join(t.TempDir(), "no", "s"), func() {}); err == nil {
		t.Error("it listens where there is no directory")
	}
}
