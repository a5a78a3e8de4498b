package machine

import (
	"strings"

	"github.com/glovebox-dev/glovebox/py/internal/raise"
	"github.com/glovebox-dev/glovebox/py/internal/text"
)

// formatMethod is str.format. What needs code of the program is done again from
// the start by format_fields of the prelude: nothing here has an effect.
func formatMethod(m *Machine, t text.Str, a Args) (Value, error) {
	f := formatter{m: m, out: writer{m: m}, positional: a.Positional()[1:], named: a.Name}
	err := f.format(t.S, 0)
	if err == ErrForeign {
		return m.formatSlowly(a)
	}
	if err != nil {
		return Value{}, err
	}
	return m.ownText(t, f.out.b.String()), nil
}

func (m *Machine) formatSlowly(a Args) (Value, error) {
	args, err := m.NewTuple(a.Positional()[1:])
	if err != nil {
		return Value{}, err
	}
	names := m.NewDict()
	if a.names != nil {
		for i, n := range a.names.items {
			if err := m.setStr(names, n.Str(), a.v[a.Len()+i]); err != nil {
				return Value{}, err
			}
		}
	}
	return m.Then(m.Intrinsic("format_string"), a.v[0], args, names.Ref())
}

// formatMapMethod is str.format_map.
func formatMapMethod(m *Machine, t text.Str, a Args) (Value, error) {
	return m.Then(m.Intrinsic("format_string"), a.v[0], None, a.v[1])
}

// formatter formats by str.format.
type formatter struct {
	m          *Machine
	out        writer
	positional []Value
	named      func(string) Value
	numbering  text.Numbering
}

// maxFormatDepth is how deep formats may be inside each other.
const maxFormatDepth = 2

func (f *formatter) format(format string, depth int) error {
	if depth == maxFormatDepth {
		return text.TooDeep()
	}
	fields := text.Fields{Rest: format}
	for {
		s, more, err := fields.Next(f.m)
		if err != nil || !more {
			return err
		}
		if err := f.out.text(s.Literal); err != nil {
			return err
		}
		if !s.HasField {
			continue
		}
		if err := f.field(s, depth); err != nil {
			return err
		}
	}
}

func (f *formatter) field(s text.Segment, depth int) error {
	v, err := f.value(s.Name)
	if err != nil {
		return err
	}
	if v, err = f.converted(v, s); err != nil {
		return err
	}
	if s.Nested {
		before := f.out
		f.out = writer{m: f.m}
		err := f.format(s.Spec, depth+1)
		s.Spec = f.out.b.String()
		f.out = before
		if err != nil {
			return err
		}
	}
	t, err := f.m.formatNative(v, s.Spec)
	if err != nil {
		return err
	}
	return f.out.text(t)
}

// value finds what a field names.
func (f *formatter) value(name string) (Value, error) {
	n, err := text.SplitName(f.m, name)
	if err != nil {
		return Value{}, err
	}
	i, err := f.numbering.Number(n)
	if err != nil {
		return Value{}, err
	}
	var v Value
	switch {
	case i < 0:
		if v = f.named(n.Key); !v.Bound() {
			return Value{}, f.m.keyError(f.m.SmallStr(n.Key))
		}
	case i >= len(f.positional):
		return Value{}, text.NoArgument(i)
	default:
		v = f.positional[i]
	}
	for _, s := range n.Steps {
		if v, err = f.step(v, s); err != nil {
			return Value{}, err
		}
		if err := f.m.Work(WorkPerStep); err != nil {
			return Value{}, err
		}
	}
	return v, nil
}

// step is v.name or v[key]. It returns errForeign for what may need code of the
// program.
func (f *formatter) step(v Value, s text.Step) (Value, error) {
	switch {
	case s.Attribute:
		name := f.m.SmallStr(s.Key)
		if err := f.m.visibleAttr(v, name); err != nil {
			return Value{}, err
		}
		return f.m.attrQuick(v, name)
	case v.Kind() == KindList || v.Kind() == KindTuple:
		return f.m.item(v, f.m.stepKey(s))
	case v.Kind() != KindDict:
		return Value{}, ErrForeign
	}
	d, key := v.Dict(), f.m.stepKey(s)
	i, err := f.m.findKey(&d.table, key)
	if err != nil {
		return Value{}, err
	}
	if i < 0 {
		return Value{}, f.m.keyError(key)
	}
	return d.entries[i].value, nil
}

// visibleAttr refuses names that begin with an underscore: a format string may
// come from elsewhere, and must not reach what is inside of objects.
func (m *Machine) visibleAttr(v, name Value) error {
	if strings.HasPrefix(name.Str().s, "_") {
		return m.noAttr(v, name.Str())
	}
	return nil
}

func (m *Machine) stepKey(s text.Step) Value {
	if s.Index >= 0 {
		return Int(int64(s.Index))
	}
	return m.SmallStr(s.Key)
}

func (f *formatter) converted(v Value, s text.Segment) (Value, error) {
	c, err := s.CheckConversion()
	if err != nil || c == 0 {
		return v, err
	}
	how := f.m.strNative
	switch c {
	case 'r':
		how = f.m.ReprNative
	case 'a':
		how = f.m.asciiNative
	}
	t, err := how(v)
	if err != nil {
		return Value{}, err
	}
	return f.m.Message(t), nil
}

// defineFormatting defines what format_string of the prelude is made of.
func defineFormatting(r *Registry) {
	r.Intrinsic("_percent", percentNative)
	r.Intrinsic("_replacement", replacementNative)
	r.Intrinsic("_segment", segmentNative)
	r.Intrinsic("_field", fieldNative)
	r.Intrinsic("_refuse_conversion", func(m *Machine, a Args) (Value, error) {
		_, err := text.Segment{Conversion: a.v[0].Str().s}.CheckConversion()
		return None, err
	})
	r.Intrinsic("_field_attr", func(m *Machine, a Args) (Value, error) {
		if err := m.visibleAttr(a.v[0], a.v[1]); err != nil {
			return Value{}, err
		}
		return m.attr(a.v[0], a.v[1])
	})
}

// segmentNative is _segment(format, at): the literal at an offset, the field
// after it or None as its name, conversion, spec and whether that is nested,
// and the offset of what follows, or None at the end.
func segmentNative(m *Machine, a Args) (Value, error) {
	s := Plain(a.v[0]).Str()
	at := int(a.v[1].Int())
	if s == nil || at < 0 || at > len(s.s) {
		return Value{}, ErrMalformed
	}
	fields := text.Fields{Rest: s.s[at:]}
	segment, more, err := fields.Next(m)
	if err != nil {
		return Value{}, err
	}
	if !more {
		return m.NewTuple([]Value{emptyStr.Ref(), None, None})
	}
	literal, err := m.CutStr(segment.Literal)
	if err != nil {
		return Value{}, err
	}
	field := None
	if segment.HasField {
		if field, err = m.fieldTuple(segment); err != nil {
			return Value{}, err
		}
	}
	return m.NewTuple([]Value{literal, field, Int(int64(len(s.s) - len(fields.Rest)))})
}

func (m *Machine) fieldTuple(s text.Segment) (Value, error) {
	name, err := m.CutStr(s.Name)
	if err != nil {
		return Value{}, err
	}
	spec, err := m.CutStr(s.Spec)
	if err != nil {
		return Value{}, err
	}
	return m.NewTuple([]Value{name, m.SmallStr(s.Conversion), spec, Bool(s.Nested)})
}

// fieldNative is _field(name, args, numbering): the index of the argument or
// None, its key or None, the steps from it, and the numbering after it. args is
// None when there are no positional arguments to speak of.
func fieldNative(m *Machine, a Args) (Value, error) {
	name := a.v[0].Str()
	if name == nil {
		return Value{}, ErrMalformed
	}
	n, err := text.SplitName(m, name.s)
	if err != nil {
		return Value{}, err
	}
	numbering := text.NumberingFrom(a.v[2].Int())
	i, err := numbering.Number(n)
	if err != nil {
		return Value{}, err
	}
	index, key := Int(int64(i)), None
	args := a.v[1].Tuple()
	switch {
	case i < 0:
		index, key = None, m.SmallStr(n.Key)
	case args == nil:
		return Value{}, raise.Value("Format string contains positional fields")
	case i >= len(args.items):
		return Value{}, text.NoArgument(i)
	}
	if err := m.Alloc(len(n.Steps) * (ValueBytes + TupleBytes + 2*ValueBytes + StrBytes)); err != nil {
		return Value{}, err
	}
	steps := make([]Value, len(n.Steps))
	for i, s := range n.Steps {
		steps[i] = m.Pair(Bool(s.Attribute), m.stepKey(s))
	}
	list, err := m.NewList(steps)
	if err != nil {
		return Value{}, err
	}
	return m.NewTuple([]Value{index, key, list, Int(numbering.State())})
}
