package blob

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// memory is a Putter and an Opener.
type memory struct {
	mu    sync.Mutex
	blobs map[string][]byte
}

func (m *memory) Put(_ context.Context, r io.Reader, _ int64) (Ref, error) {
	content, err := io.ReadAll(r)
	if err != nil {
		return Ref{}, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.blobs == nil {
		m.blobs = map[string][]byte{}
	}
	digest := digestOf(content)
	m.blobs[digest] = content
	return Ref{Digest: digest, Size: int64(len(content))}, nil
}

func (m *memory) Open(_ context.Context, digest string) (io.ReadCloser, int64, error) {
	content, ok := m.blobs[digest]
	if !ok {
		return nil, 0, ErrNotFound
	}
	return io.NopCloser(bytes.NewReader(content)), int64(len(content)), nil
}

// exporting is a store that makes files by itself.
type exporting struct{ *memory }

func (e exporting) Export(_ context.Context, digest, path string, executable bool) error {
	mode := map[bool]os.FileMode{false: 0o444, true: 0o555}[executable]
	return errors.Join(os.WriteFile(path, e.blobs[digest], 0o600), os.Chmod(path, mode))
}

func digestOf(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// makeTree makes a directory: "name" a file that holds its name, "name*" an
// executable one, "name/" a directory, "name -> target" a link.
func makeTree(t *testing.T, entries ...string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "tree")
	err := os.Mkdir(dir, 0o755)
	for _, e := range entries {
		name, target, isLink := strings.Cut(e, " -> ")
		switch path := filepath.Join(dir, name); {
		case isLink:
			err = errors.Join(err, os.Symlink(target, path))
		case strings.HasSuffix(name, "/"):
			err = errors.Join(err, os.MkdirAll(path, 0o755))
		case strings.HasSuffix(name, "*"):
			err = errors.Join(err, os.WriteFile(strings.TrimSuffix(path, "*"), []byte(name), 0o755))
		default:
			err = errors.Join(err, os.WriteFile(path, []byte(name), 0o644))
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// describe lists a directory in the way of makeTree, with contents.
func describe(t *testing.T, dir string) []string {
	t.Helper()
	var lines []string
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		info, err := entry.Info()
		line := fmt.Sprint(path[len(dir)+1:], " ", info.Mode())
		switch {
		case info.Mode().IsRegular():
			content, readErr := os.ReadFile(path)
			line, err = line+" "+string(content), errors.Join(err, readErr)
		case info.Mode()&fs.ModeSymlink != 0:
			target, readErr := os.Readlink(path)
			line, err = line+" "+target, errors.Join(err, readErr)
		}
		lines = append(lines, line)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

func TestTreeRoundTrip(t *testing.T) {
	dir := makeTree(t, "a", "bin/", "bin/tool*", "bin/a-b", "deep/", "deep/deeper/", "deep/deeper/x", "empty/",
		"deep/up -> ../bin/tool", "here -> .", "nowhere -> not/there", "back -> deep/../a", "ünï\u2028\n\"<&>")
	want := []string{
		"a -r--r--r-- a", "back Lrwxrwxrwx deep/../a", "bin drwxr-xr-x", "bin/a-b -r--r--r-- bin/a-b", "bin/tool -r-xr-xr-x bin/tool*",
		"deep drwxr-xr-x", "deep/deeper drwxr-xr-x", "deep/deeper/x -r--r--r-- deep/deeper/x", "deep/up Lrwxrwxrwx ../bin/tool",
		"empty drwxr-xr-x", "here Lrwxrwxrwx .", "nowhere Lrwxrwxrwx not/there",
		"ünï\u2028\n\"<&> -r--r--r-- ünï\u2028\n\"<&>",
	}
	store := &memory{}
	d, err := PutTree(t.Context(), store, dir, TreeLimits{})
	if err != nil {
		t.Fatal(err)
	}
	if d.Path != dir || d.Files != 5 || d.Size != 1+9+7+13+int64(len("ünï\u2028\n\"<&>")) {
		t.Errorf("dir = %+v", d)
	}
	for name, from := range map[string]Opener{"copied": store, "exported": exporting{store}} {
		out := filepath.Join(t.TempDir(), "out")
		if err := ExportTree(t.Context(), from, d, out); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if diff := cmp.Diff(describe(t, out), want); diff != "" {
			t.Errorf("%s (-got +want):\n%s", name, diff)
		}
		again, err := PutTree(t.Context(), store, out, TreeLimits{})
		if err != nil || again.SHA256 != d.SHA256 {
			t.Errorf("%s: digest = %s, %v; want %s", name, again.SHA256, err, d.SHA256)
		}
	}
	if d.Files != 5 {
		t.Errorf("the tree has %d files, want 5", d.Files)
	}
}

// The text is a contract with other programs, so it stands here in full.
func TestManifestText(t *testing.T) {
	dir := makeTree(t, "d/", "d/f*", "d/\u2028\n<", "l -> d/f", "x")
	if err := os.WriteFile(filepath.Join(dir, "x"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	store := &memory{}
	d, err := PutTree(t.Context(), store, dir, TreeLimits{})
	if err != nil {
		t.Fatal(err)
	}
	want := `{"version":1,"entries":[{"path":"d","type":"dir"},` +
		`{"path":"d/f","type":"file","sha256":"` + digestOf([]byte("d/f*")) + `","size":4,"executable":true},` +
		`{"path":"d/\u2028\n<","type":"file","sha256":"` + digestOf([]byte("d/\u2028\n<")) + `","size":7},` +
		`{"path":"l","type":"link","target":"d/f"},` +
		`{"path":"x","type":"file","sha256":"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"}]}`
	if diff := cmp.Diff(string(store.blobs[d.SHA256]), want); diff != "" {
		t.Errorf("manifest (-got +want):\n%s", diff)
	}
	empty, err := PutTree(t.Context(), store, t.TempDir(), TreeLimits{})
	if err != nil || string(store.blobs[empty.SHA256]) != `{"version":1,"entries":[]}` {
		t.Errorf("manifest of nothing = %s, %v", store.blobs[empty.SHA256], err)
	}
}

func TestTreeBlobs(t *testing.T) {
	dir := makeTree(t, "a", "b/", "b/x", "c -> a")
	if err := os.WriteFile(filepath.Join(dir, "same"), []byte("a"), 0o644); err != nil {
		t.Fatal(err)
	}
	store := &memory{}
	d, err := PutTree(t.Context(), store, dir, TreeLimits{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := TreeBlobs(t.Context(), store, d.SHA256)
	if diff := cmp.Diff(got, []string{d.SHA256, digestOf([]byte("a")), digestOf([]byte("b/x"))}); err != nil || diff != "" {
		t.Errorf("err = %v, blobs (-got +want):\n%s", err, diff)
	}
}

func TestPutTreeRefuses(t *testing.T) {
	linked := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(makeTree(t, "a"), linked); err != nil {
		t.Fatal(err)
	}
	deep := make([]string, 70)
	for i := range deep {
		deep[i] = strings.Repeat("d/", i+1)
	}
	tests := map[string]struct {
		dir    string
		limits TreeLimits
		says   string
	}{
		"absolute link":        {makeTree(t, "l -> /etc/passwd"), TreeLimits{}, "leads out"},
		"link up":              {makeTree(t, "d/", "d/l -> ../../x"), TreeLimits{}, "leads out"},
		"link through a link":  {makeTree(t, "d/", "d/up -> ..", "l -> d/up/../x"), TreeLimits{}, "leads out"},
		"link to a directory":  {linked, TreeLimits{}, "symbolic link"},
		"file":                 {filepath.Join(makeTree(t, "a"), "a"), TreeLimits{}, "is a file"},
		"missing":              {"/no/such/directory", TreeLimits{}, "no such file"},
		"too deep":             {makeTree(t, deep...), TreeLimits{}, "64 levels"},
		"too many":             {makeTree(t, "a", "b", "c"), TreeLimits{Entries: 2}, "more than 2 entries"},
		"too many below":       {makeTree(t, "a", "d/", "d/a"), TreeLimits{Entries: 2}, "more than 2 entries"},
		"too large":            {makeTree(t, "a", "b", "c"), TreeLimits{Bytes: 2}, "more than 2 bytes"},
		"name that is no text": {makeTree(t, "\xff"), TreeLimits{}, "UTF-8"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := PutTree(t.Context(), &memory{}, tt.dir, tt.limits)
			if !errors.Is(err, &api.Error{Code: api.InvalidInput}) || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("err = %v, want invalid_input that says %q", err, tt.says)
			}
		})
	}
	if _, err := PutTree(t.Context(), &memory{}, makeTree(t, "a", "b/"), TreeLimits{Entries: 2, Bytes: 1}); err != nil {
		t.Errorf("a tree at its limits: %v", err)
	}
}

// meddler changes a file before it is read.
type meddler struct {
	memory
	meddle func()
}

func (m *meddler) Put(ctx context.Context, r io.Reader, limit int64) (Ref, error) {
	m.meddle()
	return m.memory.Put(ctx, r, limit)
}

func TestPutTreeFindsChanges(t *testing.T) {
	for name, change := range map[string]func(path string) error{
		"longer":  func(path string) error { return os.WriteFile(path, make([]byte, 10_000), 0o644) },
		"shorter": func(path string) error { return os.Truncate(path, 0) },
	} {
		dir := makeTree(t, "a")
		store := &meddler{meddle: func() {
			if err := change(filepath.Join(dir, "a")); err != nil {
				t.Error(err)
			}
		}}
		if _, err := PutTree(t.Context(), store, dir, TreeLimits{}); !errors.Is(err, ErrChanged) {
			t.Errorf("%s: err = %v, want ErrChanged", name, err)
		}
	}
}

func TestPutTreeStops(t *testing.T) {
	var names []string
	for i := range 100 {
		names = append(names, fmt.Sprint(i))
	}
	dir := makeTree(t, names...)
	ctx, cancel := context.WithCancel(t.Context())
	if _, err := PutTree(ctx, &meddler{meddle: cancel}, dir, TreeLimits{}); !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v, want that of the context", err)
	}
	full := api.Errorf(api.StorageFull, "no space")
	if _, err := PutTree(t.Context(), failing{full}, dir, TreeLimits{}); !errors.Is(err, full) {
		t.Errorf("err = %v, want that of the store", err)
	}
}

type failing struct{ err error }

func (f failing) Put(context.Context, io.Reader, int64) (Ref, error) { return Ref{}, f.err }

// hostile are manifests that must be refused, by what is wrong with them.
func hostile() map[string]string {
	file := func(path string) string {
		return `{"path":"` + path + `","type":"file","sha256":"` + digestOf(nil) + `"}`
	}
	list := func(entries ...string) string { return `{"version":1,"entries":[` + strings.Join(entries, ",") + `]}` }
	dir := `{"path":"d","type":"dir"}`
	link := func(path, target string) string {
		return `{"path":"` + path + `","type":"link","target":"` + target + `"}`
	}
	return map[string]string{
		"nothing": "", "no object": "[]", "null": "null", "no entries": `{"version":1}`, "null entries": `{"version":1,"entries":null}`,
		"no version": `{"entries":[]}`, "later version": `{"version":2,"entries":[]}`, "white space": `{"version":1, "entries":[]}`,
		"further member": `{"version":1,"entries":[],"x":1}`, "text behind": list() + " ", "member twice": `{"version":1,"version":1,"entries":[]}`,
		"other case": `{"Version":1,"entries":[]}`, "entries no list": `{"version":1,"entries":{}}`,
		"up": list(file("../x")), "up inside": list(dir, file("d/../../x")), "absolute": list(file("/etc/passwd")), "empty path": list(file("")),
		"dot": list(file(".")), "double slash": list(dir, file("d//x")), "final slash": list(`{"path":"d/","type":"dir"}`),
		"NUL": list(file(`a\u0000b`)), "not text": list(file("\xff")), "other escape": list(file(`\u0041`)),
		"twice": list(file("a"), file("a")), "file and directory": list(file("d"), dir), "not sorted": list(file("b"), file("a")),
		"no parent": list(file("d/x")), "below a file": list(file("a"), file("a/b")), "below a link": list(link("a", "."), file("a/b")),
		"long name": list(file(strings.Repeat("x", 256))), "unknown type": list(`{"path":"a","type":"device"}`), "no type": list(`{"path":"a"}`),
		"no digest": list(`{"path":"a","type":"file"}`), "bad digest": list(`{"path":"a","type":"file","sha256":"../../x"}`),
		"negative size":         list(`{"path":"a","type":"file","sha256":"` + digestOf(nil) + `","size":-1}`),
		"sizes beyond all":      list(sized("a"), sized("b")),
		"directory with digest": list(`{"path":"d","type":"dir","sha256":"` + digestOf(nil) + `"}`),
		"file with target":      list(`{"path":"a","type":"file","sha256":"` + digestOf(nil) + `","target":"b"}`),
		"link to nothing":       list(`{"path":"a","type":"link"}`), "link out": list(link("a", "..")), "absolute link": list(link("a", "/")),
		"link over a link": list(dir, link("d/up", ".."), link("l", "d/up/../x")), "link behind what is not there": list(link("l", "x/../../y")),
		"many entries": list(strings.TrimSuffix(strings.Repeat("{},", MaxEntries+1), ",")),
	}
}

func sized(path string) string {
	return `{"path":"` + path + `","type":"file","sha256":"` + digestOf(nil) + `","size":9223372036854775807}`
}

func TestHostileManifests(t *testing.T) {
	for name, text := range hostile() {
		store := &memory{}
		ref, err := store.Put(t.Context(), strings.NewReader(text), 0)
		if err != nil {
			t.Fatal(err)
		}
		out := filepath.Join(t.TempDir(), "out")
		_, blobsErr := TreeBlobs(t.Context(), store, ref.Digest)
		exportErr := ExportTree(t.Context(), store, value.Dir{SHA256: ref.Digest}, out)
		for _, err := range []error{blobsErr, exportErr} {
			if !errors.Is(err, &api.Error{Code: api.InvalidInput}) {
				t.Errorf("%s: err = %v, want invalid_input", name, err)
			}
		}
		if _, err := os.Lstat(out); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: something was exported", name)
		}
	}
}

func TestExportTreeFails(t *testing.T) {
	store := &memory{}
	d, err := PutTree(t.Context(), store, makeTree(t, "a", "d/", "d/x", "z"), TreeLimits{})
	if err != nil {
		t.Fatal(err)
	}
	lacking := &memory{blobs: map[string][]byte{d.SHA256: store.blobs[d.SHA256], digestOf([]byte("a")): []byte("a")}}
	tests := map[string]struct {
		store Opener
		dir   value.Dir
		want  error
	}{
		"a blob is missing":   {lacking, d, ErrNotFound},
		"no such tree":        {store, value.Dir{SHA256: digestOf([]byte("?"))}, ErrNotFound},
		"no digest":           {store, value.Dir{Path: "/etc"}, ErrDigest},
		"a manifest replaced": {&memory{blobs: map[string][]byte{d.SHA256: []byte(`{"version":1,"entries":[]}`)}}, d, ErrCorrupt},
		"another size":        {store, value.Dir{SHA256: d.SHA256, Size: 1}, &api.Error{Code: api.InvalidInput}},
		"a file of another size": {
			&memory{blobs: map[string][]byte{d.SHA256: store.blobs[d.SHA256], digestOf([]byte("a")): []byte("aaaa")}},
			d, &api.Error{Code: api.InvalidInput},
		},
	}
	for name, tt := range tests {
		out := filepath.Join(t.TempDir(), "out")
		if err := ExportTree(t.Context(), tt.store, tt.dir, out); !errors.Is(err, tt.want) {
			t.Errorf("%s: err = %v, want %v", name, err, tt.want)
		}
		if _, err := os.Lstat(out); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: something was left", name)
		}
	}
	taken := t.TempDir()
	if err := ExportTree(t.Context(), store, d, taken); !errors.Is(err, &api.Error{Code: api.Conflict}) {
		t.Errorf("export to a directory that is there: %v", err)
	}
	if err := ExportTree(t.Context(), store, d, filepath.Join(taken, "none", "new")); !errors.Is(err, &api.Error{Code: api.InvalidInput}) {
		t.Errorf("export into a directory that is not there: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := ExportTree(ctx, store, d, filepath.Join(taken, "new")); !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v, want that of the context", err)
	}
}

func FuzzManifest(f *testing.F) {
	for _, text := range hostile() {
		if len(text) < 1000 {
			f.Add([]byte(text))
		}
	}
	f.Add([]byte(`{"version":1,"entries":[{"path":"d","type":"dir"},{"path":"d/l","type":"link","target":"../x"}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := parseManifest(text)
		if err != nil {
			return
		}
		again, err := m.text()
		if err != nil || !bytes.Equal(text, again) {
			t.Errorf("text = %q, read and written %q, %v", text, again, err)
		}
		for _, e := range m.Entries {
			target := filepath.Join(filepath.Dir(e.Path), e.Target)
			if !filepath.IsLocal(e.Path) || e.Target != "" && !filepath.IsLocal(target) {
				t.Errorf("entry %+v leads out", e)
			}
		}
	})
}
