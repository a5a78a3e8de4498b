package machine

import "github.com/glovebox-dev/glovebox/py/internal/code"

// comparison reads the instruction before the pc of the frame on top, when that
// is a comparison of two values that may be instances.
func (m *Machine) comparison() (op compareOp, x, y Value, ok bool) {
	f := &m.frames[len(m.frames)-1]
	if f.pc < 1 {
		return op, x, y, false
	}
	r := m.registers()
	i := f.unit.instrs[f.pc-1]
	switch c := i.Op(); {
	case c >= code.OpEq && c <= code.OpGtE:
		return compareOp(c - code.OpEq), r[i.B()], r[i.C()], true
	case c >= code.OpTestEq && c <= code.OpTestGtE:
		return compareOp(c - code.OpTestEq), r[i.A()], r[i.B()], true
	case c >= code.OpTestEqI && c <= code.OpTestGtEI:
		return compareOp(c - code.OpTestEqI), r[i.A()], Int(int64(i.B())), true
	case (c == code.OpTestEqK || c == code.OpTestNotEqK) && int(i.B()) < len(f.unit.consts):
		return compareOp(c - code.OpTestEqK), r[i.A()], f.unit.consts[i.B()], true
	}
	return op, x, y, false
}

// atComparison returns the continuation by which a method of a comparison resumes
// the caller's instruction, and whether comparison can find that instruction again.
func (m *Machine) atComparison(cont continuation) (continuation, bool) {
	_, _, _, ok := m.comparison()
	switch cont {
	case contStore:
		return contCompare, ok
	case contTest:
		return contCompareTest, ok
	}
	return cont, false
}

// deliverComparison gives the comparison before the pc of the frame on top what
// the method of its left operand returned.
func (m *Machine) deliverComparison(f *frame, v Value) error {
	done := contStore
	if f.cont == contCompareTest {
		done = contTest
	}
	if !v.Is(notImplemented) {
		return m.deliver(&frame{cont: done, dst: f.dst}, v)
	}
	op, x, y, ok := m.comparison()
	if !ok {
		return ErrMalformed
	}
	right, _ := m.Lookup(ClassOf(y), reflectedCompare[op])
	m.dst = f.dst
	_, err := m.enter(m.Intrinsic("compare_rest"), done, Value{}, x, y, SharedStr(op.String()).Ref(), OrNone(right))
	if err == errEntered {
		return nil
	}
	return m.unwind(err)
}
