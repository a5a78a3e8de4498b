package modules

import (
	"github.com/glovebox-dev/glovebox/py/internal/machine"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
	"github.com/glovebox-dev/glovebox/py/internal/text"
	"github.com/glovebox-dev/glovebox/py/internal/unidata"
)

// The work of a look at the tables, and of a search through the names.
const (
	characterWork = 500
	namesWork     = 2_000_000
)

// defineUnicodedata defines the module unicodedata.
func defineUnicodedata(r *machine.Registry) {
	r.Module("unicodedata", func(mod *machine.ModuleBuilder) {
		version := machine.SharedStr(unidata.Version)
		mod.Identify(version.Ref(), "unicodedata version")
		mod.Define("unidata_version", version.Ref())
		for name, get := range map[string]func(m *machine.Machine, c unidata.Record) machine.Value{
			"category":         func(m *machine.Machine, c unidata.Record) machine.Value { return m.Message(c.Category) },
			"bidirectional":    func(m *machine.Machine, c unidata.Record) machine.Value { return m.Message(c.Bidirectional) },
			"combining":        func(m *machine.Machine, c unidata.Record) machine.Value { return machine.Int(int64(c.Combining)) },
			"east_asian_width": func(m *machine.Machine, c unidata.Record) machine.Value { return m.Message(c.Width) },
			"mirrored":         func(m *machine.Machine, c unidata.Record) machine.Value { return machine.Int(truthInt(c.Mirrored)) },
			"decomposition":    func(m *machine.Machine, c unidata.Record) machine.Value { return m.Message(c.Decomposition) },
		} {
			mod.Counted(name, 1, 1, func(m *machine.Machine, a machine.Args) (machine.Value, error) {
				r, err := character(m, name, "argument", a.Arg(0))
				if err != nil {
					return machine.Value{}, err
				}
				return get(m, unidata.Find(r)), nil
			})
		}
		numberFunc(mod, "decimal", "not a decimal", func(c unidata.Record) (machine.Value, bool) { return machine.Int(int64(c.Number)), c.Decimal })
		numberFunc(mod, "digit", "not a digit", func(c unidata.Record) (machine.Value, bool) { return machine.Int(int64(c.Number)), c.Digit })
		numberFunc(mod, "numeric", "not a numeric character", func(c unidata.Record) (machine.Value, bool) { return machine.Float(c.Number), c.Numeric })
		mod.Counted("name", 1, 2, unicodeName)
		mod.Counted("lookup", 1, 1, unicodeLookup)
		mod.Counted("normalize", 2, 2, func(m *machine.Machine, a machine.Args) (machine.Value, error) {
			s, err := normalized(m, a)
			if err != nil {
				return machine.Value{}, err
			}
			return m.Str(s)
		})
		mod.Counted("is_normalized", 2, 2, func(m *machine.Machine, a machine.Args) (machine.Value, error) {
			s, err := normalized(m, a)
			if err != nil {
				return machine.Value{}, err
			}
			return machine.Bool(s == machine.Plain(a.Arg(1)).Str().Text()), nil
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
func character(m *machine.Machine, fn, arg string, v machine.Value) (rune, error) {
	if err := m.Work(characterWork); err != nil {
		return 0, err
	}
	s := machine.Plain(v).Str()
	if s == nil {
		return 0, raise.Type("%s() %s must be a unicode character, not %s", fn, arg, machine.TypeName(v))
	}
	r, size := text.DecodeRune(s.Text())
	if s.Text() == "" || size != len(s.Text()) {
		return 0, raise.Type("%s() %s must be a unicode character, not str", fn, arg)
	}
	return r, nil
}

// numberFunc defines a function of the number that a character stands for, with a
// default for others.
func numberFunc(mod *machine.ModuleBuilder, name, not string, get func(c unidata.Record) (machine.Value, bool)) {
	mod.Counted(name, 1, 2, func(m *machine.Machine, a machine.Args) (machine.Value, error) {
		r, err := character(m, name, "argument 1", a.Arg(0))
		if err != nil {
			return machine.Value{}, err
		}
		if v, ok := get(unidata.Find(r)); ok {
			return v, nil
		}
		if len(a.All()) == 2 {
			return a.Arg(1), nil
		}
		return machine.Value{}, raise.Value("%s", not)
	})
}

func unicodeName(m *machine.Machine, a machine.Args) (machine.Value, error) {
	r, err := character(m, "name", "argument 1", a.Arg(0))
	if err != nil {
		return machine.Value{}, err
	}
	if name := unidata.Name(r); name != "" {
		return m.Str(name)
	}
	if len(a.All()) == 2 {
		return a.Arg(1), nil
	}
	return machine.Value{}, raise.Value("no such name")
}

func unicodeLookup(m *machine.Machine, a machine.Args) (machine.Value, error) {
	s, err := machine.WantStr(machine.Plain(a.Arg(0)), "lookup() argument must be a str, not %s", machine.TypeName(a.Arg(0)))
	if err != nil {
		return machine.Value{}, err
	}
	for range namesWork / 500_000 {
		if err := m.Work(500_000); err != nil {
			return machine.Value{}, err
		}
	}
	if len(s.Text()) < 256 {
		if r, ok := unidata.Lookup(s.Text()); ok {
			return m.Str(string(text.AppendRune(nil, r)))
		}
	}
	return machine.Value{}, raise.New("KeyError", "undefined character name '%.256s'", s.Text())
}

func normalized(m *machine.Machine, a machine.Args) (string, error) {
	name, err := machine.WantStr(machine.Plain(a.Arg(0)), "normalize() argument 1 must be str, not %s", machine.TypeName(a.Arg(0)))
	if err != nil {
		return "", err
	}
	s, err := machine.WantStr(machine.Plain(a.Arg(1)), "normalize() argument 2 must be str, not %s", machine.TypeName(a.Arg(1)))
	if err != nil {
		return "", err
	}
	form, ok := unidata.Forms[name.Text()]
	if !ok {
		return "", raise.Value("invalid normalization form")
	}
	return form.Normalize(m, s.Text())
}
