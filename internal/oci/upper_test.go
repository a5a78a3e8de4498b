package oci

import (
	"archive/tar"
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
)

// writeLayer returns the digest and the plain tar of the layer.
func writeLayer(t testing.TB, opts LayerOptions, raw []byte) (Digest, []byte, error) {
	t.Helper()
	opts.TempDir = t.TempDir()
	var b bytes.Buffer
	diffID, err := WriteLayer(context.Background(), bytes.NewReader(raw), &b, opts)
	if err != nil {
		return "", nil, err
	}
	r, err := decompress(&b)
	if err != nil {
		t.Fatal(err)
	}
	plain, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return diffID, plain, nil
}

func tarLines(t testing.TB, raw []byte) []string {
	t.Helper()
	var lines []string
	tr := tar.NewReader(bytes.NewReader(raw))
	for {
		h, err := tr.Next()
		if err == io.EOF {
			return lines
		}
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(tr)
		if err != nil {
			t.Fatal(err)
		}
		line := fmt.Sprintf("%c %s", h.Typeflag, h.Name)
		if h.Linkname != "" {
			line += " -> " + h.Linkname
		}
		if len(content) > 0 {
			line += " = " + string(content)
		}
		for key, value := range h.PAXRecords {
			if strings.HasPrefix(key, xattrPrefix) {
				line += fmt.Sprintf(" %s=%q", key, value)
			}
		}
		lines = append(lines, line)
	}
}

func TestWriteLayer(t *testing.T) {
	for name, tt := range map[string]struct {
		ents []ent
		want []string
	}{
		"a link to a deletion is one": {
			[]ent{{name: "gone", typ: tar.TypeChar}, {name: "d/l", typ: tar.TypeLink, link: "gone"}},
			[]string{"0 d/.wh.l", "0 .wh.gone"},
		},
		"sorted, normalised": {
			[]ent{{name: "./"}, {name: "./b/"}, {name: "./b/x", content: "1"}, {name: "./a", content: "2"}},
			[]string{"0 a = 2", "5 b/", "0 b/x = 1"},
		},
		"deletions": {
			[]ent{{name: "d/"}, {name: "d/gone", typ: tar.TypeChar}, {name: "top", typ: tar.TypeChar}},
			[]string{"5 d/", "0 d/.wh.gone", "0 .wh.top"},
		},
		"opaque directories": {
			[]ent{{name: "d/", xattrs: map[string]string{"trusted.overlay.opaque": "y"}}, {name: "d/new"}, {name: "e/", xattrs: map[string]string{"user.overlay.opaque": "y"}}, {name: "f/", xattrs: map[string]string{"trusted.overlay.opaque": "n"}}},
			[]string{"5 d/", "0 d/.wh..wh..opq", "0 d/new", "5 e/", "0 e/.wh..wh..opq", "5 f/"},
		},
		"attributes that mean something outside": {
			[]ent{{name: "a", xattrs: map[string]string{"security.capability": "\x01\x00\x02"}}, {name: "b", xattrs: map[string]string{"user.note": "n"}},
				{name: "c", xattrs: map[string]string{"trusted.secret": "x"}}, {name: "d", xattrs: map[string]string{"user.overlay.origin": "x"}}, {name: "e", xattrs: map[string]string{"security.selinux": "x"}}},
			[]string{`0 a SCHILY.xattr.security.capability="\x01\x00\x02"`, `0 b SCHILY.xattr.user.note="n"`, "0 c", "0 d", "0 e"},
		},
		"hard links point back to the first name": {
			[]ent{{name: "z", content: "data"}, {name: "a", typ: tar.TypeLink, link: "./z"}, {name: "m", typ: tar.TypeLink, link: "a"}},
			[]string{"0 a = data", "1 m -> a", "1 z -> a"},
		},
		"a link to what is left out takes its content": {
			[]ent{{name: "tmp/x", content: "data"}, {name: "kept", typ: tar.TypeLink, link: "tmp/x"}},
			[]string{"0 kept = data"},
		},
		"a link that is left out may lead nowhere": {
			[]ent{{name: "a"}, {name: "tmp/l", typ: tar.TypeLink, link: "gone"}, {name: "tmp/m", typ: tar.TypeLink, link: "a"}, {name: "kept", typ: tar.TypeLink, link: "tmp/m"}},
			[]string{"0 a", "1 kept -> a"},
		},
		"what the cell has for itself is left out": {
			[]ent{{name: "tmp/"}, {name: "tmp/x"}, {name: "tmpfile"}, {name: "run/secrets/token", content: "s"}, {name: "var/inputs/x"}, {name: "var/inputs2"}, {name: "work/"}, {name: "proc", typ: tar.TypeChar}},
			[]string{"0 tmpfile", "0 var/inputs2"},
		},
		"devices are left out": {
			[]ent{{name: "sda", typ: tar.TypeBlock, major: 8}, {name: "null", typ: tar.TypeChar, major: 1, minor: 3}, {name: "p", typ: tar.TypeFifo}},
			[]string{"6 p"},
		},
		"duplicates, the last one wins": {
			[]ent{{name: "a", content: "1"}, {name: "a", content: "2"}, {name: "b", content: "1"}, {name: "b", typ: tar.TypeChar}},
			[]string{"0 a = 2", "0 .wh.b"},
		},
		"symbolic links stay as they are": {
			[]ent{{name: "l", typ: tar.TypeSymlink, link: "../../outside"}},
			[]string{"2 l -> ../../outside"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			diffID, plain, err := writeLayer(t, LayerOptions{Exclude: CellPaths()}, makeTar(t, tt.ents...))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, tarLines(t, plain)); diff != "" {
				t.Error(diff)
			}
			if diffID != DigestOf(plain) {
				t.Errorf("diff id %s, want %s", diffID, DigestOf(plain))
			}
		})
	}
}

func TestWriteLayerRefuses(t *testing.T) {
	bigXattr := map[string]string{"user.big": strings.Repeat("x", maxXattrs)}
	for name, tt := range map[string]struct {
		ents  []ent
		words string
	}{
		"traversal (O05)":            {[]ent{{name: "a/../../b"}}, `has a ".."`},
		"false deletion":             {[]ent{{name: "etc/.wh.passwd"}}, "means a deletion"},
		"false opaque directory":     {[]ent{{name: ".wh..wh..opq"}}, "means a deletion"},
		"false deletion as a parent": {[]ent{{name: ".wh.d/x"}}, "means a deletion"},
		"false deletion as a link":   {[]ent{{name: "a"}, {name: ".wh.b", typ: tar.TypeLink, link: "a"}}, "means a deletion"},
		"hard link to nothing":       {[]ent{{name: "l", typ: tar.TypeLink, link: "/etc/shadow"}}, "not a file here"},
		"hard link as the root":      {[]ent{{name: "a"}, {name: "./", typ: tar.TypeLink, link: "a"}}, "not a file here"},
		"root as a file":             {[]ent{{name: "."}}, "root is not a directory"},
		"long target":                {[]ent{{name: "l", typ: tar.TypeSymlink, link: strings.Repeat("t", 4096)}}, "4095"},
		"unknown type":               {[]ent{{name: "x", typ: 'Z'}}, "unknown type"},
		"large attributes":           {[]ent{{name: "x", xattrs: bigXattr}}, "extended attributes"},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := writeLayer(t, LayerOptions{Exclude: CellPaths()}, makeTar(t, tt.ents...))
			wantCode(t, err, api.ImageInvalid, "entry ", tt.words)
		})
	}
}

func TestWriteLayerLimits(t *testing.T) {
	raw := makeTar(t, ent{name: "a", content: strings.Repeat("x", 5000)}, ent{name: "b"}, ent{name: "c"})
	for name, tt := range map[string]struct {
		limits Limits
		words  string
	}{
		"entries":      {Limits{Entries: 2}, "2 entries"},
		"entries fit":  {Limits{Entries: 3}, ""},
		"names":        {Limits{Metadata: 2}, "names, links"},
		"bytes":        {Limits{Bytes: 4999}, "bytes"},
		"bytes of tar": {Limits{Bytes: 6000}, "bytes"},
		"bytes fit":    {Limits{Bytes: int64(len(raw))}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := writeLayer(t, LayerOptions{Limits: tt.limits}, raw)
			if tt.words == "" && err != nil {
				t.Fatal(err)
			}
			if tt.words != "" {
				wantCode(t, err, api.ImageInvalid, tt.words)
			}
		})
	}
}

// Equal changes give equal layers, whenever and in whatever order they came.
func TestWriteLayerIsReproducible(t *testing.T) {
	at := func(sec int64) func(*tar.Header) {
		return func(h *tar.Header) { h.ModTime, h.Uname = time.Unix(sec, 0), fmt.Sprint(sec) }
	}
	early := at(1_000)
	first := makeTar(t, ent{name: "d/", edit: at(5_000)}, ent{name: "d/old", edit: early}, ent{name: "d/new", content: "n", edit: at(5_001)}, ent{name: "gone", typ: tar.TypeChar, edit: at(5_002)})
	second := makeTar(t, ent{name: "gone", typ: tar.TypeChar, edit: at(9_002)}, ent{name: "d/new", content: "n", edit: at(9_001)}, ent{name: "d/", edit: at(9_000)}, ent{name: "d/old", edit: early})
	opts := LayerOptions{ModTime: time.Unix(4_000, 0)}
	a, plain, err := writeLayer(t, opts, first)
	if err != nil {
		t.Fatal(err)
	}
	b, _, err := writeLayer(t, opts, second)
	if err != nil {
		t.Fatal(err)
	}
	if a != b {
		t.Error("the layers differ")
	}
	tr := tar.NewReader(bytes.NewReader(plain))
	times := map[string]int64{}
	for h, err := tr.Next(); err == nil; h, err = tr.Next() {
		times[h.Name] = h.ModTime.Unix()
	}
	if diff := cmp.Diff(map[string]int64{".wh.gone": 0, "d/": 4_000, "d/new": 4_000, "d/old": 1_000}, times); diff != "" {
		t.Error(diff)
	}
}

// A deletion goes the whole way: cell, layer, merged image.
func TestLayerOverBase(t *testing.T) {
	blobs, err := OpenBlobs(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	base := makeTar(t, ent{name: "etc/"}, ent{name: "etc/a", content: "1"}, ent{name: "etc/b", content: "1"}, ent{name: "lib/"}, ent{name: "lib/x"})
	change := makeTar(t, ent{name: "./"}, ent{name: "./etc/"}, ent{name: "./etc/a", typ: tar.TypeChar}, ent{name: "./etc/c", content: "2"},
		ent{name: "./lib/", xattrs: map[string]string{"trusted.overlay.opaque": "y"}}, ent{name: "./lib/y", content: "3"})
	lower, err := blobs.AddLayer(ctx, bytes.NewReader(base), LayerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	upper, err := blobs.AddLayer(ctx, bytes.NewReader(change), LayerOptions{Exclude: CellPaths()})
	if err != nil {
		t.Fatal(err)
	}
	got, err := flatten(t, lower, upper)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"etc": "dir", "etc/b": "= 1", "etc/c": "= 2", "lib": "dir", "lib/y": "= 3"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// A sweep may come between the creation of a nameless file and the loss of its
// name.
func TestSweepTakesNoNamelessFile(t *testing.T) {
	dir, done := t.TempDir(), make(chan struct{})
	var sweeping sync.WaitGroup
	sweeping.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
				Sweep(dir)
			}
		}
	})
	defer sweeping.Wait()
	defer close(done)
	for range 3000 {
		f, err := createNameless(dir)
		if err != nil {
			t.Fatal(err)
		}
		f.Close()
	}
}
