package worker_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/client"
	"github.com/glovebox-dev/glovebox/internal/worker"
	"github.com/glovebox-dev/glovebox/value"
)

func param(name, spelling string) value.Param {
	t, err := value.ParseType(spelling)
	if err != nil {
		panic(err)
	}
	return value.Param{Name: name, Type: t}
}

// double is the task of most tests: x: int -> y: int.
func double() api.Task {
	return api.Task{
		Name: "double", Kind: api.KindFunction, Function: &api.Function{ID: "double"},
		Signature: api.Signature{Inputs: []value.Param{param("x", "int")}, Outputs: []value.Param{param("y", "int")}},
	}
}

func doubled(_ context.Context, call worker.Invocation) (map[string]any, error) {
	return map[string]any{"y": 2 * call.Inputs["x"].(int64)}, nil
}

func checked(s api.Signature, given map[string]any) value.Fields {
	f, _ := value.CheckSome(s.Inputs, given) // what does not fit is missing
	return f
}

func request(task api.Task, x any) *api.Request {
	return &api.Request{Task: &task, Inputs: checked(task.Signature, map[string]any{"x": x}), IdempotencyKey: "key"}
}

// code returns the code of err, "" for none.
func code(err error) api.Code {
	if err == nil {
		return ""
	}
	return api.AsError(err).Code
}

// network connects workers to a runner by pipes, and can be cut.
type network struct {
	runner *worker.Runner
	peer   worker.Peer
	wrap   func(net.Conn) net.Conn // of the worker's end; nil leaves it
	serves sync.WaitGroup

	mu   sync.Mutex
	down bool
	open []net.Conn
}

func (n *network) dial(ctx context.Context) (net.Conn, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.down {
		return nil, errors.New("there is no network")
	}
	here, there := net.Pipe()
	n.open = append(n.open, here)
	n.serves.Go(func() { _ = n.runner.Serve(context.WithoutCancel(ctx), there, n.peer) })
	if n.wrap != nil {
		return n.wrap(here), nil
	}
	return here, nil
}

// cut breaks every connection; with down there is no other.
func (n *network) cut(down bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.down = down
	for _, c := range n.open {
		c.Close()
	}
	n.open = nil
}

// offer serves fn from a worker until the test ends.
func (n *network) offer(t *testing.T, o client.WorkerOptions, task api.Task, fn worker.Func) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	o.Dial = n.dial
	ended := make(chan error, 1)
	go func() { ended <- client.ServeWorker(ctx, o, []client.Function{{Task: task, Call: fn}}) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("the worker ended with %v", err)
		}
		n.serves.Wait()
	})
}

// everywhere runs a test with fn in this process and with fn in a worker.
func everywhere(t *testing.T, task api.Task, fn worker.Func, test func(t *testing.T, r *worker.Runner)) {
	t.Helper()
	t.Run("here", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			r := worker.New(worker.Config{})
			release, err := r.Register(task, fn)
			if err != nil {
				t.Fatal(err)
			}
			defer release()
			test(t, r)
		})
	})
	t.Run("worker", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			r := worker.New(worker.Config{})
			n := &network{runner: r}
			n.offer(t, client.WorkerOptions{Name: "w", Drain: time.Second}, task, fn)
			synctest.Wait()
			test(t, r)
		})
	})
}

func TestEndings(t *testing.T) {
	given := api.Errorf(api.NonzeroExit, "status 3").WithHint("hint").WithDetails(api.Details{ExitCode: 3})
	for name, test := range map[string]struct {
		fn      worker.Func
		code    api.Code
		outcome api.Outcome
		words   string
	}{
		"result": {fn: doubled},
		"error":  {func(context.Context, worker.Invocation) (map[string]any, error) { return nil, errors.New("oh no") }, api.FunctionFailed, api.Failed, "oh no"},
		"api":    {func(context.Context, worker.Invocation) (map[string]any, error) { return nil, given }, api.NonzeroExit, api.Failed, "status 3"},
		"wrapped": {func(context.Context, worker.Invocation) (map[string]any, error) {
			return nil, fmt.Errorf("w: %w", given)
		}, api.NonzeroExit, api.Failed, "status 3"},
		"canceled": {func(context.Context, worker.Invocation) (map[string]any, error) {
			return nil, api.Errorf(api.Canceled, "mine")
		}, api.FunctionFailed, api.Failed, "canceled: mine"},
		"unknown": {func(context.Context, worker.Invocation) (map[string]any, error) {
			return nil, &api.Error{Code: "odd", Message: "m"}
		}, api.FunctionFailed, api.Failed, "odd: m"},
		"panic":   {func(context.Context, worker.Invocation) (map[string]any, error) { panic("boom") }, api.FunctionFailed, api.Failed, "boom"},
		"goexit":  {func(context.Context, worker.Invocation) (map[string]any, error) { runtime.Goexit(); return nil, nil }, api.FunctionFailed, api.Failed, "goroutine"},
		"missing": {func(context.Context, worker.Invocation) (map[string]any, error) { return nil, nil }, api.MissingOutput, api.Failed, `"y"`},
		"bad": {func(context.Context, worker.Invocation) (map[string]any, error) {
			return map[string]any{"y": "two"}, nil
		}, api.BadOutput, api.Failed, "expected int"},
		"further": {func(context.Context, worker.Invocation) (map[string]any, error) {
			return map[string]any{"y": 1, "z": 1}, nil
		}, api.BadOutput, api.Failed, "not declared"},
		"alien": {func(context.Context, worker.Invocation) (map[string]any, error) {
			return map[string]any{"y": make(chan int)}, nil
		}, api.BadOutput, api.Failed, "expected"},
	} {
		t.Run(name, func(t *testing.T) {
			everywhere(t, double(), test.fn, func(t *testing.T, r *worker.Runner) {
				result, err := r.Run(t.Context(), "run", request(double(), 21))
				if code(err) != test.code {
					t.Fatalf("ended with %v, want %q", err, test.code)
				}
				if err == nil {
					want := []api.Output{{Name: "y", Type: value.Type{Kind: value.KindInt}, Value: int64(42)}}
					if diff := cmp.Diff(want, result.Outputs); diff != "" {
						t.Error(diff)
					}
					return
				}
				e := api.AsError(err)
				if e.Outcome != test.outcome || !strings.Contains(e.Message, test.words) || e.Hint == "" {
					t.Errorf("%+v, want outcome %s and the words %q", e, test.outcome, test.words)
				}
				if name == "panic" && !strings.Contains(e.Details.Log, "worker_test.go") {
					t.Errorf("the stack %q does not name this file", e.Details.Log)
				}
			})
		})
	}
}

func TestInvocation(t *testing.T) {
	print := func(ctx context.Context, call worker.Invocation) (map[string]any, error) {
		fmt.Fprintf(call.Stdout, "%s %s é", call.RunID, call.IdempotencyKey)
		for _, b := range []byte("ü\n") {
			_, _ = call.Stderr.Write([]byte{b})
		}
		_, _ = call.Stdout.Write(bytes.Repeat([]byte("é"), 100_000))
		return doubled(ctx, call)
	}
	everywhere(t, double(), print, func(t *testing.T, r *worker.Runner) {
		req := request(double(), 1)
		var stdout, stderr bytes.Buffer
		req.Stdout, req.Stderr = &stdout, &stderr
		req.Task.Limits.Logs = 1000
		result, err := r.Run(t.Context(), "run", req)
		if err != nil {
			t.Fatal(err)
		}
		want := "run key é" + strings.Repeat("é", 100_000)
		if stdout.String() != want || stderr.String() != "ü\n" {
			t.Errorf("printed %.40q (%d bytes) and %q", stdout.String(), stdout.Len(), stderr.String())
		}
		if string(result.Stdout) != want[len(want)-1000:] {
			t.Errorf("kept %d bytes, want the last 1000", len(result.Stdout))
		}
	})
}

func TestInputsAreChecked(t *testing.T) {
	everywhere(t, double(), doubled, func(t *testing.T, r *worker.Runner) {
		for _, x := range []any{"one", nil, 1.5} {
			if _, err := r.Run(t.Context(), "run", request(double(), x)); code(err) != api.InvalidInput {
				t.Errorf("x = %v: %v, want invalid_input", x, err)
			}
		}
	})
}

func TestStopping(t *testing.T) {
	for name, test := range map[string]struct {
		ending  string // how the function takes it: obeys, returns, ignores
		cancel  bool
		code    api.Code
		outcome api.Outcome
		took    time.Duration
	}{
		"timeout obeyed":   {"obeys", false, api.Timeout, api.Failed, 10 * time.Second},
		"timeout returned": {"returns", false, api.Timeout, api.Unknown, 11 * time.Second},
		"timeout ignored":  {"ignores", false, api.Timeout, api.Unknown, 15 * time.Second},
		"cancel obeyed":    {"obeys", true, api.Canceled, api.Failed, time.Second},
		"cancel returned":  {"returns", true, "", "", 2 * time.Second},
		"cancel ignored":   {"ignores", true, api.Canceled, api.Unknown, 6 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			fn := func(ctx context.Context, call worker.Invocation) (map[string]any, error) {
				switch <-ctx.Done(); test.ending {
				case "obeys":
					return nil, ctx.Err()
				case "ignores":
					time.Sleep(time.Hour)
				}
				time.Sleep(time.Second)
				return doubled(ctx, call)
			}
			everywhere(t, double(), fn, func(t *testing.T, r *worker.Runner) {
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				req := request(double(), 1)
				req.Task.Timeout = 10 * time.Second
				if test.cancel {
					time.AfterFunc(time.Second, cancel)
				}
				began := time.Now()
				_, err := r.Run(ctx, "run", req)
				took := time.Since(began)
				if code(err) != test.code || (err != nil && api.AsError(err).Outcome != test.outcome) {
					t.Errorf("ended with %#v, want %q, outcome %q", err, test.code, test.outcome)
				}
				if took < test.took || took > test.took+time.Second {
					t.Errorf("took %s, want %s", took, test.took)
				}
				if test.ending == "ignores" {
					time.Sleep(2 * time.Hour)
				}
			})
		})
	}
}

func TestUnavailable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := worker.New(worker.Config{})
		other := double()
		other.Function = &api.Function{ID: "doubble"}
		if _, err := r.Register(other, doubled); err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		_, err := r.Run(t.Context(), "run", request(double(), 1))
		e := api.AsError(err)
		if code(err) != api.WorkerUnavailable || e.Outcome != api.NotStarted || e.Details.Suggestion != "doubble" || time.Since(began) != 30*time.Second {
			t.Errorf("%+v after %s, want worker_unavailable with a suggestion after 30 s", e, time.Since(began))
		}
		changed := double()
		changed.Function = &api.Function{ID: "doubble"}
		changed.Signature.Outputs[0] = param("y", "float")
		if _, err := r.Run(t.Context(), "run", request(changed, 1)); code(err) != api.WorkerUnavailable || !strings.Contains(err.Error(), "with the signature") {
			t.Errorf("another signature: %v, want worker_unavailable that names it", err)
		}
		old, edited := double(), double()
		old.Function, edited.Function = &api.Function{ID: "etl.double@1"}, &api.Function{ID: "etl.double@2"}
		if _, err := r.Register(edited, doubled); err != nil {
			t.Fatal(err)
		}
		if _, err := r.Run(t.Context(), "run", request(old, 1)); code(err) != api.WorkerUnavailable || !strings.Contains(err.Error(), "one of that name whose code") {
			t.Errorf("edited since: %v, want worker_unavailable that says so", err)
		}
		own, other := double(), double()
		own.Function, other.Function = &api.Function{ID: "double@1#A"}, &api.Function{ID: "double@1#B"}
		if _, err := r.Register(other, doubled); err != nil {
			t.Fatal(err)
		}
		_, err = r.Run(t.Context(), "run", request(own, 1))
		if e := api.AsError(err); e.Code != api.WorkerUnavailable || !strings.Contains(e.Message, "made for its run") || !strings.Contains(e.Hint, "idempotency key") {
			t.Errorf("made for one run: %+v, want worker_unavailable that says so", err)
		}
		if _, err = r.Run(t.Context(), "run", request(old, 1)); strings.Contains(err.Error(), "#B") {
			t.Errorf("%v lists functions that are not for this run", err)
		}
	})
}

func TestPatienceIsRewarded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := worker.New(worker.Config{})
		time.AfterFunc(29*time.Second, func() { _, _ = r.Register(double(), doubled) })
		if _, err := r.Run(t.Context(), "run", request(double(), 1)); err != nil {
			t.Error(err)
		}
	})
}

// TestCapacity holds that a worker never has more calls than it takes, that
// busy workers are waited for beyond the patience, and that who came first is
// served first.
func TestCapacity(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := worker.New(worker.Config{})
		var mu sync.Mutex
		var order []int64
		active, most := 0, 0
		n := &network{runner: r}
		n.offer(t, client.WorkerOptions{Capacity: 2}, double(), func(ctx context.Context, call worker.Invocation) (map[string]any, error) {
			mu.Lock()
			order = append(order, call.Inputs["x"].(int64)/2)
			active++
			most = max(most, active)
			mu.Unlock()
			time.Sleep(time.Minute)
			mu.Lock()
			active--
			mu.Unlock()
			return doubled(ctx, call)
		})
		synctest.Wait()
		var runs sync.WaitGroup
		for i := range 10 {
			runs.Go(func() {
				if _, err := r.Run(t.Context(), "run", request(double(), i)); err != nil {
					t.Error(err)
				}
			})
			synctest.Wait()
		}
		if got := r.Workers(); len(got) != 1 || got[0].Active != 2 || got[0].Capacity != 2 || !got[0].Connected {
			t.Errorf("the workers are %+v", got)
		}
		runs.Wait()
		if diff := cmp.Diff([]int64{0, 0, 1, 1, 2, 2, 3, 3, 4, 4}, order); diff != "" || most != 2 {
			t.Errorf("at most %d at once, in this order: %s", most, diff)
		}
	})
}

func TestThousandCalls(t *testing.T) {
	r := worker.New(worker.Config{})
	n := &network{runner: r}
	for range 3 {
		n.offer(t, client.WorkerOptions{Capacity: 50}, double(), doubled)
	}
	var runs sync.WaitGroup
	for i := range 1000 {
		runs.Go(func() {
			result, err := r.Run(t.Context(), "run", request(double(), i))
			if err != nil || result.Outputs[0].Value != int64(2*i) {
				t.Errorf("run %d: %v, %v", i, result.Outputs, err)
			}
		})
	}
	runs.Wait()
}

func TestQueueIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := worker.New(worker.Config{MaxQueue: 3})
		ctx, cancel := context.WithCancel(t.Context())
		var runs sync.WaitGroup
		for range 3 {
			runs.Go(func() {
				if _, err := r.Run(ctx, "run", request(double(), 1)); code(err) != api.Canceled || api.AsError(err).Outcome != api.NotStarted {
					t.Errorf("ended with %v, want canceled", err)
				}
			})
		}
		synctest.Wait()
		if _, err := r.Run(ctx, "run", request(double(), 1)); code(err) != api.Overloaded {
			t.Errorf("ended with %v, want overloaded", err)
		}
		cancel()
		runs.Wait()
	})
}

func TestDrain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := worker.New(worker.Config{})
		n := &network{runner: r}
		ctx, cancel := context.WithCancel(t.Context())
		slow := func(ctx context.Context, call worker.Invocation) (map[string]any, error) {
			time.Sleep(10 * time.Second)
			return doubled(ctx, call)
		}
		ended := make(chan error, 1)
		go func() {
			ended <- client.ServeWorker(ctx, client.WorkerOptions{Dial: n.dial}, []client.Function{{Task: double(), Call: slow}})
		}()
		synctest.Wait()
		results := make(chan error, 1)
		go func() { _, err := r.Run(t.Context(), "run", request(double(), 1)); results <- err }()
		synctest.Wait()
		began := time.Now()
		cancel()
		synctest.Wait()
		if _, err := r.Run(t.Context(), "run", request(double(), 1)); code(err) != api.WorkerUnavailable {
			t.Errorf("a draining worker took a call: %v", err)
		}
		if err := <-results; err != nil {
			t.Errorf("the call under way ended with %v", err)
		}
		if err := <-ended; err != nil || len(r.Workers()) != 0 {
			t.Errorf("the worker ended with %v after %s and left %+v", err, time.Since(began), r.Workers())
		}
		n.serves.Wait()
	})
}

// TestSlowConsumer holds that a function waits when its output is not read.
func TestSlowConsumer(t *testing.T) {
	var mu sync.Mutex
	printed := 0
	chatty := func(ctx context.Context, call worker.Invocation) (map[string]any, error) {
		for ctx.Err() == nil {
			n, _ := call.Stdout.Write(make([]byte, 64<<10))
			mu.Lock()
			printed += n
			mu.Unlock()
		}
		return nil, ctx.Err()
	}
	everywhere(t, double(), chatty, func(t *testing.T, r *worker.Runner) {
		printed = 0
		ctx, cancel := context.WithCancel(t.Context())
		held := make(heldWriter)
		req := request(double(), 1)
		req.Stdout = held
		ended := make(chan error)
		go func() { _, err := r.Run(ctx, "run", req); ended <- err }()
		synctest.Wait()
		mu.Lock()
		if printed == 0 || printed > 16<<20 {
			t.Errorf("the function printed %d bytes that nobody took", printed)
		}
		mu.Unlock()
		cancel()
		close(held)
		if err := <-ended; code(err) != api.Canceled {
			t.Errorf("ended with %v, want canceled", err)
		}
	})
}

// heldWriter waits until it is closed.
type heldWriter chan struct{}

func (h heldWriter) Write(p []byte) (int, error) { <-h; return len(p), nil }

func TestFilesNeedASharedHost(t *testing.T) {
	task := api.Task{Function: &api.Function{ID: "f"}, Signature: api.Signature{Outputs: []value.Param{param("y", "Any")}}}
	secret := func(context.Context, worker.Invocation) (map[string]any, error) {
		return map[string]any{"y": []any{value.File{Path: "secret.txt"}}}, nil
	}
	for _, test := range []struct {
		said, known bool
		code        api.Code
	}{{false, false, api.BadOutput}, {true, false, api.BadOutput}, {false, true, api.BadOutput}, {true, true, ""}} {
		synctest.Test(t, func(t *testing.T) {
			r := worker.New(worker.Config{})
			n := &network{runner: r, peer: worker.Peer{Local: test.known}}
			n.offer(t, client.WorkerOptions{SharedFiles: test.said}, task, secret)
			result, err := r.Run(t.Context(), "run", &api.Request{Task: &task})
			if code(err) != test.code {
				t.Errorf("shared %v and %v: %v, want %q", test.said, test.known, err, test.code)
			}
			if path, _ := filepath.Abs("secret.txt"); err == nil && result.Outputs[0].Value.([]any)[0] != (value.File{Path: path}) {
				t.Errorf("the file is %v, want an absolute path", result.Outputs[0].Value)
			}
		})
	}
}

func TestFilesGoToAWorkerThatSharesThem(t *testing.T) {
	task := double()
	task.Signature.Inputs = []value.Param{param("x", "Any")}
	synctest.Test(t, func(t *testing.T) {
		r := worker.New(worker.Config{})
		n := &network{runner: r}
		n.offer(t, client.WorkerOptions{SharedFiles: true}, task, doubled)
		_, err := r.Run(t.Context(), "run", request(task, value.File{Path: "/etc/hostname"}))
		if code(err) != api.WorkerUnavailable || !strings.Contains(err.Error(), "takes files") {
			t.Errorf("ended with %v, want worker_unavailable that says why", err)
		}
	})
}

func TestUnixSocket(t *testing.T) {
	listener, err := net.Listen("unix", filepath.Join(t.TempDir(), "s"))
	if err != nil {
		t.Fatal(err)
	}
	r := worker.New(worker.Config{})
	var serves sync.WaitGroup
	serves.Go(func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			serves.Go(func() { _ = r.Serve(context.Background(), c, worker.Peer{Local: true}) })
		}
	})
	ctx, cancel := context.WithCancel(t.Context())
	dial := func(ctx context.Context) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", listener.Addr().String())
	}
	ended := make(chan error, 1)
	go func() {
		ended <- client.ServeWorker(ctx, client.WorkerOptions{Dial: dial}, []client.Function{{Task: double(), Call: doubled}})
	}()
	result, err := r.Run(t.Context(), "run", request(double(), 4))
	if err != nil || result.Outputs[0].Value != int64(8) {
		t.Errorf("%+v, %v", result, err)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	listener.Close()
	serves.Wait()
}

// TestFilesAsBlobs: a worker that takes blobs gets names and digests, also if
// it sees the paths of this host, and answers with them.
func TestFilesAsBlobs(t *testing.T) {
	task := double()
	task.Signature = api.Signature{Inputs: []value.Param{param("x", "list[File]")}, Outputs: []value.Param{param("y", "Optional[Dir]")}}
	digest := strings.Repeat("0a", 32)
	given := []any{value.File{Path: "/home/user/a.txt", Size: 3, SHA256: digest}}
	for _, shared := range []bool{false, true} {
		for output, want := range map[string]api.Code{
			`{"path":"d","sha256":"` + digest + `"}`:    "",
			`{"path":"/etc"}`:                           api.BadOutput,
			`{"path":"/etc","sha256":"` + digest + `"}`: api.BadOutput,
			`{"path":"d"}`:                              api.BadOutput,
			`null`:                                      "",
		} {
			synctest.Test(t, func(t *testing.T) {
				r := worker.New(worker.Config{})
				w := connectRaw(t, r, worker.Peer{Local: true})
				signature := `{"inputs":[{"name":"x","type":"list[File]"}],"outputs":[{"name":"y","type":"Optional[Dir]"}]}`
				w.say(fmt.Sprintf(`{"type":"hello","protocol":1,"worker":"0123456789abcdef","capacity":1,"blobs":true,"shared_files":%t,`+
					`"functions":[{"id":"double","task":{"signature":%s}}]}`, shared, signature))
				ended := make(chan error, 1)
				go func() { _, err := r.Run(t.Context(), "run", request(task, given)); ended <- err }()
				asked := w.hear("call")
				if !strings.Contains(asked, `[{"path":"a.txt","size":3,"sha256":"`+digest+`"}]`) || strings.Contains(asked, "home") {
					t.Errorf("the worker was asked %s", asked)
				}
				w.say(fmt.Sprintf(`{"type":"result","call":%q,"outputs":{"y":%s}}`, callID(asked), output))
				w.hear("ack")
				if err := <-ended; code(err) != want {
					t.Errorf("%s: %v, want %q", output, err, want)
				}
				w.conn.Close()
				<-w.end
			})
		}
	}
}
