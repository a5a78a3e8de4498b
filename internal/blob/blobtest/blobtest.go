// Package blobtest is the suite of blob stores: what every implementation must
// do, wherever it keeps the bytes.
package blobtest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/blob"
)

// Run judges a store. Each call of open returns an empty one.
func Run(t *testing.T, open func(t *testing.T) blob.Store) {
	for name, test := range map[string]func(*testing.T, blob.Store){
		"PutOpen": putOpen, "PutTwice": putTwice, "PutLimit": putLimit, "PutFails": putFails, "PutAtOnce": putAtOnce,
		"Import": importFile, "ImportMoved": importMoved, "ImportRefuses": importRefuses,
		"Export": export, "ExportTaken": exportTaken, "ExportImported": exportImported,
		"Missing": missing, "HostileDigests": hostileDigests, "Remove": remove, "All": all, "Canceled": canceled,
	} {
		t.Run(name, func(t *testing.T) { test(t, open(t)) })
	}
}

// RefOf returns the name that a blob of these bytes has.
func RefOf(content []byte) blob.Ref {
	sum := sha256.Sum256(content)
	return blob.Ref{Digest: hex.EncodeToString(sum[:]), Size: int64(len(content))}
}

func put(t *testing.T, s blob.Store, content string) blob.Ref {
	t.Helper()
	ref, err := s.Put(t.Context(), strings.NewReader(content), 0)
	if err != nil {
		t.Fatalf("Put: %v", err)
	}
	return ref
}

func read(t *testing.T, s blob.Store, digest string) []byte {
	t.Helper()
	r, size, err := s.Open(t.Context(), digest)
	if err != nil {
		t.Fatalf("Open: %v", err)
	}
	defer r.Close()
	content, err := io.ReadAll(r)
	if err != nil || int64(len(content)) != size {
		t.Fatalf("read %d bytes of %d: %v", len(content), size, err)
	}
	return content
}

func list(t *testing.T, s blob.Store) map[string]int64 {
	t.Helper()
	sizes := map[string]int64{}
	for info, err := range s.All(t.Context()) {
		if err != nil {
			t.Fatalf("All: %v", err)
		}
		if info.Stored.IsZero() {
			t.Errorf("blob %s was stored at no time", info.Digest)
		}
		sizes[info.Digest] += info.Size
	}
	return sizes
}

// want fails unless the store holds exactly these contents.
func want(t *testing.T, s blob.Store, contents ...string) {
	t.Helper()
	sizes := map[string]int64{}
	for _, content := range contents {
		ref := RefOf([]byte(content))
		sizes[ref.Digest] = ref.Size
	}
	if diff := cmp.Diff(list(t, s), sizes); diff != "" {
		t.Errorf("blobs (-got +want):\n%s", diff)
	}
}

func putOpen(t *testing.T, s blob.Store) {
	for _, content := range []string{"", "a", "hello\n", strings.Repeat("\x00\xff", 1<<20)} {
		ref := put(t, s, content)
		if ref != RefOf([]byte(content)) {
			t.Errorf("ref = %v, want %v", ref, RefOf([]byte(content)))
		}
		if got := read(t, s, ref.Digest); string(got) != content {
			t.Errorf("%d bytes came back as %d others", len(content), len(got))
		}
		if stat, err := s.Stat(t.Context(), ref.Digest); err != nil || stat != ref {
			t.Errorf("Stat = %v, %v; want %v", stat, err, ref)
		}
	}
}

func putTwice(t *testing.T, s blob.Store) {
	if a, b := put(t, s, "same"), put(t, s, "same"); a != b {
		t.Errorf("two names for the same bytes: %v and %v", a, b)
	}
	want(t, s, "same")
}

func putLimit(t *testing.T, s blob.Store) {
	if _, err := s.Put(t.Context(), strings.NewReader("12345"), 5); err != nil {
		t.Errorf("Put at its limit: %v", err)
	}
	if _, err := s.Put(t.Context(), strings.NewReader("123456"), 5); !errors.Is(err, blob.ErrTooLarge) {
		t.Errorf("Put beyond its limit: %v", err)
	}
	want(t, s, "12345")
}

func putFails(t *testing.T, s blob.Store) {
	broken := errors.New("the line is broken")
	r := io.MultiReader(strings.NewReader("half a bl"), iotest.ErrReader(broken))
	if _, err := s.Put(t.Context(), r, 0); !errors.Is(err, broken) {
		t.Errorf("Put = %v, want the error of the reader", err)
	}
	want(t, s)
}

func putAtOnce(t *testing.T, s blob.Store) {
	content := strings.Repeat("many hands ", 10_000)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if _, err := s.Put(t.Context(), strings.NewReader(content), 0); err != nil {
				t.Errorf("Put: %v", err)
			}
		})
	}
	all.Wait()
	want(t, s, content)
	if got := read(t, s, RefOf([]byte(content)).Digest); string(got) != content {
		t.Errorf("%d bytes came back as %d others", len(content), len(got))
	}
}

func write(t *testing.T, content string, mode os.FileMode) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte(content), mode); err != nil {
		t.Fatal(err)
	}
	return path
}

func importFile(t *testing.T, s blob.Store) {
	for _, content := range []string{"", "hello\n", strings.Repeat("ab", 1<<20)} {
		path := write(t, content, 0o644)
		ref, err := s.Import(t.Context(), path, false)
		if err != nil || ref != RefOf([]byte(content)) {
			t.Fatalf("Import = %v, %v", ref, err)
		}
		// The file is still the owner's: to change it changes no blob.
		if err := os.WriteFile(path, []byte("something else"), 0o644); err != nil {
			t.Fatal(err)
		}
		if got := read(t, s, ref.Digest); string(got) != content {
			t.Errorf("%d bytes came back as %d others", len(content), len(got))
		}
	}
}

func importMoved(t *testing.T, s blob.Store) {
	path := write(t, "moved", 0o755)
	ref, err := s.Import(t.Context(), path, true)
	if err != nil || ref != RefOf([]byte("moved")) {
		t.Fatalf("Import = %v, %v", ref, err)
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	if got := read(t, s, ref.Digest); string(got) != "moved" {
		t.Errorf("blob = %q", got)
	}
}

func importRefuses(t *testing.T, s blob.Store) {
	dir := t.TempDir()
	link := filepath.Join(dir, "link")
	if err := os.Symlink(write(t, "secret", 0o600), link); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{dir, link, filepath.Join(dir, "missing"), os.DevNull} {
		for _, move := range []bool{false, true} {
			if _, err := s.Import(t.Context(), path, move); api.AsError(err) == nil || api.AsError(err).Code != api.InvalidInput {
				t.Errorf("Import(%s, %v) = %v, want invalid_input", path, move, err)
			}
		}
	}
	want(t, s)
}

func export(t *testing.T, s blob.Store) {
	ref := put(t, s, "#!/bin/sh\n")
	for _, executable := range []bool{false, true, false} {
		path := filepath.Join(t.TempDir(), "out")
		if err := s.Export(t.Context(), ref.Digest, path, executable); err != nil {
			t.Fatalf("Export: %v", err)
		}
		content, err := os.ReadFile(path)
		if err != nil || string(content) != "#!/bin/sh\n" {
			t.Errorf("file = %q, %v", content, err)
		}
		info, err := os.Lstat(path)
		if mode := map[bool]os.FileMode{false: 0o444, true: 0o555}[executable]; err != nil || info.Mode() != mode {
			t.Errorf("mode = %v, %v; want %v", info.Mode(), err, mode)
		}
	}
}

func exportTaken(t *testing.T, s blob.Store) {
	ref := put(t, s, "new")
	for _, executable := range []bool{false, true} {
		path := write(t, "old", 0o644)
		err := s.Export(t.Context(), ref.Digest, path, executable)
		if !errors.Is(err, &api.Error{Code: api.Conflict}) {
			t.Errorf("Export = %v, want a conflict", err)
		}
		if content, err := os.ReadFile(path); err != nil || string(content) != "old" {
			t.Errorf("the file there became %q, %v", content, err)
		}
	}
}

func exportImported(t *testing.T, s blob.Store) {
	ref := put(t, s, "round and round")
	for _, move := range []bool{false, true} {
		path := filepath.Join(t.TempDir(), "out")
		if err := s.Export(t.Context(), ref.Digest, path, false); err != nil {
			t.Fatal(err)
		}
		if again, err := s.Import(t.Context(), path, move); err != nil || again != ref {
			t.Errorf("Import = %v, %v; want %v", again, err, ref)
		}
	}
	want(t, s, "round and round")
}

func missing(t *testing.T, s blob.Store) {
	digest := RefOf([]byte("never put")).Digest
	path := filepath.Join(t.TempDir(), "out")
	for name, err := range uses(t.Context(), s, digest, path) {
		if !errors.Is(err, blob.ErrNotFound) {
			t.Errorf("%s = %v, want ErrNotFound", name, err)
		}
	}
	if _, err := os.Lstat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("Export left something: %v", err)
	}
}

func hostileDigests(t *testing.T, s blob.Store) {
	good := RefOf([]byte("x")).Digest
	for _, digest := range []string{
		"", "..", "../../etc/passwd", strings.ToUpper(good), good[:63], good + "0", "sha256:" + good,
		strings.Repeat("/", 64), strings.Repeat("../", 21) + "a", good[:63] + "\x00",
	} {
		got := uses(t.Context(), s, digest, filepath.Join(t.TempDir(), "out"))
		got["Remove"] = s.Remove(t.Context(), digest)
		for name, err := range got {
			if !errors.Is(err, blob.ErrDigest) {
				t.Errorf("%s(%q) = %v, want ErrDigest", name, digest, err)
			}
		}
	}
}

// uses asks for a blob in every way.
func uses(ctx context.Context, s blob.Store, digest, path string) map[string]error {
	errs := map[string]error{}
	_, errs["Stat"] = s.Stat(ctx, digest)
	_, _, errs["Open"] = s.Open(ctx, digest)
	errs["Export"] = s.Export(ctx, digest, path, false)
	errs["Export as executable"] = s.Export(ctx, digest, path, true)
	return errs
}

func remove(t *testing.T, s blob.Store) {
	ref := put(t, s, "gone")
	put(t, s, "stays")
	for range 2 {
		if err := s.Remove(t.Context(), ref.Digest); err != nil {
			t.Errorf("Remove: %v", err)
		}
	}
	want(t, s, "stays")
	put(t, s, "gone")
	want(t, s, "stays", "gone")
}

func all(t *testing.T, s blob.Store) {
	want(t, s)
	var contents []string
	for i := range 300 {
		contents = append(contents, strings.Repeat("x", i))
		put(t, s, contents[i])
	}
	want(t, s, contents...)
	n := 0
	for range s.All(t.Context()) {
		if n++; n == 3 {
			break
		}
	}
	if n != 3 {
		t.Errorf("the list went on after %d", n)
	}
}

func canceled(t *testing.T, s blob.Store) {
	ref := put(t, s, "kept")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	path := write(t, "not taken", 0o644)
	_, putErr := s.Put(ctx, bytes.NewReader([]byte("not taken")), 0)
	_, importErr := s.Import(ctx, path, false)
	_, moveErr := s.Import(ctx, path, true)
	exportErr := s.Export(ctx, ref.Digest, filepath.Join(t.TempDir(), "out"), true)
	for _, err := range []error{putErr, importErr, moveErr, exportErr} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("err = %v, want that of the context", err)
		}
	}
	want(t, s, "kept")
}
