package machine

import (
	"github.com/glovebox-dev/glovebox/py/internal/budget"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
	"github.com/glovebox-dev/glovebox/py/internal/text"
)

// searches are the methods that look for a text in another.
func (d textMethods) searches() {
	d.search("find", text.Find, false)
	d.search("rfind", text.RFind, false)
	d.search("index", text.Find, true)
	d.search("rindex", text.RFind, true)
	d.search("count", text.Count, false)
	d.affix("startswith", text.StartsWith)
	d.affix("endswith", text.EndsWith)
}

func (d textMethods) search(name string, fn func(budget.Meter, text.Str, string, int, int) (int, error), must bool) {
	d.def(name, 2, 4, func(m *Machine, t text.Str, a Args) (Value, error) {
		sub, err := m.needle(t, a.v[1])
		if err != nil {
			return Value{}, err
		}
		start, end, err := m.span(a, 2)
		if err != nil {
			return Value{}, err
		}
		n, err := fn(m, t, sub, start, end)
		if err == nil && n < 0 && must {
			err = t.NotFound()
		}
		return Int(int64(n)), err
	}).wordy = true
}

// needle is what a search looks for: in bytes also the number of a byte.
func (m *Machine) needle(t text.Str, v Value) (string, error) {
	if o, ok := textual(v); ok && o.Raw == t.Raw {
		return o.S, nil
	}
	if !t.Raw {
		return "", raise.Type("must be str, not %s", TypeName(v))
	}
	p := Plain(v)
	switch {
	case p.Kind() == KindBigInt || IsIntegral(p) && p.n > 255:
		return "", raise.Value("byte must be in range(0, 256)")
	case IsIntegral(p):
		return string([]byte{byte(p.n)}), nil
	case m.ForeignIndex(v):
		return "", ErrForeign
	}
	return "", raise.Type("argument should be integer or bytes-like object, not '%s'", TypeName(v))
}

func (d textMethods) affix(name string, fn func(budget.Meter, text.Str, string, int, int) (bool, error)) {
	d.def(name, 2, 4, func(m *Machine, t text.Str, a Args) (Value, error) {
		start, end, err := m.span(a, 2)
		if err != nil {
			return Value{}, err
		}
		affixes := a.v[1:2]
		many := Plain(a.v[1]).Tuple()
		if many != nil {
			affixes = many.items
		}
		for _, v := range affixes {
			o, ok := textual(v)
			if !ok || o.Raw != t.Raw {
				return Value{}, notAffix(t, name, v, many != nil)
			}
			if yes, err := fn(m, t, o.S, start, end); err != nil || yes {
				return Bool(yes), err
			}
		}
		return False, nil
	}).wordy = true
}

func notAffix(t text.Str, name string, v Value, inTuple bool) error {
	what := textClass(t).name
	switch {
	case inTuple && t.Raw:
		return raise.Type("a bytes-like object is required, not '%s'", TypeName(v))
	case inTuple:
		return raise.Type("tuple for %s must only contain str, not %s", name, TypeName(v))
	}
	return raise.Type("%s first arg must be %s or a tuple of %s, not %s", name, what, what, TypeName(v))
}

// splits are the methods that cut a text into parts.
func (d textMethods) splits() {
	d.split("split", text.Split, text.SplitSpace)
	d.split("rsplit", text.RSplit, text.RSplitSpace)
	d.def("partition", 2, 2, func(m *Machine, t text.Str, a Args) (Value, error) {
		sep, err := like(t, a.v[1], "must be str, not")
		if err != nil {
			return Value{}, err
		}
		parts, err := text.Partition(m, t.S, sep)
		return m.threeOf(t, parts, err)
	})
	d.def("rpartition", 2, 2, func(m *Machine, t text.Str, a Args) (Value, error) {
		sep, err := like(t, a.v[1], "must be str, not")
		if err != nil {
			return Value{}, err
		}
		parts, err := text.RPartition(m, t.S, sep)
		return m.threeOf(t, parts, err)
	})
	d.kw("splitlines", 1, 2, func(m *Machine, t text.Str, a Args) (Value, error) {
		if err := a.Only("splitlines", "keepends"); err != nil {
			return Value{}, err
		}
		v, err := a.param(1, "splitlines", "keepends")
		if err != nil {
			return Value{}, err
		}
		keep, err := m.intSize(v, 0)
		if err != nil {
			return Value{}, err
		}
		parts, err := text.SplitLines(m, t, keep != 0)
		return m.ownList(t, parts, err)
	})
}

func (d textMethods) split(name string, at func(budget.Meter, string, string, int) ([]string, error),
	space func(budget.Meter, text.Str, int) ([]string, error)) {
	d.kw(name, 1, 3, func(m *Machine, t text.Str, a Args) (Value, error) {
		sep, limit, err := m.splitArgs(a, name)
		if err != nil {
			return Value{}, err
		}
		if !sep.Bound() || sep.IsNone() {
			parts, err := space(m, t, limit)
			return m.ownList(t, parts, err)
		}
		s, err := like(t, sep, "must be str or None, not")
		if err != nil {
			return Value{}, err
		}
		parts, err := at(m, t.S, s, limit)
		return m.ownList(t, parts, err)
	})
}

func (m *Machine) splitArgs(a Args, name string) (sep Value, limit int, err error) {
	if err := a.Only(name, "sep", "maxsplit"); err != nil {
		return Value{}, 0, err
	}
	if sep, err = a.param(1, name, "sep"); err != nil {
		return Value{}, 0, err
	}
	v, err := a.param(2, name, "maxsplit")
	if err != nil {
		return Value{}, 0, err
	}
	limit, err = m.sizeOr(v, -1)
	return sep, limit, err
}
