package machine

import (
	"context"
	"errors"
	"time"

	"github.com/glovebox-dev/glovebox/py/internal/code"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// Machine is one instance of a program. It is used by one goroutine at a time.
type Machine struct {
	*workspace         // until the program is done
	stack      []Value // the registers of all frames, one window after another
	frames     []frame

	budget    int64 // steps until the next look at the limits
	portion   int64 // what budget was at the last look
	steps     int64 // taken up to the last look
	mem       int64 // bytes charged: live ones at the last trace, and all since
	memCheck  int64 // mem at which the next trace is due
	peak      int64
	epoch     uint32 // of traces
	classes   uint32 // counts changes to classes, so that caches of methods notice
	elapsed   time.Duration
	exported  int64         // bytes of all values that were copied out
	resumedAt time.Duration // by now
	ctx       context.Context
	limits    Limits

	inNative   bool // a native function runs; nativeBase is mem at its beginning
	nativeBase int64
	argsEnd    int // end of arguments that stand above the registers of the frame on top

	dst      uint8 // register that the instruction under way writes
	tail     tailCall
	asFuture bool        // the next call makes a future when its callee is a tool
	saved    int         // bytes of the last snapshot
	stopHere func() bool // for tests: whether to stop before the instruction under way

	program    *Program
	modules    map[string]*ModuleObject
	main       *ModuleObject
	own        ModuleObject // what main points to
	out        output
	host       Host
	wait       waiting
	importing  importer // of the answers that are given
	result     Value
	serials    uint64             // given to objects that were hashed or asked for their identity
	identities map[*Object]uint64 // the serials of objects that have no room for one
	loopState  Value              // of the event loop
	unexported *Instance          // the exception that kept the last value from leaving
	states     [maxStates]State   // of native modules
	passed     time.Duration      // since the program started, as the host last said
	failure    error
	status     Status
}

// Status is where an instance stands.
type Status uint8

// The states of an instance.
const (
	Ready   Status = iota // not started
	Running               // inside Run
	Waiting               // for the results of calls
	Done                  // the result is there
	Failed                // by an exception or a limit
)

// frame is an activation of a unit of code.
type frame struct {
	unit  *unit
	fn    *function
	mod   *ModuleObject
	gen   *generator // the generator that this frame runs, or nil
	extra Value      // for cont
	pc    int32
	base  int32
	depth int32 // frames of the program up to this one
	cont  continuation
	dst   uint8
}

// continuation says what becomes of the value that a frame returns.
type continuation uint8

const (
	contStore        continuation = iota // into register dst of the caller
	contDiscard                          // it is dropped
	contInit                             // it must be None; extra goes into register dst
	contExtra                            // it is dropped; extra goes into register dst
	contTest                             // its truth decides the test before the caller's pc
	contNot                              // its negated truth goes into register dst
	contTruth                            // its truth goes into register dst
	contBinary                           // NotImplemented lets the right operand of the caller's instruction answer
	contReflected                        // NotImplemented is a TypeError about the caller's instruction
	contInplace                          // NotImplemented makes the caller's x op= y an x op y
	contCompare                          // NotImplemented lets the right operand of the caller's comparison answer
	contCompareTest                      // the same for a test, which the answer's truth decides
	contFor                              // the frame is a generator: next item of the loop before the caller's pc
	contForCall                          // the frame is a __next__: the same
	contNext                             // the frame is a generator: a return raises StopIteration, or gives extra
	contDelegate                         // the frame is a generator to which the caller delegates
	contDelegateCall                     // the frame is a method of an iterator to which the caller delegates
	contClose                            // the frame is a generator that must end
	contCollected                        // a list of the items that the instruction before the caller's pc needs
	contFinish                           // the program has ended with it
	contCount
)

// tailCall is a call that a native function asks for instead of returning.
type tailCall struct {
	fn    Value
	args  []Value
	names *Tuple
	cont  continuation
	extra Value
}

// Sentinels of control flow between the loop and the slow paths. They never
// leave the package.
var (
	errEntered = errors.New("a frame was entered")
	errTail    = errors.New("a call takes the place of this one")
	errPaused  = errors.New("the program waits for calls")
	errStopped = errors.New("the program stands between two instructions")
	errDone    = errors.New("the program is done")
)

// window is the number of registers above a frame's base that must exist, so
// that an operand of eight bits is always inside.
const window = 256

// headroom is what push keeps free above a window, for the arguments of enter.
const headroom = 2 * maxEnter

// push makes a frame whose arguments stand at base.
func (m *Machine) push(u *unit, fn *function, mod *ModuleObject, base int, cont continuation, extra Value) error {
	n := len(m.frames)
	depth := u.weight
	if n > 0 {
		depth += m.frames[n-1].depth
	}
	if int(depth) > m.limits.Depth {
		return raise.New("RecursionError", "maximum recursion depth exceeded")
	}
	if base+window+headroom > len(m.stack) {
		if err := m.grow(base + window + headroom); err != nil {
			return err
		}
	}
	if n == cap(m.frames) {
		if err := m.growFrames(); err != nil {
			return err
		}
	}
	m.frames = m.frames[:n+1]
	f := &m.frames[n]
	f.unit, f.fn, f.mod = u, fn, mod
	f.pc, f.base, f.depth, f.cont, f.dst = 0, int32(base), depth, cont, m.dst
	if extra.o != nil {
		f.extra = extra
	}
	return nil
}

// framesPerDepth is how many frames there may be for each that the program may
// have: its own, and those of the modules and operations between them.
const framesPerDepth = 10

// growFrames makes room for more frames.
func (m *Machine) growFrames() error {
	n, most := len(m.frames), framesPerDepth*m.limits.Depth
	if n >= most {
		return m.limit(DepthLimit)
	}
	size := min(2*n, most)
	if err := m.Alloc((size - n) * frameBytes); err != nil {
		return err
	}
	frames := make([]frame, n, size)
	copy(frames, m.frames)
	m.frames = frames
	return nil
}

func (m *Machine) grow(size int) error {
	size = max(size, 2*len(m.stack))
	if err := m.Alloc((size - len(m.stack)) * ValueBytes); err != nil {
		return err
	}
	stack := make([]Value, size)
	copy(stack, m.stack)
	m.stack = stack
	return nil
}

// maxEnter is how many arguments a slow path may pass to enter; push keeps
// room for them, so that the stack does not move under the loop.
const maxEnter = 16

// enter calls fn with args from a slow path. It returns the value when fn is
// native, or errEntered when a frame was pushed that will deliver it by cont.
func (m *Machine) enter(fn Value, cont continuation, extra Value, args ...Value) (Value, error) {
	f := &m.frames[len(m.frames)-1]
	base := int(f.base) + int(f.unit.regs) + 1
	free := m.stack[base:][:maxEnter]
	for i := range min(len(args), maxEnter) { // a few values: a call of copy costs more
		free[i] = args[i]
	}
	return m.call(fn, base, len(args), nil, cont, extra)
}

// registers returns the window of the frame on top.
func (m *Machine) registers() *[window]Value {
	f := &m.frames[len(m.frames)-1]
	return (*[window]Value)(m.stack[f.base:])
}

// unit is a code.Code ready to run: its constants are values.
type unit struct {
	code   *code.Code
	instrs []code.Instr
	consts []Value
	params []*Str
	regs   int32
	locals int32
	pos    int32
	weight int32 // frames that it counts for: 0 in the prelude and the bundled modules
	simple bool  // only positional parameters: no defaults needed when all are given
	async  bool  // an asynchronous generator
	mod    *Module
}
