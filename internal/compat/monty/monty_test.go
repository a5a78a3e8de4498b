package monty

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/glovebox-dev/glovebox/py/graph"
)

// client speaks to a worker as pydantic-monty does.
type client struct {
	t       *testing.T
	in      *io.PipeWriter
	out     *io.PipeReader
	printed string // with a mark before each segment of standard error
}

func testKey() ([]byte, error) { return []byte("0123456789abcdef"), nil }

func connect(t *testing.T) *client {
	t.Helper()
	in, toWorker := io.Pipe()
	fromWorker, out := io.Pipe()
	c := &client{t: t, in: toWorker, out: fromWorker}
	done := make(chan error, 1)
	go func() {
		done <- Serve(context.Background(), Pipe{In: in, Out: out}, Options{Key: testKey})
		in.CloseWithError(io.ErrClosedPipe)
		out.Close()
	}()
	t.Cleanup(func() {
		toWorker.Close()
		go io.Copy(io.Discard, fromWorker)
		<-done
	})
	return c
}

func configured(t *testing.T, more ...[]byte) *client {
	t.Helper()
	c := connect(t)
	if ev := c.send(requestConfigure, join(append(more, text(1, "main.py"), number(9, 6))...)); ev.kind != eventOK {
		t.Fatalf("Configure: %d %q", ev.kind, ev.body)
	}
	return c
}

// send sends a request and returns the event that ends its turn.
func (c *client) send(kind requestKind, body []byte) event {
	c.t.Helper()
	return c.raw(bytesOf(protowire.Number(kind), body))
}

func (c *client) raw(frame []byte) event {
	c.t.Helper()
	if err := (Pipe{Out: c.in}).Write(context.Background(), frame); err != nil {
		c.t.Fatal(err)
	}
	for {
		frame, err := Pipe{In: c.out}.Read(context.Background())
		if err != nil {
			c.t.Fatal(err)
		}
		ev := readEvent(c.t, frame)
		if ev.kind != eventPrint {
			return ev
		}
		if err := fields(ev.body, func(x field) error {
			if word(c.t, x.bytes, 1) == uint64(standardError) {
				c.printed += "!"
			}
			c.printed += string(part(c.t, x.bytes, 2))
			return nil
		}); err != nil {
			c.t.Fatal(err)
		}
	}
}

func readEvent(t *testing.T, frame []byte) event {
	t.Helper()
	var ev event
	err := fields(frame, func(x field) error {
		if x.number <= 12 {
			ev = event{kind: eventKind(x.number), body: x.bytes}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return ev
}

// part returns the field n of a message.
func part(t *testing.T, message []byte, n int32) []byte {
	t.Helper()
	var found []byte
	if err := fields(message, func(x field) error {
		if x.is(n) {
			found = x.bytes
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return found
}

func word(t *testing.T, message []byte, n int32) uint64 {
	t.Helper()
	var found uint64
	if err := fields(message, func(x field) error {
		if x.is(n) {
			found = x.word
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return found
}

func (c *client) feed(code string, more ...[]byte) event {
	c.t.Helper()
	return c.send(requestFeed, join(append(more, text(1, code))...))
}

// value is the result of code that completes.
func (c *client) value(ev event) (*graph.Graph, graph.Node) {
	c.t.Helper()
	if ev.kind != eventComplete {
		c.t.Fatalf("event %d: %q; expected a result", ev.kind, ev.body)
	}
	g, err := version6.readArena(part(c.t, ev.body, 2))
	if err != nil {
		c.t.Fatal(err)
	}
	return g, g.Nodes[word(c.t, ev.body, 1)]
}

func (c *client) number(ev event) int64 {
	c.t.Helper()
	_, n := c.value(ev)
	if n.Kind != graph.Int {
		c.t.Fatalf("the result is %+v, expected an int", n)
	}
	return n.Int
}

// raisedBy is the class and the message of an Error.
func (c *client) raisedBy(ev event) raised {
	c.t.Helper()
	if ev.kind != eventError {
		c.t.Fatalf("event %d: %q; expected an exception", ev.kind, ev.body)
	}
	r, err := readRaised(field{number: 1, wire: protowire.BytesType, bytes: part(c.t, ev.body, 1)})
	if err != nil {
		c.t.Fatal(err)
	}
	return r
}

func ints(values ...int64) []byte {
	g := &graph.Graph{}
	for _, v := range values {
		g.Add(graph.Node{Kind: graph.Int, Int: v})
	}
	return version6.arena(g)
}

func returns(call uint64, v int64) []byte {
	return join(numberSet(1, call), bytesOf(2, number(1, 0)), bytesOf(3, ints(v)))
}

func TestFeedsKeepVariables(t *testing.T) {
	c := configured(t)
	if _, n := c.value(c.feed("x = 40\ndef f(a): return a + x")); n.Kind != graph.None {
		t.Errorf("the result of a def is %+v", n)
	}
	c.feed("x += 1")
	if got := c.number(c.feed("f(1)")); got != 42 {
		t.Errorf("f(1) = %d, want 42", got)
	}
}

func TestInputs(t *testing.T) {
	c := configured(t)
	ev := c.feed("y[0] is y[1], y", bytesOf(2, join(text(1, "y"), number(2, 1))),
		bytesOf(3, version6.arena(&graph.Graph{Nodes: []graph.Node{{Kind: graph.List}, {Kind: graph.List, Items: []uint32{0, 0}}}})))
	g, n := c.value(ev)
	if n.Kind != graph.Tuple || g.Nodes[n.Items[0]].Int != 1 {
		t.Fatalf("one list twice is two lists: %+v", g.Nodes)
	}
	if y := g.Nodes[n.Items[1]]; y.Items[0] != y.Items[1] {
		t.Errorf("one list leaves as two: %+v", g.Nodes)
	}
}

func TestCycleLeaves(t *testing.T) {
	c := configured(t)
	ev := c.feed("a = [1]\na.append(a)\na")
	if ev.kind != eventComplete {
		t.Fatalf("event %d: %q", ev.kind, ev.body)
	}
	if !bytes.Contains(ev.body, []byte("[...]")) {
		t.Errorf("no cycle in %q", ev.body)
	}
}

func TestPrint(t *testing.T) {
	c := configured(t, number(10, 0))
	c.feed("for i in range(3): print(i, end='\\n' if i else '-')")
	if want := "0-1\n2\n"; c.printed != want {
		t.Errorf("printed %q, want %q", c.printed, want)
	}
}

func TestStreamsKeepTheirOrder(t *testing.T) {
	code := "import sys\nfor i in range(3):\n    print(i)\n    print('e', i, file=sys.stderr)\nsys.stderr.write('end')"
	for wait, want := range map[uint64]string{0: "0\n!e 0\n1\n!e 1\n2\n!e 2\n!end", 5: "0\n!e 0\n1\n!e 1\n2\n!e 2\nend", 1000: "0\n!e 0\n1\n!e 1\n2\n!e 2\nend"} {
		c := configured(t, number(10, wait))
		c.feed(code)
		if wait == 5 {
			c.printed = strings.Replace(c.printed, "!end", "end", 1) // the time may be over before it
		}
		if c.printed != want {
			t.Errorf("after %d ms: printed %q, want %q", wait, c.printed, want)
		}
	}
}

func TestErrorsHaveFrames(t *testing.T) {
	c := configured(t)
	c.feed("def f():\n    return 1 / 0")
	ev := c.feed("f()")
	if r := c.raisedBy(ev); r.class != "ZeroDivisionError" || r.message != "division by zero" {
		t.Errorf("got %+v", r)
	}
	for _, want := range []string{"<python-input-0>", "<python-input-1>", "return 1 / 0", "f()"} {
		if !bytes.Contains(ev.body, []byte(want)) {
			t.Errorf("no %q in the frames: %q", want, ev.body)
		}
	}
	if r := c.raisedBy(c.feed("1 +")); r.class != "SyntaxError" {
		t.Errorf("got %+v", r)
	}
	if got := c.number(c.feed("1 + 1")); got != 2 {
		t.Errorf("after errors 1 + 1 = %d", got)
	}
}

// TestFramesHaveColumns compares the places of expressions in frames.
func TestFramesHaveColumns(t *testing.T) {
	for code, want := range map[string]string{
		"x = 'é'; 1 / 0":                    "1:10-1:15 x = 'é'; 1 / 0",
		"def f(a):\n    return a[1]\nf([])": "3:1-3:6 f([]) | 2:12-2:16     return a[1]",
		"raise ValueError('a')":             "1:7-1:22 raise ValueError('a') hidden",
		"(1).real.nothing":                  "1:1-1:17 (1).real.nothing",
		"int(\n    'a',\n)":                 "1:1-3:2 int(\n    'a',\n)",
		"1 + [2]":                           "1:1-1:8 1 + [2] hidden", // whose end is not found
		"if True:\n    int(1,\n        2,\n        3,\n        4)": "2:5-5:11 int(1,\n...<2 lines>...\n    4)",
	} {
		c := configured(t)
		ev := c.feed(code)
		c.raisedBy(ev)
		if got := framesOf(t, part(t, ev.body, 1)); got != want {
			t.Errorf("%q:\n got %q\nwant %q", code, got, want)
		}
	}
}

// framesOf writes the frames of an exception.
func framesOf(t *testing.T, exception []byte) string {
	t.Helper()
	var frames []string
	if err := fields(exception, func(x field) error {
		if !x.is(3) {
			return nil
		}
		start, end, hidden := part(t, x.bytes, 2), part(t, x.bytes, 3), ""
		if word(t, x.bytes, 6) != 0 {
			hidden = " hidden"
		}
		frames = append(frames, fmt.Sprintf("%d:%d-%d:%d %s%s", word(t, start, 1), word(t, start, 2), word(t, end, 1), word(t, end, 2),
			part(t, x.bytes, 5), hidden))
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return strings.Join(frames, " | ")
}

func TestKeyErrorHasItsKey(t *testing.T) {
	c := configured(t)
	if r := c.raisedBy(c.feed("{}['a']")); r.class != "KeyError" || r.message != "a" {
		t.Errorf("got %+v", r)
	}
	if r := c.raisedBy(c.feed("{}[1]")); r.message != "1" {
		t.Errorf("got %+v", r)
	}
}

func TestNamesAndFunctions(t *testing.T) {
	c := configured(t)
	ev := c.feed("g = host\ng(2, k=3) + 1")
	if ev.kind != eventNameLookup || string(part(t, ev.body, 1)) != "host" {
		t.Fatalf("event %d: %q", ev.kind, ev.body)
	}
	fn := version6.arena(&graph.Graph{Nodes: []graph.Node{{Kind: graph.Function, Text: "host"}}})
	ev = c.send(requestResumeName, join(bytesOf(1, fn), number(2, 0)))
	if ev.kind != eventFunctionCall || string(part(t, ev.body, 1)) != "host" {
		t.Fatalf("event %d: %q", ev.kind, ev.body)
	}
	g, err := version6.readArena(part(t, ev.body, 7))
	if err != nil || len(g.Nodes) != 3 || g.Nodes[0].Int != 2 {
		t.Errorf("arguments: %+v, %v", g, err)
	}
	if got := c.number(c.send(requestResumeCall, returns(0, 41))); got != 42 {
		t.Errorf("got %d, want 42", got)
	}
}

func TestUnknownName(t *testing.T) {
	c := configured(t)
	c.feed("nothing")
	r := c.raisedBy(c.send(requestResumeName, bytesOf(3, nil)))
	if r.class != "NameError" || r.message != "name 'nothing' is not defined" {
		t.Errorf("got %+v", r)
	}
}

func TestHostRaises(t *testing.T) {
	c := configured(t)
	ev := c.feed("try:\n    host()\nexcept ValueError as e:\n    r = len(str(e))\nr")
	if ev.kind != eventFunctionCall {
		t.Fatalf("event %d: %q", ev.kind, ev.body)
	}
	answer := bytesOf(2, bytesOf(2, join(text(1, "ValueError"), text(2, "four"))))
	if got := c.number(c.send(requestResumeCall, answer)); got != 4 {
		t.Errorf("got %d, want 4", got)
	}
}

func TestFutures(t *testing.T) {
	c := configured(t)
	ev := c.feed("import asyncio\na, b = await asyncio.gather(slow(), slow())\na * 10 + b")
	for call := range uint64(2) {
		if ev.kind != eventFunctionCall {
			t.Fatalf("event %d: %q", ev.kind, ev.body)
		}
		ev = c.send(requestResumeCall, join(numberSet(1, call), bytesOf(2, number(3, call))))
	}
	if ev.kind != eventResolveFutures {
		t.Fatalf("event %d: %q", ev.kind, ev.body)
	}
	future := func(call, node uint64) []byte {
		return bytesOf(1, join(numberSet(1, call), bytesOf(2, number(1, node))))
	}
	ev = c.send(requestResumeFutures, join(future(1, 0), bytesOf(2, ints(2))))
	if ev.kind != eventResolveFutures {
		t.Fatalf("event %d: %q", ev.kind, ev.body)
	}
	if got := c.number(c.send(requestResumeFutures, join(future(0, 0), bytesOf(2, ints(1))))); got != 12 {
		t.Errorf("got %d, want 12", got)
	}
}

func TestAbort(t *testing.T) {
	c := configured(t)
	c.feed("try:\n    host()\nexcept BaseException:\n    pass")
	r := c.raisedBy(c.send(requestAbort, bytesOf(1, join(text(1, "RuntimeError"), text(2, "enough")))))
	if r.class != "RuntimeError" || r.message != "enough" {
		t.Errorf("got %+v", r)
	}
	if got := c.number(c.feed("2 + 2")); got != 4 {
		t.Errorf("after an abort 2 + 2 = %d", got)
	}
}

func TestLimits(t *testing.T) {
	for _, test := range []struct {
		name   string
		limits []byte
		code   string
		class  string
	}{
		{"memory", number(2, 1<<20), "x = []\nwhile True: x.append('a' * 1000 + str(len(x)))", "MemoryError"},
		{"feed", number(6, 50_000), "while True: pass", "TimeoutError"},
		{"turn", number(7, 50_000), "while True: pass", "TimeoutError"},
		{"depth", number(4, 50), "def f(): f()\nf()", "RecursionError"},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := configured(t, bytesOf(2, test.limits))
			if r := c.raisedBy(c.feed(test.code)); r.class != test.class {
				t.Errorf("got %+v, want %s", r, test.class)
			}
			if got := c.number(c.feed("1")); got != 1 {
				t.Errorf("the session does not continue: %d", got)
			}
		})
	}
}

func TestReset(t *testing.T) {
	c := configured(t)
	c.feed("x = 1")
	if ev := c.send(requestReset, nil); ev.kind != eventOK {
		t.Fatalf("event %d: %q", ev.kind, ev.body)
	}
	c.send(requestConfigure, number(9, 6))
	if ev := c.feed("x"); ev.kind != eventNameLookup {
		t.Errorf("a variable survived: event %d: %q", ev.kind, ev.body)
	}
}

func TestVersions(t *testing.T) {
	for number, want := range map[uint64]eventKind{0: eventFatal, 4: eventFatal, 5: eventOK, 6: eventOK, 7: eventFatal} {
		ev := connect(t).send(requestConfigure, numberOf9(number))
		if ev.kind != want {
			t.Errorf("version %d: event %d: %q", number, ev.kind, ev.body)
		}
		if want == eventFatal && !bytes.Contains(ev.body, []byte("versions 5 to 6")) {
			t.Errorf("version %d: the range is not named: %q", number, ev.body)
		}
	}
}

func numberOf9(v uint64) []byte { return numberSet(9, v) }

func TestVersion5HasNoDecimals(t *testing.T) {
	c := connect(t)
	c.send(requestConfigure, number(9, 5))
	ev := c.feed("from decimal import Decimal\nDecimal('1.20')")
	if !bytes.Contains(ev.body, text(nodeRepr, "Decimal('1.20')")) {
		t.Errorf("event %d: %q", ev.kind, ev.body)
	}
}

func dumped(t *testing.T, c *client) []byte {
	t.Helper()
	ev := c.send(requestDump, nil)
	if ev.kind != eventDump {
		t.Fatalf("event %d: %q", ev.kind, ev.body)
	}
	return bytes.Clone(part(t, ev.body, 1))
}

func TestDumpAndLoad(t *testing.T) {
	c := configured(t)
	c.feed("x = [1]\ndef f(n): return n + len(x)")
	state := dumped(t, c)
	d := connect(t)
	if ev := d.send(requestLoad, bytesOf(1, state)); ev.kind != eventOK {
		t.Fatalf("event %d: %q", ev.kind, ev.body)
	}
	if got := d.number(d.feed("x.append(2)\nf(40)")); got != 42 {
		t.Errorf("got %d, want 42", got)
	}
}

func TestDumpWhileWaiting(t *testing.T) {
	c := configured(t)
	c.feed("y = 40")
	c.feed("y + host('a', k=[1])")
	state := dumped(t, c)
	d := connect(t)
	ev := d.send(requestLoad, bytesOf(1, state))
	if ev.kind != eventFunctionCall || string(part(t, ev.body, 1)) != "host" {
		t.Fatalf("event %d: %q", ev.kind, ev.body)
	}
	if got := d.number(d.send(requestResumeCall, returns(0, 2))); got != 42 {
		t.Errorf("got %d, want 42", got)
	}
}

func TestForgedDump(t *testing.T) {
	c := configured(t)
	c.feed("x = 1")
	state := dumped(t, c)
	for name, forged := range map[string][]byte{
		"empty":     nil,
		"changed":   append(bytes.Clone(state[:20]), append([]byte{state[20] ^ 1}, state[21:]...)...),
		"truncated": state[:len(state)-1],
		"no tag":    state[:len(state)-32],
	} {
		t.Run(name, func(t *testing.T) {
			d := connect(t)
			r := d.raisedBy(d.send(requestLoad, bytesOf(1, forged)))
			if !strings.Contains(r.message, errForged.Error()) {
				t.Errorf("got %+v", r)
			}
		})
	}
}

// TestHostileFrames sends what no client would: each is refused by a message,
// and the worker ends.
func TestHostileFrames(t *testing.T) {
	list := func(items ...uint32) []byte { return bytesOf(2, bytesOf(nodeList, packed(1, items))) }
	input := func(arena []byte) []byte {
		return bytesOf(3, join(text(1, "x"), bytesOf(2, join(text(1, "x"), number(2, 0))), bytesOf(3, arena)))
	}
	for name, frame := range map[string][]byte{
		"no request":              nil,
		"no protobuf":             {0xff, 0xff, 0xff},
		"cut off":                 bytesOf(3, text(1, "1"))[:3],
		"an unknown request":      bytesOf(12, nil),
		"code that is no text":    bytesOf(3, bytesOf(1, []byte{0xff})),
		"a list in itself":        input(list(0)),
		"an index ahead":          input(join(list(1), list())),
		"an index beyond":         input(list(1 << 31)),
		"an input that is not":    bytesOf(3, join(text(1, "x"), bytesOf(2, join(text(1, "x"), number(2, 7))))),
		"a value of no kind":      input(bytesOf(2, nil)),
		"a value of a wrong kind": input(bytesOf(2, bytesOf(77, nil))),
		"a date that is not":      input(bytesOf(2, bytesOf(nodeDate, join(number(1, 2023), number(2, 2), number(3, 30))))),
		"an answer to nothing":    bytesOf(4, returns(3, 1)),
		"a name to nothing":       bytesOf(5, bytesOf(3, nil)),
	} {
		t.Run(name, func(t *testing.T) {
			c := configured(t)
			if ev := c.raw(frame); ev.kind != eventFatal || len(ev.body) == 0 {
				t.Errorf("event %d: %q", ev.kind, ev.body)
			}
		})
	}
}

func TestTooManyValues(t *testing.T) {
	none := bytesOf(2, bytesOf(nodeNone, nil))
	_, err := version6.readArena(bytes.Repeat(none, maxNodes+1))
	if !errors.As(err, new(fatal)) {
		t.Errorf("got %v", err)
	}
}

// TestDeepValue sends lists in lists, far deeper than a stack could hold.
func TestDeepValue(t *testing.T) {
	g := &graph.Graph{Nodes: []graph.Node{{Kind: graph.List}}}
	for i := range uint32(200_000) {
		g.Add(graph.Node{Kind: graph.List, Items: []uint32{i}})
	}
	c := configured(t)
	in := []byte(join(bytesOf(2, join(text(1, "x"), number(2, 200_000))), bytesOf(3, version6.arena(g))))
	if got := c.number(c.feed("len(x)", in)); got != 1 {
		t.Errorf("len(x) = %d", got)
	}
	if r := c.raisedBy(c.feed("x")); r.class != "ValueError" {
		t.Errorf("got %+v", r)
	}
}

// TestLengthBomb announces a frame that never comes.
func TestLengthBomb(t *testing.T) {
	head := binary.LittleEndian.AppendUint32(nil, maxFrame+1)
	if _, err := (Pipe{In: bytes.NewReader(head)}).Read(context.Background()); err == nil || errors.Is(err, io.EOF) {
		t.Errorf("got %v", err)
	}
	head = binary.LittleEndian.AppendUint32(nil, maxFrame)
	allocated := testing.AllocsPerRun(1, func() {
		if _, err := (Pipe{In: bytes.NewReader(append(head, 1, 2, 3))}).Read(context.Background()); err == nil {
			t.Error("a frame that is cut off was read")
		}
	})
	if allocated > 50 {
		t.Errorf("%v allocations", allocated)
	}
}

func FuzzRequests(f *testing.F) {
	f.Add(bytesOf(3, text(1, "x = 1\nx")))
	f.Add(bytesOf(3, join(text(1, "x"), bytesOf(2, text(1, "x")), bytesOf(3, ints(1)))))
	f.Add(bytesOf(8, bytesOf(1, []byte(dumpMagic))))
	f.Add(bytesOf(8, text(1, newName())))
	f.Add(bytesOf(7, nil))
	f.Add(bytesOf(3, text(1, "import time\ntime.time()")))
	f.Add(bytesOf(4, join(bytesOf(2, number(1, 0)), bytesOf(3, bytesOf(1, float(nodeFloat, math.NaN()))))))
	f.Add(bytesOf(3, join(text(1, "p.x, p.y, Point.z, p.m(1), Point()"), withPoint())))
	f.Add(bytesOf(5, join(bytesOf(1, version6.arena(point())), number(2, 4))))
	f.Add(bytesOf(3, text(1, "import tools.sub\nfrom tools import add")))
	f.Add(bytesOf(4, join(bytesOf(2, number(1, 0)), bytesOf(3, version6.arena(tools())))))
	store := &Store{Dir: f.TempDir()}
	f.Fuzz(func(t *testing.T, frame []byte) {
		w := &worker{conn: nowhere{}, options: Options{Key: testKey, Store: store}}
		config := bytesOf(1, join(number(9, 6), bytesOf(2, join(number(2, 1<<20), number(6, 20_000))), policyField(clockOfClient, randomOfClient)))
		asks := bytesOf(3, text(1, "import time\ntime.time()"))
		for _, frame := range [][]byte{config, asks, frame, asks} {
			if err := w.answer(context.Background(), frame); err != nil && !errors.Is(err, errEnd) {
				t.Fatal(err)
			}
		}
	})
}

type nowhere struct{}

func (nowhere) Read(context.Context) ([]byte, error) { return nil, io.EOF }
func (nowhere) Write(context.Context, []byte) error  { return nil }

// sleepOf is the call of an OSCall that asks for a sleep, and how long.
func sleepOf(t *testing.T, ev event, number int32) (call uint64, seconds float64) {
	t.Helper()
	sleep := part(t, ev.body, number)
	if ev.kind != eventOSCall || sleep == nil {
		t.Fatalf("event %d: %q; expected a sleep", ev.kind, ev.body)
	}
	return word(t, ev.body, 1), field{word: word(t, sleep, 1)}.float()
}

func TestSleepIsTheClients(t *testing.T) {
	c := configured(t)
	ev := c.feed("import time\nstart = time.monotonic()\ntime.sleep(2.5)\n7")
	call, seconds := sleepOf(t, ev, 29)
	if seconds != 2.5 {
		t.Errorf("sleeps %v seconds", seconds)
	}
	none := version6.arena(&graph.Graph{Nodes: []graph.Node{{Kind: graph.None}}})
	answer := join(number(1, call), bytesOf(2, number(1, 0)), bytesOf(3, none))
	if got := c.number(c.send(requestResumeCall, answer)); got != 7 {
		t.Errorf("got %d", got)
	}
}

func TestSleepBesideCalls(t *testing.T) {
	c := configured(t)
	ev := c.feed(`
import asyncio
async def nap():
    await asyncio.sleep(1)
    return 1
a, b = await asyncio.gather(nap(), slow())
a * 10 + b`)
	if ev.kind != eventFunctionCall {
		t.Fatalf("event %d: %q", ev.kind, ev.body)
	}
	ev = c.send(requestResumeCall, join(numberSet(1, 0), bytesOf(2, number(3, 0))))
	call, _ := sleepOf(t, ev, 30)
	ev = c.send(requestResumeCall, join(number(1, call), bytesOf(2, number(3, call))))
	if ev.kind != eventResolveFutures {
		t.Fatalf("event %d: %q", ev.kind, ev.body)
	}
	done := func(call uint64) []byte { return bytesOf(1, join(numberSet(1, call), bytesOf(2, number(1, 0)))) }
	ev = c.send(requestResumeFutures, join(done(call), bytesOf(2, ints(0))))
	if ev.kind != eventResolveFutures {
		t.Fatalf("event %d: %q", ev.kind, ev.body)
	}
	if got := c.number(c.send(requestResumeFutures, join(done(0), bytesOf(2, ints(2))))); got != 12 {
		t.Errorf("got %d, want 12", got)
	}
}

func TestSleepTakesNoTimeByPolicy(t *testing.T) {
	c := configured(t, bytesOf(11, bytesOf(5, bytesOf(3, nil))))
	if got := c.number(c.feed("import time\nfor i in range(3): time.sleep(1000)\ni")); got != 2 {
		t.Errorf("got %d", got)
	}
}

// osCall is the field of an OSCall that says which call it is.
func osCall(t *testing.T, ev event) (call int32, body []byte) {
	t.Helper()
	if ev.kind != eventOSCall {
		t.Fatalf("event %d: %q; expected a call of the system", ev.kind, ev.body)
	}
	if err := fields(ev.body, func(x field) error {
		if x.number > 1 && x.number < 50 {
			call, body = int32(x.number), x.bytes
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return call, body
}

func TestFilesAreTheClients(t *testing.T) {
	c := configured(t)
	ev := c.feed("from pathlib import Path\nwith open('a.txt', 'w') as f:\n    f.write('ab')\nlen(Path('/b').read_text())", text(5, "/data"))
	for _, want := range []struct {
		call int32
		path string
	}{{18, "/data/a.txt"}, {15, "/data/a.txt"}, {6, "/b"}} {
		call, body := osCall(t, ev)
		path := body
		if call != 6 {
			path = part(t, body, 1)
		}
		if call != want.call || string(path) != want.path {
			t.Fatalf("call %d of %q, want %d of %q", call, path, want.call, want.path)
		}
		answer := graph.Node{Kind: graph.Str, Text: "three"}
		if call == 18 {
			answer = graph.Node{Kind: graph.File, Text: "/data/a.txt", Names: []string{"w"}}
		}
		ev = c.send(requestResumeCall, join(numberSet(1, word(t, ev.body, 1)), bytesOf(2, number(1, 0)),
			bytesOf(3, version6.arena(&graph.Graph{Nodes: []graph.Node{answer}}))))
	}
	if got := c.number(ev); got != 5 {
		t.Errorf("got %d, want 5", got)
	}
}

func TestSystemCallThatIsLeft(t *testing.T) {
	c := configured(t)
	osCall(t, c.feed("open('/secret')"))
	r := c.raisedBy(c.send(requestResumeCall, bytesOf(2, bytesOf(5, nil))))
	if r.class != "PermissionError" || r.message != "Permission denied: '/secret'" {
		t.Errorf("got %+v", r)
	}
}

func TestTypeCheck(t *testing.T) {
	c := configured(t, number(3, 1), text(4, "def fetch(url: str) -> str: ...\nlimit: int"))
	for code, want := range map[string]string{
		"missing + 1":           "error[unresolved-reference]",
		"fetch(1, 2)":           "error[invalid-call]",
		"import os\nos.nothing": "error[unresolved-attribute]",
	} {
		ev := c.feed(code)
		if ev.kind != eventTypingError || !bytes.Contains(ev.body, []byte(want)) || !bytes.Contains(ev.body, []byte("main.py:")) {
			t.Errorf("%q: event %d: %q", code, ev.kind, ev.body)
		}
	}
	c.feed("x = 40")
	c.feed("def f():\n    return 2")
	if got := c.number(c.feed("x + f()")); got != 42 {
		t.Errorf("got %d, want 42", got)
	}
	for _, good := range []string{"fetch('u')", "open('a')", "from pathlib import Path\nPath('a').exists()", "limit"} {
		d := configured(t, number(3, 1), text(4, "def fetch(url: str) -> str: ...\nlimit: int"))
		if ev := d.feed(good); ev.kind == eventTypingError {
			t.Errorf("%q: %q", good, ev.body)
		}
	}
	if ev := c.feed("missing", number(4, 1)); ev.kind != eventNameLookup {
		t.Errorf("a check that is skipped: event %d: %q", ev.kind, ev.body)
	}
}

// A call that is awaited where it is made is marked, and may be answered at once
// by what its coroutine gave.
func TestCallThatIsAwaitedAtOnce(t *testing.T) {
	for code, want := range map[string]uint64{
		"await fetch() + 1": 1,
		"import asyncio\nasync def f():\n    return await fetch() + 1\nasyncio.run(f())": 1,
		"import asyncio\nasync def f():\n    return await fetch() + 1\nawait f()":        1,
		"fetch() + 1":        0,
		"w = fetch()\nw + 1": 0,
		"import asyncio\nawait asyncio.gather(fetch(), fetch())":                                       0,
		"import asyncio\nasync def f():\n    return await fetch() + 1\nawait asyncio.gather(f(), f())": 0,
	} {
		c := configured(t)
		ev := c.feed(code)
		if ev.kind == eventNameLookup {
			ev = c.send(requestResumeName, join(bytesOf(1, version6.arena(&graph.Graph{Nodes: []graph.Node{{Kind: graph.Function, Text: "fetch"}}})), number(2, 0)))
		}
		if got := word(t, ev.body, 6); ev.kind != eventFunctionCall || got != want {
			t.Errorf("%q: event %d, marked %d, want %d", code, ev.kind, got, want)
		}
		if want == 0 {
			continue
		}
		if got := c.number(c.send(requestResumeFutures, join(bytesOf(1, bytesOf(2, number(1, 0))), bytesOf(2, ints(41))))); got != 42 {
			t.Errorf("%q: got %d", code, got)
		}
	}
}

func TestFuturesSayWhereTheyAreAwaited(t *testing.T) {
	c := configured(t)
	code := "x = fetch\nasync def go():\n    return await fetch()\nimport asyncio\nawait asyncio.gather(go())"
	ev := c.feed(code)
	if ev.kind == eventNameLookup {
		ev = c.send(requestResumeName, join(bytesOf(1, version6.arena(&graph.Graph{Nodes: []graph.Node{{Kind: graph.Function, Text: "fetch"}}})), number(2, 0)))
	}
	ev = c.send(requestResumeCall, bytesOf(2, number(3, 0)))
	if ev.kind != eventResolveFutures {
		t.Fatalf("event %d: %q", ev.kind, ev.body)
	}
	at := part(t, ev.body, 2)
	if got := code[word(t, at, 2):word(t, at, 3)]; got != "await asyncio.gather(go())" {
		t.Errorf("it says %q", got)
	}
}
