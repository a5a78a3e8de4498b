package oci

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
)

func openBlobs(t *testing.T) (*Blobs, string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "blobs")
	b, err := OpenBlobs(dir)
	if err != nil {
		t.Fatal(err)
	}
	return b, dir
}

func TestBlobs(t *testing.T) {
	b, dir := openBlobs(t)
	ctx := context.Background()
	d, size, err := b.Put(ctx, strings.NewReader("hello"), 5)
	if err != nil || size != 5 || d != DigestOf([]byte("hello")) {
		t.Fatalf("%s, %d, %v", d, size, err)
	}
	if _, _, err := b.Put(ctx, strings.NewReader("hello"), 5); err != nil {
		t.Errorf("the same again: %v", err)
	}
	got, err := b.Read(ctx, d, 5)
	if err != nil || string(got) != "hello" {
		t.Errorf("%q, %v", got, err)
	}
	sizes, err := b.List()
	if diff := cmp.Diff(map[Digest]int64{d: 5}, sizes); diff != "" || err != nil {
		t.Error(diff, err)
	}
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the store is not private: %v, %v", info.Mode(), err)
	}
	if err := errors.Join(b.Remove(d), b.Remove(d)); err != nil || b.Has(d) {
		t.Errorf("remove: %v", err)
	}
	_, err = b.Open(d)
	wantCode(t, err, api.ImageNotFound, "not in the store")
}

// B05: a blob that was changed on disk is not used.
func TestBlobChangedOnDisk(t *testing.T) {
	b, dir := openBlobs(t)
	d, _, err := b.Put(context.Background(), strings.NewReader("hello"), 5)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, d.Hex()), []byte("hellO"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = b.Read(context.Background(), d, 5)
	wantCode(t, err, api.ImageInvalid, "damaged")
}

func TestBlobNames(t *testing.T) {
	b, _ := openBlobs(t)
	for _, name := range []Digest{"", "sha256:", "sha256:../../etc/passwd", Digest("sha256:" + strings.Repeat("A", 64)), Digest("sha512:" + strings.Repeat("a", 64)), Digest(strings.Repeat("a", 64))} {
		_, err := b.Open(name)
		wantCode(t, err, api.ImageInvalid, "digest")
		if b.Has(name) || b.Remove(name) == nil {
			t.Errorf("%q was taken for a digest", name)
		}
	}
}

func TestFailedBlobLeavesNothing(t *testing.T) {
	b, dir := openBlobs(t)
	ctx := context.Background()
	_, _, err := b.Put(ctx, strings.NewReader("hello"), 4)
	wantCode(t, err, api.ImageInvalid, "4 bytes")
	if _, _, err := b.Put(ctx, iotest.ErrReader(io.ErrNoProgress), 4); err == nil {
		t.Error("a broken reader was taken")
	}
	w, err := b.Create()
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Close(), w.Close()); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(dir); len(left) != 0 || err != nil {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestFetch(t *testing.T) {
	b, _ := openBlobs(t)
	ctx := context.Background()
	plain := makeTar(t, ent{name: "a", content: "x"})
	layer := memLayer(plain, gzipped(t, plain))
	stored, err := b.Fetch(ctx, layer)
	if err != nil {
		t.Fatal(err)
	}
	layer.open = func(context.Context) (io.ReadCloser, error) { return nil, errors.New("asked again") }
	if _, err := b.Fetch(ctx, layer); err != nil {
		t.Error(err)
	}
	got, err := flatten(t, stored)
	if err != nil || got["a"] != "= x" {
		t.Errorf("%v, %v", got, err)
	}
	damaged := memLayer(plain, []byte("other"))
	damaged.Digest = DigestOf([]byte("promised"))
	_, err = b.Fetch(ctx, damaged)
	wantCode(t, err, api.ImageInvalid, "damaged")
	if b.Has(damaged.Digest) || b.Has(DigestOf([]byte("other"))) {
		t.Error("a damaged layer was stored")
	}
}

// sweepChild is set in a child process of this test, which holds a file under
// way until its input ends.
const sweepChild = "GLOVEBOX_TEST_SWEEP_CHILD"

func TestMain(m *testing.M) {
	if dir := os.Getenv(sweepChild); dir != "" {
		holdBlob(dir)
		return
	}
	os.Exit(m.Run())
}

func holdBlob(dir string) {
	b := &Blobs{dir}
	w, err := b.Create()
	if err != nil {
		os.Exit(1)
	}
	os.Stdout.WriteString(w.file.Name() + "\n")
	io.Copy(io.Discard, os.Stdin)
}

// TestSweep keeps the files that a live process writes, and removes those of a
// killed one.
func TestSweep(t *testing.T) {
	b, dir := openBlobs(t)
	kept, _, err := b.Put(context.Background(), strings.NewReader("kept"), 4)
	if err != nil {
		t.Fatal(err)
	}
	child := exec.Command("/proc/self/exe")
	child.Env = []string{sweepChild + "=" + dir}
	stdin, err := child.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	stdout, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	line := make([]byte, 4096)
	n, err := stdout.Read(line)
	if err != nil {
		t.Fatal(err)
	}
	path := string(bytes.TrimSpace(line[:n]))

	if err := b.Sweep(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Errorf("the file of a living process was swept: %v", err)
	}
	child.Process.Kill()
	child.Wait()
	if err := b.Sweep(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the file of a killed process stayed: %v", err)
	}
	if !b.Has(kept) {
		t.Error("a stored blob was swept")
	}
}
