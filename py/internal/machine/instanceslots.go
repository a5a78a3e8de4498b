package machine

import (
	"strings"

	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// nameSlots is the attribute of a class that says which attributes its
// instances can have.
var nameSlots = SharedStr("__slots__")

// slotNames returns what __slots__ of c itself says; ok is false when it says
// nothing.
func (c *Class) slotNames() (names []string, ok bool) {
	i := c.attrs.findStr(nameSlots)
	if i < 0 {
		return nil, false
	}
	var items []Value
	v := c.attrs.entries[i].value
	switch o := Plain(v).Self().(type) {
	case *Str:
		items = []Value{v}
	case *Tuple:
		items = o.items
	case *List:
		items = o.items
	case *Dict:
		for i := o.Next(0); i >= 0; i = o.Next(i + 1) {
			items = append(items, o.entries[i].key)
		}
	case *Set:
		items = o.keys()
	default:
		return nil, false
	}
	for _, item := range items {
		s := item.Str()
		if s == nil {
			return nil, false
		}
		names = append(names, mangled(s.s, c.name))
	}
	return names, true
}

// mangled is a private name as the body of class c writes it.
func mangled(name, c string) string {
	c = strings.TrimLeft(c, "_")
	if !strings.HasPrefix(name, "__") || strings.HasSuffix(name, "__") || c == "" {
		return name
	}
	return "_" + c + name
}

// settleSlots works out whether instances of c can have the attributes of
// __slots__ only: all the classes that it derives from say which.
func (c *Class) settleSlots() {
	c.slotted = false
	if c.layout == KindException {
		return
	}
	for _, k := range c.mro {
		if k.flags&shared != 0 {
			continue
		}
		names, ok := k.slotNames()
		if !ok {
			return
		}
		for _, name := range names {
			if name == "__dict__" {
				return
			}
		}
	}
	c.slotted = true
}

// hasSlot reports whether instances of c can have an attribute of this name.
func (c *Class) hasSlot(name string) bool {
	for _, k := range c.mro {
		names, _ := k.slotNames()
		for _, n := range names {
			if n == name {
				return true
			}
		}
	}
	return false
}

// checkSlot refuses an attribute that instances of a class with __slots__
// cannot have.
func (m *Machine) checkSlot(o *Instance, v Value, name *Str) error {
	if o.attrs().findStr(name) >= 0 || o.class.hasSlot(name.s) {
		return nil
	}
	if _, ok := m.Lookup(o.class, name); ok {
		return raise.Attribute("'%s' object attribute '%s' is read-only", o.class.name, name.s)
	}
	return m.noAttr(v, name)
}

// checkSlots refuses a class whose slots are attributes of the class, too.
func (c *Class) checkSlots() error {
	names, _ := c.slotNames()
	for _, name := range names {
		if c.attrs.findStr(SharedStr(name)) >= 0 {
			return raise.Value("'%s' in __slots__ conflicts with class variable", name)
		}
	}
	if len(names) > 0 && (c.layout == KindInt || c.layout == KindTuple || c.layout == KindBytes) {
		return raise.Type("nonempty __slots__ not supported for subtype of '%s'", c.nativeBase().name)
	}
	return nil
}
