package machine

import (
	"errors"
	"strings"

	"github.com/glovebox-dev/glovebox/py/internal/calendar"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
	"github.com/glovebox-dev/glovebox/py/internal/regex"
	"github.com/glovebox-dev/glovebox/py/internal/text"
)

// The classes of the module re.
var (
	patternType = moduleClass("Pattern", "re.Pattern", kindOpaque, objectType)
	matchType   = moduleClass("Match", "re.Match", kindOpaque, objectType)
	scannerType = moduleClass("Scanner", "re.Scanner", kindOpaque, objectType)
	regexError  = moduleException("error", "re.error", "Exception")
)

func moduleClass(name, qualName string, layout Kind, base *class) *class {
	c := final(staticClass(name, layout, base))
	c.qualName = qualName
	return c
}

func moduleException(name, qualName, base string) *class {
	c := staticClass(name, kindException, exceptions[base])
	c.qualName = qualName
	c.dataDescriptors = true
	return c
}

// defineRe defines the module re.
func defineRe(r *registry) {
	r.nativeModule("re", func(mod *moduleMaker) {
		for name, flag := range map[string]regex.Flags{
			"A": regex.ASCII, "ASCII": regex.ASCII, "I": regex.IgnoreCase, "IGNORECASE": regex.IgnoreCase,
			"L": regex.Locale, "LOCALE": regex.Locale, "M": regex.Multiline, "MULTILINE": regex.Multiline,
			"S": regex.DotAll, "DOTALL": regex.DotAll, "U": regex.Unicode, "UNICODE": regex.Unicode,
			"X": regex.Verbose, "VERBOSE": regex.Verbose, "NOFLAG": 0,
		} {
			mod.define(name, Int(int64(flag)))
		}
		mod.class("Pattern", patternType)
		mod.class("Match", matchType)
		mod.class("error", regexError)
		r.hiddenClass(scannerType)
		defineReFunctions(mod)
	})
	defineRegexError(r)
	r.unboxer("re.Pattern", loadPattern)
	r.unboxer("re.Match", loadMatch)
	r.unboxer("re.Scanner", loadScanner)
	definePattern(r)
	defineMatch(r)
	defineScanner(r)
}

func defineReFunctions(mod *moduleMaker) {
	mod.function("compile", func(m *Machine, a Args) (Value, error) {
		v, err := a.bind("compile", 1, "pattern", "flags")
		if err != nil {
			return Value{}, err
		}
		_, p, err := m.pattern(v[0], v[1])
		return p, err
	})
	mod.function("escape", func(m *Machine, a Args) (Value, error) {
		v, err := a.bind("escape", 1, "pattern")
		if err != nil {
			return Value{}, err
		}
		return m.escapePattern(v[0])
	})
	mod.function("purge", func(m *Machine, a Args) (Value, error) {
		m.patterns = patternCache{}
		return None, nil
	})
	for name, do := range searches {
		mod.function(name, func(m *Machine, a Args) (Value, error) {
			v, err := a.bind(name, 2, "pattern", "string", "flags")
			if err != nil {
				return Value{}, err
			}
			p, self, err := m.pattern(v[0], v[2])
			if err != nil {
				return Value{}, err
			}
			return do(m, p, self, v[1], Value{}, Value{})
		})
	}
	mod.function("split", func(m *Machine, a Args) (Value, error) {
		v, err := a.bind("split", 2, "pattern", "string", "maxsplit", "flags")
		if err != nil {
			return Value{}, err
		}
		p, self, err := m.pattern(v[0], v[3])
		if err != nil {
			return Value{}, err
		}
		return m.splitPattern(p, self, v[1], v[2])
	})
	for name, counted := range map[string]bool{"sub": false, "subn": true} {
		mod.function(name, func(m *Machine, a Args) (Value, error) {
			v, err := a.bind(name, 3, "pattern", "repl", "string", "count", "flags")
			if err != nil {
				return Value{}, err
			}
			p, self, err := m.pattern(v[0], v[4])
			if err != nil {
				return Value{}, err
			}
			return m.substitute(p, self, v[1], v[2], v[3], counted)
		})
	}
}

// patternCache keeps the patterns that the functions of re compiled, and the
// memory that matching uses.
type patternCache struct {
	by      map[patternKey]Value
	scratch regex.Scratch
	layout  *calendar.Layout // of the format of strptime that was used last
	format  string
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

func (c *patternCache) trace(t *tracer) {
	t.bytes += int64(c.scratch.Size())
	if c.layout != nil {
		t.bytes += layoutBytes + int64(16*len(c.format))
	}
	for _, v := range c.by {
		t.bytes += 2 * sliceBytes
		t.value(v)
	}
}

// pattern returns the compiled pattern that v is or describes.
func (m *Machine) pattern(v, flagsValue Value) (*pattern, Value, error) {
	flags, err := m.regexFlags(flagsValue)
	if err != nil {
		return nil, Value{}, err
	}
	if p := patternOf(v); p != nil {
		if flags != 0 {
			return nil, Value{}, raise.Value("cannot process flags argument with a compiled pattern")
		}
		return p, v, nil
	}
	source, isBytes, ok := subjectText(v)
	if !ok {
		return nil, Value{}, raise.Type("first argument must be string or compiled pattern")
	}
	key := patternKey{source, isBytes, flags}
	if found, ok := m.patterns.by[key]; ok {
		return patternOf(found), found, nil
	}
	return m.compilePattern(plain(v), key)
}

func (m *Machine) compilePattern(source Value, key patternKey) (*pattern, Value, error) {
	re, err := regex.Compile(m, key.source, key.bytes, key.flags)
	if err != nil {
		return nil, Value{}, m.regexError(err, source)
	}
	p := &pattern{re: re, source: source}
	v, err := m.box(patternType, p)
	if err != nil {
		return nil, Value{}, err
	}
	if p.Size() > maxCachedPatternSize {
		return p, v, nil
	}
	if m.patterns.by == nil || len(m.patterns.by) >= maxCachedPatterns {
		m.patterns.by = map[patternKey]Value{}
	}
	m.spend(2 * sliceBytes)
	m.patterns.by[key] = v
	return p, v, nil
}

// knownFlags are those that a pattern takes; the others of CPython change
// nothing.
const knownFlags = regex.IgnoreCase | regex.Locale | regex.Multiline | regex.DotAll | regex.Unicode | regex.Verbose | regex.ASCII

func (m *Machine) regexFlags(v Value) (regex.Flags, error) {
	n, err := m.boundInt(v, 0)
	return regex.Flags(n&int64(knownFlags)) & knownFlags, err
}

// subjectText is the content of a str or bytes object.
func subjectText(v Value) (s string, isBytes, ok bool) {
	switch o := plain(v).self().(type) {
	case *str:
		return o.s, false, true
	case *bytesObject:
		return o.b, true, true
	}
	return "", false, false
}

func (m *Machine) escapePattern(v Value) (Value, error) {
	s, isBytes, ok := subjectText(v)
	if !ok {
		return Value{}, raise.Type("decoding to str: need a bytes-like object, %s found", typeName(v))
	}
	escaped, err := regex.Escape(m, s)
	if err != nil {
		return Value{}, err
	}
	return m.fragment(escaped, isBytes), nil
}

// fragment makes a str or bytes object of text that is paid for.
func (m *Machine) fragment(s string, isBytes bool) Value {
	m.spend(strBytes)
	if isBytes {
		return (&bytesObject{b: s}).value()
	}
	return (&str{s: s, length: -1}).value()
}

// cutFragment makes a str or bytes object of a part of a text.
func (m *Machine) cutFragment(s string, isBytes bool) (Value, error) {
	if isBytes {
		return m.bytes(strings.Clone(s))
	}
	return m.cut(s)
}

// regexError turns an error about a pattern into an exception of the program.
func (m *Machine) regexError(err error, source Value) error {
	var e *regex.Error
	if !errors.As(err, &e) {
		return err
	}
	m.spend(instanceBytes + tupleBytes + valueBytes)
	o := &instance{class: regexError, payload: (&tuple{items: []Value{m.text(e.Error())}}).value()}
	o.value()
	if err := m.fillRegexError(o, e, source); err != nil {
		return err
	}
	return &thrown{exception: o.value()}
}

func (m *Machine) fillRegexError(o *instance, e *regex.Error, source Value) error {
	pos, line, column := None, None, None
	if e.Pos >= 0 {
		pos, line, column = Int(int64(e.Pos)), Int(int64(e.Line)), Int(int64(e.Column))
	}
	return m.setFields(o, field{"msg", m.text(e.Msg)}, field{"pattern", source}, field{"pos", pos}, field{"lineno", line},
		field{"colno", column})
}

// field is an attribute that an exception of a module has.
type field struct {
	name  string
	value Value
}

func (m *Machine) setFields(o *instance, fields ...field) error {
	for _, f := range fields {
		if err := m.storeAttr(o.attrs(), newStr(f.name), f.value); err != nil {
			return err
		}
	}
	return nil
}

// defineRegexError defines error(msg, pattern=None, pos=None).
func defineRegexError(r *registry) {
	r.methodKw(regexError, "__init__", 1, -1, func(m *Machine, a Args) (Value, error) {
		o := a.v[0].instance()
		if o == nil || !o.class.isSubclass(regexError) {
			return Value{}, wrongReceiver("__init__", regexError, a.v[0])
		}
		v, err := Args{a.v[1:], a.names}.bind("__init__", 1, "msg", "pattern", "pos")
		if err != nil {
			return Value{}, err
		}
		return None, m.initRegexError(o, v[0], v[1], v[2])
	})
}

func (m *Machine) initRegexError(o *instance, msg, source, pos Value) error {
	e := &regex.Error{Pos: -1}
	if s := plain(msg).str(); s != nil {
		e.Msg = s.s
	}
	s, _, ok := subjectText(source)
	if at := plain(pos); ok && at.isInt() && at.int() >= 0 {
		e.Pattern, e.Pos = s, int(min(at.int(), int64(len(s))))
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
	args, err := m.newTupleCopy([]Value{m.text(e.Error())})
	if err != nil {
		return err
	}
	o.payload = args
	return m.fillRegexError(o, e, orNone(source))
}
