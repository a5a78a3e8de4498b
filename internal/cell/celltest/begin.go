package celltest

import (
	"errors"
	"io"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
)

var beginChecks = []check{
	{"with the changes of another cell", beginSame},
	{"with the files of a cell that lives", beginLive},
	{"with more files of one that lives than the disk has", beginLiveTooLarge},
	{"with files of one that lives, and does not start", beginLiveFails},
	{"after each other", beginChain},
	{"with more than memory", beginLarge},
	{"and save it", beginSave},
	{"R05_more_than_the_disk", beginTooLarge},
	{"nothing", beginNothing},
	{"what cannot be opened", beginFails},
	{"what fails after its last entry", beginFailsLate},
	{"a damaged archive", beginDamaged},
}

// changeAll changes the file system in every way that a layer knows.
const changeAll = `
import os, random, socket
def write(name, data, mode=0o644, at=0):
    with open(name, "r+b" if os.path.exists(name) else "wb") as f: f.seek(at); f.write(data)
    os.chmod(name, mode)
os.makedirs("/opt/tool/bin")
write("/opt/tool/bin/run", b"new", 0o4751); os.chown("/opt/tool/bin/run", 12, 34); os.chmod("/opt/tool/bin/run", 0o4751)
os.utime("/opt/tool/bin/run", ns=(5, 1_600_000_000_123_456_789))
os.symlink("run", "/opt/tool/bin/link"); os.symlink("x" * 3000, "/opt/tool/long link")
os.mkfifo("/opt/tool/pipe", 0o640)
write("/etc/issue", b"changed"); os.remove("/usr/bin/env"); os.remove("/usr/bin/tail")
import shutil; shutil.rmtree("/usr/share/doc"); os.mkdir("/usr/share/doc"); write("/usr/share/doc/only", b"one")
os.chdir("/opt")
write("empty", b""); write("one", b"1"); write("page", os.urandom(4096)); write("over", os.urandom(4097))
write("zeros", bytes(300_000)); write("hole", b"after", at=3_000_000); write("random", os.urandom(5_000_001))
for i in range(300): write("small%d" % i, os.urandom(random.randrange(9000)))
os.link("random", "zlink"); os.link("one", "another")
write("a\nb\xff" + "n" * 200, b"name"); os.makedirs("/opt/" + "d" * 120 + "/" + "e" * 150); write("/opt/" + "d" * 120 + "/" + "e" * 150 + "/f", b"deep")
os.setxattr("one", "user.note", b"text")
`

// listAll says what is in the places that changeAll changes.
const listAll = `
import hashlib, os, stat
def show(path):
    s = os.lstat(path)
    what = [repr(path), oct(s.st_mode), s.st_uid, s.st_gid, s.st_nlink]
    if stat.S_ISDIR(s.st_mode): what.append(sorted(os.listdir(path)))
    else: what += [s.st_size, (s.st_mtime_ns + 500_000_000) // 1_000_000_000] # a layer has whole seconds
    if stat.S_ISLNK(s.st_mode): what.append(os.readlink(path))
    elif stat.S_ISREG(s.st_mode): what += [hashlib.sha256(open(path, "rb").read()).hexdigest(), [(n, os.getxattr(path, n)) for n in os.listxattr(path)]]
    print(*what)
    if stat.S_ISDIR(s.st_mode):
        for name in sorted(os.listdir(path)): show(path + "/" + name)
for path in ("/opt", "/usr/share/doc", "/etc/issue"): show(path)
print(os.path.exists("/usr/bin/env"), os.path.exists("/usr/bin/tail"), os.path.exists("/usr/bin/head"))
`

// sameFiles wants a cell to have the files that were listed.
func (x *session) sameFiles(t *testing.T, want outcome) {
	t.Helper()
	got := x.pythonRoot(listAll)
	got.succeeds(t)
	if diff := cmp.Diff(strings.Split(want.stdout, "\n"), strings.Split(got.stdout, "\n")); diff != "" {
		t.Errorf("the files differ: %.3000s", diff)
	}
}

// archive is what a cell has changed, in a file.
func (x *session) archive() *os.File {
	x.t.Helper()
	f, err := os.CreateTemp(x.t.TempDir(), "layer-")
	if err != nil {
		x.t.Fatal(err)
	}
	x.t.Cleanup(func() { f.Close() })
	if err := x.cell.Layer(x.ctx, f); err != nil {
		x.t.Fatalf("taking the layer: %v", describe(err))
	}
	return f
}

// beginningWith makes a cell begin with an archive.
func beginningWith(f *os.File) func(*cell.Spec) {
	return func(spec *cell.Spec) { spec.Layer = func() (io.ReadCloser, error) { return os.Open(f.Name()) } }
}

// beginSame wants two cells to begin with the same files, of which each has its own,
// though the archive comes late.
func beginSame(t *testing.T, s *suite) {
	x := s.open(t)
	x.pythonRoot(changeAll).succeeds(t)
	want := x.pythonRoot(listAll)
	want.succeeds(t)
	archive := x.archive()
	for range 2 {
		child := s.open(t, func(spec *cell.Spec) {
			spec.Layer = func() (io.ReadCloser, error) {
				time.Sleep(200 * time.Millisecond)
				return os.Open(archive.Name())
			}
		})
		child.sameFiles(t, want)
		child.pythonRoot("open('/opt/random', 'wb').write(b'other'); open('/opt/page', 'r+b').write(b'other')").succeeds(t)
	}
}

// living is the archive of a cell that lives.
type living struct{ x *session }

func (l living) WriteLayer(w io.Writer) error { return l.x.cell.Layer(l.x.ctx, w) }

func (living) Read([]byte) (int, error) { return 0, errors.New("this is written and not read") }

func (living) Close() error { return nil }

// breaking is the archive of a cell that lives, of which the end is missing.
type breaking struct{ living }

func (b breaking) WriteLayer(w io.Writer) error {
	return errors.Join(b.living.WriteLayer(w), errors.New("the end is missing"))
}

// beginningWithThat makes a cell begin with what another one has changed.
func beginningWithThat(x *session) func(*cell.Spec) {
	return func(spec *cell.Spec) { spec.Layer = func() (io.ReadCloser, error) { return living{x}, nil } }
}

// beginLive wants a cell to begin with what another one has, file by file, and both to
// have their own from then on.
func beginLive(t *testing.T, s *suite) {
	x := s.open(t)
	x.pythonRoot(changeAll + `
write("large", os.urandom(7_000_001)); write("sparse", os.urandom(2_000_000), at=50_000_000); os.truncate("sparse", 60_000_000)
os.truncate("zlink", 4_500_000); write("random", os.urandom(300_000), at=2_000_000)
open("/etc/large", "wb").write(os.urandom(2_000_000))
`).succeeds(t)
	want := x.pythonRoot(listAll)
	want.succeeds(t)
	child := s.open(t, beginningWithThat(x))
	child.sameFiles(t, want)
	child.pythonRoot("open('/opt/large', 'r+b').write(b'other'); open('/opt/new', 'wb').write(bytes(3_000_000))").succeeds(t)
	x.sameFiles(t, want)
	s.open(t, beginningWithThat(x)).sameFiles(t, want)
	again := s.open(t, beginningWith(child.archive()))
	got := child.pythonRoot(listAll)
	got.succeeds(t)
	again.sameFiles(t, got)
}

func beginLiveTooLarge(t *testing.T, s *suite) {
	x := s.open(t)
	x.python("open('/work/large', 'wb').write(b'x' * (32 << 20))").succeeds(t)
	_, err := s.tryOpen(t, beginningWithThat(x), func(spec *cell.Spec) { spec.Resources.Disk = 16 << 20 })
	if !errors.Is(err, &api.Error{Code: api.StorageFull}) {
		t.Errorf("got %v, want that the storage is full", err)
	}
	x.python("print(len(open('/work/large').read()))").prints(t, "33554432\n")
}

// beginLiveFails wants the cell whose files are copied to live on when the new one does
// not start.
func beginLiveFails(t *testing.T, s *suite) {
	x := s.open(t)
	x.python("open('/work/large', 'wb').write(b'x' * (32 << 20))").succeeds(t)
	broken := func(spec *cell.Spec) { spec.Layer = func() (io.ReadCloser, error) { return breaking{living{x}}, nil } }
	if _, err := s.tryOpen(t, broken); err == nil {
		t.Error("a cell started without the end of its files")
	}
	x.python("print(len(open('/work/large').read()))").prints(t, "33554432\n")
}

// beginChain wants what many cells after each other have changed to be there.
func beginChain(t *testing.T, s *suite) {
	x := s.open(t)
	x.pythonRoot(changeAll).succeeds(t)
	want := x.pythonRoot(listAll)
	want.succeeds(t)
	for i := range 4 {
		x = s.open(t, beginningWith(x.archive()))
		x.sameFiles(t, want)
		x.pythonRoot(`
import os, random
os.chdir("/opt")
for name in ("random", "hole", "small7", "one"):
    with open(name, "r+b") as f: f.seek(random.randrange(5000)); f.write(os.urandom(20_000))
os.truncate("over", 3); os.remove("small` + string(rune('1'+i)) + `"); open("new", "ab").write(os.urandom(100_000))
`).succeeds(t)
		want = x.pythonRoot(listAll)
		want.succeeds(t)
	}
}

// beginLarge wants the beginning to need no memory of the cell.
func beginLarge(t *testing.T, s *suite) {
	small := func(spec *cell.Spec) { spec.Resources.Memory = 64 << 20 }
	x := s.open(t, small)
	x.python("f = open('/work/large', 'wb')\nfor i in range(300): f.write(bytes([i % 255 + 1]) * (1 << 20))").succeeds(t)
	child := s.open(t, small, beginningWith(x.archive()))
	child.python("f = open('/work/large', 'rb'); print(all(f.read(1 << 20) == bytes([i % 255 + 1]) * (1 << 20) for i in range(300)))").prints(t, "True\n")
}

// beginSave wants a cell that has begun with files to be saved like any other.
func beginSave(t *testing.T, s *suite) {
	x := s.open(t)
	x.pythonRoot(changeAll).succeeds(t)
	child := s.open(t, beginningWith(x.archive()))
	want := child.pythonRoot(listAll)
	want.succeeds(t)
	st := child.save(t)
	restored := s.restore(t, st)
	restored.sameFiles(t, want)
	again := s.open(t, beginningWith(restored.archive()))
	again.sameFiles(t, want)
}

// beginTooLarge wants files to be refused that the cell may not have.
func beginTooLarge(t *testing.T, s *suite) {
	x := s.open(t)
	x.python("open('/work/large', 'wb').write(b'x' * (32 << 20))").succeeds(t)
	_, err := s.tryOpen(t, beginningWith(x.archive()), func(spec *cell.Spec) { spec.Resources.Disk = 16 << 20 })
	if !errors.Is(err, &api.Error{Code: api.StorageFull}) {
		t.Errorf("got %v, want that the storage is full", err)
	}
}

// beginNothing begins with what a cell has that wrote no file.
func beginNothing(t *testing.T, s *suite) {
	x := s.open(t)
	x.pythonRoot("import os; os.remove('/usr/bin/env'); os.symlink('a', '/opt/b')").succeeds(t)
	child := s.open(t, beginningWith(x.archive()))
	child.pythonRoot("import os; print(os.path.exists('/usr/bin/env'), os.readlink('/opt/b'))\nopen('/opt/c', 'w').write('c'); print(open('/opt/c').read())").
		prints(t, "False a\nc\n")
}

// beginFails wants the error of the opener, and nothing left.
func beginFails(t *testing.T, s *suite) {
	gone := errors.New("the archive is gone")
	_, err := s.tryOpen(t, func(spec *cell.Spec) { spec.Layer = func() (io.ReadCloser, error) { return nil, gone } })
	if !errors.Is(err, gone) {
		t.Errorf("got %v, want the error of the opener", err)
	}
}

// beginFailsLate wants no cell if who writes the archive fails after all of it.
func beginFailsLate(t *testing.T, s *suite) {
	archive, late := s.open(t).archive(), errors.New("too late")
	_, err := s.tryOpen(t, func(spec *cell.Spec) {
		spec.Layer = func() (io.ReadCloser, error) {
			from, to := io.Pipe()
			go func() {
				_, err := io.Copy(to, io.NewSectionReader(archive, 0, math.MaxInt64))
				to.CloseWithError(errors.Join(err, late))
			}()
			return from, nil
		}
	})
	if !errors.Is(err, late) {
		t.Errorf("got %v, want the late error", err)
	}
}

// beginDamaged wants an error for every archive that is none, and no cell.
func beginDamaged(t *testing.T, s *suite) {
	x := s.open(t)
	x.python("open('/work/file', 'wb').write(b'x' * 100_000)").succeeds(t)
	whole, err := os.ReadFile(x.archive().Name())
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{
		"text": []byte("no archive at all"), "half": whole[:len(whole)/2], "a part of the first entry": whole[:700],
	} {
		f, err := os.CreateTemp(t.TempDir(), "damaged-")
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		f.Write(content)
		if _, err := s.tryOpen(t, beginningWith(f)); err == nil {
			t.Errorf("%s: a cell began with it", name)
		}
	}
}
