package guest

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"github.com/glovebox-dev/glovebox/internal/guest/wire"
)

// twoMounts returns directories of two file systems.
func twoMounts(t *testing.T) (one, two string) {
	t.Helper()
	one = t.TempDir()
	two, err := os.MkdirTemp("/dev/shm", "glovebox-test-")
	if err != nil {
		t.Skipf("no second file system: %v", err)
	}
	t.Cleanup(func() { os.RemoveAll(two) })
	if device(t, one) == device(t, two) {
		t.Skip("the directory of tests and /dev/shm are one file system")
	}
	return one, two
}

func device(t *testing.T, path string) uint64 {
	t.Helper()
	var file unix.Stat_t
	if err := unix.Stat(path, &file); err != nil {
		t.Fatal(err)
	}
	return uint64(file.Dev)
}

// look describes what is below a directory: mode, owner, time, and what is in it.
func look(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		text := ""
		switch {
		case info.Mode().IsRegular():
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			text = string(data)
		case info.Mode()&os.ModeSymlink != 0:
			if text, err = os.Readlink(path); err != nil {
				return err
			}
		}
		stat := info.Sys().(*syscall.Stat_t)
		name, _ := filepath.Rel(dir, path)
		found[name] = fmt.Sprint(info.Mode(), stat.Uid, stat.Gid, info.ModTime().UnixNano(), text)
		if !info.IsDir() {
			found[name] += fmt.Sprint(" ", stat.Nlink)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func done(t *testing.T, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

func TestMoveToAnotherFileSystem(t *testing.T) {
	one, two := twoMounts(t)
	from, to := filepath.Join(one, "from"), filepath.Join(two, "to")
	at := func(name string) string { return filepath.Join(from, name) }
	done(t, os.MkdirAll(at("a/empty"), 0o750), os.WriteFile(at("a/file"), []byte("text"), 0o600), os.Symlink("nowhere", at("link")))
	done(t, os.Link(at("a/file"), at("same")), unix.Mkfifo(at("pipe"), 0o640), os.WriteFile(at("program"), []byte("#!"), 0o700))
	if os.Getuid() == 0 {
		done(t, os.Chown(at("program"), 70, 80), os.Lchown(at("link"), 70, 80))
	}
	done(t, os.Chmod(at("program"), 0o755|os.ModeSetuid))
	for name := range look(t, from) {
		done(t, unix.UtimesNanoAt(unix.AT_FDCWD, at(name), []unix.Timespec{{Sec: 5}, {Sec: 7, Nsec: 9}}, unix.AT_SYMLINK_NOFOLLOW))
	}
	want := look(t, from)

	done(t, move(from, to))
	if diff := cmp.Diff(want, look(t, to)); diff != "" {
		t.Errorf("moved (-want +got):\n%s", diff)
	}
	if got := look(t, one); len(got) != 1 {
		t.Errorf("left behind: %v", got)
	}
}

func TestMoveToAnotherFileSystemReplacesAFile(t *testing.T) {
	one, two := twoMounts(t)
	from, to := filepath.Join(one, "from"), filepath.Join(two, "to")
	done(t, os.WriteFile(from, []byte("new"), 0o600), os.WriteFile(to, []byte("old"), 0o644))
	done(t, move(from, to))
	if data, err := os.ReadFile(to); err != nil || string(data) != "new" {
		t.Errorf("%q, %v", data, err)
	}
}

// TestMoveToAnotherFileSystemFails: a directory that cannot be moved stays where it
// is, and nothing of it is left elsewhere.
func TestMoveToAnotherFileSystemFails(t *testing.T) {
	one, two := twoMounts(t)
	from, full := filepath.Join(one, "from"), filepath.Join(two, "full")
	done(t, os.MkdirAll(from+"/a", 0o755), os.WriteFile(from+"/a/b", nil, 0o600), os.MkdirAll(full+"/x", 0o755))
	before := look(t, two)
	if err := move(from, full); !errors.Is(err, unix.ENOTEMPTY) && !errors.Is(err, unix.EEXIST) {
		t.Errorf("over a directory with something in it: %v", err)
	}
	if diff := cmp.Diff(keys(before), keys(look(t, two))); diff != "" {
		t.Errorf("left (-want +got):\n%s", diff)
	}
	if _, err := os.Stat(from + "/a/b"); err != nil {
		t.Error(err)
	}
}

func TestMoveIsBounded(t *testing.T) {
	c := &moveCopy{count: maxMoved}
	var bounded failure
	if err := c.copy(t.TempDir(), "/nowhere"); !errors.As(err, &bounded) || bounded.code != wire.CodeLimit {
		t.Errorf("the file after the last one gives %v", err)
	}
}

func TestMoveIntoItself(t *testing.T) {
	dir := t.TempDir()
	done(t, os.MkdirAll(dir+"/a/b", 0o755), os.Symlink(dir+"/a/b", dir+"/link"))
	for to, want := range map[string]bool{"/a/b/c": true, "/link/c": true, "/ab/c": false, "/c": false} {
		if inside(dir+"/a", dir+to) != want {
			t.Errorf("%s is inside of /a: %v", to, !want)
		}
	}
}

func keys(m map[string]string) map[string]bool {
	out := map[string]bool{}
	for k := range m {
		out[k] = true
	}
	return out
}
