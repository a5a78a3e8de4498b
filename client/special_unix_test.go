//go:build unix

package client

import (
	"path/filepath"
	"syscall"
	"testing"
)

// specialFile makes a file that no run can have as input.
func specialFile(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
