package machine

import "github.com/glovebox-dev/glovebox/py/internal/code"

// chain is x + y + z of short strs in one step: what the instruction i adds, and
// what the next one adds to that in the same register. Otherwise it returns no
// value.
func (m *Machine) chain(u *unit, r *[window]Value, i, next code.Instr) Value {
	if i.Op() != code.OpAdd || next.A() != i.A() || next.B() != i.A() {
		return Value{}
	}
	x, y := r[i.B()].Str(), r[i.C()].Str()
	if x == nil || y == nil {
		return Value{}
	}
	var z *Str
	switch {
	case next.Op() == code.OpAddK:
		z = u.consts[next.C()].Str()
	case next.Op() == code.OpAdd && next.C() != i.A():
		z = r[next.C()].Str()
	}
	if z == nil {
		return Value{}
	}
	n := len(x.s) + len(y.s) + len(z.s)
	if n >= growing || len(z.s) == 0 || n == len(z.s) {
		return Value{}
	}
	m.Spend(StrBytes + n)
	var b [growing]byte
	at := copy(b[:], x.s)
	at += copy(b[at:], y.s)
	copy(b[at:], z.s)
	s := &Str{s: string(b[:n]), length: -1}
	if length := joined(x, y); length >= 0 && z.length >= 0 {
		s.length = length + z.length
	}
	return s.value()
}
