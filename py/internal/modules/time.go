package modules

import "github.com/glovebox-dev/glovebox/py/internal/machine"

// defineTime defines the module _time: the host's clock, if it grants one.
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
	})
}
