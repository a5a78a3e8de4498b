package outputs

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/sandbox/sandboxtest"
)

// TestStoreWaitsForSpace keeps a file on a disk that is full at first, from a
// stream that comes once.
func TestStoreWaitsForSpace(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("needs root, to mount a small file system")
	}
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=1m"); err != nil {
		t.Skipf("needs to mount a small file system: %v", err)
	}
	t.Cleanup(func() { _ = unix.Unmount(dir, unix.MNT_DETACH) })
	ballast := filepath.Join(dir, "ballast")
	if err := os.WriteFile(ballast, make([]byte, 900<<10), 0o600); err != nil {
		t.Fatal(err)
	}
	waits := 0
	s := NewStore(dir, "run-1")
	s.Space = func(write func() error) error {
		err := write()
		if errors.Is(err, syscall.ENOSPC) {
			waits++
			err = errors.Join(os.Remove(ballast), write())
		}
		return err
	}
	text := strings.Repeat("0123456789abcdef", 32<<10) // 512 KiB
	kept, err := s.save("file", 0o600, strings.NewReader(text))
	if err == nil {
		err = s.Commit()
	}
	if err != nil || waits != 1 || kept.size != int64(len(text)) {
		t.Fatalf("kept %+v, waited %d times: %v", kept, waits, err)
	}
	if got, err := os.ReadFile(kept.path); string(got) != text {
		t.Errorf("it holds %d other bytes, %v", len(got), err)
	}
}

// TestCommitAfterACrash: the process died between the files and the end of the attempt in
// the journal. The next attempt keeps its files alone.
func TestCommitAfterACrash(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"lost", "kept"} {
		s := NewStore(dir, "run-1")
		if _, err := s.save(name, 0o600, strings.NewReader(name)); err != nil {
			t.Fatal(err)
		}
		if err := s.Commit(); err != nil {
			t.Fatalf("commit %s: %v", name, err)
		}
	}
	entries, err := os.ReadDir(filepath.Join(dir, "run-1"))
	if err != nil || len(entries) != 1 || entries[0].Name() != "kept" {
		t.Errorf("files = %v, %v; want the one that was kept last", entries, err)
	}
}

func TestHostErrors(t *testing.T) {
	for _, errno := range []error{syscall.ENOSPC, syscall.EDQUOT} {
		e := sandboxtest.WantError(t, HostError(&os.PathError{Op: "write", Path: "/x", Err: errno}), api.StorageFull)
		if !e.Retryable {
			t.Error("a full disk cannot be tried again")
		}
	}
	sandboxtest.WantError(t, HostError(os.ErrPermission), api.IsolationUnavailable)
}
