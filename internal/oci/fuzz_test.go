package oci

import (
	"archive/tar"
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// fuzzLimits keep a round of fuzzing short.
func fuzzLimits() Limits {
	return Limits{Layers: 4, Entries: 500, Bytes: 1 << 20, Metadata: 64 << 10}
}

func fuzzSeeds(f *testing.F) [][]byte {
	return [][]byte{
		makeTar(f, ent{name: "a/b", content: "hello"}, ent{name: "a/c", typ: tar.TypeLink, link: "a/b"}, ent{name: "l", typ: tar.TypeSymlink, link: "../a"}, ent{name: "l/d"}),
		makeTar(f, ent{name: "a/.wh.b"}, ent{name: "a/.wh..wh..opq"}, ent{name: "dev", typ: tar.TypeSymlink, link: "/"}, ent{name: "p", typ: tar.TypeFifo}),
		makeTar(f, ent{name: "a", typ: tar.TypeChar}, ent{name: "d/", xattrs: map[string]string{"trusted.overlay.opaque": "y", "user.x": "y"}}),
		gzipped(f, makeTar(f, ent{name: "x"})), zstded(f, makeTar(f, ent{name: "x"})),
		{}, {0x1f, 0x8b}, {0x28, 0xb5, 0x2f, 0xfd},
	}
}

// FuzzFlatten merges two layers of any bytes. What is accepted must be a file
// system that another reader can walk, and the same one every time.
func FuzzFlatten(f *testing.F) {
	seeds := fuzzSeeds(f)
	for i, seed := range seeds {
		f.Add(seed, seeds[(i+1)%len(seeds)])
	}
	f.Fuzz(func(t *testing.T, lower, upper []byte) {
		layers := []Layer{fuzzLayer(lower), fuzzLayer(upper)}
		first, err := fuzzMerge(t, layers)
		if err != nil {
			return
		}
		second, err := fuzzMerge(t, layers)
		if err != nil {
			t.Fatalf("refused the second time: %v", err)
		}
		if !sameFile(t, first, second) {
			t.Fatal("two merges of the same layers differ")
		}
		listing(t, first)
	})
}

// fuzzMerge is Flatten without the wait for the disk.
func fuzzMerge(t *testing.T, layers []Layer) (string, error) {
	f, err := os.CreateTemp(t.TempDir(), "image")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	return f.Name(), merge(context.Background(), layers, f, fuzzLimits())
}

// fuzzLayer has the right digests for its bytes, because only those go beyond
// the first check.
func fuzzLayer(stored []byte) Layer {
	plain := stored
	if r, err := decompress(bytes.NewReader(stored)); err == nil {
		plain, _ = io.ReadAll(io.LimitReader(r, 1<<21))
	}
	return memLayer(plain, stored)
}

// FuzzWriteLayer makes a layer of any bytes that a cell may send. What is
// accepted must be a tar that is clean: merging it does not fail for its names,
// and making a layer of it again changes nothing.
func FuzzWriteLayer(f *testing.F) {
	for _, seed := range fuzzSeeds(f) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		opts := LayerOptions{Exclude: CellPaths(), Limits: fuzzLimits()}
		diffID, plain, err := writeLayer(t, opts, raw)
		if err != nil {
			return
		}
		if diffID != DigestOf(plain) {
			t.Fatalf("diff id %s, want %s", diffID, DigestOf(plain))
		}
		for tr := tar.NewReader(bytes.NewReader(plain)); ; {
			h, err := tr.Next()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			checkClean(t, h)
		}
	})
}

func checkClean(t *testing.T, h *tar.Header) {
	parts, err := splitName(h.Name)
	if err != nil || len(parts) == 0 {
		t.Fatalf("name %q: %v", h.Name, err)
	}
	u := upper{opts: LayerOptions{Exclude: CellPaths()}}
	if u.excluded(h.Name) || h.Typeflag == tar.TypeChar || h.Typeflag == tar.TypeBlock {
		t.Fatalf("%q of type %c is in the layer", h.Name, h.Typeflag)
	}
	if h.Mode&^0o7777 != 0 || h.Uid < 0 || h.Gid < 0 || h.Size < 0 {
		t.Fatalf("header %+v", h)
	}
}

// FuzzOpenArchive reads any bytes as an archive.
func FuzzOpenArchive(f *testing.F) {
	files := layoutFiles(f, exampleImage(f))
	var ents []ent
	for name, data := range files {
		ents = append(ents, ent{name: name, content: string(data)})
	}
	f.Add(makeTar(f, ents...))
	f.Add(makeTar(f, ent{name: "manifest.json", content: `[{"Config":"c","Layers":["l"]}]`}, ent{name: "c", content: `{"os":"linux","rootfs":{"diff_ids":["sha256:` + DigestOf(nil).Hex() + `"]}}`}, ent{name: "l", typ: tar.TypeSymlink, link: "c"}))
	f.Fuzz(func(t *testing.T, raw []byte) {
		path := writeDir(t, map[string][]byte{"x": raw})
		img, err := Open(context.Background(), filepath.Join(path, "x"), Options{})
		if err != nil {
			return
		}
		if _, err := fuzzMerge(t, img.Layers); err != nil {
			return
		}
	})
}
