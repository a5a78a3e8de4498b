package machine

import (
	"math/bits"

	"github.com/glovebox-dev/glovebox/value"
)

// table reads the entries of a table. With names its keys are strs.
func (l *loader) table(t *table, values, names bool) {
	n := l.count(1)
	if n == 0 {
		return
	}
	bytes := n * entryBytes
	if n > linearTable {
		bytes += slotCount(n) * slotBytes
	}
	l.pay(bytes)
	if l.err != nil {
		return
	}
	t.entries = make([]entry, 0, n)
	simple := true
	for ; n > 0 && l.err == nil; n-- {
		t.entries = append(t.entries, l.entry(values))
		switch e := &t.entries[len(t.entries)-1]; e.key.Kind() {
		case KindUnbound:
			continue
		case KindStr:
			e.hash = e.key.Str().tableHash()
		case KindInt:
			e.hash = SpreadHash(e.key.n)
		default:
			simple = false
		}
		t.count++
	}
	if t.Len() == 0 || names && !simple {
		l.corrupt()
	}
	t.noteFirst(0)
	if !simple {
		l.tables = append(l.tables, t)
		return
	}
	l.place(t)
}

func (l *loader) entry(values bool) entry {
	if len(l.in) > 0 && l.in[0] == tagLost {
		l.in = l.in[1:]
		e := l.entry(values)
		if k := e.key.Kind(); k != KindInstance && k != KindTuple && k != KindOpaque && k != KindClass {
			l.corrupt()
		}
		e.hash = 1
		return e
	}
	e := entry{key: l.value()}
	if values && e.key.Bound() {
		e.value = l.bound()
	} else if e.key.Bound() {
		e.value = None
	}
	return e
}

// place gives the entries, whose hashes are known, their slots. No two may have
// the same str or int as the key.
func (l *loader) place(t *table) {
	entries := t.entries
	t.entries = entries[:0]
	if cap(entries) > linearTable {
		t.slots = make([]uint32, slotCount(cap(entries)))
	}
	for i := range entries {
		e := entries[i]
		twin := -1
		switch e.key.Kind() {
		case KindStr:
			twin = t.findStr(e.key.Str())
		case KindInt:
			twin, _ = t.findInt(e.key.n, e.hash)
		}
		if twin >= 0 {
			l.corrupt()
			return
		}
		t.entries = append(t.entries, e)
		if len(t.slots) != 0 {
			t.place(e.hash, i+1)
		}
	}
}

func (l *loader) instance(o *Instance) {
	o.class = l.theClass()
	l.table(&o.own, true, true)
	space := l.value()
	if space.Bound() && space.Dict() == nil {
		l.corrupt()
	}
	o.payload = l.value()
	var given uint64
	o.serial, given = l.uint(), l.uint()
	if space.Bound() || given != 0 {
		l.pay(rarityBytes)
		o.rare = &rarity{space.Dict(), given}
	}
	l.instances = append(l.instances, o)
	if l.bool() {
		l.pay(tracebackLine)
		o.trouble = l.traceback()
	}
}

func (l *loader) traceback() *traceback {
	t := &traceback{noContext: l.bool(), cause: l.value(), context: l.value()}
	n := l.count(2)
	if n > maxTraceLines {
		l.corrupt()
		return t
	}
	l.pay(n * tracebackLine)
	units := l.m.program.Main.units
	for ; n > 0 && l.err == nil; n-- {
		i, line := l.uint(), l.uint()
		if i >= uint64(len(units)) || line > 1<<30 {
			l.corrupt()
			return t
		}
		pc := uint64(0)
		if len(units[i].code.Spots) > 0 {
			pc = l.uint()
		}
		if pc > uint64(len(units[i].code.Instrs)) {
			l.corrupt()
			return t
		}
		t.lines = append(t.lines, traceLine{units[i], int32(line), int32(pc)})
	}
	return t
}

func (l *loader) function(f *function) {
	f.globals = l.theModule()
	l.functions = append(l.functions, unlinked{f, l.uint()})
	f.defaults = l.items()
	kw := l.value()
	if f.kwDefaults = kw.Dict(); kw.Bound() && f.kwDefaults == nil {
		l.corrupt()
	}
	n := l.count(1)
	l.pay(8 * n)
	if l.err != nil {
		return
	}
	for ; n > 0; n-- {
		c := l.value().cell()
		if c == nil {
			l.corrupt()
			return
		}
		f.cells = append(f.cells, c)
	}
	for _, to := range []**Str{&f.name, &f.qual} {
		name := l.value()
		if *to = name.Str(); name.Bound() && *to == nil {
			l.corrupt()
		}
	}
	f.doc = l.value()
	l.functionAttrs(f)
	f.serial = l.uint()
}

func (l *loader) functionAttrs(f *function) {
	switch l.byte() {
	case 0:
	case 1:
		l.pay(dictBytes)
		f.attrs = &table{}
		l.table(f.attrs, true, true)
	case 2:
		if f.space = l.value().Dict(); f.space == nil {
			l.corrupt()
			return
		}
		f.attrs = &f.space.table
	default:
		l.corrupt()
	}
}

func (l *loader) class(c *Class) {
	c.name, c.qualName = l.unicode(), l.unicode()
	n := l.count(1)
	l.pay(8 * n)
	for ; n > 0 && l.err == nil; n-- {
		c.bases = append(c.bases, l.theClass())
	}
	c.meta = l.classOrNil()
	l.table(&c.attrs, true, true)
	n = l.count(1)
	l.pay(ValueBytes * n)
	for ; n > 0 && l.err == nil; n-- {
		c.abstract = append(c.abstract, l.unicode())
	}
	n = l.count(1)
	l.pay(8 * n)
	for ; n > 0 && l.err == nil; n-- {
		c.virtual = append(c.virtual, l.theClass())
	}
	if len(c.bases) == 0 {
		l.corrupt()
	}
	l.classes = append(l.classes, c)
	l.holders = append(l.holders, &c.Object)
}

func (l *loader) generator(g *generator) {
	if g.fn = l.theFunction(); g.fn == nil {
		return
	}
	g.state = generatorState(l.byte())
	g.pc = int32(l.count16())
	g.saved = l.values()
	if g.state > generatorFinished {
		l.corrupt()
	}
	l.generators = append(l.generators, g)
}

// count16 reads a place in code; whether it exists is checked later.
func (l *loader) count16() int {
	n := l.uint()
	if n > 1<<30 {
		l.corrupt()
		return 0
	}
	return int(n)
}

func (l *loader) iterator(it *Iterator) {
	it.what, it.seq, it.inner = iteratorKind(l.byte()), l.value(), l.items()
	it.pos, it.end, it.step = l.int(), l.int(), l.int()
	if it.what > iterDone {
		l.corrupt()
		it.what = iterDone
	}
	l.holders = append(l.holders, &it.Object)
}

func (l *loader) view(v *view) {
	v.what, v.of = iteratorKind(l.byte()), l.value()
	if v.of.Dict() == nil || v.what < iterKeys || v.what > iterItems {
		l.corrupt()
		v.what = iterKeys
	}
}

func (l *loader) rangeObject(r *rangeObject) {
	r.start, r.stop, r.step = l.int(), l.int(), l.int()
	if r.step == 0 {
		l.corrupt()
		return
	}
	n, ok := rangeCount(r.start, r.stop, r.step)
	if !ok {
		l.corrupt()
	}
	r.n = n
}

// rangeCount is the length of a range; ok is false when that needs 64 bits.
func rangeCount(start, stop, step int64) (n int64, ok bool) {
	if step > 0 && start >= stop || step < 0 && start <= stop {
		return 0, true
	}
	gap, stride := uint64(stop)-uint64(start), uint64(step)
	if step < 0 {
		gap, stride = -gap, -stride
	}
	count := (gap-1)/stride + 1
	return int64(count), bits.LeadingZeros64(count) > 0
}

func (l *loader) descriptor(d *descriptor) {
	d.what = descriptorKind(l.byte())
	if d.what > staticMethodKind {
		l.corrupt()
		d.what = propertyKind
	}
	d.get, d.set, d.del, d.doc = l.value(), l.value(), l.value(), l.value()
	if d.what != propertyKind && !d.get.Bound() {
		l.corrupt()
	}
	l.holders = append(l.holders, &d.Object)
}

func (l *loader) module(mod *ModuleObject) {
	switch what := l.byte(); what {
	case moduleMain:
		mod.name, mod.code = "__main__", l.m.program.Main
	case moduleBundled:
		mod.name = l.text()
		var ok bool
		if l.err != nil {
			return
		}
		if mod.code, ok = bundledCode(mod.name); !ok {
			l.corrupt()
			return
		}
		if l.uint() != mod.code.digest() {
			l.fail(ErrProgram)
		}
	case moduleNative:
		l.nativeModule(mod)
		return
	default:
		l.corrupt()
		return
	}
	if mod.globals = l.values(); len(mod.globals) != len(mod.code.code.Globals) {
		l.corrupt()
	}
}

func (l *loader) nativeModule(mod *ModuleObject) {
	mod.name = l.text()
	fill, ok := known.modules[mod.name]
	if !ok {
		l.corrupt()
		return
	}
	fill(known, func(attr string, v Value) {
		s := SharedStr(attr)
		mod.attrs.insert(s.Ref(), v, s.tableHash())
	})
	l.pay(mod.attrs.bytes())
}

func (l *loader) handle(h *handle) {
	h.ref = l.apiValue(0)
	switch h.ref.(type) {
	case value.File, value.Dir, value.DataFrame:
	default:
		l.corrupt()
	}
}

func (l *loader) opaque(o *Opaque) {
	load, ok := known.unboxers[l.text()]
	o.class = l.theClass()
	fields := l.values()
	if !ok || o.class.flags&shared == 0 {
		l.corrupt()
		return
	}
	o.box = emptyBox{}
	l.boxes = append(l.boxes, unloaded{o, load, fields})
}

// unloaded is an opaque object whose content waits for that of its fields.
type unloaded struct {
	o      *Opaque
	load   unboxer
	fields []Value
}

// emptyBox stands for a content that is not there yet.
type emptyBox struct{}

// Size, Each and Save make it a Boxed value.
func (emptyBox) Size() int               { return 0 }
func (emptyBox) Each(func(Value))        {}
func (emptyBox) Save() (string, []Value) { return "", nil }

// boxRounds is how deep opaque objects may hold each other: a scanner holds a
// match, which holds a pattern.
const boxRounds = 4

// linkBoxes loads the contents of opaque objects, those that others hold first.
func (l *loader) linkBoxes() {
	left := l.boxes
	for round := 0; round < boxRounds && len(left) > 0; round++ {
		var again []unloaded
		for _, b := range left {
			box, err := b.load(l.m, b.fields)
			if err != nil || box == nil {
				again = append(again, b)
				continue
			}
			b.o.box = box
			l.pay(box.Size())
		}
		left = again
	}
	if len(left) > 0 {
		l.corrupt()
	}
}
