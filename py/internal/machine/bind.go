package machine

import (
	"fmt"
	"strings"

	"github.com/glovebox-dev/glovebox/py/internal/code"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// arguments is the number of registers that arguments fill.
func (u *unit) arguments() int { return len(u.code.Params) }

// bind arranges the arguments at base as the parameters of f want them.
func (m *Machine) bind(f *function, base, n int, names *Tuple) error {
	c := f.code.code
	if c.Flags&(code.VarArgs|code.VarKw) == 0 {
		if m.bindPlain(f, base, n, names) {
			return nil
		}
	}
	total := len(c.Params)
	given := n
	if names != nil {
		given -= len(names.items)
	}
	if base+max(n, total) > len(m.stack) { // push, which follows, makes room for the rest
		return ErrMalformed
	}
	if err := m.Alloc(n * ValueBytes); err != nil {
		return err
	}
	args := make([]Value, n)
	copy(args, m.stack[base:base+n])
	slots := m.stack[base : base+total]
	clear(slots)
	b := binder{m: m, f: f, code: c, slots: slots, pos: args[:given], named: args[given:]}
	if names != nil {
		b.names = names.items
	}
	return b.bind()
}

// fewNames is how many keyword arguments bindPlain takes.
const fewNames = 8

// bindPlain binds in place the arguments of a function without *args and
// **kwargs. It returns false, with the arguments as they were, when they do not
// fit.
func (m *Machine) bindPlain(f *function, base, n int, names *Tuple) bool {
	u := f.code
	named := 0
	if names != nil {
		named = len(names.items)
	}
	given, pos, total := n-named, int(u.pos), len(u.params)
	if given > pos || named > fewNames {
		return false
	}
	slots := m.stack[base : base+total]
	if named == 0 {
		for i := given; i < total; i++ {
			slots[i] = Value{}
		}
		return fillPlain(f, slots, given)
	}
	var held [fewNames]Value
	for i := range named { // a few values: calls of copy and clear cost more
		held[i] = m.stack[base+given+i]
	}
	for i := given; i < total; i++ {
		slots[i] = Value{}
	}
	if m.bindHeld(f, slots, held[:named], names) && fillPlain(f, slots, given) {
		return true
	}
	copy(m.stack[base+given:], held[:named])
	return false
}

// bindHeld puts named arguments into their slots.
func (m *Machine) bindHeld(f *function, slots, held []Value, names *Tuple) bool {
	u := f.code
next:
	for k := range held {
		name := names.items[k]
		for i := u.code.PosOnly; i < len(u.params); i++ {
			if u.params[i].Ref().Is(name) || u.params[i].s == name.Str().s {
				if slots[i].Bound() {
					return false
				}
				slots[i] = held[k]
				continue next
			}
		}
		return false
	}
	return true
}

// fillPlain gives the parameters after the first given ones their defaults.
func fillPlain(f *function, slots []Value, given int) bool {
	u := f.code
	pos := int(u.pos)
	first := pos - len(f.defaults)
	for i := given; i < pos; i++ {
		if slots[i].Bound() {
			continue
		}
		if i < first {
			return false
		}
		slots[i] = f.defaults[i-first]
	}
	for i := pos; i < len(slots); i++ {
		if slots[i].Bound() {
			continue
		}
		if f.kwDefaults == nil {
			return false
		}
		k := f.kwDefaults.findStr(u.params[i])
		if k < 0 {
			return false
		}
		slots[i] = f.kwDefaults.entries[k].value
	}
	return true
}

// binder distributes the arguments of one call.
type binder struct {
	m     *Machine
	f     *function
	code  *code.Code
	slots []Value
	pos   []Value
	named []Value
	names []Value
	extra *Dict // for **kwargs
}

func (b *binder) bind() error {
	c := b.code
	count := min(len(b.pos), c.Pos)
	copy(b.slots, b.pos[:count])
	at := c.Pos + c.KwOnly
	if c.Flags&code.VarArgs != 0 {
		rest, err := b.m.NewTuple(b.pos[count:])
		if err != nil {
			return err
		}
		b.slots[at] = rest
		at++
	}
	if c.Flags&code.VarKw != 0 {
		b.extra = b.m.NewDict()
		b.slots[at] = b.extra.value()
	}
	if err := b.bindNames(); err != nil {
		return err
	}
	if len(b.pos) > c.Pos && c.Flags&code.VarArgs == 0 {
		return b.tooMany()
	}
	return b.fillDefaults()
}

func (b *binder) bindNames() error {
	for i, name := range b.names {
		s := name.Str()
		at := b.find(s.s)
		switch {
		case at < 0 && b.extra != nil:
			if err := b.m.setStr(b.extra, s, b.named[i]); err != nil {
				return err
			}
		case at < 0:
			if names := b.positionalOnly(); names != "" {
				return raise.Type("%s() got some positional-only arguments passed as keyword arguments: '%s'", b.code.QualName, names)
			}
			return raise.Type("%s() got an unexpected keyword argument '%s'", b.code.QualName, s.s)
		case b.slots[at].Bound():
			return raise.Type("%s() got multiple values for argument '%s'", b.code.QualName, s.s)
		default:
			b.slots[at] = b.named[i]
		}
	}
	return nil
}

// find returns the slot of the parameter that can be given by this name, or -1.
func (b *binder) find(name string) int {
	for i := b.code.PosOnly; i < b.code.Pos+b.code.KwOnly; i++ {
		if b.code.Params[i] == name {
			return i
		}
	}
	return -1
}

// positionalOnly lists the parameters that were given by name but can't be.
func (b *binder) positionalOnly() string {
	var given []string
	for _, p := range b.code.Params[:b.code.PosOnly] {
		for _, name := range b.names {
			if name.Str().s == p {
				given = append(given, p)
			}
		}
	}
	return strings.Join(given, ", ")
}

func (b *binder) fillDefaults() error {
	c := b.code
	first := c.Pos - len(b.f.defaults)
	var missing []string
	for i := 0; i < c.Pos; i++ {
		if b.slots[i].Bound() {
			continue
		}
		if i >= first {
			b.slots[i] = b.f.defaults[i-first]
			continue
		}
		missing = append(missing, c.Params[i])
	}
	if missing != nil {
		return b.missing("positional", missing)
	}
	for i := c.Pos; i < c.Pos+c.KwOnly; i++ {
		if b.slots[i].Bound() {
			continue
		}
		if v, ok := b.f.kwDefault(c.Params[i]); ok {
			b.slots[i] = v
			continue
		}
		missing = append(missing, c.Params[i])
	}
	if missing != nil {
		return b.missing("keyword-only", missing)
	}
	return nil
}

func (f *function) kwDefault(name string) (Value, bool) {
	if f.kwDefaults == nil {
		return Value{}, false
	}
	i := f.kwDefaults.findStr(SharedStr(name)) // an error is on its way, or **kwargs
	if i < 0 {
		return Value{}, false
	}
	return f.kwDefaults.entries[i].value, true
}

func (b *binder) missing(what string, names []string) error {
	return raise.Type("%s() missing %d required %s argument%s: %s",
		b.code.QualName, len(names), what, plural(len(names)), quotedList(names))
}

// quotedList writes 'a', 'b', and 'c'.
func quotedList(names []string) string {
	var s strings.Builder
	for i, name := range names {
		switch {
		case i == 0:
		case i == len(names)-1 && len(names) == 2:
			s.WriteString(" and ")
		case i == len(names)-1:
			s.WriteString(", and ")
		default:
			s.WriteString(", ")
		}
		fmt.Fprintf(&s, "'%s'", name)
	}
	return s.String()
}

func (b *binder) tooMany() error {
	c := b.code
	least := c.Pos - len(b.f.defaults)
	takes := fmt.Sprintf("%d positional argument%s", c.Pos, plural(c.Pos))
	if len(b.f.defaults) > 0 {
		takes = fmt.Sprintf("from %d to %d positional arguments", least, c.Pos)
	}
	given := 0
	for i := c.Pos; i < c.Pos+c.KwOnly; i++ {
		if b.slots[i].Bound() {
			given++
		}
	}
	was := "were"
	if len(b.pos) == 1 && given == 0 {
		was = "was"
	}
	if given > 0 {
		return raise.Type("%s() takes %s but %d positional argument%s (and %d keyword-only argument%s) were given",
			c.QualName, takes, len(b.pos), plural(len(b.pos)), given, plural(given))
	}
	return raise.Type("%s() takes %s but %d %s given", c.QualName, takes, len(b.pos), was)
}
