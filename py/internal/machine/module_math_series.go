package machine

import (
	"math/big"

	"github.com/glovebox-dev/glovebox/py/internal/libm"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// logarithm is a logarithm of any number, also an int beyond floats.
func (m *Machine) logarithm(id string, a Args, f func(float64) (float64, error), ofBig func(*big.Int) (float64, error)) (Value, error) {
	y, err := m.logOf(a.v[0], f, ofBig)
	if err == errForeign {
		return m.withReals(id, a)
	}
	return Float(y), err
}

func (m *Machine) logOf(v Value, f func(float64) (float64, error), ofBig func(*big.Int) (float64, error)) (float64, error) {
	if b := plain(v).big(); b != nil {
		m.lookBig(plain(v), None)
		return ofBig(b.v)
	}
	x, err := m.real(v)
	if err != nil {
		return 0, err
	}
	return f(x)
}

// mathLog is math.log(x[, base]).
func mathLog(m *Machine, a Args) (Value, error) {
	if a.len() < 1 || a.len() > 2 {
		return Value{}, raise.Type("math.log requires 1 to 2 arguments")
	}
	var logs [2]float64
	for i, v := range a.v {
		y, err := m.logOf(v, libm.Log, libm.LogBig)
		if err == errForeign {
			return m.withReals("math.log", a)
		}
		if err != nil {
			return Value{}, err
		}
		logs[i] = y
	}
	if a.len() == 1 {
		return Float(logs[0]), nil
	}
	if logs[1] == 0 {
		return Value{}, raise.New("ZeroDivisionError", "float division by zero")
	}
	return Float(logs[0] / logs[1]), nil
}

// defineMathSeries defines the functions of many numbers.
func defineMathSeries(mod *moduleMaker) {
	mod.counted("hypot", 0, -1, func(m *Machine, a Args) (Value, error) {
		x, err := m.reals(a.v)
		if err == errForeign {
			return m.withReals("math.hypot", a)
		}
		if err != nil {
			return Value{}, err
		}
		y, err := libm.Hypot(m, x)
		return Float(y), err
	})
	mod.counted("dist", 2, 2, mathDist)
	mod.counted("fsum", 1, 1, mathFsum)
	mod.countedKw("prod", 0, -1, mathProd)
}

// reals returns numbers as floats.
func (m *Machine) reals(items []Value) ([]float64, error) {
	if err := m.Alloc(len(items) * 8); err != nil {
		return nil, err
	}
	if err := m.Work(len(items) * workPerStep); err != nil {
		return nil, err
	}
	x := make([]float64, len(items))
	for i, v := range items {
		f, err := m.real(v)
		if err != nil {
			return nil, err
		}
		x[i] = f
	}
	return x, nil
}

// withRealLists asks for the same call with every argument as a list of
// numbers.
func (m *Machine) withRealLists(id string, a Args) (Value, error) {
	args, err := m.newListCopy(a.v)
	if err != nil {
		return Value{}, err
	}
	return m.then(m.intrinsic("with_real_lists"), known.natives[id], args)
}

func mathDist(m *Machine, a Args) (Value, error) {
	for _, v := range a.v {
		if k := v.kind(); k == kindList || k == kindTuple {
			continue
		}
		if m.iterate(v) == nil {
			if err := m.foreignIterable(v); err != errForeign {
				return Value{}, err
			}
		}
		return m.withRealLists("math.dist", a)
	}
	var x [2][]float64
	for i, v := range a.v {
		items, _, err := m.collect(v)
		if err == nil {
			x[i], err = m.reals(items)
		}
		if err == errForeign {
			return m.withRealLists("math.dist", a)
		}
		if err != nil {
			return Value{}, err
		}
	}
	y, err := libm.Dist(m, x[0], x[1])
	return Float(y), err
}

func mathFsum(m *Machine, a Args) (Value, error) {
	items, ok, err := m.collect(a.v[0])
	if err != nil {
		return Value{}, err
	}
	if !ok {
		if err := m.foreignIterable(a.v[0]); err != errForeign {
			return Value{}, err
		}
		return m.withRealLists("math.fsum", a)
	}
	var sum libm.Sum
	for _, v := range items {
		x, err := m.real(v)
		if err == errForeign {
			l, err := m.newListCopy(items)
			if err != nil {
				return Value{}, err
			}
			return m.withRealLists("math.fsum", Args{v: []Value{l}})
		}
		if err != nil {
			return Value{}, err
		}
		if err := m.Work(8 * workPerStep); err != nil {
			return Value{}, err
		}
		if err := sum.Add(x); err != nil {
			return Value{}, err
		}
	}
	y, err := sum.Result()
	return Float(y), err
}

// mathProd is math.prod(iterable, *, start=1).
func mathProd(m *Machine, a Args) (Value, error) {
	if err := a.only("prod", "start"); err != nil {
		return Value{}, err
	}
	if a.len() != 1 {
		return Value{}, raise.Type("prod() takes exactly 1 positional argument (%d given)", a.len())
	}
	total := a.name("start")
	if !total.bound() {
		total = Int(1)
	}
	it := m.iterate(a.v[0])
	if it == nil {
		if err := m.checkIterable(a.v[0]); err != nil {
			return Value{}, err
		}
		return m.then(m.intrinsic("prod_of"), a.v[0], total)
	}
	for {
		v, ok, err := it.next(m)
		if err != nil || !ok {
			return total, err
		}
		next, err := m.binaryNative(opMul, total, v)
		if err == errNotImplemented {
			m.spend(iteratorBytes)
			return m.then(m.intrinsic("prod_rest"), total, v, it.value())
		}
		if err != nil {
			return Value{}, err
		}
		total = next
		if err := m.Work(2 * workPerStep); err != nil {
			return Value{}, err
		}
	}
}
