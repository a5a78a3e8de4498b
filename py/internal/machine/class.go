package machine

import (
	"strings"

	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// class is a type: built in, of a bundled module, or of the program.
type class struct {
	Object
	name     string
	qualName string
	bases    []*class
	mro      []*class                        // itself first
	attrs    table                           // its own namespace; keys are strs
	meta     *class                          // or nil for type
	layout   Kind                            // of its instances, or of the payload of instances of subclasses; kindInstance when there is none
	make     *Native                         // makes an instance of a built-in type; the first argument is the class
	quick    func(m *Machine, v Value) Value // or nil: makes an instance of the usual arguments, see defineQuickMakers
	final    bool                            // can't be subclassed

	dataDescriptors bool // some attribute of instances is a property
	plainSetAttr    bool // setting an attribute only stores it
	getAttr         bool // has __getattr__
	slotted         bool // instances have the attributes of __slots__ only
	abstract        []string
	virtual         []*class // what isinstance takes for a subclass too
	subclasses      []*class // of the program; whoever changes a class settles them again

	room      int       // attributes that instances had, up to what newInstance gives room for
	init      *function // see initOf
	initEpoch uint32

	cache      *[methodCache]cached
	cacheEpoch uint32
}

type cached struct {
	name  *str
	value Value
}

const methodCache = 32

func (o *class) value() Value {
	o.kind, o.self = kindClass, o
	return Value{o: &o.Object}
}

// ref is value for a class that may be nil.
func (o *class) ref() Value {
	if o == nil {
		return Value{}
	}
	return Value{o: &o.Object}
}

func (o *str) ref() Value { return Value{o: &o.Object} }

// lookup finds name in the classes of c's method resolution order.
func (m *Machine) lookup(c *class, name *str) (Value, bool) {
	if c.flags&shared != 0 {
		return c.find(name)
	}
	if c.cache == nil {
		m.spend(methodCache * 24)
		c.cache = &[methodCache]cached{}
	}
	if c.cacheEpoch != m.classes {
		clear(c.cache[:])
		c.cacheEpoch = m.classes
	}
	slot := &c.cache[name.tableHash()%methodCache]
	if slot.name == name {
		return slot.value, slot.value.bound()
	}
	v, ok := c.find(name)
	*slot = cached{name, v}
	return v, ok
}

func (c *class) find(name *str) (Value, bool) {
	for _, k := range c.mro {
		if i := k.attrs.findStr(name); i >= 0 {
			return k.attrs.entries[i].value, true
		}
	}
	return Value{}, false
}

// isSubclass reports whether c is d or derives from it.
func (c *class) isSubclass(d *class) bool {
	for _, k := range c.mro {
		if k == d {
			return true
		}
	}
	return false
}

// classOf returns the class of a value.
func classOf(v Value) *class {
	switch o := v.self().(type) {
	case nil:
		return kindClasses[v.kind()]
	case *instance:
		return o.class
	case *opaque:
		return o.class
	case *class:
		if o.meta != nil {
			return o.meta
		}
		return typeType
	case *future:
		return o.class()
	case *descriptor:
		return descriptorClasses[o.what]
	case *method:
		if o.fn.kind() == kindNative {
			return nativeType
		}
	case *iterator:
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
	return kindClasses[v.kind()]
}

func typeName(v Value) string {
	if o := v.opaque(); o != nil {
		return o.class.qualName
	}
	if c := classOf(v); c != nil {
		return c.typeName()
	}
	return "object"
}

// typeName is the name of a class in messages about its instances. CPython
// shows the module, too, of the classes that it has in C.
func (c *class) typeName() string {
	if c.flags&shared != 0 {
		return c.name
	}
	i := c.attrs.findStr(nameModule)
	if i < 0 {
		return c.name
	}
	s := c.attrs.entries[i].value.str()
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
func (m *Machine) buildClass(name string, bases []*class, namespace *dict, meta *class) (*class, error) {
	if len(bases) == 0 {
		bases = []*class{objectType}
	}
	layout := kindInstance
	for _, b := range bases {
		if b.final {
			return nil, raise.Type("type '%s' is not an acceptable base type", b.name)
		}
		if b.layout != kindInstance && b.layout != layout {
			if layout != kindInstance {
				return nil, raise.Type("multiple bases have instance lay-out conflict")
			}
			layout = b.layout
		}
		if b.meta != nil && (meta == nil || b.meta.isSubclass(meta)) {
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
	c := &class{name: name, qualName: name, bases: bases, layout: layout, meta: meta, attrs: namespace.table.clone()}
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
		if s := c.attrs.entries[i].value.str(); s != nil {
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
func (m *Machine) bindToClass(c *class) {
	for _, name := range []*str{nameInitSubclass, nameClassGetItem} {
		i := c.attrs.findStr(name)
		if i < 0 || c.attrs.entries[i].value.kind() != kindFunction {
			continue
		}
		m.spend(2 * sliceBytes)
		c.attrs.entries[i].value = (&descriptor{what: classMethodKind, get: c.attrs.entries[i].value}).value()
	}
}

// settle works out what the fast paths need to know of a class.
func (c *class) settle() {
	c.dataDescriptors, c.plainSetAttr = false, true
	_, c.getAttr = c.find(nameGetAttr)
	for _, k := range c.mro {
		if k.flags&shared != 0 {
			continue
		}
		if k.attrs.findStr(nameSetAttr) >= 0 || k.attrs.findStr(nameGetAttribute) >= 0 {
			c.plainSetAttr = false
			c.dataDescriptors = true
		}
		for i := range k.attrs.entries {
			if isDataDescriptor(k.attrs.entries[i].value) {
				c.dataDescriptors, c.plainSetAttr = true, false
			}
		}
	}
	if c.layout == kindException {
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
	switch o := v.self().(type) {
	case *descriptor:
		return o.what == propertyKind
	case *instance:
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
func linearize(c *class) ([]*class, error) {
	if len(c.bases) == 1 {
		return append([]*class{c}, c.bases[0].mro...), nil
	}
	var lists [][]*class
	for i, b := range c.bases {
		for _, other := range c.bases[:i] {
			if other == b {
				return nil, raise.Type("duplicate base class %s", b.name)
			}
		}
		lists = append(lists, append([]*class(nil), b.mro...))
	}
	lists = append(lists, append([]*class(nil), c.bases...))
	mro := []*class{c}
	for {
		var left [][]*class
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
func candidate(lists [][]*class) *class {
	for _, l := range lists {
		if !inTail(l[0], lists) {
			return l[0]
		}
	}
	return nil
}

func inTail(c *class, lists [][]*class) bool {
	for _, l := range lists {
		for _, k := range l[1:] {
			if k == c {
				return true
			}
		}
	}
	return false
}

func mroConflict(lists [][]*class) error {
	var names []string
	seen := map[*class]bool{}
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
	d := namespace.dict()
	if d == nil || name.str() == nil {
		return Value{}, false, errCorrupt
	}
	i := d.findStr(name.str())
	if i < 0 {
		return Value{}, false, nil
	}
	return d.entries[i].value, true, nil
}

func (m *Machine) setClassName(namespace, name, v Value) error {
	d := namespace.dict()
	if d == nil || name.str() == nil {
		return errCorrupt
	}
	return m.setStr(d, name.str(), v)
}

func (m *Machine) deleteClassName(namespace, name Value) error {
	d := namespace.dict()
	if d == nil || name.str() == nil {
		return errCorrupt
	}
	i := d.findStr(name.str())
	if i < 0 {
		return raise.New("NameError", "name '%s' is not defined", name.str().s)
	}
	d.remove(i)
	return nil
}
