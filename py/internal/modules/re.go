package modules

import (
	"errors"
	"strings"

	"github.com/glovebox-dev/glovebox/py/internal/machine"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
	"github.com/glovebox-dev/glovebox/py/internal/regex"
	"github.com/glovebox-dev/glovebox/py/internal/text"
)

// The classes of the module re.
var (
	patternType = machine.NewClass("Pattern", "re.Pattern").Generic()
	matchType   = machine.NewClass("Match", "re.Match").Generic()
	scannerType = machine.NewClass("Scanner", "re.Scanner")
	regexError  = machine.NewExceptionClass("error", "re.error", "Exception")
)

// defineRe defines the module re.
func defineRe(r *machine.Registry) {
	r.Module("re", func(mod *machine.ModuleBuilder) {
		for name, flag := range map[string]regex.Flags{
			"A": regex.ASCII, "ASCII": regex.ASCII, "I": regex.IgnoreCase, "IGNORECASE": regex.IgnoreCase,
			"L": regex.Locale, "LOCALE": regex.Locale, "M": regex.Multiline, "MULTILINE": regex.Multiline,
			"S": regex.DotAll, "DOTALL": regex.DotAll, "U": regex.Unicode, "UNICODE": regex.Unicode,
			"X": regex.Verbose, "VERBOSE": regex.Verbose, "NOFLAG": 0,
		} {
			mod.Define(name, machine.Int(int64(flag)))
		}
		mod.Class("Pattern", patternType)
		mod.Class("Match", matchType)
		mod.Class("error", regexError)
		r.HiddenClass(scannerType)
		defineReFunctions(mod)
	})
	defineRegexError(r)
	r.Unboxer("re.Pattern", loadPattern)
	r.Unboxer("re.Match", loadMatch)
	r.Unboxer("re.Scanner", loadScanner)
	definePattern(r)
	defineMatch(r)
	defineScanner(r)
}

func defineReFunctions(mod *machine.ModuleBuilder) {
	mod.Function("compile", func(m *machine.Machine, a machine.Args) (machine.Value, error) {
		v, err := a.Bind("compile", 1, "pattern", "flags")
		if err != nil {
			return machine.Value{}, err
		}
		_, p, err := patternFor(m, v[0], v[1])
		return p, err
	})
	mod.Function("escape", func(m *machine.Machine, a machine.Args) (machine.Value, error) {
		v, err := a.Bind("escape", 1, "pattern")
		if err != nil {
			return machine.Value{}, err
		}
		return escapePattern(m, v[0])
	})
	mod.Function("purge", func(m *machine.Machine, a machine.Args) (machine.Value, error) {
		*patternsOf(m) = patternCache{}
		return machine.None, nil
	})
	for name, do := range searches {
		mod.Function(name, func(m *machine.Machine, a machine.Args) (machine.Value, error) {
			v, err := a.Bind(name, 2, "pattern", "string", "flags")
			if err != nil {
				return machine.Value{}, err
			}
			p, self, err := patternFor(m, v[0], v[2])
			if err != nil {
				return machine.Value{}, err
			}
			return do(m, p, self, v[1], machine.Value{}, machine.Value{})
		})
	}
	mod.Function("split", func(m *machine.Machine, a machine.Args) (machine.Value, error) {
		v, err := a.Bind("split", 2, "pattern", "string", "maxsplit", "flags")
		if err != nil {
			return machine.Value{}, err
		}
		p, self, err := patternFor(m, v[0], v[3])
		if err != nil {
			return machine.Value{}, err
		}
		return splitPattern(m, p, self, v[1], v[2])
	})
	for name, counted := range map[string]bool{"sub": false, "subn": true} {
		mod.Function(name, func(m *machine.Machine, a machine.Args) (machine.Value, error) {
			v, err := a.Bind(name, 3, "pattern", "repl", "string", "count", "flags")
			if err != nil {
				return machine.Value{}, err
			}
			p, self, err := patternFor(m, v[0], v[4])
			if err != nil {
				return machine.Value{}, err
			}
			return substitute(m, p, self, v[1], v[2], v[3], counted)
		})
	}
}

// patternCache keeps the patterns that the functions of re compiled, and the
// memory that matching uses.
type patternCache struct {
	by      map[patternKey]machine.Value
	scratch regex.Scratch
}

type patternKey struct {
	source string
	bytes  bool
	flags  regex.Flags
}

// The bounds of the cache. Large patterns are not kept, because what it holds
// counts as the program's memory.
const (
	maxCachedPatterns    = 64
	maxCachedPatternSize = 64 << 10
)

var patternState = machine.NewState(func() machine.State { return new(patternCache) })

func patternsOf(m *machine.Machine) *patternCache { return patternState.Of(m).(*patternCache) }

// Size is the memory that matching uses, and the entries.
func (c *patternCache) Size() int { return c.scratch.Size() + len(c.by)*2*machine.SliceBytes }

// Each visits the patterns.
func (c *patternCache) Each(visit func(machine.Value)) {
	for _, v := range c.by {
		visit(v)
	}
}

// patternFor returns the compiled pattern that v is or describes.
func patternFor(m *machine.Machine, v, flagsValue machine.Value) (*pattern, machine.Value, error) {
	flags, err := regexFlags(m, flagsValue)
	if err != nil {
		return nil, machine.Value{}, err
	}
	if p := patternOf(v); p != nil {
		if flags != 0 {
			return nil, machine.Value{}, raise.Value("cannot process flags argument with a compiled pattern")
		}
		return p, v, nil
	}
	source, isBytes, ok := subjectText(v)
	if !ok {
		return nil, machine.Value{}, raise.Type("first argument must be string or compiled pattern")
	}
	key := patternKey{source, isBytes, flags}
	cache := patternsOf(m)
	if found, ok := cache.by[key]; ok {
		return patternOf(found), found, nil
	}
	return compilePattern(m, cache, machine.Plain(v), key)
}

func compilePattern(m *machine.Machine, cache *patternCache, source machine.Value, key patternKey) (*pattern, machine.Value, error) {
	re, err := regex.Compile(m, key.source, key.bytes, key.flags)
	if err != nil {
		return nil, machine.Value{}, regexErrorOf(m, err, source)
	}
	p := &pattern{re: re, source: source}
	v, err := m.NewBoxed(patternType, p)
	if err != nil {
		return nil, machine.Value{}, err
	}
	if p.Size() > maxCachedPatternSize {
		return p, v, nil
	}
	if cache.by == nil || len(cache.by) >= maxCachedPatterns {
		cache.by = map[patternKey]machine.Value{}
	}
	m.Spend(2 * machine.SliceBytes)
	cache.by[key] = v
	return p, v, nil
}

// knownFlags are those that a pattern takes; the others of CPython change
// nothing.
const knownFlags = regex.IgnoreCase | regex.Locale | regex.Multiline | regex.DotAll | regex.Unicode | regex.Verbose | regex.ASCII

func regexFlags(m *machine.Machine, v machine.Value) (regex.Flags, error) {
	n, err := m.OptionalInt(v, 0)
	return regex.Flags(n&int64(knownFlags)) & knownFlags, err
}

// subjectText is the content of a str or bytes object.
func subjectText(v machine.Value) (s string, isBytes, ok bool) {
	switch o := machine.Plain(v).Self().(type) {
	case *machine.Str:
		return o.Text(), false, true
	case *machine.Bytes:
		return o.Data(), true, true
	}
	return "", false, false
}

func escapePattern(m *machine.Machine, v machine.Value) (machine.Value, error) {
	s, isBytes, ok := subjectText(v)
	if !ok {
		return machine.Value{}, raise.Type("decoding to str: need a bytes-like object, %s found", machine.TypeName(v))
	}
	escaped, err := regex.Escape(m, s)
	if err != nil {
		return machine.Value{}, err
	}
	return m.PaidText(escaped, isBytes), nil
}

// regexErrorOf turns an error about a pattern into an exception of the program.
func regexErrorOf(m *machine.Machine, err error, source machine.Value) error {
	var e *regex.Error
	if !errors.As(err, &e) {
		return err
	}
	m.Spend(machine.InstanceBytes + machine.TupleBytes + machine.ValueBytes)
	o := machine.NewException(regexError, m.Message(e.Error()))
	if err := fillRegexError(m, o, e, source); err != nil {
		return err
	}
	return o.Raise()
}

func fillRegexError(m *machine.Machine, o *machine.Instance, e *regex.Error, source machine.Value) error {
	pos, line, column := machine.None, machine.None, machine.None
	if e.Pos >= 0 {
		pos, line, column = machine.Int(int64(e.Pos)), machine.Int(int64(e.Line)), machine.Int(int64(e.Column))
	}
	return m.SetFields(o, machine.Field{Name: "msg", Value: m.Message(e.Msg)}, machine.Field{Name: "pattern", Value: source}, machine.Field{Name: "pos", Value: pos}, machine.Field{Name: "lineno", Value: line},
		machine.Field{Name: "colno", Value: column})
}

// defineRegexError defines error(msg, pattern=None, pos=None).
func defineRegexError(r *machine.Registry) {
	r.MethodKw(regexError, "__init__", 1, -1, func(m *machine.Machine, a machine.Args) (machine.Value, error) {
		o := a.Arg(0).Instance()
		if o == nil || !o.Class().IsSubclass(regexError) {
			return machine.Value{}, machine.WrongReceiver("__init__", regexError, a.Arg(0))
		}
		v, err := a.Rest().Bind("__init__", 1, "msg", "pattern", "pos")
		if err != nil {
			return machine.Value{}, err
		}
		return machine.None, initRegexError(m, o, v[0], v[1], v[2])
	})
}

func initRegexError(m *machine.Machine, o *machine.Instance, msg, source, pos machine.Value) error {
	e := &regex.Error{Pos: -1}
	if s := machine.Plain(msg).Str(); s != nil {
		e.Msg = s.Text()
	}
	s, _, ok := subjectText(source)
	if at := machine.Plain(pos); ok && at.IsInt() && at.Int() >= 0 {
		e.Pattern, e.Pos = s, int(min(at.Int(), int64(len(s))))
		before := s[:text.Offset(s, e.Pos)]
		e.Line = strings.Count(before, "\n") + 1
		e.Column = e.Pos - text.Len(before[:strings.LastIndexByte(before, '\n')+1]) + 1
	}
	if err := m.Alloc(len(e.Msg) + 64); err != nil {
		return err
	}
	if err := m.Work(len(s) + len(e.Msg)); err != nil {
		return err
	}
	args, err := m.NewTuple([]machine.Value{m.Message(e.Error())})
	if err != nil {
		return err
	}
	o.SetArgs(args)
	return fillRegexError(m, o, e, machine.OrNone(source))
}
