package compile

import (
	"github.com/glovebox-dev/glovebox/py/internal/code"
	"github.com/glovebox-dev/glovebox/py/syntax"
)

// pushLeading pushes the first items of a display, up to the first starred one
// and as many as fit, and returns how many.
func (u *unit) pushLeading(items []syntax.Expr) int {
	n := 0
	for limit := u.portion(); n < len(items) && n < limit; n++ {
		if _, ok := items[n].(*syntax.Starred); ok {
			break
		}
		u.push(items[n])
	}
	return n
}

// listDisplay makes a list: the first items in one instruction, the others one by one.
func (u *unit) listDisplay(items []syntax.Expr, dst int) { u.itemList(items, dst, code.StarredItems) }

func (u *unit) itemList(items []syntax.Expr, dst, errors int) {
	mark := u.top
	base := u.top
	if u.isTemp(dst) && dst >= base {
		base = dst
		u.top = dst
	}
	n := u.pushLeading(items)
	if n == len(items) {
		u.emit(code.OpList, dst, base, n)
		u.top = mark
		return
	}
	u.emit(code.OpList, base, base, n)
	u.top = base
	list := u.alloc()
	u.addItems(items[n:], list, code.OpAppend, code.OpExtend, errors)
	u.move(dst, list)
	u.top = mark
}

// addItems adds items to a container, starred ones as many.
func (u *unit) addItems(items []syntax.Expr, to int, one, many code.Op, errors int) {
	for _, e := range items {
		mark := u.top
		op, words := one, 0
		if s, ok := e.(*syntax.Starred); ok {
			op, e, words = many, s.X, errors
		}
		r := u.operand(e, nil)
		u.at(e.Pos())
		u.emit(op, to, r, words)
		u.top = mark
	}
}

func (u *unit) tupleDisplay(items []syntax.Expr, dst int) {
	if v, ok := u.foldTuple(items, foldDepth); ok {
		u.constTo(v, dst)
		return
	}
	mark := u.top
	base := u.top
	n := u.pushLeading(items)
	if n == len(items) {
		u.emit(code.OpTuple, dst, base, n)
		u.top = mark
		return
	}
	u.emit(code.OpList, base, base, n)
	u.top = base
	list := u.alloc()
	u.addItems(items[n:], list, code.OpAppend, code.OpExtend, code.StarredItems)
	u.emit(code.OpListToTuple, dst, list, 0)
	u.top = mark
}

func (u *unit) setDisplay(e *syntax.Set, dst int) {
	mark := u.top
	base := u.top
	n := u.pushLeading(e.Items)
	u.at(e.Start)
	if n == len(e.Items) {
		u.emit(code.OpSet, dst, base, n)
		u.top = mark
		return
	}
	u.emit(code.OpSet, base, base, n)
	u.top = base
	set := u.alloc()
	u.addItems(e.Items[n:], set, code.OpAddToSet, code.OpUpdateSet, code.AnyIterable)
	u.move(dst, set)
	u.top = mark
}

func (u *unit) dictDisplay(e *syntax.Dict, dst int) {
	mark := u.top
	base := u.top
	n := 0
	for limit := u.portion() / 2; n < len(e.Keys) && n < limit && e.Keys[n] != nil; n++ {
		u.push(e.Keys[n])
		u.push(e.Values[n])
	}
	u.at(e.Start)
	if n == len(e.Keys) {
		u.emit(code.OpDict, dst, base, n)
		u.top = mark
		return
	}
	u.emit(code.OpDict, base, base, n)
	u.top = base
	dict := u.alloc()
	for ; n < len(e.Keys); n++ {
		u.addPair(e.Keys[n], e.Values[n], dict)
	}
	u.move(dst, dict)
	u.top = mark
}

// addPair adds a pair to a dict, or all of another dict when there is no key.
func (u *unit) addPair(key, value syntax.Expr, dict int) {
	mark := u.top
	if key == nil {
		r := u.operand(value, nil)
		u.at(value.Pos())
		u.emit(code.OpMerge, dict, r, 0)
		u.top = mark
		return
	}
	k := u.operand(key, value)
	v := u.operand(value, nil)
	u.at(key.Pos())
	u.emit(code.OpPut, dict, k, v)
	u.top = mark
}

// joinedStr makes an f-string.
func (u *unit) joinedStr(e *syntax.JoinedStr, dst int) {
	mark := u.top
	switch {
	case len(e.Parts) == 0:
		u.constTo("", dst)
		return
	case len(e.Parts) == 1:
		u.exprTo(e.Parts[0], dst)
		return
	}
	base := u.top
	for _, part := range e.Parts {
		if n := u.top - base; n > 1 && n >= u.portionFrom(base) {
			u.emit(code.OpJoin, base, base, n)
			u.top = base + 1
		}
		u.push(part)
	}
	u.emit(code.OpJoin, dst, base, u.top-base)
	u.top = mark
}

// portionFrom is the portion as it was when base was the next register.
func (u *unit) portionFrom(base int) int {
	return max(4, min(100, (200-base)/2))
}

// formatted makes the text of a value in an f-string.
func (u *unit) formatted(e *syntax.FormattedValue, dst int) {
	mark := u.top
	if e.Spec == nil || len(e.Spec.Parts) == 0 {
		v := u.operand(e.Value, nil)
		u.at(e.Start)
		u.emit(code.OpFormat, dst, v, int(e.Conversion))
		u.top = mark
		return
	}
	v := u.operand(e.Value, e.Spec)
	if e.Conversion != 0 {
		t := u.alloc()
		u.emit(code.OpConvert, t, v, int(e.Conversion))
		v = t
	}
	spec := u.push(e.Spec)
	u.at(e.Start)
	u.emit(code.OpFormatSpec, dst, v, spec)
	u.top = mark
}
