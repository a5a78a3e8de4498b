package modules

import (
	"math/big"
	"slices"

	"github.com/glovebox-dev/glovebox/py/internal/machine"
	"github.com/glovebox-dev/glovebox/py/internal/mt"
	"github.com/glovebox-dev/glovebox/py/internal/num"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// twisterType is the class of the states of generators, which programs never
// see.
var twisterType = machine.NewClass("twister", "_random.twister")

// twister is the state of a generator.
type twister struct{ g *mt.Generator }

// Size is the bytes of the state.
func (t *twister) Size() int { return mt.MarshaledSize + 64 }

// Each visits nothing.
func (t *twister) Each(func(machine.Value)) {}

// Save returns the state as bytes.
func (t *twister) Save() (string, []machine.Value) {
	b, err := t.g.AppendBinary(nil)
	if err != nil {
		return "", nil
	}
	return twisterKind, []machine.Value{machine.SavedBytes(string(b))}
}

// twisterKind is how snapshots name a twister.
const twisterKind = "_random.twister"

// loadTwister makes a twister of what Save returned.
func loadTwister(_ *machine.Machine, fields []machine.Value) (machine.Boxed, error) {
	if len(fields) != 1 || fields[0].Bytes() == nil {
		return nil, machine.ErrMalformed
	}
	t := &twister{g: &mt.Generator{}}
	if err := t.g.UnmarshalBinary([]byte(fields[0].Bytes().Data())); err != nil {
		return nil, machine.ErrMalformed
	}
	return t, nil
}

// defineRandom defines the module _random, on which the module random stands.
func defineRandom(r *machine.Registry) {
	r.HiddenClass(twisterType)
	r.Unboxer(twisterKind, loadTwister)
	r.Module("_random", func(mod *machine.ModuleBuilder) {
		mod.Counted("mt_new", 1, 1, newTwister)
		mod.Counted("mt_random", 1, 1, withTwister(func(m *machine.Machine, g *mt.Generator, a machine.Args) (machine.Value, error) {
			return machine.Float(g.Float64()), nil
		}))
		mod.Counted("mt_getrandbits", 2, 2, withTwister(randomBits))
		mod.Counted("mt_below", 2, 2, withTwister(randomBelow))
		mod.Counted("mt_get", 1, 1, withTwister(twisterWords))
		mod.Counted("mt_set", 1, 1, twisterOfWords)
	})
}

func withTwister(fn func(m *machine.Machine, g *mt.Generator, a machine.Args) (machine.Value, error)) machine.NativeFunc {
	return func(m *machine.Machine, a machine.Args) (machine.Value, error) {
		o := a.Arg(0).Opaque()
		if o == nil {
			return machine.Value{}, machine.ErrMalformed
		}
		t, ok := o.Box().(*twister)
		if !ok {
			return machine.Value{}, machine.ErrMalformed
		}
		return fn(m, t.g, a)
	}
}

func newTwister(m *machine.Machine, a machine.Args) (machine.Value, error) {
	seed := machine.Plain(a.Arg(0))
	var g *mt.Generator
	var err error
	switch {
	case machine.IsIntegral(seed):
		g, err = mt.New(m, machine.BigOf(seed))
	case seed.IsFloat():
		g, err = mt.NewFloat(m, num.HashFloat(seed.Float()))
	case seed.Str() != nil:
		g, err = mt.NewText(m, seed.Str().Text())
	case seed.Bytes() != nil:
		g, err = mt.NewText(m, seed.Bytes().Data())
	default:
		return machine.Value{}, raise.Type("The only supported seed types are: None,\nint, float, str, bytes, and bytearray.")
	}
	if err != nil {
		return machine.Value{}, err
	}
	return m.NewBoxed(twisterType, &twister{g})
}

// maxRandomBits keeps the size of an int within what the machine can count.
const maxRandomBits = 1 << 31

func randomBits(m *machine.Machine, g *mt.Generator, a machine.Args) (machine.Value, error) {
	k := machine.Plain(a.Arg(1))
	if !machine.IsIntegral(k) {
		return machine.Value{}, raise.Type("'%s' object cannot be interpreted as an integer", machine.TypeName(k))
	}
	n := k.Int()
	switch {
	case k.BigInt() != nil || n >= maxRandomBits:
		return machine.Value{}, raise.Overflow("Python int too large to convert to C int")
	case n < 0:
		return machine.Value{}, raise.Value("number of bits must be non-negative")
	case n < 64:
		return machine.Int(int64(g.Bits64(int(n)))), nil
	}
	bits, err := g.Bits(m, int(n))
	if err != nil {
		return machine.Value{}, err
	}
	return m.BigInt(bits), nil
}

func randomBelow(m *machine.Machine, g *mt.Generator, a machine.Args) (machine.Value, error) {
	n := machine.Plain(a.Arg(1))
	if !machine.IsIntegral(n) {
		return machine.Value{}, raise.Type("'%s' object cannot be interpreted as an integer", machine.TypeName(n))
	}
	if b := n.BigInt(); b != nil {
		return randomBelowBig(m, g, b)
	}
	if n.Int() <= 0 {
		return machine.Int(0), nil
	}
	return machine.Int(int64(g.Below(uint64(n.Int())))), nil
}

func randomBelowBig(m *machine.Machine, g *mt.Generator, n *big.Int) (machine.Value, error) {
	if n.Sign() <= 0 {
		return machine.Int(0), nil
	}
	for {
		bits, err := g.Bits(m, n.BitLen())
		if err != nil {
			return machine.Value{}, err
		}
		if bits.Cmp(n) < 0 {
			return m.BigInt(bits), nil
		}
	}
}

func twisterWords(m *machine.Machine, g *mt.Generator, a machine.Args) (machine.Value, error) {
	words := g.Words()
	values := make([]machine.Value, len(words))
	for i, w := range words {
		values[i] = machine.Int(int64(w))
	}
	return m.NewTuple(values)
}

// twisterOfWords makes a state of the ints that twisterWords gave.
func twisterOfWords(m *machine.Machine, a machine.Args) (machine.Value, error) {
	t := machine.Plain(a.Arg(0)).Tuple()
	if t == nil {
		return machine.Value{}, raise.Type("state vector must be a tuple")
	}
	if len(t.Items()) != mt.MarshaledSize/4+1 {
		return machine.Value{}, raise.Value("state vector is the wrong size")
	}
	words := make([]uint32, len(t.Items()))
	for i, v := range t.Items() {
		v = machine.Plain(v)
		switch {
		case !machine.IsIntegral(v):
			return machine.Value{}, raise.Type("an integer is required")
		case v.BigInt() != nil || v.Int() < 0:
			return machine.Value{}, raise.Overflow("can't convert negative value to unsigned int")
		}
		words[i] = uint32(v.Int())
	}
	g := &mt.Generator{}
	if err := g.SetWords(slices.Clip(words)); err != nil {
		return machine.Value{}, err
	}
	return m.NewBoxed(twisterType, &twister{g})
}
