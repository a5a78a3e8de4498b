package machine

import (
	"github.com/glovebox-dev/glovebox/py/internal/raise"
	"github.com/glovebox-dev/glovebox/py/internal/text"
	"github.com/glovebox-dev/glovebox/py/internal/unidata"
)

// What a look at the tables and a search through the names take.
const (
	characterWork = 500
	namesWork     = 2_000_000
)

// defineUnicodedata defines the module unicodedata.
func defineUnicodedata(r *registry) {
	r.nativeModule("unicodedata", func(mod *moduleMaker) {
		version := newStr(unidata.Version)
		mod.r.identify(version.ref(), "unicodedata version")
		mod.define("unidata_version", version.ref())
		for name, get := range map[string]func(m *Machine, c unidata.Record) Value{
			"category":         func(m *Machine, c unidata.Record) Value { return m.text(c.Category) },
			"bidirectional":    func(m *Machine, c unidata.Record) Value { return m.text(c.Bidirectional) },
			"combining":        func(m *Machine, c unidata.Record) Value { return Int(int64(c.Combining)) },
			"east_asian_width": func(m *Machine, c unidata.Record) Value { return m.text(c.Width) },
			"mirrored":         func(m *Machine, c unidata.Record) Value { return Int(truthInt(c.Mirrored)) },
			"decomposition":    func(m *Machine, c unidata.Record) Value { return m.text(c.Decomposition) },
		} {
			mod.counted(name, 1, 1, func(m *Machine, a Args) (Value, error) {
				r, err := m.character(name, "argument", a.v[0])
				if err != nil {
					return Value{}, err
				}
				return get(m, unidata.Find(r)), nil
			})
		}
		mod.number("decimal", "not a decimal", func(c unidata.Record) (Value, bool) { return Int(int64(c.Number)), c.Decimal })
		mod.number("digit", "not a digit", func(c unidata.Record) (Value, bool) { return Int(int64(c.Number)), c.Digit })
		mod.number("numeric", "not a numeric character", func(c unidata.Record) (Value, bool) { return Float(c.Number), c.Numeric })
		mod.counted("name", 1, 2, unicodeName)
		mod.counted("lookup", 1, 1, unicodeLookup)
		mod.counted("normalize", 2, 2, func(m *Machine, a Args) (Value, error) {
			s, err := m.normalized(a)
			if err != nil {
				return Value{}, err
			}
			return m.str(s)
		})
		mod.counted("is_normalized", 2, 2, func(m *Machine, a Args) (Value, error) {
			s, err := m.normalized(a)
			if err != nil {
				return Value{}, err
			}
			return Bool(s == plain(a.v[1]).str().s), nil
		})
	})
}

func truthInt(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// character is an argument that must be a str of one character.
func (m *Machine) character(fn, arg string, v Value) (rune, error) {
	if err := m.Work(characterWork); err != nil {
		return 0, err
	}
	s := plain(v).str()
	if s == nil {
		return 0, raise.Type("%s() %s must be a unicode character, not %s", fn, arg, typeName(v))
	}
	r, size := text.DecodeRune(s.s)
	if s.s == "" || size != len(s.s) {
		return 0, raise.Type("%s() %s must be a unicode character, not str", fn, arg)
	}
	return r, nil
}

// number defines a function of the number that a character stands for, with a
// default for others.
func (mod *moduleMaker) number(name, not string, get func(c unidata.Record) (Value, bool)) {
	mod.counted(name, 1, 2, func(m *Machine, a Args) (Value, error) {
		r, err := m.character(name, "argument 1", a.v[0])
		if err != nil {
			return Value{}, err
		}
		if v, ok := get(unidata.Find(r)); ok {
			return v, nil
		}
		if len(a.v) == 2 {
			return a.v[1], nil
		}
		return Value{}, raise.Value("%s", not)
	})
}

func unicodeName(m *Machine, a Args) (Value, error) {
	r, err := m.character("name", "argument 1", a.v[0])
	if err != nil {
		return Value{}, err
	}
	if name := unidata.Name(r); name != "" {
		return m.str(name)
	}
	if len(a.v) == 2 {
		return a.v[1], nil
	}
	return Value{}, raise.Value("no such name")
}

func unicodeLookup(m *Machine, a Args) (Value, error) {
	s, err := wantStr(plain(a.v[0]), "lookup() argument must be a str, not %s", typeName(a.v[0]))
	if err != nil {
		return Value{}, err
	}
	for range namesWork / 500_000 {
		if err := m.Work(500_000); err != nil {
			return Value{}, err
		}
	}
	if len(s.s) < 256 {
		if r, ok := unidata.Lookup(s.s); ok {
			return m.str(string(text.AppendRune(nil, r)))
		}
	}
	return Value{}, raise.New("KeyError", "undefined character name '%.256s'", s.s)
}

func (m *Machine) normalized(a Args) (string, error) {
	name, err := wantStr(plain(a.v[0]), "normalize() argument 1 must be str, not %s", typeName(a.v[0]))
	if err != nil {
		return "", err
	}
	s, err := wantStr(plain(a.v[1]), "normalize() argument 2 must be str, not %s", typeName(a.v[1]))
	if err != nil {
		return "", err
	}
	form, ok := unidata.Forms[name.s]
	if !ok {
		return "", raise.Value("invalid normalization form")
	}
	return form.Normalize(m, s.s)
}
