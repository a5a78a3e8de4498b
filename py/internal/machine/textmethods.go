package machine

import (
	"strings"

	"github.com/glovebox-dev/glovebox/py/internal/budget"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
	"github.com/glovebox-dev/glovebox/py/internal/text"
)

// defineCommon defines what str and bytes both have.
func defineCommon(d textMethods) {
	d.changes()
	d.tests()
	d.searches()
	d.splits()
	d.pads()
	d.def("replace", 3, 4, replaceMethod)
	d.def("removeprefix", 2, 2, func(m *Machine, t text.Str, a Args) (Value, error) {
		return m.removed(t, a, "removeprefix", text.RemovePrefix)
	})
	d.def("removesuffix", 2, 2, func(m *Machine, t text.Str, a Args) (Value, error) {
		return m.removed(t, a, "removesuffix", text.RemoveSuffix)
	})
	d.strip("strip", text.Both)
	d.strip("lstrip", text.Left)
	d.strip("rstrip", text.Right)
	d.def("join", 2, 2, joinMethod)
	d.def("__len__", 1, 1, func(m *Machine, t text.Str, a Args) (Value, error) {
		n, err := m.length(Plain(a.v[0]))
		return Int(int64(n)), err
	})
	d.def("__getitem__", 2, 2, func(m *Machine, t text.Str, a Args) (Value, error) { return m.item(Plain(a.v[0]), a.v[1]) })
	d.def("__iter__", 1, 1, func(m *Machine, t text.Str, a Args) (Value, error) { return m.iter(Plain(a.v[0])) })
	d.def("__contains__", 2, 2, func(m *Machine, t text.Str, a Args) (Value, error) {
		yes, err := m.containsNative(Plain(a.v[0]), a.v[1])
		return Bool(yes), err
	})
}

// changes are the methods that take nothing and return a text.
func (d textMethods) changes() {
	d.change("capitalize", text.Capitalize)
	d.change("lower", text.Lower)
	d.change("swapcase", text.SwapCase)
	d.change("title", text.Title)
	d.change("upper", text.Upper)
	d.kw("expandtabs", 1, 2, func(m *Machine, t text.Str, a Args) (Value, error) {
		if err := a.Only("expandtabs", "tabsize"); err != nil {
			return Value{}, err
		}
		v, err := a.param(1, "expandtabs", "tabsize")
		if err != nil {
			return Value{}, err
		}
		size, err := m.intSize(v, 8)
		if err != nil {
			return Value{}, err
		}
		return m.changed(t, a)(text.ExpandTabs(m, t, size))
	})
}

func (d textMethods) change(name string, fn func(budget.Meter, text.Str) (string, error)) {
	d.def(name, 1, 1, func(m *Machine, t text.Str, a Args) (Value, error) { return m.changed(t, a)(fn(m, t)) })
}

// changed takes what a function of package text returned.
func (m *Machine) changed(t text.Str, a Args) func(string, error) (Value, error) {
	return func(s string, err error) (Value, error) {
		if err != nil {
			return Value{}, err
		}
		return m.made(a.v[0], t, s), nil
	}
}

// tests are the methods that take nothing and return a bool.
func (d textMethods) tests() {
	d.property("isalnum", text.Alnum)
	d.property("isalpha", text.Alpha)
	d.property("isdigit", text.Digit)
	d.property("isspace", text.Space)
	d.test("islower", text.IsLower)
	d.test("isupper", text.IsUpper)
	d.test("istitle", text.IsTitle)
	d.def("isascii", 1, 1, func(m *Machine, t text.Str, a Args) (Value, error) {
		return Bool(text.ASCII(t.S)), m.Work(len(t.S) / 8)
	})
}

func (d textMethods) property(name string, p text.Property) {
	d.test(name, func(m budget.Meter, t text.Str) (bool, error) { return text.Is(m, t, p) })
}

func (d textMethods) test(name string, fn func(budget.Meter, text.Str) (bool, error)) {
	d.def(name, 1, 1, func(m *Machine, t text.Str, a Args) (Value, error) {
		yes, err := fn(m, t)
		return Bool(yes), err
	})
}

func (d textMethods) strip(name string, side text.Side) {
	d.def(name, 1, 2, func(m *Machine, t text.Str, a Args) (Value, error) {
		if v := a.At(1); !v.Bound() || v.IsNone() {
			s, err := text.StripSpace(m, t, side)
			return m.part(t, a, s, err)
		}
		set, ok := textual(a.v[1])
		if !ok || set.Raw != t.Raw {
			if t.Raw {
				return Value{}, raise.Type("a bytes-like object is required, not '%s'", TypeName(a.v[1]))
			}
			return Value{}, raise.Type("%s arg must be None or str", name)
		}
		s, err := text.Strip(m, t, set.S, side)
		return m.part(t, a, s, err)
	})
}

// part is made of a part of t.
func (m *Machine) part(t text.Str, a Args, s string, err error) (Value, error) {
	if err != nil {
		return Value{}, err
	}
	if len(s) == len(t.S) && a.v[0].Kind() != KindInstance {
		return a.v[0], nil
	}
	return m.ownPart(t, s), nil
}

func (m *Machine) removed(t text.Str, a Args, name string, fn func(budget.Meter, string, string) (string, error)) (Value, error) {
	end, err := likeArgument(t, a.v[1], name+"() argument must be str, not")
	if err != nil {
		return Value{}, err
	}
	s, err := fn(m, t.S, end)
	return m.part(t, a, s, err)
}

func replaceMethod(m *Machine, t text.Str, a Args) (Value, error) {
	old, err := likeArgument(t, a.v[1], "replace() argument 1 must be str, not")
	if err != nil {
		return Value{}, err
	}
	with, err := likeArgument(t, a.v[2], "replace() argument 2 must be str, not")
	if err != nil {
		return Value{}, err
	}
	limit, err := m.sizeOr(a.At(3), -1)
	if err != nil {
		return Value{}, err
	}
	return m.changed(t, a)(text.Replace(m, t, old, with, limit))
}

// pads are the methods that make a text wider.
func (d textMethods) pads() {
	d.pad("center", text.Center)
	d.pad("ljust", text.LJust)
	d.pad("rjust", text.RJust)
	d.def("zfill", 2, 2, func(m *Machine, t text.Str, a Args) (Value, error) {
		width, err := m.size(a.v[1])
		if err != nil {
			return Value{}, err
		}
		return m.changed(t, a)(text.ZFill(m, t, width))
	})
}

func (d textMethods) pad(name string, fn func(budget.Meter, text.Str, int, string) (string, error)) {
	d.def(name, 2, 3, func(m *Machine, t text.Str, a Args) (Value, error) {
		width, err := m.size(a.v[1])
		if err != nil {
			return Value{}, err
		}
		fill, err := fillOf(t, a, name)
		if err != nil {
			return Value{}, err
		}
		return m.changed(t, a)(fn(m, t, width, fill))
	})
}

func fillOf(t text.Str, a Args, name string) (string, error) {
	v := a.At(2)
	if !v.Bound() {
		return " ", nil
	}
	fill, ok := textual(v)
	switch {
	case ok && fill.Raw == t.Raw && fill.Len() == 1:
		return fill.S, nil
	case t.Raw:
		return "", raise.Type("%s() argument 2 must be a byte string of length 1, not %s", name, TypeName(v))
	case ok && !fill.Raw:
		return "", raise.Type("The fill character must be exactly one character long")
	}
	return "", raise.Type("The fill character must be a unicode character, not %s", TypeName(v))
}

// joinMethod is sep.join(iterable).
func joinMethod(m *Machine, t text.Str, a Args) (Value, error) {
	if l := a.v[1].List(); l != nil && len(l.items) > 1 && !t.Raw {
		if v, err := m.joinStrs(t, l.items); v.Bound() || err != nil {
			return v, err
		}
	}
	items, ok, err := m.Collect(a.v[1])
	if err != nil {
		return Value{}, err
	}
	if !ok {
		if m.CheckIterable(a.v[1]) != nil {
			return Value{}, raise.Type("can only join an iterable")
		}
		return m.listed(known.natives[textClass(t).name+".join"], a, 1)
	}
	if len(items) == 1 && items[0].Kind() == KindStr && !t.Raw {
		return items[0], nil
	}
	if err := m.Alloc(len(items) * ValueBytes); err != nil {
		return Value{}, err
	}
	parts := make([]string, len(items))
	for i, v := range items {
		part, ok := textual(v)
		if !ok || part.Raw != t.Raw {
			return Value{}, notJoined(t, i, v)
		}
		parts[i] = part.S
	}
	s, err := text.Join(m, t.S, parts)
	if err != nil {
		return Value{}, err
	}
	return m.ownText(t, s), m.Work(len(items) * WorkPerStep)
}

// joinStrs joins items that are all strs; else it returns no value.
func (m *Machine) joinStrs(sep text.Str, items []Value) (Value, error) {
	size, flat := len(sep.S)*(len(items)-1), sep.Flat
	for _, v := range items {
		s := v.Str()
		if s == nil {
			return Value{}, m.Work(len(items) * WorkPerStep)
		}
		size += len(s.s)
		flat = flat && int(s.length) == len(s.s)
	}
	if err := m.Work(len(items)*WorkPerStep + size/16); err != nil {
		return Value{}, err
	}
	if err := m.Alloc(StrBytes + size); err != nil {
		return Value{}, err
	}
	var b strings.Builder
	b.Grow(size)
	for i, v := range items {
		if i > 0 {
			b.WriteString(sep.S)
		}
		b.WriteString(v.Str().s)
	}
	length := int32(-1)
	if flat {
		length = int32(size)
	}
	return (&Str{s: b.String(), length: length}).value(), nil
}

func notJoined(t text.Str, i int, v Value) error {
	if t.Raw {
		return raise.Type("sequence item %d: expected a bytes-like object, %s found", i, TypeName(v))
	}
	return raise.Type("sequence item %d: expected str instance, %s found", i, TypeName(v))
}

func textClass(t text.Str) *Class {
	if t.Raw {
		return bytesType
	}
	return strType
}
