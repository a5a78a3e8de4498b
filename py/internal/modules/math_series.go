package modules

import (
	"math/big"

	"github.com/glovebox-dev/glovebox/py/internal/libm"
	"github.com/glovebox-dev/glovebox/py/internal/machine"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// logarithm is a logarithm of any number, also an int beyond floats.
func logarithm(m *machine.Machine, id string, a machine.Args, f func(float64) (float64, error), ofBig func(*big.Int) (float64, error)) (machine.Value, error) {
	y, err := logOf(m, a.Arg(0), f, ofBig)
	if err == machine.ErrForeign {
		return withReals(m, id, a)
	}
	return machine.Float(y), err
}

func logOf(m *machine.Machine, v machine.Value, f func(float64) (float64, error), ofBig func(*big.Int) (float64, error)) (float64, error) {
	if b := machine.Plain(v).BigInt(); b != nil {
		m.LookBig(machine.Plain(v), machine.None)
		return ofBig(b)
	}
	x, err := realOf(m, v)
	if err != nil {
		return 0, err
	}
	return f(x)
}

// mathLog is math.log(x[, base]).
func mathLog(m *machine.Machine, a machine.Args) (machine.Value, error) {
	if a.Len() < 1 || a.Len() > 2 {
		return machine.Value{}, raise.Type("math.log requires 1 to 2 arguments")
	}
	var logs [2]float64
	for i, v := range a.All() {
		y, err := logOf(m, v, libm.Log, libm.LogBig)
		if err == machine.ErrForeign {
			return withReals(m, "math.log", a)
		}
		if err != nil {
			return machine.Value{}, err
		}
		logs[i] = y
	}
	if a.Len() == 1 {
		return machine.Float(logs[0]), nil
	}
	if logs[1] == 0 {
		return machine.Value{}, raise.New("ZeroDivisionError", "float division by zero")
	}
	return machine.Float(logs[0] / logs[1]), nil
}

// defineMathSeries defines the functions of many numbers.
func defineMathSeries(mod *machine.ModuleBuilder) {
	mod.Counted("hypot", 0, -1, func(m *machine.Machine, a machine.Args) (machine.Value, error) {
		x, err := reals(m, a.All())
		if err == machine.ErrForeign {
			return withReals(m, "math.hypot", a)
		}
		if err != nil {
			return machine.Value{}, err
		}
		y, err := libm.Hypot(m, x)
		return machine.Float(y), err
	})
	mod.Counted("dist", 2, 2, mathDist)
	mod.Counted("fsum", 1, 1, mathFsum)
	mod.CountedKw("prod", 0, -1, mathProd)
}

// reals returns numbers as floats.
func reals(m *machine.Machine, items []machine.Value) ([]float64, error) {
	if err := m.Alloc(len(items) * 8); err != nil {
		return nil, err
	}
	if err := m.Work(len(items) * machine.WorkPerStep); err != nil {
		return nil, err
	}
	x := make([]float64, len(items))
	for i, v := range items {
		f, err := realOf(m, v)
		if err != nil {
			return nil, err
		}
		x[i] = f
	}
	return x, nil
}

// withRealLists asks for the same call with every argument as a list of
// numbers.
func withRealLists(m *machine.Machine, id string, given []machine.Value) (machine.Value, error) {
	args, err := m.NewList(given)
	if err != nil {
		return machine.Value{}, err
	}
	return m.Then(m.Intrinsic("with_real_lists"), machine.NativeByID(id), args)
}

func mathDist(m *machine.Machine, a machine.Args) (machine.Value, error) {
	for _, v := range a.All() {
		if k := v.Kind(); k == machine.KindList || k == machine.KindTuple {
			continue
		}
		if m.Iterate(v) == nil {
			if err := m.ForeignIterable(v); err != machine.ErrForeign {
				return machine.Value{}, err
			}
		}
		return withRealLists(m, "math.dist", a.All())
	}
	var x [2][]float64
	for i, v := range a.All() {
		items, _, err := m.Collect(v)
		if err == nil {
			x[i], err = reals(m, items)
		}
		if err == machine.ErrForeign {
			return withRealLists(m, "math.dist", a.All())
		}
		if err != nil {
			return machine.Value{}, err
		}
	}
	y, err := libm.Dist(m, x[0], x[1])
	return machine.Float(y), err
}

func mathFsum(m *machine.Machine, a machine.Args) (machine.Value, error) {
	items, ok, err := m.Collect(a.Arg(0))
	if err != nil {
		return machine.Value{}, err
	}
	if !ok {
		if err := m.ForeignIterable(a.Arg(0)); err != machine.ErrForeign {
			return machine.Value{}, err
		}
		return withRealLists(m, "math.fsum", a.All())
	}
	var sum libm.Sum
	for _, v := range items {
		x, err := realOf(m, v)
		if err == machine.ErrForeign {
			l, err := m.NewList(items)
			if err != nil {
				return machine.Value{}, err
			}
			return withRealLists(m, "math.fsum", []machine.Value{l})
		}
		if err != nil {
			return machine.Value{}, err
		}
		if err := m.Work(8 * machine.WorkPerStep); err != nil {
			return machine.Value{}, err
		}
		if err := sum.Add(x); err != nil {
			return machine.Value{}, err
		}
	}
	y, err := sum.Result()
	return machine.Float(y), err
}

// mathProd is math.prod(iterable, *, start=1).
func mathProd(m *machine.Machine, a machine.Args) (machine.Value, error) {
	if err := a.Only("prod", "start"); err != nil {
		return machine.Value{}, err
	}
	if a.Len() != 1 {
		return machine.Value{}, raise.Type("prod() takes exactly 1 positional argument (%d given)", a.Len())
	}
	total := a.Name("start")
	if !total.Bound() {
		total = machine.Int(1)
	}
	it := m.Iterate(a.Arg(0))
	if it == nil {
		if err := m.CheckIterable(a.Arg(0)); err != nil {
			return machine.Value{}, err
		}
		return m.Then(m.Intrinsic("prod_of"), a.Arg(0), total)
	}
	for {
		v, ok, err := it.Next(m)
		if err != nil || !ok {
			return total, err
		}
		next, err := m.Multiply(total, v)
		if err == machine.ErrNotImplemented {
			m.Spend(machine.IteratorBytes)
			return m.Then(m.Intrinsic("prod_rest"), total, v, it.Value())
		}
		if err != nil {
			return machine.Value{}, err
		}
		total = next
		if err := m.Work(2 * machine.WorkPerStep); err != nil {
			return machine.Value{}, err
		}
	}
}
