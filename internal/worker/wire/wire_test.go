package wire_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/worker/wire"
	"github.com/glovebox-dev/glovebox/value"
)

func TestRoundTrip(t *testing.T) {
	sent := &wire.Message{
		Type: wire.Invoke, Call: "c", Run: "r", Function: "f", Inputs: json.RawMessage(`{"s":"<\ud800>"}`),
		Timeout: time.Second, IdempotencyKey: "k",
	}
	line, err := sent.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"type":"call","call":"c","run":"r","function":"f","inputs":{"s":"<\ud800>"},"timeout_ns":1000000000,"idempotency_key":"k"}` + "\n"; string(line) != want {
		t.Errorf("encoded %s, want %s", line, want)
	}
	got, err := wire.Decode(line)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(sent, got); diff != "" {
		t.Error(diff)
	}
}

func TestDecodeRefuses(t *testing.T) {
	for _, test := range []struct{ line, field string }{
		{`[]`, ""}, {`{"type":"ping"} {}`, ""}, {`{`, ""}, {`{}`, "type"},
		{`{"type":"hello","protocol":2}`, "protocol"},
		{`{"type":"hello","protocol":1,"worker":"short","capacity":1}`, "worker"},
		{`{"type":"hello","protocol":1,"worker":"0123456789abcdef"}`, "capacity"},
		{`{"type":"hello","protocol":1,"worker":"0123456789abcdef","capacity":1000000}`, "capacity"},
		{`{"type":"hello","protocol":1,"worker":"0123456789abcdef","capacity":1,"name":"a\nb"}`, "name"},
		{`{"type":"started"}`, "call"}, {`{"type":"result"}`, "call"}, {`{"type":"log","stream":"stdout"}`, "call"},
		{`{"type":"log","call":"c","stream":"stdin"}`, "stream"},
		{`{"type":"log","call":"c","stream":"stdout","text":"` + strings.Repeat("x", wire.MaxText+1) + `"}`, "text"},
		{`{"type":"ack","call":"` + strings.Repeat("x", 300) + `"}`, "call"},
	} {
		_, err := wire.Decode([]byte(test.line))
		var e *api.Error
		if !errors.As(err, &e) || e.Code != api.RequestInvalid || e.Details.Field != test.field {
			t.Errorf("%.80s: %v, want request_invalid of field %q", test.line, err, test.field)
		}
	}
}

func TestPartsRefuse(t *testing.T) {
	function := `{"id":"f","task":{"signature":{"inputs":[{"name":"x","type":"int"}]}}}`
	for _, test := range []struct{ functions, calls string }{
		{functions: `{}`}, {functions: `[1]`}, {functions: `[{"id":""}]`},
		{functions: `[` + function + `,` + function + `]`},
		{functions: `[{"id":"f","task":{"signature":{"inputs":[{"name":"x","type":"nonsense"}]}}}]`},
		{functions: `[` + strings.Repeat(`1,`, wire.MaxFunctions) + `1]`},
		{functions: `[{"id":"f","task":{"doc":"` + strings.Repeat("x", 300<<10) + `"}}]`},
		{functions: `["` + strings.Repeat("x", 9<<20) + `"]`},
		{calls: `{}`}, {calls: `[1]`}, {calls: `[{"call":"a\u0000"}]`},
		{calls: `[` + strings.Repeat(`{},`, 3*wire.MaxCapacity) + `{}]`},
	} {
		m := &wire.Message{Functions: json.RawMessage(test.functions), Calls: json.RawMessage(test.calls)}
		_, err1 := m.Offered()
		_, err2 := m.Known()
		if err := errors.Join(err1, err2); !errors.Is(err, &api.Error{Code: api.RequestInvalid}) {
			t.Errorf("%.60s %.60s: %v, want request_invalid", test.functions, test.calls, err)
		}
	}
}

// pipe is a connection with its other end.
func pipe() (*wire.Conn, net.Conn) {
	a, b := net.Pipe()
	return wire.NewConn(a), b
}

func TestLineIsBoundedBeforeItIsKept(t *testing.T) {
	conn := wire.NewConn(stream{Reader: endless{}})
	if _, err := conn.Read(); !errors.Is(err, &api.Error{Code: api.RequestTooLarge}) {
		t.Errorf("a line without end: %v, want request_too_large", err)
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	return copy(p, bytes.Repeat([]byte("x"), len(p))), nil
}

type stream struct{ io.Reader }

func (stream) Write(p []byte) (int, error) { return len(p), nil }
func (stream) Close() error                { return nil }

func TestSilenceEndsTheConnection(t *testing.T) {
	for name, other := range map[string]func(net.Conn){
		"reads and says nothing": func(c net.Conn) { _, _ = io.Copy(io.Discard, c) },
		"does nothing":           func(net.Conn) {},
		"talks and never reads": func(c net.Conn) {
			for {
				if _, err := io.WriteString(c, `{"type":"ping"}`+"\n"); err != nil {
					return
				}
				time.Sleep(time.Second)
			}
		},
	} {
		synctest.Test(t, func(t *testing.T) {
			conn, c := pipe()
			var others sync.WaitGroup
			others.Go(func() { other(c) })
			began := time.Now()
			err := conn.Run(t.Context(), wire.NewOutbox(), 10*time.Second, func(context.Context, *wire.Message) error { return nil })
			c.Close()
			if took := time.Since(began); err == nil || took > 60*time.Second {
				t.Errorf("a peer that %s: %v after %s, want an error within a minute", name, err, took)
			}
			others.Wait()
		})
	}
}

func TestSlowHandlerIsNotSilence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		conn, c := pipe()
		go io.Copy(io.Discard, c)
		go io.WriteString(c, `{"type":"offer"}`+"\n")
		failed := errors.New("done")
		err := conn.Run(t.Context(), wire.NewOutbox(), time.Second, func(context.Context, *wire.Message) error {
			time.Sleep(time.Hour)
			return failed
		})
		c.Close()
		if !errors.Is(err, failed) {
			t.Errorf("ended with %v, want the handler's own error", err)
		}
	})
}

func TestPeerIsToldWhy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		conn, c := pipe()
		go io.WriteString(c, "nonsense\n")
		sent := make(chan string)
		go func() { text, _ := io.ReadAll(c); sent <- string(text) }()
		err := conn.Run(t.Context(), wire.NewOutbox(), time.Minute, nil)
		if text := <-sent; err == nil || !strings.Contains(text, `"type":"bye","error":{"code":"request_invalid"`) {
			t.Errorf("ended with %v and told %q, want a bye with the error", err, text)
		}
	})
}

// leaver is the stream of a peer that said bye and is gone: nothing can be written
// to it, and its bye is read a moment later.
type leaver struct{ bye *strings.Reader }

func (l leaver) Read(p []byte) (int, error) {
	time.Sleep(100 * time.Millisecond)
	return l.bye.Read(p)
}
func (leaver) Write([]byte) (int, error) { return 0, syscall.EPIPE }
func (leaver) Close() error              { return nil }

// TestByeOfALeaver: what the peer said counts, though the connection broke.
func TestByeOfALeaver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, says := range []string{"{\"type\":\"bye\"}\n", ""} {
			left := errors.New("it said bye")
			out := wire.NewOutbox()
			out.Put(&wire.Message{Type: wire.Ack, Call: "c"})
			err := wire.NewConn(leaver{strings.NewReader(says)}).Run(t.Context(), out, time.Minute, func(_ context.Context, m *wire.Message) error {
				if m.Type != wire.Bye {
					t.Errorf("got %q", m.Type)
				}
				return left
			})
			if errors.Is(err, left) != (says != "") || err == nil {
				t.Errorf("%q: got %v", says, err)
			}
		}
	})
}

// TestMessagesThatCanWait: one that can wait goes with the next one, and
// soon by itself.
func TestMessagesThatCanWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ours, theirs := net.Pipe()
		defer theirs.Close()
		out := wire.NewOutbox()
		go wire.NewConn(ours).Run(t.Context(), out, time.Minute, nil)
		synctest.Wait()
		began, b := time.Now(), make([]byte, 1<<10)
		out.PutSoon(&wire.Message{Type: wire.Ack, Call: "a"})
		out.Put(&wire.Message{Type: wire.Cancel, Call: "b"})
		n, err := theirs.Read(b)
		if err != nil || strings.Count(string(b[:n]), "\n") != 2 || time.Since(began) > 0 {
			t.Errorf("got %q after %s, %v; want both at once", b[:n], time.Since(began), err)
		}
		out.PutSoon(&wire.Message{Type: wire.Ack, Call: "c"})
		if n, err = theirs.Read(b); err != nil || !strings.Contains(string(b[:n]), `"c"`) || time.Since(began) > time.Second {
			t.Errorf("got %q after %s, %v; want it soon", b[:n], time.Since(began), err)
		}
	})
}

func TestUnreadAnswersAreBounded(t *testing.T) {
	conn := wire.NewConn(blocked{Reader: repeat(`{"type":"ping"}` + "\n"), closed: make(chan struct{})})
	err := conn.Run(t.Context(), wire.NewOutbox(), time.Minute, nil)
	if !errors.Is(err, &api.Error{Code: api.Overloaded}) {
		t.Errorf("pings without reading: %v, want overloaded", err)
	}
}

// blocked cannot be written to.
type blocked struct {
	io.Reader
	closed chan struct{}
}

func (b blocked) Write([]byte) (int, error) { <-b.closed; return 0, io.ErrClosedPipe }
func (b blocked) Close() error {
	select {
	case <-b.closed:
	default:
		close(b.closed)
	}
	return nil
}

// repeat reads as text again and again.
type repeat string

func (r repeat) Read(p []byte) (int, error) {
	if len(p) < len(r) {
		return copy(p, r[:len(p)]), io.ErrShortBuffer
	}
	return copy(p, r), nil
}

func FuzzMessage(f *testing.F) {
	f.Add([]byte(`{"type":"hello","protocol":1,"worker":"0123456789abcdef","capacity":1,"functions":[{"id":"f","task":{"signature":{"inputs":[{"name":"x","type":"int","default":1}]}}}],"calls":[{"call":"c","started":true}]}`))
	f.Add([]byte(`{"type":"failure","call":"c","exception":{"type":"ValueError","message":"m","frames":[{"file":"f","line":1}]}}`))
	f.Add([]byte(`{"type":"failure","call":"c","error":{"code":"timeout","details":{"call":{"error":{}}}}}`))
	f.Add([]byte(`{"type":"result","call":"c","outputs":{"x":1,"y":[{"$file":{"path":"/"}}]}}`))
	params := []value.Param{{Name: "x", Type: value.Type{Kind: value.KindInt}}, {Name: "y", Type: value.Type{Kind: value.KindAny}}}
	f.Fuzz(func(t *testing.T, line []byte) {
		m, err := wire.Decode(line)
		if err != nil {
			return
		}
		_, _ = m.Offered()
		_, _ = m.Known()
		_, _ = m.Failed()
		if values, err := wire.Values(api.BadOutput, "output", params, m.Outputs); err == nil {
			if _, err := api.EncodeFields(params, values); err != nil {
				t.Errorf("decoded values cannot be encoded: %v", err)
			}
		}
		text, err := m.Encode()
		if err != nil {
			t.Fatalf("a decoded message cannot be encoded: %v", err)
		}
		if bytes.IndexByte(text, '\n') != len(text)-1 {
			t.Errorf("%q is not one line", text)
		}
	})
}
