package machine

import "github.com/glovebox-dev/glovebox/py/internal/raise"

// choices is the state of one of the iterators of itertools that go through
// arrangements of items: which items of which pool the next tuple has.
type choices struct {
	what  choiceKind
	state choiceState
	pools []*Tuple // one for each place of product; else one for all
	at    []int    // the index of each place; for permutations, of all items
	turns []int    // of permutations: how often each place still changes
}

type choiceKind uint8

const (
	choiceProduct choiceKind = iota
	choicePermutations
	choiceCombinations
	choiceReplaced // combinations_with_replacement
	choiceKinds
)

type choiceState uint8

const (
	choiceFirst choiceState = iota // nothing was given yet
	choiceGoing
	choiceDone
)

// choicesType is the class of these states, which programs never see.
var choicesType = NewClass("choices", "_itertools.choices")

const (
	choicesKind  = "_itertools.choices" // how snapshots name them
	choicesBytes = 128
	mostPlaces   = 1 << 32
)

// Size is that of the indexes.
func (c *choices) Size() int { return choicesBytes + 8*(len(c.pools)+len(c.at)+len(c.turns)) }

// Each visits the pools.
func (c *choices) Each(visit func(Value)) {
	for _, p := range c.pools {
		visit(p.ref())
	}
}

// Save returns the kind, the state, how many pools there are, the pools, how
// many places, and their indexes and turns.
func (c *choices) Save() (string, []Value) {
	fields := []Value{Int(int64(c.what)), Int(int64(c.state)), Int(int64(len(c.pools)))}
	c.Each(func(v Value) { fields = append(fields, v) })
	fields = append(fields, Int(int64(len(c.at))))
	for _, list := range [][]int{c.at, c.turns} {
		for _, n := range list {
			fields = append(fields, Int(int64(n)))
		}
	}
	return choicesKind, fields
}

func loadChoices(m *Machine, fields []Value) (Boxed, error) {
	r := fieldReader{left: fields}
	c := &choices{what: choiceKind(r.number(int(choiceKinds) - 1)), state: choiceState(r.number(int(choiceDone)))}
	for range r.number(len(fields)) {
		c.pools = append(c.pools, r.tuple())
	}
	places := r.number(len(fields))
	if err := m.Alloc(8 * len(fields)); err != nil || r.bad || c.what != choiceProduct && len(c.pools) != 1 {
		return nil, ErrMalformed
	}
	for i := range places {
		c.at = append(c.at, r.number(c.size(i)-1))
	}
	for c.what != choiceProduct && len(r.left) > 0 && !r.bad {
		c.turns = append(c.turns, r.number(len(c.pools[0].items)))
	}
	if r.bad || len(r.left) > 0 || !c.fits() {
		return nil, ErrMalformed
	}
	return c, nil
}

// size is the size of the pool of a place.
func (c *choices) size(place int) int {
	switch {
	case c.what != choiceProduct:
		return len(c.pools[0].items)
	case place < len(c.pools):
		return len(c.pools[place].items)
	}
	return 0
}

// fits reports whether the lengths belong together.
func (c *choices) fits() bool {
	switch c.what {
	case choiceProduct:
		return len(c.at) == len(c.pools) && c.turns == nil
	case choicePermutations:
		return c.state == choiceDone || len(c.at) == len(c.pools[0].items) && len(c.turns) <= len(c.at)
	}
	return c.turns == nil && (c.state == choiceDone || c.what == choiceReplaced || len(c.at) <= len(c.pools[0].items))
}

// fieldReader reads what Save wrote.
type fieldReader struct {
	left []Value
	bad  bool
}

func (r *fieldReader) next() Value {
	if len(r.left) == 0 {
		r.bad = true
		return Value{}
	}
	v := r.left[0]
	r.left = r.left[1:]
	return v
}

// number reads an int from 0 to most.
func (r *fieldReader) number(most int) int {
	v := r.next()
	if !v.IsInt() || v.Int() < 0 || v.Int() > int64(most) {
		r.bad = true
		return 0
	}
	return int(v.Int())
}

func (r *fieldReader) tuple() *Tuple {
	t := r.next().Tuple()
	if t == nil {
		r.bad = true
		return &Tuple{}
	}
	return t
}

// next returns the next tuple; ok is false at the end.
func (c *choices) next(m *Machine) (v Value, ok bool, err error) {
	if !c.advance(m) {
		return Value{}, false, nil
	}
	n := c.length()
	if n == 0 {
		return emptyTuple, true, nil
	}
	if err := m.Alloc(TupleBytes + n*ValueBytes); err != nil {
		return Value{}, false, err
	}
	t := tupleOf(n)
	if err := c.fill(m, t.items); err != nil {
		return Value{}, false, err
	}
	return t.value(), true, nil
}

// advance moves to the next arrangement, or to the first one, and reports
// whether there is one.
func (c *choices) advance(m *Machine) bool {
	if c.state == choiceFirst {
		c.state = choiceGoing
	} else if c.state == choiceGoing && !c.step(m) {
		c.state = choiceDone
	}
	return c.state != choiceDone
}

// fill puts the present arrangement into items, which has room for it.
func (c *choices) fill(m *Machine, items []Value) error {
	if err := m.Work(len(items)); err != nil {
		return err
	}
	if c.what == choiceProduct {
		for i, at := range c.at[:len(items)] {
			items[i] = c.pools[i].items[at]
		}
		return nil
	}
	pool := c.pools[0].items
	for i, at := range c.at[:len(items)] {
		items[i] = pool[at]
	}
	return nil
}

// length is that of the tuples.
func (c *choices) length() int {
	if c.what == choicePermutations {
		return len(c.turns)
	}
	return len(c.at)
}

// step moves to the next arrangement, and reports whether there is one.
func (c *choices) step(m *Machine) bool {
	switch c.what {
	case choiceProduct:
		return c.stepProduct(m)
	case choicePermutations:
		return c.stepPermutation(m)
	}
	n := len(c.pools[0].items)
	for place := len(c.at) - 1; place >= 0; place-- {
		m.budget--
		last := n - 1
		if c.what == choiceCombinations {
			last = place + n - len(c.at)
		}
		if c.at[place] >= last {
			continue
		}
		c.at[place]++
		for i := place + 1; i < len(c.at); i++ {
			c.at[i] = c.at[place]
			if c.what == choiceCombinations {
				c.at[i] += i - place
			}
		}
		return true
	}
	return false
}

func (c *choices) stepProduct(m *Machine) bool {
	for place := len(c.at) - 1; place >= 0; place-- {
		m.budget--
		if c.at[place]++; c.at[place] < len(c.pools[place].items) {
			return true
		}
		c.at[place] = 0
	}
	return false
}

// stepPermutation counts the turns down from the last place: one that has none
// left takes its first order again.
func (c *choices) stepPermutation(m *Machine) bool {
	n := len(c.at)
	for place := len(c.turns) - 1; place >= 0; place-- {
		m.budget--
		if c.turns[place]--; c.turns[place] > 0 {
			other := n - c.turns[place]
			c.at[place], c.at[other] = c.at[other], c.at[place]
			return true
		}
		first := c.at[place]
		copy(c.at[place:], c.at[place+1:])
		c.at[n-1] = first
		c.turns[place] = n - place
		m.budget -= int64(n-place) / 8
	}
	return false
}

// defineItertools defines the module _itertools, on which the module itertools
// stands.
func defineItertools(r *Registry) {
	r.HiddenClass(choicesType)
	r.Unboxer(choicesKind, loadChoices)
	r.Module("_itertools", func(mod *ModuleBuilder) {
		mod.Counted("product", 1, 1, productNew)
		for name, what := range map[string]choiceKind{
			"permutations": choicePermutations, "combinations": choiceCombinations, "combinations_with_replacement": choiceReplaced,
		} {
			mod.Counted(name, 2, 2, func(m *Machine, a Args) (Value, error) { return chosenNew(m, what, a) })
		}
	})
}

// productNew is product(list of tuples).
func productNew(m *Machine, a Args) (Value, error) {
	l := a.v[0].List()
	if l == nil {
		return Value{}, raise.Type("a list is required, not '%s'", TypeName(a.v[0]))
	}
	if err := m.Alloc(choicesBytes + 16*len(l.items)); err != nil {
		return Value{}, err
	}
	c := &choices{at: make([]int, len(l.items))}
	for _, v := range l.items {
		t := v.Tuple()
		if t == nil {
			return Value{}, raise.Type("a tuple is required, not '%s'", TypeName(v))
		}
		if len(t.items) == 0 {
			c.state = choiceDone
		}
		c.pools = append(c.pools, t)
	}
	if c.state == choiceDone {
		c.pools, c.at = nil, nil
	}
	return m.choosing(c)
}

// chosenNew is the function of an iterator over one pool: a tuple and a length.
func chosenNew(m *Machine, what choiceKind, a Args) (Value, error) {
	t := a.v[0].Tuple()
	if t == nil {
		return Value{}, raise.Type("a tuple is required, not '%s'", TypeName(a.v[0]))
	}
	r, err := m.OptionalInt(a.v[1], 0)
	if err != nil {
		return Value{}, err
	}
	n := int64(len(t.items))
	c := &choices{what: what, pools: []*Tuple{t}}
	if r < 0 {
		return Value{}, raise.Value("r must be non-negative")
	}
	if what == choiceReplaced && n == 0 && r > 0 || what != choiceReplaced && r > n {
		c.state = choiceDone
		return m.choosing(c)
	}
	if r > mostPlaces {
		return Value{}, m.limit(MemoryLimit)
	}
	if err := m.Alloc(choicesBytes + 8*int(r+n)); err != nil {
		return Value{}, err
	}
	if err := m.Work(int(r + n)); err != nil {
		return Value{}, err
	}
	c.start(int(r), int(n))
	return m.choosing(c)
}

// start makes the first arrangement of r of n items.
func (c *choices) start(r, n int) {
	places := r
	if c.what == choicePermutations {
		places = n
		c.turns = make([]int, r)
		for i := range c.turns {
			c.turns[i] = n - i
		}
	}
	c.at = make([]int, places)
	if c.what != choiceReplaced {
		for i := range c.at {
			c.at[i] = i
		}
	}
}

// choosing makes an iterator over what c gives.
func (m *Machine) choosing(c *choices) (Value, error) {
	box, err := m.NewBoxed(choicesType, c)
	if err != nil {
		return Value{}, err
	}
	m.Spend(IteratorBytes)
	return (&Iterator{what: iterChoices, seq: box}).Value(), nil
}

// choices is what an iterator over choices goes through.
func (it *Iterator) choices() (*choices, error) {
	if box := it.seq.Opaque(); box != nil {
		if c, ok := box.box.(*choices); ok {
			return c, nil
		}
	}
	return nil, ErrMalformed
}

// nextChoice is next of an iterator over choices.
func (it *Iterator) nextChoice(m *Machine) (Value, bool, error) {
	c, err := it.choices()
	if err != nil {
		return Value{}, false, err
	}
	return c.next(m)
}
