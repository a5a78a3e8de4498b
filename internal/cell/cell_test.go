package cell

import (
	"archive/tar"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"
	"net"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/guest/wire"
)

// fake is a driver whose cells are a guest in this process.
type fake struct {
	death Death
	err   error
	// partKilled is an out-of-memory kill that the cell outlived.
	partKilled bool
	usage      Usage
	// serve plays the guest; nil never says hello.
	serve func(kind string, request json.RawMessage, ch *wire.Channel)

	// program is what leads past the guest.
	program *Streams

	// deaf is a guest that has said hello and reads nothing.
	deaf bool

	guest  *wire.Mux
	killed chan struct{}
	once   sync.Once
	host   net.Conn
	closed int
}

func (f *fake) Usage() Usage                           { return f.usage }
func (f *fake) Program() *Streams                      { return f.program }
func (f *fake) OutOfMemory() bool                      { return f.partKilled }
func (f *fake) Name() string                           { return "fake" }
func (f *fake) Findings(context.Context) []Finding     { return nil }
func (f *fake) Sweep(context.Context) error            { return nil }
func (f *fake) Stream() io.ReadWriteCloser             { return f.host }
func (f *fake) Upper(context.Context, io.Writer) error { return errors.New("no layer here") }
func (f *fake) Freeze(context.Context) error           { return errors.New("never cold") }
func (f *fake) Save(context.Context, SavedFiles) (Saved, error) {
	return Saved{}, errors.New("never saved")
}
func (f *fake) Restore(context.Context, Spec, Saved, SavedFiles) (Instance, error) {
	return nil, errors.New("never saved")
}
func (f *fake) Thaw(context.Context) error { return errors.New("never cold") }

func (f *fake) Start(context.Context, Spec) (Instance, error) {
	if f.err != nil {
		return nil, f.err
	}
	f.killed = make(chan struct{})
	host, guest := net.Pipe()
	f.host = host
	f.guest = wire.NewMux(wire.Guest, guest, f.serve)
	if !f.deaf {
		go f.guest.Run()
	}
	if f.serve != nil {
		go f.guest.SayHello()
	}
	return f, nil
}

func (f *fake) Kill() {
	f.once.Do(func() {
		f.guest.Close()
		close(f.killed)
	})
}

func (f *fake) Wait() Death { <-f.killed; return f.death }

func (f *fake) Close() error {
	f.closed++
	f.Kill()
	return f.host.Close()
}

func start(t *testing.T, f *fake, spec Spec) *Cell {
	t.Helper()
	c, err := Start(t.Context(), f, spec)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// ends answers every request with the same status.
func ends(status any) func(string, json.RawMessage, *wire.Channel) {
	return func(_ string, _ json.RawMessage, ch *wire.Channel) { ch.Close(status) }
}

// hangs answers nothing.
func hangs(string, json.RawMessage, *wire.Channel) {}

func codeOf(err error) api.Code {
	if err == nil {
		return ""
	}
	return api.AsError(err).Code
}

func TestExecReportsHowTheProgramEnded(t *testing.T) {
	tests := map[string]struct {
		status wire.Exit
		want   Exit
		code   api.Code
	}{
		"success":     {wire.Exit{}, Exit{}, ""},
		"status":      {wire.Exit{Code: 3}, Exit{Code: 3}, ""},
		"signal":      {wire.Exit{Code: -1, Signal: 11}, Exit{Code: -1, Signal: "SIGSEGV"}, ""},
		"odd signal":  {wire.Exit{Code: -1, Signal: 4711}, Exit{Code: -1, Signal: "signal 4711"}, ""},
		"no dir":      {wire.Exit{Code: 127, Error: "no directory", NoDir: true}, Exit{Code: 127}, api.CommandNotFound},
		"not started": {wire.Exit{Code: 127, Error: "nope: not found"}, Exit{Code: 127}, api.CommandNotFound},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			c := start(t, &fake{serve: ends(test.status)}, Spec{})
			got, err := c.Exec(t.Context(), Command{Argv: []string{"x"}})
			if diff := cmp.Diff(test.want, got); diff != "" || codeOf(err) != test.code {
				t.Errorf("code %q, want %q; exit (-want +got):\n%s", codeOf(err), test.code, diff)
			}
			if err != nil && (api.AsError(err).Details.Field == FieldDir) != test.status.NoDir {
				t.Errorf("the error names %q", api.AsError(err).Details.Field)
			}
		})
	}
}

func TestExecSendsTheLimitsAndKeepsTheStreamsApart(t *testing.T) {
	var request wire.Exec
	c := start(t, &fake{serve: func(_ string, raw json.RawMessage, ch *wire.Channel) {
		json.Unmarshal(raw, &request)
		ch.WriteStream(0, []byte("out"))
		ch.WriteStream(1, []byte("err"))
		ch.Close(wire.Exit{})
	}}, Spec{Resources: api.Resources{PIDs: 7, OpenFiles: 9}})
	var out, errs bytes.Buffer
	if _, err := c.Exec(t.Context(), Command{Argv: []string{"x\xff"}, Stdout: &out, Stderr: &errs}); err != nil {
		t.Fatal(err)
	}
	want := wire.Exec{Argv: []wire.Text{"x\xff"}, Env: []wire.Text{}, Dir: "/", UID: UserID, GID: UserID, NoFile: 9, NProc: 7}
	if diff := cmp.Diff(want, request); diff != "" {
		t.Errorf("request (-want +got):\n%s", diff)
	}
	if out.String() != "out" || errs.String() != "err" {
		t.Errorf("stdout %q, stderr %q", out.String(), errs.String())
	}
}

func TestTheWallEndsTheCell(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{serve: hangs}
		c := start(t, f, Spec{Wall: 3 * time.Second})
		begin := time.Now()
		_, err := c.Exec(t.Context(), Command{Argv: []string{"x"}})
		if codeOf(err) != api.Timeout || time.Since(begin) != 3*time.Second {
			t.Errorf("got %v after %v, want a time-out after 3s", err, time.Since(begin))
		}
		if api.AsError(err).Details.Duration != 3*time.Second {
			t.Errorf("details %+v do not name the limit", api.AsError(err).Details)
		}
		c.Close()
		synctest.Wait()
	})
}

func TestWhyACellEnded(t *testing.T) {
	tests := map[string]struct {
		death Death
		end   func(f *fake, cancel context.CancelFunc)
		code  api.Code
		words string
	}{
		"out of memory": {Death{OutOfMemory: true, PeakMemory: 2 << 30}, func(f *fake, _ context.CancelFunc) { f.Kill() }, api.OutOfMemory, "more than its 1 GiB of memory (peak 2 GiB)"},
		"lost":          {Death{Log: "panic: sentry"}, func(f *fake, _ context.CancelFunc) { f.Kill() }, api.CellLost, "without a report"},
		"cancelled":     {Death{}, func(_ *fake, cancel context.CancelFunc) { cancel() }, api.Canceled, "cancelled"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			asked := make(chan struct{})
			f := &fake{death: test.death, serve: func(string, json.RawMessage, *wire.Channel) { close(asked) }}
			c := start(t, f, Spec{})
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			go func() { <-asked; test.end(f, cancel) }()
			_, err := c.Exec(ctx, Command{Argv: []string{"x"}})
			if codeOf(err) != test.code || !strings.Contains(err.Error(), test.words) {
				t.Errorf("got %v, want %s with %q", err, test.code, test.words)
			}
			if log := api.AsError(err).Details.Log; log != test.death.Log {
				t.Errorf("log %q, want %q", log, test.death.Log)
			}
		})
	}
}

func TestStartFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		if _, err := Start(t.Context(), &fake{err: api.Errorf(api.IsolationUnavailable, "no")}, Spec{}); codeOf(err) != api.IsolationUnavailable {
			t.Errorf("got %v, want the driver's error", err)
		}
		silent := &fake{}
		if _, err := Start(t.Context(), silent, Spec{}); err == nil || silent.closed != 1 {
			t.Errorf("a silent guest gives %v, closed %d times; want an error and one close", err, silent.closed)
		}
		synctest.Wait()
	})
}

func TestOutOfMemoryIsSaidAlsoWhenTheCellOutlivesIt(t *testing.T) {
	c := start(t, &fake{serve: ends(wire.Exit{Code: -1, Signal: 9}), partKilled: true, death: Death{PeakMemory: 1 << 30}}, Spec{})
	_, err := c.Exec(t.Context(), Command{Argv: []string{"x"}})
	if codeOf(err) != api.OutOfMemory || api.AsError(err).Details.Peak != 1<<30 {
		t.Errorf("got %v, want out_of_memory with the peak", err)
	}
}

func TestStartRefusesLimitsThatAreNone(t *testing.T) {
	for field, r := range map[string]api.Resources{
		"cpu": {CPU: math.NaN()}, "memory": {Memory: 1}, "disk": {Disk: -1}, "pids": {PIDs: -1}, "open_files": {OpenFiles: -1},
	} {
		f := &fake{serve: hangs}
		_, err := Start(t.Context(), f, Spec{Resources: r})
		if codeOf(err) != api.InvalidTask || api.AsError(err).Details.Field != "resources."+field || f.killed != nil {
			t.Errorf("%s: got %v, started %v; want invalid_task before anything starts", field, err, f.killed != nil)
		}
	}
}

func TestCloseIsIdempotent(t *testing.T) {
	f := &fake{serve: hangs, death: Death{PeakMemory: 5}}
	c := start(t, f, Spec{})
	for range 2 {
		if death, err := c.Close(); err != nil || death.PeakMemory != 5 {
			t.Errorf("got %+v, %v", death, err)
		}
	}
	if f.closed != 1 {
		t.Errorf("the instance was closed %d times, want once", f.closed)
	}
	if _, err := c.Exec(t.Context(), Command{Argv: []string{"x"}}); err == nil {
		t.Error("a closed cell runs a program")
	}
}

func TestPutReportsBothSidesOfAFailure(t *testing.T) {
	c := start(t, &fake{serve: func(_ string, _ json.RawMessage, ch *wire.Channel) {
		ch.Close(wire.Done{Error: "disk full"})
	}}, Spec{})
	fill := func(w *tar.Writer) error {
		w.WriteHeader(&tar.Header{Name: "x", Size: 2 * wire.Window, Typeflag: tar.TypeReg})
		_, err := w.Write(make([]byte, 2*wire.Window))
		return err
	}
	if err := c.Put(t.Context(), "/", fill); err == nil || !strings.Contains(err.Error(), "disk full") {
		t.Errorf("got %v, want the guest's reason", err)
	}
	own := errors.New("my own")
	if err := c.Put(t.Context(), "/", func(*tar.Writer) error { return own }); !errors.Is(err, own) {
		t.Errorf("got %v, want the caller's own error", err)
	}
}

// sends answers a get with raw bytes and a status.
func sends(data []byte, done wire.Done) func(string, json.RawMessage, *wire.Channel) {
	return func(_ string, _ json.RawMessage, ch *wire.Channel) {
		ch.Write(data)
		ch.Close(done)
	}
}

func archive(headers ...tar.Header) []byte {
	var buf bytes.Buffer
	w := tar.NewWriter(&buf)
	for _, h := range headers {
		w.WriteHeader(&h)
		w.Write(make([]byte, h.Size))
	}
	w.Close()
	return buf.Bytes()
}

func TestGetCountsForItself(t *testing.T) {
	two := archive(tar.Header{Name: "a", Size: 600, Typeflag: tar.TypeReg}, tar.Header{Name: "b", Size: 600, Typeflag: tar.TypeReg})
	tests := map[string]struct {
		data   []byte
		done   wire.Done
		limits GetLimits
		code   api.Code
		names  []string
	}{
		"fits":               {two, wire.Done{}, GetLimits{1200, 2}, "", []string{"a", "b"}},
		"lies about bytes":   {two, wire.Done{}, GetLimits{1199, 2}, api.OutputTooLarge, []string{"a"}},
		"lies about files":   {two, wire.Done{}, GetLimits{1200, 1}, api.OutputTooLarge, []string{"a"}},
		"admits bytes":       {nil, wire.Done{Limit: "bytes", Size: 5000}, GetLimits{1200, 2}, api.OutputTooLarge, nil},
		"admits files":       {nil, wire.Done{Limit: "files", Size: 3}, GetLimits{1200, 2}, api.OutputTooLarge, nil},
		"path too long":      {nil, wire.Done{Limit: "path"}, GetLimits{1200, 2}, api.BadOutput, nil},
		"fails half way":     {two[:700], wire.Done{Error: "read error"}, GetLimits{1200, 2}, api.CellLost, []string{"a"}},
		"garbage":            {bytes.Repeat([]byte("x"), 1024), wire.Done{}, GetLimits{1200, 2}, api.CellLost, nil},
		"cut without reason": {two[:700], wire.Done{}, GetLimits{1200, 2}, api.CellLost, []string{"a"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			c := start(t, &fake{serve: sends(test.data, test.done)}, Spec{})
			var names []string
			err := c.Get(t.Context(), "/out", []string{"a", "b"}, test.limits, func(h *tar.Header, r io.Reader) error {
				names = append(names, h.Name)
				_, err := io.Copy(io.Discard, r)
				return err
			})
			if diff := cmp.Diff(test.names, names); diff != "" || codeOf(err) != test.code {
				t.Errorf("got %v, want %q; names (-want +got):\n%s", err, test.code, diff)
			}
		})
	}
}

// TestGetOfNoArchiveDoesNotWaitForAGuestThatGoesOn: the guest gives its status
// only when somebody reads what it sends.
func TestGetOfNoArchiveDoesNotWaitForAGuestThatGoesOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := start(t, &fake{serve: sends(bytes.Repeat([]byte("x"), 4<<20), wire.Done{})}, Spec{})
		err := c.Get(t.Context(), "/out", []string{"a"}, GetLimits{1 << 30, 2}, func(*tar.Header, io.Reader) error { return nil })
		if codeOf(err) != api.CellLost || !strings.Contains(err.Error(), "no archive") {
			t.Errorf("got %v, want an error about the archive", err)
		}
		c.Close()
		synctest.Wait()
	})
}

// TestNoConnectionIsServedByAClosedCell: the last channels of a guest may reach
// the host when it has stopped waiting for them.
func TestNoConnectionIsServedByAClosedCell(t *testing.T) {
	served := false
	c := start(t, &fake{serve: hangs}, Spec{Serve: func(context.Context, net.Conn) { served = true }})
	late, err := c.mux.Open(wire.KindGet, wire.Get{})
	if err != nil {
		t.Fatal(err)
	}
	c.Close()
	c.accept()(wire.KindDial, nil, late)
	if served {
		t.Error("a connection is served after the cell was closed")
	}
}

func FuzzGet(f *testing.F) {
	f.Add(archive(tar.Header{Name: "a", Size: 10, Typeflag: tar.TypeReg}))
	f.Add(archive(tar.Header{Name: "../../x", Typeflag: tar.TypeSymlink, Linkname: "/etc"}))
	f.Fuzz(func(t *testing.T, data []byte) {
		limits := GetLimits{Bytes: 1 << 16, Files: 8}
		var total int64
		files := 0
		readArchive(bytes.NewReader(data), limits, func(h *tar.Header, r io.Reader) error {
			n, err := io.Copy(io.Discard, r)
			total, files = total+n, files+1
			return err
		})
		if total > limits.Bytes || files > limits.Files {
			t.Errorf("handed on %d bytes in %d files, limits %+v", total, files, limits)
		}
	})
}

func TestSize(t *testing.T) {
	for n, want := range map[int64]string{0: "0 B", 1023: "1023 B", 1024: "1 KiB", 1 << 30: "1 GiB", 1536 << 20: "1.5 GiB", 1<<63 - 1: "8 EiB"} {
		if got := size(n); got != want {
			t.Errorf("size(%d) = %q, want %q", n, got, want)
		}
	}
}
