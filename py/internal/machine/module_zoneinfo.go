package machine

import (
	"time"

	"github.com/glovebox-dev/glovebox/py/internal/raise"
	"github.com/glovebox-dev/glovebox/py/internal/zone"
)

// zoneWork is about what finding the offset of a time takes.
const zoneWork = 2000

// defineZones defines the module _zoneinfo, on which the module zoneinfo
// stands.
func defineZones(r *registry) {
	r.nativeModule("_zoneinfo", func(mod *moduleMaker) {
		mod.counted("names", 0, 0, func(m *Machine, a Args) (Value, error) {
			names := zone.Names()
			if err := m.Alloc(len(names) * (valueBytes + strBytes)); err != nil {
				return Value{}, err
			}
			values := make([]Value, len(names))
			for i, name := range names {
				values[i] = m.text(name)
			}
			return m.newTupleCopy(values)
		})
		mod.counted("known", 1, 1, func(m *Machine, a Args) (Value, error) {
			_, err := m.zoneOf(a.v[0])
			return Bool(err == nil), nil
		})
		mod.counted("at_local", 3, 3, onZone(func(m *Machine, l *time.Location, at int64, a Args) (Value, error) {
			return m.zoneOffset(zone.AtLocal(l, at, boundTruth(a.v[2], false)))
		}))
		mod.counted("is_later", 2, 2, onZone(func(m *Machine, l *time.Location, at int64, a Args) (Value, error) {
			return Bool(zone.Later(l, at)), nil
		}))
		mod.counted("at", 2, 2, onZone(func(m *Machine, l *time.Location, at int64, a Args) (Value, error) {
			return m.zoneOffset(zone.At(l, at))
		}))
	})
}

// onZone is a function of a zone's name, a time in seconds and more.
func onZone(fn func(m *Machine, l *time.Location, at int64, a Args) (Value, error)) NativeFunc {
	return func(m *Machine, a Args) (Value, error) {
		l, err := m.zoneOf(a.v[0])
		if err != nil {
			return Value{}, err
		}
		at, err := m.boundInt(a.v[1], 0)
		if err != nil {
			return Value{}, err
		}
		return fn(m, l, at, a)
	}
}

func (m *Machine) zoneOf(v Value) (*time.Location, error) {
	name, err := wantStr(v, "the key of a zone must be a str, not %s", typeName(v))
	if err != nil {
		return nil, err
	}
	if err := m.Work(zoneWork); err != nil {
		return nil, err
	}
	l, ok := zone.Load(name.s)
	if !ok {
		return nil, raise.New("KeyError", "no such zone")
	}
	return l, nil
}

func (m *Machine) zoneOffset(o zone.Offset) (Value, error) {
	return m.newTupleCopy([]Value{Int(int64(o.Seconds)), Int(int64(o.Saving)), m.text(o.Name)})
}
