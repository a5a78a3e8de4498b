package machine

import "math"

// lastFirst is the highest first number of a snapshot. Beyond it marks start
// anew.
const lastFirst = 1 << 31

// begin chooses the marks of the snapshot.
func (s *saver) begin() {
	if s.m.epoch > lastFirst {
		t := tracer{m: s.m, epoch: math.MaxUint32}
		s.m.roots(&t)
		t.drain()
		s.m.epoch = 0
	}
	s.first = s.m.epoch + 1
	s.next = s.first
}

// drain writes the contents of the objects that were met, in the order of their
// numbers, until there are no more.
func (s *saver) drain() {
	for i := 0; i < len(s.todo) && s.err == nil; i++ {
		s.content(s.todo[i])
	}
	s.identities()
	s.m.epoch = s.next
}

// identities writes the numbers by which the program may know objects.
func (s *saver) identities() {
	n := 0
	for _, o := range s.todo {
		if _, ok := s.m.identities[o]; ok {
			n++
		}
	}
	s.count(n)
	for _, o := range s.todo {
		if id, ok := s.m.identities[o]; ok {
			s.uint(uint64(o.mark - s.first))
			s.uint(id)
		}
	}
}

func (s *saver) content(o *Object) {
	switch o := o.self.(type) {
	case *List:
		s.values(o.items)
	case *Tuple:
		s.values(o.items)
	case *Dict:
		s.table(&o.table, true)
	case *Set:
		s.table(&o.table, false)
	case *Instance:
		s.instance(o)
	case *cell:
		s.value(o.v)
	case *function:
		s.function(o)
	case *Class:
		s.class(o)
	case *generator:
		s.generator(o)
	default:
		s.rare(o)
	}
}

func (s *saver) rare(o any) {
	switch o := o.(type) {
	case *Iterator:
		step := o.settle()
		s.byte(byte(o.what))
		s.value(o.seq)
		s.values(o.inner)
		s.int(o.pos)
		s.int(o.end)
		s.int(step)
	case *view:
		s.byte(byte(o.what))
		s.value(o.of)
	case *rangeObject:
		s.int(o.start)
		s.int(o.stop)
		s.int(o.step)
	case *sliceObject:
		s.value(o.start)
		s.value(o.stop)
		s.value(o.step)
	case *method:
		s.value(o.fn)
		s.value(o.self)
	case *descriptor:
		s.byte(byte(o.what))
		for _, v := range []Value{o.get, o.set, o.del, o.doc} {
			s.value(v)
		}
	case *superObject:
		s.value(o.class.Ref())
		s.value(o.self)
		s.value(o.start.Ref())
	case *ModuleObject:
		s.module(o)
	case *future:
		s.uint(o.id)
		s.byte(byte(o.state))
		s.value(o.value)
		s.value(o.more)
	case *handle:
		s.apiValue(o.ref, 0)
	case *Opaque:
		s.opaque(o)
	case *toolObject:
		s.text(o.decl.Name)
		s.text(o.decl.Doc)
	default:
		s.fail("a value of type %T", o)
	}
}

// table writes the entries with the gaps between them, which the positions of
// iterators count.
func (s *saver) table(t *table, values bool) {
	s.count(len(t.entries))
	for i := range t.entries {
		e := &t.entries[i]
		if e.key.o == nil {
			s.byte(tagUnbound)
			continue
		}
		if h, ok := s.m.rehash(e.key, 0); ok && h != e.hash {
			s.byte(tagLost)
		}
		s.value(e.key)
		if values {
			s.value(e.value)
		}
	}
}

func (s *saver) instance(o *Instance) {
	s.value(o.class.Ref())
	s.table(&o.own, true)
	if space := o.space(); space == nil {
		s.byte(tagUnbound)
	} else {
		s.value(space.Ref())
	}
	s.value(o.payload)
	s.uint(o.serial)
	s.uint(o.given())
	if o.trouble == nil {
		s.byte(0)
		return
	}
	s.byte(1)
	s.traceback(o.trouble)
}

func (s *saver) traceback(t *traceback) {
	s.bool(t.noContext)
	s.value(t.cause)
	s.value(t.context)
	n := 0
	for _, l := range t.lines {
		if s.m.program.Main.has(l.unit) {
			n++
		}
	}
	s.count(n)
	for _, l := range t.lines {
		if s.m.program.Main.has(l.unit) {
			s.count(l.unit.code.Index)
			s.count(int(l.line))
			if len(l.unit.code.Spots) > 0 {
				s.count(int(max(l.pc, 0)))
			}
		}
	}
}

func (s *saver) function(f *function) {
	if f.globals.code == nil || !f.globals.code.has(f.code) {
		s.fail("a function whose code is of another module")
	}
	s.value(f.globals.ref())
	s.count(f.code.code.Index)
	s.values(f.defaults)
	if f.kwDefaults == nil {
		s.byte(tagUnbound)
	} else {
		s.value(f.kwDefaults.Ref())
	}
	s.count(len(f.cells))
	for _, c := range f.cells {
		s.value(Value{o: &c.Object})
	}
	for _, name := range []*Str{f.name, f.qual} {
		if name == nil {
			s.byte(tagUnbound)
		} else {
			s.value(name.Ref())
		}
	}
	s.value(f.doc)
	switch {
	case f.space != nil:
		s.byte(2)
		s.value(f.space.Ref())
	case f.attrs != nil:
		s.byte(1)
		s.table(f.attrs, true)
	default:
		s.byte(0)
	}
	s.uint(f.serial)
}

func (s *saver) class(c *Class) {
	s.text(c.name)
	s.text(c.qualName)
	s.count(len(c.bases))
	for _, b := range c.bases {
		s.value(b.Ref())
	}
	s.value(c.meta.Ref())
	s.table(&c.attrs, true)
	s.count(len(c.abstract))
	for _, name := range c.abstract {
		s.text(name)
	}
	s.count(len(c.virtual))
	for _, v := range c.virtual {
		s.value(v.Ref())
	}
}

func (s *saver) generator(g *generator) {
	s.value(Value{o: &g.fn.Object})
	s.byte(byte(g.state))
	s.count(int(g.pc))
	if g.state == generatorRunning {
		s.count(0)
		return
	}
	s.values(g.saved)
}

func (s *saver) module(mod *ModuleObject) {
	switch {
	case mod.code == nil:
		s.byte(moduleNative)
		s.text(mod.name)
		return
	case mod.code == s.m.program.Main:
		s.byte(moduleMain)
	default:
		s.byte(moduleBundled)
		s.text(mod.name)
		s.uint(mod.code.digest())
	}
	s.values(mod.globals)
}

func (s *saver) opaque(o *Opaque) {
	kind, fields := o.box.Save()
	if _, ok := known.unboxers[kind]; !ok {
		s.fail("a %s object", o.class.name)
		return
	}
	s.text(kind)
	s.value(o.class.Ref())
	s.values(fields)
}
