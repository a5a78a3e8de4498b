package machine

import (
	"errors"

	"github.com/glovebox-dev/glovebox/py/internal/code"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// thrown is an exception on its way up the frames.
type thrown struct {
	exception Value // an instance of a subclass of BaseException
	again     bool  // re-raised: its traceback keeps growing
}

// Error names the class of the exception.
func (t *thrown) Error() string { return t.exception.Instance().class.name }

// traceback is where an exception has been, the innermost place first.
type traceback struct {
	lines          []traceLine
	cause, context Value
	noContext      bool
}

type traceLine struct {
	unit *unit
	line int32
	pc   int32 // the instruction; 0 if it is not known
}

// maxTraceLines bounds a traceback; what lies between is left out.
const maxTraceLines = 64

// unwind finds who handles err: a handler of the program, or the end of the
// frames. It returns nil when the loop can continue in the frame on top.
func (m *Machine) unwind(err error) error {
	t, _ := err.(*thrown)
	again := t != nil && t.again
	exc, err := m.exceptionOf(err)
	if err != nil {
		return err
	}
	linked := false
	for len(m.frames) > 0 {
		f := &m.frames[len(m.frames)-1]
		exc.Instance().addLine(m, f)
		if !linked {
			linked = m.linkContext(f, exc, again)
		}
		if h := f.handler(); h != nil {
			m.stack[f.base+int32(h.Reg)] = exc
			f.pc = h.Target
			return nil
		}
		done := *f
		m.drop()
		if done.gen != nil {
			done.gen.finish()
			exc = m.generatorFailure(done.gen, exc)
		}
		handled, next := m.deliverException(&done, exc)
		if handled || next != nil {
			return next
		}
	}
	return &thrown{exception: exc}
}

// linkContext notes which exception the frame f handles as the context of exc.
// One that is raised again after a finally keeps the context that it has.
func (m *Machine) linkContext(f *frame, exc Value, again bool) bool {
	handled := m.handling(f)
	o := handled.Instance()
	if o == nil || o.class.layout != KindException {
		return false
	}
	e := exc.Instance()
	if o == e {
		return true
	}
	if e.trouble == nil {
		e.trouble = &traceback{}
	}
	if again && e.trouble.context.Bound() {
		return true
	}
	for range maxContexts { // no exception is in its own context
		if o.trouble == nil {
			break
		}
		next := o.trouble.context
		if next.Is(exc) {
			o.trouble.context = Value{}
			break
		}
		if o = next.Instance(); o == nil {
			break
		}
	}
	e.trouble.context = handled
	return true
}

// maxContexts is how far linkContext looks for exc.
const maxContexts = 100

// handling returns the exception that the instruction before pc handles, or
// unbound.
func (m *Machine) handling(f *frame) Value {
	at := f.pc - 1
	for _, h := range f.unit.code.Handling {
		if h.Start <= at && at < h.End {
			if v := m.stack[f.base+int32(h.Reg)]; v.Bound() {
				return v
			}
		}
	}
	return Value{}
}

// exceptionOf returns the exception that err is, or err when no program can
// catch it.
func (m *Machine) exceptionOf(err error) (Value, error) {
	if t, ok := err.(*thrown); ok {
		return t.exception, nil
	}
	r, ok := err.(*raise.Error) // as nearly all are; errors.As takes its time
	if ok || errors.As(err, &r) {
		return m.newException(r.Class, m.Message(r.Message)), nil
	}
	return Value{}, err
}

// handler returns the innermost handler of the instruction before pc.
func (f *frame) handler() *code.Handler {
	at := f.pc - 1
	handlers := f.unit.code.Handlers
	for i := range handlers {
		if h := &handlers[i]; h.Start <= at && at < h.End {
			return h
		}
	}
	return nil
}

// drop pops the frame on top. What push does not always set is cleared here.
func (m *Machine) drop() {
	n := len(m.frames) - 1
	f := &m.frames[n]
	if f.gen != nil {
		f.gen = nil
	}
	if f.extra.o != nil {
		f.extra = Value{}
	}
	m.frames = m.frames[:n]
}

func (o *Instance) addLine(m *Machine, f *frame) {
	if f.unit.mod.hidden {
		return
	}
	if o.trouble == nil { // with room for a line or two beside it, in one allocation
		with := &struct {
			traceback
			array [2]traceLine
		}{}
		with.lines = with.array[:0]
		o.trouble = &with.traceback
	}
	if len(o.trouble.lines) < maxTraceLines {
		m.Spend(tracebackLine)
		o.trouble.lines = append(o.trouble.lines, traceLine{f.unit, int32(f.unit.code.Line(int(f.pc) - 1)), f.pc - 1})
	}
}

// generatorFailure turns a StopIteration that leaves a generator into a
// RuntimeError, as PEP 479 wants.
func (m *Machine) generatorFailure(g *generator, exc Value) Value {
	what := "StopIteration"
	if g.isAsync() && m.isException(exc, excStopAsyncIteration) {
		what = "StopAsyncIteration"
	} else if !m.isException(exc, excStopIteration) {
		return exc
	}
	word := g.word()
	if g.isAsync() {
		word = "async generator"
	}
	e := m.newException("RuntimeError", m.Message(word+" raised "+what))
	e.Instance().trouble = &traceback{cause: exc}
	return e
}

// deliverException gives the caller of a frame that failed its chance: the end
// of an iterator is no failure of a loop.
func (m *Machine) deliverException(f *frame, exc Value) (handled bool, err error) {
	switch f.cont {
	case contForCall:
		if m.isException(exc, excStopIteration) {
			m.endLoop()
			return true, nil
		}
	case contDelegateCall:
		if m.isException(exc, excStopIteration) {
			m.storeTop(f.dst, stopValue(exc))
			return true, nil
		}
	case contClose:
		if m.isException(exc, excGeneratorExit) || m.isException(exc, excStopIteration) {
			m.storeTop(f.dst, None)
			return true, nil
		}
	}
	return false, nil
}

// stopValue is the value that a StopIteration carries.
func stopValue(exc Value) Value {
	if t := exc.Instance().payload.Tuple(); t != nil && len(t.items) > 0 {
		return t.items[0]
	}
	return None
}

// storeTop writes register dst of the frame on top.
func (m *Machine) storeTop(dst uint8, v Value) {
	m.stack[int(m.frames[len(m.frames)-1].base)+int(dst)] = v
}

// endLoop takes the jump that follows a ForIter or ForPair of the frame on top.
func (m *Machine) endLoop() {
	f := &m.frames[len(m.frames)-1]
	f.pc += 1 + int32(f.unit.instrs[f.pc].Offset())
}

// leave pops the frame on top, which returns v.
func (m *Machine) leave(v Value) error {
	f := m.frames[len(m.frames)-1]
	m.drop()
	if f.gen != nil {
		f.gen.finish()
		return m.deliverEnd(&f, v)
	}
	return m.deliver(&f, v)
}

// deliver hands the value that the frame f returned to the frame below.
func (m *Machine) deliver(f *frame, v Value) error {
	switch f.cont {
	case contStore:
		m.storeTop(f.dst, v)
	case contDelegateCall:
		return m.delegateYield(v)
	case contDiscard:
	case contInit:
		if !v.IsNone() {
			return m.unwind(raise.Type("__init__() should return None, not '%s'", TypeName(v)))
		}
		m.storeTop(f.dst, f.extra)
	case contTest, contNot, contTruth:
		m.dst = f.dst
		yes, err := m.truth(v, f.cont)
		if err == errEntered {
			return nil
		}
		if err != nil {
			return m.unwind(err)
		}
		m.settleTruth(f.cont, f.dst, yes)
	case contBinary, contReflected, contInplace:
		if v.Is(notImplemented) {
			return m.deliverOperation(f.cont, f.dst)
		}
		m.storeTop(f.dst, v)
	case contCompare, contCompareTest:
		return m.deliverComparison(f, v)
	case contForCall:
		return m.deliverItem(f.dst, v)
	case contExtra:
		m.storeTop(f.dst, f.extra)
	case contCollected:
		return m.deliverCollected(f.dst, v)
	case contFinish:
		m.result = v
		return errDone
	default:
		return ErrMalformed
	}
	return nil
}

// deliverEnd tells the frame below that a generator returned v.
func (m *Machine) deliverEnd(f *frame, v Value) error {
	switch f.cont {
	case contFor:
		m.endLoop()
	case contNext:
		if f.extra.Bound() {
			m.storeTop(f.dst, f.extra)
			return nil
		}
		return m.unwind(m.generatorEnd(f.gen, v))
	case contDelegate:
		m.storeTop(f.dst, v)
	case contClose:
		m.storeTop(f.dst, None)
	default:
		return ErrMalformed
	}
	return nil
}

// deliverYield hands an item that a generator yielded to the frame below.
func (m *Machine) deliverYield(f *frame, v Value) error {
	switch f.cont {
	case contFor:
		return m.deliverItem(f.dst, v)
	case contNext:
		m.storeTop(f.dst, v)
	case contDelegate:
		return m.delegateYield(v)
	case contClose:
		return m.unwind(raise.Runtime("generator ignored GeneratorExit"))
	default:
		return ErrMalformed
	}
	return nil
}

// deliverItem gives a loop of the frame on top its next item.
func (m *Machine) deliverItem(dst uint8, v Value) error {
	f := &m.frames[len(m.frames)-1]
	if f.unit.instrs[f.pc-1].Op() == code.OpForPair {
		m.dst = dst
		err := m.unpack(v, 2, -1, int(f.base)+int(dst))
		if err == errEntered {
			return nil
		}
		if err != nil {
			return m.unwind(err)
		}
	} else {
		m.stack[int(f.base)+int(dst)] = v
	}
	f.pc++
	return nil
}

// deliverCollected completes an instruction of the frame on top that needed an
// iterable as a list.
func (m *Machine) deliverCollected(dst uint8, items Value) error {
	f := &m.frames[len(m.frames)-1]
	r := m.registers()
	i := f.unit.instrs[f.pc-1]
	var err error
	switch i.Op() {
	case code.OpUnpack:
		err = m.unpack(items, int(i.C()), -1, int(f.base)+int(i.A()))
	case code.OpForPair:
		err = m.unpack(items, 2, -1, int(f.base)+int(dst))
		f.pc++
	case code.OpExtend:
		err = m.extend(r[i.A()], items)
	case code.OpUpdateSet:
		err = m.updateSet(r[i.A()], items)
	default:
		after := int(f.unit.instrs[f.pc])
		err = m.unpack(items, int(i.C()), after, int(f.base)+int(i.A()))
		f.pc++
	}
	if err == errEntered {
		return nil
	}
	if err != nil {
		return m.unwind(err)
	}
	return nil
}

// settleTruth writes the outcome of a test to the frame on top.
func (m *Machine) settleTruth(cont continuation, dst uint8, yes bool) {
	switch cont {
	case contTruth:
		m.storeTop(dst, Bool(yes))
	case contNot:
		m.storeTop(dst, Bool(!yes))
	case contTest:
		f := &m.frames[len(m.frames)-1]
		i := f.unit.instrs[f.pc-1]
		if i.Op() == code.OpTestNotIn {
			yes = !yes
		}
		offset := int32(0)
		if yes == (i.C() != 0) {
			offset = int32(f.unit.instrs[f.pc].Offset())
		}
		f.pc += 1 + offset
	}
}
