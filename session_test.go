package glovebox

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/servicetest"
)

// sessionService is a service with sessions alone.
type sessionService struct {
	rest
	*servicetest.FakeSessions
}

// rest are the methods that no test needs.
type rest struct{ api.Service }

func (sessionService) Close() error { return nil }

func newSession(t *testing.T) (*Session, *servicetest.FakeSessions) {
	t.Helper()
	fake := servicetest.NewFakeSessions()
	g := New(sessionService{FakeSessions: fake}, nil)
	t.Cleanup(func() {
		if err := g.Close(); err != nil {
			t.Error(err)
		}
	})
	s, err := g.NewSession(t.Context(), SessionSpec{Labels: map[string]string{"a": "b"}})
	if err != nil {
		t.Fatal(err)
	}
	return s, fake
}

func must(t *testing.T, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

func TestSessionLife(t *testing.T) {
	s, _ := newSession(t)
	ctx := t.Context()
	must(t, s.WriteFile(ctx, "a.txt", []byte("kept")), s.Pause(ctx, PauseOptions{}), s.Resume(ctx))
	fork, err := s.Fork(ctx, ForkOptions{})
	must(t, err)
	forks, err := s.ForkMany(ctx, ForkOptions{Count: 3})
	must(t, err)
	if text, err := fork.ReadFile(ctx, "a.txt"); err != nil || string(text) != "kept" || len(forks) != 3 || fork.ID() == s.ID() {
		t.Errorf("%q, %v", text, err)
	}
	if _, err := s.ForkMany(ctx, ForkOptions{Count: 1000}); !errors.Is(err, api.RequestInvalid) {
		t.Errorf("got %v", err)
	}
	if shot, err := s.Snapshot(ctx, SnapshotOptions{Name: "n"}); err != nil || shot.Name != "n" {
		t.Errorf("%+v, %v", shot, err)
	}
	must(t, s.Close())
	info, err := s.Info(ctx)
	must(t, err)
	if info.State != api.SessionOver || info.Spec.Labels["a"] != "b" {
		t.Errorf("%+v", info)
	}
	if _, err := s.Exec(ctx, "echo"); !errors.Is(err, api.SessionEnded) {
		t.Errorf("got %v", err)
	}
	events := 0
	for _, err := range s.Events(ctx, true) {
		must(t, err)
		events++
	}
	if events < 5 {
		t.Errorf("%d events", events)
	}
}

func TestSessionExec(t *testing.T) {
	s, _ := newSession(t)
	out, err := s.Exec(t.Context(), "echo", "hello")
	if err != nil || string(out.Stdout) != "hello\n" || out.Exit.Status != 0 {
		t.Errorf("%+v, %v", out, err)
	}
	out, err = s.Exec(t.Context(), "sh", "-c", "exit 3")
	if e := new(Error); !errors.As(err, &e) || e.Code != api.NonzeroExit || e.Details.ExitCode != 3 || out.Exit.Code != 3 {
		t.Errorf("%+v, %v", out, err)
	}
	var stdout bytes.Buffer
	c := s.Command("cat")
	c.Stdin, c.Stdout = strings.NewReader(strings.Repeat("0123456789", 20_000)), &stdout
	if err := c.Run(t.Context()); err != nil || stdout.Len() != 200_000 {
		t.Errorf("%d bytes, %v", stdout.Len(), err)
	}
	c = s.Command("sleep", "100")
	c.Timeout = time.Millisecond
	if err := c.Run(t.Context()); !errors.Is(err, api.Timeout) {
		t.Errorf("got %v", err)
	}
	if _, err := s.Command().Start(t.Context()); !errors.Is(err, api.RequestInvalid) {
		t.Errorf("got %v", err)
	}
}

func TestProcess(t *testing.T) {
	s, fake := newSession(t)
	p, err := s.Command("sleep", "100").Start(t.Context())
	must(t, err)
	if p.PID() == 0 {
		t.Error("it has no number")
	}
	must(t, p.Signal(t.Context(), "SIGTERM"))
	if exit, err := p.Wait(); !errors.Is(err, api.Signaled) || exit.Status != 143 {
		t.Errorf("%+v, %v", exit, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	p, err = s.Command("sleep", "100").Start(ctx)
	must(t, err)
	cancel()
	if _, err := p.Wait(); !errors.Is(err, api.Canceled) {
		t.Errorf("got %v", err)
	}
	list, err := fake.Processes(t.Context(), s.ID())
	must(t, err)
	if exit := list[1].Exit; exit == nil || exit.Signal != "SIGKILL" {
		t.Errorf("a command outlives its context: %+v", list[1])
	}
}

// TestFullWriter ends a command whose output cannot be taken.
func TestFullWriter(t *testing.T) {
	s, fake := newSession(t)
	full := errors.New("full")
	c := s.Command("cat")
	c.Stdin, c.Stdout = strings.NewReader("x"), writerFunc(func([]byte) (int, error) { return 0, full })
	if err := c.Run(t.Context()); !errors.Is(err, full) {
		t.Errorf("got %v", err)
	}
	list, err := fake.Processes(t.Context(), s.ID())
	must(t, err)
	if list[0].Exit == nil {
		t.Error("it is still there")
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

func TestBoundedOutput(t *testing.T) {
	var b bounded
	if _, err := b.Write(make([]byte, maxOutput)); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Write([]byte{0}); !errors.Is(err, api.OutputTooLarge) {
		t.Errorf("got %v", err)
	}
}

func TestSessionFiles(t *testing.T) {
	s, _ := newSession(t)
	ctx := t.Context()
	must(t, s.MakeDir(ctx, "d"), s.Write(ctx, "d/a.txt", strings.NewReader("text")), s.Move(ctx, "d/a.txt", "d/b.txt"))
	list, err := s.List(ctx, "d")
	must(t, err)
	info, err := s.Stat(ctx, "d/b.txt")
	must(t, err)
	if len(list) != 1 || list[0].Path != info.Path || info.Size != 4 {
		t.Errorf("%+v, %+v", list, info)
	}
	archive, err := s.Download(ctx, "d")
	must(t, err)
	must(t, s.Upload(ctx, "e", archive), s.Remove(ctx, "d"))
	if text, err := s.ReadFile(ctx, "e/b.txt"); err != nil || string(text) != "text" {
		t.Errorf("%q, %v", text, err)
	}
	if _, err := s.Open(ctx, "d/b.txt"); !errors.Is(err, api.NotFound) {
		t.Errorf("got %v", err)
	}
}

func TestSessionRun(t *testing.T) {
	s, _ := newSession(t)
	got, err := s.Run(t.Context(), "6 * 7")
	if err != nil || got.Stdout != "printed\n" || got.Stderr != "warned\n" || got.Text != "6 * 7" || len(got.Results) != 1 {
		t.Errorf("%+v, %v", got, err)
	}
	got, err = s.Run(t.Context(), "raise")
	if e := new(Error); !errors.As(err, &e) || e.Code != api.PythonException || e.Details.Exception.Type != "ValueError" || got.Stdout != "printed\n" {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestSessionPorts(t *testing.T) {
	s, _ := newSession(t)
	opened, err := s.OpenPort(t.Context(), 8000, true)
	must(t, err)
	if !opened.Public || opened.Token == "" {
		t.Errorf("%+v", opened)
	}
	must(t, s.ClosePort(t.Context(), 8000))
	if _, err := s.Dial(t.Context(), 8000); !errors.Is(err, api.NotFound) {
		t.Errorf("got %v", err)
	}
}
