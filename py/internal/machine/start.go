package machine

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// Host is what an instance may use of the world. What is nil is refused.
type Host struct {
	Clock   func() time.Time
	Entropy func([]byte) error
}

// stacks keeps the registers of instances that ended for others. They are
// cleared before they go there.
var stacks = sync.Pool{New: func() any { return new([firstStack]Value) }}

const firstStack = window + headroom + 64

// New makes an instance of a program. globals are the values of the inputs, in
// the order of Program.Inputs.
func New(p *Program, limits Limits, host Host) *Machine {
	m := &Machine{program: p, limits: limits, host: host, memCheck: limits.Memory}
	mod := &module{name: "__main__", code: p.Main, globals: make([]Value, len(p.Main.code.Globals))}
	mod.value()
	m.main = mod
	copy(mod.globals[len(p.Inputs):], p.values)
	m.mem = firstStack*valueBytes + int64(len(mod.globals))*valueBytes
	m.settle()
	return m
}

// SetInput gives the input i its value.
func (m *Machine) SetInput(i int, v Value) { m.main.globals[i] = v }

// Start runs the program until it waits, ends or fails.
func (m *Machine) Start(ctx context.Context) {
	m.prepareStack()
	u := m.program.Main.units[0]
	if err := m.push(u, nil, m.main, 1, contFinish, Value{}); err != nil {
		m.end(err)
		return
	}
	m.Run(ctx)
}

// prepareStack takes a stack when there is none yet.
func (m *Machine) prepareStack() {
	if m.stack == nil {
		m.stack = stacks.Get().(*[firstStack]Value)[:]
	}
}

// Run goes on until the program waits, ends or fails.
func (m *Machine) Run(ctx context.Context) { m.guard(ctx, m.loop) }

// guard runs what executes the program, and records why it stopped. It recovers
// from panics: a defect of the machine ends the instance, not the process.
func (m *Machine) guard(ctx context.Context, execute func() error) {
	m.ctx, m.resumedAt, m.status = ctx, now(), Running
	defer func() {
		m.elapsed += time.Since(m.resumedAt)
		m.ctx = nil
		if r := recover(); r != nil {
			m.end(fmt.Errorf("internal error: %v", r))
		}
	}()
	m.end(execute())
}

// end records why the loop stopped.
func (m *Machine) end(err error) {
	m.steps += m.portion - m.budget
	m.portion = m.budget
	m.peak = max(m.peak, m.mem)
	m.inNative, m.argsEnd = false, 0
	switch {
	case err == errPaused:
		m.status = Waiting
	case err == errStopped:
		m.status = Running
	case err == errDone:
		m.status = Done
		m.release()
	default:
		m.status, m.failure = Failed, err
	}
}

// release gives the stack of an instance that is done to the next one.
func (m *Machine) release() {
	if len(m.stack) != firstStack {
		m.stack = nil
		return
	}
	clear(m.stack)
	stacks.Put((*[firstStack]Value)(m.stack))
	m.stack, m.frames = nil, nil
}

// Status tells where the instance stands.
func (m *Machine) Status() Status { return m.status }

// Result is the value of a program that is done.
func (m *Machine) Result() Value { return m.result }

// Failure is why the program failed: a *LimitError, or an *Exception.
func (m *Machine) Failure() error {
	var t *thrown
	if errors.As(m.failure, &t) {
		return m.describe(t.exception)
	}
	var r *raise.Error
	if errors.As(m.failure, &r) {
		return &Exception{Class: r.Class, Message: r.Message}
	}
	return m.failure
}

// Usage is what an instance used so far.
type Usage struct {
	Steps  int64
	Memory int64 // peak, in bytes
	Time   time.Duration
	Calls  int
	Output int
}

// Usage returns what the instance used so far.
func (m *Machine) Usage() Usage {
	return Usage{Steps: m.steps, Memory: max(m.peak, m.mem), Time: m.elapsed, Calls: int(m.wait.serial), Output: len(m.out.buf)}
}

// Repr is repr of the result.
func (m *Machine) Repr() (string, error) {
	m.resumedAt = now()
	return m.reprNative(m.result)
}

// NativeModules lists the modules that are written in Go.
func NativeModules() []string {
	names := make([]string, 0, len(known.modules))
	for name := range known.modules {
		names = append(names, name)
	}
	return names
}
