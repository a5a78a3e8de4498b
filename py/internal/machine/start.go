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
	Clock   func() time.Time   // without Timers, what was slept is added
	Zone    *time.Location     // the local time zone; nil is UTC
	Entropy func([]byte) error // the source of randomness
	Seed    any                // of the module random, in place of Entropy, until the program seeds it: what random.seed takes, of package api
	// Timers says that the host keeps time: a program that sleeps waits until the
	// host says that enough time has passed. Without, sleeping takes no time.
	Timers bool
	// ProcessTime is what time.process_time() counts, given how long the code under
	// way has run. Without, it is what the clock counts.
	ProcessTime func(ran time.Duration) time.Duration
	// Fields says that the host takes a long list[float], an argument of a call, as
	// value.Fields of that parameter, which need a third of the memory.
	Fields bool
	// Directory grants a system to a session: paths that can be looked at, files
	// and an environment, for which the session asks the host. It returns the
	// directory of paths that are not absolute.
	Directory func() string
	// ChangeDirectory sets what Directory returns.
	ChangeDirectory func(path string)
	// AskClock and AskEntropy say that a session with a Directory asks its host
	// for the time and for randomness, in place of Clock and Entropy.
	AskClock, AskEntropy bool
	// AskModules says that a session with a Directory asks its host for modules
	// that are not bundled.
	AskModules bool
	// AskScans says that a session with a Directory asks its host for a whole tree
	// of files by one call.
	AskScans bool
	// Print takes what the program prints, in place of the output that the
	// instance keeps.
	Print func(text string)
	// PrintError takes what it prints to sys.stderr, in place of Print.
	PrintError func(text string)
}

// workspace is the memory that an instance needs while it has frames. It goes
// from instances that ended to others, and is cleared before.
type workspace struct {
	stackSpace [firstStack]Value
	frameSpace [firstFrames]frame
	grown      [4]grown // strs that grow by concatenation
	grownNext  int
	places     [4]places // of strs that are indexed
	placesNext int
	recents    *recentStrs            // or nil
	specs      *[specSlots]parsedSpec // or nil
}

const (
	firstStack  = window + headroom + 64
	firstFrames = 8
)

var workspaces = sync.Pool{New: func() any { return new(workspace) }}

// New makes an instance of a program. globals are the values of the inputs, in
// the order of Program.Inputs.
func New(p *Program, limits Limits, host Host) *Machine {
	m := newMachine(p, limits, host)
	mod := &m.own
	mod.name, mod.code = "__main__", p.Main
	if n := len(p.Main.code.Globals); n > 0 {
		mod.globals = make([]Value, n)
		copy(mod.globals[len(p.Inputs):], p.values)
	}
	mod.value()
	m.main = mod
	m.mem = firstStack*ValueBytes + int64(len(mod.globals))*ValueBytes
	m.settle()
	return m
}

// newMachine makes an instance without a module.
func newMachine(p *Program, limits Limits, host Host) *Machine {
	m := &Machine{program: p, limits: limits, host: host, memCheck: limits.Memory}
	m.workspace = workspaces.Get().(*workspace)
	m.stack, m.frames = m.stackSpace[:], m.frameSpace[:0]
	return m
}

// SetInput gives the input i its value.
func (m *Machine) SetInput(i int, v Value) { m.main.globals[i] = v }

// Start runs the program until it waits, ends or fails.
func (m *Machine) Start(ctx context.Context) {
	if err := m.push(m.program.Main.body(), nil, m.main, 1, contFinish, Value{}); err != nil {
		m.end(err)
		return
	}
	m.Run(ctx)
}

// Run runs the program until it waits, ends or fails.
func (m *Machine) Run(ctx context.Context) { m.guard(ctx, nil) }

// guard gives answers and runs the program, and records why it stopped. It
// recovers from panics: a defect of the machine ends the instance, not the
// process.
func (m *Machine) guard(ctx context.Context, answers []Answer) {
	m.ctx, m.resumedAt, m.status = ctx, now(), Running
	defer m.settleRun()
	if answers == nil {
		m.end(m.loop())
		return
	}
	m.end(m.resumeWith(answers))
}

// settleRun ends what guard began.
func (m *Machine) settleRun() {
	m.elapsed += now() - m.resumedAt
	m.ctx = nil
	if r := recover(); r != nil {
		m.end(fmt.Errorf("internal error: %v", r))
	}
}

// began is when the process began to tell time.
var began = time.Now()

// now is the time since then, by the monotonic clock.
func now() time.Duration { return time.Since(began) }

// end records why the loop stopped.
func (m *Machine) end(err error) {
	m.steps += m.portion - m.budget
	m.portion = m.budget
	m.peak = max(m.peak, m.mem)
	m.inNative, m.argsEnd = false, 0
	if m.exits(err) {
		m.result, err = None, errDone
	}
	if m.workspace != nil {
		m.recents = nil
	}
	switch {
	case err == errPaused:
		m.status = Waiting
	case err == errStopped:
		m.status = Running
	case err == errDone:
		m.status = Done
		if !m.program.grows() {
			m.release()
		}
	default:
		m.status, m.failure = Failed, err
	}
	if m.program.console() && m.status != Waiting {
		m.endPiece()
	}
}

// exits reports whether err is sys.exit() or sys.exit(0), which nothing caught:
// the program is done, and has no result.
func (m *Machine) exits(err error) bool {
	t, ok := err.(*thrown)
	if !ok || !m.isException(t.exception, exceptions["SystemExit"]) {
		return false
	}
	code := stopValue(t.exception)
	return code.IsNone() || (code.Kind() == KindInt || code.Kind() == KindBool) && code.n == 0
}

// release gives the workspace of an instance that is done to the next one,
// cleared as far as it was used.
func (m *Machine) release() {
	w := m.workspace
	used := w.stackSpace[:]
	if w.frameSpace[1].unit == nil && m.program.Main.units[0].regs < headroom {
		used = used[:2*headroom] // nothing was called
	}
	clear(used)
	for i := range w.frameSpace {
		if w.frameSpace[i].unit == nil {
			break
		}
		w.frameSpace[i] = frame{}
	}
	w.grown, w.places, w.recents, w.specs = [4]grown{}, [4]places{}, nil, nil // methods are the same for all
	workspaces.Put(w)
	m.workspace, m.stack, m.frames, m.states = nil, nil, nil, [maxStates]State{}
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
	return m.ReprNative(m.result)
}

// NativeModules lists the modules that are written in Go.
func NativeModules() []string {
	names := make([]string, 0, len(known.modules))
	for name := range known.modules {
		names = append(names, name)
	}
	return names
}
