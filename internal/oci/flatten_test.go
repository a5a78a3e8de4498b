package oci

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/erofs/go-erofs"
	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
)

func TestFlattenMerges(t *testing.T) {
	type layers = [][]ent
	for name, tt := range map[string]struct {
		layers layers
		want   map[string]string
	}{
		"later layers win": {
			layers{{{name: "a", content: "1"}, {name: "b", content: "1"}}, {{name: "a", content: "2"}}},
			map[string]string{"a": "= 2", "b": "= 1"},
		},
		"names are normalised": {
			layers{{{name: "./x//./y", content: "1"}, {name: "/z", content: "2"}}},
			map[string]string{"x": "dir", "x/y": "= 1", "z": "= 2"},
		},
		"whiteout": {
			layers{{{name: "d/"}, {name: "d/a", content: "1"}, {name: "d/b", content: "1"}, {name: "e/"}, {name: "e/f"}}, {{name: "d/.wh.a"}, {name: ".wh.e"}, {name: ".wh.missing"}, {name: "no/.wh.such"}}},
			map[string]string{"d": "dir", "d/b": "= 1"},
		},
		"whiteout spares its own layer": {
			layers{{{name: "a", content: "old"}, {name: "d/"}, {name: "d/old"}}, {{name: "a", content: "new"}, {name: ".wh.a"}, {name: "d/new", content: "n"}, {name: ".wh.d"}}},
			map[string]string{"a": "= new", "d": "dir", "d/new": "= n"},
		},
		"opaque directory, in any order": {
			layers{{{name: "d/"}, {name: "d/old"}, {name: "d/sub/"}, {name: "d/sub/old"}}, {{name: "d/"}, {name: "d/new", content: "n"}, {name: "d/sub/new", content: "s"}, {name: "d/.wh..wh..opq"}}},
			map[string]string{"d": "dir", "d/new": "= n", "d/sub": "dir", "d/sub/new": "= s"},
		},
		"bookkeeping of aufs is no file": {
			layers{{{name: ".wh..wh.plnk/"}, {name: ".wh..wh.aufs"}}},
			map[string]string{},
		},
		"file becomes directory and back": {
			layers{{{name: "a", content: "f"}, {name: "b/"}, {name: "b/c"}}, {{name: "a/"}, {name: "a/x", content: "1"}, {name: "b", content: "f"}}},
			map[string]string{"a": "dir", "a/x": "= 1", "b": "= f"},
		},
		"hard links": {
			layers{{{name: "a", content: "data"}, {name: "b", typ: tar.TypeLink, link: "./a"}}, {{name: ".wh.a"}, {name: "c", typ: tar.TypeLink, link: "/b"}}},
			map[string]string{"b": "= data", "c": "= data"},
		},
		"hard link to a symbolic link": {
			layers{{{name: "s", typ: tar.TypeSymlink, link: "nowhere"}, {name: "t", typ: tar.TypeLink, link: "s"}}},
			map[string]string{"s": "-> nowhere", "t": "-> nowhere"},
		},
		"duplicate entries, the last one wins (O05)": {
			layers{{{name: "a", content: "1"}, {name: "a", content: "22"}, {name: "a", typ: tar.TypeSymlink, link: "x"}}},
			map[string]string{"a": "-> x"},
		},
		"below a linked directory": {
			layers{{{name: "usr/lib/"}, {name: "lib", typ: tar.TypeSymlink, link: "usr/lib"}}, {{name: "lib/x.so", content: "1"}, {name: "lib/.wh.none"}}},
			map[string]string{"usr": "dir", "usr/lib": "dir", "usr/lib/x.so": "= 1", "lib": "-> usr/lib"},
		},
		"a link out of the tree leads to its root (O05)": {
			layers{{{name: "out", typ: tar.TypeSymlink, link: "../../../etc"}, {name: "abs", typ: tar.TypeSymlink, link: "/etc"}, {name: "out/a", content: "1"}, {name: "abs/b", content: "2"}}},
			map[string]string{"out": "-> ../../../etc", "abs": "-> /etc", "etc": "dir", "etc/a": "= 1", "etc/b": "= 2"},
		},
		"directory instead of a link": {
			layers{{{name: "l", typ: tar.TypeSymlink, link: "d"}, {name: "d/"}, {name: "d/x"}}, {{name: "l/"}, {name: "l/y", content: "1"}}},
			map[string]string{"l": "dir", "l/y": "= 1", "d": "dir", "d/x": "= "},
		},
		"devices are left out": {
			layers{{{name: "sda", content: "old"}}, {{name: "sda", typ: tar.TypeBlock, major: 8}, {name: "null", typ: tar.TypeChar, major: 1, minor: 3}, {name: "p", typ: tar.TypeFifo}, {name: "again", typ: tar.TypeLink, link: "sda"}}},
			map[string]string{"p": "p---------"},
		},
		"long names and targets": {
			layers{{{name: strings.Repeat("n", 255), typ: tar.TypeSymlink, link: strings.Repeat("t/", 2000)}}},
			map[string]string{strings.Repeat("n", 255): "-> " + strings.Repeat("t/", 2000)},
		},
		"attributes are left out": {
			layers{{{name: "ping", content: "x", xattrs: map[string]string{"security.capability": "\x01\x00", "user.a": "b"}}}},
			map[string]string{"ping": "= x"},
		},
		// H03: mounts meet directories, and what the image had there is gone.
		"mount points are directories (H03)": {
			layers{{
				{name: "dev", typ: tar.TypeSymlink, link: "/etc"}, {name: "proc", typ: tar.TypeSymlink, link: "../../.."}, {name: "sys", content: "x"},
				{name: "tmp", typ: tar.TypeSymlink, link: "/"}, {name: "run/"}, {name: "run/kept"}, {name: "var", typ: tar.TypeSymlink, link: "/proc"},
			}},
			map[string]string{"run/kept": "= "},
		},
		"nothing is left in /dev (H03)": {
			layers{{{name: "dev/"}, {name: "dev/null", typ: tar.TypeSymlink, link: "/etc/passwd"}, {name: "dev/console", content: "x"}, {name: "proc/sys/kernel/core_pattern", content: "|x"}}},
			map[string]string{},
		},
	} {
		t.Run(name, func(t *testing.T) {
			var layers []Layer
			for _, ents := range tt.layers {
				layers = append(layers, makeLayer(t, ents...))
			}
			got, err := flatten(t, layers...)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// O05, B07: every refusal names the layer and the entry.
func TestFlattenRefuses(t *testing.T) {
	deep := strings.Repeat("d/", 257)
	loop := []ent{{name: "a", typ: tar.TypeSymlink, link: "b"}, {name: "b", typ: tar.TypeSymlink, link: "a"}, {name: "a/x"}}
	deepLinks := []ent{{name: strings.Repeat("a/", 200)}, {name: "l", typ: tar.TypeSymlink, link: strings.Repeat("a/", 200)}, {name: "l/" + strings.Repeat("b/", 100)}}
	for name, tt := range map[string]struct {
		ents  []ent
		words string
	}{
		"traversal":                 {[]ent{{name: "../etc/passwd"}}, `has a ".."`},
		"traversal inside":          {[]ent{{name: "a/../../b"}}, `has a ".."`},
		"traversal by whiteout":     {[]ent{{name: ".wh..."}}, "names no file"},
		"empty whiteout":            {[]ent{{name: "a/.wh."}}, "names no file"},
		"component too long":        {[]ent{{name: strings.Repeat("n", 256)}}, "255"},
		"path too long":             {[]ent{{name: strings.Repeat("nnnnnnnnnnnnnnnnn/", 241)}}, "4096"},
		"too deep":                  {[]ent{{name: deep}}, "256"},
		"too deep through a link":   {deepLinks, "256"},
		"file as a directory":       {[]ent{{name: "f"}, {name: "f/x"}}, "where a directory is needed"},
		"root as a file":            {[]ent{{name: "./."}}, "the root is not a directory"},
		"root as a hard link":       {[]ent{{name: "a"}, {name: ".", typ: tar.TypeLink, link: "a"}}, "directory"},
		"hard link to nothing":      {[]ent{{name: "l", typ: tar.TypeLink, link: "a"}}, "not there"},
		"hard link out of the tree": {[]ent{{name: "l", typ: tar.TypeLink, link: "../../etc/shadow"}}, `has a ".."`},
		"hard link to a directory":  {[]ent{{name: "d/"}, {name: "l", typ: tar.TypeLink, link: "d"}}, "directory"},
		"hard link to itself":       {[]ent{{name: "l", typ: tar.TypeLink, link: "l"}}, "not there"},
		"links in a circle":         {loop, "40 symbolic links"},
		"target too long":           {[]ent{{name: "l", typ: tar.TypeSymlink, link: strings.Repeat("t", 4096)}}, "4095"},
		"no target":                 {[]ent{{name: "l", typ: tar.TypeSymlink}}, "no target"},
		"unknown type":              {[]ent{{name: "x", typ: 'Z'}}, "unknown type"},
		"owner too large":           {[]ent{{name: "x", edit: func(h *tar.Header) { h.Uid = 1 << 40 }}}, "32-bit"},
		"owner negative":            {[]ent{{name: "x", edit: func(h *tar.Header) { h.Gid = -1; h.Format = tar.FormatGNU }}}, "32-bit"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := flatten(t, makeLayer(t, ent{name: "fine"}), makeLayer(t, tt.ents...))
			wantCode(t, err, api.ImageInvalid, "layer sha256:", "entry ", tt.words)
		})
	}
}

// O05: headers that the standard library's writer does not make.
func TestFlattenRefusesBrokenHeaders(t *testing.T) {
	base := makeTar(t, ent{name: "a", content: "x"})
	edited := func(edit func(header []byte)) []byte {
		raw := bytes.Clone(base)
		edit(raw[:512])
		copy(raw[148:156], "        ")
		sum := 0
		for _, b := range raw[:512] {
			sum += int(b)
		}
		copy(raw[148:156], fmt.Sprintf("%06o\x00 ", sum))
		return raw
	}
	paxBomb := func(size int64) []byte {
		h := ent{name: "PaxHeaders/a", typ: tar.TypeReg, content: ""}.header()
		var b bytes.Buffer
		w := tar.NewWriter(&b)
		h.Size = size
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		raw := append(b.Bytes(), make([]byte, 4096)...)
		raw[156] = tar.TypeXHeader
		copy(raw[148:156], "        ")
		sum := 0
		for _, c := range raw[:512] {
			sum += int(c)
		}
		copy(raw[148:156], fmt.Sprintf("%06o\x00 ", sum))
		return raw
	}
	for name, raw := range map[string][]byte{
		"negative size":        edited(func(h []byte) { copy(h[124:136], "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff") }),
		"base-256 overflow":    edited(func(h []byte) { copy(h[124:136], "\x80\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff") }),
		"size past the end":    edited(func(h []byte) { copy(h[124:136], "00000007777\x00") }),
		"size is not a number": edited(func(h []byte) { copy(h[124:136], "zzzzzzzzzzzz") }),
		"pax bomb":             paxBomb(1 << 30),
		"cut off":              base[:512],
	} {
		t.Run(name, func(t *testing.T) {
			_, err := flatten(t, memLayer(raw, raw))
			wantCode(t, err, api.ImageInvalid, "layer sha256:")
		})
	}
}

// B07: a limit that is one too small refuses, and one that just fits does not.
func TestFlattenLimits(t *testing.T) {
	three := []Layer{makeLayer(t, ent{name: "a/b/c", content: "0123456789"}), makeLayer(t, ent{name: "d"}), makeLayer(t)}
	sparse := makeLayer(t, ent{name: "a", content: "x"})
	for name, tt := range map[string]struct {
		layers []Layer
		limits Limits
		words  string // empty: it fits
	}{
		"layers":                       {three, Limits{Layers: 2}, "2 layers"},
		"layers fit":                   {three, Limits{Layers: 3}, ""},
		"directories made on the way":  {three, Limits{Entries: 3}, "3 files"},
		"files fit, with mount points": {three, Limits{Entries: 4 + len(mountPoints())}, ""},
		"entries":                      {[]Layer{makeLayer(t, ent{name: "a/"}, ent{name: "a/"}, ent{name: "a/"})}, Limits{Entries: 2}, "2 entries"},
		"names":                        {three, Limits{Metadata: 5}, "names and links"},
		"names fit":                    {three, Limits{Metadata: 6}, ""},
		"bytes of tars":                {three, Limits{Bytes: 3 * 1024}, "bytes"},
		"one file larger than all":     {[]Layer{sparse}, Limits{Bytes: 4096}, "bytes"},
	} {
		t.Run(name, func(t *testing.T) {
			err := Flatten(context.Background(), tt.layers, filepath.Join(t.TempDir(), "image"), tt.limits)
			if tt.words == "" && err != nil {
				t.Fatal(err)
			}
			if tt.words != "" {
				wantCode(t, err, api.ImageInvalid, tt.words)
			}
		})
	}
}

// Layers may be made to cost time: whiteouts without number over a directory
// without number. A directory is searched once a layer.
func TestManyWhiteoutsCostNoMoreThanOne(t *testing.T) {
	tr := newTree(10)
	tr.layer = 2
	dir, err := tr.mkdir(tr.root, "d", 0o755)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"first", "second"} {
		dir.entries[name] = entry{&file{}, 1}
		if err := tr.opaque([]string{"d"}); err != nil {
			t.Fatal(err)
		}
	}
	if _, ok := dir.entries["second"]; !ok || len(dir.entries) != 1 {
		t.Errorf("entries %v, want only the one that came after the search", dir.entries)
	}
}

func TestFlattenIsDeterministic(t *testing.T) {
	var ents []ent
	for i := range 300 {
		ents = append(ents, ent{name: fmt.Sprintf("d%d/f%d", i%17, i), content: strings.Repeat("x", i)})
	}
	layers := []Layer{makeLayer(t, ents...), makeLayer(t, ent{name: ".wh.d3"}, ent{name: "d1/f1", typ: tar.TypeSymlink, link: "f18"})}
	dir := t.TempDir()
	first, second := filepath.Join(dir, "1"), filepath.Join(dir, "2")
	for _, out := range []string{first, second} {
		if err := Flatten(context.Background(), layers, out, Limits{}); err != nil {
			t.Fatal(err)
		}
	}
	if !sameFile(t, first, second) {
		t.Error("two merges of the same layers differ")
	}
}

func sameFile(t *testing.T, a, b string) bool {
	t.Helper()
	left, err := os.ReadFile(a)
	if err != nil {
		t.Fatal(err)
	}
	right, err := os.ReadFile(b)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Equal(left, right)
}

func TestFlattenKeepsMetadata(t *testing.T) {
	when := time.Unix(1_700_000_000, 0)
	out := filepath.Join(t.TempDir(), "image")
	owned := func(h *tar.Header) { h.Uid, h.Gid, h.ModTime = 1000, 3_000_000_000, when }
	layers := []Layer{
		makeLayer(t, ent{name: "f", content: "x", mode: 0o4751, edit: owned}, ent{name: "g", typ: tar.TypeLink, link: "f"}, ent{name: "d/", edit: owned}, ent{name: "d/x"},
			ent{name: "./", edit: func(h *tar.Header) { h.Mode = 0o711 }}),
		makeLayer(t, ent{name: "d/", edit: func(h *tar.Header) { h.Mode = 0o700; h.ModTime = time.Unix(-5, 0) }}),
	}
	if err := Flatten(context.Background(), layers, out, Limits{}); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	fsys, err := erofs.Open(f)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, name := range []string{".", "f", "g", "d", "d/x", "tmp"} {
		info, err := fs.Stat(fsys, name)
		if err != nil {
			t.Fatal(err)
		}
		st := info.Sys().(*erofs.Stat)
		got = append(got, fmt.Sprintf("%s %v %d:%d %d links %d", name, info.Mode().Perm(), st.UID, st.GID, st.Mtime, st.Nlink))
	}
	want := []string{
		". -rwx--x--x 0:0 0 links 10",
		"f -rwxr-x--x 1000:3000000000 1700000000 links 2",
		"g -rwxr-x--x 1000:3000000000 1700000000 links 2",
		"d -rwx------ 0:0 0 links 2",
		"d/x -rw-r--r-- 0:0 0 links 1",
		"tmp -rwxrwxrwx 0:0 0 links 2",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if tool, err := exec.LookPath("fsck.erofs"); err != nil {
		t.Log("fsck.erofs is not installed (package erofs-utils)")
	} else if words, err := exec.Command(tool, out).CombinedOutput(); err != nil {
		t.Errorf("fsck.erofs: %v\n%s", err, words)
	}
}

func TestFlattenStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	dir := t.TempDir()
	err := Flatten(ctx, []Layer{makeLayer(t, ent{name: "a"})}, filepath.Join(dir, "image"), Limits{})
	wantCode(t, err, api.Canceled)
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

// Pack adds nothing, and takes no name for a deletion.
func TestPack(t *testing.T) {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, h := range []*tar.Header{
		{Name: "dev/kept", Typeflag: tar.TypeReg, Mode: 0o644}, {Name: ".wh.dev", Typeflag: tar.TypeReg, Mode: 0o644},
		{Name: "up", Typeflag: tar.TypeSymlink, Linkname: "../../etc/passwd"},
	} {
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	data := b.Bytes()
	out := filepath.Join(t.TempDir(), "tree.erofs")
	if err := Pack(t.Context(), bytes.NewReader(data), out, Limits{}); err != nil {
		t.Fatal(err)
	}
	root, closer, err := OpenRootFS(out)
	if err != nil {
		t.Fatal(err)
	}
	defer closer.Close()
	var names []string
	err = fs.WalkDir(root, ".", func(path string, _ fs.DirEntry, err error) error {
		names = append(names, path)
		return err
	})
	if diff := cmp.Diff([]string{".", ".wh.dev", "dev", "dev/kept", "up"}, names); diff != "" || err != nil {
		t.Errorf("%v, files (-want +got):\n%s", err, diff)
	}
	err = Pack(t.Context(), bytes.NewReader(data), out, Limits{Entries: 2})
	if !errors.Is(err, &api.Error{Code: api.ImageInvalid}) {
		t.Errorf("more entries than may be give %v", err)
	}
}
