package machine

import (
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// newSuper returns super() of a method.
func (m *Machine) newSuper(c, self Value) (Value, error) {
	after := c.Class()
	if after == nil {
		return Value{}, raise.Runtime("super(): __class__ cell not found")
	}
	start := ClassOf(self)
	if o := self.Class(); o != nil && o.IsSubclass(after) {
		start = o
	}
	if start == nil || !start.IsSubclass(after) {
		return Value{}, raise.Type("super(type, obj): obj must be an instance or subtype of type")
	}
	m.Spend(methodBytes)
	return (&superObject{class: after, self: self, start: start}).value(), nil
}

func (m *Machine) superAttr(s *superObject, name *Str) (Value, error) {
	found := false
	for _, k := range s.start.mro {
		if !found {
			found = k == s.class
			continue
		}
		i := k.attrs.findStr(name)
		if i < 0 {
			continue
		}
		v := k.attrs.entries[i].value
		if s.self.Class() == s.start {
			if d := v.descriptor(); d != nil && d.what == classMethodKind {
				return (&method{fn: d.get, self: s.start.Ref()}).value(), nil
			}
			if d := v.descriptor(); d != nil && d.what == staticMethodKind {
				return d.get, nil
			}
			if s.self.Class().IsSubclass(typeType) || s.start.meta != nil && k == typeType {
				return m.bindAttr(v, s.self, s.start)
			}
			return v, nil
		}
		return m.bindAttr(v, s.self, s.start)
	}
	return Value{}, raise.Attribute("'super' object has no attribute '%s'", name.s)
}

// method returns the function that super().name of an instance calls, or nil.
func (s *superObject) method(name *Str) *function {
	if s.self.Class() != nil {
		return nil
	}
	mro := s.start.mro
	for i := range mro {
		if mro[i] == s.class {
			mro = mro[i+1:]
			break
		}
	}
	for _, k := range mro {
		if i := k.attrs.findStr(name); i >= 0 {
			return k.attrs.entries[i].value.function()
		}
	}
	return nil
}

// superQuick is superAttr when no code of the program can have a say, otherwise
// errForeign.
func (m *Machine) superQuick(s *superObject, name *Str) (Value, error) {
	found := false
	for _, k := range s.start.mro {
		if !found {
			found = k == s.class
			continue
		}
		if i := k.attrs.findStr(name); i >= 0 {
			if worksOut(k.attrs.entries[i].value) {
				return Value{}, ErrForeign
			}
			break
		}
	}
	return m.superAttr(s, name)
}
