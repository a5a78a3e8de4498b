package compile

import (
	"github.com/glovebox-dev/glovebox/py/internal/code"
	"github.com/glovebox-dev/glovebox/py/resolve"
	"github.com/glovebox-dev/glovebox/py/syntax"
)

func (u *unit) assign(st *syntax.Assign) {
	mark := u.top
	if len(st.Targets) == 1 && u.assignOne(st.Targets[0], st.Value) {
		u.top = mark
		return
	}
	v := u.push(st.Value)
	for _, t := range st.Targets {
		u.store(t, v)
	}
	u.top = mark
}

// assignOne does the assignments that need no temporary for the value.
func (u *unit) assignOne(target, value syntax.Expr) bool {
	switch t := target.(type) {
	case *syntax.Name:
		if r, ok := u.localOf(t); ok {
			u.exprTo(value, r.index)
			u.bindLocal(r)
			return true
		}
	case *syntax.Tuple:
		if v, ok := value.(*syntax.Tuple); ok {
			return u.assignParallel(t.Items, v.Items)
		}
	case *syntax.Attribute, *syntax.Subscript:
		v := u.operand(value, target)
		u.store(target, v)
		return true
	}
	v := u.operand(value, nil)
	u.store(target, v)
	return true
}

// assignParallel does a, b = x, y without a tuple.
func (u *unit) assignParallel(targets, values []syntax.Expr) bool {
	if len(targets) != len(values) || len(targets) > u.portion() || spreads(targets, nil) || spreads(values, nil) {
		return false
	}
	base := u.top
	registers := make([]int, 0, 8)
	for i, v := range values {
		registers = append(registers, u.parallelValue(v, targets[:i], values[i+1:]))
	}
	for i, t := range targets {
		u.store(t, registers[i])
	}
	u.top = base
	return true
}

// parallelValue works out one value. A local is used where it is when no target
// before its own and no value after it can change it.
func (u *unit) parallelValue(v syntax.Expr, before, after []syntax.Expr) int {
	r, ok := u.localOf(v)
	if !ok || len(before) > 3 || len(after) > 3 {
		return u.push(v)
	}
	for _, t := range before {
		if target, ok := t.(*syntax.Name); !ok || target.ID == v.(*syntax.Name).ID {
			return u.push(v)
		}
	}
	for _, e := range after {
		if r.walrus && !stable(e) {
			return u.push(v)
		}
	}
	u.checkLocal(r.index)
	u.taken.add(r.index)
	return r.index
}

// store assigns the value in a register to a target.
func (u *unit) store(target syntax.Expr, src int) {
	mark := u.top
	switch t := target.(type) {
	case *syntax.Name:
		u.storeName(t.ID, t.Start, src)
	case *syntax.Attribute:
		x := u.operand(t.X, nil)
		u.at(t.NameAt)
		u.emit(code.OpSetAttr, x, src, 0)
		u.word(u.pool.name(u.scope.Mangle(t.Name)))
	case *syntax.Subscript:
		x := u.operand(t.X, t.Index)
		u.setItem(x, t.Index, src, t.Start)
	case *syntax.Tuple:
		u.unpack(t.Items, src, t.Start)
	case *syntax.List:
		u.unpack(t.Items, src, t.Start)
	}
	u.top = mark
}

func (u *unit) setItem(x int, index syntax.Expr, src int, at syntax.Pos) {
	if v, ok := u.fold(index, foldDepth); ok {
		if k, ok := u.shortConst(v); ok {
			u.at(at)
			u.emit(code.OpSetItemK, x, k, src)
			return
		}
	}
	i := u.operand(index, nil)
	u.at(at)
	u.emit(code.OpSetItem, x, i, src)
}

// unpack assigns the items of a value to targets.
func (u *unit) unpack(targets []syntax.Expr, src int, at syntax.Pos) {
	star := starredAt(targets)
	if len(targets) > maxUnpacked {
		u.c.fail(at, "too many targets in one assignment (limit %d)", maxUnpacked)
		return
	}
	u.at(at)
	if first, ok := u.consecutiveLocals(targets); ok && star < 0 {
		u.emit(code.OpUnpack, first, src, len(targets))
		for _, t := range targets {
			r, _ := u.localOf(t)
			u.bindLocal(r)
		}
		return
	}
	base := u.top
	if star < 0 {
		u.emit(code.OpUnpack, base, src, len(targets))
	} else {
		u.emit(code.OpUnpackStar, base, src, star)
		u.word(len(targets) - star - 1)
	}
	for range targets {
		u.alloc()
	}
	for i, t := range targets {
		if s, ok := t.(*syntax.Starred); ok {
			t = s.X
		}
		u.store(t, base+i)
	}
	u.top = base
}

// maxUnpacked is the number of targets of one assignment.
const maxUnpacked = 120

// starredAt returns the index of the starred target, or -1.
func starredAt(targets []syntax.Expr) int {
	for i, t := range targets {
		if _, ok := t.(*syntax.Starred); ok {
			return i
		}
	}
	return -1
}

// consecutiveLocals returns the first register of targets that are locals in
// registers one after the other.
func (u *unit) consecutiveLocals(targets []syntax.Expr) (int, bool) {
	first := -1
	for i, t := range targets {
		r, ok := u.localOf(t)
		if !ok || i > 0 && r.index != first+i {
			return 0, false
		}
		if i == 0 {
			first = r.index
		}
	}
	return first, first >= 0
}

func (u *unit) augAssign(st *syntax.AugAssign) {
	mark := u.top
	switch t := st.Target.(type) {
	case *syntax.Name:
		u.augName(st, t)
	case *syntax.Attribute:
		x := u.operand(t.X, st.Value)
		name := u.pool.name(u.scope.Mangle(t.Name))
		v := u.alloc()
		u.emit(code.OpAttr, v, x, 0)
		u.word(name)
		u.augmented(st.Op, v, v, st.Value, st.Start)
		u.emit(code.OpSetAttr, x, v, 0)
		u.word(name)
	case *syntax.Subscript:
		u.augItem(st, t)
	}
	u.top = mark
}

func (u *unit) augName(st *syntax.AugAssign, t *syntax.Name) {
	if r, ok := u.localOf(t); ok {
		x := u.operand(t, st.Value)
		u.augmented(st.Op, r.index, x, st.Value, st.Start)
		u.bindLocal(r)
		return
	}
	x := u.push(t)
	u.augmented(st.Op, x, x, st.Value, st.Start)
	u.storeName(t.ID, t.Start, x)
}

func (u *unit) augItem(st *syntax.AugAssign, t *syntax.Subscript) {
	x := u.operand(t.X, both(t.Index, st.Value))
	var i int
	if s, ok := t.Index.(*syntax.Slice); ok {
		i = u.push(s)
	} else {
		i = u.operand(t.Index, st.Value)
	}
	v := u.alloc()
	u.at(t.Start)
	u.emit(code.OpItem, v, x, i)
	u.augmented(st.Op, v, v, st.Value, st.Start)
	u.emit(code.OpSetItem, x, i, v)
}

// both returns one of two expressions that are worked out later: one that could
// bind names if there is one.
func both(a, b syntax.Expr) syntax.Expr {
	if stable(a) {
		return b
	}
	return a
}

func (u *unit) annAssign(st *syntax.AnnAssign) {
	if st.Value != nil {
		u.assign(&syntax.Assign{At: st.At, Targets: []syntax.Expr{st.Target}, Value: st.Value})
	}
	if name, ok := st.Target.(*syntax.Name); ok && u.scope.Kind == resolve.ClassScope {
		u.annotate(name, st.Annotation)
	}
}

func (u *unit) delete(t syntax.Expr) {
	mark := u.top
	switch t := t.(type) {
	case *syntax.Name:
		u.deleteName(t.ID, t.Start)
	case *syntax.Attribute:
		x := u.operand(t.X, nil)
		u.at(t.NameAt)
		u.emit(code.OpDeleteAttr, x, 0, 0)
		u.word(u.pool.name(u.scope.Mangle(t.Name)))
	case *syntax.Subscript:
		x := u.operand(t.X, t.Index)
		i := u.operand(t.Index, nil)
		u.at(t.Start)
		u.emit(code.OpDeleteItem, x, i, 0)
	case *syntax.Tuple:
		u.deleteAll(t.Items)
	case *syntax.List:
		u.deleteAll(t.Items)
	}
	u.top = mark
}

func (u *unit) deleteAll(items []syntax.Expr) {
	for _, t := range items {
		u.delete(t)
	}
}
