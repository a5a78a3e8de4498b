package machine

import (
	"math/big"

	"github.com/glovebox-dev/glovebox/py/internal/budget"
	"github.com/glovebox-dev/glovebox/py/internal/num"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// defineMathInts defines the functions of ints.
func defineMathInts(mod *moduleMaker) {
	mod.ints("gcd", 0, -1, func(m *Machine, x []Value) (Value, error) { return m.foldInts(x, Int(0), gcdSmall, num.GcdBig) })
	mod.ints("lcm", 0, -1, func(m *Machine, x []Value) (Value, error) { return m.foldInts(x, Int(1), nil, num.LcmBig) })
	mod.ints("isqrt", 1, 1, func(m *Machine, x []Value) (Value, error) { return m.bigResult(num.IsqrtBig(m, bigOf(x[0]))) })
	mod.ints("factorial", 1, 1, func(m *Machine, x []Value) (Value, error) { return m.bigResult(num.Factorial(m, bigOf(x[0]))) })
	mod.ints("comb", 2, 2, func(m *Machine, x []Value) (Value, error) { return m.bigResult(num.Comb(m, bigOf(x[0]), bigOf(x[1]))) })
	mod.ints("perm", 1, 2, func(m *Machine, x []Value) (Value, error) {
		if len(x) == 1 || x[1].isNone() {
			return m.bigResult(num.Factorial(m, bigOf(x[0])))
		}
		return m.bigResult(num.Perm(m, bigOf(x[0]), bigOf(x[1])))
	})
}

// ints defines a function of ints. None may stand for an argument that can be
// left out.
func (mod *moduleMaker) ints(name string, min, max int, fn func(m *Machine, x []Value) (Value, error)) {
	id := mod.name + "." + name
	mod.counted(name, min, max, func(m *Machine, a Args) (Value, error) {
		x := make([]Value, a.len())
		for i, v := range a.v {
			x[i] = plain(v)
			switch {
			case isIntegral(x[i]) || i >= min && max > 0 && v.isNone():
			case m.foreignIndex(v):
				return m.withIndexes(id, a)
			default:
				return Value{}, raise.Type("'%s' object cannot be interpreted as an integer", typeName(v))
			}
		}
		return fn(m, x)
	})
}

// withIndexes asks for the same call with every argument as an int.
func (m *Machine) withIndexes(id string, a Args) (Value, error) {
	args, err := m.newListCopy(a.v)
	if err != nil {
		return Value{}, err
	}
	return m.then(m.intrinsic("with_indexes"), known.natives[id], args)
}

func (m *Machine) bigResult(n *big.Int, err error) (Value, error) {
	if err != nil {
		return Value{}, err
	}
	return m.bigValue(n), nil
}

// gcdSmall is gcd of small ints; ok is false when the result may be too large.
func gcdSmall(a, b int64) (int64, bool) {
	n := num.Gcd(a, b)
	return int64(n), n < 1<<63
}

// foldInts combines ints from start on, with small while that is possible.
func (m *Machine) foldInts(x []Value, start Value, small func(a, b int64) (int64, bool),
	large func(m budget.Meter, a, b *big.Int) (*big.Int, error)) (Value, error) {
	total := start
	for _, v := range x {
		if err := m.Work(8 * workPerStep); err != nil {
			return Value{}, err
		}
		if small != nil && total.big() == nil && v.big() == nil {
			if n, ok := small(int64(total.n), int64(v.n)); ok {
				total = Int(n)
				continue
			}
		}
		n, err := large(m, bigOf(total), bigOf(v))
		if err != nil {
			return Value{}, err
		}
		total = m.bigValue(n)
	}
	return total, nil
}
