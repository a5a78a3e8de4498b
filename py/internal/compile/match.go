package compile

import (
	"slices"

	"github.com/glovebox-dev/glovebox/py/internal/code"
	"github.com/glovebox-dev/glovebox/py/syntax"
)

func (u *unit) match(st *syntax.Match) {
	mark := u.top
	subject := u.push(st.Subject)
	var end label
	for _, c := range st.Cases {
		if u.dead {
			break
		}
		u.matchCase(c, subject, &end)
		u.top = subject + 1
	}
	u.top = mark
	u.place(&end)
}

// matchCase does one case. Names are bound when the whole pattern has matched;
// until then what they capture is in temporaries.
func (u *unit) matchCase(c *syntax.Case, subject int, end *label) {
	var next label
	m := matcher{u: u, fail: &next}
	m.reserve(c.Pattern)
	u.at(c.Pattern.Pos())
	m.pattern(c.Pattern, subject)
	for i, name := range m.names {
		u.storeName(name, c.Start, m.registers[i])
	}
	u.top = subject + 1
	if c.Guard != nil {
		u.at(c.Guard.Pos())
		u.cond(c.Guard, &next, false)
	}
	if !u.dead {
		u.body(c.Body)
	}
	if !u.dead {
		u.jump(end)
	}
	u.place(&next)
}

// matcher compiles the pattern of a case.
type matcher struct {
	u         *unit
	fail      *label
	names     []string
	registers []int
}

// reserve gives every name in a pattern a register.
func (m *matcher) reserve(p syntax.Pattern) {
	switch p := p.(type) {
	case *syntax.SequencePattern:
		m.reserveAll(p.Items)
	case *syntax.MappingPattern:
		m.reserveAll(p.Patterns)
		m.reserveName(p.Rest)
	case *syntax.ClassPattern:
		m.reserveAll(p.Items)
		m.reserveAll(p.Keywords)
	case *syntax.StarPattern:
		m.reserveName(p.Name)
	case *syntax.AsPattern:
		m.reserve(p.Pattern)
		m.reserveName(p.Name)
	case *syntax.OrPattern:
		m.reserveAll(p.Items)
	}
}

func (m *matcher) reserveAll(items []syntax.Pattern) {
	for _, p := range items {
		m.reserve(p)
	}
}

func (m *matcher) reserveName(name string) {
	if name == "" || m.register(name) >= 0 {
		return
	}
	m.names = append(m.names, name)
	m.registers = append(m.registers, m.u.alloc())
}

func (m *matcher) register(name string) int {
	for i := range m.names {
		if m.names[i] == name {
			return m.registers[i]
		}
	}
	return -1
}

func (m *matcher) capture(name string, x int) {
	if name != "" {
		m.u.move(m.register(name), x)
	}
}

// pattern goes to fail unless what is in register x matches.
func (m *matcher) pattern(p syntax.Pattern, x int) {
	u := m.u
	mark := u.top
	switch p := p.(type) {
	case *syntax.ValuePattern:
		m.value(p, x)
	case *syntax.SingletonPattern:
		m.singleton(p, x)
	case *syntax.SequencePattern:
		m.sequence(p, x)
	case *syntax.MappingPattern:
		m.mapping(p, x)
	case *syntax.ClassPattern:
		m.class(p, x)
	case *syntax.AsPattern:
		if p.Pattern != nil {
			m.pattern(p.Pattern, x)
		}
		m.capture(p.Name, x)
	case *syntax.OrPattern:
		m.or(p, x)
	}
	u.top = mark
}

func (m *matcher) value(p *syntax.ValuePattern, x int) {
	u := m.u
	op, right := code.OpTestEq, 0
	v, ok := u.fold(p.Value, foldDepth)
	if n, isSmall := small(v); ok && isSmall {
		op, right = code.OpTestEqI, n
	} else if k, short := u.literalOperand(v, ok); short {
		op, right = code.OpTestEqK, k
	} else {
		right = u.operand(p.Value, nil)
	}
	u.emit(op, x, right, 0)
	u.jumpIf(m.fail)
}

// literalOperand is shortConst for the result of fold.
func (u *unit) literalOperand(v any, ok bool) (int, bool) {
	if !ok {
		return 0, false
	}
	return u.shortConst(v)
}

func (m *matcher) singleton(p *syntax.SingletonPattern, x int) {
	u := m.u
	var value any
	if c, ok := p.Value.(*syntax.Constant); ok {
		value = c.Value
	}
	if value == nil {
		u.emit(code.OpTestNone, x, 0, 0)
	} else {
		u.emit(code.OpTestIs, x, u.pushConst(value), 0)
	}
	u.jumpIf(m.fail)
}

// ask calls a function of the machine with x and constants, and returns the
// register of the result.
func (m *matcher) ask(fn any, x int, more ...any) int {
	u := m.u
	f := u.pushConst(fn)
	arg := u.alloc()
	u.emit(code.OpMove, arg, x, 0)
	for _, v := range more {
		u.pushConst(v)
	}
	u.emit(code.OpCall, f, 1+len(more), f)
	u.top = f + 1
	return f
}

func (m *matcher) test(r int) {
	m.u.emit(code.OpTest, r, 0, 0)
	m.u.jumpIf(m.fail)
}

func (m *matcher) sequence(p *syntax.SequencePattern, x int) {
	u := m.u
	mark := u.top
	if len(p.Items) > maxUnpacked {
		u.c.fail(p.Start, "too many items in one pattern (limit %d)", maxUnpacked)
		return
	}
	m.test(m.ask(code.Intrinsic("is_sequence"), x))
	u.top = mark
	star, name := starPattern(p.Items)
	length := m.ask(code.Builtin("len"), x)
	if star < 0 {
		u.emit(code.OpTestEqI, length, len(p.Items), 0)
	} else {
		u.emit(code.OpTestGtEI, length, len(p.Items)-1, 0)
	}
	u.jumpIf(m.fail)
	u.top = mark
	if star >= 0 && name == "" {
		m.itemsAround(p.Items, star, x)
		return
	}
	base := u.top
	if star < 0 {
		u.emit(code.OpUnpack, base, x, len(p.Items))
	} else {
		u.emit(code.OpUnpackStar, base, x, star)
		u.word(len(p.Items) - star - 1)
	}
	m.each(p.Items, base)
}

// starPattern returns the index and the name of the star pattern, or -1.
func starPattern(items []syntax.Pattern) (int, string) {
	for i, p := range items {
		if s, ok := p.(*syntax.StarPattern); ok {
			return i, s.Name
		}
	}
	return -1, ""
}

// itemsAround matches the items before and after *_, which are not copied.
func (m *matcher) itemsAround(items []syntax.Pattern, star, x int) {
	u := m.u
	for i, p := range items {
		if i == star || isWildcard(p) {
			continue
		}
		mark := u.top
		item := u.top
		if i < star {
			u.emit(code.OpItemI, item, x, i)
		} else if k, ok := u.shortConst(int64(i - len(items))); ok {
			u.emit(code.OpItemK, item, x, k)
		} else {
			u.emit(code.OpItem, item, x, u.pushConst(int64(i-len(items))))
		}
		u.reserve(item)
		m.pattern(p, item)
		u.top = mark
	}
}

func isWildcard(p syntax.Pattern) bool {
	as, ok := p.(*syntax.AsPattern)
	return ok && as.Pattern == nil && as.Name == ""
}

// each matches patterns against consecutive registers.
func (m *matcher) each(items []syntax.Pattern, base int) {
	for range items {
		m.u.alloc()
	}
	for i, p := range items {
		if s, ok := p.(*syntax.StarPattern); ok {
			m.capture(s.Name, base+i)
			continue
		}
		m.pattern(p, base+i)
	}
}

func (m *matcher) mapping(p *syntax.MappingPattern, x int) {
	u := m.u
	mark := u.top
	m.test(m.ask(code.Intrinsic("is_mapping"), x))
	u.top = mark
	if len(p.Keys) == 0 && p.Rest == "" {
		return
	}
	if len(p.Keys) > maxUnpacked {
		u.c.fail(p.Start, "too many keys in one pattern (limit %d)", maxUnpacked)
		return
	}
	keys := u.top
	u.tupleDisplay(p.Keys, keys)
	u.top = keys
	u.alloc()
	if len(p.Keys) > 0 {
		m.values(m.askAbout("match_keys", x, keys), p.Patterns)
	}
	if p.Rest != "" {
		m.capture(p.Rest, m.askAbout("match_rest", x, keys))
	}
}

// askAbout calls a function of the machine with two registers.
func (m *matcher) askAbout(fn string, x, y int) int {
	u := m.u
	f := u.pushConst(code.Intrinsic(fn))
	a, b := u.alloc(), u.alloc()
	u.emit(code.OpMove, a, x, 0)
	u.emit(code.OpMove, b, y, 0)
	u.emit(code.OpCall, f, 2, f)
	u.top = f + 1
	return f
}

// values matches the items of the tuple in register t, unless it is None.
func (m *matcher) values(t int, items []syntax.Pattern) {
	u := m.u
	u.emit(code.OpTestNone, t, 0, 1)
	u.jumpIf(m.fail)
	if len(items) == 0 {
		return
	}
	base := u.top
	u.emit(code.OpUnpack, base, t, len(items))
	m.each(items, base)
}

func (m *matcher) class(p *syntax.ClassPattern, x int) {
	u := m.u
	names := make(code.Tuple, len(p.Names))
	for i, name := range p.Names {
		names[i] = u.scope.Mangle(name)
	}
	f := u.pushConst(code.Intrinsic("match_class"))
	arg := u.alloc()
	u.emit(code.OpMove, arg, x, 0)
	u.push(p.Class)
	u.pushConst(int64(len(p.Items)))
	u.pushConst(names)
	u.emit(code.OpCall, f, 4, f)
	u.top = f + 1
	items := slices.Concat(p.Items, p.Keywords)
	if len(items) > maxUnpacked {
		u.c.fail(p.Start, "too many patterns in one class pattern (limit %d)", maxUnpacked)
		return
	}
	m.values(f, items)
}

func (m *matcher) or(p *syntax.OrPattern, x int) {
	u := m.u
	fail := m.fail
	var matched label
	last := len(p.Items) - 1
	for i, alternative := range p.Items {
		if i == last {
			m.fail = fail
			m.pattern(alternative, x)
			break
		}
		var next label
		m.fail = &next
		m.pattern(alternative, x)
		if !u.dead {
			u.jump(&matched)
		}
		u.place(&next)
	}
	m.fail = fail
	u.place(&matched)
}
