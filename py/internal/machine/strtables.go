package machine

import (
	"github.com/glovebox-dev/glovebox/py/internal/raise"
	"github.com/glovebox-dev/glovebox/py/internal/text"
)

// translateMethod is str.translate.
func translateMethod(m *Machine, t text.Str, a Args) (Value, error) {
	d := plain(a.v[1]).dict()
	if d == nil || a.v[1].kind() != kindDict {
		return m.then(m.intrinsic("translate_by"), a.v[0], a.v[1])
	}
	s, err := text.Translate(m, t.S, translation{m, d})
	if err == errForeign {
		return m.then(m.intrinsic("translate_by"), a.v[0], a.v[1])
	}
	return m.changed(t, a)(s, err)
}

// translation is a dict as a table of str.translate.
type translation struct {
	m *Machine
	d *dict
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
	switch p := plain(v); p.kind() {
	case kindNone:
		return "", nil
	case kindStr:
		return p.str().s, nil
	case kindInt, kindBool:
		r, err := text.TableRune(p.int())
		return text.Chr(r), err
	case kindBigInt:
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
	return m.cut(s)
}

// makeTransMethod is str.maketrans.
func makeTransMethod(m *Machine, a Args) (Value, error) {
	if a.named() > 0 {
		return Value{}, raise.Type("maketrans() takes no keyword arguments")
	}
	if a.len() == 1 {
		return m.tableOfDict(a.v[0])
	}
	texts := make([]string, 3)
	for i, v := range a.v {
		s := plain(v).str()
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
	d := m.newDict()
	for _, p := range pairs {
		to := Int(int64(p.To))
		if p.Delete {
			to = None
		}
		if err := m.putKey(&d.table, Int(int64(p.From)), to); err != nil {
			return Value{}, err
		}
		if err := m.Work(2 * workPerStep); err != nil {
			return Value{}, err
		}
	}
	return d.ref(), nil
}

// tableOfDict is str.maketrans of a dict: keys of one character become their
// numbers.
func (m *Machine) tableOfDict(v Value) (Value, error) {
	from := plain(v).dict()
	if from == nil {
		return Value{}, raise.Type("if you give only one argument to maketrans it must be a dict")
	}
	d := m.newDict()
	for i := from.next(0); i >= 0; i = from.next(i + 1) {
		key := plain(from.entries[i].key)
		s := key.str()
		switch {
		case s != nil && s.len() != 1:
			return Value{}, raise.Value("string keys in translate table must be of length 1")
		case s != nil:
			r, _ := text.DecodeRune(s.s)
			key = Int(int64(r))
		case !isIntegral(key) && key.kind() != kindBigInt:
			return Value{}, raise.Type("keys in translate table must be strings or integers")
		}
		if err := m.putKey(&d.table, key, from.entries[i].value); err != nil {
			return Value{}, err
		}
		if err := m.Work(4 * workPerStep); err != nil {
			return Value{}, err
		}
	}
	return d.ref(), nil
}
