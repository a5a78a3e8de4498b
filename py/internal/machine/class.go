package machine

import (
	"strings"

	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// Class is a type: built in, of a bundled module, or of the program.
type Class struct {
	Object
	name     string
	qualName string
	bases    []*Class
	mro      []*Class                        // itself first
	attrs    table                           // its own namespace; keys are strs
	meta     *Class                          // or nil for type
	layout   Kind                            // of its instances, or of the payload of instances of subclasses; kindInstance when there is none
	make     *Native                         // makes an instance of a built-in type; the first argument is the class
	quick    func(m *Machine, v Value) Value // or nil: makes an instance of the usual arguments, see defineQuickMakers
	final    bool                            // can't be subclassed

	dataDescriptors bool // some attribute of instances is a property
	plainSetAttr    bool // setting an attribute only stores it
	getAttr         bool // has __getattr__
	slotted         bool // instances have the attributes of __slots__ only
	brackets        bool // of a native module: takes brackets, as list does
	abstract        []string
	virtual         []*Class // what isinstance takes for a subclass too
	subclasses      []*Class // of the program; a change of the class settles them again

	room      int       // attributes that instances had, up to what newInstance gives room for
	init      *function // see initOf
	initEpoch uint32

	cache      *[methodCache]cached
	methods    methodTable // of a built-in type
	cacheEpoch uint32
}

type cached struct {
	name  *Str
	value Value
}

// methodCache is how many names a class remembers, each in one of cachePlaces
// from where its hash says.
const (
	methodCache = 32
	cachePlaces = 4
)

func (o *Class) value() Value {
	o.kind, o.self = KindClass, o
	return Value{o: &o.Object}
}

// Ref is value for a class that may be nil.
func (o *Class) Ref() Value {
	if o == nil {
		return Value{}
	}
	return Value{o: &o.Object}
}

// Ref returns the str as a Value.
func (o *Str) Ref() Value { return Value{o: &o.Object} }

// Lookup finds name in the classes of c's method resolution order.
func (m *Machine) Lookup(c *Class, name *Str) (Value, bool) {
	if c.flags&shared != 0 {
		return c.find(name)
	}
	if c.cache == nil {
		m.Spend(methodCache * 24)
		c.cache = &[methodCache]cached{}
	}
	if c.cacheEpoch != m.classes {
		clear(c.cache[:])
		c.cacheEpoch = m.classes
	}
	home := name.tableHash()
	for n := range uint64(cachePlaces) {
		slot := &c.cache[(home+n)%methodCache]
		if slot.name == name {
			return slot.value, slot.value.Bound()
		}
		if slot.name == nil {
			slot.name = name
			slot.value, _ = c.find(name)
			return slot.value, slot.value.Bound()
		}
	}
	v, ok := c.find(name)
	c.cache[home%methodCache] = cached{name, v}
	return v, ok
}

func (c *Class) find(name *Str) (Value, bool) {
	for _, k := range c.mro {
		if i := k.attrs.findStr(name); i >= 0 {
			return k.attrs.entries[i].value, true
		}
	}
	return Value{}, false
}

// IsSubclass reports whether c is d or derives from it.
func (c *Class) IsSubclass(d *Class) bool {
	for _, k := range c.mro {
		if k == d {
			return true
		}
	}
	return false
}

// ClassOf returns the class of a value.
func ClassOf(v Value) *Class {
	switch o := v.Self().(type) {
	case nil:
		return kindClasses[v.Kind()]
	case *Instance:
		return o.class
	case *Opaque:
		return o.class
	case *Class:
		if o.meta != nil {
			return o.meta
		}
		return typeType
	case *future:
		return o.class()
	case *descriptor:
		return descriptorClasses[o.what]
	case *method:
		if o.fn.Kind() == KindNative {
			return nativeType
		}
	case *Iterator:
		return o.class()
	case *view:
		return viewClasses[o.what]
	case *singleton:
		return o.class()
	case *generator:
		return o.class()
	case *handle:
		return o.class()
	}
	return kindClasses[v.Kind()]
}

// TypeName returns the name of the class of v, for messages.
func TypeName(v Value) string {
	if o := v.Opaque(); o != nil {
		return o.class.qualName
	}
	if c := ClassOf(v); c != nil {
		return c.typeName()
	}
	return "object"
}

// typeName is the name of a class in messages about its instances. CPython
// shows the module, too, of the classes that it has in C.
func (c *Class) typeName() string {
	if c.flags&shared != 0 {
		return c.name
	}
	i := c.attrs.findStr(nameModule)
	if i < 0 {
		return c.name
	}
	s := c.attrs.entries[i].value.Str()
	if s == nil {
		return c.name
	}
	switch full := s.s + "." + c.name; full {
	case "collections.OrderedDict", "collections.defaultdict", "collections.deque", "datetime.date", "datetime.datetime",
		"datetime.time", "datetime.timedelta", "datetime.timezone", "datetime.tzinfo", "decimal.Context", "decimal.Decimal",
		"functools.partial", "operator.attrgetter", "operator.itemgetter", "operator.methodcaller":
		return full
	}
	return c.name
}

// buildClass makes a class of the program.
func (m *Machine) buildClass(name string, bases []*Class, namespace *Dict, meta *Class) (*Class, error) {
	if len(bases) == 0 {
		bases = []*Class{objectType}
	}
	layout := KindInstance
	for _, b := range bases {
		if b.final {
			return nil, raise.Type("type '%s' is not an acceptable base type", b.name)
		}
		if b.layout != KindInstance && b.layout != layout {
			if layout != KindInstance {
				return nil, raise.Type("multiple bases have instance lay-out conflict")
			}
			layout = b.layout
		}
		if b.meta != nil && (meta == nil || b.meta.IsSubclass(meta)) {
			meta = b.meta
		}
	}
	ancestors := 0
	for _, b := range bases {
		ancestors += len(b.mro)
	}
	if err := m.Alloc(classBytes + namespace.cloneBytes() + 8*ancestors); err != nil {
		return nil, err
	}
	if err := m.Work(ancestors * (1 + len(bases)*len(bases))); err != nil {
		return nil, err
	}
	c := &Class{name: name, qualName: name, bases: bases, layout: layout, meta: meta, attrs: namespace.table.clone()}
	c.value()
	mro, err := linearize(c)
	if err != nil {
		return nil, err
	}
	c.mro = mro
	for _, k := range mro[1:] {
		if c.make == nil {
			c.make = k.make
		}
	}
	if i := c.attrs.findStr(nameQualName); i >= 0 {
		if s := c.attrs.entries[i].value.Str(); s != nil {
			c.qualName = s.s
			c.attrs.remove(i)
		}
	}
	if err := c.checkSlots(); err != nil {
		return nil, err
	}
	m.bindToClass(c)
	c.fillClassCell()
	if c.attrs.findStr(nameDoc) < 0 {
		if err := m.storeAttr(&c.attrs, nameDoc, None); err != nil {
			return nil, err
		}
	}
	for _, b := range bases {
		if b.flags&shared == 0 {
			b.subclasses = append(b.subclasses, c)
		}
	}
	c.settle()
	return c, nil
}

// bindToClass makes class methods of the functions that are so without being
// marked.
func (m *Machine) bindToClass(c *Class) {
	for _, name := range []*Str{nameInitSubclass, nameClassGetItem} {
		i := c.attrs.findStr(name)
		if i < 0 || c.attrs.entries[i].value.Kind() != KindFunction {
			continue
		}
		m.Spend(2 * SliceBytes)
		c.attrs.entries[i].value = (&descriptor{what: classMethodKind, get: c.attrs.entries[i].value}).value()
	}
}

// settle works out what the fast paths need to know of a class.
func (c *Class) settle() {
	c.dataDescriptors, c.plainSetAttr = false, true
	_, c.getAttr = c.find(nameGetAttr)
	for _, k := range c.mro {
		if k.flags&shared != 0 {
			continue
		}
		if k.attrs.findStr(nameSetAttr) >= 0 {
			c.plainSetAttr = false
		}
		for i := range k.attrs.entries {
			if isDataDescriptor(k.attrs.entries[i].value) {
				c.dataDescriptors, c.plainSetAttr = true, false
			}
		}
	}
	if c.layout == KindException {
		c.dataDescriptors, c.plainSetAttr = true, false
	}
	if c.settleSlots(); c.slotted {
		c.plainSetAttr = false
	}
	for _, sub := range c.subclasses {
		sub.settle()
	}
}

func isDataDescriptor(v Value) bool {
	switch o := v.Self().(type) {
	case *descriptor:
		return o.what == propertyKind
	case *Instance:
		_, ok := o.class.find(nameSet)
		if !ok {
			_, ok = o.class.find(nameDelete)
		}
		return ok
	}
	return false
}

// linearize computes the method resolution order of c by the C3 algorithm
// (https://www.python.org/download/releases/2.3/mro/).
func linearize(c *Class) ([]*Class, error) {
	if len(c.bases) == 1 {
		return append([]*Class{c}, c.bases[0].mro...), nil
	}
	var lists [][]*Class
	for i, b := range c.bases {
		for _, other := range c.bases[:i] {
			if other == b {
				return nil, raise.Type("duplicate base class %s", b.name)
			}
		}
		lists = append(lists, append([]*Class(nil), b.mro...))
	}
	lists = append(lists, append([]*Class(nil), c.bases...))
	mro := []*Class{c}
	for {
		var left [][]*Class
		for _, l := range lists {
			if len(l) > 0 {
				left = append(left, l)
			}
		}
		if len(left) == 0 {
			return mro, nil
		}
		next := candidate(left)
		if next == nil {
			return nil, mroConflict(left)
		}
		mro = append(mro, next)
		for i, l := range left {
			if l[0] == next {
				left[i] = l[1:]
			}
		}
		lists = left
	}
}

// candidate is the first head that is in no tail.
func candidate(lists [][]*Class) *Class {
	for _, l := range lists {
		if !inTail(l[0], lists) {
			return l[0]
		}
	}
	return nil
}

func inTail(c *Class, lists [][]*Class) bool {
	for _, l := range lists {
		for _, k := range l[1:] {
			if k == c {
				return true
			}
		}
	}
	return false
}

func mroConflict(lists [][]*Class) error {
	var names []string
	seen := map[*Class]bool{}
	for _, l := range lists {
		if !seen[l[0]] {
			seen[l[0]] = true
			names = append(names, l[0].name)
		}
	}
	return raise.Type("Cannot create a consistent method resolution\norder (MRO) for bases %s", strings.Join(names, ", "))
}

// className loads a name in the body of a class.
func (m *Machine) className(namespace, name Value) (Value, bool, error) {
	d := namespace.Dict()
	if d == nil || name.Str() == nil {
		return Value{}, false, ErrMalformed
	}
	i := d.findStr(name.Str())
	if i < 0 {
		return Value{}, false, nil
	}
	return d.entries[i].value, true, nil
}

func (m *Machine) setClassName(namespace, name, v Value) error {
	d := namespace.Dict()
	if d == nil || name.Str() == nil {
		return ErrMalformed
	}
	return m.setStr(d, name.Str(), v)
}

func (m *Machine) deleteClassName(namespace, name Value) error {
	d := namespace.Dict()
	if d == nil || name.Str() == nil {
		return ErrMalformed
	}
	i := d.findStr(name.Str())
	if i < 0 {
		return raise.New("NameError", "name '%s' is not defined", name.Str().s)
	}
	d.remove(i)
	return nil
}
