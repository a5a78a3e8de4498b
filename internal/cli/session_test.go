package cli

import (
	"archive/tar"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/servicetest"
)

// sessionFake is a server with sessions.
type sessionFake struct {
	fakeService
	*servicetest.FakeSessions
	built []api.ImageSpec
}

func (f *sessionFake) BuildImage(_ context.Context, spec api.ImageSpec, _ func(api.Progress)) (*api.ImageInfo, error) {
	f.built = append(f.built, spec)
	return &api.ImageInfo{}, nil
}

func newSessionFake() *sessionFake { return &sessionFake{FakeSessions: servicetest.NewFakeSessions()} }

// session runs a command of a server that has sessions.
func (f *sessionFake) session(t *testing.T, in string, args ...string) printed {
	t.Helper()
	return f.command(t, true, in, append([]string{"session"}, args...)...)
}

func (f *sessionFake) command(t *testing.T, remote bool, in string, args ...string) printed {
	t.Helper()
	var out, errs bytes.Buffer
	c := &cli{
		Streams: Streams{In: strings.NewReader(in), Out: &out, Err: &errs}, remote: remote,
		connect: func(context.Context, string) (api.Service, error) { return f, nil },
	}
	root := c.root()
	root.SetArgs(args)
	cmd, err := root.ExecuteContextC(t.Context())
	status := c.conclude(cmd, args, err)
	return printed{out.String(), errs.String(), status}
}

// succeed is session for what must succeed; it returns what was printed.
func (f *sessionFake) succeed(t *testing.T, args ...string) string {
	t.Helper()
	got := f.session(t, "", args...)
	if got.status != 0 || got.err != "" {
		t.Fatalf("%q: status %d, %s", args, got.status, got.err)
	}
	return got.out
}

func TestSessionNeedsAServer(t *testing.T) {
	t.Setenv("GLOVEBOX_HOME", t.TempDir())
	for _, args := range [][]string{{"new"}, {"exec", "s", "--", "ls"}, {"port", "s", "80"}, {"pause", "s"}} {
		got := run(t, &fakeService{}, append([]string{"session"}, args...)...)
		if got.status != exitUsage || !strings.Contains(got.err, "there is no server that could hold the session") || !strings.Contains(got.err, "glovebox serve") {
			t.Errorf("%q: %+v", args, got)
		}
	}
	got := newSessionFake().command(t, false, "", "session", "ls")
	if got.status != 0 || !strings.HasPrefix(got.out, "SESSION") {
		t.Errorf("ls without a server: %+v", got)
	}
}

// TestServerOfTheHome: the server of the home is found where it listens.
func TestServerOfTheHome(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("GLOVEBOX_HOME", dir)
	c := &cli{}
	if c.findServer(); c.remote {
		t.Error("there is none")
	}
	if err := os.Mkdir(filepath.Join(dir, "server"), 0o700); err != nil {
		t.Fatal(err)
	}
	ln, err := net.Listen("unix", filepath.Join(dir, serverSocket))
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	if c.findServer(); !c.remote || c.server != "unix://"+filepath.Join(dir, serverSocket) {
		t.Errorf("remote %v, at %q", c.remote, c.server)
	}
}

func TestSessionLife(t *testing.T) {
	f := newSessionFake()
	id := strings.TrimSpace(f.succeed(t, "new", "-p", "numpy", "--label", "user=ada", "-e", "A=b", "--idle", "1h", "--timeout", "2h", "--kill", "--network", "public"))
	s, err := f.Session(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	if s.Spec.Labels["user"] != "ada" || s.Spec.Env["A"] != "b" || s.Spec.Idle.Hours() != 1 || s.Spec.Timeout.Hours() != 2 || s.Spec.AtEnd != api.AtEndKill || !s.Spec.Network.Public || len(f.built) != 1 {
		t.Errorf("made %+v", s.Spec)
	}
	if got := f.succeed(t, "ls"); !strings.Contains(got, id) || !strings.Contains(got, "running") || !strings.Contains(got, "user=ada") {
		t.Error(got)
	}
	f.succeed(t, "pause", id, "--reason", "later")
	if got := f.succeed(t, "ls", "--state", "paused", "--label", "user=ada"); !strings.Contains(got, "later") {
		t.Error(got)
	}
	f.succeed(t, "resume", id)
	forks := strings.Fields(f.succeed(t, "fork", id, "--count", "2", "--label", "try=1"))
	if len(forks) != 2 {
		t.Errorf("forks %q", forks)
	}
	shot := strings.TrimSpace(f.succeed(t, "snapshot", "new", id, "--name", "tools:1"))
	if got := f.succeed(t, "snapshot", "ls", "--session", id); !strings.Contains(got, shot) || !strings.Contains(got, "tools:1") {
		t.Error(got)
	}
	f.succeed(t, "new", "--snapshot", "tools:1")
	f.succeed(t, "snapshot", "rm", "tools:1")
	f.succeed(t, append([]string{"kill", id}, forks...)...)
	if got := f.succeed(t, "show", id); !strings.Contains(got, `"state": "ended"`) {
		t.Error(got)
	}
	if got := f.succeed(t, "ls"); strings.Contains(got, id+" ") {
		t.Error(got)
	}
	if got := f.succeed(t, "events", id, "-f"); !strings.Contains(got, "snapshot") || !strings.Contains(got, "ended") {
		t.Error(got)
	}
	if got := f.succeed(t, "usage", id); !strings.Contains(got, "12.5%") {
		t.Error(got)
	}
	if got := f.succeed(t, "connections", id); !strings.Contains(got, "pypi.org:443") {
		t.Error(got)
	}
	if got := f.succeed(t, "connections", id, "--json"); !strings.Contains(got, `"bytes_in":100`) {
		t.Error(got)
	}
}

func TestSessionsByABeginning(t *testing.T) {
	f := newSessionFake()
	for range 10 {
		f.succeed(t, "new")
	}
	if got := f.succeed(t, "show", "session10"); !strings.Contains(got, `"session10"`) {
		t.Error(got)
	}
	if got := f.succeed(t, "show", "session1"); !strings.Contains(got, `"session1"`) { // whole, though another one begins so
		t.Error(got)
	}
	if got := f.succeed(t, "show", "latest"); !strings.Contains(got, `"session10"`) {
		t.Error(got)
	}
	if got := f.session(t, "", "show", "sess"); got.status != exitUsage || !strings.Contains(got.err, "the ids of several sessions begin with sess") || !strings.Contains(got.err, "...") {
		t.Errorf("%+v", got)
	}
	if got := f.session(t, "", "show", "other"); got.status == 0 || !strings.Contains(got.err, "not_found") {
		t.Errorf("%+v", got)
	}
}

func TestSessionExec(t *testing.T) {
	f := newSessionFake()
	id := strings.TrimSpace(f.succeed(t, "new"))
	expect(t, f.session(t, "", "exec", id, "--", "echo", "-n", "hello"), printed{out: "-n hello\n"})
	expect(t, f.session(t, "", "exec", id, "--", "sh", "-c", "echo wrong >&2"), printed{err: "wrong\n"})
	expect(t, f.session(t, "", "exec", id, "--", "sh", "-c", "exit 7"), printed{status: 7})
	expect(t, f.session(t, "piped\nthrough", "exec", id, "--", "cat"), printed{out: "piped\nthrough"})
	expect(t, f.session(t, "", "exec", id, "-t", "--", "echo", "\x1b[31m"), printed{out: "\x1b[31m\n"})
	expect(t, f.session(t, "", "exec", id, "-t", "-d", "--", "echo"), printed{status: exitUsage, err: "glovebox: -t and -d contradict each other\n  hint: give one of them\n"})
	if got := f.session(t, "", "exec", id, "--timeout", "1s", "--", "sleep", "9"); got.status != api.Timeout.Info().Exit {
		t.Errorf("a command whose time is over: %+v", got)
	}
	if got := f.succeed(t, "exec", id, "-d", "--tag", "bg", "--", "sleep", "9"); !strings.HasPrefix(got, "1") {
		t.Errorf("in the background: %q", got)
	}
}

// TestInterruptedExec ends the command too.
func TestInterruptedExec(t *testing.T) {
	f := newSessionFake()
	made, err := f.NewSession(t.Context(), api.SessionSpec{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	c := &cli{Streams: Streams{In: &cancelingReader{stop}, Out: io.Discard, Err: io.Discard}}
	if _, err := c.attach(ctx, f, made.ID, api.ProcessSpec{Argv: []string{"sleep", "100"}, Stdin: true}); err == nil {
		t.Error("it was not interrupted")
	}
	list, err := f.Processes(t.Context(), made.ID)
	if err != nil || list[0].Exit == nil || list[0].Exit.Signal != "SIGTERM" {
		t.Errorf("%+v, %v", list, err)
	}
}

// cancelingReader interrupts who reads it.
type cancelingReader struct{ stop func() }

func (r *cancelingReader) Read([]byte) (int, error) {
	r.stop()
	select {}
}

func TestShell(t *testing.T) {
	f := newSessionFake()
	shell := func(args ...string) printed {
		return f.command(t, false, "", append([]string{"shell"}, args...)...)
	}
	t.Setenv("GLOVEBOX_HOME", t.TempDir())
	expect(t, shell(), printed{})
	if s, err := f.Session(t.Context(), "session1"); err != nil || s.State != api.SessionOver {
		t.Errorf("%+v, %v", s, err)
	}
	if got := shell("--pause"); got.status != 0 || !strings.Contains(got.err, "session session2 is paused") {
		t.Errorf("%+v", got)
	}
	if got := shell("session2"); got.status != 0 || !strings.Contains(got.err, "session session2 is paused") {
		t.Errorf("%+v", got)
	}
	if got := shell("session2", "--pause"); got.status != exitUsage {
		t.Errorf("%+v", got)
	}
}

func TestSessionRun(t *testing.T) {
	f := newSessionFake()
	id := strings.TrimSpace(f.succeed(t, "new"))
	expect(t, f.session(t, "", "run", id, "-c", "1 + 1"), printed{out: "printed\n1 + 1\n", err: "warned\n"})
	expect(t, f.session(t, "raise", "run", id, "-"), printed{out: "printed\n", err: "warned\nTraceback: ValueError: no\n", status: 1})
	dir := filepath.Join(t.TempDir(), "pictures")
	for i := range 2 {
		path := filepath.Join(dir, []string{"picture-1.png", "picture-2.png"}[i])
		expect(t, f.session(t, "", "run", id, "-c", "picture", "--out", dir), printed{out: "printed\n", err: "warned\nglovebox: saved " + path + "\n"})
		if content, err := os.ReadFile(path); err != nil || !bytes.Equal(content, []byte("\x89PNG")) {
			t.Errorf("%q, %v", content, err)
		}
	}
	if got := f.session(t, "", "run", id, "-c", "1", "--json"); strings.Count(got.out, "\n") != 5 || !json.Valid([]byte(strings.SplitN(got.out, "\n", 2)[0])) {
		t.Errorf("%+v", got)
	}
	expect(t, f.session(t, "", "run", id), printed{status: exitUsage, err: "glovebox: there has to be a FILE, or -c CODE, and not both\n"})
	context := strings.TrimSpace(f.succeed(t, "ctx", "new", id, "--language", "bash"))
	if got := f.succeed(t, "ctx", "ls", id); !strings.Contains(got, "bash") {
		t.Error(got)
	}
	for _, order := range []string{"interrupt", "restart", "rm"} {
		f.succeed(t, "ctx", order, id, context)
	}
	if got := f.session(t, "", "ctx", "rm", id, context); got.status == 0 {
		t.Error("it is gone")
	}
}

// TestPicturesOnATerminal: whatever the bytes are, a terminal gets base64.
func TestPicturesOnATerminal(t *testing.T) {
	large := bytes.Repeat([]byte("\x1b]0;owned\a"), 1000)
	for program, env := range map[string]map[string]string{
		"kitty": {"TERM": "xterm-kitty"}, "iterm": {"TERM_PROGRAM": "iTerm.app"}, "none": {"TERM": "xterm"}, "tmux": {"TMUX": "x", "TERM": "xterm-kitty"},
	} {
		show := showing(func(name string) string { return env[name] }, pictureKinds[0])
		if (program == "none" || program == "tmux") != (show == nil) {
			t.Errorf("%s: shows is %v", program, show != nil)
		}
		if show == nil {
			continue
		}
		var out bytes.Buffer
		if err := show(&out, large); err != nil || strings.Contains(out.String(), "owned") {
			t.Errorf("%s: %v", program, err)
		}
	}
	var out bytes.Buffer
	if err := showKitty(&out, large); err != nil {
		t.Fatal(err)
	}
	var encoded strings.Builder
	for _, piece := range strings.Split(strings.TrimSuffix(out.String(), "\x1b\\\n"), "\x1b\\") {
		_, data, _ := strings.Cut(piece, ";")
		encoded.WriteString(data)
	}
	if got, err := base64.StdEncoding.DecodeString(encoded.String()); err != nil || !bytes.Equal(got, large) {
		t.Errorf("the pieces do not make the picture: %v", err)
	}
}

func TestSessionCopy(t *testing.T) {
	f := newSessionFake()
	id := strings.TrimSpace(f.succeed(t, "new"))
	dir := t.TempDir()
	for name, text := range map[string]string{"tree/a.txt": "a", "tree/sub/b.txt": "b"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	content := func(path string) string {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Error(err)
		}
		return string(text)
	}
	f.succeed(t, "cp", filepath.Join(dir, "tree/a.txt"), id+":/work/")
	f.succeed(t, "cp", filepath.Join(dir, "tree/a.txt"), id+":c.txt")
	f.succeed(t, "cp", filepath.Join(dir, "tree"), id+":/work")
	expect(t, f.session(t, "from stdin", "cp", "-", id+":d.txt"), printed{})
	for path, want := range map[string]string{"a.txt": "a", "c.txt": "a", "tree/sub/b.txt": "b", "d.txt": "from stdin"} {
		if got := f.succeed(t, "cp", id+":"+path, "-"); got != want {
			t.Errorf("%s: %q", path, got)
		}
	}
	f.succeed(t, "cp", id+":tree", filepath.Join(dir, "out"))
	f.succeed(t, "cp", id+":a.txt", filepath.Join(dir, "out"))
	for path, want := range map[string]string{"out/a.txt": "a", "out/sub/b.txt": "b"} {
		if got := content(filepath.Join(dir, path)); got != want {
			t.Errorf("%s: %q", path, got)
		}
	}
	for _, args := range [][]string{{"a", "b"}, {id + ":a", id + ":b"}, {id + ":tree", "-"}, {"./a:b", "c"}} {
		if got := f.session(t, "", append([]string{"cp"}, args...)...); got.status != exitUsage {
			t.Errorf("%q: %+v", args, got)
		}
	}
}

// TestUnpackStaysBelow: an archive that a cell made writes nowhere else.
func TestUnpackStaysBelow(t *testing.T) {
	dir := t.TempDir()
	outside, inside := filepath.Join(dir, "outside"), filepath.Join(dir, "inside")
	for _, d := range []string{outside, inside} {
		if err := os.Mkdir(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	var archive bytes.Buffer
	w := tar.NewWriter(&archive)
	for _, h := range []tar.Header{
		{Name: "../outside/a", Typeflag: tar.TypeReg}, {Name: "/etc/a", Typeflag: tar.TypeReg}, {Name: "up", Typeflag: tar.TypeSymlink, Linkname: "../outside"},
		{Name: "up2", Typeflag: tar.TypeSymlink, Linkname: outside}, {Name: "dev", Typeflag: tar.TypeChar}, {Name: "d/link", Typeflag: tar.TypeSymlink, Linkname: "../good"},
		{Name: "good", Typeflag: tar.TypeReg, Mode: 0o4755}, {Name: "d/link", Typeflag: tar.TypeReg},
		{Name: "p/q/b", Typeflag: tar.TypeSymlink, Linkname: "../.."}, {Name: "p/q/a", Typeflag: tar.TypeSymlink, Linkname: "b/../etc"}, {Name: "p/q/b/c", Typeflag: tar.TypeSymlink, Linkname: "../x"},
	} {
		if err := w.WriteHeader(&h); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(inside)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	skipped, err := unpack(root, &archive)
	if err != nil || strings.Join(skipped, " ") != "../outside/a /etc/a up up2 dev p/q/a p/q/b/c" {
		t.Errorf("skipped %q, %v", skipped, err)
	}
	if left, err := os.ReadDir(outside); err != nil || len(left) != 0 {
		t.Errorf("outside: %v, %v", left, err)
	}
	if info, err := os.Lstat(filepath.Join(inside, "d/link")); err != nil || !info.Mode().IsRegular() {
		t.Errorf("a link was written through: %v, %v", info, err)
	}
	if info, err := os.Stat(filepath.Join(inside, "good")); err != nil || info.Mode()&os.ModeSetuid != 0 {
		t.Errorf("%v, %v", info, err)
	}
}

func TestSessionPorts(t *testing.T) {
	f := newSessionFake()
	id := strings.TrimSpace(f.succeed(t, "new"))
	if got := f.succeed(t, "ports", id, "--open", "8000"); !strings.Contains(got, "8000  no      token-of-"+id) {
		t.Error(got)
	}
	if got := f.succeed(t, "ports", id, "--close", "8000"); strings.Contains(got, "8000") {
		t.Error(got)
	}
	if got := f.session(t, "", "ports", id, "--open", "0"); got.status != exitUsage {
		t.Errorf("%+v", got)
	}
}

// TestForward carries a connection into a session and back.
func TestForward(t *testing.T) {
	f := newSessionFake()
	id := strings.TrimSpace(f.succeed(t, "new"))
	there, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer there.Close()
	go func() {
		for {
			conn, err := there.Accept()
			if err != nil {
				return
			}
			_, _ = io.Copy(conn, conn)
			_ = conn.Close()
		}
	}()
	f.Listen(8000, there.Addr().String())
	ctx, stop := context.WithCancel(t.Context())
	said, says := io.Pipe()
	c := &cli{Streams: Streams{Out: io.Discard, Err: says}}
	ended := make(chan error, 1)
	go func() { ended <- c.forward(ctx, f, id, 8000, 0) }()
	line := make([]byte, 200)
	n, err := said.Read(line)
	if err != nil {
		t.Fatal(err)
	}
	words := strings.Fields(string(line[:n]))
	conn, err := net.Dial("tcp", words[len(words)-1])
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(conn, "hello"); err != nil {
		t.Fatal(err)
	}
	if err := conn.(*net.TCPConn).CloseWrite(); err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(conn); err != nil || string(got) != "hello" {
		t.Errorf("%q, %v", got, err)
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
