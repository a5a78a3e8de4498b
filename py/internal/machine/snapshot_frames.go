package machine

import (
	"errors"
	"slices"
	"time"

	"github.com/glovebox-dev/glovebox/py/internal/code"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
	"github.com/glovebox-dev/glovebox/value"
)

// savedBody is what a snapshot says of the frames and of what they wait for.
type savedBody struct {
	frames []savedFrame
	result Value
}

type savedFrame struct {
	frame
	live []Value
}

func microseconds(n int64) time.Duration {
	const longest = 1 << 50
	return time.Duration(min(n, longest)) * time.Microsecond
}

func (l *loader) body(state savedState) (b savedBody) {
	switch state {
	case savedStopped:
		b.frames = l.frames()
	case savedWaiting:
		b.frames = l.frames()
		l.waiting()
	case savedDone:
		b.result = l.bound()
	case savedFailed:
		l.failure()
	}
	return b
}

func (l *loader) frames() []savedFrame {
	n := l.count(6)
	if n == 0 || n > framesPerDepth*l.m.limits.Depth {
		l.corrupt()
		return nil
	}
	frames := make([]savedFrame, n)
	for i := range frames {
		l.frame(&frames[i])
	}
	return frames
}

func (l *loader) frame(f *savedFrame) {
	switch l.byte() {
	case frameGenerator:
		if f.gen = l.value().generator(); f.gen == nil {
			l.corrupt()
		}
	case frameFunction:
		f.fn = l.theFunction()
	case frameModule:
		f.mod = l.theModule()
	default:
		l.corrupt()
	}
	f.cont, f.dst, f.extra = continuation(l.byte()), l.byte(), l.value()
	f.pc = int32(l.count16())
	f.live = l.values()
}

func (l *loader) waiting() {
	w := &l.m.wait
	w.block = l.uint()
	w.any = w.block == 0
	w.cont, w.dst, w.extra = continuation(l.byte()), l.byte(), l.value()
	w.done = l.values()
	last := uint64(0)
	for n := l.count(3); n > 0 && l.err == nil; n-- {
		c := l.call()
		if c == nil || c.ID <= last || c.ID > uint64(l.used[4]) {
			l.corrupt()
			return
		}
		last = c.ID
		w.calls = append(w.calls, c)
	}
}

func (l *loader) call() *Call {
	id, to := l.uint(), l.value()
	if l.m.program.asks {
		return l.ask(id, to)
	}
	i := l.uint()
	tools := l.m.program.Tools
	if i >= uint64(len(tools)) || to.Bound() && to.future() == nil {
		return nil
	}
	c := &Call{ID: id, Tool: tools[i], to: to.future()}
	l.pay(64 + 32*len(c.Tool.Params))
	for _, p := range c.Tool.Params {
		v := l.apiValue(0)
		if l.err != nil {
			return nil
		}
		if _, ok := fitsQuick(v, p.Type); !ok {
			fitted, err := value.Normalize(p.Type, v)
			if err != nil {
				return nil
			}
			v = fitted
		}
		c.Args = append(c.Args, v)
	}
	return c
}

func (l *loader) failure() {
	m := l.m
	switch l.byte() {
	case failedLimit:
		e := &LimitError{Limit: LimitKind(l.unicode()), Max: l.int()}
		if cause := l.unicode(); cause != "" || e.Limit == Canceled {
			e.Cause = errors.New(cause)
		}
		if !slices.Contains([]LimitKind{MemoryLimit, StepLimit, TimeLimit, DepthLimit, OutputLimit, CallLimit, Canceled}, e.Limit) {
			l.corrupt()
		}
		m.failure = e
	case failedException:
		m.failure = &thrown{exception: l.value()}
	case failedRaise:
		m.failure = &raise.Error{Class: l.unicode(), Message: l.unicode()}
	case failedText:
		m.failure = errors.New(l.unicode())
	default:
		l.corrupt()
	}
}

// linkGenerators checks that each generator stands at a stand where it can go
// on.
func (l *loader) linkGenerators() {
	for _, g := range l.generators {
		g.unit, g.mod = g.fn.code, g.fn.globals
		if g.unit.code.Flags&(code.Generator|code.Coroutine) == 0 || !g.resumable(l) {
			l.corrupt()
			return
		}
	}
}

func (g *generator) resumable(l *loader) bool {
	switch g.state {
	case generatorFinished, generatorRunning:
		return len(g.saved) == 0
	case generatorCreated:
		return g.pc == 0 && len(g.saved) == int(g.unit.locals)
	}
	p := l.standOf(g.unit, int(g.pc))
	if len(g.saved) > int(g.unit.regs) {
		return false
	}
	if p.kind != atStart {
		return false
	}
	if next := g.unit.instrs[g.pc]; next.Op() == code.OpDelegate {
		g.send = next.B()
		return true
	}
	g.send = p.last.A()
	return p.last.Op() == code.OpYield
}

// stand is where a pc stands.
type stand struct {
	kind standKind
	last code.Instr // the instruction before it
}

type standKind uint8

const (
	atNowhere standKind = iota
	atStart             // at the start of an instruction
	atWord              // at the last word of one
)

// standOf finds out where pc stands in the code of u.
func (l *loader) standOf(u *unit, pc int) stand {
	if pc <= 0 || pc >= len(u.instrs) || l.work(pc) != nil {
		return stand{}
	}
	at := 0
	var last code.Instr
	for at < pc {
		last = u.instrs[at]
		at += last.Op().Length()
	}
	switch {
	case at == pc:
		return stand{atStart, last}
	case at == pc+1:
		return stand{atWord, last}
	}
	return stand{}
}

// finish puts the frames on the stack and takes over what the instance used.
func (l *loader) finish(state savedState, b savedBody) {
	m := l.m
	if m.main.code != m.program.Main || m.main.flags&shared != 0 {
		l.corrupt()
		return
	}
	for name, mod := range m.modules {
		if mod.name != name || mod == m.main {
			l.corrupt()
			return
		}
	}
	if o := m.loopState.Instance(); o != nil && o.class != objectType {
		l.corrupt()
		return
	}
	switch state {
	case savedStopped, savedWaiting:
		l.stack(state, b.frames)
	case savedFailed:
		l.checkFailure()
	}
	m.steps, m.peak, m.elapsed = l.used[0], l.used[1], microseconds(l.used[2])
	m.serials, m.wait.serial = uint64(l.used[3]), uint64(l.used[4])
	m.portion, m.budget = 0, 0
	m.settle()
	m.result = b.result
	m.status = [savedCount]Status{Ready, Running, Waiting, Done, Failed}[state]
	m.mem = l.bytes + int64(len(m.stack))*ValueBytes + int64(cap(m.out.buf))
}

func (l *loader) checkFailure() {
	t, ok := l.m.failure.(*thrown)
	if !ok {
		return
	}
	if o := t.exception.Instance(); o == nil || o.class.layout != KindException {
		l.corrupt()
	}
}

// stack lays the frames out, each above all registers of the one below.
func (l *loader) stack(state savedState, frames []savedFrame) {
	m := l.m
	size := 1
	for i := range frames {
		f := &frames[i]
		if !l.resolve(f) || len(f.live) > int(f.unit.regs) {
			l.corrupt()
			return
		}
		if f.gen != nil && slices.ContainsFunc(frames[:i], func(g savedFrame) bool { return g.gen == f.gen }) {
			l.corrupt()
			return
		}
		f.base, f.depth = int32(size), f.unit.weight
		if i > 0 {
			f.depth += frames[i-1].depth
		}
		if int(f.depth) > m.limits.Depth {
			l.corrupt()
			return
		}
		size += int(f.unit.regs) + 2
	}
	size += window + headroom
	if l.pay(max(0, size-firstStack)*ValueBytes + max(0, len(frames)-firstFrames)*frameBytes); l.err != nil {
		return
	}
	if size > firstStack {
		m.stack = make([]Value, size)
	}
	if len(frames) > firstFrames {
		m.frames = make([]frame, 0, len(frames))
	}
	m.frames = m.frames[:len(frames)]
	for i := range frames {
		m.frames[i] = frames[i].frame
		copy(m.stack[frames[i].base:], frames[i].live)
	}
	for i := range frames {
		above := contStore
		switch {
		case i+1 < len(frames):
			above = frames[i+1].cont
		case state == savedWaiting:
			above = m.wait.cont
		default:
			if f := &frames[i]; f.pc != 0 && l.standOf(f.unit, int(f.pc)).kind != atStart {
				l.corrupt()
			}
			continue
		}
		if !l.resumes(&frames[i].frame, above) {
			l.corrupt()
			return
		}
	}
	for i := range frames {
		if f := &frames[i]; (f.cont == contFinish) != (i == 0) || f.cont >= contCount || f.gen != nil != f.cont.wantsGenerator() {
			l.corrupt()
		}
		if f := &frames[i]; (f.cont == contInit || f.cont == contExtra) && !f.extra.Bound() {
			l.corrupt()
		}
	}
	if state == savedWaiting {
		l.checkWaiting()
	}
	for _, g := range l.generators {
		if g.state == generatorRunning && !slices.ContainsFunc(frames, func(f savedFrame) bool { return f.gen == g }) {
			l.corrupt()
		}
	}
}

// wantsGenerator says whether the continuation is that of the frame of a
// generator.
func (c continuation) wantsGenerator() bool {
	switch c {
	case contFor, contNext, contDelegate, contClose:
		return true
	}
	return false
}

// resolve finds the code of a frame.
func (l *loader) resolve(f *savedFrame) bool {
	switch {
	case f.gen != nil:
		if f.gen.state != generatorRunning || f.gen.fn == nil {
			return false
		}
		f.fn, f.unit, f.mod = f.gen.fn, f.gen.unit, f.gen.mod
	case f.fn != nil:
		f.unit, f.mod = f.fn.code, f.fn.globals
		if f.unit.code.Flags&(code.Generator|code.Coroutine) != 0 {
			return false
		}
	default:
		if f.mod.code == nil || f.mod.flags&shared != 0 {
			return false
		}
		f.unit = f.mod.code.body()
	}
	return true
}

// resumes reports whether the frame f stands at an instruction that can have made
// a call with the continuation cont.
func (l *loader) resumes(f *frame, cont continuation) bool {
	p := l.standOf(f.unit, int(f.pc))
	op := p.last.Op()
	switch cont {
	case contTest, contCompareTest:
		return p.kind == atWord && op >= code.OpTest && op <= code.OpTestBound
	case contFor, contForCall:
		return p.kind == atWord && (op == code.OpForIter || op == code.OpForPair)
	case contCollected:
		switch op {
		case code.OpForPair, code.OpUnpackStar:
			return p.kind == atWord
		case code.OpUnpack, code.OpExtend, code.OpUpdateSet:
			return p.kind == atStart
		}
		return false
	case contDelegate, contDelegateCall:
		return p.kind == atStart && op == code.OpDelegate
	case contFinish:
		return false
	}
	return p.kind == atStart && cont < contCount
}

func (l *loader) checkWaiting() {
	w := &l.m.wait
	switch w.cont {
	case contFor, contNext, contDelegate, contClose, contFinish:
		l.corrupt()
	case contInit, contExtra:
		if !w.extra.Bound() {
			l.corrupt()
		}
	}
	blocking := 0
	for _, c := range w.calls {
		if c.to == nil {
			blocking++
			if c.ID != w.block {
				l.corrupt()
			}
		} else if c.to.state != futurePending || c.to.id != c.ID {
			l.corrupt()
		}
	}
	_, timed := l.m.until()
	if blocking != 1 && !w.any || w.any && (blocking != 0 || len(w.calls) == 0 && !timed) {
		l.corrupt()
	}
	for _, v := range w.done {
		if f := v.future(); f == nil || f.state == futurePending {
			l.corrupt()
		}
	}
}
