package celltest

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

var filesystemChecks = []check{
	{"write and read", fsWriteRead},
	{"hundred megabytes", fsLarge},
	{"parts of a file", fsParts},
	{"descriptions", fsStat},
	{"lists", fsList},
	{"make, move and remove", fsChange},
	{"O01_rights_of_the_user", fsRights},
	{"O02_fifos_devices_and_proc", fsSpecial},
	{"attributes", fsAttributes},
	{"trees", fsTrees},
	{"users", fsUsers},
	{"files for somebody else", fsOwner},
	{"events of a write", fsEvents},
	{"end of a call", fsContext},
	{"what it uses", fsMetrics},
}

var (
	asUser  = api.FileOptions{}
	asRoot  = api.FileOptions{User: "root"}
	for1000 = api.FileOptions{User: "root", Owner: "1000"}
)

func (x *session) write(path, content string, o api.WriteOptions) *api.FileInfo {
	x.t.Helper()
	info, err := x.cell.WriteFile(x.ctx, path, strings.NewReader(content), o)
	if err != nil {
		x.t.Fatalf("writing %s: %v", path, describe(err))
	}
	return info
}

func (x *session) read(path string, offset, limit int64, o api.FileOptions) string {
	x.t.Helper()
	r, _, err := x.cell.ReadFile(x.ctx, path, offset, limit, o)
	if err != nil {
		x.t.Fatalf("reading %s: %v", path, describe(err))
	}
	defer r.Close()
	data, err := io.ReadAll(r)
	if err != nil {
		x.t.Fatalf("reading %s: %v", path, describe(err))
	}
	return string(data)
}

func fsWriteRead(t *testing.T, s *suite) {
	x := s.open(t)
	info := x.write("/work/new/deep/file", "hello\x00\xff", api.WriteOptions{})
	if info.Path != "/work/new/deep/file" || info.Type != api.TypeFile || info.Size != 7 || info.Mode != 0o644 || info.UID != 1000 || info.GID != 1000 || info.Owner != "1000" {
		t.Errorf("got %+v", info)
	}
	if got := x.read("/work/new/deep/file", 0, 0, asUser); got != "hello\x00\xff" {
		t.Errorf("read %q", got)
	}
	x.write("/work/new/deep/file", "less", api.WriteOptions{})
	x.write("/work/new/deep/file", " and more", api.WriteOptions{Append: true})
	if got := x.read("~/new/deep/file", 0, 0, asUser); got != "less and more" {
		t.Errorf("read %q", got)
	}
	if info := x.write("bin/tool", "#!/bin/sh\necho ran\n", api.WriteOptions{Mode: 0o777}); info.Path != "/work/bin/tool" || info.Mode != 0o777 {
		t.Errorf("got %+v", info)
	}
	follow(x.start(command("/work/bin/tool"))).prints(t, "ran\n")
	if info := x.write("/work/empty", "", api.WriteOptions{}); info.Size != 0 {
		t.Errorf("got %+v", info)
	}
	x.sh("ln -s target link; stat -c '%a %U %u' new new/deep").prints(t, "755 UNKNOWN 1000\n755 UNKNOWN 1000\n")
	x.write("/work/link", "through", api.WriteOptions{})
	x.sh("cat target; test -L link").prints(t, "through")
	failure := errors.New("no more")
	_, err := x.cell.WriteFile(x.ctx, "/work/broken", io.MultiReader(strings.NewReader(strings.Repeat("x", 1<<20)), iotest.ErrReader(failure)), api.WriteOptions{})
	if !errors.Is(err, failure) {
		t.Errorf("got %v", err)
	}
}

func fsLarge(t *testing.T, s *suite) {
	x := s.open(t)
	const size = 100 << 20
	block := bytes.Repeat([]byte("0123456789abcdef"), 64<<10)
	sent := sha256.New()
	begin := time.Now()
	from := io.TeeReader(io.LimitReader(&repeated{block: block}, size), sent)
	if info, err := x.cell.WriteFile(x.ctx, "/work/large", from, api.WriteOptions{}); err != nil || info.Size != size {
		t.Fatalf("got %+v, %v", info, describe(err))
	}
	written := time.Since(begin)
	r, info, err := x.cell.ReadFile(x.ctx, "/work/large", 0, 0, asUser)
	if err != nil || info.Size != size {
		t.Fatalf("got %+v, %v", info, describe(err))
	}
	defer r.Close()
	got := sha256.New()
	if n, err := io.Copy(got, r); n != size || err != nil {
		t.Fatalf("read %d bytes, %v", n, err)
	}
	if !bytes.Equal(got.Sum(nil), sent.Sum(nil)) {
		t.Error("other bytes came back")
	}
	t.Logf("100 MiB written in %v, read in %v", written, time.Since(begin)-written)
	x.sh("sha256sum < large").prints(t, hex.EncodeToString(sent.Sum(nil))+"  -\n")
}

type repeated struct {
	block []byte
	at    int
}

func (r *repeated) Read(p []byte) (int, error) {
	n := copy(p, r.block[r.at:])
	r.at = (r.at + n) % len(r.block)
	return n, nil
}

func fsParts(t *testing.T, s *suite) {
	x := s.open(t)
	x.write("/work/f", "0123456789", api.WriteOptions{})
	for _, part := range []struct {
		offset, limit int64
		want          string
	}{{0, 3, "012"}, {4, 0, "456789"}, {8, 100, "89"}, {10, 0, ""}, {100, 5, ""}} {
		if got := x.read("/work/f", part.offset, part.limit, asUser); got != part.want {
			t.Errorf("from %d at most %d is %q, want %q", part.offset, part.limit, got, part.want)
		}
	}
	_, _, err := x.cell.ReadFile(x.ctx, "/work/f", -1, 0, asUser)
	failsWith(t, err, api.RequestInvalid, "offset")
}

func (x *session) stat(path string) *api.FileInfo {
	x.t.Helper()
	info, err := x.cell.StatFile(x.ctx, path, asUser)
	if err != nil {
		x.t.Fatalf("%s: %v", path, describe(err))
	}
	return info
}

func fsStat(t *testing.T, s *suite) {
	x := s.open(t)
	x.sh("mkdir d; echo text > d/f; chmod 4751 d/f; ln -s d/f link; ln -s link link2; ln -s nowhere gone; ln -s self self; mkfifo fifo; touch -d 2020-01-02T03:04:05Z d/f").prints(t, "")
	for path, want := range map[string]api.FileInfo{
		"/work/d/f":        {Type: api.TypeFile, Size: 5, Mode: 0o4751},
		"/work/link2":      {Type: api.TypeFile, Size: 5, Mode: 0o4751, Link: "/work/d/f"},
		"/work/gone":       {Type: api.TypeSymlink, Size: 7, Mode: 0o777, Link: "nowhere"},
		"/work/self":       {Type: api.TypeSymlink, Size: 4, Mode: 0o777, Link: "self"},
		"/work/fifo":       {Type: api.TypeOther, Mode: 0o644},
		"/work/d/../d/./f": {Type: api.TypeFile, Size: 5, Mode: 0o4751, Path: "/work/d/f"},
	} {
		got := x.stat(path)
		if want.Path == "" {
			want.Path = path
		}
		if got.Path != want.Path || got.Type != want.Type || got.Size != want.Size || got.Mode != want.Mode || got.Link != want.Link || got.UID != 1000 {
			t.Errorf("%s is %+v, want %+v", path, got, want)
		}
	}
	if at := x.stat("/work/d/f").Modified; !at.Equal(time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC)) {
		t.Errorf("modified %v", at)
	}
	if info := x.stat("/"); info.Type != api.TypeDir || info.Owner != "root" || info.Group != "root" {
		t.Errorf("the root is %+v", info)
	}
	for path, code := range map[string]api.Code{
		"/work/none": api.NotFound, "/work/d/f/x": api.RequestInvalid, "/" + strings.Repeat("x", 300): api.RequestInvalid,
		"/" + strings.Repeat("x/", 3000): api.RequestInvalid, "/work/\x00": api.RequestInvalid,
	} {
		_, err := x.cell.StatFile(x.ctx, path, asUser)
		failsWith(t, err, code, "path")
	}
	_, err := x.cell.StatFile(x.ctx, "/", api.FileOptions{User: "stranger"})
	failsWith(t, err, api.RequestInvalid, "user")
}

func fsList(t *testing.T, s *suite) {
	x := s.open(t)
	x.sh("mkdir -p l/b/c/d l/a; touch l/b/x l/b.txt l/b/c/y; ln -s ../a l/b/link; mkdir -m 0 l/closed").prints(t, "")
	names := func(depth int) string {
		list, err := x.cell.ListFiles(x.ctx, "/work/l", depth, asUser)
		if err != nil {
			t.Fatal(describe(err))
		}
		var out []string
		for _, info := range list {
			out = append(out, strings.TrimPrefix(info.Path, "/work/l/")+":"+info.Type)
		}
		return strings.Join(out, " ")
	}
	const one = "a:dir b:dir b.txt:file closed:dir"
	if got := names(0); got != one {
		t.Errorf("got %s", got)
	}
	if got := names(9); got != "a:dir b:dir b/c:dir b/c/d:dir b/c/y:file b/link:symlink b/x:file b.txt:file closed:dir" {
		t.Errorf("got %s", got)
	}
	if list, err := x.cell.ListFiles(x.ctx, "/work/l/a", 1, asUser); err != nil || list == nil || len(list) != 0 {
		t.Errorf("got %v, %v", list, err)
	}
	for path, code := range map[string]api.Code{"/work/none": api.NotFound, "/work/l/b.txt": api.RequestInvalid, "/work/l/closed": api.Conflict} {
		_, err := x.cell.ListFiles(x.ctx, path, 1, asUser)
		failsWith(t, err, code, "path")
	}
}

func fsChange(t *testing.T, s *suite) {
	x := s.open(t)
	info, err := x.cell.MakeDir(x.ctx, "/work/p/q", asUser)
	if err != nil || info.Type != api.TypeDir || info.Mode != 0o755 || info.UID != 1000 {
		t.Errorf("got %+v, %v", info, describe(err))
	}
	_, err = x.cell.MakeDir(x.ctx, "/work/p/q", asUser)
	failsWith(t, err, api.Conflict, "path")
	x.write("/work/p/q/f", "x", api.WriteOptions{})
	if info, err = x.cell.MoveFile(x.ctx, "/work/p", "/work/r/s", asUser); err != nil || info.Path != "/work/r/s" || info.Type != api.TypeDir {
		t.Errorf("got %+v, %v", info, describe(err))
	}
	if got := x.read("/work/r/s/q/f", 0, 0, asUser); got != "x" {
		t.Errorf("read %q", got)
	}
	_, err = x.cell.MoveFile(x.ctx, "/work/p", "/work/z", asUser)
	failsWith(t, err, api.NotFound, "path")
	for range 2 {
		if err := x.cell.RemoveFile(x.ctx, "/work/r", asUser); err != nil {
			t.Error(describe(err))
		}
	}
	_, err = x.cell.StatFile(x.ctx, "/work/r", asUser)
	failsWith(t, err, api.NotFound, "path")
	failsWith(t, x.cell.RemoveFile(x.ctx, "/", asRoot), api.RequestInvalid, "path")
}

// fsRights: the rights of the user count, also behind links, and those of its
// groups. Afterwards the guest has its own again.
func fsRights(t *testing.T, s *suite) {
	x := s.open(t)
	x.pythonRoot(`
import os
open("/etc/group", "a").write("makers:x:77:builder\n")
open("/etc/passwd", "a").write("builder:x:1234:1234:B:/home/builder:/bin/sh\n")
os.mkdir("/secret", 0o700); open("/secret/f", "w").write("s"); os.chmod("/secret/f", 0o644)
open("/shared", "w").write("g"); os.chown("/shared", 0, 77); os.chmod("/shared", 0o640)
open("/etc/own", "w").write("o"); os.chmod("/etc/own", 0o600)
os.symlink("/secret/f", "/work/way"); os.symlink("/etc", "/work/etc")
`).succeeds(t)
	refused := func(what string, err error) {
		t.Helper()
		if err == nil || api.AsError(err).Code != api.Conflict || !strings.Contains(err.Error(), "permission denied") {
			t.Errorf("%s: got %v", what, err)
		}
	}
	for _, path := range []string{"/secret/f", "/work/way", "/shared", "/etc/own", "/work/etc/own", "/proc/1/mem"} {
		_, _, err := x.cell.ReadFile(x.ctx, path, 0, 0, asUser)
		refused("reading "+path, err)
		_, err = x.cell.WriteFile(x.ctx, path, strings.NewReader("x"), api.WriteOptions{})
		refused("writing "+path, err)
	}
	_, err := x.cell.WriteFile(x.ctx, "/etc/new", strings.NewReader("x"), api.WriteOptions{})
	refused("a new file", err)
	_, err = x.cell.MakeDir(x.ctx, "/etc/new/dir", asUser)
	refused("a new directory", err)
	refused("removing", x.cell.RemoveFile(x.ctx, "/etc/passwd", asUser))
	_, err = x.cell.MoveFile(x.ctx, "/etc/passwd", "/work/passwd", asUser)
	refused("moving", err)
	_, err = x.cell.DownloadTree(x.ctx, "/secret", asUser)
	refused("downloading", err)
	refused("uploading", x.cell.UploadTree(x.ctx, "/etc", archiveOf(t, file("own", []byte("x"))), asUser))
	builder := api.FileOptions{User: "builder"}
	if got := x.read("/shared", 0, 0, builder); got != "g" {
		t.Errorf("a member of the group reads %q", got)
	}
	if got := x.read("/secret/f", 0, 0, asRoot); got != "s" {
		t.Errorf("root reads %q", got)
	}
	if info := x.write("/etc/new", "x", api.WriteOptions{FileOptions: asRoot}); info.UID != 0 {
		t.Errorf("got %+v", info)
	}
	x.python("print(open('/proc/1/status').read().split('Uid:')[1].split('Groups:')[0].split())").succeeds(t)
	x.put("/etc/more", file("f", nil)) // the guest's own rights
}

// fsOwner: root writes where the user may not, and the user owns what it wrote.
func fsOwner(t *testing.T, s *suite) {
	x := s.open(t)
	x.write("/new/deep/file", "x", api.WriteOptions{FileOptions: for1000, Mode: 0o666})
	x.write("/old", "x", api.WriteOptions{FileOptions: asRoot})
	x.write("/old", "y", api.WriteOptions{FileOptions: for1000})
	x.write("~/home", "x", api.WriteOptions{FileOptions: for1000})
	if _, err := x.cell.MakeDir(x.ctx, "/made/dir", for1000); err != nil {
		t.Fatal(err)
	}
	if _, err := x.cell.MoveFile(x.ctx, "/new/deep/file", "/moved/to", for1000); err != nil {
		t.Fatal(err)
	}
	archive := archiveOf(t, file("sub/f", []byte("x")), entry{header: tar.Header{Name: "link", Typeflag: tar.TypeSymlink, Linkname: "/etc/passwd"}})
	if err := x.cell.UploadTree(x.ctx, "/tree/top", archive, for1000); err != nil {
		t.Fatal(err)
	}
	x.sh("stat -c '%u:%g %a %n' /new /new/deep /moved /moved/to /old /work/home /made /made/dir /tree /tree/top /tree/top/sub /tree/top/sub/f; stat -c '%u:%g' / /tree/top/link /etc/passwd").prints(t, `1000:1000 755 /new
1000:1000 755 /new/deep
1000:1000 755 /moved
1000:1000 666 /moved/to
1000:1000 644 /old
1000:1000 644 /work/home
1000:1000 755 /made
1000:1000 755 /made/dir
1000:1000 755 /tree
1000:1000 755 /tree/top
1000:1000 755 /tree/top/sub
1000:1000 644 /tree/top/sub/f
0:0
1000:1000
0:0
`)
	if _, err := x.cell.MakeDir(x.ctx, "/old/dir", for1000); err == nil {
		t.Error("a directory below a file is made")
	}
	_, err := x.cell.StatFile(x.ctx, "/", api.FileOptions{User: "root", Owner: "stranger"})
	failsWith(t, err, api.RequestInvalid, "user")
	_, err = x.cell.WriteFile(x.ctx, "/work/f", strings.NewReader("x"), api.WriteOptions{FileOptions: api.FileOptions{Owner: "root"}})
	if err == nil || !strings.Contains(err.Error(), "not permitted") {
		t.Errorf("a user gives files away: %v", err)
	}
}

// fsSpecial: nothing waits for a FIFO or reads a device without end.
func fsSpecial(t *testing.T, s *suite) {
	x := s.open(t)
	x.sh("mkfifo fifo; ln -s /dev/zero zero; truncate -s 1G sparse").prints(t, "")
	for _, path := range []string{"/work/fifo", "/work/zero", "/dev/null", "/work"} {
		_, _, err := x.cell.ReadFile(x.ctx, path, 0, 0, asUser)
		failsWith(t, err, api.RequestInvalid, "path")
		_, err = x.cell.WriteFile(x.ctx, path, strings.NewReader("x"), api.WriteOptions{})
		if path != "/work/fifo" {
			failsWith(t, err, api.RequestInvalid, "path")
		} else if err == nil {
			t.Error("a FIFO is written")
		}
	}
	if got := x.read("/proc/cpuinfo", 0, 0, asUser); !strings.Contains(got, "processor") {
		t.Errorf("a file of /proc has %q", got)
	}
	if got := x.read("/work/sparse", 1<<30-3, 0, asUser); got != "\x00\x00\x00" {
		t.Errorf("the end of a sparse file is %q", got)
	}
	x.sh("rm sparse; echo lives").prints(t, "lives\n")
}

func fsAttributes(t *testing.T, s *suite) {
	x := s.open(t)
	info := x.write("/work/f", "x", api.WriteOptions{Attributes: map[string]string{"a": "1", "b": "two\x00\xff"}})
	if len(info.Attributes) != 2 || info.Attributes["b"] != "two\x00\xff" {
		t.Errorf("got %v", info.Attributes)
	}
	x.write("/work/f", "y", api.WriteOptions{})
	if got := x.stat("/work/f").Attributes; len(got) != 2 || got["a"] != "1" {
		t.Errorf("a write without attributes leaves %v", got)
	}
	x.write("/work/f", "z", api.WriteOptions{Attributes: map[string]string{"c": "3"}})
	if got := x.stat("/work/f").Attributes; len(got) != 1 || got["c"] != "3" {
		t.Errorf("got %v", got)
	}
	x.write("/work/f", "z", api.WriteOptions{Attributes: map[string]string{}})
	if got := x.stat("/work/f").Attributes; len(got) != 0 {
		t.Errorf("got %v", got)
	}
	x.python("import os; [os.setxattr('f', 'user.%d' % i, b'x' * 1000) for i in range(40)]").succeeds(t)
	if got := x.stat("/work/f").Attributes; len(got) < 5 || len(got) > 10 {
		t.Errorf("of many large attributes, %d are said", len(got))
	}
	_, err := x.cell.WriteFile(x.ctx, "/work/f", strings.NewReader("x"), api.WriteOptions{Attributes: map[string]string{"big": strings.Repeat("x", 100<<10)}})
	failsWith(t, err, api.RequestInvalid, "attributes")
}

func archiveOf(t *testing.T, entries ...entry) io.Reader {
	t.Helper()
	var buf bytes.Buffer
	w := tar.NewWriter(&buf)
	if err := errors.Join(writeEntries(w, entries), w.Close()); err != nil {
		t.Fatal(err)
	}
	return &buf
}

func fsTrees(t *testing.T, s *suite) {
	x := s.open(t)
	script := entry{header: tar.Header{Typeflag: tar.TypeReg, Name: "sub/run", Mode: 0o755}, data: []byte("#!/bin/sh\n")}
	link := entry{header: tar.Header{Typeflag: tar.TypeSymlink, Name: "sub/link", Linkname: "run"}}
	escape := entry{header: tar.Header{Typeflag: tar.TypeReg, Name: "../../up", Mode: 0o600}, data: []byte("up")}
	large := file("large", bytes.Repeat([]byte("x"), 5<<20))
	if err := x.cell.UploadTree(x.ctx, "/work/made/here", archiveOf(t, directory("sub"), script, link, escape, large), asUser); err != nil {
		t.Fatal(describe(err))
	}
	x.sh("cd made/here; find . | sort; stat -c '%n %a %u' sub/run up sub; wc -c < large; readlink sub/link").
		prints(t, ".\n./large\n./sub\n./sub/link\n./sub/run\n./up\nsub/run 755 1000\nup 600 1000\nsub 755 1000\n5242880\nrun\n")
	x.sh("mkfifo made/here/sub/fifo").prints(t, "")
	got := x.download("/work/made")
	want := "here/:5 here/large:0:5242880 here/sub/:5 here/sub/link:2:run here/sub/run:0:10 here/up:0:2"
	if got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := x.download("/work/made/here/sub/link"); got != "run:0:10" {
		t.Errorf("one file is %s", got)
	}
	if err := x.cell.UploadTree(x.ctx, "/work/made/here", archiveOf(t, file("sub/link", []byte("plain"))), asUser); err != nil {
		t.Fatal(describe(err))
	}
	x.sh("cat made/here/sub/link; cat made/here/sub/run").prints(t, "plain#!/bin/sh\n")
	failsWith(t, x.cell.UploadTree(x.ctx, "/work", strings.NewReader(strings.Repeat("no archive", 1000)), asUser), api.RequestInvalid, "archive")
	_, err := x.cell.DownloadTree(x.ctx, "/work/none", asUser)
	failsWith(t, err, api.NotFound, "path")
}

func (x *session) download(path string) string {
	x.t.Helper()
	r, err := x.cell.DownloadTree(x.ctx, path, asUser)
	if err != nil {
		x.t.Fatal(describe(err))
	}
	defer r.Close()
	var out []string
	for archive := tar.NewReader(r); ; {
		header, err := archive.Next()
		if err == io.EOF {
			return strings.Join(out, " ")
		}
		if err != nil {
			x.t.Fatal(describe(err))
		}
		entry := header.Name + ":" + string(header.Typeflag)
		switch header.Typeflag {
		case tar.TypeReg:
			n, _ := io.Copy(io.Discard, archive)
			entry += fmt.Sprint(":", n)
		case tar.TypeSymlink:
			entry += ":" + header.Linkname
		}
		out = append(out, entry)
	}
}

func fsUsers(t *testing.T, s *suite) {
	x := s.open(t)
	for name, want := range map[string]api.User{
		"": {Name: "1000", UID: 1000, GID: 1000, Home: "/work"}, "root": {Name: "root", Home: "/root"},
		"0": {Name: "root", Home: "/root"}, "77777": {Name: "77777", UID: 77777, GID: 77777, Home: "/work"},
	} {
		if got, err := x.cell.User(x.ctx, name); err != nil || *got != want {
			t.Errorf("%q is %+v, %v", name, got, err)
		}
	}
	for _, name := range []string{"nobody-here", "-1", "99999999999", "a:b"} {
		_, err := x.cell.User(x.ctx, name)
		failsWith(t, err, api.RequestInvalid, "user")
	}
	x.pythonRoot("import os; os.remove('/etc/passwd'); os.mkfifo('/etc/passwd')").succeeds(t)
	if _, err := x.cell.User(x.ctx, "root"); err == nil {
		t.Error("a FIFO is a list of users")
	}
}

// fsEvents: a program that watches sees a new file appear, its mode, its content.
func fsEvents(t *testing.T, s *suite) {
	x := s.open(t)
	x.seesThreeEvents(api.WriteOptions{})
	x.seesThreeEvents(api.WriteOptions{FileOptions: for1000})
}

func (x *session) seesThreeEvents(o api.WriteOptions) {
	x.t.Helper()
	a := x.start(command("/usr/bin/python3", "-c", `
import ctypes, os, struct
libc = ctypes.CDLL(None)
fd = libc.inotify_init()
os.makedirs("/work/watched", exist_ok=True)
libc.inotify_add_watch(fd, b"/work/watched", 0x100 | 0x4 | 0x2)
print("up", flush=True)
seen = []
while len(seen) < 3:
    data = os.read(fd, 4096)
    while data:
        wd, mask, cookie, size = struct.unpack_from("iIII", data)
        seen.append({0x100: "create", 0x4: "attributes", 0x2: "write"}[mask])
        data = data[16 + size:]
print(seen)
`))
	x.until(a, "up\n")
	x.write("/work/watched/of-"+o.Owner, "content", o)
	follow(a).prints(x.t, "['create', 'attributes', 'write']\n")
}

// fsContext: the end of a call ends nothing in the cell.
func fsContext(t *testing.T, s *suite) {
	x := s.open(t)
	x.sh("truncate -s 1G large").prints(t, "")
	ctx, cancel := context.WithCancel(x.ctx)
	r, _, err := x.cell.ReadFile(ctx, "/work/large", 0, 0, asUser)
	if err != nil {
		t.Fatal(describe(err))
	}
	defer r.Close()
	tree, err := x.cell.DownloadTree(ctx, "/work", asUser)
	if err != nil {
		t.Fatal(describe(err))
	}
	defer tree.Close()
	written := make(chan error, 1)
	blocked, w := io.Pipe()
	defer w.Close()
	go func() {
		_, err := x.cell.WriteFile(ctx, "/work/part", blocked, api.WriteOptions{})
		written <- err
	}()
	w.Write(make([]byte, 1<<20))
	cancel()
	_, err = io.Copy(io.Discard, r)
	failsWith(t, err, api.Canceled, "")
	_, err = io.Copy(io.Discard, tree)
	failsWith(t, err, api.Canceled, "")
	go w.Write(make([]byte, 1<<20))
	failsWith(t, <-written, api.Canceled, "")
	_, err = x.cell.StatFile(ctx, "/work", asUser)
	failsWith(t, err, api.Canceled, "")
	x.sh("echo alive").prints(t, "alive\n")
}

func fsMetrics(t *testing.T, s *suite) {
	x := s.open(t)
	before, err := x.cell.Metrics(x.ctx)
	if err != nil || before.Processes != 0 {
		t.Fatalf("got %+v, %v", before, describe(err))
	}
	x.start(command("/bin/sleep", "100"))
	x.sh("head -c 50000000 /dev/urandom > file").prints(t, "")
	after, err := x.cell.Metrics(x.ctx)
	if err != nil || after.Processes != 1 || after.Disk-before.Disk < 45<<20 || after.Disk-before.Disk > 60<<20 || after.Memory <= 0 {
		t.Errorf("before %+v, after %+v, %v", before, after, err)
	}
}
