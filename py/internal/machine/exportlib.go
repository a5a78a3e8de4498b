package machine

import (
	"math/big"

	"github.com/glovebox-dev/glovebox/py/internal/raise"
	"github.com/glovebox-dev/glovebox/value"
)

// Instances of bundled classes and of dataclasses leave as values of the host.
// Each class has a function that reads its fields, so that no code of the program
// runs.

// instance exports an instance of a class that has a value of its own, or the
// built-in part of one.
func (e *exporter) instance(o *Instance, depth int) (any, error) {
	switch {
	case e.m.isMember(o):
		return e.value(o.field("_value_"), depth+1)
	case e.m.of(o, "datetime", "date", "time", "timedelta"):
		return e.m.exportDate(o)
	case e.m.of(o, "decimal", "Decimal"):
		return e.decimal(o)
	case e.m.of(o, "uuid", "UUID"):
		return exportUUID(o)
	case e.m.of(o, "collections", "deque"):
		return e.deque(o, depth)
	case o.payload.Bound() && o.class.layout != KindException:
		return e.value(o.payload, depth+1)
	}
	if fields := e.m.dataFields(o.class); fields != nil {
		return e.dataclass(o, fields, depth)
	}
	switch {
	case e.m.of(o, "fractions", "Fraction"):
		return e.fraction(o)
	case o.class.ownLine() && o.attrs().Len() > 0 || e.m.of(o, "types", "SimpleNamespace"):
		return e.attributes(o, depth)
	}
	if o.class.layout == KindException {
		e.m.unexported = o
	}
	return nil, cannotLeave(Value{o: &o.Object})
}

// ownLine reports whether a class and all that it is built on, but object, are
// the program's: then its instances are nothing but their attributes.
func (c *Class) ownLine() bool {
	for _, base := range c.mro {
		if base != objectType && base.module() != "__main__" && !bare(base) {
			return false
		}
	}
	return c.layout == KindInstance
}

// bare reports whether a bundled class gives its instances no attributes: those
// that say what a class is.
func bare(c *Class) bool {
	switch c.name {
	case "ABC":
		return c.module() == "abc"
	case "Protocol", "Generic":
		return c.module() == "typing"
	}
	return false
}

// fraction exports the text that str() gives.
func (e *exporter) fraction(o *Instance) (any, error) {
	n, d := o.field("_numerator"), o.field("_denominator")
	if !isWhole(n) || !isWhole(d) {
		return nil, cannotLeave(Value{o: &o.Object})
	}
	if err := e.pay((BigOf(n).BitLen() + BigOf(d).BitLen()) / 2); err != nil {
		return nil, err
	}
	return new(big.Rat).SetFrac(BigOf(n), BigOf(d)).RatString(), nil
}

func isWhole(v Value) bool { return v.IsInt() || v.Kind() == KindBigInt }

// of reports whether o is an instance of one of these classes of a bundled
// module.
func (m *Machine) of(o *Instance, module string, classes ...string) bool {
	mod, ok := m.modules[module]
	if !ok {
		return false
	}
	for _, name := range classes {
		if o.isA(mod, name) {
			return true
		}
	}
	return false
}

// isMember reports whether o is a member of an enumeration.
func (m *Machine) isMember(o *Instance) bool {
	return o.class.meta != nil && m.of(o, "enum", "Enum") && o.field("_value_").Bound()
}

func (e *exporter) decimal(o *Instance) (any, error) {
	d, err := DecimalOf(o.field("_v"))
	if err != nil {
		return nil, cannotLeave(Value{o: &o.Object})
	}
	text, err := d.String(e.m)
	if err != nil {
		return nil, err
	}
	return value.Decimal(text), e.pay(len(text))
}

func exportUUID(o *Instance) (any, error) {
	v := o.field("int")
	if !isWhole(v) {
		return nil, cannotLeave(Value{o: &o.Object})
	}
	n := BigOf(v)
	if n.Sign() < 0 || n.BitLen() > 128 {
		return nil, cannotLeave(Value{o: &o.Object})
	}
	var u value.UUID
	n.FillBytes(u[:])
	return u, nil
}

// deque exports the items. A deque that has not been filled has no ring yet.
func (e *exporter) deque(o *Instance, depth int) (any, error) {
	r := ringOf(Value{o: &o.Object})
	if r == nil {
		return e.items(nil, depth)
	}
	if err := e.pay(r.n * ValueBytes); err != nil {
		return nil, err
	}
	items := make([]Value, 0, r.n)
	r.Each(func(v Value) { items = append(items, v) })
	return e.items(items, depth)
}

// dataFields returns the fields that the decorator dataclass gave to a class.
func (m *Machine) dataFields(c *Class) *Dict {
	v, ok := c.find(SharedStr("__dataclass_fields__"))
	if _, loaded := m.modules["dataclasses"]; !ok || !loaded {
		return nil
	}
	return v.Dict()
}

// dataclass exports an instance as the dict of its fields.
func (e *exporter) dataclass(o *Instance, fields *Dict, depth int) (any, error) {
	out := value.NewDict()
	for i := fields.Next(0); i >= 0; i = fields.Next(i + 1) {
		name, about := fields.entries[i].key.Str(), fields.entries[i].value.Instance()
		if name == nil || about == nil {
			return nil, cannotLeave(Value{o: &o.Object})
		}
		if s := about.field("_field_type").Str(); s == nil || s.s != "_FIELD" {
			continue
		}
		v := o.field(name.s)
		if !v.Bound() {
			v, _ = o.class.find(name)
		}
		if !v.Bound() {
			return nil, raise.New("AttributeError", "'%s' object has no attribute '%s'", o.class.name, name.s)
		}
		if err := e.pay(2*entryBytes + len(name.s)); err != nil {
			return nil, err
		}
		x, err := e.value(v, depth+1)
		if err != nil {
			return nil, e.below("."+name.s, err)
		}
		out.Set(name.s, x)
	}
	return out, nil
}

// attributes exports an instance as the dict of its attributes.
func (e *exporter) attributes(o *Instance, depth int) (any, error) {
	out := value.NewDict()
	for i := o.attrs().Next(0); i >= 0; i = o.attrs().Next(i + 1) {
		name := o.attrs().entries[i].key.Str()
		if name == nil {
			return nil, cannotLeave(Value{o: &o.Object})
		}
		if err := e.pay(2*entryBytes + len(name.s)); err != nil {
			return nil, err
		}
		x, err := e.value(o.attrs().entries[i].value, depth+1)
		if err != nil {
			return nil, e.below("."+name.s, err)
		}
		out.Set(name.s, x)
	}
	return out, nil
}

func isInt(x any) bool {
	switch x.(type) {
	case int64, *big.Int:
		return true
	}
	return false
}
