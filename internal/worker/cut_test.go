package worker_test

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/client"
	"github.com/glovebox-dev/glovebox/internal/worker"
)

// scissors cut a connection in the middle of the n-th thing that is read or
// written, or right after it, once.
type scissors struct {
	net.Conn
	left  *atomic.Int64
	after bool // let it arrive as a whole
	write bool // count bytes written instead of read
}

func (s *scissors) Write(p []byte) (int, error) {
	if !s.write || s.left.Add(-1) != 0 {
		return s.Conn.Write(p)
	}
	if !s.after {
		p = p[:len(p)/2]
	}
	n, _ := s.Conn.Write(p)
	s.Conn.Close()
	return n, io.ErrClosedPipe
}

func (s *scissors) Read(p []byte) (int, error) {
	if s.write || s.left.Add(-1) != 0 {
		return s.Conn.Read(p)
	}
	n := 0
	if s.after {
		n, _ = s.Conn.Read(p)
	}
	s.Conn.Close()
	if n > 0 {
		return n, nil
	}
	return 0, io.ErrClosedPipe
}

// TestCutAtEveryMessage cuts the connection of a worker at each message in
// turn. The worker connects again: every call ends once, its function runs at
// most once, and it fails only when the function did not run at all.
func TestCutAtEveryMessage(t *testing.T) {
	for _, write := range []bool{true, false} {
		for _, after := range []bool{true, false} {
			for n := int64(1); cutAt(t, n, write, after); n++ {
				if n == 200 {
					t.Fatal("a call takes 200 messages")
				}
			}
		}
	}
}

// cutAt reports whether there was something to cut.
func cutAt(t *testing.T, n int64, write, after bool) (cut bool) {
	name := fmt.Sprintf("cut %d, of what is written %v, after it %v", n, write, after)
	synctest.Test(t, func(t *testing.T) {
		r := worker.New(worker.Config{})
		var left, began atomic.Int64
		left.Store(n)
		network := &network{runner: r, wrap: func(c net.Conn) net.Conn { return &scissors{Conn: c, left: &left, after: after, write: write} }}
		network.offer(t, client.WorkerOptions{Capacity: 2}, double(), func(ctx context.Context, call worker.Invocation) (map[string]any, error) {
			began.Add(1)
			fmt.Fprintln(call.Stdout, "hello")
			time.Sleep(time.Second)
			return doubled(ctx, call)
		})
		var runs sync.WaitGroup
		for i := range 3 {
			runs.Go(func() {
				result, err := r.Run(t.Context(), "run", request(double(), i))
				switch {
				case err == nil && result.Outputs[0].Value != int64(2*i):
					t.Errorf("%s: the result of %d is %v", name, i, result.Outputs)
				case err != nil && (code(err) != api.WorkerLost || api.AsError(err).Outcome != api.NotStarted):
					t.Errorf("%s: %v, outcome %s", name, err, api.AsError(err).Outcome)
				case err != nil:
					began.Add(1) // the one that is known not to have begun
				}
			})
		}
		runs.Wait()
		if began.Load() != 3 {
			t.Errorf("%s: the function began %d times for 3 calls", name, began.Load())
		}
		synctest.Wait()
		if workers := r.Workers(); len(workers) != 1 || workers[0].Active != 0 {
			t.Errorf("%s: left are %+v", name, workers)
		}
		cut = left.Load() <= 0
	})
	return cut
}

// TestWorkerDoesNotReturn holds what becomes of calls when the worker is gone
// for good.
func TestWorkerDoesNotReturn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := worker.New(worker.Config{})
		n := &network{runner: r}
		n.offer(t, client.WorkerOptions{Drain: time.Second}, double(), func(ctx context.Context, call worker.Invocation) (map[string]any, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		})
		ended := make(chan error)
		go func() { _, err := r.Run(t.Context(), "run", request(double(), 1)); ended <- err }()
		synctest.Wait()
		began := time.Now()
		n.cut(true)
		err := <-ended
		if code(err) != api.WorkerLost || api.AsError(err).Outcome != api.Unknown || time.Since(began) != 15*time.Second {
			t.Errorf("ended with %#v after %s, want worker_lost after the grace", err, time.Since(began))
		}
		if len(r.Workers()) != 0 {
			t.Errorf("left are %+v", r.Workers())
		}
	})
}

// TestResultOutlivesTheConnection holds that a function that ends while there
// is no connection is heard when there is one.
func TestResultOutlivesTheConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := worker.New(worker.Config{})
		n := &network{runner: r}
		n.offer(t, client.WorkerOptions{}, double(), func(ctx context.Context, call worker.Invocation) (map[string]any, error) {
			time.Sleep(5 * time.Second)
			return doubled(ctx, call)
		})
		ended := make(chan error)
		go func() { _, err := r.Run(t.Context(), "run", request(double(), 1)); ended <- err }()
		synctest.Wait()
		n.cut(true)
		time.Sleep(8 * time.Second)
		n.mu.Lock()
		n.down = false
		n.mu.Unlock()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

// raw is a worker that says what the test wants.
type raw struct {
	t    *testing.T
	conn net.Conn
	end  chan error // of Serve
}

func connectRaw(t *testing.T, r *worker.Runner, peer worker.Peer) *raw {
	here, there := net.Pipe()
	w := &raw{t: t, conn: here, end: make(chan error, 1)}
	go func() { w.end <- r.Serve(t.Context(), there, peer) }()
	t.Cleanup(func() { here.Close() })
	return w
}

func (w *raw) say(line string) {
	w.t.Helper()
	if _, err := io.WriteString(w.conn, line+"\n"); err != nil {
		w.t.Errorf("saying %s: %v", line, err)
	}
}

// hear reads messages until one of that type comes.
func (w *raw) hear(kind string) string {
	w.t.Helper()
	var line []byte
	b := make([]byte, 1)
	for {
		if _, err := w.conn.Read(b); err != nil {
			w.t.Errorf("waiting for %s: %v", kind, err)
			return ""
		}
		if line = append(line, b[0]); b[0] != '\n' {
			continue
		}
		if strings.Contains(string(line), `"type":"`+kind+`"`) {
			return string(line)
		}
		line = nil
	}
}

const hello = `{"type":"hello","protocol":1,"worker":"0123456789abcdef","name":"raw","capacity":1,` +
	`"functions":[{"id":"double","task":{"signature":{"inputs":[{"name":"x","type":"int"}],"outputs":[{"name":"y","type":"int"}]}}}]`

// callID takes the id out of a call message.
func callID(line string) string {
	_, rest, _ := strings.Cut(line, `"call":"`)
	id, _, _ := strings.Cut(rest, `"`)
	return id
}

func TestWhatAWorkerMayNotSay(t *testing.T) {
	for name, line := range map[string]string{
		"no JSON": "?", "a second hello": hello + "}", "a call": `{"type":"call","call":"c"}`, "an ack": `{"type":"ack","call":"c"}`,
		"bad functions": `{"type":"offer","functions":[{}]}`, "no type": `{}`, "a report of no call": `{"type":"report","html":"x"}`,
		"a report that is too large": `{"type":"report","call":"c","html":"` + strings.Repeat("x", api.MaxReport+1) + `"}`,
	} {
		synctest.Test(t, func(t *testing.T) {
			r := worker.New(worker.Config{})
			w := connectRaw(t, r, worker.Peer{})
			w.say(hello + "}")
			w.hear("welcome")
			w.say(line)
			if bye := w.hear("bye"); !strings.Contains(bye, `"code":"request_invalid"`) {
				t.Errorf("%s: heard %s", name, bye)
			}
			if err := <-w.end; code(err) != api.RequestInvalid {
				t.Errorf("%s: ended with %v", name, err)
			}
			time.Sleep(time.Minute)
			if len(r.Workers()) != 0 {
				t.Errorf("%s: left are %+v", name, r.Workers())
			}
		})
	}
}

func TestFirstMessage(t *testing.T) {
	for _, line := range []string{`{"type":"ping"}`, `{"type":"hello","protocol":7}`, `GET / HTTP/1.1`, hello + `,"calls":{}}`} {
		synctest.Test(t, func(t *testing.T) {
			w := connectRaw(t, worker.New(worker.Config{}), worker.Peer{})
			w.say(line)
			if bye := w.hear("bye"); !strings.Contains(bye, "request_invalid") {
				t.Errorf("%s: heard %s", line, bye)
			}
			if err := <-w.end; err == nil {
				t.Errorf("%s: served", line)
			}
		})
	}
	synctest.Test(t, func(t *testing.T) {
		w := connectRaw(t, worker.New(worker.Config{}), worker.Peer{})
		began := time.Now()
		if err := <-w.end; err == nil || time.Since(began) > 10*time.Second {
			t.Errorf("a worker that says nothing ended with %v after %s", err, time.Since(began))
		}
	})
}

func TestWhatAWorkerMayReport(t *testing.T) {
	for _, test := range []struct {
		said string
		code api.Code
	}{
		{`"type":"result","outputs":{"y":2}`, ""},
		{`"type":"result"`, api.MissingOutput},
		{`"type":"result","outputs":[]`, api.BadOutput},
		{`"type":"result","outputs":{"y":"two"}`, api.BadOutput},
		{`"type":"result","outputs":{"y":2,"y":2}`, api.BadOutput},
		{`"type":"result","outputs":{"y":2,"z":2}`, api.BadOutput},
		{`"type":"failure"`, api.FunctionFailed},
		{`"type":"failure","error":7`, api.FunctionFailed},
		{`"type":"failure","error":{"code":"interrupted","message":"m"}`, api.FunctionFailed},
		{`"type":"failure","error":{"code":"timeout","message":"m","outcome":"odd"}`, api.Timeout},
		{`"type":"failure","exception":{"type":"KeyError","message":"'k'","frames":[{"file":"f.py","line":3}]}`, api.PythonException},
	} {
		synctest.Test(t, func(t *testing.T) {
			r := worker.New(worker.Config{})
			w := connectRaw(t, r, worker.Peer{})
			w.say(hello + "}")
			w.hear("welcome")
			ended := make(chan error, 1)
			go func() { _, err := r.Run(t.Context(), "run", request(double(), 1)); ended <- err }()
			id := callID(w.hear("call"))
			w.say(`{"type":"result","call":"unknown"}`)
			w.hear("ack")
			w.say(`{"type":"news","call":"` + id + `"}`)
			said := `{` + test.said + `,"call":"` + id + `"}`
			w.say(said)
			w.hear("ack")
			w.say(said) // a repetition is acknowledged and changes nothing
			w.hear("ack")
			err := <-ended
			if code(err) != test.code {
				t.Errorf("%s: %v, want %q", said, err, test.code)
			}
			if e := api.AsError(err); e != nil && e.Outcome != api.Failed {
				t.Errorf("%s: outcome %q", said, e.Outcome)
			}
			if e := api.AsError(err); e != nil && e.Code == api.PythonException && (e.Details.Exception == nil || e.Details.Exception.Frames[0].Line != 3) {
				t.Errorf("%s: %+v", said, e)
			}
		})
	}
}

// TestStoppedByTheWorker holds that a function that its process stopped, because
// it leaves, does not fail the run that is about to be cancelled for the same
// reason.
func TestStoppedByTheWorker(t *testing.T) {
	for name, test := range map[string]struct {
		drains  bool
		cancel  time.Duration // after the function was stopped; 0 is never
		code    api.Code
		outcome api.Outcome
		took    time.Duration
	}{
		"and then cancelled":           {true, time.Second, api.Canceled, api.Failed, time.Second},
		"and not cancelled":            {true, 0, api.FunctionFailed, api.Failed, 15 * time.Second},
		"by a process that stays":      {false, time.Second, api.FunctionFailed, api.Failed, 0},
		"and cancelled when it's late": {true, 20 * time.Second, api.FunctionFailed, api.Failed, 15 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := worker.New(worker.Config{})
				w := connectRaw(t, r, worker.Peer{})
				w.say(hello + "}")
				w.hear("welcome")
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				ended := make(chan error, 1)
				go func() { _, err := r.Run(ctx, "run", request(double(), 1)); ended <- err }()
				id := callID(w.hear("call"))
				if test.drains {
					w.say(`{"type":"drain"}`)
				}
				w.say(`{"type":"failure","call":"` + id + `","error":{"code":"canceled","message":"it was stopped"}}`)
				w.hear("ack")
				began := time.Now()
				if test.drains {
					w.say(`{"type":"bye"}`)
				}
				if test.cancel > 0 {
					time.AfterFunc(test.cancel, cancel)
				}
				err := <-ended
				// The acknowledgement from which this counts may be held for the
				// next message, up to 2 ms.
				took := time.Since(began).Round(10 * time.Millisecond)
				if e := api.AsError(err); code(err) != test.code || e.Outcome != test.outcome || took != test.took {
					t.Errorf("ended with %v, outcome %s, after %s; want %s, %s, %s", err, e.Outcome, took, test.code, test.outcome, test.took)
				}
			})
		})
	}
}

// TestLeavingHandsOn holds that a call that reaches a worker when it is about
// to leave goes to another one, unless its function has begun.
func TestLeavingHandsOn(t *testing.T) {
	refusal := `,"error":{"code":"worker_unavailable","message":"leaving","outcome":"not_started"}}`
	for name, test := range map[string]struct {
		says []string // CALL is the call
		code api.Code // "" if the other worker does it
	}{
		"refused":              {[]string{`{"type":"drain"}`, `{"type":"failure","call":CALL` + refusal}, ""},
		"never begun":          {[]string{`{"type":"drain"}`, `{"type":"bye"}`}, ""},
		"begun":                {[]string{`{"type":"started","call":CALL}`, `{"type":"drain"}`, `{"type":"bye"}`}, api.WorkerLost},
		"begun and refused":    {[]string{`{"type":"started","call":CALL}`, `{"type":"drain"}`, `{"type":"failure","call":CALL` + refusal}, api.WorkerUnavailable},
		"refused without need": {[]string{`{"type":"failure","call":CALL` + refusal}, api.WorkerUnavailable},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := worker.New(worker.Config{})
				w := connectRaw(t, r, worker.Peer{})
				w.say(hello + "}")
				w.hear("welcome")
				ended := make(chan error, 1)
				go func() { _, err := r.Run(t.Context(), "run", request(double(), 1)); ended <- err }()
				id := callID(w.hear("call"))
				go func() { _, _ = io.Copy(io.Discard, w.conn) }()
				n := &network{runner: r}
				n.offer(t, client.WorkerOptions{}, double(), doubled)
				synctest.Wait()
				for _, said := range test.says {
					w.say(strings.ReplaceAll(said, "CALL", `"`+id+`"`))
				}
				if err := <-ended; code(err) != test.code {
					t.Errorf("the call ended with %v", err)
				}
				w.conn.Close()
			})
		})
	}
}

// TestStoppedAndCancelledAtOnce: both are there when the run looks.
func TestStoppedAndCancelledAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := worker.New(worker.Config{})
		w := connectRaw(t, r, worker.Peer{})
		w.say(hello + "}")
		w.hear("welcome")
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		held, req := make(heldWriter), request(double(), 1)
		req.Stdout = held
		ended := make(chan error, 1)
		go func() { _, err := r.Run(ctx, "run", req); ended <- err }()
		id := callID(w.hear("call"))
		w.say(`{"type":"log","call":"` + id + `","stream":"stdout","text":"busy with it"}`)
		synctest.Wait()
		w.say(`{"type":"failure","call":"` + id + `","error":{"code":"canceled","message":"it was stopped"}}`)
		w.hear("ack")
		cancel()
		close(held)
		if err := <-ended; code(err) != api.Canceled || api.AsError(err).Outcome != api.Failed {
			t.Errorf("ended with %v, want canceled", err)
		}
	})
}

// TestConnectAgain holds what a worker's second connection means for its calls.
func TestConnectAgain(t *testing.T) {
	for name, test := range map[string]struct {
		started bool
		peer    worker.Peer
		calls   string // in the second hello; CALL stands for the id
		code    api.Code
		outcome api.Outcome
	}{
		"known":       {true, worker.Peer{}, `[{"call":"CALL","started":true}]`, "", ""},
		"forgotten":   {true, worker.Peer{}, `[]`, api.WorkerLost, api.Unknown},
		"not arrived": {false, worker.Peer{}, `[]`, api.WorkerLost, api.NotStarted},
		"a stranger":  {true, worker.Peer{Owner: "mallory"}, `[{"call":"CALL","started":true}]`, api.WorkerLost, api.Unknown},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := worker.New(worker.Config{})
				first := connectRaw(t, r, worker.Peer{})
				first.say(hello + "}")
				first.hear("welcome")
				ended := make(chan error, 1)
				go func() { _, err := r.Run(t.Context(), "run", request(double(), 1)); ended <- err }()
				id := callID(first.hear("call"))
				if test.started {
					first.say(`{"type":"started","call":"` + id + `"}`)
					synctest.Wait()
				}
				second := connectRaw(t, r, test.peer)
				second.say(hello + `,"calls":` + strings.ReplaceAll(test.calls, "CALL", id) + "}")
				second.hear("welcome")
				go io.Copy(io.Discard, second.conn)
				second.say(`{"type":"result","call":"` + id + `","outputs":{"y":2}}`)
				if test.peer.Owner == "" {
					<-first.end // the newer wins
				}
				first.conn.Close()
				err := <-ended
				if code(err) != test.code || (err != nil && api.AsError(err).Outcome != test.outcome) {
					t.Errorf("ended with %#v, want %q, outcome %q", err, test.code, test.outcome)
				}
				second.conn.Close()
				<-second.end
			})
		})
	}
}

func TestOfferChangesWhatIsOffered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := worker.New(worker.Config{})
		w := connectRaw(t, r, worker.Peer{})
		w.say(hello + "}")
		go io.Copy(io.Discard, w.conn)
		w.say(`{"type":"offer","functions":[]}`)
		synctest.Wait()
		if _, err := r.Run(t.Context(), "run", request(double(), 1)); code(err) != api.WorkerUnavailable {
			t.Errorf("ended with %v, want worker_unavailable", err)
		}
		w.say(`{"type":"bye"}`)
		if err := <-w.end; err != nil || len(r.Workers()) != 0 {
			t.Errorf("ended with %v and left %+v", err, r.Workers())
		}
	})
}

func TestWorkersAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := worker.New(worker.Config{MaxWorkers: 1})
		first := connectRaw(t, r, worker.Peer{})
		first.say(hello + "}")
		first.hear("welcome")
		second := connectRaw(t, r, worker.Peer{Owner: "other"})
		second.say(hello + "}")
		if bye := second.hear("bye"); !strings.Contains(bye, "overloaded") {
			t.Errorf("heard %s", bye)
		}
		first.conn.Close()
		<-first.end
		<-second.end
	})
}

func TestCloseEndsEverything(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := worker.New(worker.Config{})
		w := connectRaw(t, r, worker.Peer{})
		w.say(hello + "}")
		w.hear("welcome")
		var runs sync.WaitGroup
		for range 3 { // one is under way, two wait
			runs.Go(func() {
				if _, err := r.Run(t.Context(), "run", request(double(), 1)); code(err) != api.Interrupted {
					t.Errorf("ended with %v, want interrupted", err)
				}
			})
		}
		w.hear("call")
		synctest.Wait()
		r.Close()
		runs.Wait()
		<-w.end
		if _, err := r.Run(t.Context(), "run", request(double(), 1)); code(err) != api.Interrupted {
			t.Errorf("ended with %v, want interrupted", err)
		}
	})
}

// TestCanceledWithoutConnection: a canceled call whose worker cannot be reached
// ends immediately, whether the connection breaks before or after.
func TestCanceledWithoutConnection(t *testing.T) {
	for _, before := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			r := worker.New(worker.Config{})
			n := &network{runner: r}
			n.offer(t, client.WorkerOptions{Drain: time.Second}, double(), func(context.Context, worker.Invocation) (map[string]any, error) {
				time.Sleep(time.Hour)
				return nil, nil
			})
			synctest.Wait()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			ended := make(chan error, 1)
			go func() {
				_, err := r.Run(ctx, "run", request(double(), 1))
				ended <- err
			}()
			synctest.Wait()
			steps := []func(){func() { n.cut(true) }, cancel}
			if !before {
				steps = []func(){cancel, func() { n.cut(true) }}
			}
			began := time.Now()
			for _, step := range steps {
				step()
				synctest.Wait()
			}
			err := <-ended
			if code(err) != api.Canceled || api.AsError(err).Outcome != api.Unknown || time.Since(began) != 0 {
				t.Errorf("cut before %v: %v after %s", before, err, time.Since(began))
			}
			time.Sleep(2 * time.Hour)
		})
	}
}

// TestReportOfAWorker: a page reaches the run before the end of the call, and none
// where the task has no report; one that cannot be kept does not fail the function.
func TestReportOfAWorker(t *testing.T) {
	for name, refusal := range map[string]error{"kept": nil, "refused": api.Errorf(api.StorageFull, "full")} {
		for _, reports := range []bool{true, false} {
			synctest.Test(t, func(t *testing.T) {
				r := worker.New(worker.Config{})
				w := connectRaw(t, r, worker.Peer{})
				w.say(hello + "}")
				w.hear("welcome")
				var pages []string
				req := request(double(), 1)
				if reports {
					req.Report = func(_ context.Context, page io.Reader, last bool) error {
						text, err := io.ReadAll(page)
						pages = append(pages, fmt.Sprint(string(text), last))
						return cmp.Or(refusal, err)
					}
				}
				ended := make(chan *api.Result, 1)
				go func() { result, _ := r.Run(t.Context(), "run", req); ended <- result }()
				id := callID(w.hear("call"))
				w.say(`{"type":"report","call":"` + id + `","html":"one"}`)
				w.say(`{"type":"report","call":"unknown","html":"none"}`)
				w.say(`{"type":"report","call":"` + id + `","html":"two","last":true}`)
				w.say(`{"type":"result","call":"` + id + `","outputs":{"y":2}}`)
				w.hear("ack")
				result := <-ended
				want, complaints := "", 0
				if reports {
					want = "onefalse twotrue"
				}
				if reports && refusal != nil {
					complaints = 2
				}
				if got := strings.Join(pages, " "); got != want || len(result.Outputs) != 1 || strings.Count(string(result.Stderr), "not kept") != complaints {
					t.Errorf("%s, with a report %t: %q, %d outputs, stderr %q", name, reports, got, len(result.Outputs), result.Stderr)
				}
			})
		}
	}
}
