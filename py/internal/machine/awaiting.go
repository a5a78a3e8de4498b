package machine

import "github.com/glovebox-dev/glovebox/py/internal/code"

// AwaitsAtOnce reports whether the program awaits the call at which it stands
// right there, and has nothing else that could run meanwhile.
func (m *Machine) AwaitsAtOnce() bool {
	if m.wait.block == 0 || len(m.wait.calls) != 1 || len(m.frames) == 0 {
		return false
	}
	f := &m.frames[len(m.frames)-1]
	if f.unit.mod.hidden || int(f.pc) >= len(f.unit.code.Instrs) {
		return false
	}
	next := f.unit.code.Instrs[f.pc]
	if op := next.Op(); op != code.OpAwaitTop && op != code.OpAwaitable || next.B() != m.wait.dst {
		return false
	}
	return m.otherTasks() == 0
}

// otherTasks counts the tasks beside the one that runs.
func (m *Machine) otherTasks() int {
	tasks, current := m.loopMember("tasks"), m.loopMember("current")
	if tasks == nil || tasks.Dict() == nil {
		return 0
	}
	n := tasks.Dict().Len()
	if current != nil && !current.IsNone() {
		n--
	}
	return n
}

// Sleep says how a program sleeps that Timer is about: alone, as by time.sleep,
// while nothing else of it runs, or as one task of a few.
func (m *Machine) Sleep() (alone bool, tasks int) {
	for i := range m.frames {
		if m.frames[i].unit.mod.hidden && m.frames[i].unit.code.Name == "sleep_alone" {
			return true, 1
		}
	}
	tasks = m.otherTasks()
	if current := m.loopMember("current"); current != nil && !current.IsNone() {
		tasks++
	}
	return false, tasks
}

// AwaitPlace returns the expression at which the code of the session waits,
// whatever its tasks wait for.
func (m *Machine) AwaitPlace() Place {
	for i := range m.frames {
		f := &m.frames[i]
		if f.unit.mod.hidden {
			continue
		}
		if s, _, ok := f.unit.spotAt(int(f.pc)); ok {
			return Place{f.unit.mod.code.Name, int(s.Start), int(s.End)}
		}
		break
	}
	return Place{}
}
