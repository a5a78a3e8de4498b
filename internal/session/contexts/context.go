package contexts

import (
	"context"
	"crypto/rand"
	"io"
	"sync"

	"github.com/glovebox-dev/glovebox/api"
)

// Context is one stateful interpreter.
type Context struct {
	starter Starter
	spec    api.ContextSpec
	options Options
	driver  driver
	turn    chan struct{} // holds one value while code runs

	starting sync.Mutex // before mu

	mu      sync.Mutex
	process *process // nil before the first, and after Restart
	count   int      // executions of it
	running *execution
	removed bool
}

// New starts an interpreter, and returns when it is ready.
func New(ctx context.Context, s Starter, spec api.ContextSpec, o Options) (*Context, error) {
	c, err := newContext(s, spec, o)
	if err != nil {
		return nil, err
	}
	_, err = c.alive(ctx)
	if err != nil {
		return nil, err
	}
	return c, nil
}

func newContext(s Starter, spec api.ContextSpec, o Options) (*Context, error) {
	o = o.withDefaults()
	d, err := driverOf(spec, o)
	if err != nil {
		return nil, err
	}
	return &Context{starter: s, spec: spec, options: o, driver: d, turn: make(chan struct{}, 1)}, nil
}

// Attach returns the context of an interpreter that runs already, because its
// session was saved with its memory or forked, and that has executed code so
// often. Code that it still executes comes to its end, and is of no execution.
func Attach(s Starter, spec api.ContextSpec, executions int, o Options, attach func(stdout, stderr io.Writer) (Process, error)) (*Context, error) {
	c, err := newContext(s, spec, o)
	if err != nil {
		return nil, err
	}
	id := rand.Text()
	c.process, err = open(c.driver, id, attach)
	if err != nil {
		return nil, err
	}
	c.count = executions
	c.process.send(c.driver.greeting(id))
	return c, nil
}

// Executions returns how often the interpreter has executed code since its
// start, and whether it does now.
func (c *Context) Executions() (n int, busy bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.count, c.running != nil
}

// Interrupt interrupts the code that runs, if there is some. Code that has not
// ended when its patience is over loses its interpreter to a second call.
func (c *Context) Interrupt() error {
	c.mu.Lock()
	x := c.running
	c.mu.Unlock()
	if x == nil {
		return nil
	}
	return x.interrupt()
}

// Restart starts the interpreter again, without its state. Code that runs ends.
func (c *Context) Restart(ctx context.Context) error {
	c.drop(&api.CodeFailure{Name: restarting, Value: "the context was restarted"})
	_, err := c.alive(ctx)
	return err
}

// Close ends the interpreter for good, and code that runs.
func (c *Context) Close() {
	c.mu.Lock()
	c.removed = true
	c.mu.Unlock()
	c.drop(&api.CodeFailure{Name: restarting, Value: "the context was removed"})
}

func (c *Context) drop(why *api.CodeFailure) {
	c.mu.Lock()
	p := c.process
	c.process = nil
	c.mu.Unlock()
	if p != nil {
		p.end(why)
	}
}

// alive returns the process that takes requests. It starts one if there is none,
// or if the last one is over.
func (c *Context) alive(ctx context.Context) (*process, error) {
	c.starting.Lock()
	defer c.starting.Unlock()
	c.mu.Lock()
	p, removed := c.process, c.removed
	c.mu.Unlock()
	if removed {
		return nil, api.Errorf(api.NotFound, "the context was removed")
	}
	if p != nil && p.cause() == nil {
		return p, nil
	}
	p, err := start(ctx, c.starter, c.driver, c.spec, c.options)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.removed {
		p.end(&api.CodeFailure{Name: restarting})
		return nil, api.Errorf(api.NotFound, "the context was removed")
	}
	c.process, c.count = p, 0
	return p, nil
}
