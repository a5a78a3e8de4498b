package contexts

import (
	"context"
	"crypto/rand"
	"fmt"
	"iter"

	"github.com/glovebox-dev/glovebox/api"
)

// Run executes code and yields what comes of it, in order; the last is
// CodeEnded, or an error. It waits for code that runs. Ending the iteration, or
// ctx, interrupts the code.
func (c *Context) Run(ctx context.Context, r api.CodeRequest) iter.Seq2[api.CodeEvent, error] {
	return func(yield func(api.CodeEvent, error) bool) {
		x, err := c.begin(ctx, r)
		if err != nil {
			yield(api.CodeEvent{}, err)
			return
		}
		if x.begun(yield) && x.follow(ctx, yield) {
			c.done()
			return
		}
		go func() { // the client has left, and does not wait for the end
			defer c.done()
			x.left = true
			x.press()
			x.follow(context.Background(), func(api.CodeEvent, error) bool { return true })
		}()
	}
}

// begin waits for the turn of a request, and hands it to the interpreter.
func (c *Context) begin(ctx context.Context, r api.CodeRequest) (*execution, error) {
	select {
	case c.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	x, err := c.hand(ctx, r)
	if err != nil {
		c.done()
	}
	return x, err
}

func (c *Context) hand(ctx context.Context, r api.CodeRequest) (*execution, error) {
	notice := c.lost()
	p, err := c.alive(ctx)
	if err != nil {
		return nil, err
	}
	x := &execution{p: p, id: rand.Text(), patience: c.options.Patience, notice: notice}
	before, _ := c.Executions()
	x.count = before + 1
	request, err := c.driver.request(x.id, x.count, r)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	c.count, c.running = x.count, x
	c.mu.Unlock()
	x.limit(r.Timeout)
	p.begin()
	p.send(request)
	return x, nil
}

// lost returns a notice if the interpreter has ended and no client knows.
func (c *Context) lost() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.process == nil || c.process.cause() == nil || c.process.reported.Load() {
		return ""
	}
	return fmt.Sprintln(c.process.cause().Value)
}

func (c *Context) done() {
	c.mu.Lock()
	c.running = nil
	c.mu.Unlock()
	<-c.turn
}
