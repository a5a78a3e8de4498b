package guest

import (
	"archive/tar"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"github.com/glovebox-dev/glovebox/internal/guest/wire"
)

// TestPutFollowsNoLinkOfAUser: the directories of this test belong to somebody
// who may change them, as far as put can tell.
func TestPutFollowsNoLinkOfAUser(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	write := func(name, content string) {
		t.Helper()
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(outside, "victim"), "old")
	for name, target := range map[string]string{"dir": outside, "file": filepath.Join(outside, "victim"), "dangling": filepath.Join(outside, "new")} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Link(filepath.Join(outside, "victim"), filepath.Join(dir, "hard")); err != nil {
		t.Fatal(err)
	}
	if err := unix.Mkfifo(filepath.Join(dir, "fifo"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, refused := range map[string]bool{"dir/victim": true, "fifo/x": true, "file": false, "dangling": false, "hard": false, "fifo": false} {
		done := put(t, dir, file(name, "new", 0o644))
		if (done.Error != "") != refused {
			t.Errorf("%s: got %+v; want it refused: %v", name, done, refused)
		}
	}
	if done := put(t, dir, tar.Header{Name: "dir", Typeflag: tar.TypeDir, Mode: 0o777}); done.Error == "" {
		t.Error("a link was taken for the directory that it leads to")
	}
	var got []string
	entries, err := os.ReadDir(outside)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		content, _ := os.ReadFile(filepath.Join(outside, e.Name()))
		got = append(got, e.Name()+"="+string(content))
	}
	if diff := cmp.Diff([]string{"victim=old"}, got); diff != "" {
		t.Errorf("outside (-want +got):\n%s", diff)
	}
	if info, err := os.Stat(outside); err != nil || info.Mode().Perm() == 0o777 {
		t.Errorf("the mode of the directory outside: %v, %v", info.Mode(), err)
	}
}

// TestWalkFollowsTheLinksOfRoot needs a directory that only root can change.
func TestWalkFollowsTheLinksOfRoot(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root, whose links these are")
	}
	root, err := os.MkdirTemp("/", "glovebox-guest-test-")
	if err != nil {
		t.Skipf("needs a writable root directory: %v", err)
	}
	defer os.RemoveAll(root)
	for name, target := range map[string]string{"absolute": root + "/a/b", "relative": "../" + filepath.Base(root) + "/a", "loop": "loop", "missing": "made"} {
		if err := os.Symlink(target, filepath.Join(root, name)); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range map[string]string{"absolute/c": "a/b/c", "relative/d": "a/d", "missing": "made", "loop": ""} {
		fd, firm, err := walk(filepath.Join(root, name))
		if want == "" {
			if err == nil {
				t.Errorf("%s: no error", name)
			}
			continue
		}
		if err != nil || !firm {
			t.Errorf("%s: firm %v, %v", name, firm, err)
			continue
		}
		unix.Close(fd)
		if info, err := os.Lstat(filepath.Join(root, want)); err != nil || !info.IsDir() {
			t.Errorf("%s did not lead to %s: %v", name, want, err)
		}
	}
}

// TestPutOfManyFiles: more than are held open, deep, and with large contents.
func TestPutOfManyFiles(t *testing.T) {
	dir := t.TempDir()
	var headers []tar.Header
	large := strings.Repeat("x", wire.Window)
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		for i := range 10 {
			headers = append(headers, file(strings.Repeat(name+"/", 1+i*6)+"f", large[:i*1000], 0o640))
		}
	}
	headers = append(headers, file("large", large, 0o666), file("empty", "", 0o400))
	if done := put(t, dir, headers...); done != (wire.Done{}) {
		t.Fatalf("got %+v", done)
	}
	for name, want := range map[string]struct {
		size int64
		mode os.FileMode
	}{
		"large": {wire.Window, 0o666}, "empty": {0, 0o400}, "e/f": {0, 0o640}, strings.Repeat("c/", 55) + "f": {9000, 0o640},
	} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil || info.Size() != want.size || info.Mode().Perm() != want.mode {
			t.Errorf("%s: %v, %v; want %+v", name, info, err, want)
		}
	}
}
