package machine

import (
	"github.com/glovebox-dev/glovebox/py/internal/code"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// generator is a generator or coroutine: a frame that can leave the stack and
// come back.
type generator struct {
	Object
	fn    *function
	unit  *unit
	mod   *ModuleObject
	saved []Value // the live registers while it is suspended
	pc    int32
	send  uint8 // register for what is sent
	state generatorState
}

type generatorState uint8

const (
	generatorCreated generatorState = iota
	generatorSuspended
	generatorRunning
	generatorFinished
)

func (o *generator) value() Value { o.kind, o.self = KindGenerator, o; return Value{o: &o.Object} }

func (g *generator) finish() {
	g.state = generatorFinished
	g.saved = nil
}

// isAsync reports whether it is an asynchronous generator.
func (g *generator) isAsync() bool {
	return g.unit.async
}

// generatorEnd is the exception that tells that g returned v.
func (m *Machine) generatorEnd(g *generator, v Value) error {
	if g.isAsync() {
		return &thrown{exception: m.newException("StopAsyncIteration")}
	}
	return m.stopIteration(v)
}

// word is what messages call it.
func (g *generator) word() string {
	switch {
	case g.unit.code.Flags&code.Coroutine == 0:
		return "generator"
	case g.unit.code.Flags&code.Generator != 0:
		return "async_generator"
	}
	return "coroutine"
}

// newGenerator makes the generator that a call of f is. locals are its named
// registers, with the arguments in their places.
func (m *Machine) newGenerator(f *function, locals []Value) (Value, error) {
	if err := m.Alloc(generatorBase + len(locals)*ValueBytes); err != nil {
		return Value{}, err
	}
	g := &generator{fn: f, unit: f.code, mod: f.globals, saved: append([]Value(nil), locals...)}
	return g.value(), nil
}

// resume puts the generator's frame on top. sent is what its yield gives.
func (m *Machine) resume(g *generator, sent Value, cont continuation, extra Value) error {
	switch g.state {
	case generatorRunning:
		return raise.Value("%s already executing", g.word())
	case generatorFinished:
		return m.resumeFinished(g, cont, extra)
	case generatorCreated:
		if !sent.IsNone() {
			return raise.Type("can't send non-None value to a just-started %s", g.word())
		}
	}
	if err := m.restore(g, cont, extra); err != nil {
		return err
	}
	if g.pc > 0 {
		f := &m.frames[len(m.frames)-1]
		m.stack[int(f.base)+int(g.send)] = sent
	}
	return errEntered
}

// restore pushes the frame of a suspended generator.
func (m *Machine) restore(g *generator, cont continuation, extra Value) error {
	f := &m.frames[len(m.frames)-1]
	base := int(f.base) + int(f.unit.regs) + 1
	if m.argsEnd > base {
		base = m.argsEnd
	}
	if err := m.push(g.unit, g.fn, g.mod, base, cont, extra); err != nil {
		return err
	}
	f = &m.frames[len(m.frames)-1]
	f.gen = g
	f.pc = g.pc
	live := m.stack[base:][:len(g.saved)]
	//lint:ignore S1001 a few values: a call of copy costs more
	for i, v := range g.saved {
		live[i] = v
	}
	for i := len(g.saved); i < int(g.unit.locals); i++ {
		m.stack[base+i] = Value{}
	}
	g.saved = g.saved[:0]
	g.state = generatorRunning
	return nil
}

func (m *Machine) resumeFinished(g *generator, cont continuation, extra Value) error {
	if g.unit.code.Flags&(code.Coroutine|code.Generator) == code.Coroutine {
		return raise.Runtime("cannot reuse already awaited coroutine")
	}
	end := frame{cont: cont, dst: m.dst, extra: extra, gen: g}
	switch cont {
	case contNext:
		if !extra.Bound() {
			return m.generatorEnd(g, None)
		}
	}
	if err := m.deliverEnd(&end, None); err != nil {
		return err
	}
	return errEntered
}

// yield suspends the generator on top, which yields v and wants what is sent
// in register send. What an asynchronous generator yields is in a tuple of one,
// which tells it from what it awaits; see agen_step.
func (m *Machine) yield(v Value, send uint8) error {
	if g := m.frames[len(m.frames)-1].gen; g != nil && g.isAsync() {
		m.Spend(TupleBytes + ValueBytes)
		v = (&Tuple{items: []Value{v}}).value()
	}
	return m.suspend(v, send)
}

// suspend takes the generator on top off the frames and hands v to the code that
// resumed it.
func (m *Machine) suspend(v Value, send uint8) error {
	f := &m.frames[len(m.frames)-1]
	g := f.gen
	if g == nil {
		return ErrMalformed
	}
	if err := m.save(g, f); err != nil {
		return err
	}
	g.send = send
	if f.cont != contFor {
		done := *f
		m.drop()
		return m.deliverYield(&done, v)
	}
	dst := f.dst
	m.drop()
	caller := &m.frames[len(m.frames)-1]
	if caller.unit.instrs[caller.pc-1].Op() == code.OpForIter {
		m.stack[int(caller.base)+int(dst)] = v
		caller.pc++
		return nil
	}
	return m.deliverItem(dst, v)
}

// save keeps the live registers of g, whose frame f is.
func (m *Machine) save(g *generator, f *frame) error {
	n := int(f.unit.regs)
	if pc := int(f.pc); pc < len(f.unit.code.Tops) {
		n = int(f.unit.code.Tops[pc])
	}
	if n > cap(g.saved) {
		if err := m.Alloc(n * ValueBytes); err != nil {
			return err
		}
		g.saved = make([]Value, n)
	}
	saved := g.saved[:n]
	live := m.stack[f.base:][:len(saved)]
	for i := range saved { // a few values: a call of copy costs more
		saved[i] = live[i]
	}
	g.saved, g.pc, g.state = saved, f.pc, generatorSuspended
	return nil
}

// delegate runs one round of the iterator it for the generator on top, which
// was sent sent. It returns the iterator's result when that is at its end.
func (m *Machine) delegate(it, sent Value) (Value, error) {
	switch o := it.Self().(type) {
	case *generator:
		if o.state == generatorFinished && o.unit.code.Flags&code.Coroutine == 0 {
			return None, nil
		}
		return Value{}, m.resume(o, sent, contDelegate, Value{})
	case *Iterator:
		v, ok, err := o.Next(m)
		if err != nil {
			return Value{}, err
		}
		if !ok {
			return None, nil
		}
		return Value{}, m.delegateNow(v)
	case *future:
		if o.state == futurePending {
			return Value{}, m.delegateNow(it)
		}
		return o.outcome(m)
	}
	return m.delegateMethod(it, sent)
}

func (m *Machine) delegateMethod(it, sent Value) (Value, error) {
	name, args := nameNext, []Value{it}
	if !sent.IsNone() {
		name, args = nameSend, []Value{it, sent}
	}
	fn, ok := m.Lookup(ClassOf(it), name)
	if !ok {
		return Value{}, raise.Type("'%s' object is not an iterator", TypeName(it))
	}
	v, err := m.enter(fn, contDelegateCall, Value{}, args...)
	if err != nil {
		return Value{}, err
	}
	return Value{}, m.delegateNow(v)
}

// delegateNow yields v out of the frame on top, which delegates to an iterator
// that is not a generator.
func (m *Machine) delegateNow(v Value) error {
	if err := m.delegateYield(v); err != nil {
		return err
	}
	return errEntered
}

// delegateYield yields v out of the frame on top on behalf of the iterator that
// it delegates to. When it is resumed it executes its Delegate again.
func (m *Machine) delegateYield(v Value) error {
	f := &m.frames[len(m.frames)-1]
	i := f.unit.instrs[f.pc-1]
	if i.Op() != code.OpDelegate {
		return ErrMalformed
	}
	f.pc--
	return m.suspend(v, i.B())
}

// throw raises exc inside a generator, at the innermost one that it delegates
// to.
func (m *Machine) throw(g *generator, exc Value, cont continuation) error {
	dst := m.dst
	for {
		switch g.state {
		case generatorRunning:
			return raise.Value("%s already executing", g.word())
		case generatorFinished:
			return &thrown{exception: exc}
		}
		m.dst = dst
		if err := m.restore(g, cont, Value{}); err != nil {
			return err
		}
		f := &m.frames[len(m.frames)-1]
		i := f.unit.instrs[f.pc]
		if i.Op() != code.OpDelegate || f.pc == 0 {
			return m.throwHere(exc)
		}
		f.pc++ // it would be executed again, but it is where the exception is raised
		inner := m.stack[int(f.base)+int(i.A())].generator()
		if inner == nil {
			return m.throwHere(exc)
		}
		g, cont, dst = inner, contDelegate, i.C()
	}
}

func (m *Machine) throwHere(exc Value) error {
	if f := &m.frames[len(m.frames)-1]; f.pc == 0 {
		g, done := f.gen, *f
		m.drop()
		g.finish()
		if handled, err := m.deliverException(&done, exc); handled || err != nil {
			if err == nil {
				err = errEntered
			}
			return err
		}
		return &thrown{exception: exc}
	}
	if err := m.unwind(&thrown{exception: exc}); err != nil {
		return err
	}
	return errEntered
}

// awaitable returns what Delegate runs to await v.
func (m *Machine) awaitable(v Value) (Value, error) {
	switch o := v.Self().(type) {
	case *generator:
		if isAwaitable(o) {
			return v, nil
		}
	case *future:
		return v, nil
	case *Instance:
		if fn, ok := m.Lookup(o.class, nameAwait); ok {
			return m.awaitMethod(fn, v)
		}
	}
	if m.program.Plain {
		f := m.newFuture(ownFuture)
		f.state, f.value = futureDone, v
		return f.object(), nil
	}
	return Value{}, m.notAwaitable(v)
}
