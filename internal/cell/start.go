package cell

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/guest/wire"
)

// guestPatience is how long a started cell may take until its guest answers.
const guestPatience = 30 * time.Second

// Cell is a running cell with its guest. It is used by one run and closed.
type Cell struct {
	spec     Spec
	instance Instance
	mux      *connection
	started  time.Duration
	answered time.Duration

	ctx    context.Context // ends with the cell; its cause says why it was killed
	cancel context.CancelCauseFunc
	over   chan struct{} // closed when nothing can be done with the cell any more
	serves served
	direct atomic.Bool // a program has the streams past the guest

	saving chan struct{} // holds a value while the cell is being saved, frozen or thawed

	closed context.Context // ends when the cell is released
	leave  context.CancelFunc

	mu    sync.Mutex
	owner *owner // nil before the cell belongs to a run
	ended bool   // no run can have it any more

	closeOnce sync.Once
	closeErr  error
}

// Why a cell was killed.
var (
	errWall   = errors.New("the time limit of the cell is over")
	errClosed = errors.New("the cell was closed")
)

// Start brings up a cell and returns when its guest has answered. When ctx
// ends, then or later, the cell is killed.
func Start(ctx context.Context, driver Driver, spec Spec) (*Cell, error) {
	c, err := StartAhead(ctx, driver, spec)
	if err != nil {
		return nil, err
	}
	if err := c.bind(&owner{ctx: ctx, wall: spec.Wall, serve: spec.Serve}); err != nil {
		return nil, errors.Join(c.explain(err), c.discard())
	}
	return c, nil
}

// StartAhead brings up a cell that belongs to no run yet, and returns when its
// guest has answered. Ctx bounds the start only; Wall and Serve of the spec
// are those of a run, which Adopt gives the cell.
func StartAhead(ctx context.Context, driver Driver, spec Spec) (*Cell, error) {
	return bring(ctx, spec, nil, func(spec Spec) (Instance, error) { return driver.Start(ctx, spec) })
}

// bring brings up a cell. A greeting is for a guest that was silent.
func bring(ctx context.Context, spec Spec, greeting *wire.Greeting, start func(Spec) (Instance, error)) (*Cell, error) {
	spec.Resources = spec.Resources.WithDefaults()
	if err := checkResources(spec.Resources); err != nil {
		return nil, err
	}
	begin := time.Now()
	instance, err := start(spec)
	if err != nil {
		return nil, startError(ctx, err)
	}
	c := &Cell{
		spec: spec, instance: instance, started: time.Since(begin), over: make(chan struct{}),
		mux: newConnection(), saving: make(chan struct{}, 1),
	}
	c.ctx, c.cancel = context.WithCancelCause(context.WithoutCancel(ctx))
	c.closed, c.leave = context.WithCancel(context.Background())
	mux := c.newMux()
	go c.watch()
	if err := c.greet(ctx, mux, greeting); err != nil {
		return nil, errors.Join(err, c.discard())
	}
	c.answered = time.Since(begin) - c.started
	return c, nil
}

// newMux begins a connection to the guest.
func (c *Cell) newMux() *wire.Mux {
	mux := wire.NewMux(wire.Host, c.instance.Stream(), c.accept())
	c.mux.begin(mux)
	return mux
}

// discard closes a cell whose end is of no interest.
func (c *Cell) discard() error {
	_, err := c.Close()
	return err
}

// checkResources refuses limits that would be none: a negative count becomes a
// huge one where the kernel takes it.
func checkResources(r api.Resources) error {
	for name, value := range map[string]float64{
		"cpu": r.CPU, "memory": float64(r.Memory), "disk": float64(r.Disk), "pids": float64(r.PIDs), "open_files": float64(r.OpenFiles),
	} {
		if !(value > 0) {
			return api.Errorf(api.InvalidTask, "resources.%s is %g, expected more than 0", name, value).
				WithDetails(api.Details{Field: "resources." + name, Expected: "more than 0"})
		}
	}
	if r.Memory < minMemory {
		return api.Errorf(api.InvalidTask, "resources.memory is %d bytes, expected at least %s", r.Memory, size(minMemory)).
			WithDetails(api.Details{Field: "resources.memory", Expected: "at least " + size(minMemory)})
	}
	return nil
}

// minMemory is less than any program needs. Below it a cell would start and be
// killed immediately.
const minMemory = 1 << 20

func startError(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return canceled(ctx)
	}
	return api.AsError(err)
}

// greet waits for the first word of the guest, which is silent until it is greeted
// unless it has just been started.
func (c *Cell) greet(ctx context.Context, mux *wire.Mux, greeting *wire.Greeting) error {
	defer c.endWith(ctx)()
	if greeting != nil {
		if err := mux.Greet(*greeting); err != nil {
			return c.explain(err)
		}
	}
	patient, cancel := context.WithTimeout(c.ctx, guestPatience)
	defer cancel()
	if err := mux.WaitHello(patient); err != nil {
		return c.explain(fmt.Errorf("the guest did not answer: %w", err))
	}
	return nil
}

// watch kills the cell when its context or its guest has ended, and ends the
// connection when the cell is gone.
func (c *Cell) watch() {
	gone := make(chan struct{})
	go func() {
		c.instance.Wait()
		close(gone)
	}()
	select {
	case <-c.ctx.Done():
	case <-c.mux.Done():
	case <-gone:
	}
	c.instance.Kill()
	c.mux.Close()
	c.unbind()
	close(c.over)
}

// Done is closed when nothing can be done with the cell any more.
func (c *Cell) Done() <-chan struct{} { return c.over }

// endWith ends the cell when the context of a call ends before the call does.
func (c *Cell) endWith(ctx context.Context) (returned func() bool) {
	return context.AfterFunc(ctx, func() { c.cancel(context.Cause(ctx)) })
}

// Timings returns how long the driver took to start the cell, and how long the
// guest then took to answer.
func (c *Cell) Timings() (start, guest time.Duration) { return c.started, c.answered }

// Release stops the cell: when it returns, no program of it can do anything, and
// no connection is served. Close then removes what the cell leaves on the host,
// which takes longer.
func (c *Cell) Release() {
	c.stop()
	c.serves.end()
}

// stop ends the programs of the cell and what the host says to them.
func (c *Cell) stop() {
	c.cancel(errClosed)
	c.leave()
	c.instance.Kill()
	c.mux.Close()
}

// Close destroys the cell and everything in it, and returns how it ended.
func (c *Cell) Close() (Death, error) {
	c.closeOnce.Do(func() {
		c.stop()
		c.closeErr = c.instance.Close()
		c.serves.end()
	})
	death := c.instance.Wait()
	death.CPU = max(0, death.CPU-c.cpuBefore())
	return death, c.closeErr
}

// Usage returns what the cell has consumed so far; its CPU time counts from
// Adopt.
func (c *Cell) Usage() Usage {
	usage := c.instance.Usage()
	usage.CPU = max(0, usage.CPU-c.cpuBefore())
	return usage
}

// explain turns the end of the connection into the reason why the cell ended.
func (c *Cell) explain(err error) error {
	cause := context.Cause(c.ctx)
	if cause == nil && errors.Is(err, wire.ErrQuiet) {
		return api.Errorf(api.Conflict, "the cell was saved meanwhile, which ends conversations with its programs")
	}
	if cause == nil && c.mux.Err() == nil {
		return api.Errorf(api.CellLost, "the guest failed: %w", err)
	}
	c.instance.Kill()
	death := c.instance.Wait()
	switch {
	case errors.Is(cause, errWall):
		return api.Errorf(api.Timeout, "the run was killed after its time limit of %s", c.wall()).
			WithDetails(api.Details{Duration: c.wall()})
	case death.OutOfMemory:
		return outOfMemory(c.spec.Resources.Memory, death.PeakMemory)
	case death.NoSpace > 0:
		return noSpace(death.NoSpace)
	case c.ctx.Err() != nil:
		return canceled(c.ctx)
	}
	lost := api.Errorf(api.CellLost, "the cell ended without a report: %w", err)
	lost.Details.Log = death.Log
	return lost
}

func outOfMemory(limit, peak int64) error {
	return api.Errorf(api.OutOfMemory, "the run was killed because it needed more than its %s of memory (peak %s)", size(limit), size(peak)).
		WithDetails(api.Details{Limit: limit, Peak: peak})
}

// noSpace is the error of a cell that was ended to make room for the others.
func noSpace(layer int64) error {
	e := api.Errorf(api.StorageFull, "the run was killed because the disk of the host was nearly full, and of all cells its files took most of it: %s", size(layer)).
		WithHint("write less, or free space on the host, for example with: glovebox prune").WithDetails(api.Details{Peak: layer})
	e.Outcome = api.Failed
	return e
}

func canceled(ctx context.Context) error {
	return api.Errorf(api.Canceled, "the run was cancelled: %w", context.Cause(ctx))
}

// size writes a number of bytes as a person would.
func size(n int64) string {
	const units = "KMGTPE"
	if n < 1024 {
		return fmt.Sprintf("%d B", n)
	}
	value, unit := float64(n)/1024, 0
	for value >= 1024 {
		value /= 1024
		unit++
	}
	return fmt.Sprintf("%.4g %ciB", value, units[unit])
}

// ProxyEnv returns the environment variables by which programs find the proxy
// of a cell with a network. They are a convenience: without them a program
// reaches nothing at all.
func ProxyEnv() []string {
	url := "http://" + ProxyAddress
	return []string{
		"HTTP_PROXY=" + url, "HTTPS_PROXY=" + url, "ALL_PROXY=" + url,
		"http_proxy=" + url, "https_proxy=" + url, "all_proxy=" + url,
		"NO_PROXY=localhost,127.0.0.1,::1", "no_proxy=localhost,127.0.0.1,::1",
	}
}
