package modules

import (
	"errors"
	"strings"

	"github.com/glovebox-dev/glovebox/py/internal/jsontext"
	"github.com/glovebox-dev/glovebox/py/internal/machine"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
	"github.com/glovebox-dev/glovebox/py/internal/text"
)

// The classes of the module json.
var (
	jsonError       = machine.NewExceptionClass("JSONDecodeError", "json.decoder.JSONDecodeError", "ValueError")
	jsonDecoderType = machine.NewClass("decoder", "json.decoder")
	jsonEncoderType = machine.NewClass("encoder", "json.encoder")
)

// jsonDepth is how deep JSON may be nested, about as in CPython.
const jsonDepth = 990

// defineJSON defines the module _json, the part of json that is not classes.
func defineJSON(r *machine.Registry) {
	r.HiddenClass(jsonDecoderType)
	r.HiddenClass(jsonEncoderType)
	r.Unboxer("json.decoder", loadJSONReader)
	r.Unboxer("json.encoder", loadJSONWriter)
	r.Module("_json", func(mod *machine.ModuleBuilder) {
		mod.Class("JSONDecodeError", jsonError)
		mod.Counted("scan", 8, 8, jsonScan)
		mod.Function("loads", jsonLoads)
		mod.Function("dumps", jsonDumps)
	})
	r.MethodKw(jsonError, "__init__", 1, -1, initJSONError)
	defineJSONReader(r)
	defineJSONWriter(r)
}

// onlyOne refuses more than one positional argument.
func onlyOne(a machine.Args, fn string) error {
	if a.Len() > 1 {
		return raise.Type("%s() takes 1 positional argument but %d were given", fn, a.Len())
	}
	return nil
}

// jsonLoads is json.loads.
func jsonLoads(m *machine.Machine, a machine.Args) (machine.Value, error) {
	if err := onlyOne(a, "loads"); err != nil {
		return machine.Value{}, err
	}
	if givesClass(a) {
		return m.ThenAs(m.Intrinsic("json_loads_by"), a)
	}
	v, err := a.Bind("loads", 1, "s", "object_hook", "object_pairs_hook", "parse_float", "parse_int", "parse_constant",
		"strict", "cls")
	if err != nil {
		return machine.Value{}, err
	}
	source, err := jsonSource(m, v[0])
	if err != nil {
		return machine.Value{}, err
	}
	d := jsontext.NewDecoder(m, source.Str().Text(), jsonDepth)
	d.Lenient = !machine.OptionalTruth(v[6], true)
	if err := d.Start(); err != nil {
		return machine.Value{}, jsonErrorOf(m, err, source)
	}
	if hooked(v[1:6]) {
		r, err := m.NewBoxed(jsonDecoderType, &jsonReader{source: source, d: d})
		if err != nil {
			return machine.Value{}, err
		}
		return m.Then(m.Intrinsic("json_load"), r, machine.OrNone(v[1]), machine.OrNone(v[2]), machine.OrNone(v[3]), machine.OrNone(v[4]), machine.OrNone(v[5]))
	}
	b := jsonBuilder{m: m, d: d}
	result, err := b.build()
	if err == nil {
		err = d.End()
	}
	return result, jsonErrorOf(m, err, source)
}

// givesClass reports whether cls is among the arguments and a class.
func givesClass(a machine.Args) bool {
	v := a.Name("cls")
	return a.Len() > 0 && v.Bound() && !v.IsNone()
}

// jsonScan is JSONDecoder.raw_decode of a str, an index and the decoder's
// options: a value and where it ends.
func jsonScan(m *machine.Machine, a machine.Args) (machine.Value, error) {
	source, err := machine.WantStr(a.Arg(0), "first argument must be a string, not %s", machine.TypeName(a.Arg(0)))
	if err != nil {
		return machine.Value{}, err
	}
	at, err := m.OptionalInt(a.Arg(1), 0)
	if err != nil {
		return machine.Value{}, err
	}
	if at < 0 {
		return machine.Value{}, raise.Value("idx cannot be negative")
	}
	if err := m.Work(len(source.Text())); err != nil {
		return machine.Value{}, err
	}
	if n := int64(text.Len(source.Text())); at > n {
		line := source.Text()[strings.LastIndexByte(source.Text(), '\n')+1:]
		e := &jsontext.Error{Msg: "Expecting value", Pos: int(at), Line: strings.Count(source.Text(), "\n") + 1}
		e.Column = int(at-n) + text.Len(line) + 1
		return machine.Value{}, jsonErrorOf(m, e, source.Ref())
	}
	d := jsontext.NewDecoderAt(m, source.Text(), text.Offset(source.Text(), int(at)), jsonDepth)
	d.Lenient = !machine.OptionalTruth(a.Arg(2), true)
	if hooked(a.All()[3:]) {
		r, err := m.NewBoxed(jsonDecoderType, &jsonReader{source: source.Ref(), d: d})
		if err != nil {
			return machine.Value{}, err
		}
		return m.Then(m.Intrinsic("json_scan"), append([]machine.Value{r}, a.All()[3:]...)...)
	}
	b := jsonBuilder{m: m, d: d}
	v, err := b.build()
	if err != nil {
		return machine.Value{}, jsonErrorOf(m, err, source.Ref())
	}
	return m.Pair(v, jsonPosition(d, source.Text())), nil
}

// jsonPosition is how far the text is read, in characters.
func jsonPosition(d *jsontext.Decoder, source string) machine.Value {
	return machine.Int(int64(text.Len(source[:d.Pos()])))
}

func hooked(hooks []machine.Value) bool {
	for _, h := range hooks {
		if !machine.OrNone(h).IsNone() {
			return true
		}
	}
	return false
}

// jsonSource returns the text of a str or of bytes in one of the encodings of
// Unicode.
func jsonSource(m *machine.Machine, v machine.Value) (machine.Value, error) {
	switch o := machine.Plain(v).Self().(type) {
	case *machine.Str:
		return machine.Plain(v), nil
	case *machine.Bytes:
		b, encoding := jsonEncoding(o.Data())
		s, err := text.Decode(m, b, encoding, "surrogatepass")
		if err != nil {
			return machine.Value{}, err
		}
		return m.PaidText(s, false), nil
	}
	return machine.Value{}, raise.Type("the JSON object must be str, bytes or bytearray, not %s", machine.TypeName(v))
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

// jsonErrorOf turns an error about a text into an exception of the program.
func jsonErrorOf(m *machine.Machine, err error, doc machine.Value) error {
	var e *jsontext.Error
	if !errors.As(err, &e) {
		return err
	}
	m.Spend(machine.InstanceBytes)
	o := machine.NewException(jsonError)
	if err := fillJSONError(m, o, e, doc); err != nil {
		return err
	}
	return o.Raise()
}

func fillJSONError(m *machine.Machine, o *machine.Instance, e *jsontext.Error, doc machine.Value) error {
	if err := m.Alloc(2*len(e.Msg) + 64); err != nil {
		return err
	}
	args, err := m.NewTuple([]machine.Value{m.Message(e.Error())})
	if err != nil {
		return err
	}
	o.SetArgs(args)
	return m.SetFields(o, machine.Field{Name: "msg", Value: m.Message(e.Msg)}, machine.Field{Name: "doc", Value: doc}, machine.Field{Name: "pos", Value: machine.Int(int64(e.Pos))},
		machine.Field{Name: "lineno", Value: machine.Int(int64(e.Line))}, machine.Field{Name: "colno", Value: machine.Int(int64(e.Column))})
}

// initJSONError is JSONDecodeError(msg, doc, pos).
func initJSONError(m *machine.Machine, a machine.Args) (machine.Value, error) {
	o := a.Arg(0).Instance()
	if o == nil || !o.Class().IsSubclass(jsonError) {
		return machine.Value{}, machine.WrongReceiver("__init__", jsonError, a.Arg(0))
	}
	v, err := a.Rest().Bind("JSONDecodeError.__init__", 3, "msg", "doc", "pos")
	if err != nil {
		return machine.Value{}, err
	}
	msg, doc, at := machine.Plain(v[0]).Str(), machine.Plain(v[1]).Str(), machine.Plain(v[2])
	if msg == nil || doc == nil || !at.IsInt() {
		return machine.Value{}, raise.Type("JSONDecodeError() takes a str, a str and an int")
	}
	if err := m.Work(len(doc.Text()) + len(msg.Text())); err != nil {
		return machine.Value{}, err
	}
	e := &jsontext.Error{Msg: msg.Text(), Pos: int(max(0, min(at.Int(), int64(len(doc.Text())))))}
	before := doc.Text()[:text.Offset(doc.Text(), e.Pos)]
	e.Line = strings.Count(before, "\n") + 1
	e.Column = e.Pos - text.Len(before[:strings.LastIndexByte(before, '\n')+1]) + 1
	return machine.None, fillJSONError(m, o, e, v[1])
}
