package cell

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/guest/wire"
)

func startAhead(t *testing.T, f *fake, spec Spec) *Cell {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	c, err := StartAhead(ctx, f, spec)
	cancel()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

func TestACellThatWaitsIsBoundByItsRunOnly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startAhead(t, &fake{serve: hangs}, Spec{Wall: time.Second})
		time.Sleep(time.Hour)
		select {
		case <-c.Done():
			t.Fatal("it ended by itself")
		default:
		}
		if err := c.Adopt(t.Context(), 3*time.Second, nil); err != nil {
			t.Fatal(err)
		}
		begin := time.Now()
		_, err := c.Exec(t.Context(), Command{Argv: []string{"x"}})
		if codeOf(err) != api.Timeout || time.Since(begin) != 3*time.Second {
			t.Errorf("got %v after %v, want a time-out after 3s", err, time.Since(begin))
		}
		<-c.Done()
		c.Close()
		synctest.Wait()
	})
}

func TestAdoptIsRefused(t *testing.T) {
	serve := func(context.Context, net.Conn) {}
	tests := map[string]struct {
		before func(*Cell)
		serve  func(context.Context, net.Conn)
		code   api.Code
		words  string
	}{
		"twice":           {func(c *Cell) { c.Adopt(context.Background(), 0, nil) }, nil, api.Internal, "belongs to a run"},
		"after its end":   {func(c *Cell) { c.Release(); <-c.Done() }, nil, api.CellLost, "ended before"},
		"without a proxy": {func(*Cell) {}, serve, api.Internal, "without a proxy"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			c := startAhead(t, &fake{serve: hangs}, Spec{})
			test.before(c)
			err := c.Adopt(t.Context(), 0, test.serve)
			if codeOf(err) != test.code || !strings.Contains(err.Error(), test.words) {
				t.Errorf("got %v, want %s with %q", err, test.code, test.words)
			}
		})
	}
	if err := start(t, &fake{serve: hangs}, Spec{}).Adopt(t.Context(), 0, nil); codeOf(err) != api.Internal {
		t.Errorf("got %v for a cell that was started for its run", err)
	}
}

// A cell that reads nothing any more, because its sandbox was taken over or
// hangs, does not keep the run that gets it.
func TestADeafCellDoesNotHoldItsRun(t *testing.T) {
	for name, test := range map[string]struct {
		patience, wall time.Duration
		code           api.Code
	}{
		"beyond its time":   {time.Hour, 3 * time.Second, api.Timeout},
		"when it is called": {3 * time.Second, time.Hour, api.Canceled},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := startAhead(t, &fake{serve: hangs, deaf: true}, Spec{})
				ctx, cancel := context.WithTimeout(t.Context(), test.patience)
				defer cancel()
				begin := time.Now()
				err := c.Adopt(ctx, test.wall, nil)
				if codeOf(err) != test.code || time.Since(begin) != 3*time.Second {
					t.Errorf("got %v after %v, want %s after 3s", err, time.Since(begin), test.code)
				}
				c.Close()
				synctest.Wait()
			})
		})
	}
}

func TestTheEndOfTheRunEndsTheCell(t *testing.T) {
	c := startAhead(t, &fake{serve: hangs}, Spec{})
	run, end := context.WithCancel(t.Context())
	if err := c.Adopt(run, 0, nil); err != nil {
		t.Fatal(err)
	}
	end()
	<-c.Done()
	if _, err := c.Exec(t.Context(), Command{Argv: []string{"x"}}); codeOf(err) != api.Canceled {
		t.Errorf("got %v, want %s", err, api.Canceled)
	}
}

func TestUsageCountsFromTheRun(t *testing.T) {
	f := &fake{serve: hangs, usage: Usage{CPU: 5 * time.Second, Memory: 7}, death: Death{CPU: 9 * time.Second}}
	c := startAhead(t, f, Spec{})
	if got := c.Usage(); got.CPU != 5*time.Second || got.Memory != 7 {
		t.Errorf("before: %+v", got)
	}
	if err := c.Adopt(t.Context(), 0, nil); err != nil {
		t.Fatal(err)
	}
	if got := c.Usage(); got.CPU != 0 || got.Memory != 7 {
		t.Errorf("after: %+v", got)
	}
	if death, err := c.Close(); err != nil || death.CPU != 4*time.Second {
		t.Errorf("at the end: %+v, %v", death, err)
	}
}

// speaks plays a program with a control channel.
func speaks(program func(*wire.Channel)) *fake {
	return &fake{serve: func(_ string, _ json.RawMessage, ch *wire.Channel) { program(ch) }}
}

func begin(t *testing.T, f *fake) (*Cell, *Process) {
	t.Helper()
	c := startAhead(t, f, Spec{})
	p, err := c.Begin(t.Context(), Command{Argv: []string{"x"}})
	if err != nil {
		t.Fatal(err)
	}
	return c, p
}

func TestReadyKeepsWhatCameBefore(t *testing.T) {
	_, p := begin(t, speaks(func(ch *wire.Channel) {
		ch.WriteStream(0, []byte("out"))
		ch.WriteStream(1, []byte("err"))
		ch.WriteStream(2, []byte(".res"))
		ch.WriteStream(2, []byte("ult"))
		ch.EndControl()
		ch.Close(wire.Exit{Code: 4})
	}))
	if err := p.Ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	var out, errs, control bytes.Buffer
	exit, err := p.Finish(t.Context(), &out, &errs, &control)
	if err != nil || exit.Code != 4 || out.String() != "out" || errs.String() != "err" || control.String() != "result" {
		t.Errorf("%+v, %v; out %q, err %q, control %q", exit, err, out.String(), errs.String(), control.String())
	}
}

func TestAProgramThatIsNeverReady(t *testing.T) {
	long := strings.Repeat("x", 20<<10)
	_, p := begin(t, speaks(func(ch *wire.Channel) {
		ch.WriteStream(1, []byte(long+"last words"))
		ch.Close(wire.Exit{Code: 3})
	}))
	var never *NotReadyError
	if err := p.Ready(t.Context()); !errors.As(err, &never) || never.Exit.Code != 3 || len(never.Stderr) != 8<<10 || !strings.HasSuffix(never.Stderr, "last words") {
		t.Errorf("got %.100v, want the status and the last words", err)
	}
	_, p = begin(t, speaks(func(ch *wire.Channel) { ch.Close(wire.Exit{Code: 127, Error: "not found"}) }))
	if err := p.Ready(t.Context()); codeOf(err) != api.CommandNotFound {
		t.Errorf("got %v, want %s", err, api.CommandNotFound)
	}
	_, p = begin(t, speaks(func(ch *wire.Channel) { ch.EndControl(); ch.Close(wire.Exit{Code: 5}) }))
	if err := p.Ready(t.Context()); !errors.As(err, &never) || never.Exit.Code != 5 {
		t.Errorf("got %v for a program that closed its control stream", err)
	}
	_, p = begin(t, speaks(func(ch *wire.Channel) {
		for {
			if _, err := ch.WriteStream(0, []byte(long)); err != nil {
				return
			}
		}
	}))
	if err := p.Ready(t.Context()); err == nil {
		t.Error("a program that only prints is ready")
	}
}

func TestAResultOfAProgramThatGoesOn(t *testing.T) {
	c, p := begin(t, speaks(func(ch *wire.Channel) {
		ch.WriteStream(0, []byte("out"))
		ch.WriteStream(2, []byte("result"))
		ch.EndControl()
	}))
	var out, control bytes.Buffer
	_, ended, err := p.Result(t.Context(), &out, nil, &control)
	if err != nil || ended || out.String() != "out" || control.String() != "result" {
		t.Errorf("ended %v, %v; out %q, control %q", ended, err, out.String(), control.String())
	}
	c.Release()
	if _, err := p.Finish(t.Context(), nil, nil, nil); err == nil {
		t.Error("a program of a released cell ended well")
	}
}

func TestAResultOfACellThatRanOutOfMemory(t *testing.T) {
	f := speaks(func(ch *wire.Channel) { ch.EndControl() })
	f.partKilled = true
	_, p := begin(t, f)
	if _, _, err := p.Result(t.Context(), nil, nil, nil); codeOf(err) != api.OutOfMemory {
		t.Errorf("got %v, want %s", err, api.OutOfMemory)
	}
}

func TestEarlyOutputInTinyPieces(t *testing.T) {
	const each = 5000
	_, p := begin(t, speaks(func(ch *wire.Channel) {
		for range each {
			ch.WriteStream(0, []byte("o"))
			ch.WriteStream(1, []byte("e"))
		}
		ch.WriteStream(2, []byte("."))
		ch.Close(wire.Exit{})
	}))
	if err := p.Ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(p.early) > 2*maxEarlyPieces {
		t.Errorf("%d pieces are kept", len(p.early))
	}
	var out, errs bytes.Buffer
	if _, err := p.Finish(t.Context(), &out, &errs, nil); err != nil {
		t.Fatal(err)
	}
	if out.String() != strings.Repeat("o", each) || errs.String() != strings.Repeat("e", each) {
		t.Errorf("got %d and %d bytes", out.Len(), errs.Len())
	}
}
