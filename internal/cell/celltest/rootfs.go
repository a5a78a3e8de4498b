package celltest

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/glovebox-dev/glovebox/internal/oci"
)

// CacheVariable names the environment variable with the directory where tests
// keep the root file system between runs.
const CacheVariable = "GLOVEBOX_TEST_CACHE"

// rootFSTime is what the build takes for the present: 2026-01-01.
const rootFSTime = "1767225600"

// rootFS is a root file system of tests, with a name that a change of it changes.
type rootFS struct {
	name     string
	packages string
}

// RootFS returns a Debian root file system with Python and a C compiler as an
// EROFS file. It is made once, with mmdebstrap, and kept in the directory that
// CacheVariable names.
func RootFS(t testing.TB) string {
	t.Helper()
	return rootFS{"debian-bookworm-1", "ca-certificates,gcc,libc6-dev,python3,python3-venv"}.file(t)
}

// LanguagesRootFS returns one with R, Java and TypeScript.
func LanguagesRootFS(t testing.TB) string {
	t.Helper()
	return rootFS{"debian-bookworm-languages-1", "default-jdk-headless,node-typescript,nodejs,r-base-core"}.file(t)
}

func (r rootFS) file(t testing.TB) string {
	t.Helper()
	path := filepath.Join(CacheDir(t), r.name+".erofs")
	if usable(path) {
		return path
	}
	unlock := lock(t, path+".lock")
	defer unlock()
	if usable(path) {
		return path
	}
	t.Logf("making %s with mmdebstrap; this takes a minute", path)
	archive := r.bootstrap(t, filepath.Dir(path))
	defer os.Remove(archive)
	Flatten(t, path, archive)
	return path
}

func usable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// CacheDir returns the directory that CacheVariable names, or one of this user.
func CacheDir(t testing.TB) string {
	t.Helper()
	dir := os.Getenv(CacheVariable)
	if dir == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			t.Fatalf("no place for the test's root file system: set %s: %v", CacheVariable, err)
		}
		dir = filepath.Join(user, "glovebox-test")
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

// lock keeps a second test binary from making the same file.
func lock(t testing.TB, path string) func() {
	t.Helper()
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	for err = unix.EINTR; errors.Is(err, unix.EINTR); {
		err = unix.Flock(int(f.Fd()), unix.LOCK_EX)
	}
	if err != nil {
		t.Fatal(err)
	}
	return func() { f.Close() }
}

func (r rootFS) bootstrap(t testing.TB, dir string) string {
	t.Helper()
	archive := filepath.Join(dir, r.name+".tar")
	cmd := exec.Command("mmdebstrap", "--variant=minbase", "--include="+r.packages,
		`--aptopt=Acquire::Languages "none"`, "bookworm", archive)
	cmd.Env = append(os.Environ(), "SOURCE_DATE_EPOCH="+rootFSTime)
	if out, err := cmd.CombinedOutput(); err != nil {
		os.Remove(archive)
		t.Fatalf("mmdebstrap: %v\n%s", err, tail(out, 2000))
	}
	return archive
}

func tail(data []byte, n int) []byte { return data[max(0, len(data)-n):] }

// Flatten makes one root file system of tars on disk, the lowest first.
func Flatten(t testing.TB, path string, archives ...string) {
	t.Helper()
	dir := t.TempDir()
	blobs, err := oci.OpenBlobs(dir)
	if err != nil {
		t.Fatal(err)
	}
	var layers []oci.Layer
	for _, archive := range archives {
		layers = append(layers, storeLayer(t, blobs, archive))
	}
	if err := oci.Flatten(context.Background(), layers, path, oci.Limits{}); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
}

func storeLayer(t testing.TB, blobs *oci.Blobs, archive string) oci.Layer {
	t.Helper()
	f, err := os.Open(archive)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w, err := blobs.Create()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if _, err := io.Copy(w, f); err != nil {
		t.Fatal(err)
	}
	digest, size, err := w.Commit()
	if err != nil {
		t.Fatal(err)
	}
	return blobs.Layer(oci.Layer{Digest: digest, DiffID: digest, Size: size, MediaType: "application/vnd.oci.image.layer.v1.tar"})
}
