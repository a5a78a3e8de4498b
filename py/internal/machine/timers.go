package machine

import (
	"math"
	"time"

	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// Timer returns when the program wants to continue although no call has ended, as
// the time since it started; ok is false if it waits for calls alone.
func (m *Machine) Timer() (at time.Duration, ok bool) {
	if m.status != Waiting || !m.wait.any {
		return 0, false
	}
	until, ok := m.until()
	return durationOf(until), ok
}

// Advance says how much time has passed since the program started. The time of a
// program never goes back.
func (m *Machine) Advance(passed time.Duration) {
	if !m.host.Timers || passed < m.passed {
		return
	}
	m.passed = passed
	seconds := passed.Seconds()
	if until, ok := m.until(); ok && passed >= durationOf(until) {
		seconds = max(seconds, until) // which a float can miss by its last digit
	}
	if now := m.loopMember("now"); now != nil && now.IsFloat() && now.Float() < seconds {
		*now = Float(seconds)
	}
}

// Zone is the local time zone; ok is false if it is UTC.
func (m *Machine) Zone() (l *time.Location, ok bool) { return m.host.Zone, m.host.Zone != nil }

// AsksClock reports whether the host is asked for the time.
func (m *Machine) AsksClock() bool { return m.host.AskClock }

// ProcessTime is what time.process_time() counts; ok is false if that is the clock.
func (m *Machine) ProcessTime() (d time.Duration, ok bool) {
	if m.host.ProcessTime == nil {
		return 0, false
	}
	return m.host.ProcessTime(m.elapsed + now() - m.resumedAt), true
}

// durationOf rounds seconds to microseconds. What is too long for a Duration is
// the longest, and so is nan, which never comes.
func durationOf(seconds float64) time.Duration {
	micros := math.Round(seconds * 1e6)
	if !(micros < math.MaxInt64/1000) {
		return math.MaxInt64 / 1000 * time.Microsecond
	}
	return time.Duration(max(micros, 0)) * time.Microsecond
}

// until is the time of the event loop at which it wants to continue.
func (m *Machine) until() (float64, bool) {
	v := m.loopMember("until")
	if !m.host.Timers || v == nil {
		return 0, false
	}
	switch {
	case v.IsFloat():
		return v.Float(), true
	case v.IsInt():
		return float64(v.Int()), true
	}
	return 0, false
}

func (m *Machine) loopTime() float64 {
	if v := m.loopMember("now"); v != nil && v.IsFloat() {
		return v.Float()
	}
	return m.passed.Seconds()
}

// timeIsUp reports whether the time has come for which the program waits.
func (m *Machine) timeIsUp() bool {
	until, ok := m.until()
	return ok && until <= m.loopTime()
}

// loopMember is a variable of the event loop; nil if there is none.
func (m *Machine) loopMember(name string) *Value {
	o := m.loopState.Instance()
	if o == nil {
		return nil
	}
	i := o.attrs().findStr(known.str(name))
	if i < 0 {
		return nil
	}
	return &o.attrs().entries[i].value
}

// Now is the time of the host's clock.
func (m *Machine) Now() (time.Time, error) {
	if m.host.Clock == nil {
		return time.Time{}, raise.Runtime("no clock is granted to this program")
	}
	t := m.host.Clock()
	if !m.host.Timers { // what was slept took no time
		t = t.Add(durationOf(m.loopTime()))
	}
	return t, nil
}
