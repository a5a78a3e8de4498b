package machine

import "github.com/glovebox-dev/glovebox/py/internal/code"

// link checks what the objects say of each other and works out what snapshots
// leave out.
func (l *loader) link() {
	for _, step := range []func(){l.linkFunctions, l.linkHolders, l.linkClasses, l.linkBoxes, l.linkInstances, l.linkTables,
		l.linkIterators, l.linkGenerators, l.linkFutures} {
		if step(); l.err != nil {
			return
		}
	}
}

func (l *loader) linkFunctions() {
	for _, u := range l.functions {
		mod := u.f.globals.code
		if mod == nil || u.index >= uint64(len(mod.units)) {
			l.corrupt()
			return
		}
		f := u.f
		f.code = mod.units[u.index]
		c := f.code.code
		if len(f.cells) != len(c.Captures) || len(f.defaults) > c.Pos || c.Flags&code.Main != 0 {
			l.corrupt()
			return
		}
	}
}

// linkHolders makes sure that no iterator, method, descriptor or class holds
// itself: what follows these does so without a bound.
func (l *loader) linkHolders() {
	if len(l.holders) == 0 {
		return
	}
	w := walk{state: make(map[*Object]walkState, len(l.holders))}
	l.pay(64 * len(l.holders))
	for _, o := range l.holders {
		if !w.from(o) {
			l.corrupt()
			return
		}
	}
}

type walkState uint8

const (
	walkOpen walkState = iota + 1
	walkClosed
)

// walk goes through objects depth first, with a stack of its own.
type walk struct {
	state map[*Object]walkState
	todo  []*Object
}

// maxHeld is how deep iterators, methods and descriptors may hold each other.
const maxHeld = 100_000

// from reports whether there is no way from o back to an object on the way.
func (w *walk) from(o *Object) bool {
	w.todo = append(w.todo[:0], o)
	depth := 0
	for len(w.todo) > 0 {
		o := w.todo[len(w.todo)-1]
		if s := w.state[o]; s != 0 {
			w.todo = w.todo[:len(w.todo)-1]
			if s == walkOpen {
				w.state[o] = walkClosed
				depth--
			}
			continue
		}
		if depth++; depth > maxHeld {
			return false
		}
		w.state[o] = walkOpen
		for _, v := range held(o) {
			if v.o == nil || v.o.flags&shared != 0 || w.state[v.o] == walkClosed {
				continue
			}
			if w.state[v.o] == walkOpen {
				return false
			}
			switch v.o.kind {
			case KindIter, KindMethod, KindDescriptor, KindClass:
				w.todo = append(w.todo, v.o)
			}
		}
	}
	return true
}

// held is what the machine follows from an object without a frame between.
func held(o *Object) []Value {
	switch o := o.self.(type) {
	case *Iterator:
		return o.inner
	case *method:
		return []Value{o.fn}
	case *descriptor:
		return []Value{o.get, o.set, o.del}
	case *Class:
		all := []Value{o.meta.Ref()}
		for _, b := range o.bases {
			all = append(all, b.Ref())
		}
		return all
	}
	return nil
}

// linkClasses works out the method resolution orders, of bases before the
// classes that derive from them.
func (l *loader) linkClasses() {
	for _, c := range l.classes {
		for _, b := range c.bases {
			if b.flags&shared == 0 {
				b.subclasses = append(b.subclasses, c)
			}
		}
	}
	waits := make(map[*Class]int, len(l.classes))
	var ready []*Class
	for _, c := range l.classes {
		n := 0
		for _, b := range c.bases {
			if b.flags&shared == 0 {
				n++
			}
		}
		if waits[c] = n; n == 0 {
			ready = append(ready, c)
		}
	}
	for i := 0; i < len(ready) && l.err == nil; i++ {
		c := ready[i]
		l.linkClass(c)
		for _, sub := range c.subclasses {
			if waits[sub]--; waits[sub] == 0 {
				ready = append(ready, sub)
			}
		}
	}
	l.settleClasses(ready)
}

func (l *loader) linkClass(c *Class) {
	total := 1
	for _, b := range c.bases {
		total += len(b.mro)
		if b.final || !l.joinLayout(c, b) {
			l.corrupt()
			return
		}
	}
	if l.pay(8 * total); l.err != nil {
		return
	}
	if len(c.bases) == 1 {
		c.mro = append([]*Class{c}, c.bases[0].mro...)
	} else {
		if err := l.work(total * total); err != nil {
			return
		}
		mro, err := linearize(c)
		if err != nil {
			l.corrupt()
			return
		}
		c.mro = mro
	}
	for _, k := range c.mro[1:] {
		if c.make == nil {
			c.make = k.make
		}
	}
}

// work charges units of work in portions; the error is kept.
func (l *loader) work(units int) error {
	for ; units > 0 && l.err == nil; units -= 1e6 {
		if err := l.m.Work(min(units, 1e6)); err != nil {
			l.fail(err)
		}
	}
	return l.err
}

// joinLayout derives the layout of c from that of its base b.
func (l *loader) joinLayout(c, b *Class) bool {
	if c.layout == KindUnbound {
		c.layout = KindInstance
	}
	if b.layout == KindInstance || b.layout == c.layout {
		return true
	}
	if c.layout != KindInstance {
		return false
	}
	c.layout = b.layout
	return true
}

// settleClasses works out what the fast paths know of classes. The classes
// settle their subclasses too, so these are hidden until they are done.
func (l *loader) settleClasses(classes []*Class) {
	if len(classes) != len(l.classes) {
		l.corrupt()
	}
	for _, c := range classes {
		if c.meta != nil && !c.meta.IsSubclass(typeType) {
			l.corrupt()
		}
		cost := 0
		for _, k := range c.mro {
			cost += 8 + len(k.attrs.entries)
		}
		if l.work(cost) != nil {
			return
		}
		subclasses := c.subclasses
		c.subclasses = nil
		c.settle()
		c.subclasses = subclasses
	}
}

func (l *loader) linkInstances() {
	for _, o := range l.instances {
		if !o.fits() || o.trouble != nil && !o.trouble.fits() {
			l.corrupt()
			return
		}
	}
}

// fits reports whether the payload of an instance is what its class wants.
func (o *Instance) fits() bool {
	c := o.class
	switch c.layout {
	case KindInstance:
		return !o.payload.Bound() && (c.flags&shared == 0 || c == objectType || c == tracebackType)
	case KindException:
		return o.payload.Tuple() != nil
	case KindInt:
		k := o.payload.Kind()
		return c.flags&shared == 0 && (k == KindInt || k == KindBigInt)
	case KindStr, KindFloat, KindBytes, KindTuple, KindList, KindDict, KindSet, KindFrozenSet, KindDescriptor:
		return c.flags&shared == 0 && o.payload.Kind() == c.layout
	}
	return false
}

// fits reports whether the exceptions that a traceback names are some.
func (t *traceback) fits() bool {
	for _, v := range []Value{t.cause, t.context} {
		if o := v.Instance(); v.Bound() && !v.IsNone() && (o == nil || o.class.layout != KindException) {
			return false
		}
	}
	return true
}

func (l *loader) linkIterators() {
	for _, o := range l.holders {
		if it, ok := o.self.(*Iterator); ok && !it.fits() {
			l.corrupt()
			return
		} else if ok {
			it.unsettle()
		}
	}
}

// fits reports whether an iterator goes over what its kind says.
func (it *Iterator) fits() bool {
	for _, v := range it.inner {
		if v.iter() == nil {
			return false
		}
	}
	switch it.what {
	case iterList:
		return it.seq.List() != nil && it.pos >= 0
	case iterTuple:
		return it.seq.Tuple() != nil && it.pos >= 0
	case iterStr:
		s := it.seq.Str()
		return s != nil && it.pos >= 0 && (it.pos >= int64(len(s.s)) || s.s[it.pos]&0xC0 != 0x80)
	case iterBytes:
		return it.seq.Bytes() != nil && it.pos >= 0
	case iterRange:
		return it.end >= 0
	case iterKeys, iterValues, iterItems:
		return it.seq.Dict() != nil && it.pos >= 0 && it.end >= 0
	case iterSet:
		return it.seq.set() != nil && it.pos >= 0 && it.end >= 0
	case iterReversedKeys, iterReversedValues, iterReversedItems:
		return it.seq.Dict() != nil
	case iterReversed:
		return it.pos >= -1
	case iterEnumerate:
		return len(it.inner) == 1
	case iterRing, iterRingBack:
		box := it.seq.Opaque()
		return box != nil && box.class == ringType
	case iterChoices:
		box := it.seq.Opaque()
		return box != nil && box.class == choicesType
	}
	return true
}

func (l *loader) linkFutures() {
	for _, f := range l.futures {
		if o := f.value.Instance(); f.state == futureFailed && (o == nil || o.class.layout != KindException) {
			l.corrupt()
			return
		}
	}
}
