package compile

import (
	"math"

	"github.com/glovebox-dev/glovebox/py/internal/code"
)

// indexFrom is the number of constants above which a map is quicker than looking
// along.
const indexFrom = 24

// constPool holds the constants of a unit, each once.
type constPool struct {
	values []any
	index  map[any]int // when there are many
}

// floatKey stands for a float in the index: -0.0 is not 0.0.
type floatKey uint64

// find returns the index of a constant, adding it when it is new.
func (p *constPool) find(v any) int {
	key, ok := constKey(v)
	if !ok {
		p.values = append(p.values, v)
		return len(p.values) - 1
	}
	if p.index == nil && len(p.values) < indexFrom {
		for i := range p.values {
			if sameConst(p.values[i], v) {
				return i
			}
		}
		p.values = append(p.values, v)
		return len(p.values) - 1
	}
	p.buildIndex()
	if i, ok := p.index[key]; ok {
		return i
	}
	p.values = append(p.values, v)
	p.index[key] = len(p.values) - 1
	return len(p.values) - 1
}

func (p *constPool) buildIndex() {
	if p.index != nil {
		return
	}
	p.index = make(map[any]int, 4*indexFrom)
	for i, v := range p.values {
		if key, ok := constKey(v); ok {
			p.index[key] = i
		}
	}
}

// name returns the index of a string constant.
func (p *constPool) name(s string) int {
	if p.index == nil {
		for i := range p.values {
			if v, ok := p.values[i].(string); ok && v == s {
				return i
			}
		}
	}
	return p.find(s)
}

// constKey returns what tells a constant from others; false for those that are
// kept as often as they are written.
func constKey(v any) (any, bool) {
	switch v := v.(type) {
	case float64:
		return floatKey(math.Float64bits(v)), true
	case nil, bool, int64, string, code.Ellipsis, code.Builtin, code.Intrinsic:
		return v, true
	}
	return nil, false
}

func sameConst(a, b any) bool {
	switch a := a.(type) {
	case float64:
		f, ok := b.(float64)
		return ok && math.Float64bits(a) == math.Float64bits(f)
	case nil, bool, int64, string, code.Ellipsis, code.Builtin, code.Intrinsic:
		return a == b
	}
	return false
}

// constTo loads a constant.
func (u *unit) constTo(v any, dst int) {
	if n, ok := v.(int64); ok && n >= 0 && n <= math.MaxUint16 {
		u.emitWide(code.OpSmall, dst, int(n))
		return
	}
	u.loadConst(u.pool.find(v), dst)
}

func (u *unit) loadConst(k, dst int) {
	if k <= math.MaxUint16 {
		u.emitWide(code.OpConst, dst, k)
		return
	}
	u.emit(code.OpConstX, dst, 0, 0)
	u.word(k)
}

// shortConst returns the index of a constant that fits an operand of eight
// bits.
func (u *unit) shortConst(v any) (int, bool) {
	k := u.pool.find(v)
	return k, k <= math.MaxUint8
}

// small returns a constant that is an int of eight bits.
func small(v any) (int, bool) {
	n, ok := v.(int64)
	return int(n), ok && n >= 0 && n <= math.MaxUint8
}
