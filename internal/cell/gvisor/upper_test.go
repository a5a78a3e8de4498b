package gvisor

import (
	"archive/tar"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
)

// treeOf is what a sandbox says of one file.
func treeOf(t testing.TB, size uint64, pieces ...piece) []byte {
	t.Helper()
	var body, tree bytes.Buffer
	binary.Write(&body, binary.LittleEndian, size)
	for _, p := range pieces {
		binary.Write(&body, binary.LittleEndian, p)
	}
	w := tar.NewWriter(&tree)
	if err := w.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: "file", Size: int64(body.Len())}); err != nil {
		t.Fatal(err)
	}
	w.Write(body.Bytes())
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return tree.Bytes()
}

const behindText = "0123456789abcdef"

func TestCopyLayer(t *testing.T) {
	for name, test := range map[string]struct {
		size   uint64
		pieces []piece
		want   string // empty: an error
	}{
		"hole":                   {size: 3, want: "\x00\x00\x00"},
		"pieces out of order":    {9, []piece{{1, 3, 10}, {5, 9, 0}}, "\x00ab\x00\x000123"},
		"longer than the file":   {2, []piece{{0, 4, 4}}, "45"},
		"behind the file":        {2, []piece{{0, 2, 4}, {4, 8, 0}}, "45"},
		"overlap":                {9, []piece{{0, 4, 0}, {3, 9, 0}}, ""},
		"backwards":              {9, []piece{{4, 2, 0}}, ""},
		"behind what there is":   {9, []piece{{0, 9, 10}}, ""},
		"before what there is":   {9, []piece{{0, 9, 1 << 63}}, ""},
		"larger than the limit":  {101, nil, ""},
		"larger than any number": {1 << 63, nil, ""},
	} {
		var out bytes.Buffer
		err := copyLayer(&out, bytes.NewReader(treeOf(t, test.size, test.pieces...)), strings.NewReader(behindText), 100)
		if test.want == "" {
			if err == nil {
				t.Errorf("%s: no error", name)
			}
			continue
		}
		r := tar.NewReader(&out)
		_, nextErr := r.Next()
		got, readErr := io.ReadAll(r)
		if err := errors.Join(err, nextErr, readErr); err != nil || string(got) != test.want {
			t.Errorf("%s: %q, %v; want %q", name, got, err, test.want)
		}
	}
	err := copyLayer(io.Discard, bytes.NewReader(treeOf(t, 101)), strings.NewReader(""), 100)
	if !errors.Is(err, &api.Error{Code: api.OutputTooLarge}) {
		t.Errorf("got %v, want that it is too large", err)
	}
}

// FuzzCopyLayer wants whatever a sandbox says to end in bounds.
func FuzzCopyLayer(f *testing.F) {
	f.Add(treeOf(f, 9, piece{1, 3, 10}, piece{5, 9, 0}))
	f.Add(treeOf(f, 1<<63, piece{1 << 63, 1<<64 - 1, 1 << 62}))
	f.Add([]byte("no tar"))
	f.Fuzz(func(t *testing.T, tree []byte) {
		const limit = 1 << 16
		var out bytes.Buffer
		if err := copyLayer(&out, bytes.NewReader(tree), strings.NewReader(behindText), limit); err != nil {
			return
		}
		var total int64
		r := tar.NewReader(&out)
		for {
			header, err := r.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("what was made of it is no tar: %v", err)
			}
			total += header.Size
		}
		if total > limit {
			t.Errorf("the files have %d bytes", total)
		}
	})
}
