package machine

import "strings"

// A dataclass has its comparisons as functions of Python that capture a native
// of this file, the names of the fields, and a function for what the native
// leaves: by_fields(self, other, names, slow). Where the machine compares by
// itself, as in a sort, it does without the functions.

// mostCompared is how many fields are compared here.
const mostCompared = 8

// fieldValues are those of the attributes of one object.
type fieldValues [mostCompared]Value

// defineFieldComparisons defines fields_eq, fields_lt and their like.
func defineFieldComparisons(mod *ModuleBuilder) {
	for op := compareEq; op <= compareGtE; op++ {
		if op == compareNotEq {
			continue
		}
		name := "fields_" + strings.Trim(compareNames[op].s, "_")
		mod.Counted(name, 4, 4, func(m *Machine, a Args) (Value, error) {
			return m.comparedByFields(op, a)
		}).ops = fieldOps(op)
	}
}

// comparedByFields is one of the natives.
func (m *Machine) comparedByFields(op compareOp, a Args) (Value, error) {
	if ClassOf(a.v[0]) != ClassOf(a.v[1]) {
		return notImplemented, nil
	}
	yes, known, err := m.compareFields(op, a.v[0], a.v[1], a.v[2].Tuple())
	if err == ErrForeign || err == nil && !known {
		return m.Then(a.v[3], a.v[0], a.v[1])
	}
	return Bool(yes), err
}

// compareFields is x op y by the named attributes of two instances of one
// class; known is false when that is not simply done.
func (m *Machine) compareFields(op compareOp, x, y Value, names *Tuple) (yes, known bool, err error) {
	var left, right fieldValues
	if !left.read(x, names) || !right.read(y, names) {
		return false, false, nil
	}
	n := len(names.items)
	if err := m.Work(n * WorkPerStep); err != nil {
		return false, false, err
	}
	if op == compareEq {
		yes, err = m.equalItems(left[:n], right[:n], 0)
		return yes, true, err
	}
	c, ordered, err := m.orderItems(op, left[:n], right[:n], 0)
	return ordered && holds(op, c), true, err
}

// read takes the attributes of an object, and reports whether it could: one may
// be missing, or worked out.
func (all *fieldValues) read(v Value, names *Tuple) bool {
	o := v.Instance()
	if o == nil || names == nil || len(names.items) > len(all) || o.class.dataDescriptors {
		return false
	}
	for i, name := range names.items {
		s := name.Str()
		if s == nil {
			return false
		}
		if all[i] = o.FieldAt(i, s); !all[i].Bound() {
			return false
		}
	}
	return true
}

// fieldOps are those of the native that compares by op.
func fieldOps(op compareOp) *ValueOps {
	return &ValueOps{
		Equal: func(m *Machine, x, y Value) (same, known bool, err error) {
			if ClassOf(x) != ClassOf(y) {
				return false, false, nil
			}
			same, known, err = m.compareFields(op, x, y, m.capturedFields(x, op))
			return same, known, orForeign(known, err)
		},
		Order: func(m *Machine, x, y Value) (c int, ordered, known bool, err error) {
			if ClassOf(x) != ClassOf(y) {
				return 0, false, false, nil
			}
			yes, known, err := m.compareFields(op, x, y, m.capturedFields(x, op))
			return orderBy(op, yes), true, known, orForeign(known, err)
		},
	}
}

// capturedFields are the names by which the method of op of an instance compares.
func (m *Machine) capturedFields(v Value, op compareOp) *Tuple {
	fn, _ := m.Lookup(ClassOf(v), compareNames[op])
	if f := fn.function(); f != nil && len(f.cells) > 1 {
		return f.cells[1].v.Tuple()
	}
	return nil
}

// orForeign leaves to Python what is not known.
func orForeign(known bool, err error) error {
	if err == nil && !known {
		return ErrForeign
	}
	return err
}

// orderBy is an order for which op holds, or does not.
func orderBy(op compareOp, yes bool) int {
	if yes == (op == compareLt || op == compareLtE) {
		return -1
	}
	return 1
}
