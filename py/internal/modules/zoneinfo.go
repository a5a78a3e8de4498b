package modules

import (
	"time"

	"github.com/glovebox-dev/glovebox/py/internal/machine"
	"github.com/glovebox-dev/glovebox/py/internal/zone"
)

// defineZones defines the module _zoneinfo, on which the module zoneinfo
// stands.
func defineZones(r *machine.Registry) {
	r.Module("_zoneinfo", func(mod *machine.ModuleBuilder) {
		mod.Counted("names", 0, 0, func(m *machine.Machine, a machine.Args) (machine.Value, error) {
			names := zone.Names()
			if err := m.Alloc(len(names) * (machine.ValueBytes + machine.StrBytes)); err != nil {
				return machine.Value{}, err
			}
			values := make([]machine.Value, len(names))
			for i, name := range names {
				values[i] = m.Message(name)
			}
			return m.NewTuple(values)
		})
		mod.Counted("known", 1, 1, func(m *machine.Machine, a machine.Args) (machine.Value, error) {
			_, err := m.ZoneOf(a.Arg(0))
			return machine.Bool(err == nil), nil
		})
		mod.Counted("at_local", 3, 3, onZone(func(m *machine.Machine, l *time.Location, at int64, a machine.Args) (machine.Value, error) {
			return zoneOffset(m, zone.AtLocal(l, at, machine.OptionalTruth(a.Arg(2), false)))
		}))
		mod.Counted("is_later", 2, 2, onZone(func(m *machine.Machine, l *time.Location, at int64, a machine.Args) (machine.Value, error) {
			return machine.Bool(zone.Later(l, at)), nil
		}))
		mod.Counted("at", 2, 2, onZone(func(m *machine.Machine, l *time.Location, at int64, a machine.Args) (machine.Value, error) {
			return zoneOffset(m, zone.At(l, at))
		}))
	})
}

// Zone returns a time zone of the module zoneinfo, and whether there is one.
func Zone(name string) (*time.Location, bool) { return zone.Load(name) }

// onZone is a function of a zone's name, a time in seconds and more.
func onZone(fn func(m *machine.Machine, l *time.Location, at int64, a machine.Args) (machine.Value, error)) machine.NativeFunc {
	return func(m *machine.Machine, a machine.Args) (machine.Value, error) {
		l, err := m.ZoneOf(a.Arg(0))
		if err != nil {
			return machine.Value{}, err
		}
		at, err := m.OptionalInt(a.Arg(1), 0)
		if err != nil {
			return machine.Value{}, err
		}
		return fn(m, l, at, a)
	}
}

func zoneOffset(m *machine.Machine, o zone.Offset) (machine.Value, error) {
	return m.NewTuple([]machine.Value{machine.Int(int64(o.Seconds)), machine.Int(int64(o.Saving)), m.Message(o.Name)})
}
