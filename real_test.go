//go:build linux

package glovebox_test

import (
	"bytes"
	"context"
	"errors"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox"
	"github.com/glovebox-dev/glovebox/embed"
)

// open opens a Glovebox for a test that starts cells.
func open(t *testing.T) *glovebox.Glovebox {
	t.Helper()
	return openWith(t, embed.Options{})
}

func openWith(t *testing.T, o embed.Options) *glovebox.Glovebox {
	t.Helper()
	if !realCells {
		t.Skip("starts cells: GLOVEBOX_TEST_REAL is not 1")
	}
	gb, err := embed.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := gb.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return gb
}

// everything holds a field of each Go type that crosses the border.
type everything struct {
	I     int
	I8    int8
	U64   uint64
	Big   *big.Int
	F     float64
	S     string
	B     bool
	Bytes []byte
	When  time.Time
	Naive glovebox.DateTime
	D     time.Duration
	Delta glovebox.Timedelta
	List  [][]int
	Dict  map[string][]string
	Some  *float64
	None  *float64
	Any   any
}

func TestFuncCarriesEveryType(t *testing.T) {
	gb := open(t)
	identity := glovebox.Func[everything, everything](gb, glovebox.Sandbox{Name: "identity", Code: "pass"})
	in := everything{
		I: -5, I8: -128, U64: 1<<64 - 1, Big: new(big.Int).Exp(big.NewInt(10), big.NewInt(400), nil),
		F: 0.1, S: "naïve 🙂 'quoted' \"x\"\n--flag", B: true, Bytes: []byte{0, 10, 255},
		When:  time.Date(2024, 2, 29, 12, 0, 0, 123000, time.FixedZone("", -5*3600)),
		Naive: glovebox.Naive(time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC)),
		D:     -90 * time.Minute, Delta: glovebox.Timedelta{Days: 999999999},
		List: [][]int{{1}, {}}, Dict: map[string][]string{"k": {"v"}}, Some: new(2.5), Any: "text",
	}
	out, err := identity(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	equal := cmp.Options{
		cmp.Comparer(func(a, b *big.Int) bool { return a.Cmp(b) == 0 }),
		cmp.Comparer(func(a, b time.Time) bool { return a.Equal(b) }),
	}
	if diff := cmp.Diff(out, in, equal); diff != "" {
		t.Errorf("what came out (-got +want):\n%s", diff)
	}
}

func TestRunChecksInputs(t *testing.T) {
	gb := open(t)
	s := glovebox.Sandbox{Code: "y = x", Inputs: []string{"x: int"}, Outputs: []string{"y: int"}}
	for name, inputs := range map[string]glovebox.Values{
		"missing": {}, "extra": {"x": 1, "z": 2}, "wrong type": {"x": "1"}, "bool is no int": {"x": true}, "none at all": nil,
	} {
		result, err := gb.Run(t.Context(), s, inputs)
		if !errors.Is(err, glovebox.ErrInvalidInput) || result == nil || result.RunID != "" {
			t.Errorf("%s: %v; want invalid_input and no run", name, err)
		}
	}
	if _, err := gb.Run(t.Context(), glovebox.Sandbox{Code: "x = 1", Command: []string{"true"}}, nil); !errors.Is(err, glovebox.ErrInvalidTask) {
		t.Errorf("code and command: %v", err)
	}
}

// firstWrite closes a channel when the first bytes arrive.
type firstWrite struct {
	once sync.Once
	came chan struct{}
}

func (w *firstWrite) Write(b []byte) (int, error) {
	w.once.Do(func() { close(w.came) })
	return len(b), nil
}

func TestCancelEndsARun(t *testing.T) {
	gb := open(t)
	ctx, cancel := context.WithCancel(t.Context())
	w := &firstWrite{came: make(chan struct{})}
	go func() {
		<-w.came
		cancel()
	}()
	s := glovebox.Sandbox{Command: []string{"sh", "-c", "echo running; trap '' TERM INT; sleep 1000 & sleep 1000"}}
	result, err := gb.Run(ctx, s, nil, glovebox.WithStdout(w))
	if !errors.Is(err, glovebox.ErrCanceled) || !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v", err)
	}
	if result == nil || !strings.HasPrefix(string(result.Stdout), "running") {
		t.Errorf("result = %+v", result)
	}
}

func TestRunsAtOnce(t *testing.T) {
	gb := open(t)
	square := glovebox.Sandbox{Code: "y = x * x", Inputs: []string{"x: int"}, Outputs: []string{"y: int"}}
	var all sync.WaitGroup
	for i := range 12 {
		all.Go(func() {
			result, err := gb.Run(t.Context(), square, glovebox.Values{"x": i})
			if err != nil {
				t.Errorf("run %d: %v", i, err)
				return
			}
			if y, err := glovebox.Get[int](result, "y"); err != nil || y != i*i {
				t.Errorf("run %d = %d, %v", i, y, err)
			}
		})
	}
	all.Wait()
}

func TestTreesCrossBothWays(t *testing.T) {
	gb := open(t)
	tree := t.TempDir()
	for _, err := range []error{
		os.MkdirAll(filepath.Join(tree, "a", "b"), 0o755),
		os.WriteFile(filepath.Join(tree, "a", "b", "file"), []byte("content"), 0o644),
		os.Symlink("b/file", filepath.Join(tree, "a", "link")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	s := glovebox.Sandbox{
		Code:   "import shutil; shutil.copytree(tree, '/var/outputs/copy'); linked = open(tree + '/a/link').read()",
		Inputs: []string{"tree: Dir"}, Outputs: []string{"copy: Dir", "linked: str"},
	}
	result, err := gb.Run(t.Context(), s, glovebox.Values{"tree": glovebox.Dir{Path: tree}})
	if err != nil {
		t.Fatal(err)
	}
	var copied glovebox.Dir
	var linked string
	if err := result.Scan(&copied, &linked); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(copied.Path, "a", "b", "file"))
	if string(text) != "content" || linked != "content" || err != nil {
		t.Errorf("copied %q, linked %q, %v", text, linked, err)
	}

	if err := os.Symlink("/etc/passwd", filepath.Join(tree, "escape")); err != nil {
		t.Fatal(err)
	}
	if _, err := gb.Run(t.Context(), s, glovebox.Values{"tree": glovebox.Dir{Path: tree}}); !errors.Is(err, glovebox.ErrInvalidInput) {
		t.Errorf("a link out of the tree: %v", err)
	}
}

func TestStreamsAreBinaryClean(t *testing.T) {
	gb := open(t)
	var out, errs bytes.Buffer
	s := glovebox.Sandbox{Command: []string{"sh", "-c", `printf '\000\377\r\n'; printf err >&2`}}
	result, err := gb.Run(t.Context(), s, nil, glovebox.WithStdout(&out), glovebox.WithStderr(&errs))
	if err != nil {
		t.Fatal(err)
	}
	if out.String() != "\x00\xff\r\n" || errs.String() != "err" || !bytes.Equal(result.Stdout, out.Bytes()) {
		t.Errorf("stdout %q, stderr %q, kept %q", out.String(), errs.String(), result.Stdout)
	}
}

func TestWithImage(t *testing.T) {
	gb := open(t)
	s := glovebox.Sandbox{Command: []string{"true"}, Image: glovebox.Image{Packages: []string{"numpy"}}}
	_, err := gb.Run(t.Context(), s, nil, glovebox.WithImage(filepath.Join(t.TempDir(), "absent.tar")))
	if !errors.Is(err, glovebox.ErrImageNotFound) {
		t.Errorf("err = %v; want image_not_found", err)
	}
}

// The service of a compose file is built, and its command runs with its
// variables; a session of it has its directory and its user.
func TestComposeFile(t *testing.T) {
	gb := open(t)
	dir := t.TempDir()
	for name, text := range map[string]string{
		"Dockerfile": "FROM debian:bookworm\nARG WHO\nRUN echo $WHO >/srv/who\nCMD [\"false\"]\n",
		"vars.env":   "FROM_FILE='a b'\n",
		"compose.yaml": "services:\n  app:\n    restart: always\n    build: {context: ., args: {WHO: '${GLOVEBOX_TEST_UNSET:-ada}'}}\n" +
			"    env_file: vars.env\n    environment: [A=file, B=file]\n    command: sh -c 'cat /srv/who; echo $$A $$B $$FROM_FILE'\n",
		"docker-compose.yml": "services:\n  app:\n    build: {context: ., args: {WHO: ada}}\n    environment: {A: file}\n" +
			"    working_dir: /srv\n    user: root\n    command: sleep infinity\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	_, err := gb.Run(t.Context(), glovebox.Sandbox{Image: glovebox.Image{Ref: filepath.Join(dir, "compose.yaml")}, Env: map[string]string{"B": "own"}}, nil,
		glovebox.WithStdout(&out))
	if err != nil || out.String() != "ada\nfile own a b\n" {
		t.Errorf("the run printed %q, %v", out.String(), err)
	}
	session, err := gb.NewSession(t.Context(), glovebox.SessionSpec{Image: glovebox.Image{Ref: filepath.Join(dir, "docker-compose.yml")}})
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	got, err := session.Exec(t.Context(), "sh", "-c", "id -un; pwd; cat who; echo $A")
	if err != nil || string(got.Stdout) != "root\n/srv\nada\nfile\n" {
		t.Errorf("the session printed %+v, %v", got, err)
	}
}
