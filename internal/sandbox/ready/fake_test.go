package ready

import (
	"archive/tar"
	"context"
	"io"
	"log/slog"
	"net"
	"path"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
	"github.com/glovebox-dev/glovebox/internal/sandbox/environ"
)

// fakeBox is a cell in memory: it has files, and a program in Go. What it does
// not have here, no test of this package may use.
type fakeBox struct {
	Box
	files    map[string]string // by absolute path
	command  cell.Command
	program  func(stdout io.Writer) (cell.Exit, error)
	becoming func() // called by Ready
	closed   int
}

func newFakeBox() *fakeBox { return &fakeBox{files: map[string]string{}} }

func (b *fakeBox) Put(_ context.Context, dir string, write func(*tar.Writer) error) error {
	r, w := io.Pipe()
	go func() { w.CloseWithError(write(tar.NewWriter(w))) }()
	for archive := tar.NewReader(r); ; {
		h, err := archive.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		content, err := io.ReadAll(archive)
		if err != nil {
			return err
		}
		b.files[path.Join(dir, h.Name)] = string(content)
	}
}

func (b *fakeBox) Adopt(context.Context, time.Duration, func(context.Context, net.Conn)) error {
	return nil
}

func (b *fakeBox) Exec(_ context.Context, cmd cell.Command) (cell.Exit, error) {
	b.command = cmd
	return b.program(cmd.Stdout)
}

func (b *fakeBox) Begin(context.Context, cell.Command) (Process, error) {
	return fakeProcess{b: b}, nil
}

func (b *fakeBox) Close() (cell.Death, error) {
	b.closed++
	return cell.Death{}, nil
}

// fakeProcess is an interpreter that is ready as soon as somebody waits for it.
type fakeProcess struct {
	Process
	b *fakeBox
}

func (p fakeProcess) Ready(context.Context) error {
	if p.b.becoming != nil {
		p.b.becoming()
	}
	return nil
}

// newTestMaker returns a maker whose only cell is box.
func newTestMaker(t *testing.T, box *fakeBox) *Maker {
	t.Helper()
	m := New(func(context.Context, cell.Spec) (Box, error) { return box, nil }, slog.New(slog.DiscardHandler))
	t.Cleanup(m.Close)
	return m
}

func testImage() *Image {
	return &Image{
		ID: "sha256:abc", Name: "glovebox-abc", RootFS: "/images/abc.erofs", Python: "/opt/venv/bin/python3",
		Env: []string{"PATH=/opt/venv/bin:/usr/bin", "IMAGE=1"},
	}
}

func testTemplate(task *api.Task) *Template {
	return NewTemplate(testImage(), task, environ.AtStart(testImage().Env, task, false))
}
