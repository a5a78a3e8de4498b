package modules

import (
	"math/big"

	"github.com/glovebox-dev/glovebox/py/internal/budget"
	"github.com/glovebox-dev/glovebox/py/internal/machine"
	"github.com/glovebox-dev/glovebox/py/internal/num"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// defineMathInts defines the functions of ints.
func defineMathInts(mod *machine.ModuleBuilder) {
	intsFunc(mod, "gcd", 0, -1, func(m *machine.Machine, x []machine.Value) (machine.Value, error) {
		return foldInts(m, x, machine.Int(0), gcdSmall, num.GcdBig)
	})
	intsFunc(mod, "lcm", 0, -1, func(m *machine.Machine, x []machine.Value) (machine.Value, error) {
		return foldInts(m, x, machine.Int(1), nil, num.LcmBig)
	})
	intsFunc(mod, "isqrt", 1, 1, func(m *machine.Machine, x []machine.Value) (machine.Value, error) {
		return m.PaidInt(num.IsqrtBig(m, machine.BigOf(x[0])))
	})
	intsFunc(mod, "factorial", 1, 1, func(m *machine.Machine, x []machine.Value) (machine.Value, error) {
		return m.PaidInt(num.Factorial(m, machine.BigOf(x[0])))
	})
	intsFunc(mod, "comb", 2, 2, func(m *machine.Machine, x []machine.Value) (machine.Value, error) {
		return m.PaidInt(num.Comb(m, machine.BigOf(x[0]), machine.BigOf(x[1])))
	})
	intsFunc(mod, "perm", 1, 2, func(m *machine.Machine, x []machine.Value) (machine.Value, error) {
		if len(x) == 1 || x[1].IsNone() {
			return m.PaidInt(num.Factorial(m, machine.BigOf(x[0])))
		}
		return m.PaidInt(num.Perm(m, machine.BigOf(x[0]), machine.BigOf(x[1])))
	})
}

// intsFunc defines a function of ints. None may stand for an argument that can be
// left out.
func intsFunc(mod *machine.ModuleBuilder, name string, min, max int, fn func(m *machine.Machine, x []machine.Value) (machine.Value, error)) {
	id := mod.Name() + "." + name
	mod.Counted(name, min, max, func(m *machine.Machine, a machine.Args) (machine.Value, error) {
		x := make([]machine.Value, a.Len())
		for i, v := range a.All() {
			x[i] = machine.Plain(v)
			switch {
			case machine.IsIntegral(x[i]) || i >= min && max > 0 && v.IsNone():
			case m.ForeignIndex(v):
				return withIndexes(m, id, a)
			default:
				return machine.Value{}, raise.Type("'%s' object cannot be interpreted as an integer", machine.TypeName(v))
			}
		}
		return fn(m, x)
	})
}

// withIndexes asks for the same call with every argument as an int.
func withIndexes(m *machine.Machine, id string, a machine.Args) (machine.Value, error) {
	args, err := m.NewList(a.All())
	if err != nil {
		return machine.Value{}, err
	}
	return m.Then(m.Intrinsic("with_indexes"), machine.NativeByID(id), args)
}

// gcdSmall is gcd of small ints; ok is false when the result may be too large.
func gcdSmall(a, b int64) (int64, bool) {
	n := num.Gcd(a, b)
	return int64(n), n < 1<<63
}

// foldInts combines ints from start on, with small while that is possible.
func foldInts(m *machine.Machine, x []machine.Value, start machine.Value, small func(a, b int64) (int64, bool),
	large func(m budget.Meter, a, b *big.Int) (*big.Int, error)) (machine.Value, error) {
	total := start
	for _, v := range x {
		if err := m.Work(8 * machine.WorkPerStep); err != nil {
			return machine.Value{}, err
		}
		if small != nil && total.BigInt() == nil && v.BigInt() == nil {
			if n, ok := small(total.Int(), v.Int()); ok {
				total = machine.Int(n)
				continue
			}
		}
		n, err := large(m, machine.BigOf(total), machine.BigOf(v))
		if err != nil {
			return machine.Value{}, err
		}
		total = m.BigInt(n)
	}
	return total, nil
}
