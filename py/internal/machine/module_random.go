package machine

import (
	"math/big"
	"slices"

	"github.com/glovebox-dev/glovebox/py/internal/mt"
	"github.com/glovebox-dev/glovebox/py/internal/num"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// twisterType is the class of the states of generators, which programs never
// see.
var twisterType = moduleClass("twister", "_random.twister", kindOpaque, objectType)

// twister is the state of a generator.
type twister struct{ g *mt.Generator }

// Size is the bytes of the state.
func (t *twister) Size() int { return mt.MarshaledSize + 64 }

// Each visits nothing.
func (t *twister) Each(func(Value)) {}

// Save returns the state as bytes.
func (t *twister) Save() (string, []Value) {
	b, err := t.g.AppendBinary(nil)
	if err != nil {
		return "", nil
	}
	return twisterKind, []Value{(&bytesObject{b: string(b)}).value()}
}

// twisterKind is how snapshots name a twister.
const twisterKind = "_random.twister"

// loadTwister makes a twister of what Save returned.
func loadTwister(_ *Machine, fields []Value) (Boxed, error) {
	if len(fields) != 1 || fields[0].bytes() == nil {
		return nil, errCorrupt
	}
	t := &twister{g: &mt.Generator{}}
	if err := t.g.UnmarshalBinary([]byte(fields[0].bytes().b)); err != nil {
		return nil, errCorrupt
	}
	return t, nil
}

// defineRandom defines the module _random, on which the module random stands.
func defineRandom(r *registry) {
	r.hiddenClass(twisterType)
	r.unboxer(twisterKind, loadTwister)
	r.nativeModule("_random", func(mod *moduleMaker) {
		mod.counted("mt_new", 1, 1, newTwister)
		mod.counted("mt_random", 1, 1, withTwister(func(m *Machine, g *mt.Generator, a Args) (Value, error) {
			return Float(g.Float64()), nil
		}))
		mod.counted("mt_getrandbits", 2, 2, withTwister(randomBits))
		mod.counted("mt_below", 2, 2, withTwister(randomBelow))
		mod.counted("mt_get", 1, 1, withTwister(twisterWords))
		mod.counted("mt_set", 1, 1, twisterOfWords)
	})
}

func withTwister(fn func(m *Machine, g *mt.Generator, a Args) (Value, error)) NativeFunc {
	return func(m *Machine, a Args) (Value, error) {
		o := a.v[0].opaque()
		if o == nil {
			return Value{}, errCorrupt
		}
		t, ok := o.box.(*twister)
		if !ok {
			return Value{}, errCorrupt
		}
		return fn(m, t.g, a)
	}
}

func newTwister(m *Machine, a Args) (Value, error) {
	seed := plain(a.v[0])
	var g *mt.Generator
	var err error
	switch {
	case isIntegral(seed):
		g, err = mt.New(m, bigOf(seed))
	case seed.isFloat():
		g, err = mt.NewFloat(m, num.HashFloat(seed.float()))
	case seed.str() != nil:
		g, err = mt.NewText(m, seed.str().s)
	case seed.bytes() != nil:
		g, err = mt.NewText(m, seed.bytes().b)
	default:
		return Value{}, raise.Type("The only supported seed types are: None,\nint, float, str, bytes, and bytearray.")
	}
	if err != nil {
		return Value{}, err
	}
	return m.box(twisterType, &twister{g})
}

// maxRandomBits keeps the size of an int within what the machine can count.
const maxRandomBits = 1 << 31

func randomBits(m *Machine, g *mt.Generator, a Args) (Value, error) {
	k := plain(a.v[1])
	if !isIntegral(k) {
		return Value{}, raise.Type("'%s' object cannot be interpreted as an integer", typeName(k))
	}
	n := int64(k.n)
	switch {
	case k.big() != nil || n >= maxRandomBits:
		return Value{}, raise.Overflow("Python int too large to convert to C int")
	case n < 0:
		return Value{}, raise.Value("number of bits must be non-negative")
	case n < 64:
		return Int(int64(g.Bits64(int(n)))), nil
	}
	bits, err := g.Bits(m, int(n))
	if err != nil {
		return Value{}, err
	}
	return m.bigValue(bits), nil
}

func randomBelow(m *Machine, g *mt.Generator, a Args) (Value, error) {
	n := plain(a.v[1])
	if !isIntegral(n) {
		return Value{}, raise.Type("'%s' object cannot be interpreted as an integer", typeName(n))
	}
	if b := n.big(); b != nil {
		return randomBelowBig(m, g, b.v)
	}
	if int64(n.n) <= 0 {
		return Int(0), nil
	}
	return Int(int64(g.Below(n.n))), nil
}

func randomBelowBig(m *Machine, g *mt.Generator, n *big.Int) (Value, error) {
	if n.Sign() <= 0 {
		return Int(0), nil
	}
	for {
		bits, err := g.Bits(m, n.BitLen())
		if err != nil {
			return Value{}, err
		}
		if bits.Cmp(n) < 0 {
			return m.bigValue(bits), nil
		}
	}
}

func twisterWords(m *Machine, g *mt.Generator, a Args) (Value, error) {
	words := g.Words()
	values := make([]Value, len(words))
	for i, w := range words {
		values[i] = Int(int64(w))
	}
	return m.newTupleCopy(values)
}

// twisterOfWords makes a state of the ints that twisterWords gave.
func twisterOfWords(m *Machine, a Args) (Value, error) {
	t := plain(a.v[0]).tuple()
	if t == nil {
		return Value{}, raise.Type("state vector must be a tuple")
	}
	if len(t.items) != mt.MarshaledSize/4+1 {
		return Value{}, raise.Value("state vector is the wrong size")
	}
	words := make([]uint32, len(t.items))
	for i, v := range t.items {
		v = plain(v)
		switch {
		case !isIntegral(v):
			return Value{}, raise.Type("an integer is required")
		case v.big() != nil || int64(v.n) < 0:
			return Value{}, raise.Overflow("can't convert negative value to unsigned int")
		}
		words[i] = uint32(v.n)
	}
	g := &mt.Generator{}
	if err := g.SetWords(slices.Clip(words)); err != nil {
		return Value{}, err
	}
	return m.box(twisterType, &twister{g})
}
