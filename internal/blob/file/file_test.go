package file

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/blob"
	"github.com/glovebox-dev/glovebox/internal/blob/blobtest"
)

// childVariable tells a second process of the test what it is to do.
const childVariable = "GLOVEBOX_TEST_BLOB_CHILD"

func TestMain(m *testing.M) {
	switch what, dir, _ := strings.Cut(os.Getenv(childVariable), ":"); what {
	case "put":
		putForEver(dir)
	case "full":
		fillDisk(dir)
	default:
		os.Exit(m.Run())
	}
}

func newStore(t *testing.T) *Store {
	t.Helper()
	s, err := Open(filepath.Join(t.TempDir(), "blobs"))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestStore(t *testing.T) {
	blobtest.Run(t, func(t *testing.T) blob.Store { return newStore(t) })
}

func mustPut(t *testing.T, s *Store, content string) string {
	t.Helper()
	ref, err := s.Put(t.Context(), strings.NewReader(content), 0)
	if err != nil {
		t.Fatal(err)
	}
	return ref.Digest
}

// leftovers fails if the store has unfinished files.
func leftovers(t *testing.T, s *Store) {
	t.Helper()
	left, err := os.ReadDir(filepath.Join(s.dir, temporary))
	if err != nil || len(left) != 0 {
		t.Errorf("left in tmp: %v, %v", left, err)
	}
}

// TestDirectoriesComeWithBlobs finds only the directories of blobs that were
// put, also where another store has made them.
func TestDirectoriesComeWithBlobs(t *testing.T) {
	s := newStore(t)
	for range s.All(t.Context()) {
		t.Error("a new store has a blob")
	}
	digest := mustPut(t, s, "first")
	other, err := Open(s.dir)
	if err != nil {
		t.Fatal(err)
	}
	if again := mustPut(t, other, "first"); again != digest {
		t.Errorf("put again as %s", again)
	}
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	if want := []string{digest[:2], temporary}; !slices.Equal(names, want) {
		t.Errorf("the store has %q, want %q", names, want)
	}
}

func TestModes(t *testing.T) {
	s := newStore(t)
	digest := mustPut(t, s, "private")
	for path, want := range map[string]os.FileMode{
		s.dir: 0o700 | os.ModeDir, filepath.Dir(s.path(digest)): 0o700 | os.ModeDir, s.path(digest): 0o444,
	} {
		if info, err := os.Lstat(path); err != nil || info.Mode() != want {
			t.Errorf("mode of %s = %v, %v; want %v", path, info.Mode(), err, want)
		}
	}
	if err := os.Chmod(s.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(s.dir); err != nil {
		t.Fatal(err)
	}
	if info, _ := os.Lstat(s.dir); info.Mode().Perm() != 0o700 {
		t.Errorf("an open store stayed open to others: %v", info.Mode())
	}
}

// TestDamage is attack B05 on blobs: what was tampered with is never taken for
// the content of its name.
func TestDamage(t *testing.T) {
	const content = "the true content"
	tests := map[string]func(path string) error{
		"changed":   func(path string) error { return os.WriteFile(path, []byte("the fake content"), 0o644) },
		"truncated": func(path string) error { return os.Truncate(path, 3) },
		"emptied":   func(path string) error { return os.Truncate(path, 0) },
		"longer":    func(path string) error { return os.WriteFile(path, []byte(content+"!"), 0o644) },
		"link": func(path string) error {
			return errors.Join(os.Remove(path), os.Symlink("/etc/passwd", path))
		},
		"fifo": func(path string) error { return errors.Join(os.Remove(path), syscall.Mkfifo(path, 0o644)) },
	}
	for name, damage := range tests {
		t.Run(name, func(t *testing.T) {
			s := newStore(t)
			digest := mustPut(t, s, content)
			path := s.path(digest)
			if err := errors.Join(os.Chmod(path, 0o644), damage(path)); err != nil {
				t.Fatal(err)
			}
			if err := readAll(t, s, digest); !errors.Is(err, blob.ErrCorrupt) {
				t.Errorf("reading = %v, want ErrCorrupt", err)
			}
			for _, executable := range []bool{false, true} {
				out := filepath.Join(t.TempDir(), "out")
				if err := s.Export(t.Context(), digest, out, executable); !errors.Is(err, blob.ErrCorrupt) {
					t.Errorf("Export = %v, want ErrCorrupt", err)
				}
				if _, err := os.Lstat(out); !errors.Is(err, os.ErrNotExist) {
					t.Errorf("Export of a damaged blob left a file: %v", err)
				}
			}
			// To put it again repairs it.
			mustPut(t, s, content)
			if err := readAll(t, s, digest); err != nil {
				t.Errorf("after it was put again: %v", err)
			}
		})
	}
}

func readAll(t *testing.T, s *Store, digest string) error {
	r, _, err := s.Open(t.Context(), digest)
	if err != nil {
		return err
	}
	defer r.Close()
	_, err = io.Copy(io.Discard, r)
	return err
}

func TestDamageIsFoundByWhoReadsTheSizeOnly(t *testing.T) {
	s := newStore(t)
	digest := mustPut(t, s, "four")
	if err := errors.Join(os.Chmod(s.path(digest), 0o644), os.WriteFile(s.path(digest), []byte("FOUR"), 0o644)); err != nil {
		t.Fatal(err)
	}
	r, size, err := s.Open(t.Context(), digest)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if n, err := r.Read(make([]byte, size)); !errors.Is(err, blob.ErrCorrupt) {
		t.Errorf("Read = %d, %v; want ErrCorrupt beside the last byte", n, err)
	}
}

// meddling calls a function each time that its error is asked for: whenever
// the store has read a piece.
type meddling struct {
	context.Context
	meddle func()
}

func (m meddling) Err() error {
	m.meddle()
	return m.Context.Err()
}

func TestImportFindsChanges(t *testing.T) {
	for _, move := range []bool{false, true} {
		for name, change := range map[string]func(f *os.File) error{
			"grows":   func(f *os.File) error { _, err := f.Write(make([]byte, 1000)); return err },
			"shrinks": func(f *os.File) error { return f.Truncate(10) },
			"touched": func(f *os.File) error { return os.Chtimes(f.Name(), time.Time{}, time.Unix(1, 0)) },
		} {
			s := newStore(t)
			f, err := os.Create(filepath.Join(t.TempDir(), "busy"))
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			if _, err := f.Write(make([]byte, 100_000)); err != nil {
				t.Fatal(err)
			}
			ctx := meddling{t.Context(), func() {
				if err := change(f); err != nil {
					t.Error(err)
				}
			}}
			if _, err := s.Import(ctx, f.Name(), move); !errors.Is(err, blob.ErrChanged) {
				t.Errorf("Import of a file that %s (move %v) = %v, want ErrChanged", name, move, err)
			}
			leftovers(t, s)
		}
	}
}

func TestImportMoves(t *testing.T) {
	s := newStore(t)
	path := filepath.Join(t.TempDir(), "result")
	if err := os.WriteFile(path, []byte("large"), 0o755); err != nil {
		t.Fatal(err)
	}
	ref, err := s.Import(t.Context(), path, true)
	if err != nil {
		t.Fatal(err)
	}
	if !sameFile(t, path, s.path(ref.Digest)) {
		t.Error("the file was copied, though it could have been taken")
	}
	if info, _ := os.Lstat(path); info.Mode() != 0o444 {
		t.Errorf("mode = %v", info.Mode())
	}
	leftovers(t, s)
}

func TestImportDoesNotTakeAFileOfTwoNames(t *testing.T) {
	s := newStore(t)
	path := filepath.Join(t.TempDir(), "one")
	if err := errors.Join(os.WriteFile(path, []byte("shared"), 0o644), os.Link(path, path+"-two")); err != nil {
		t.Fatal(err)
	}
	ref, err := s.Import(t.Context(), path, true)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path+"-two", []byte("SHARED"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := readAll(t, s, ref.Digest); err != nil {
		t.Errorf("a write through the second name reached the blob: %v", err)
	}
}

func TestExportedFilesAreNotCopied(t *testing.T) {
	s := newStore(t)
	digest := mustPut(t, s, "large")
	old := time.Unix(1e9, 0)
	path := filepath.Join(t.TempDir(), "out")
	if err := errors.Join(s.Export(t.Context(), digest, path, false), os.Chtimes(path, old, old)); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Import(t.Context(), path, false); err != nil {
		t.Fatal(err)
	}
	if !sameFile(t, path, s.path(digest)) {
		t.Error("a file that is a blob already was stored again")
	}
	for info, err := range s.All(t.Context()) {
		if err != nil || !info.Stored.After(old) {
			t.Errorf("putting a blob again did not count: %v, %v", info, err)
		}
	}
}

func sameFile(t *testing.T, a, b string) bool {
	t.Helper()
	x, errX := os.Lstat(a)
	y, errY := os.Lstat(b)
	if err := errors.Join(errX, errY); err != nil {
		t.Fatal(err)
	}
	return os.SameFile(x, y)
}

func TestSweep(t *testing.T) {
	s := newStore(t)
	digest := mustPut(t, s, "complete")
	if _, err := s.create(); err != nil {
		t.Fatal(err)
	}
	if err := s.Sweep(t.Context(), time.Now()); err != nil {
		t.Fatal(err)
	}
	leftovers(t, s)
	if err := readAll(t, s, digest); err != nil {
		t.Error(err)
	}
}

func TestAllSkipsStrangers(t *testing.T) {
	s := newStore(t)
	digest := mustPut(t, s, "mine")
	other := strings.Repeat("e", 64)
	for _, name := range []string{"README", digest[2:], other} {
		if err := os.WriteFile(filepath.Join(filepath.Dir(s.path(digest)), name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for info, err := range s.All(t.Context()) {
		if err != nil || info.Digest != digest {
			t.Errorf("All yields %v, %v", info, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var last error
	for _, err := range s.All(ctx) {
		last = err
	}
	if !errors.Is(last, context.Canceled) {
		t.Errorf("a canceled list ended with %v", last)
	}
}

// putForEver is the life of a process that is killed. It prints a dot for every
// blob.
func putForEver(dir string) {
	s, err := Open(dir)
	if err != nil {
		panic(err)
	}
	for i := 0; ; i++ {
		content := strings.Repeat(string(rune('a'+i%26)), 300_000+i) + strconv.Itoa(os.Getpid())
		if _, err := s.Put(context.Background(), strings.NewReader(content), 0); err != nil {
			panic(err)
		}
		os.Stdout.WriteString(".")
	}
}

// TestKilled is attack R13: a process that ends at any moment leaves no blob
// that is not whole.
func TestKilled(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "blobs")
	for round := range 5 {
		child := exec.CommandContext(t.Context(), os.Args[0])
		child.Env = append(os.Environ(), childVariable+"=put:"+dir)
		out, err := child.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadFull(out, make([]byte, 5+round)); err != nil {
			t.Fatal(err)
		}
		if err := child.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		child.Wait()
	}
	s, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	for info, err := range s.All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if err := readAll(t, s, info.Digest); err != nil {
			t.Error(err)
		}
	}
	if err := s.Sweep(t.Context(), time.Now()); err != nil {
		t.Fatal(err)
	}
	leftovers(t, s)
}

// fillDisk stores more than its tiny disk can hold, and ends with 0 if every
// failure is what it should be.
func fillDisk(dir string) {
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=1m"); err != nil {
		os.Stdout.WriteString("no mount: " + err.Error())
		os.Exit(3)
	}
	s, err := Open(filepath.Join(dir, "blobs"))
	if err != nil {
		panic(err)
	}
	_, err = s.Put(context.Background(), strings.NewReader(strings.Repeat("x", 4<<20)), 0)
	mustBeFull(err)
	mustBeFull(importLarge(s))
	for range s.All(context.Background()) {
		panic("half a blob is visible")
	}
	if left, err := os.ReadDir(filepath.Join(s.dir, temporary)); err != nil || len(left) != 0 {
		panic("the unfinished file still fills the disk")
	}
	ref, err := s.Put(context.Background(), strings.NewReader(strings.Repeat("x", 600_000)), 0)
	if err != nil {
		panic(err)
	}
	out := filepath.Join(dir, "out")
	mustBeFull(s.Export(context.Background(), ref.Digest, out, true))
	if _, err := os.Lstat(out); !errors.Is(err, os.ErrNotExist) {
		panic("half a file was exported")
	}
}

func mustBeFull(err error) {
	if !errors.Is(err, &api.Error{Code: api.StorageFull}) {
		panic(fmt.Sprintf("err = %v, want storage_full", err))
	}
}

// importLarge imports more than the disk of s holds from another disk.
func importLarge(s *Store) error {
	f, err := os.CreateTemp("", "blob")
	if err != nil {
		panic(err)
	}
	defer os.Remove(f.Name())
	if err := errors.Join(f.Truncate(4<<20), f.Close()); err != nil {
		panic(err)
	}
	_, err = s.Import(context.Background(), f.Name(), true)
	return err
}

// TestDiskFull is attack R13 for blobs.
func TestDiskFull(t *testing.T) {
	child := exec.CommandContext(t.Context(), os.Args[0])
	child.Env = append(os.Environ(), childVariable+"=full:"+t.TempDir())
	child.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}},
	}
	out, err := child.CombinedOutput()
	if errors.Is(err, syscall.EPERM) || child.ProcessState != nil && child.ProcessState.ExitCode() == 3 {
		t.Skipf("this host lets nobody mount a file system of his own: %v %s", err, out)
	}
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
