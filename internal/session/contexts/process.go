package contexts

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"io"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/glovebox-dev/glovebox/api"
)

// process is a driver that runs.
type process struct {
	Process
	requests chan []byte
	messages chan message
	over     chan struct{} // closed when it is of no use any more
	left     atomic.Int64  // bytes of output that the execution may still have
	dropped  atomic.Int64  // bytes beyond
	reported atomic.Bool   // a client knows that it is over

	mu      sync.Mutex
	failure *api.CodeFailure // why it is over
	said    []byte           // the end of what it wrote to standard error
}

var errOver = errors.New("the interpreter has ended")

// start starts a driver, and returns when it is ready.
func start(ctx context.Context, s Starter, d driver, spec api.ContextSpec, o Options) (*process, error) {
	ctx, cancel := context.WithTimeout(ctx, o.StartTime)
	defer cancel()
	id := rand.Text()
	opening, err := d.opening(id)
	if err != nil {
		return nil, err
	}
	p, err := open(d, "", func(stdout, stderr io.Writer) (Process, error) {
		return s.StartDriver(ctx, Command{Argv: d.argv(), Env: spec.Env, Dir: spec.Dir, Stdout: stdout, Stderr: stderr})
	})
	if err != nil {
		return nil, err
	}
	p.send(opening)
	return p, p.becomeReady(ctx, id)
}

// open gets a process, and listens to it.
func open(d driver, greeting string, get func(stdout, stderr io.Writer) (Process, error)) (*process, error) {
	p := &process{requests: make(chan []byte, maxRequests), messages: make(chan message), over: make(chan struct{})}
	stdout, stderr := d.listen(greeting, p.deliver)
	var err error
	p.Process, err = get(guarded{p, stdout}, guarded{p, io.MultiWriter(tail{p}, stderr)})
	if err != nil {
		return nil, err
	}
	go p.watch()
	go p.feed()
	return p, nil
}

// send passes a request on, and does not wait for a driver that does not read.
func (p *process) send(request []byte) {
	select {
	case p.requests <- request:
	default:
		p.end(gone("its interpreter does not read"))
	}
}

func (p *process) feed() {
	for {
		select {
		case request := <-p.requests:
			_, _ = p.Write(request) // an end of the program is noticed elsewhere
		case <-p.over:
			return
		}
	}
}

func (p *process) becomeReady(ctx context.Context, id string) error {
	for {
		select {
		case m := <-p.messages:
			if m.id == id && m.kind == ready {
				return nil
			}
		case <-p.over:
			return api.Errorf(api.CallFailed, "the interpreter did not start: %s", p.lastWords())
		case <-ctx.Done():
			p.end(gone("it was not ready in time"))
			return context.Cause(ctx)
		}
	}
}

// watch ends it when the program has ended.
func (p *process) watch() {
	how := p.Wait()
	p.end(gone("the interpreter ended: " + how))
}

// end kills the program, unless it is over, and says why.
func (p *process) end(why *api.CodeFailure) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.failure != nil {
		return
	}
	why.Traceback = strings.ToValidUTF8(string(p.said), "\ufffd")
	p.failure = why
	close(p.over)
	p.Kill()
}

// cause returns why it is over, or nil.
func (p *process) cause() *api.CodeFailure {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.failure
}

// lastWords returns the last line that a driver said which is over, or else why it
// is.
func (p *process) lastWords() string {
	why := p.cause()
	lines := strings.Split(strings.TrimSpace(why.Traceback), "\n")
	return cmp.Or(lines[len(lines)-1], why.Value)
}

// begin makes room for the output of an execution.
func (p *process) begin() {
	p.left.Store(maxOutput)
	p.dropped.Store(0)
}

// deliver passes a message to the execution, which may take its time.
func (p *process) deliver(m message) error {
	if m.kind == dropped || m.kind == output && p.left.Add(-int64(m.size)) < 0 {
		p.dropped.Add(int64(m.size))
		return nil
	}
	select {
	case p.messages <- m:
		return nil
	case <-p.over:
		return errOver
	}
}

// guarded ends a process that writes what cannot be understood.
type guarded struct {
	p *process
	w io.Writer
}

func (g guarded) Write(b []byte) (int, error) {
	n, err := g.w.Write(b)
	if err != nil {
		g.p.end(gone(err.Error()))
	}
	return n, err
}

// tail keeps the end of what is written.
type tail struct{ p *process }

func (t tail) Write(b []byte) (int, error) {
	t.p.mu.Lock()
	defer t.p.mu.Unlock()
	t.p.said = append(t.p.said, b[max(0, len(b)-maxTail):]...)
	t.p.said = append([]byte(nil), t.p.said[max(0, len(t.p.said)-maxTail):]...)
	return len(b), nil
}
