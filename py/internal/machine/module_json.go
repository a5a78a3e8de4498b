package machine

import (
	"errors"
	"strings"

	"github.com/glovebox-dev/glovebox/py/internal/jsontext"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
	"github.com/glovebox-dev/glovebox/py/internal/text"
)

// The classes of the module json.
var (
	jsonError       = moduleException("JSONDecodeError", "json.decoder.JSONDecodeError", "ValueError")
	jsonDecoderType = moduleClass("decoder", "json.decoder", kindOpaque, objectType)
	jsonEncoderType = moduleClass("encoder", "json.encoder", kindOpaque, objectType)
)

// jsonDepth is how deep JSON may be nested, about as in CPython.
const jsonDepth = 990

// defineJSON defines the module _json, the part of json that is not classes.
func defineJSON(r *registry) {
	r.hiddenClass(jsonDecoderType)
	r.hiddenClass(jsonEncoderType)
	r.unboxer("json.decoder", loadJSONReader)
	r.unboxer("json.encoder", loadJSONWriter)
	r.nativeModule("_json", func(mod *moduleMaker) {
		mod.class("JSONDecodeError", jsonError)
		mod.counted("scan", 8, 8, jsonScan)
		mod.function("loads", jsonLoads)
		mod.function("dumps", jsonDumps)
	})
	r.methodKw(jsonError, "__init__", 1, -1, initJSONError)
	defineJSONReader(r)
	defineJSONWriter(r)
}

// one refuses more than one positional argument.
func (a Args) one(fn string) error {
	if a.len() > 1 {
		return raise.Type("%s() takes 1 positional argument but %d were given", fn, a.len())
	}
	return nil
}

// jsonLoads is json.loads.
func jsonLoads(m *Machine, a Args) (Value, error) {
	if err := a.one("loads"); err != nil {
		return Value{}, err
	}
	if a.givesClass() {
		return m.thenAs(m.intrinsic("json_loads_by"), a)
	}
	v, err := a.bind("loads", 1, "s", "object_hook", "object_pairs_hook", "parse_float", "parse_int", "parse_constant",
		"strict", "cls")
	if err != nil {
		return Value{}, err
	}
	source, err := m.jsonSource(v[0])
	if err != nil {
		return Value{}, err
	}
	d := jsontext.NewDecoder(m, source.str().s, jsonDepth)
	d.Lenient = !boundTruth(v[6], true)
	if err := d.Start(); err != nil {
		return Value{}, m.jsonError(err, source)
	}
	if hooked(v[1:6]) {
		r, err := m.box(jsonDecoderType, &jsonReader{source: source, d: d})
		if err != nil {
			return Value{}, err
		}
		return m.then(m.intrinsic("json_load"), r, orNone(v[1]), orNone(v[2]), orNone(v[3]), orNone(v[4]), orNone(v[5]))
	}
	b := jsonBuilder{m: m, d: d}
	result, err := b.build()
	if err == nil {
		err = d.End()
	}
	return result, m.jsonError(err, source)
}

// givesClass reports whether cls is among the arguments and a class.
func (a Args) givesClass() bool {
	if a.names == nil || a.len() == 0 {
		return false
	}
	for i, n := range a.names.items {
		if n.str().s == "cls" {
			return !a.v[a.len()+i].isNone()
		}
	}
	return false
}

// thenAs is then with arguments as they came.
func (m *Machine) thenAs(fn Value, a Args) (Value, error) {
	m.tail = tailCall{fn: fn, args: a.v, names: a.names}
	return Value{}, errTail
}

// jsonScan is JSONDecoder.raw_decode of a str, an index and the decoder's
// options: a value and where it ends.
func jsonScan(m *Machine, a Args) (Value, error) {
	source, err := wantStr(a.v[0], "first argument must be a string, not %s", typeName(a.v[0]))
	if err != nil {
		return Value{}, err
	}
	at, err := m.boundInt(a.v[1], 0)
	if err != nil {
		return Value{}, err
	}
	if at < 0 {
		return Value{}, raise.Value("idx cannot be negative")
	}
	if err := m.Work(len(source.s)); err != nil {
		return Value{}, err
	}
	if n := int64(text.Len(source.s)); at > n {
		line := source.s[strings.LastIndexByte(source.s, '\n')+1:]
		e := &jsontext.Error{Msg: "Expecting value", Pos: int(at), Line: strings.Count(source.s, "\n") + 1}
		e.Column = int(at-n) + text.Len(line) + 1
		return Value{}, m.jsonError(e, source.ref())
	}
	d := jsontext.NewDecoderAt(m, source.s, text.Offset(source.s, int(at)), jsonDepth)
	d.Lenient = !boundTruth(a.v[2], true)
	if hooked(a.v[3:]) {
		r, err := m.box(jsonDecoderType, &jsonReader{source: source.ref(), d: d})
		if err != nil {
			return Value{}, err
		}
		return m.then(m.intrinsic("json_scan"), append([]Value{r}, a.v[3:]...)...)
	}
	b := jsonBuilder{m: m, d: d}
	v, err := b.build()
	if err != nil {
		return Value{}, m.jsonError(err, source.ref())
	}
	return m.pair(v, jsonPosition(d, source.s)), nil
}

// jsonPosition is how far the text is read, in characters.
func jsonPosition(d *jsontext.Decoder, source string) Value {
	return Int(int64(text.Len(source[:d.Pos()])))
}

func hooked(hooks []Value) bool {
	for _, h := range hooks {
		if !orNone(h).isNone() {
			return true
		}
	}
	return false
}

// jsonSource returns the text of a str or of bytes in one of the encodings of
// Unicode.
func (m *Machine) jsonSource(v Value) (Value, error) {
	switch o := plain(v).self().(type) {
	case *str:
		return plain(v), nil
	case *bytesObject:
		b, encoding := jsonEncoding(o.b)
		s, err := text.Decode(m, b, encoding, "surrogatepass")
		if err != nil {
			return Value{}, err
		}
		return m.fragment(s, false), nil
	}
	return Value{}, raise.Type("the JSON object must be str, bytes or bytearray, not %s", typeName(v))
}

// jsonEncoding guesses the encoding of JSON from its first bytes, which are
// ASCII or a mark.
func jsonEncoding(b string) (rest, encoding string) {
	zero := func(i int) bool { return i < len(b) && b[i] == 0 }
	switch {
	case strings.HasPrefix(b, "\x00\x00\xfe\xff"), strings.HasPrefix(b, "\xff\xfe\x00\x00"):
		return b, "utf-32"
	case strings.HasPrefix(b, "\xfe\xff"), strings.HasPrefix(b, "\xff\xfe"):
		return b, "utf-16"
	case strings.HasPrefix(b, "\xef\xbb\xbf"):
		return b[3:], "utf-8"
	case len(b) >= 4 && zero(0) && zero(1):
		return b, "utf-32-be"
	case len(b) >= 4 && zero(1) && zero(2) && zero(3):
		return b, "utf-32-le"
	case (len(b) >= 4 || len(b) == 2) && zero(0):
		return b, "utf-16-be"
	case (len(b) >= 4 || len(b) == 2) && zero(1):
		return b, "utf-16-le"
	}
	return b, "utf-8"
}

// jsonError turns an error about a text into an exception of the program.
func (m *Machine) jsonError(err error, doc Value) error {
	var e *jsontext.Error
	if !errors.As(err, &e) {
		return err
	}
	m.spend(instanceBytes)
	o := &instance{class: jsonError}
	v := o.value()
	if err := m.fillJSONError(o, e, doc); err != nil {
		return err
	}
	return &thrown{exception: v}
}

func (m *Machine) fillJSONError(o *instance, e *jsontext.Error, doc Value) error {
	if err := m.Alloc(2*len(e.Msg) + 64); err != nil {
		return err
	}
	args, err := m.newTupleCopy([]Value{m.text(e.Error())})
	if err != nil {
		return err
	}
	o.payload = args
	return m.setFields(o, field{"msg", m.text(e.Msg)}, field{"doc", doc}, field{"pos", Int(int64(e.Pos))},
		field{"lineno", Int(int64(e.Line))}, field{"colno", Int(int64(e.Column))})
}

// initJSONError is JSONDecodeError(msg, doc, pos).
func initJSONError(m *Machine, a Args) (Value, error) {
	o := a.v[0].instance()
	if o == nil || !o.class.isSubclass(jsonError) {
		return Value{}, wrongReceiver("__init__", jsonError, a.v[0])
	}
	v, err := Args{a.v[1:], a.names}.bind("JSONDecodeError.__init__", 3, "msg", "doc", "pos")
	if err != nil {
		return Value{}, err
	}
	msg, doc, at := plain(v[0]).str(), plain(v[1]).str(), plain(v[2])
	if msg == nil || doc == nil || !at.isInt() {
		return Value{}, raise.Type("JSONDecodeError() takes a str, a str and an int")
	}
	if err := m.Work(len(doc.s) + len(msg.s)); err != nil {
		return Value{}, err
	}
	e := &jsontext.Error{Msg: msg.s, Pos: int(max(0, min(at.int(), int64(len(doc.s)))))}
	before := doc.s[:text.Offset(doc.s, e.Pos)]
	e.Line = strings.Count(before, "\n") + 1
	e.Column = e.Pos - text.Len(before[:strings.LastIndexByte(before, '\n')+1]) + 1
	return None, m.fillJSONError(o, e, v[1])
}
