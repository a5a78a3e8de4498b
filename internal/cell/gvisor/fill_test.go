package gvisor

import (
	"archive/tar"
	"bytes"
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/runsc"
)

// archiveOf is the archive of a layer with these files and a little of everything
// else.
func archiveOf(t testing.TB, files map[string]string) []byte {
	t.Helper()
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	add := func(h tar.Header, content string) {
		h.Format, h.Size = tar.FormatPAX, int64(len(content))
		if err := w.WriteHeader(&h); err != nil {
			t.Fatal(err)
		}
		io.WriteString(w, content)
	}
	add(tar.Header{Typeflag: tar.TypeDir, Name: "./", Mode: 0o755, PAXRecords: map[string]string{"SCHILY.xattr.trusted.overlay.opaque": "y"}}, "")
	for name, content := range files {
		add(tar.Header{Typeflag: tar.TypeReg, Name: "./" + name, Mode: 0o4755, Uid: 1 << 30}, content)
	}
	add(tar.Header{Typeflag: tar.TypeLink, Name: "./link", Linkname: "./a"}, "")
	add(tar.Header{Typeflag: tar.TypeChar, Name: "./gone"}, "")
	add(tar.Header{Typeflag: tar.TypeSymlink, Name: "./" + strings.Repeat("n", 200), Linkname: strings.Repeat("t", 4000)}, "")
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// entry is what an archive says of one name.
type entry struct {
	Type       byte
	Name, Link string
	Mode       int64
	UID        int
	Attributes map[string]string
	Content    string
}

func entriesOf(archive []byte) (all []entry, err error) {
	for r := tar.NewReader(bytes.NewReader(archive)); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return all, err
		}
		content, err := io.ReadAll(r)
		if err != nil {
			return all, err
		}
		e := entry{Type: h.Typeflag, Name: h.Name, Link: h.Linkname, Mode: h.Mode, UID: h.Uid, Content: string(content), Attributes: map[string]string{}}
		for key, value := range h.PAXRecords {
			if strings.HasPrefix(key, "SCHILY.xattr.") {
				e.Attributes[key] = value
			}
		}
		all = append(all, e)
	}
}

// throughFill returns the layer of a cell that begins with an archive and changes
// nothing.
func throughFill(archive []byte, behind *os.File, limit int64) (layer []byte, l unpacked, err error) {
	var tree, out bytes.Buffer
	if l, err = unpackLayer(bytes.NewReader(archive), behind, &tree, limit); err != nil {
		return nil, l, err
	}
	if l.tree != int64(tree.Len()) {
		return nil, l, errors.New("the tree has another size than was counted")
	}
	if err := behind.Truncate(l.content); err != nil { // as a sandbox makes it large
		return nil, l, err
	}
	err = copyLayer(&out, &tree, behind, limit)
	return out.Bytes(), l, err
}

func newBehind(t testing.TB) *os.File {
	t.Helper()
	f, err := unnamedFile(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func TestFill(t *testing.T) {
	archive := archiveOf(t, map[string]string{
		"a": "a", "empty": "", "page": strings.Repeat("p", 4096), "over": strings.Repeat("o", 4097), "zeros": strings.Repeat("\x00", 200_000),
		"hole": "x" + strings.Repeat("\x00", 3<<20) + "y", "large": strings.Repeat("0123456", 500_000),
	})
	layer, l, err := throughFill(archive, newBehind(t), 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	want, wantErr := entriesOf(archive)
	got, gotErr := entriesOf(layer)
	if diff := cmp.Diff(want, got); diff != "" || wantErr != nil || gotErr != nil {
		t.Errorf("%.2000s %v %v", diff, wantErr, gotErr)
	}
	if pages := int64(1 + 1 + 2 + 49 + 769 + 855); l.content != pages*runsc.PageSize { // empty has none
		t.Errorf("the content has %d bytes, want %d pages", l.content, pages)
	}
}

// TestFillLimit: files count in whole pages.
func TestFillLimit(t *testing.T) {
	for name, test := range map[string]struct {
		content string
		limit   int64
		fits    bool
	}{
		"a page": {"x", 4096, true}, "less than a page": {"x", 4095, false}, "two": {strings.Repeat("x", 4097), 8191, false},
	} {
		_, err := unpackLayer(bytes.NewReader(archiveOf(t, map[string]string{"a": test.content})), newBehind(t), io.Discard, test.limit)
		if (err == nil) != test.fits || err != nil && !errors.Is(err, &api.Error{Code: api.StorageFull}) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestFillHoles: a file of zeros takes no disk.
func TestFillHoles(t *testing.T) {
	behind := newBehind(t)
	archive := archiveOf(t, map[string]string{"a": strings.Repeat("\x00", 64<<20) + "end"})
	if _, _, err := throughFill(archive, behind, 1<<30); err != nil {
		t.Fatal(err)
	}
	var stat unix.Stat_t
	if err := unix.Fstat(int(behind.Fd()), &stat); err != nil || stat.Blocks*512 > 2*copyBuffer {
		t.Errorf("it takes %d bytes, %v", stat.Blocks*512, err)
	}
}

// FuzzFill wants whatever is in an archive to end in bounds, and to be the same in the
// cell if there is no error.
func FuzzFill(f *testing.F) {
	f.Add(archiveOf(f, map[string]string{"a": "content", "b": strings.Repeat("x", 5000)}))
	f.Add(archiveOf(f, map[string]string{"a": ""})[:3000])
	f.Add([]byte("no tar"))
	f.Fuzz(func(t *testing.T, archive []byte) {
		const limit = 1 << 16
		layer, l, err := throughFill(archive, newBehind(t), limit)
		if err != nil {
			return
		}
		if l.content > limit {
			t.Errorf("the content has %d bytes", l.content)
		}
		want, wantErr := entriesOf(archive)
		got, gotErr := entriesOf(layer)
		if diff := cmp.Diff(want, got); diff != "" || wantErr != nil || gotErr != nil {
			t.Errorf("%.2000s %v %v", diff, wantErr, gotErr)
		}
	})
}
