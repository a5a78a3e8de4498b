package machine

import (
	"time"

	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// defineTime defines the module _time: the host's clock, if it grants one.
func defineTime(r *registry) {
	r.nativeModule("_time", func(mod *moduleMaker) {
		for _, name := range []string{"time", "monotonic", "perf_counter"} {
			mod.counted(name, 0, 0, func(m *Machine, a Args) (Value, error) {
				now, err := m.now()
				return Float(float64(now.UnixMicro()) / 1e6), err
			})
			mod.counted(name+"_ns", 0, 0, func(m *Machine, a Args) (Value, error) {
				now, err := m.now()
				return Int(now.UnixNano()), err
			})
		}
	})
}

// now is the time of the host's clock.
func (m *Machine) now() (time.Time, error) {
	if m.host.Clock == nil {
		return time.Time{}, raise.Runtime("no clock is granted to this program")
	}
	t := m.host.Clock()
	if !m.host.Timers { // what was slept took no time
		t = t.Add(durationOf(m.loopTime()))
	}
	return t, nil
}
