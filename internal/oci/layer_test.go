package oci

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/erofs/go-erofs"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/glovebox-dev/glovebox/api"
)

// ent is a tar entry in a test. The type is that of the content unless it is
// given: a name that ends with a slash is a directory.
type ent struct {
	name, content string
	typ           byte
	link          string
	mode          int64
	major, minor  int64
	xattrs        map[string]string
	edit          func(*tar.Header)
}

func (e ent) header() *tar.Header {
	h := &tar.Header{Name: e.name, Typeflag: e.typ, Linkname: e.link, Mode: e.mode, Size: int64(len(e.content)), Devmajor: e.major, Devminor: e.minor}
	switch {
	case e.typ == 0 && strings.HasSuffix(e.name, "/"):
		h.Typeflag, h.Mode = tar.TypeDir, 0o755
	case e.typ == 0:
		h.Typeflag = tar.TypeReg
	}
	if h.Mode == 0 {
		h.Mode = 0o644
	}
	for name, value := range e.xattrs {
		if h.PAXRecords == nil {
			h.PAXRecords = map[string]string{}
		}
		h.PAXRecords[xattrPrefix+name] = value
	}
	if e.edit != nil {
		e.edit(h)
	}
	return h
}

func makeTar(t testing.TB, ents ...ent) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, e := range ents {
		if err := w.WriteHeader(e.header()); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, e.content); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// memLayer is a layer whose stored bytes are in memory.
func memLayer(plain, compressed []byte) Layer {
	return Layer{
		Digest: DigestOf(compressed), DiffID: DigestOf(plain), Size: int64(len(compressed)), MediaType: sniff(compressed),
		open: func(context.Context) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(compressed)), nil },
	}
}

func makeLayer(t testing.TB, ents ...ent) Layer {
	plain := makeTar(t, ents...)
	return memLayer(plain, plain)
}

func gzipped(t testing.TB, plain []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(plain); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func zstded(t testing.TB, plain []byte) []byte {
	t.Helper()
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return w.EncodeAll(plain, nil)
}

// flatten merges layers and lists the result.
func flatten(t testing.TB, layers ...Layer) (map[string]string, error) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "image.erofs")
	if err := Flatten(context.Background(), layers, out, Limits{}); err != nil {
		if _, statErr := os.Stat(out); statErr == nil {
			t.Error("a failed merge left an image")
		}
		return nil, err
	}
	return listing(t, out), nil
}

// listing describes every file of an image but the bare mount points.
func listing(t testing.TB, path string) map[string]string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	fsys, err := erofs.Open(f)
	if err != nil {
		t.Fatal(err)
	}
	bare := map[string]bool{".": true}
	for _, point := range mountPoints() {
		bare[point.path] = true
	}
	got := map[string]string{}
	err = fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && bare[name] {
			return nil
		}
		line, err := describe(fsys, name, d)
		got[name] = line
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func describe(fsys fs.FS, name string, d fs.DirEntry) (string, error) {
	switch d.Type() {
	case fs.ModeDir:
		return "dir", nil
	case fs.ModeSymlink:
		target, err := fs.ReadLink(fsys, name)
		return "-> " + target, err
	case 0:
		data, err := fs.ReadFile(fsys, name)
		if len(data) > 100 {
			data = fmt.Appendf(nil, "%d bytes", len(data))
		}
		return "= " + string(data), err
	}
	return d.Type().String(), nil
}

// wantCode checks the code of an error and that its message has all the words.
func wantCode(t testing.TB, err error, code api.Code, words ...string) {
	t.Helper()
	if !errors.Is(err, &api.Error{Code: code}) {
		t.Fatalf("error %v, want the code %s", err, code)
	}
	for _, word := range words {
		if !strings.Contains(err.Error(), word) {
			t.Errorf("error %q does not say %q", err, word)
		}
	}
}

func TestLayerEncodings(t *testing.T) {
	plain := makeTar(t, ent{name: "a", content: "hello"})
	twoMembers := append(gzipped(t, plain[:600]), gzipped(t, plain[600:])...)
	for name, stored := range map[string][]byte{
		"plain": plain, "gzip": gzipped(t, plain), "gzip of two members": twoMembers, "zstd": zstded(t, plain),
	} {
		t.Run(name, func(t *testing.T) {
			got, err := flatten(t, memLayer(plain, stored))
			if err != nil || got["a"] != "= hello" {
				t.Errorf("%v, %v", got, err)
			}
		})
	}
}

// B05: whatever was put in the place of a layer, it is not used.
func TestDamagedLayers(t *testing.T) {
	plain := makeTar(t, ent{name: "a", content: "hello"})
	packed := gzipped(t, plain)
	other := gzipped(t, makeTar(t, ent{name: "a", content: "evil!"}))
	good := memLayer(plain, packed)
	serve := func(stored []byte, edit func(*Layer)) Layer {
		l := good
		l.open = memLayer(plain, stored).open
		if edit != nil {
			edit(&l)
		}
		return l
	}
	for name, tt := range map[string]struct {
		layer Layer
		words string
	}{
		"other bytes of the digest's size": {serve(append(other[:0:0], other...), func(l *Layer) { l.Size = int64(len(other)) }), "damaged"},
		"more bytes":                       {serve(append(packed[:len(packed):len(packed)], 0), nil), "larger than"},
		"fewer bytes":                      {serve(packed[:len(packed)-1], nil), ""},
		"nothing":                          {serve(nil, nil), "has 0 bytes"},
		"another tar than promised":        {serve(packed, func(l *Layer) { l.DiffID = DigestOf(nil) }), "the tar of layer"},
		"a gzip that is none":              {memLayer(plain, []byte{0x1f, 0x8b, 0, 0, 0}), ""},
		"a zstd that is none":              {memLayer(plain, []byte{0x28, 0xb5, 0x2f, 0xfd, 0xff, 0xff}), ""},
		"not a tar":                        {memLayer([]byte("x"), []byte("x")), ""},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := flatten(t, tt.layer)
			wantCode(t, err, api.ImageInvalid, "layer sha256:", tt.words)
		})
	}
}

func TestDescribedLayerCannotBeRead(t *testing.T) {
	_, err := Layer{Digest: DigestOf(nil)}.Tar(context.Background())
	wantCode(t, err, api.Internal, "only a description")
}
