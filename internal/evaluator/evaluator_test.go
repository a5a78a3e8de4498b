package evaluator_test

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"net"
	"os"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/evaluator"
	"github.com/glovebox-dev/glovebox/internal/orchestrator"
)

// patience is how long a test waits for what has to come.
const patience = time.Minute

// pair returns two ends that are connected.
func pair(t testing.TB) (one, other *net.UnixConn) {
	t.Helper()
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	var ends [2]*net.UnixConn
	for i, fd := range fds {
		file := os.NewFile(uintptr(fd), "end")
		conn, err := net.FileConn(file)
		file.Close()
		if err != nil {
			t.Fatal(err)
		}
		ends[i] = conn.(*net.UnixConn)
	}
	return ends[0], ends[1]
}

// serve starts an evaluator and returns what hands it connections.
func serve(t testing.TB, r evaluator.Runner) *net.UnixConn {
	t.Helper()
	control, its := pair(t)
	served := make(chan error, 1)
	go func() { served <- evaluator.New(r).Serve(context.Background(), its) }()
	t.Cleanup(func() {
		control.Close()
		select {
		case err := <-served:
			if err != nil {
				t.Errorf("serving ended with %v", err)
			}
		case <-time.After(patience):
			t.Error("the evaluator does not end")
		}
	})
	return control
}

func interpreter() evaluator.Runner { return orchestrator.New(orchestrator.Config{}) }

// client speaks to an evaluator.
type client struct {
	t    testing.TB
	conn net.Conn
}

func dial(t testing.TB, control *net.UnixConn) *client {
	t.Helper()
	conn := handed(t, control)
	t.Cleanup(func() { conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	return &client{t, conn}
}

// handed returns a connection whose other end was handed over.
func handed(t testing.TB, control *net.UnixConn) *net.UnixConn {
	t.Helper()
	conn, its := pair(t)
	defer its.Close()
	file, err := its.File()
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, _, err := control.WriteMsgUnix([]byte{0}, unix.UnixRights(int(file.Fd())), nil); err != nil {
		t.Fatal(err)
	}
	return conn
}

func (c *client) send(kind byte, body []byte) {
	c.t.Helper()
	frame := binary.LittleEndian.AppendUint32([]byte{kind}, uint32(len(body)))
	if _, err := c.conn.Write(append(frame, body...)); err != nil {
		c.t.Fatal(err)
	}
}

func (c *client) receive() (kind byte, body []byte) {
	c.t.Helper()
	head := make([]byte, 5)
	if _, err := io.ReadFull(c.conn, head); err != nil {
		c.t.Fatalf("reading a frame: %v", err)
	}
	body = make([]byte, binary.LittleEndian.Uint32(head[1:]))
	if _, err := io.ReadFull(c.conn, body); err != nil {
		c.t.Fatalf("reading the body of a frame %q: %v", head[0], err)
	}
	return head[0], body
}

// begin sends code to evaluate with the tool add, and an async one.
func (c *client) begin(code, inputs string) {
	c.t.Helper()
	var given map[string]any
	if err := json.Unmarshal([]byte(inputs), &given); err != nil {
		c.t.Fatal(err)
	}
	var params []string
	for name := range given {
		params = append(params, `{"name":`+quoted(name)+`,"type":"Any"}`)
	}
	const add = `"kind":"function","function":{"id":"add"},"signature":{"inputs":[{"name":"x","type":"int"},{"name":"y","type":"int"}],"outputs":[{"name":"o0","type":"int"}]`
	task := `{"name":"test","kind":"orchestrator","code":` + quoted(code) + `,
		"signature":{"inputs":[` + strings.Join(params, ",") + `],"outputs":[{"name":"o0","type":"Any"}]},
		"orchestrator":{"dialect":"extended","clock":"real","tools":[{"name":"add",` + add + `}},{"name":"aadd",` + add + `,"async":true}}]}}`
	c.send('E', append(binary.LittleEndian.AppendUint32(nil, uint32(len(task))), task+inputs...))
}

func quoted(s string) string {
	text, _ := json.Marshal(s) // a string always can be
	return string(text)
}

// end takes frames until the result.
func (c *client) end() (got struct {
	Outputs map[string]any
	Stdout  string
	Error   *api.Error
}) {
	c.t.Helper()
	kind, body := c.receive()
	if kind != 'R' {
		c.t.Fatalf("got a frame %q %s, want the result", kind, body)
	}
	if err := json.Unmarshal(body, &got); err != nil {
		c.t.Fatal(err)
	}
	return got
}

// call takes the frame of a call.
func (c *client) call() (id uint64, tool string, inputs string) {
	c.t.Helper()
	kind, body := c.receive()
	if kind != 'C' {
		c.t.Fatalf("got a frame %q %s, want a call", kind, body)
	}
	size := int(binary.LittleEndian.Uint16(body[8:]))
	return binary.LittleEndian.Uint64(body), string(body[10 : 10+size]), string(body[10+size:])
}

// waits takes the frame that says that all calls were sent.
func (c *client) waits() {
	c.t.Helper()
	if kind, body := c.receive(); kind != 'W' {
		c.t.Fatalf("got a frame %q %s, want that it waits", kind, body)
	}
}

func (c *client) answer(kind byte, id uint64, text string) {
	c.t.Helper()
	c.send(kind, append(binary.LittleEndian.AppendUint64(nil, id), text...))
}

func TestEvaluate(t *testing.T) {
	c := dial(t, serve(t, interpreter()))
	c.begin("print('adding')\nadd(n, 2) * 10", `{"n":1}`)
	id, tool, inputs := c.call()
	if id != 1 || tool != "add" || inputs != `{"x":1,"y":2}` {
		t.Errorf("call %d of %s with %s", id, tool, inputs)
	}
	c.waits()
	c.answer('A', id, `{"o0":3}`)
	if got := c.end(); got.Outputs["o0"] != 30.0 || got.Stdout != "adding\n" || got.Error != nil {
		t.Errorf("result %+v", got)
	}
	// The same connection serves the next one.
	c.begin("n[0]", `{"n":["a"]}`)
	if got := c.end(); got.Outputs["o0"] != "a" || got.Stdout != "" {
		t.Errorf("second result %+v", got)
	}
}

func TestSeveralCalls(t *testing.T) {
	c := dial(t, serve(t, interpreter()))
	c.begin("import asyncio\nawait asyncio.gather(aadd(1, 1), aadd(2, 2))", `{}`)
	first, _, _ := c.call()
	second, _, _ := c.call()
	c.waits()
	c.answer('A', second, `{"o0":4}`)
	c.answer('A', first, `{"o0":2}`)
	c.waits() // for the first, after the second was taken
	if got := c.end(); len(got.Outputs["o0"].([]any)) != 2 {
		t.Errorf("result %+v", got)
	}
}

func TestFailureIsRaised(t *testing.T) {
	c := dial(t, serve(t, interpreter()))
	c.begin("try:\n    add(1, 2)\nexcept KeyError as e:\n    r = str(e)\nr", `{}`)
	id, _, _ := c.call()
	c.waits()
	c.answer('F', id, `{"exception":{"type":"KeyError","message":"'k'"}}`)
	if got := c.end(); got.Outputs["o0"] != "'k'" {
		t.Errorf("result %+v", got)
	}
}

// TestGivenUp shows that the client hears of a call that the code gives up, and
// that a late answer to it does no harm.
func TestGivenUp(t *testing.T) {
	c := dial(t, serve(t, interpreter()))
	c.begin("import asyncio\ntry:\n    await asyncio.wait_for(aadd(1, 2), 0.01)\nexcept TimeoutError:\n    pass\nadd(3, 4)", `{}`)
	late, _, _ := c.call()
	c.waits()
	kind, body := c.receive()
	if kind != 'X' || binary.LittleEndian.Uint64(body) != late {
		t.Fatalf("got a frame %q %v, want that call %d is given up", kind, body, late)
	}
	next, _, _ := c.call()
	c.waits()
	c.answer('A', late, `{"o0":3}`)
	c.answer('A', next, `{"o0":7}`)
	if got := c.end(); got.Outputs["o0"] != 7.0 {
		t.Errorf("result %+v", got)
	}
}

// TestLateAnswer shows that the end of a call which the code did not wait for
// harms neither the connection nor the next evaluation, whose calls have the same ids.
func TestLateAnswer(t *testing.T) {
	c := dial(t, serve(t, interpreter()))
	c.begin("import asyncio\nawait asyncio.gather(aadd(1, 1), aadd(2, 2))", `{}`)
	first, _, _ := c.call()
	late, _, _ := c.call()
	c.waits()
	c.answer('F', first, `{"exception":{"type":"ValueError","message":"no"}}`)
	kind, _ := c.receive()
	for kind != 'R' {
		kind, _ = c.receive()
	}
	c.answer('A', late, `{"o0":4}`)
	c.answer('F', late, `{"exception":{"type":"ValueError","message":"late"}}`)
	c.begin("await aadd(1, 2)", `{}`)
	id, _, _ := c.call()
	c.waits()
	c.answer('A', id, `{"o0":3}`)
	if got := c.end(); got.Outputs["o0"] != 3.0 {
		t.Errorf("result %+v", got)
	}
}

func TestWrong(t *testing.T) {
	for _, test := range []struct {
		name, code, inputs string
		answer             string // to the one call; "" if there is none
		kind               byte
		want               api.Code
	}{
		{name: "syntax", code: "1 +", inputs: `{}`, want: api.SyntaxError},
		{name: "checked", code: "unknown", inputs: `{}`, want: api.CheckFailed},
		{name: "raised", code: "1 // n", inputs: `{"n":0}`, want: api.PythonException},
		{name: "bad output", code: "add(1, 2)", inputs: `{}`, kind: 'A', answer: `{"o0":"text"}`, want: api.CallFailed},
		{name: "no output", code: "add(1, 2)", inputs: `{}`, kind: 'A', answer: `{}`, want: api.CallFailed},
		{name: "no JSON", code: "add(1, 2)", inputs: `{}`, kind: 'A', answer: `{`, want: api.CallFailed},
		{name: "no failure", code: "add(1, 2)", inputs: `{}`, kind: 'F', answer: `{}`, want: api.RequestInvalid},
		{name: "unknown outcome", code: "add(1, 2)", inputs: `{}`, kind: 'F', answer: `{"error":{"code":"worker_lost","message":"x","outcome":"unknown"}}`, want: api.OutcomeUnknown},
		{name: "wrong frame", code: "add(1, 2)", inputs: `{}`, kind: 'Z', answer: `12345678`, want: api.RequestInvalid},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := dial(t, serve(t, interpreter()))
			c.begin(test.code, test.inputs)
			if test.answer != "" {
				id, _, _ := c.call()
				c.waits()
				c.answer(test.kind, id, test.answer)
			}
			got := c.end()
			if got.Error == nil || got.Error.Code != test.want {
				t.Errorf("error %v, want %s", got.Error, test.want)
			}
		})
	}
}

// TestHandedOver shows that messages without a connection, and with something
// else in its place, do no harm, and that the end of the context is the end.
func TestHandedOver(t *testing.T) {
	control, its := pair(t)
	defer control.Close()
	ctx, stop := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- evaluator.New(interpreter()).Serve(ctx, its) }()
	file, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for _, rights := range [][]byte{nil, unix.UnixRights(int(file.Fd()))} {
		if _, _, err := control.WriteMsgUnix([]byte{0}, rights, nil); err != nil {
			t.Fatal(err)
		}
	}
	c := dial(t, control)
	c.begin("1 + 1", `{}`)
	if got := c.end(); got.Outputs["o0"] != 2.0 {
		t.Errorf("got %v", got)
	}
	stop()
	select {
	case err := <-served:
		if err != nil {
			t.Errorf("serving ended with %v", err)
		}
	case <-time.After(patience):
		t.Error("the evaluator does not end")
	}
}

func TestWrongFrames(t *testing.T) {
	for name, body := range map[string][]byte{
		"empty":              nil,
		"a longer task":      {255, 255, 255, 255, '{'},
		"a task that is not": {2, 0, 0, 0, '{', ']'},
		"an empty task":      {2, 0, 0, 0, '{', '}'},
		"a sandbox":          append([]byte{33, 0, 0, 0}, `{"kind":"sandbox","code":"x = 1"}{}`...),
		"an unknown field":   append([]byte{10, 0, 0, 0}, `{"odd":12}{}`...),
	} {
		t.Run(name, func(t *testing.T) {
			c := dial(t, serve(t, interpreter()))
			c.send('E', body)
			if got := c.end(); got.Error == nil || got.Error.Code != api.RequestInvalid && got.Error.Code != api.InvalidTask {
				t.Errorf("error %v", got.Error)
			}
		})
	}
	t.Run("too long", func(t *testing.T) {
		c := dial(t, serve(t, interpreter()))
		if _, err := c.conn.Write([]byte{'E', 255, 255, 255, 255}); err != nil {
			t.Fatal(err)
		}
		if n, err := c.conn.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
			t.Errorf("read %d bytes, %v; want the end of the connection", n, err)
		}
	})
}

// stuck is a runner whose runs end with their context alone.
type stuck struct {
	began chan struct{}
	ended atomic.Int64
}

func (s *stuck) PrepareHere(*api.Task) (func(context.Context, *api.Request, func(error)) (*api.Result, error), error) {
	return func(ctx context.Context, _ *api.Request, _ func(error)) (*api.Result, error) {
		s.began <- struct{}{}
		<-ctx.Done()
		s.ended.Add(1)
		return nil, context.Cause(ctx)
	}, nil
}

// TestHangUp shows that code that computes ends with its client.
func TestHangUp(t *testing.T) {
	r := &stuck{began: make(chan struct{})}
	c := dial(t, serve(t, r))
	c.begin("1", `{}`)
	<-r.began
	c.conn.Close()
	for began := time.Now(); r.ended.Load() == 0; time.Sleep(time.Millisecond) {
		if time.Since(began) > patience {
			t.Fatal("the evaluation goes on without its client")
		}
	}
}

// TestHang shows that an interpreter that hangs costs its evaluation and its
// connection, and that the evaluator ends all the same.
func TestHang(t *testing.T) {
	r := hanging(make(chan struct{}))
	t.Cleanup(func() { close(r) })
	c := dial(t, serve(t, r)) // whose cleanup waits for what is under way
	c.begin("1 + 1", `{}`)
	if got := c.end(); got.Error == nil || got.Error.Code != api.Timeout {
		t.Errorf("error %v", got.Error)
	}
	if n, err := c.conn.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
		t.Errorf("read %d bytes, %v; want the end of the connection", n, err)
	}
}

// hanging is a runner whose runs hang until it is closed.
type hanging chan struct{}

func (h hanging) PrepareHere(*api.Task) (func(context.Context, *api.Request, func(error)) (*api.Result, error), error) {
	return func(_ context.Context, _ *api.Request, hung func(error)) (*api.Result, error) {
		go hung(api.Errorf(api.Timeout, "it hangs"))
		<-h
		runtime.Goexit()
		return nil, nil
	}, nil
}

// TestHangUpInCall shows the same of code that waits for an answer.
func TestHangUpInCall(t *testing.T) {
	control := serve(t, interpreter()) // whose cleanup waits for what is under way
	c := dial(t, control)
	c.begin("add(1, 2)", `{}`)
	c.call()
	c.waits()
	c.conn.Close()
}

// FuzzFrames sends any bytes: they end the connection or an evaluation, and
// nothing else.
func FuzzFrames(f *testing.F) {
	f.Add([]byte{'E', 6, 0, 0, 0, 2, 0, 0, 0, '{', '}'})
	f.Add([]byte("E\x05\x00\x00\x00\xff\xff\xff\xff{"))
	f.Add([]byte("A\x00\x00\x00\x00"))
	f.Add([]byte("E\x00"))
	control := serve(f, interpreter())
	f.Fuzz(func(t *testing.T, sent []byte) {
		conn := handed(t, control)
		defer conn.Close()
		if err := conn.SetDeadline(time.Now().Add(patience)); err != nil {
			t.Fatal(err)
		}
		if _, err := conn.Write(sent); err != nil && !errors.Is(err, syscall.EPIPE) {
			t.Fatal(err)
		}
		if err := conn.CloseWrite(); err != nil && !errors.Is(err, syscall.ENOTCONN) {
			t.Fatal(err)
		}
		_, err := io.Copy(io.Discard, conn)
		if err != nil && !errors.Is(err, syscall.ECONNRESET) {
			t.Errorf("the connection does not end: %v", err)
		}
	})
}
