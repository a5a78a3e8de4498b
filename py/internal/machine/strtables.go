package machine

import (
	"github.com/glovebox-dev/glovebox/py/internal/raise"
	"github.com/glovebox-dev/glovebox/py/internal/text"
)

// translateMethod is str.translate.
func translateMethod(m *Machine, t text.Str, a Args) (Value, error) {
	d := Plain(a.v[1]).Dict()
	if d == nil || a.v[1].Kind() != KindDict {
		return m.Then(m.Intrinsic("translate_by"), a.v[0], a.v[1])
	}
	s, err := text.Translate(m, t.S, translation{m, d})
	if err == ErrForeign {
		return m.Then(m.Intrinsic("translate_by"), a.v[0], a.v[1])
	}
	return m.changed(t, a)(s, err)
}

// translation is a dict as a table of str.translate.
type translation struct {
	m *Machine
	d *Dict
}

// Lookup returns what stands for r in the dict.
func (t translation) Lookup(r rune) (with string, keep bool, err error) {
	i, err := t.m.findKey(&t.d.table, Int(int64(r)))
	if err != nil || i < 0 {
		return "", err == nil, err
	}
	with, err = replacement(t.d.entries[i].value)
	return with, false, err
}

// replacement is the text for an entry of a translate table.
func replacement(v Value) (string, error) {
	switch p := Plain(v); p.Kind() {
	case KindNone:
		return "", nil
	case KindStr:
		return p.Str().s, nil
	case KindInt, KindBool:
		r, err := text.TableRune(p.Int())
		return text.Chr(r), err
	case KindBigInt:
		_, err := text.TableRune(-1)
		return "", err
	}
	return "", raise.Type("character mapping must return integer, None or str")
}

func replacementNative(m *Machine, a Args) (Value, error) {
	s, err := replacement(a.v[0])
	if err != nil {
		return Value{}, err
	}
	return m.CutStr(s)
}

// makeTransMethod is str.maketrans.
func makeTransMethod(m *Machine, a Args) (Value, error) {
	if a.Named() > 0 {
		return Value{}, raise.Type("maketrans() takes no keyword arguments")
	}
	if a.Len() == 1 {
		return m.tableOfDict(a.v[0])
	}
	texts := make([]string, 3)
	for i, v := range a.v {
		s := Plain(v).Str()
		switch {
		case s == nil && i == 0:
			return Value{}, raise.Type("first maketrans argument must be a string if there is a second argument")
		case s == nil:
			return Value{}, raise.Type("maketrans() argument %d must be str, not %s", i+1, argumentName(v))
		}
		texts[i] = s.s
	}
	pairs, err := text.MakeTrans(m, texts[0], texts[1], texts[2])
	if err != nil {
		return Value{}, err
	}
	d := m.NewDict()
	for _, p := range pairs {
		to := Int(int64(p.To))
		if p.Delete {
			to = None
		}
		if err := m.putKey(&d.table, Int(int64(p.From)), to); err != nil {
			return Value{}, err
		}
		if err := m.Work(2 * WorkPerStep); err != nil {
			return Value{}, err
		}
	}
	return d.Ref(), nil
}

// tableOfDict is str.maketrans of a dict: keys of one character become their
// numbers.
func (m *Machine) tableOfDict(v Value) (Value, error) {
	from := Plain(v).Dict()
	if from == nil {
		return Value{}, raise.Type("if you give only one argument to maketrans it must be a dict")
	}
	d := m.NewDict()
	for i := from.Next(0); i >= 0; i = from.Next(i + 1) {
		key := Plain(from.entries[i].key)
		s := key.Str()
		switch {
		case s != nil && s.len() != 1:
			return Value{}, raise.Value("string keys in translate table must be of length 1")
		case s != nil:
			r, _ := text.DecodeRune(s.s)
			key = Int(int64(r))
		case !IsIntegral(key) && key.Kind() != KindBigInt:
			return Value{}, raise.Type("keys in translate table must be strings or integers")
		}
		if err := m.putKey(&d.table, key, from.entries[i].value); err != nil {
			return Value{}, err
		}
		if err := m.Work(4 * WorkPerStep); err != nil {
			return Value{}, err
		}
	}
	return d.Ref(), nil
}
