package celltest

import (
	"archive/tar"
	"bytes"
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
)

// patience bounds a test that should take a second or two. It is long, because
// a busy machine is no defect of the driver.
const patience = 2 * time.Minute

type suite struct {
	cfg    Config
	dir    string // of the driver
	driver cell.Driver
	rootFS string

	launches bool // see session
}

func newSuite(t *testing.T, cfg Config) *suite {
	t.Helper()
	s := &suite{cfg: cfg, dir: t.TempDir(), rootFS: cfg.RootFS}
	if s.rootFS == "" {
		s.rootFS = RootFS(t)
	}
	driver, err := cfg.NewDriver(s.dir)
	if err != nil {
		t.Fatal(err)
	}
	s.driver = driver
	return s
}

var serial atomic.Int64

// spec is that of a cell with the default limits.
func (s *suite) spec() cell.Spec {
	return cell.Spec{
		ID:        fmt.Sprintf("celltest-%d-%d", time.Now().UnixNano(), serial.Add(1)),
		RootFS:    s.rootFS,
		Resources: api.Resources{}.WithDefaults(),
		Wall:      patience,
	}
}

// session is one open cell.
type session struct {
	t    *testing.T
	ctx  context.Context
	spec cell.Spec
	cell *cell.Cell

	launches bool // programs take the place of one that has waited for them
}

// open starts a cell with a work directory for the user and closes it with the
// test.
func (s *suite) open(t *testing.T, adjust ...func(*cell.Spec)) *session {
	t.Helper()
	x, err := s.tryOpen(t, adjust...)
	if err != nil {
		t.Fatalf("starting the cell: %v", describe(err))
	}
	return x
}

func (s *suite) tryOpen(t *testing.T, adjust ...func(*cell.Spec)) (*session, error) {
	t.Helper()
	x, err := s.openWith(t, func(ctx context.Context, spec cell.Spec) (*cell.Cell, error) {
		return cell.Start(ctx, s.driver, spec)
	}, adjust...)
	if err == nil {
		x.put("/work", directory("."))
	}
	return x, err
}

func (s *suite) openWith(t *testing.T, start func(context.Context, cell.Spec) (*cell.Cell, error), adjust ...func(*cell.Spec)) (*session, error) {
	t.Helper()
	spec := s.spec()
	for _, f := range adjust {
		f(&spec)
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	c, err := start(ctx, spec)
	if err != nil {
		return nil, err
	}
	t.Cleanup(func() {
		if _, err := c.Close(); err != nil {
			t.Errorf("closing the cell: %v", err)
		}
	})
	return &session{t: t, ctx: ctx, spec: spec, cell: c, launches: s.launches}, nil
}

// entry is a file for the cell.
type entry struct {
	header tar.Header
	data   []byte
}

// directory and file are owned by the user of the cell.
func directory(name string) entry {
	return entry{header: tar.Header{Typeflag: tar.TypeDir, Name: name + "/", Mode: 0o755, Uid: cell.UserID, Gid: cell.UserID}}
}

func file(name string, data []byte) entry {
	return entry{header: tar.Header{Typeflag: tar.TypeReg, Name: name, Mode: 0o644, Uid: cell.UserID, Gid: cell.UserID}, data: data}
}

func (x *session) put(dir string, entries ...entry) {
	x.t.Helper()
	err := x.cell.Put(x.ctx, dir, func(w *tar.Writer) error { return writeEntries(w, entries) })
	if err != nil {
		x.t.Fatalf("putting files into %s: %v", dir, describe(err))
	}
}

func writeEntries(w *tar.Writer, entries []entry) error {
	for _, e := range entries {
		e.header.Size = int64(len(e.data))
		if err := w.WriteHeader(&e.header); err != nil {
			return err
		}
		if _, err := w.Write(e.data); err != nil {
			return err
		}
	}
	return nil
}

// outcome is what a program did.
type outcome struct {
	stdout, stderr string
	exit           cell.Exit
	err            error
}

const path = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

func (x *session) exec(cmd cell.Command) outcome {
	var stdout, stderr bytes.Buffer
	if cmd.Stdout == nil {
		cmd.Stdout = &stdout
	}
	if cmd.Stderr == nil {
		cmd.Stderr = &stderr
	}
	if cmd.Env == nil {
		cmd.Env = []string{path, "HOME=/work"}
	}
	if cmd.Dir == "" {
		cmd.Dir = "/work"
	}
	exit, err := x.run(x.ctx, cmd)
	return outcome{stdout.String(), stderr.String(), exit, err}
}

// python runs a program as the user of the cell, and pythonRoot as its root.
func (x *session) python(code string, args ...string) outcome {
	return x.exec(cell.Command{Argv: append([]string{"/usr/bin/python3", "-c", code}, args...)})
}

func (x *session) pythonRoot(code string, args ...string) outcome {
	return x.exec(cell.Command{Argv: append([]string{"/usr/bin/python3", "-c", code}, args...), Root: true})
}

// prints fails the test unless the program ended well and printed exactly want.
func (o outcome) prints(t *testing.T, want string) {
	t.Helper()
	o.succeeds(t)
	if o.stdout != want {
		t.Errorf("stdout is %.300q, want %.300q; stderr: %.2000s", o.stdout, want, o.stderr)
	}
}

func (o outcome) succeeds(t *testing.T) {
	t.Helper()
	if o.err != nil {
		t.Fatalf("the program did not end well: %v; stdout %.300q, stderr %.4000s", describe(o.err), o.stdout, o.stderr)
	}
	if o.exit != (cell.Exit{}) {
		t.Fatalf("the program ended with %+v; stdout %.300q, stderr %.4000s", o.exit, o.stdout, o.stderr)
	}
}

// fails fails the test unless the cell reported this code.
func (o outcome) fails(t *testing.T, code api.Code) *api.Error {
	t.Helper()
	if o.err == nil {
		t.Fatalf("the program ended with %+v, want the error %s; stdout %.500q, stderr %.2000s", o.exit, code, o.stdout, o.stderr)
	}
	err := api.AsError(o.err)
	if err.Code != code {
		t.Fatalf("the error is %v, want %s", describe(o.err), code)
	}
	return err
}

// describe adds the last words of the isolation, which the message leaves out.
func describe(err error) string {
	e := api.AsError(err)
	if e == nil || e.Details.Log == "" {
		return fmt.Sprint(err)
	}
	return fmt.Sprintf("%v\nlog of the cell:\n%s", err, e.Details.Log)
}

// death closes the cell and says how it ended.
func (x *session) death() cell.Death {
	x.t.Helper()
	death, err := x.cell.Close()
	if err != nil {
		x.t.Fatalf("closing the cell: %v", err)
	}
	return death
}
