package celltest

import (
	"archive/tar"
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
)

var layerChecks = []check{
	{"changes", layerChanges},
	{"untouched", layerUntouched},
	{"a writer that fails", layerFails},
}

// layerChanges changes the root file system as an image build does and looks
// at the layer: what is new, what is changed, and what is gone.
func layerChanges(t *testing.T, s *suite) {
	x := s.open(t)
	x.pythonRoot(`
import os
os.makedirs("/opt/tool/bin")
open("/opt/tool/bin/run", "w").write("new")
os.chmod("/opt/tool/bin/run", 0o750)
os.chown("/opt/tool/bin/run", 12, 34)
os.symlink("run", "/opt/tool/bin/link")
open("/etc/issue", "w").write("changed")
os.remove("/usr/bin/env")
`).succeeds(t)
	entries := x.layer()
	for name, want := range map[string]tar.Header{
		"opt/tool/bin/run":  {Typeflag: tar.TypeReg, Mode: 0o750, Uid: 12, Gid: 34, Size: 3},
		"opt/tool/bin/link": {Typeflag: tar.TypeSymlink, Linkname: "run"},
		"etc/issue":         {Typeflag: tar.TypeReg, Mode: 0o644, Size: 7},
		"usr/bin/env":       {Typeflag: tar.TypeChar},
	} {
		h, ok := entries[name]
		switch {
		case !ok:
			t.Errorf("%s is not in the layer", name)
		case h.Typeflag != want.Typeflag || h.Size != want.Size || h.Linkname != want.Linkname || h.Devmajor+h.Devminor != 0:
			t.Errorf("%s came as %+v", name, h)
		case h.Typeflag == tar.TypeReg && (h.Mode&0o7777 != want.Mode || h.Uid != want.Uid || h.Gid != want.Gid):
			t.Errorf("%s came with the mode %o and the owner %d:%d", name, h.Mode, h.Uid, h.Gid)
		}
	}
}

// layerUntouched makes sure that a layer holds changes only, and none of the
// files that live in the memory of a cell.
func layerUntouched(t *testing.T, s *suite) {
	x := s.open(t)
	x.put("/run/secrets", file("token", []byte("x")))
	x.pythonRoot("[open(d + '/x', 'w') for d in ('/tmp', '/run', '/dev/shm')]").succeeds(t)
	for name, h := range x.layer() {
		first, _, _ := strings.Cut(name, "/")
		if h.Typeflag != tar.TypeDir && first != "work" {
			t.Errorf("%s is in the layer of a cell that changed nothing", name)
		}
	}
}

// layerFails wants a cell that lives on when its layer cannot be kept.
func layerFails(t *testing.T, s *suite) {
	x := s.open(t)
	x.python("open('/work/data', 'wb').write(bytes(8 << 20))").succeeds(t)
	full := errors.New("the disk is full")
	if err := x.cell.Layer(x.ctx, failing{full}); !errors.Is(err, full) {
		t.Errorf("got %v, want the error of the writer", err)
	}
	if got := x.layer()["work/data"].Size; got != 8<<20 {
		t.Errorf("afterwards the file has %d bytes", got)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

func (x *session) layer() map[string]tar.Header {
	x.t.Helper()
	headers, _ := x.contents()
	return headers
}

// contents takes the layer, with what is in its files.
func (x *session) contents() (map[string]tar.Header, map[string]string) {
	x.t.Helper()
	var archive bytes.Buffer
	if err := x.cell.Layer(x.ctx, &archive); err != nil {
		x.t.Fatalf("taking the layer: %v", describe(err))
	}
	headers, contents := map[string]tar.Header{}, map[string]string{}
	for r := tar.NewReader(&archive); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return headers, contents
		}
		if err != nil {
			x.t.Fatal(err)
		}
		name := strings.Trim(strings.TrimPrefix(h.Name, "./"), "/")
		data, err := io.ReadAll(r)
		if err != nil {
			x.t.Fatal(err)
		}
		headers[name], contents[name] = *h, string(data)
	}
}
