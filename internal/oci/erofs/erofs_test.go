package erofs

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	other "github.com/erofs/go-erofs"
	"github.com/google/go-cmp/cmp"
)

// image writes the tree that build returns and opens it with a reader that we
// did not write.
func image(t *testing.T, build func(w *Writer) *Inode) (fs.FS, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "image")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	w := NewWriter(f)
	if err := w.Finish(build(w)); err != nil {
		t.Fatal(err)
	}
	fsys, err := other.Open(f)
	if err != nil {
		t.Fatal(err)
	}
	return fsys, path
}

func dir(entries map[string]*Inode) *Inode {
	d := &Inode{Mode: fs.ModeDir | 0o755}
	for name, inode := range entries {
		d.Entries = append(d.Entries, Entry{name, inode})
	}
	return d
}

func symlink(target string) *Inode {
	return &Inode{Mode: fs.ModeSymlink | 0o777, Target: target}
}

func regular(t *testing.T, w *Writer, content string) *Inode {
	t.Helper()
	extent, err := w.Append(strings.NewReader(content), 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	return &Inode{Mode: 0o644, Data: extent}
}

func fsck(t *testing.T, path string) {
	t.Helper()
	tool, err := exec.LookPath("fsck.erofs")
	if err != nil {
		t.Skip("fsck.erofs is not installed (package erofs-utils)")
	}
	if out, err := exec.Command(tool, "--extract", path).CombinedOutput(); err != nil {
		t.Errorf("fsck.erofs: %v\n%s", err, out)
	}
}

func TestContents(t *testing.T) {
	contents := map[string]string{
		"empty": "", "short": "x", "block": strings.Repeat("b", BlockSize), "over": strings.Repeat("o", BlockSize+1),
		"zeros": strings.Repeat("\x00", 3*BlockSize), "hole": strings.Repeat("\x00", 1<<20) + "end", "big": strings.Repeat("0123456", 100_000),
	}
	fsys, path := image(t, func(w *Writer) *Inode {
		root := dir(map[string]*Inode{})
		for _, name := range []string{"empty", "short", "block", "over", "zeros", "hole", "big"} {
			root.Entries = append(root.Entries, Entry{name, regular(t, w, contents[name])})
		}
		return root
	})
	for name, want := range contents {
		got, err := fs.ReadFile(fsys, name)
		if err != nil || string(got) != want {
			t.Errorf("%s: %d bytes, %v; want %d bytes", name, len(got), err, len(want))
		}
	}
	fsck(t, path)
}

// Files are mapped by blocks of their own: none may share one.
func TestFilesAreBlockAligned(t *testing.T) {
	_, path := image(t, func(w *Writer) *Inode {
		return dir(map[string]*Inode{"a": regular(t, w, "first"), "b": regular(t, w, "second")})
	})
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, content := range []string{"first", "second"} {
		if at := bytes.Index(raw, []byte(content)); at <= 0 || at%BlockSize != 0 {
			t.Errorf("%q lies at %d, which is not the start of a block", content, at)
		}
	}
}

func TestMetadata(t *testing.T) {
	fsys, path := image(t, func(w *Writer) *Inode {
		tool := regular(t, w, "tool")
		tool.Mode = 0o755
		tool.UID, tool.GID, tool.Mtime, tool.Nsec = 4_000_000_000, 70_000, 1_700_000_000, 5
		shared := dir(map[string]*Inode{"again": tool})
		return dir(map[string]*Inode{"tool": tool, "tmp": shared, "pipe": {Mode: fs.ModeNamedPipe | 0o600}})
	})
	type row struct {
		Mode     string
		UID, GID uint32
		Mtime    uint64
		Nsec     uint32
		Nlink    int
	}
	got := map[string]row{}
	for _, name := range []string{".", "tool", "tmp", "tmp/again", "pipe"} {
		info, err := fs.Stat(fsys, name)
		if err != nil {
			t.Fatal(err)
		}
		st := info.Sys().(*other.Stat)
		got[name] = row{info.Mode().String(), st.UID, st.GID, st.Mtime, st.MtimeNs, st.Nlink}
	}
	tool := row{"-rwxr-xr-x", 4_000_000_000, 70_000, 1_700_000_000, 5, 2}
	want := map[string]row{
		".": {"drwxr-xr-x", 0, 0, 0, 0, 3}, "tmp": {"drwxr-xr-x", 0, 0, 0, 0, 2}, "pipe": {"prw-------", 0, 0, 0, 0, 1},
		"tool": tool, "tmp/again": tool,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	fsck(t, path)
}

// The reader of the other tests does not show the bits above the permissions.
func TestUnixMode(t *testing.T) {
	for mode, want := range map[fs.FileMode]uint16{
		0o644:                              0o100644,
		0o755 | fs.ModeSetuid:              0o104755,
		0o755 | fs.ModeSetgid:              0o102755,
		fs.ModeDir | fs.ModeSticky | 0o777: 0o041777,
		fs.ModeSymlink | 0o777:             0o120777,
		fs.ModeNamedPipe | 0o600:           0o010600,
	} {
		if got := unixMode(mode); got != want {
			t.Errorf("%v: %o, want %o", mode, got, want)
		}
	}
}

// Readers search names by their bytes, so "." is not always the first.
func TestDirectoriesOfAllSizes(t *testing.T) {
	for _, count := range []int{0, 1, 100, 300, 5000} {
		t.Run(fmt.Sprint(count), func(t *testing.T) {
			names := []string{"!first", "-dash", strings.Repeat("n", 255), "\xff\xfe"}
			for i := range count {
				names = append(names, fmt.Sprintf("entry-%d-%s", i, strings.Repeat("x", i%90)))
			}
			fsys, path := image(t, func(*Writer) *Inode {
				root := dir(map[string]*Inode{})
				for _, name := range names {
					root.Entries = append(root.Entries, Entry{name, dir(nil)})
				}
				return root
			})
			entries, err := fs.ReadDir(fsys, ".")
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, e := range entries {
				got = append(got, e.Name())
			}
			slices.Sort(names)
			slices.Sort(got)
			if diff := cmp.Diff(names, got); diff != "" {
				t.Error(diff)
			}
			for _, name := range names {
				if strings.Contains(name, "\xff") {
					continue // fs.FS takes valid UTF-8 only
				}
				if _, err := fs.Stat(fsys, name); err != nil {
					t.Errorf("lookup: %v", err)
				}
			}
			fsck(t, path)
		})
	}
}

func TestSymlinkTargetsOfAllLengths(t *testing.T) {
	lengths := []int{1, 100, BlockSize - inodeSize - 1, BlockSize - inodeSize, BlockSize - inodeSize + 1, 4095}
	fsys, path := image(t, func(*Writer) *Inode {
		root := dir(map[string]*Inode{})
		for _, n := range lengths {
			root.Entries = append(root.Entries, Entry{fmt.Sprint(n), symlink(strings.Repeat("t", n))})
		}
		return root
	})
	for _, n := range lengths {
		got, err := fs.ReadLink(fsys, fmt.Sprint(n))
		if err != nil || got != strings.Repeat("t", n) {
			t.Errorf("length %d: %d bytes, %v", n, len(got), err)
		}
	}
	fsck(t, path)
}

func TestErrors(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "image"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w := NewWriter(f)
	if _, err := w.Append(strings.NewReader("four"), 3); err == nil {
		t.Error("a file over its limit was taken")
	}
	if _, err := w.Append(iotest.ErrReader(io.ErrNoProgress), 3); err != io.ErrNoProgress {
		t.Errorf("reader's error: %v", err)
	}
	if err := w.Finish(symlink("x")); err == nil {
		t.Error("a link was taken as the root")
	}
	for _, name := range []string{"", ".", strings.Repeat("n", 256)} {
		if err := w.Finish(dir(map[string]*Inode{name: symlink("x")})); err == nil {
			t.Errorf("the name %.10q was taken", name)
		}
	}
	twice := dir(nil)
	if err := w.Finish(dir(map[string]*Inode{"a": twice, "b": twice})); err == nil {
		t.Error("a directory with two names was taken")
	}
}
