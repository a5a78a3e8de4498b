package machine

import "math/bits"

// methodTable has the native methods of a built-in type, the inherited ones
// too, by the addresses of their names: what a program calls by a name that the
// machine knows has the machine's own str for it. It is open addressing in four
// times the room.
type methodTable []nativeMethod

type nativeMethod struct {
	name *Str
	fn   *Native // or nil: the attribute is something else
}

// defineMethodTables makes those of all values but the ones whose attributes are
// more than their type's.
func defineMethodTables() {
	for _, c := range kindClasses {
		if c == nil || c == typeType || c == moduleType || c == superType || c.methods != nil {
			continue
		}
		c.methods = newMethodTable(c)
	}
}

func newMethodTable(c *Class) methodTable {
	names := 0
	for _, k := range c.mro {
		names += k.attrs.Len()
	}
	t := make(methodTable, 1<<bits.Len(uint(4*names)))
	for _, k := range c.mro {
		for i := range k.attrs.entries {
			e := &k.attrs.entries[i]
			if slot := t.place(e.key.Str()); slot.name == nil {
				*slot = nativeMethod{e.key.Str(), e.value.native()}
			}
		}
	}
	return t
}

// place is where the name is, or is to be.
func (t methodTable) place(name *Str) *nativeMethod {
	mask := uint64(len(t) - 1)
	for at := name.tableHash() & mask; ; at = (at + 1) & mask {
		if slot := &t[at]; slot.name == name || slot.name == nil {
			return slot
		}
	}
}

// methodOf returns the native method of a value of a built-in type, or nil.
func methodOf(v Value, name *Str) *Native {
	c := kindClasses[v.Kind()]
	if c == nil || c.methods == nil {
		return nil
	}
	if home := &c.methods[name.tableHash()&uint64(len(c.methods)-1)]; home.name == name {
		return home.fn
	}
	return c.methods.place(name).fn
}
