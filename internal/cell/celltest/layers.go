package celltest

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
)

var layerChecks = []check{
	{"changes", layerChanges},
	{"untouched", layerUntouched},
	{"contents", layerContents},
	{"R05_sparse_file_in_a_layer", layerSparse},
	{"R05_layer_larger_than_memory", layerLarge},
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
	x := s.open(t, func(spec *cell.Spec) { spec.Bare = true })
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

// layerContents compares files that came to be in many ways with what programs see.
func layerContents(t *testing.T, s *suite) {
	x := s.open(t)
	sums := x.python(`
import hashlib, mmap, os, random
def write(name, at, data, cut=None):
    with open("/work/" + name, "r+b" if os.path.exists("/work/" + name) else "wb") as f:
        f.seek(at); f.write(data)
        if cut is not None: f.truncate(cut)
write("empty", 0, b"")
write("one", 0, b"1")
write("random", 0, os.urandom(3_000_001))
for i in range(50): write("pieces", random.randrange(10**6), os.urandom(random.randrange(10**5)))
write("hole", 10_000_000, b"after a hole")
write("cut", 0, os.urandom(100_000), 12_345)
write("grown", 0, b"x" * 5000, 1_000_000)
write("cut and grown", 0, b"x" * 50_000, 10); write("cut and grown", 0, b"y", 30_000)
for i in range(20): write("gone", 0, os.urandom(1 << 20)); os.remove("/work/gone"); write(f"reused{i % 3}", i << 18, os.urandom(1 << 18))
write("mapped", 0, b"", 100_000)
with open("/work/mapped", "r+b") as f:
    with mmap.mmap(f.fileno(), 0) as m: m[50_000:50_006] = b"mapped"
os.link("/work/random", "/work/zlink")
for name in sorted(os.listdir("/work")):
    data = open("/work/" + name, "rb").read()
    print(name, len(data), hashlib.sha256(data).hexdigest(), sep="/")
`)
	sums.succeeds(t)
	headers, contents := x.contents()
	linked := map[string]string{}
	for name, h := range headers {
		if h.Typeflag == tar.TypeLink {
			linked[name] = strings.Trim(strings.TrimPrefix(h.Linkname, "./"), "/")
		}
	}
	if len(linked) != 1 {
		t.Errorf("the layer has the links %v", linked)
	}
	for line := range strings.Lines(sums.stdout) {
		name := "work/" + line[:strings.Index(line, "/")]
		if to, ok := linked[name]; ok {
			name = to
		}
		data, ok := contents[name]
		if got := fmt.Sprintf("/%d/%x\n", len(data), sha256.Sum256([]byte(data))); !ok || got != line[strings.Index(line, "/"):] {
			t.Errorf("in the cell there is %s in the layer %v %s", line, ok, got)
		}
	}
}

// layerSparse wants a file of a terabyte to be refused, and the cell to live on.
func layerSparse(t *testing.T, s *suite) {
	x := s.open(t)
	x.python("open('/work/sparse', 'wb').truncate(1 << 40)").succeeds(t)
	err := x.cell.Layer(x.ctx, io.Discard)
	if e := api.AsError(err); e == nil || e.Code != api.OutputTooLarge {
		t.Errorf("got %v, want that it is too large", err)
	}
	x.python("import os; os.remove('/work/sparse'); print('alive')").prints(t, "alive\n")
	x.layer()
}

// layerLarge wants a snapshot to need no memory of the cell.
func layerLarge(t *testing.T, s *suite) {
	x := s.open(t, func(spec *cell.Spec) { spec.Resources.Memory = 64 << 20 })
	x.python("f = open('/work/large', 'wb')\nfor i in range(300): f.write(bytes([i % 256]) * (1 << 20))").succeeds(t)
	var n int
	if err := x.cell.Layer(x.ctx, writerFunc(func(p []byte) { n += len(p) })); err != nil || n < 300<<20 {
		t.Fatalf("the layer has %d bytes, %v", n, describe(err))
	}
	x.python("print('alive')").prints(t, "alive\n")
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
