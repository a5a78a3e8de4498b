package client

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"net"
	"sync"
	"time"

	"github.com/cenkalti/backoff/v5"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/worker"
	"github.com/glovebox-dev/glovebox/internal/worker/wire"
)

// Invocation is what a function is called with.
type Invocation = worker.Invocation

// Function is code that this process offers. Call returns every declared
// output, and ends when ctx does. It may be called from several goroutines.
type Function struct {
	Task api.Task // of kind function
	Call func(ctx context.Context, call Invocation) (map[string]any, error)
}

// WorkerOptions say how ServeWorker works.
type WorkerOptions struct {
	// Name says what this process is, for people who list workers. It need not be
	// unique, and may be empty.
	Name string
	// Capacity limits the calls that are under way at the same time; further ones
	// wait on the server, or go to another worker. 0 means 16. Too high a number
	// overcommits this process, too low a number leaves it idle while runs wait.
	Capacity int
	// SharedFiles promises that a path means the same here and on the server.
	// Functions with files among their inputs and outputs need it. The server
	// believes it of processes on its own host only. False by default; a wrong
	// promise makes such calls fail because their files are not there.
	SharedFiles bool
	// Dial makes a stream to the server, the upgrade to the protocol included,
	// as Client.Connect does. It is required. It is called again, after 0.1 s at
	// first and 10 s at most, until it succeeds; an *api.Error that is not
	// retryable ends the worker.
	Dial func(ctx context.Context) (net.Conn, error)
	// Drain is how long calls that are under way may continue after ctx has ended.
	// 0 means 30 s. Calls that take longer are stopped, and their outcome may then
	// be in doubt; a long drain delays the end of the process by as much.
	Drain time.Duration
	// Broken receives the reason whenever the connection is lost or refused; the
	// worker connects again by itself. Nil ignores it, so that a wrong address is
	// seen only by functions that are never called.
	Broken func(err error)
}

const (
	defaultCapacity = 16
	defaultDrain    = 30 * time.Second
	stopGrace       = 5 * time.Second // for functions that were asked to stop
	handshake       = 30 * time.Second
)

// ServeWorker offers functions until ctx ends: it connects, and connects again
// when the connection breaks, and runs what it is asked for. When ctx has ended
// it takes no new calls, and returns nil when those under way have ended.
// Functions that then ignore the end of their context are left behind. It
// returns an error if the server refuses the worker for good.
func ServeWorker(ctx context.Context, o WorkerOptions, functions []Function) error {
	w, err := newServing(ctx, o, functions)
	if err != nil {
		return err
	}
	defer w.end(nil)
	drained := make(chan struct{})
	go func() { defer close(drained); w.drain(ctx) }()
	err = w.connectForever()
	w.end(err)
	<-drained
	return err
}

// serving is the state of ServeWorker.
type serving struct {
	options   WorkerOptions
	functions map[string]Function
	hello     wire.Message
	wait      *backoff.ExponentialBackOff
	life      context.Context // ends when all is done
	end       context.CancelCauseFunc

	mu       sync.Mutex
	calls    map[string]*serverCall
	link     *uplink       // nil while there is no connection
	draining bool          //
	idle     chan struct{} // closed when draining and nothing is under way
}

// uplink is one connection to the server.
type uplink struct {
	conn *wire.Conn
	out  *wire.Outbox
	logs chan struct{} // a token for every log in out
	done chan struct{} // closed when the connection has ended
}

func newServing(ctx context.Context, o WorkerOptions, functions []Function) (*serving, error) {
	o.Capacity, o.Drain = cmp.Or(o.Capacity, defaultCapacity), cmp.Or(o.Drain, defaultDrain)
	if o.Dial == nil {
		return nil, api.Errorf(api.RequestInvalid, "a worker needs a way to the server").WithDetails(api.Details{Field: "Dial"})
	}
	if o.Broken == nil {
		o.Broken = func(error) {}
	}
	w := &serving{options: o, functions: map[string]Function{}, calls: map[string]*serverCall{}, idle: make(chan struct{})}
	if err := w.offer(functions); err != nil {
		return nil, err
	}
	w.wait = backoff.NewExponentialBackOff()
	w.wait.InitialInterval, w.wait.MaxInterval = 100*time.Millisecond, 10*time.Second
	w.life, w.end = context.WithCancelCause(context.WithoutCancel(ctx))
	return w, nil
}

// offer checks the functions and prepares the hello, as the server will.
func (w *serving) offer(functions []Function) error {
	offered := make([]wire.Function, len(functions))
	for i, f := range functions {
		if err := worker.CheckTask(&f.Task); err != nil {
			return err
		}
		if f.Call == nil {
			return api.Errorf(api.InvalidTask, "function %q has no code", f.Task.Function.ID).WithDetails(api.Details{Field: "Call"})
		}
		id := f.Task.Function.ID
		w.functions[id] = f
		offered[i] = wire.Function{ID: id, Task: wire.Task{Name: f.Task.Name, Kind: f.Task.KindOf(), Doc: f.Task.Doc, Signature: f.Task.Signature}}
	}
	text, err := json.Marshal(offered)
	if err != nil {
		return api.Errorf(api.InvalidTask, "the functions cannot be sent: %w", err)
	}
	w.hello = wire.Message{
		Type: wire.Hello, Protocol: wire.Protocol, Worker: rand.Text(), Name: w.options.Name,
		Capacity: w.options.Capacity, SharedFiles: w.options.SharedFiles, Functions: text,
	}
	if err := w.hello.Check(); err != nil {
		return err
	}
	_, err = w.hello.Offered()
	return err
}

// refused is why the server does not want this worker, now or ever.
type refused struct{ why *api.Error }

func (r refused) Error() string { return "the server refused the worker: " + r.why.Error() }
func (r refused) Unwrap() error { return r.why }

// connectForever keeps a connection until all is done or the server refuses
// the worker for good.
func (w *serving) connectForever() error {
	for {
		err := w.connect()
		if w.life.Err() != nil {
			return nil
		}
		var no refused
		if errors.As(err, &no) && !no.why.Retryable {
			return no.why
		}
		w.options.Broken(err)
		pause := time.NewTimer(w.wait.NextBackOff())
		select {
		case <-pause.C:
		case <-w.life.Done():
			pause.Stop()
			return nil
		}
	}
}

// connect makes one connection and speaks over it to its end.
func (w *serving) connect() error {
	ctx, cancel := context.WithTimeout(w.life, handshake)
	stream, err := w.options.Dial(ctx)
	cancel()
	if err != nil {
		return undialled(err)
	}
	conn := wire.NewConn(stream)
	defer conn.Close()
	var heartbeat time.Duration
	err = conn.Within(w.life, handshake, func() (err error) {
		heartbeat, err = w.introduce(conn)
		return err
	})
	if err != nil {
		return err
	}
	w.wait.Reset()
	l := w.attach(conn)
	defer w.detach(l)
	return conn.Run(w.life, l.out, heartbeat, func(_ context.Context, m *wire.Message) error { return w.handle(l, m) })
}

// undialled explains why there is no stream. An error that the server itself
// sent counts as a refusal, such as of the token.
func undialled(err error) error {
	var e *api.Error
	if errors.As(err, &e) {
		return refused{e}
	}
	return err
}

// introduce says hello and waits for the welcome.
func (w *serving) introduce(conn *wire.Conn) (heartbeat time.Duration, err error) {
	hello := w.hello
	if hello.Calls, err = json.Marshal(w.underWay()); err != nil {
		return 0, err
	}
	if err := conn.Write(&hello); err != nil {
		return 0, err
	}
	m, err := conn.Read()
	switch {
	case err != nil:
		return 0, err
	case m.Type == wire.Bye:
		return 0, parting(m)
	case m.Type != wire.Welcome || m.HeartbeatSeconds < 1 || m.HeartbeatSeconds > 3600:
		return 0, refused{api.Errorf(api.RequestInvalid, "the server does not speak the protocol of workers: its first message is %.60q", m.Type)}
	}
	return time.Duration(m.HeartbeatSeconds) * time.Second, nil
}

// parting is why the server said bye.
func parting(m *wire.Message) error {
	e, err := m.Failed()
	switch {
	case err != nil:
		return err
	case e == nil:
		return errors.New("the server said bye")
	}
	return refused{e}
}

// attach makes the connection the one in use, and repeats what was not
// acknowledged.
func (w *serving) attach(conn *wire.Conn) *uplink {
	l := &uplink{conn: conn, out: wire.NewOutbox(), logs: make(chan struct{}, maxLogs), done: make(chan struct{})}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.link = l
	if w.draining {
		l.out.Put(&wire.Message{Type: wire.Drain})
	}
	for _, c := range w.calls {
		if c.ending != nil {
			l.out.Put(c.ending)
		}
	}
	return l
}

func (w *serving) detach(l *uplink) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.link = nil
	close(l.done)
}

// drain waits for the end of ctx, then for the calls under way, and then ends
// all: politely if it can.
func (w *serving) drain(ctx context.Context) {
	select {
	case <-ctx.Done():
	case <-w.life.Done():
		w.stopCalls()
		return
	}
	w.closeDoor()
	if !w.waitIdle(w.options.Drain) {
		w.stopCalls()
		w.waitIdle(stopGrace)
	}
	w.leave()
	w.end(nil)
}

// closeDoor takes no new calls.
func (w *serving) closeDoor() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.draining = true
	if w.link != nil {
		w.link.out.Put(&wire.Message{Type: wire.Drain})
	}
	w.checkIdle()
}

func (w *serving) checkIdle() {
	if !w.draining || len(w.calls) > 0 {
		return
	}
	select {
	case <-w.idle:
	default:
		close(w.idle)
	}
}

func (w *serving) waitIdle(d time.Duration) bool {
	late := time.NewTimer(d)
	defer late.Stop()
	select {
	case <-w.idle:
		return true
	case <-w.life.Done():
	case <-late.C:
	}
	return false
}

// leave says bye, and gives the server a moment to close the connection.
func (w *serving) leave() {
	w.mu.Lock()
	l := w.link
	w.mu.Unlock()
	if l == nil {
		return
	}
	l.out.Put(wire.Farewell(nil))
	late := time.NewTimer(time.Second)
	defer late.Stop()
	select {
	case <-l.done:
	case <-late.C:
	}
}
