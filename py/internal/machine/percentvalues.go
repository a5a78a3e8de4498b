package machine

import (
	"strings"

	"github.com/glovebox-dev/glovebox/py/internal/raise"
	"github.com/glovebox-dev/glovebox/py/internal/text"
)

// formatted writes v as the directive says.
func (p *percenter) formatted(d text.Directive, v Value) (string, error) {
	switch {
	case d.Type == 's' && !p.format.Raw:
		return p.written(d, v, "str", p.m.strNative)
	case d.Type == 's' || d.Type == 'b' && p.format.Raw:
		t, ok := textual(v)
		if !ok || !t.Raw {
			return "", raise.Type("%%b requires a bytes-like object, or an object that implements __bytes__, not '%s'", TypeName(v))
		}
		return d.FormatStr(p.m, t)
	case d.Type == 'r' && !p.format.Raw:
		return p.written(d, v, "repr", p.m.ReprNative)
	case d.Type == 'a' || d.Type == 'r':
		return p.written(d, v, "ascii", p.m.asciiNative)
	case d.Type == 'c':
		return p.char(d, v)
	case d.Type < 0x80 && strings.ContainsRune("diuoxX", d.Type):
		return p.integer(d, v)
	case d.Type < 0x80 && strings.ContainsRune("eEfFgG", d.Type):
		return p.real(d, v)
	}
	return "", p.reader.Unsupported(d)
}

// asciiNative is ascii(v). It returns errForeign when code of the program has a
// say.
func (m *Machine) asciiNative(v Value) (string, error) {
	s, err := m.ReprNative(v)
	if err != nil {
		return "", err
	}
	return text.Escape(m, s)
}

func (p *percenter) written(d text.Directive, v Value, how string, native func(Value) (string, error)) (string, error) {
	if o := p.result.Str(); o != nil {
		return d.FormatStr(p.m, o.text())
	}
	s, err := native(v)
	if err == ErrForeign {
		return "", p.ask(how, v, Value{})
	}
	if err != nil {
		return "", err
	}
	t := text.Of(s)
	t.Flat = t.Flat || p.format.Raw
	return d.FormatStr(p.m, t)
}

func (p *percenter) char(d text.Directive, v Value) (string, error) {
	if p.worksOut(v, nameIndex) {
		return "", p.ask("index", v, Value{})
	}
	if p.result.Bound() {
		v = p.result
	}
	if n, ok := wholeOf(v); ok {
		if p.format.Raw {
			return d.FormatByte(p.m, n)
		}
		return d.FormatChar(p.m, n)
	}
	t, ok := textual(v)
	switch {
	case ok && t.Raw == p.format.Raw && t.Len() == 1:
		return d.FormatStr(p.m, t)
	case p.format.Raw:
		return "", raise.Type("%%c requires an integer in range(256) or a single byte")
	}
	return "", text.NotChar()
}

func (p *percenter) integer(d text.Directive, v Value) (string, error) {
	whole := strings.ContainsRune("oxX", d.Type)
	if d.Type == 'i' && p.format.Raw {
		d.Type = 'd' // so errors call it
	}
	if p.worksOut(v, nameIndex) {
		return "", p.ask("index", v, Value{})
	}
	if !whole && p.worksOut(v, nameInt) {
		return "", p.ask("int", v, Value{})
	}
	if p.result.Bound() {
		v = p.result
	}
	n, ok := wholeOf(v)
	if f := Plain(v); !ok && !whole && f.IsFloat() {
		var err error
		if n, err = text.FloatToInt(f.Float()); err != nil {
			return "", err
		}
		ok = true
	}
	switch {
	case ok:
		return d.FormatInt(p.m, n)
	case whole:
		return "", d.NotInt(TypeName(v))
	}
	return "", d.NotReal(TypeName(v))
}

func (p *percenter) real(d text.Directive, v Value) (string, error) {
	if p.worksOut(v, nameFloat) || p.worksOut(v, nameIndex) {
		return "", p.ask("float", v, Value{})
	}
	if p.result.Bound() {
		v = p.result
	}
	if f := Plain(v); f.IsFloat() {
		return d.FormatFloat(p.m, f.Float())
	}
	n, ok := wholeOf(v)
	switch {
	case !ok && p.format.Raw:
		return "", raise.Type("float argument required, not %s", TypeName(v))
	case !ok:
		return "", text.NotFloat(TypeName(v))
	}
	f, err := n.Float()
	if err != nil {
		return "", err
	}
	return d.FormatFloat(p.m, f)
}

// worksOut reports whether v has the method in its class, and it was not called
// yet.
func (p *percenter) worksOut(v Value, name *Str) bool {
	if p.result.Bound() || v.Kind() != KindInstance && v.Kind() != KindOpaque {
		return false
	}
	fn, ok := p.m.Lookup(ClassOf(v), name)
	return ok && !isBuiltIn(fn)
}

// wholeOf returns an int or a bool as package text takes it.
func wholeOf(v Value) (text.Int, bool) {
	switch p := Plain(v); p.Kind() {
	case KindInt, KindBool:
		return text.Int{Small: p.Int()}, true
	case KindBigInt:
		return text.Int{Big: p.big().v}, true
	}
	return text.Int{}, false
}
