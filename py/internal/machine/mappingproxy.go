package machine

import "github.com/glovebox-dev/glovebox/py/internal/raise"

// proxyType is a mapping that cannot be changed through it: what __dict__ of a
// class is, and types.MappingProxyType.
var proxyType = NewClass("mappingproxy", "mappingproxy")

type proxy struct {
	of Value
}

// Size, Each and Save make it a Boxed value.
func (p *proxy) Size() int { return ValueBytes }

// Each visits the mapping.
func (p *proxy) Each(visit func(Value)) { visit(p.of) }

// Save returns the mapping.
func (p *proxy) Save() (string, []Value) { return "mappingproxy", []Value{p.of} }

func loadProxy(_ *Machine, fields []Value) (Boxed, error) {
	if len(fields) != 1 || !fields[0].Bound() {
		return nil, ErrCorrupt
	}
	return &proxy{fields[0]}, nil
}

// newProxy shows a table as a mapping.
func (m *Machine) newProxy(t *table) (Value, error) {
	own, err := m.cloneTable(t)
	if err != nil {
		return Value{}, err
	}
	return m.NewBoxed(proxyType, &proxy{(&Dict{table: own}).value()})
}

func defineProxies(r *Registry) {
	r.HiddenClass(proxyType)
	r.Unboxer("mappingproxy", loadProxy)
	r.attr(proxyType, "__abc_tpflags__", Int(mappingPattern))
	r.attr(proxyType, "__hash__", None)
	r.maker(proxyType, 1, 1, func(m *Machine, a Args) (Value, error) {
		if !m.isMapping(a.v[1]) {
			return Value{}, raise.Type("mappingproxy() argument must be a mapping, not %s", TypeName(a.v[1]))
		}
		return m.NewBoxed(proxyType, &proxy{a.v[1]})
	})
	for name, args := range map[string]int{"__len__": 1, "__iter__": 1, "__reversed__": 1, "__getitem__": 2, "__contains__": 2,
		"__eq__": 2, "__or__": 2, "__ror__": 2, "__repr__": 1, "__str__": 1} {
		r.proxyMethod("proxy"+name[1:len(name)-2], name, args, args)
	}
	for name, most := range map[string]int{"get": 3, "keys": 1, "values": 1, "items": 1, "copy": 1} {
		r.proxyMethod("proxy_"+name, name, 1, most)
	}
}

// proxyMethod defines a method that a function of the prelude does.
func (r *Registry) proxyMethod(function, name string, least, most int) {
	r.method(proxyType, name, least, most, func(m *Machine, a Args) (Value, error) {
		p, ok := a.v[0].Self().(*Opaque)
		if !ok || p.class != proxyType {
			return Value{}, WrongReceiver(name, proxyType, a.v[0])
		}
		args := append([]Value{p.box.(*proxy).of}, a.v[1:]...)
		return m.Then(m.Intrinsic(function), args...)
	})
}
