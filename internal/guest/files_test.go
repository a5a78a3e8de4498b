package guest

import (
	"archive/tar"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"github.com/glovebox-dev/glovebox/internal/guest/wire"
)

// connect serves put and get from this process.
func connect(t *testing.T) *wire.Mux {
	t.Helper()
	unix.Umask(umask)
	a, b := net.Pipe()
	g := &server{}
	g.converse(b)
	host := wire.NewMux(wire.Host, a, nil)
	go g.mux.Load().Run()
	go host.Run()
	t.Cleanup(func() { host.Close(); g.mux.Load().Close() })
	return host
}

type entry struct {
	Name, Kind, Content string
}

func get(t *testing.T, request wire.Get) ([]entry, wire.Done) {
	t.Helper()
	ch, err := connect(t).Open(wire.KindGet, request)
	if err != nil {
		t.Fatal(err)
	}
	var got []entry
	archive := tar.NewReader(ch)
	for {
		h, err := archive.Next()
		if err != nil {
			break
		}
		content, _ := io.ReadAll(archive)
		got = append(got, entry{strings.TrimSuffix(h.Name, "/"), string(h.Typeflag), string(content)})
	}
	io.Copy(io.Discard, ch)
	var done wire.Done
	if err := ch.Status(&done); err != nil {
		t.Fatal(err)
	}
	return got, done
}

func TestGetSendsFilesAndTreesAndFollowsNothing(t *testing.T) {
	dir := t.TempDir()
	os.Mkdir(filepath.Join(dir, "tree"), 0o755)
	os.WriteFile(filepath.Join(dir, "tree", "inner"), []byte("in"), 0o600)
	os.WriteFile(filepath.Join(dir, "plain"), []byte("text"), 0o600)
	os.Symlink("/etc/passwd", filepath.Join(dir, "link"))
	unix.Mkfifo(filepath.Join(dir, "fifo"), 0o600)
	socket, err := net.Listen("unix", filepath.Join(dir, "socket"))
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()

	got, done := get(t, wire.Get{Dir: dir, Names: []string{"plain", "absent", "tree", "link", "fifo", "socket"}, Bytes: 100, Files: 100})
	want := []entry{
		{"plain", "0", "text"}, {"tree", "5", ""}, {"tree/inner", "0", "in"},
		{"link", "2", ""}, {"fifo", "6", ""}, {"socket", "6", ""},
	}
	if diff := cmp.Diff(want, got); diff != "" || done != (wire.Done{}) {
		t.Errorf("done %+v, entries (-want +got):\n%s", done, diff)
	}
}

func TestGetRefusesMoreThanItsLimits(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a", "b", "c"} {
		os.WriteFile(filepath.Join(dir, name), []byte("12345"), 0o600)
	}
	sparse, err := os.Create(filepath.Join(dir, "sparse"))
	if err != nil {
		t.Fatal(err)
	}
	sparse.Truncate(1 << 40)
	sparse.Close()
	tests := map[string]struct {
		request wire.Get
		want    wire.Done
	}{
		"bytes":         {wire.Get{Names: []string{"a", "b", "c"}, Bytes: 14, Files: 3}, wire.Done{Limit: "bytes", Size: 15, Name: "c"}},
		"files":         {wire.Get{Names: []string{"a", "b", "c"}, Bytes: 99, Files: 2}, wire.Done{Limit: "files", Size: 3, Name: "c"}},
		"apparent size": {wire.Get{Names: []string{"sparse"}, Bytes: 1 << 30, Files: 1}, wire.Done{Limit: "bytes", Size: 1 << 40, Name: "sparse"}},
		"just enough":   {wire.Get{Names: []string{"a", "b", "c"}, Bytes: 15, Files: 3}, wire.Done{}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			test.request.Dir = dir
			if _, done := get(t, test.request); done != test.want {
				t.Errorf("got %+v, want %+v", done, test.want)
			}
		})
	}
}

func put(t *testing.T, dir string, headers ...tar.Header) wire.Done {
	t.Helper()
	ch, err := connect(t).Open(wire.KindPut, wire.Put{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	var buf bytes.Buffer
	archive := tar.NewWriter(&buf)
	for _, h := range headers {
		content := h.PAXRecords["content"]
		h.PAXRecords = nil
		h.Size = int64(len(content))
		h.Uid, h.Gid = os.Getuid(), os.Getgid()
		if err := archive.WriteHeader(&h); err != nil {
			t.Fatal(err)
		}
		io.WriteString(archive, content)
	}
	archive.Close()
	ch.Write(buf.Bytes())
	ch.CloseWrite()
	var done wire.Done
	if err := ch.Status(&done); err != nil {
		t.Fatal(err)
	}
	return done
}

func file(name, content string, mode int64) tar.Header {
	return tar.Header{Name: name, Typeflag: tar.TypeReg, Mode: mode, PAXRecords: map[string]string{"content": content}}
}

func TestPutMakesWhatItIsGiven(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	done := put(t, dir,
		tar.Header{Name: "sub/", Typeflag: tar.TypeDir, Mode: 0o750},
		file("sub/read-only", "abc", 0o444),
		file("../escape", "inside", 0o644),
		tar.Header{Name: "link", Typeflag: tar.TypeSymlink, Linkname: "sub/read-only", Mode: 0o777},
	)
	if done != (wire.Done{}) {
		t.Fatalf("got %+v", done)
	}
	for path, want := range map[string]string{"sub/read-only": "abc", "link": "abc", "escape": "inside"} {
		if got, err := os.ReadFile(filepath.Join(dir, path)); err != nil || string(got) != want {
			t.Errorf("%s: %q, %v; want %q", path, got, err, want)
		}
	}
	info, err := os.Stat(filepath.Join(dir, "sub/read-only"))
	if err != nil || info.Mode().Perm() != 0o444 {
		t.Errorf("mode %v, %v; want 0444", info.Mode(), err)
	}
}

func TestPutRefusesDevices(t *testing.T) {
	done := put(t, t.TempDir(), tar.Header{Name: "dev", Typeflag: tar.TypeChar})
	if !strings.Contains(done.Error, `"dev" has the type`) {
		t.Errorf("got %+v, want a refusal that names the entry", done)
	}
}

func TestUnknownRequestsAreAnswered(t *testing.T) {
	ch, err := connect(t).Open("dance", json.RawMessage(`{}`))
	if err != nil {
		t.Fatal(err)
	}
	var done wire.Done
	if err := ch.Status(&done); err != nil || !strings.Contains(done.Error, `"dance"`) {
		t.Errorf("got %+v, %v", done, err)
	}
}

func TestLookPath(t *testing.T) {
	dir := t.TempDir()
	os.WriteFile(filepath.Join(dir, "tool"), nil, 0o755)
	os.WriteFile(filepath.Join(dir, "data"), nil, 0o644)
	env := []string{"HOME=/", "PATH=/nowhere:" + dir}
	tests := []struct {
		argv []string
		want string
		code int
	}{
		{[]string{"tool"}, filepath.Join(dir, "tool"), 0},
		{[]string{"./tool"}, "./tool", 0},
		{[]string{"data"}, "", 127},
		{[]string{"absent"}, "", 127},
		{[]string{""}, "", 126},
		{nil, "", 126},
	}
	for _, test := range tests {
		got, err := lookPath(wire.Texts(test.argv), wire.Texts(env))
		if got != test.want || (err != nil) != (test.code != 0) {
			t.Errorf("%q: got %q, %v; want %q", test.argv, got, err, test.want)
		}
		if err != nil && notStarted(err).Code != test.code {
			t.Errorf("%q: code %d, want %d", test.argv, notStarted(err).Code, test.code)
		}
	}
	if code := notStarted(errors.New("permission denied")).Code; code != 126 {
		t.Errorf("a program that cannot run gives %d, want 126", code)
	}
}

// TestGetOfAPathThatIsTooLong: a program can make one, step by step, that
// nobody can name.
func TestGetOfAPathThatIsTooLong(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	name := strings.Repeat("a", 250)
	for range 20 {
		if err := unix.Mkdir(name, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := unix.Chdir(name); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chdir(dir); err != nil {
		t.Fatal(err)
	}
	if _, done := get(t, wire.Get{Dir: dir, Names: []string{name}, Bytes: 1, Files: 100}); done.Limit != "path" {
		t.Errorf("got %+v, want the limit of paths", done)
	}
}

// TestDirectoryThatIsNone: for a missing directory and a missing program alike
// the kernel says that there is no such file.
func TestDirectoryThatIsNone(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	os.WriteFile(file, nil, 0o644)
	for at, none := range map[string]bool{dir: false, file: true, filepath.Join(dir, "absent"): true} {
		got := notStartedIn(at, fs.ErrNotExist)
		if got.Code != 127 || got.NoDir != none || strings.Contains(got.Error, at) != none {
			t.Errorf("%s: %+v", at, got)
		}
	}
}
