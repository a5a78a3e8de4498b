package celltest

import (
	"archive/tar"
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
)

var fileChecks = []check{
	{"put and get", filesRoundTrip},
	{"owners and modes", filesOwners},
	{"put stays below its directory", filesPutBelow},
	{"missing name", filesMissing},
	{"large", filesLarge},
	{"O01_symbolic_links", filesLinks},
	{"O02_exchanged_while_read", filesExchanged},
	{"O03_no_regular_file", filesSpecial},
	{"O04_names", filesNames},
	{"O07_many_files", filesMany},
	{"R05_sparse_file", filesSparse},
	{"limit of bytes", filesBytesLimit},
	{"reader that fails", filesReaderFails},
}

var plenty = cell.GetLimits{Bytes: 1 << 30, Files: 100_000}

// got is one entry that came out of a cell.
type got struct {
	Type byte
	Mode int64
	Data string
	Link string
}

func (x *session) get(dir string, limits cell.GetLimits, names ...string) (map[string]got, error) {
	entries := map[string]got{}
	err := x.cell.Get(x.ctx, dir, names, limits, func(h *tar.Header, r io.Reader) error {
		data, err := io.ReadAll(r)
		entries[strings.TrimSuffix(h.Name, "/")] = got{h.Typeflag, h.Mode & 0o7777, string(data), h.Linkname}
		return err
	})
	return entries, err
}

func (x *session) mustGet(dir string, names ...string) map[string]got {
	x.t.Helper()
	entries, err := x.get(dir, plenty, names...)
	if err != nil {
		x.t.Fatalf("getting %q below %s: %v", names, dir, describe(err))
	}
	return entries
}

func filesRoundTrip(t *testing.T, s *suite) {
	x := s.open(t)
	random := make([]byte, 3<<20)
	for i := range random {
		random[i] = byte(i * i >> 7)
	}
	x.put("/work/in", directory("."), directory("sub"), directory("sub/empty"), file("sub/blob", random), file("zero", nil), file("ünï code\n", []byte("x")))
	x.python("import shutil; shutil.copytree('/work/in', '/work/out')").succeeds(t)
	entries := x.mustGet("/work", "out")
	want := map[string]got{
		"out": {tar.TypeDir, 0o755, "", ""}, "out/sub": {tar.TypeDir, 0o755, "", ""}, "out/sub/empty": {tar.TypeDir, 0o755, "", ""},
		"out/sub/blob": {tar.TypeReg, 0o644, string(random), ""}, "out/zero": {tar.TypeReg, 0o644, "", ""},
		"out/ünï code\n": {tar.TypeReg, 0o644, "x", ""},
	}
	if diff := cmp.Diff(want, entries); diff != "" {
		t.Errorf("the tree came out different (-want +got):\n%.4000s", diff)
	}
}

func filesOwners(t *testing.T, s *suite) {
	x := s.open(t)
	x.put("/var/inputs", entry{header: tar.Header{Typeflag: tar.TypeReg, Name: "x", Mode: 0o444}, data: []byte("1")})
	x.put("/run/secrets", entry{header: tar.Header{Typeflag: tar.TypeReg, Name: "s", Mode: 0o400, Uid: cell.UserID, Gid: cell.UserID}, data: []byte("2")})
	x.python(`
import os
for path in ("/var/inputs/x", "/run/secrets/s"):
    st = os.stat(path)
    print(st.st_uid, st.st_gid, oct(st.st_mode & 0o7777), open(path).read())
for attack in (lambda: open("/var/inputs/x", "w"), lambda: os.remove("/var/inputs/x"), lambda: os.chmod("/var/inputs/x", 0o777),
               lambda: os.rename("/var/inputs/x", "/work/x"), lambda: os.mkdir("/var/inputs/y")):
    try:
        attack()
        print("an input was changed")
    except OSError:
        pass
`).prints(t, "0 0 0o444 1\n1000 1000 0o400 2\n")
}

// filesPutBelow sends names that point elsewhere. The host makes the names, so
// this is the second line of defence.
func filesPutBelow(t *testing.T, s *suite) {
	x := s.open(t)
	for _, name := range []string{"../escape", "/escape", "a/../../escape"} {
		err := x.cell.Put(x.ctx, "/work/in", func(w *tar.Writer) error { return writeEntries(w, []entry{file(name, []byte("x"))}) })
		if err != nil {
			t.Logf("%q is refused: %v", name, err)
		}
	}
	x.python("import os; print([p for p in ('/work/escape', '/escape', '/escape/escape') if os.path.exists(p)])").prints(t, "[]\n")
}

func filesMissing(t *testing.T, s *suite) {
	x := s.open(t)
	x.put("/work", file("here", []byte("x")))
	if entries := x.mustGet("/work", "gone", "here"); len(entries) != 1 || entries["here"].Data != "x" {
		t.Errorf("got %v", entries)
	}
	if entries := x.mustGet("/no/such/dir", "gone"); len(entries) != 0 {
		t.Errorf("got %v from a directory that does not exist", entries)
	}
}

func filesLarge(t *testing.T, s *suite) {
	x := s.open(t)
	x.python("open('/work/large', 'wb').write(b'0123456789abcdef' * (4 << 20))").succeeds(t)
	entries := x.mustGet("/work", "large")
	if want := strings.Repeat("0123456789abcdef", 4<<20); entries["large"].Data != want {
		t.Errorf("64 MiB came out as %d other bytes", len(entries["large"].Data))
	}
}

func filesLinks(t *testing.T, s *suite) {
	x := s.open(t)
	x.put("/var/outputs", directory("."), directory("dir"))
	x.python(`
import os
os.symlink("/etc/passwd", "/var/outputs/file")
os.symlink("/", "/var/outputs/root")
os.symlink("../../../../../../etc", "/var/outputs/dir/up")
os.symlink("loop", "/var/outputs/loop")
os.mkdir("/work/elsewhere"); open("/work/elsewhere/x", "w").write("x")
os.symlink("/work/elsewhere", "/var/outputs/parent")
`).succeeds(t)
	want := map[string]got{
		"file": {tar.TypeSymlink, 0o777, "", "/etc/passwd"}, "root": {tar.TypeSymlink, 0o777, "", "/"},
		"dir": {tar.TypeDir, 0o755, "", ""}, "dir/up": {tar.TypeSymlink, 0o777, "", "../../../../../../etc"},
		"loop": {tar.TypeSymlink, 0o777, "", "loop"}, "parent": {tar.TypeSymlink, 0o777, "", "/work/elsewhere"},
	}
	if diff := cmp.Diff(want, x.mustGet("/var/outputs", "file", "root", "dir", "loop", "parent")); diff != "" {
		t.Errorf("links came out different (-want +got):\n%s", diff)
	}
}

// filesExchanged leaves a process behind that exchanges a file and a link as
// quickly as it can. It must be dead before the files are read.
func filesExchanged(t *testing.T, s *suite) {
	x := s.open(t)
	x.python(`
import os, time
open("/work/a", "w").write("mine")
os.symlink("/etc/passwd", "/work/b")
if os.fork() == 0:
    os.setsid()
    while True:
        os.rename("/work/a", "/work/c"); os.rename("/work/b", "/work/a"); os.rename("/work/c", "/work/b")
time.sleep(0.1)
`).succeeds(t)
	for range 20 {
		for name, entry := range x.mustGet("/work", "a", "b", "c") {
			if entry.Data != "" && entry.Data != "mine" {
				t.Fatalf("%s was followed: %q", name, entry.Data)
			}
		}
	}
}

func filesSpecial(t *testing.T, s *suite) {
	x := s.open(t)
	x.pythonRoot(`
import os, socket
os.mkfifo("/work/fifo", 0o666)
socket.socket(socket.AF_UNIX).bind("/work/socket")
open("/work/suid", "w").write("data"); os.chmod("/work/suid", 0o4755)
os.link("/work/suid", "/work/hard")
open("/work/closed", "w").write("secret"); os.chmod("/work/closed", 0)
`).succeeds(t)
	entries := x.mustGet("/work", "fifo", "socket", "suid", "hard", "closed")
	for _, name := range []string{"fifo", "socket"} {
		if e := entries[name]; e.Data != "" || e.Type == tar.TypeReg || e.Type == tar.TypeDir {
			t.Errorf("the %s came as %+v", name, e)
		}
	}
	for name, data := range map[string]string{"suid": "data", "hard": "data", "closed": "secret"} {
		if e := entries[name]; e.Data != data || e.Type != tar.TypeReg {
			t.Errorf("%s came as %+v", name, e)
		}
	}
}

func filesNames(t *testing.T, s *suite) {
	x := s.open(t)
	x.python(`
import os
os.mkdir("/work/d")
for name in (b"-rf", b"new\nline", b"\xff\xfe", b"n" * 255, b"con", b"Case", b"case", b"...", b"a\\b", b"\x01"):
    open(b"/work/d/" + name, "wb").write(name)
`).succeeds(t)
	entries := x.mustGet("/work", "d")
	for _, name := range []string{"-rf", "new\nline", "\xff\xfe", strings.Repeat("n", 255), "con", "Case", "case", "...", `a\b`, "\x01"} {
		if entries["d/"+name].Data != name {
			t.Errorf("%q came as %+v", name, entries["d/"+name])
		}
	}
	if len(entries) != 11 {
		t.Errorf("%d entries came, want 11: %q", len(entries), sortedNames(entries))
	}
}

func sortedNames(entries map[string]got) []string { return slices.Sorted(maps.Keys(entries)) }

func filesMany(t *testing.T, s *suite) {
	x := s.open(t)
	x.python(`
import os
os.mkdir("/work/many")
for i in range(2000): open("/work/many/%d" % i, "w")
`).succeeds(t)
	_, err := x.get("/work", cell.GetLimits{Bytes: 1 << 30, Files: 1000}, "many")
	outcome{err: err}.fails(t, api.OutputTooLarge)
	if entries := x.mustGet("/work", "many"); len(entries) != 2001 {
		t.Errorf("%d entries came, want 2001", len(entries))
	}
}

func filesSparse(t *testing.T, s *suite) {
	x := s.open(t)
	x.python(`
for size in (1 << 60, 1 << 50, 1 << 43):
    try:
        open("/work/sparse", "wb").truncate(size)
        break
    except OSError:
        pass
else:
    raise SystemExit("no sparse file can be made")
`).succeeds(t)
	_, err := x.get("/work", plenty, "sparse")
	outcome{err: err}.fails(t, api.OutputTooLarge)
}

func filesBytesLimit(t *testing.T, s *suite) {
	x := s.open(t)
	x.put("/work", file("a", bytes.Repeat([]byte("x"), 1000)), file("b", bytes.Repeat([]byte("x"), 1000)))
	_, err := x.get("/work", cell.GetLimits{Bytes: 1999, Files: 10}, "a", "b")
	details := outcome{err: err}.fails(t, api.OutputTooLarge).Details
	if details.Limit != 1999 || details.Peak < 2000 || details.Field != "b" {
		t.Errorf("the error says limit %d, size %d and %q, want 1999, 2000 and b", details.Limit, details.Peak, details.Field)
	}
	if _, err := x.get("/work", cell.GetLimits{Bytes: 2000, Files: 2}, "a", "b"); err != nil {
		t.Errorf("just within the limit: %v", err)
	}
}

func filesReaderFails(t *testing.T, s *suite) {
	x := s.open(t)
	x.put("/work", file("a", bytes.Repeat([]byte("x"), 5<<20)))
	mine := fmt.Errorf("the disk of the host is full")
	err := x.cell.Get(x.ctx, "/work", []string{"a"}, plenty, func(*tar.Header, io.Reader) error { return mine })
	if err != mine {
		t.Errorf("the error is %v, want the reader's own", err)
	}
	x.python("print('alive')").prints(t, "alive\n")
}
