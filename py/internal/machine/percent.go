package machine

import (
	"github.com/glovebox-dev/glovebox/py/internal/raise"
	"github.com/glovebox-dev/glovebox/py/internal/text"
)

// percenter formats by the % operator. When code of the program has to work out
// a value, it stops before the directive, and resumes there with the result.
type percenter struct {
	m      *Machine
	format text.Str
	reader text.Percent
	values Value // the right operand
	args   []Value
	single Value // the only argument, instead of args
	used   int   // of args; -1 when a key was used before
	item   Value // what the key of the directive at hand stands for, in a tuple
	result Value // what code of the program made of the value at hand
	out    writer
	want   wanted

	resumed bool // the reader is in front of a directive
}

// wanted is what code of the program has to work out: how says what to make of
// value.
type wanted struct {
	how        string
	value, key Value
}

// percent is format % values.
func (m *Machine) percent(format, values Value) (Value, error) {
	if v := m.quickPercent(format, values); v.Bound() {
		return v, nil
	}
	var p percenter
	p.start(m, format, values)
	v, stop, err := p.run(Value{})
	if err != ErrForeign {
		return v, err
	}
	return m.enter(m.Intrinsic("percent_of"), contStore, Value{}, format, values, stop)
}

func (p *percenter) start(m *Machine, format, values Value) {
	p.m, p.values, p.out.m = m, values, m
	p.format, _ = textual(format)
	p.reader = *text.NewPercent(p.format)
	if o := Plain(values).Tuple(); o != nil {
		p.args = o.items
		return
	}
	p.single = values
}

// count is the number of arguments.
func (p *percenter) count() int {
	if p.single.Bound() {
		return 1
	}
	return len(p.args)
}

// percentNative is _percent(format, values, at, used, item, done, result): the
// rest of a format, as a str, or what percent_of needs to continue.
func percentNative(m *Machine, a Args) (Value, error) {
	var p percenter
	p.start(m, a.v[0], a.v[1])
	p.resumed = true
	p.reader.Seek(int(a.v[2].Int()))
	p.used = int(max(-1, min(a.v[3].Int(), int64(p.count()))))
	p.item, p.result = a.v[4], a.At(6)
	v, stop, err := p.run(a.v[5])
	if err == ErrForeign {
		return stop, nil
	}
	return v, err
}

// run formats on from the offset of the reader; done is what was made before.
// With errForeign comes the state to stop in.
func (p *percenter) run(done Value) (v, stop Value, err error) {
	for {
		more, err := p.literal()
		if err != nil {
			return Value{}, Value{}, err
		}
		if !more {
			break
		}
		at, used := p.reader.Offset(), p.used
		err = p.directive()
		if err == ErrForeign {
			return p.stop(at, used, done)
		}
		if err != nil {
			return Value{}, Value{}, err
		}
	}
	if p.used >= 0 && p.used < p.count() && !p.mapping() {
		return Value{}, Value{}, p.tooMany()
	}
	v, err = p.joined(done)
	return v, Value{}, err
}

// literal writes what is before the next directive, unless it was written
// before the stop.
func (p *percenter) literal() (more bool, err error) {
	if p.resumed {
		p.resumed = false
		return true, nil
	}
	s, more, err := p.reader.Literal(p.m)
	if err != nil {
		return false, err
	}
	return more, p.out.text(s)
}

// joined is what was made before and what was made now.
func (p *percenter) joined(done Value) (Value, error) {
	made := p.m.ownText(p.format, p.out.b.String())
	if !done.Bound() || done.IsNone() {
		return made, nil
	}
	return p.m.concatenate(done, made)
}

// stop is the state in front of a directive that needs code of the program.
func (p *percenter) stop(at, used int, done Value) (v, stop Value, err error) {
	done, err = p.joined(done)
	if err != nil {
		return Value{}, Value{}, err
	}
	stop, err = p.m.NewTuple([]Value{Int(int64(at)), Int(int64(used)), OrNone(p.item), done,
		p.m.Message(p.want.how), p.want.value, OrNone(p.want.key)})
	if err != nil {
		return Value{}, Value{}, err
	}
	return Value{}, stop, ErrForeign
}

// ask stops for code of the program.
func (p *percenter) ask(how string, value, key Value) error {
	p.want = wanted{how, value, key}
	return ErrForeign
}

// directive reads one directive and writes its value.
func (p *percenter) directive() error {
	if p.reader.KeyNext() && !p.mapping() {
		return text.NotMapping()
	}
	d, err := p.reader.Start(p.m)
	if err != nil {
		return err
	}
	if d.HasKey {
		if err := p.lookUp(d.Key); err != nil {
			return err
		}
	}
	if d, err = p.sizes(d); err != nil {
		return err
	}
	if d.Sign() {
		return p.out.text("%")
	}
	v, err := p.next()
	if err != nil {
		return err
	}
	s, err := p.formatted(d, v)
	if err != nil {
		return err
	}
	if d.HasKey {
		p.used = -1
	}
	p.item, p.result = Value{}, Value{}
	return p.out.text(s)
}

// sizes reads the width, the precision and the type.
func (p *percenter) sizes(d text.Directive) (text.Directive, error) {
	if d.StarWidth {
		n, err := p.star()
		if err != nil {
			return d, err
		}
		if d, err = p.reader.Width(d, n); err != nil {
			return d, err
		}
	}
	d, err := p.reader.Middle(d)
	if err != nil {
		return d, err
	}
	if d.StarPrecision {
		n, err := p.star()
		if err != nil {
			return d, err
		}
		if d, err = p.reader.Precision(d, n); err != nil {
			return d, err
		}
	}
	return p.reader.End(d)
}

// tooMany is the error of a value without a directive.
func (p *percenter) tooMany() error {
	if p.format.Raw {
		return raise.Type("not all arguments converted during bytes formatting")
	}
	return text.TooManyArguments()
}

func (p *percenter) star() (text.Int, error) {
	v, err := p.next()
	if err != nil {
		return text.Int{}, err
	}
	n, ok := wholeOf(v)
	if !ok {
		return n, text.StarNotInt()
	}
	return n, nil
}

// next takes an argument.
func (p *percenter) next() (Value, error) {
	if p.used < 0 || p.used >= p.count() {
		return Value{}, text.TooFewArguments()
	}
	p.used++
	if p.single.Bound() {
		return p.single, nil
	}
	return p.args[p.used-1], nil
}

// mapping reports whether the right operand can be asked for keys.
func (p *percenter) mapping() bool {
	switch v := p.values; Plain(v).Kind() {
	case KindDict, KindList, KindRange:
		return true
	case KindBytes:
		return !p.format.Raw
	case KindInstance, KindOpaque:
		_, ok := p.m.Lookup(ClassOf(v), nameGetItem)
		return ok
	}
	return false
}

// lookUp makes what a key stands for the only argument.
func (p *percenter) lookUp(key string) error {
	if o := p.item.Tuple(); o != nil {
		p.single, p.args, p.used = Value{}, o.items, 0
		return nil
	}
	if err := p.m.Alloc(len(key)); err != nil {
		return err
	}
	k := p.m.ownText(p.format, string([]byte(key)))
	d := p.values.Dict()
	if d == nil {
		return p.ask("getitem", p.values, k)
	}
	i, err := p.m.findKey(&d.table, k)
	if err == ErrForeign {
		return p.ask("getitem", p.values, k)
	}
	if err != nil {
		return err
	}
	if i < 0 {
		return p.m.keyError(k)
	}
	p.single, p.used = d.entries[i].value, 0
	return nil
}
