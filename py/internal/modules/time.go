package modules

import (
	"time"

	"github.com/glovebox-dev/glovebox/py/internal/machine"
	"github.com/glovebox-dev/glovebox/py/internal/zone"
)

// defineTime defines the module _time: the host's clock, if it grants one, its
// time zone, and the time that the program has run.
func defineTime(r *machine.Registry) {
	r.Module("_time", func(mod *machine.ModuleBuilder) {
		for _, name := range []string{"time", "monotonic", "perf_counter"} {
			mod.Counted(name, 0, 0, func(m *machine.Machine, a machine.Args) (machine.Value, error) {
				now, err := m.Now()
				return machine.Float(float64(now.UnixMicro()) / 1e6), err
			})
			mod.Counted(name+"_ns", 0, 0, func(m *machine.Machine, a machine.Args) (machine.Value, error) {
				now, err := m.Now()
				return machine.Int(now.UnixNano()), err
			})
		}
		defineLocalTime(mod)
		mod.Counted("process", 0, 0, func(m *machine.Machine, a machine.Args) (machine.Value, error) {
			ran, ok := m.ProcessTime()
			if !ok {
				return machine.None, nil
			}
			return machine.Int(int64(ran)), nil
		})
	})
}

// defineLocalTime defines what the local time zone adds to UTC, in seconds, and
// its name: at a time, and at a time that clocks in it show. None is UTC.
func defineLocalTime(mod *machine.ModuleBuilder) {
	mod.Counted("local", 1, 1, inZone(func(m *machine.Machine, l *time.Location, at int64, a machine.Args) (machine.Value, error) {
		return zoneOffset(m, zone.At(l, at))
	}))
	mod.Counted("local_wall", 2, 2, inZone(func(m *machine.Machine, l *time.Location, at int64, a machine.Args) (machine.Value, error) {
		return zoneOffset(m, zone.AtLocal(l, at, machine.OptionalTruth(a.Arg(1), false)))
	}))
	mod.Counted("local_later", 1, 1, inZone(func(m *machine.Machine, l *time.Location, at int64, a machine.Args) (machine.Value, error) {
		return machine.Bool(zone.Later(l, at)), nil
	}))
	mod.Counted("constants", 0, 0, zoneConstants)
}

func inZone(fn func(m *machine.Machine, l *time.Location, at int64, a machine.Args) (machine.Value, error)) machine.NativeFunc {
	return func(m *machine.Machine, a machine.Args) (machine.Value, error) {
		l, ok := m.Zone()
		if !ok {
			return machine.None, nil
		}
		at, err := m.OptionalInt(a.Arg(0), 0)
		if err != nil {
			return machine.Value{}, err
		}
		return fn(m, l, at, a)
	}
}

// zoneConstants are timezone, altzone, daylight and tzname of the module time, of
// the year that the clock shows. There are none if only the host could tell it.
func zoneConstants(m *machine.Machine, _ machine.Args) (machine.Value, error) {
	standard, summer, ok := offsetsOfYear(m)
	if !ok {
		return machine.None, nil
	}
	names, err := m.NewTuple([]machine.Value{m.Message(standard.Name), m.Message(summer.Name)})
	if err != nil {
		return machine.Value{}, err
	}
	return m.NewTuple([]machine.Value{machine.Int(int64(-standard.Seconds)), machine.Int(int64(-summer.Seconds)),
		machine.Int(int64(min(summer.Saving, 1))), names})
}

func offsetsOfYear(m *machine.Machine) (standard, summer zone.Offset, ok bool) {
	l, ok := m.Zone()
	if !ok {
		utc := zone.Offset{Name: "UTC"}
		return utc, utc, true
	}
	if from, to := time.Unix(0, 0).In(l).ZoneBounds(); from.IsZero() && to.IsZero() { // one offset at all times
		return zone.At(l, 0), zone.At(l, 0), true
	}
	now, err := m.Now()
	if m.AsksClock() || err != nil {
		return standard, summer, false
	}
	january, july := time.Date(now.Year(), 1, 1, 0, 0, 0, 0, time.UTC), time.Date(now.Year(), 7, 1, 0, 0, 0, 0, time.UTC)
	standard, summer = zone.At(l, january.Unix()), zone.At(l, july.Unix())
	if standard.Saving > 0 { // on the southern half of the earth
		standard, summer = summer, standard
	}
	return standard, summer, true
}
