package machine

// Memory is counted by tracing, not by counting references: every allocation is
// added to Machine.mem, and when that reaches memCheck, trace finds out how much
// is still reachable from the frames, the modules and the waiting calls. Go's
// own collector does the freeing.

// slack is how much a program may allocate between two traces at least, as a
// share of its limit. It is the overshoot that the limit may have.
const slack = 16

// trace sets mem to what is live. asked bytes are about to be allocated and
// already counted in mem. It returns a memory limit error when live values and
// asked do not fit.
func (m *Machine) trace(asked int64) error {
	m.peak = max(m.peak, m.mem-asked)
	young := asked // what is not reachable yet: all that the native function under way has made
	if m.inNative {
		young = m.mem - m.nativeBase
	}
	m.epoch++
	t := tracer{m: m, epoch: m.epoch}
	m.roots(&t)
	t.drain()
	m.forgetIdentities(&t)
	m.nativeBase = t.bytes
	m.mem = t.bytes + young
	m.budget -= t.visited / WorkPerStep
	if m.mem > m.limits.Memory {
		m.mem -= asked // which will not be allocated
		return m.limit(MemoryLimit)
	}
	m.memCheck = max(m.limits.Memory, m.mem+m.limits.Memory/slack)
	m.clearDead()
	return nil
}

// tracer walks the objects that are reachable, with a stack of its own.
type tracer struct {
	m       *Machine
	epoch   uint32
	todo    []*Object
	bytes   int64
	visited int64
}

func (t *tracer) value(v Value) {
	if v.o == nil || v.o.flags&shared != 0 || v.o.mark == t.epoch {
		return
	}
	v.o.mark = t.epoch
	t.todo = append(t.todo, v.o)
}

func (t *tracer) values(vs []Value) {
	for i := range vs {
		t.value(vs[i])
	}
}

func (t *tracer) table(tab *table) {
	t.bytes += int64(tab.bytes())
	for i := range tab.entries {
		t.value(tab.entries[i].key)
		t.value(tab.entries[i].value)
	}
}

func (t *tracer) drain() {
	for len(t.todo) > 0 {
		o := t.todo[len(t.todo)-1]
		t.todo = t.todo[:len(t.todo)-1]
		t.visited += 20
		t.object(o)
	}
}

// object counts o and follows what it holds.
func (t *tracer) object(o *Object) {
	switch o := o.self.(type) {
	case *Str:
		t.bytes += o.storage()
	case *bigInt:
		t.bytes += bigBytes + int64(o.v.BitLen()/8)
	case *Bytes:
		t.bytes += bytesBytes + int64(len(o.b))
	case *Tuple:
		t.bytes += TupleBytes + int64(cap(o.items))*ValueBytes
		t.visited += int64(len(o.items))
		t.values(o.items)
	case *List:
		t.bytes += ListBytes + int64(cap(o.items))*ValueBytes
		t.visited += int64(len(o.items))
		t.values(o.items)
	case *Dict:
		t.bytes += dictBytes
		t.visited += int64(len(o.entries))
		t.table(&o.table)
	case *Set:
		t.bytes += dictBytes
		t.visited += int64(len(o.entries))
		t.table(&o.table)
	case *cell:
		t.bytes += cellBytes
		t.value(o.v)
	case *Instance:
		t.bytes += InstanceBytes
		if o.flags&roomy != 0 && cap(o.own.entries) > maxRoom { // what it has outgrown
			t.bytes += maxRoom * entryBytes
		}
		t.value(o.class.Ref())
		t.table(&o.own)
		if o.rare != nil {
			t.bytes += rarityBytes
		}
		if space := o.space(); space != nil {
			t.value(space.Ref())
		}
		t.value(o.payload)
		t.traceback(o.trouble)
	default:
		t.rest(o)
	}
}

// rest counts the kinds of which programs make few.
func (t *tracer) rest(o any) {
	switch o := o.(type) {
	case *function:
		t.bytes += functionBytes
		t.function(o)
	case *method:
		t.bytes += methodBytes
		t.value(o.fn)
		t.value(o.self)
	case *Class:
		t.bytes += classBytes
		t.class(o)
	case *Iterator:
		t.bytes += IteratorBytes
		t.value(o.seq)
		t.values(o.inner)
	case *view:
		t.bytes += methodBytes
		t.value(o.of)
	case *rangeObject:
		t.bytes += rangeBytes
	case *sliceObject:
		t.bytes += SliceBytes
		t.values([]Value{o.start, o.stop, o.step})
	case *descriptor:
		t.bytes += 2 * SliceBytes
		t.values([]Value{o.get, o.set, o.del, o.doc})
	case *superObject:
		t.bytes += methodBytes
		t.value(o.class.Ref())
		t.value(o.self)
		t.value(o.start.Ref())
	case *generator:
		t.bytes += generatorBase + int64(cap(o.saved))*ValueBytes
		t.generator(o)
	case *ModuleObject:
		t.bytes += dictBytes
		t.module(o)
	case *future:
		t.bytes += 2 * SliceBytes
		t.value(o.value)
		t.value(o.more)
	case *toolObject:
		t.bytes += 4*SliceBytes + int64(len(o.decl.Name)+len(o.decl.Doc))
	case *handle:
		t.bytes += 4 * SliceBytes
	case *Opaque:
		size := int64(o.box.Size())
		t.bytes += opaqueBytes + size
		t.visited += size / ValueBytes
		t.value(o.class.Ref())
		o.box.Each(t.value)
	}
}

func (t *tracer) function(f *function) {
	t.value(f.globals.ref())
	t.values(f.defaults)
	if f.kwDefaults != nil {
		t.value(Value{o: &f.kwDefaults.Object})
	}
	for _, c := range f.cells {
		t.value(Value{o: &c.Object})
	}
	for _, s := range []*Str{f.name, f.qual} {
		if s != nil {
			t.value(s.Ref())
		}
	}
	t.value(f.doc)
	switch {
	case f.space != nil:
		t.value(f.space.Ref())
	case f.attrs != nil:
		t.table(f.attrs)
	}
}

func (t *tracer) class(c *Class) {
	t.table(&c.attrs)
	t.bytes += int64(len(c.mro)+len(c.subclasses)) * 8
	t.visited += int64(len(c.mro) + len(c.subclasses))
	for _, b := range c.mro {
		t.value(b.Ref())
	}
	for _, s := range c.subclasses { // a class keeps them alive
		t.value(s.Ref())
	}
	t.value(c.meta.Ref())
	for _, v := range c.virtual {
		t.value(v.Ref())
	}
}

func (t *tracer) module(mod *ModuleObject) {
	t.bytes += int64(len(mod.globals)) * ValueBytes
	t.values(mod.globals)
	t.table(&mod.attrs)
}

func (t *tracer) generator(g *generator) {
	t.values(g.saved)
	if g.fn != nil {
		t.value(Value{o: &g.fn.Object})
	}
	t.value(g.mod.ref())
}

func (t *tracer) traceback(tb *traceback) {
	if tb == nil {
		return
	}
	t.bytes += int64(len(tb.lines)) * tracebackLine
	t.value(tb.cause)
	t.value(tb.context)
}

// roots marks what is reachable from the machine itself.
func (m *Machine) roots(t *tracer) {
	t.bytes += int64(len(m.stack)) * ValueBytes
	t.bytes += int64(max(0, cap(m.frames)-firstFrames)) * frameBytes
	t.bytes += int64(m.out.size())
	for i := range m.frames {
		f := &m.frames[i]
		t.values(m.live(i))
		t.value(f.extra)
		t.value(f.mod.ref())
		if f.fn != nil {
			t.value(Value{o: &f.fn.Object})
		}
		if f.gen != nil {
			t.value(Value{o: &f.gen.Object})
		}
	}
	for _, mod := range m.modules {
		t.value(mod.ref())
	}
	t.value(m.main.ref())
	t.value(m.result)
	t.value(m.loopState)
	if failed, ok := m.failure.(*thrown); ok {
		t.value(failed.exception)
	}
	if n := len(m.frames); n > 0 {
		if from := int(m.frames[n-1].base + m.frames[n-1].unit.regs); from < m.argsEnd {
			t.values(m.stack[from:m.argsEnd])
		}
	}
	t.values(m.tail.args)
	t.value(m.tail.fn)
	m.wait.trace(t)
	m.traceRecents(t)
	for _, s := range m.states {
		if s != nil {
			t.bytes += int64(s.Size())
			s.Each(t.value)
		}
	}
}

// live returns the registers of frame i that hold live values.
func (m *Machine) live(i int) []Value {
	f := &m.frames[i]
	end := f.base + int32(f.top())
	if i+1 == len(m.frames) {
		end = f.base + f.unit.regs
	}
	return m.stack[f.base:min(int(end), len(m.stack))]
}

// top is the number of registers that are live in a frame that called another.
func (f *frame) top() uint8 {
	pc := int(f.pc)
	if pc >= len(f.unit.code.Tops) {
		return uint8(f.unit.regs)
	}
	return f.unit.code.Tops[pc]
}

// clearDead forgets values above the frames, so that Go can free them.
func (m *Machine) clearDead() {
	if m.workspace != nil {
		m.grown, m.places = [len(m.grown)]grown{}, [len(m.places)]places{}
	}
	end := 0
	if n := len(m.frames); n > 0 {
		f := &m.frames[n-1]
		end = max(int(f.base+f.unit.regs)+1, m.argsEnd)
	}
	if end < len(m.stack) {
		clear(m.stack[end:])
	}
}
