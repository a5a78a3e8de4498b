//go:build linux

package disk_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/glovebox-dev/glovebox/internal/disk"
)

func TestSpace(t *testing.T) {
	s := disk.Space{Free: 100 << 20, Floor: 16 << 20}
	if s.Room() != 84<<20 || s.Critical() {
		t.Errorf("room %d, critical %v", s.Room(), s.Critical())
	}
	s.Free = 8<<20 - 1
	if s.Room() >= 0 || !s.Critical() {
		t.Errorf("room %d, critical %v", s.Room(), s.Critical())
	}
}

func TestFloor(t *testing.T) {
	s, err := disk.SpaceOf(mount(t, "640m"))
	if err != nil || s.Floor != 32<<20 || s.Free != 640<<20 {
		t.Errorf("got %+v, %v", s, err)
	}
	if _, err := disk.SpaceOf(filepath.Join(t.TempDir(), "missing")); err == nil {
		t.Error("there is space in a directory that is not there")
	}
}

// mount makes a small file system of its own.
func mount(t *testing.T, size string) string {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("needs root, to mount a small file system")
	}
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size="+size); err != nil {
		t.Skipf("needs to mount a small file system: %v", err)
	}
	t.Cleanup(func() { _ = unix.Unmount(dir, unix.MNT_DETACH) })
	return dir
}

// TestReserve has the disk fill up, uses the reserve, and makes room again.
func TestReserve(t *testing.T) {
	dir := mount(t, "64m")
	path := filepath.Join(dir, "reserve")
	r := disk.OpenReserve(path, disk.ReserveSize)
	defer r.Close()
	before := free(t, dir)
	if before > 64<<20-disk.ReserveSize {
		t.Fatalf("%d bytes are free beside the reserve", before)
	}
	ballast := filepath.Join(dir, "ballast")
	if err := os.WriteFile(ballast, make([]byte, before), 0o600); err != nil {
		t.Fatal(err)
	}
	if !r.Give() || free(t, dir) < disk.ReserveSize {
		t.Fatalf("%d bytes were given back", free(t, dir))
	}
	if r.Give() {
		t.Error("it was given back twice")
	}
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(30 * time.Second); free(t, dir) > before; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("there is space again, and no reserve")
		}
	}
}

// TestReserveOfOthers gives nothing back that is not a file of its own.
func TestReserveOfOthers(t *testing.T) {
	dir := t.TempDir()
	mine := filepath.Join(dir, "mine")
	if err := os.WriteFile(mine, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, place := range map[string]func(string) error{
		"a link": func(path string) error { return os.Symlink(mine, path) },
		"a FIFO": func(path string) error { return unix.Mkfifo(path, 0o600) },
	} {
		path := filepath.Join(dir, name)
		if err := place(path); err != nil {
			t.Fatal(err)
		}
		r := disk.OpenReserve(path, disk.ReserveSize)
		if r.Give() {
			t.Errorf("%s was given back", name)
		}
		r.Close()
	}
	if text, err := os.ReadFile(mine); string(text) != "x" {
		t.Errorf("the file of somebody else has %q, %v", text, err)
	}
}

func free(t *testing.T, dir string) int64 {
	t.Helper()
	s, err := disk.SpaceOf(dir)
	if err != nil {
		t.Fatal(err)
	}
	return s.Free
}
