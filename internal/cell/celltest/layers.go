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

func (x *session) layer() map[string]tar.Header {
	x.t.Helper()
	var archive bytes.Buffer
	if err := x.cell.Layer(x.ctx, &archive); err != nil {
		x.t.Fatalf("taking the layer: %v", describe(err))
	}
	entries := map[string]tar.Header{}
	for r := tar.NewReader(&archive); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return entries
		}
		if err != nil {
			x.t.Fatal(err)
		}
		entries[strings.Trim(strings.TrimPrefix(h.Name, "./"), "/")] = *h
	}
}
