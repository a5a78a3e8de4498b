package sandbox

import (
	"archive/tar"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"maps"
	"net"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
	"github.com/glovebox-dev/glovebox/internal/sandbox/layout"
	"github.com/glovebox-dev/glovebox/internal/sandbox/ready"
	"github.com/glovebox-dev/glovebox/internal/secret"
)

// fakeCell is a cell in memory: a file system, and a program in Go.
type fakeCell struct {
	spec    cell.Spec
	ctx     context.Context
	mu      sync.Mutex
	entries map[string]*fakeEntry // by absolute path
	command cell.Command          // the program; of an interpreter, how it was started
	job     string                // what an interpreter was sent
	control io.Writer             // of an interpreter
	program func(*fakeCell) (cell.Exit, error)
	death   cell.Death
	closed  int
	closing error

	serve    func(context.Context, net.Conn)
	adopted  error // what Adopt returns
	putting  error // what Put returns once the cell is armed
	armed    bool
	removal  chan struct{} // Close waits for it, if it is set
	becoming func()        // called by Ready
	notReady error         // what Ready returns
	early    *string       // what an interpreter writes on its control stream, which it then closes
	finished bool          // whether the end of an interpreter was waited for
	hanging  chan struct{} // Ready waits for the end of the cell, which closes it
	lost     chan struct{} // closed when the interpreter has ended and the cell has not
	released int
	over     chan struct{}
}

type fakeEntry struct {
	header  tar.Header
	content []byte
}

func (c *fakeCell) Put(_ context.Context, dir string, write func(*tar.Writer) error) error {
	if c.armed && c.putting != nil {
		return c.putting
	}
	r, w := io.Pipe()
	done := make(chan error, 1)
	go func() {
		archive := tar.NewWriter(w)
		err := errors.Join(write(archive), archive.Close())
		w.CloseWithError(err)
		done <- err
	}()
	archive := tar.NewReader(r)
	for {
		h, err := archive.Next()
		if err != nil {
			r.CloseWithError(err)
			return <-done
		}
		content, _ := io.ReadAll(archive)
		c.mu.Lock()
		c.entries[path.Join(dir, h.Name)] = &fakeEntry{*h, content}
		c.mu.Unlock()
	}
}

func (c *fakeCell) Exec(ctx context.Context, cmd cell.Command) (cell.Exit, error) {
	c.ctx, c.command = ctx, cmd
	return c.program(c)
}

func (c *fakeCell) Adopt(_ context.Context, _ time.Duration, serve func(context.Context, net.Conn)) error {
	c.serve = serve
	return c.adopted
}

func (c *fakeCell) Begin(_ context.Context, cmd cell.Command) (ready.Process, error) {
	c.command = cmd
	return fakeProcess{c}, nil
}

func (c *fakeCell) BeginLauncher(context.Context) (ready.Process, error) { return fakeProcess{c}, nil }

// fakeProcess is an interpreter that waits in a fake cell, or what becomes a command.
type fakeProcess struct{ c *fakeCell }

func (p fakeProcess) Ready(ctx context.Context) error {
	if p.c.becoming != nil {
		p.c.becoming()
	}
	if p.c.hanging != nil {
		select {
		case <-p.c.hanging:
			return errors.New("the cell has ended")
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return p.c.notReady
}

func (p fakeProcess) Become(ctx context.Context, cmd cell.Command) (cell.Exit, error) {
	return p.c.Exec(ctx, cmd)
}

func (p fakeProcess) Over() <-chan struct{} {
	if p.c.lost != nil {
		return p.c.lost
	}
	return p.c.over
}

func (p fakeProcess) Send(_ context.Context, job ...[]byte) error {
	p.c.job = string(slices.Concat(job...))
	return nil
}

func (p fakeProcess) Result(ctx context.Context, stdout, stderr, control io.Writer) (cell.Exit, bool, error) {
	if p.c.early != nil {
		_, err := io.WriteString(control, *p.c.early)
		return cell.Exit{}, false, err
	}
	exit, err := p.Finish(ctx, stdout, stderr, control)
	return exit, true, err
}

func (p fakeProcess) Finish(ctx context.Context, stdout, stderr, control io.Writer) (cell.Exit, error) {
	p.c.finished = true
	p.c.ctx, p.c.command.Stdout, p.c.command.Stderr, p.c.control = ctx, stdout, stderr, control
	return p.c.program(p.c)
}

// variables are the environment of the program, and arguments those of a
// script.
func (c *fakeCell) variables() []string { return append(c.parsedJob().Environ, c.command.Env...) }
func (c *fakeCell) arguments() []string { return c.parsedJob().Argv[1:] }

func (c *fakeCell) parsedJob() (j job) {
	head, _, _ := strings.Cut(c.job, "\n")
	_ = json.Unmarshal([]byte(head), &j)
	return j
}

func (c *fakeCell) Get(_ context.Context, dir string, names []string, limits cell.GetLimits, read func(*tar.Header, io.Reader) error) error {
	for _, name := range names {
		for _, at := range slices.Sorted(maps.Keys(c.entries)) {
			e := c.entries[at]
			if at != path.Join(dir, name) && !strings.HasPrefix(at, path.Join(dir, name)+"/") {
				continue
			}
			h := e.header
			h.Name = strings.TrimPrefix(at, dir+"/")
			if h.Size == 0 {
				h.Size = int64(len(e.content))
			}
			if err := read(&h, strings.NewReader(string(e.content))); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *fakeCell) Timings() (start, guest time.Duration) { return 3, 4 }
func (c *fakeCell) Done() <-chan struct{}                 { return c.over }
func (c *fakeCell) Usage() cell.Usage                     { return cell.Usage{CPU: 5, PeakMemory: 6, Memory: 7} }

func (c *fakeCell) Release() {
	c.released++
	if c.hanging != nil && c.released == 1 {
		close(c.hanging)
	}
}

func (c *fakeCell) Close() (cell.Death, error) {
	if c.removal != nil {
		<-c.removal
	}
	c.closed++
	return c.death, c.closing
}

// write leaves a file behind, as a program would.
func (c *fakeCell) write(at, content string) {
	c.entries[at] = &fakeEntry{tar.Header{Typeflag: tar.TypeReg, Mode: 0o644}, []byte(content)}
}

// make leaves something else behind.
func (c *fakeCell) make(at string, kind byte) {
	c.entries[at] = &fakeEntry{header: tar.Header{Typeflag: kind, Mode: 0o755, Linkname: "/etc/passwd"}}
}

func (c *fakeCell) output(name, content string) { c.write(layout.Outputs+"/"+name, content) }
func (c *fakeCell) report(text string)          { c.write(layout.Result+"/"+layout.ResultName, text) }

func (c *fakeCell) text(at string) string {
	if e := c.entries[at]; e != nil {
		return string(e.content)
	}
	return "<nothing>"
}

// fakeImages has one image.
type fakeImages struct {
	image *Image
	err   error
}

func (f fakeImages) Check(spec api.ImageSpec) error {
	if spec.Ref == "bad ref" {
		return api.Errorf(api.InvalidTask, "image field ref is bad")
	}
	return nil
}

func (f fakeImages) Ensure(context.Context, api.ImageSpec, func(api.Progress)) (*Image, error) {
	return f.image, f.err
}

func (f fakeImages) Stored(string) (*Image, error) { return f.image, f.err }

func testImage() *Image {
	return &Image{
		ID: "sha256:abc", Name: "glovebox-abc", RootFS: "/images/abc.erofs", Python: "/opt/venv/bin/python3",
		Env: []string{"PATH=/opt/venv/bin:/usr/bin", "IMAGE=1"},
	}
}

// fixture is a runner over a fake cell.
type fixture struct {
	*Runner
	cell   *fakeCell
	starts int
	images *fakeImages
	dir    string

	bundle    []byte // certificates of the host
	bundleErr error
}

func exits(code int) func(*fakeCell) (cell.Exit, error) {
	return func(*fakeCell) (cell.Exit, error) { return cell.Exit{Code: code}, nil }
}

func newFixture(t *testing.T, program func(*fakeCell) (cell.Exit, error)) *fixture {
	t.Helper()
	f := &fixture{
		cell: &fakeCell{entries: map[string]*fakeEntry{}, program: program}, images: &fakeImages{image: testImage()}, dir: t.TempDir(),
	}
	f.Runner = New(Config{
		Images: f.images, Secrets: fakeSecrets, Egress: fakeEgress, Dir: f.dir,
		Certificates: func(bool) ([]byte, error) { return f.bundle, f.bundleErr },
	})
	t.Cleanup(func() {
		if err := f.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	f.maker = fakeMaker(func(spec cell.Spec) ready.Box {
		f.starts++
		f.cell.spec = spec
		return f.cell
	})
	return f
}

// fakeMaker makes cells by start, and none besides those that a test is about.
func fakeMaker(start func(cell.Spec) ready.Box) *ready.Maker {
	return ready.New(func(_ context.Context, spec cell.Spec) (ready.Box, error) {
		if strings.HasPrefix(spec.ID, "compile-") {
			return nil, errors.New("no compiler")
		}
		return start(spec), nil
	}, slog.New(slog.DiscardHandler))
}

func fakeSecrets(name string) ([]byte, error) {
	stored := map[string]string{"token": "hunter2hunter2", "aws": "AKIDEXAMPLE:wJalrXUtnFEMI/K7MDENG:a-session-token", "pem": "-----KEY-----", "binary": "\x00\xff", "large": strings.Repeat("x", secret.MaxValue)}
	value, ok := stored[name]
	if !ok {
		return nil, api.Errorf(api.SecretNotFound, "secret %q is not stored", name)
	}
	return []byte(value), nil
}

func fakeEgress(n api.Network, audit func(api.Connection), ways Ways) (Handler, error) {
	if slices.Contains(n.Allow, "https://x") {
		return nil, api.Errorf(api.InvalidTask, "network.allow[0] is a URL")
	}
	if ways.Engine != nil {
		return ways.Engine, nil
	}
	return func(context.Context, net.Conn) {
		audit(api.Connection{Host: "pypi.org", Port: 443, Allowed: true, BytesIn: 10, BytesOut: 3})
	}, nil
}

// run validates and runs, as the engine does.
func (f *fixture) run(t *testing.T, task *api.Task, given map[string]any) (*api.Result, error) {
	t.Helper()
	if err := f.Validate(task); err != nil {
		t.Fatalf("Validate: %v", err)
	}
	inputs, err := (&api.Submission{Inputs: given}).CompleteInputs(task.Signature.Inputs)
	if err != nil {
		return nil, err
	}
	return f.Run(t.Context(), "run-1", &api.Request{Task: task, Inputs: inputs})
}
