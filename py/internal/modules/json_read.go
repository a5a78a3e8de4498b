package modules

import (
	"github.com/glovebox-dev/glovebox/py/internal/jsontext"
	"github.com/glovebox-dev/glovebox/py/internal/machine"
)

// jsonBuilder makes the value of a JSON text.
type jsonBuilder struct {
	m    *machine.Machine
	d    *jsontext.Decoder
	open []jsonNode
	keys [64]*machine.Str // those seen last, so that objects of one shape share them
}

// jsonNode is a list or dict that is not complete.
type jsonNode struct {
	list *machine.List
	dict *machine.Dict
	key  machine.Value // whose value comes next
}

func (b *jsonBuilder) build() (machine.Value, error) {
	for {
		t, err := b.d.Next()
		if err != nil {
			return machine.Value{}, err
		}
		var v machine.Value
		switch t.Kind {
		case jsontext.BeginArray:
			b.m.Spend(machine.ListBytes)
			err = b.push(jsonNode{list: new(machine.List)})
		case jsontext.BeginObject:
			err = b.push(jsonNode{dict: b.m.NewDict()})
		case jsontext.Key:
			b.open[len(b.open)-1].key = b.key(t.Text)
		case jsontext.EndArray, jsontext.EndObject:
			v = b.pop()
		default:
			v, err = jsonScalar(b.m, t)
		}
		if err != nil {
			return machine.Value{}, err
		}
		if !v.Bound() {
			continue
		}
		if len(b.open) == 0 {
			return v, nil
		}
		if err := b.add(v); err != nil {
			return machine.Value{}, err
		}
	}
}

func (b *jsonBuilder) push(n jsonNode) error {
	b.open = append(b.open, n)
	return b.m.Alloc(2 * machine.ValueBytes)
}

func (b *jsonBuilder) pop() machine.Value {
	n := b.open[len(b.open)-1]
	b.open = b.open[:len(b.open)-1]
	if n.list != nil {
		return n.list.Value()
	}
	return n.dict.Ref()
}

func (b *jsonBuilder) add(v machine.Value) error {
	n := &b.open[len(b.open)-1]
	if n.list == nil {
		return b.m.SetItem(n.dict, n.key, v)
	}
	if err := b.m.GrowList(n.list, 1); err != nil {
		return err
	}
	n.list.Add(v)
	return nil
}

func (b *jsonBuilder) key(s string) machine.Value {
	at := &b.keys[0]
	if s != "" {
		at = &b.keys[(len(s)*7+int(s[0])+3*int(s[len(s)-1]))%len(b.keys)]
	}
	if *at == nil || (*at).Text() != s {
		*at = b.m.ConstantOr(s)
	}
	return (*at).Ref()
}

// jsonScalar is the value of a token that is one.
func jsonScalar(m *machine.Machine, t jsontext.Token) (machine.Value, error) {
	switch t.Kind {
	case jsontext.Null:
		return machine.None, nil
	case jsontext.True:
		return machine.True, nil
	case jsontext.False:
		return machine.False, nil
	case jsontext.Int:
		return machine.Int(t.Int), nil
	case jsontext.BigInt:
		return m.ParseInt(t.Text)
	case jsontext.Float, jsontext.Constant:
		return machine.Float(t.Float), nil
	case jsontext.String:
		return m.PaidText(t.Text, false), nil
	}
	return machine.Value{}, machine.ErrMalformed
}

// jsonReader is a decoder for the prelude, which calls the hooks.
type jsonReader struct {
	source machine.Value // a str
	d      *jsontext.Decoder
}

// Size is the decoder with its table of keys.
func (o *jsonReader) Size() int { return 1200 + jsonDepth }

// Each visits the text.
func (o *jsonReader) Each(visit func(machine.Value)) { visit(o.source) }

// Save returns the text and how far it is read.
func (o *jsonReader) Save() (string, []machine.Value) {
	s := o.d.Save()
	return "json.decoder", []machine.Value{o.source, machine.Int(int64(s.Pos)), machine.Int(int64(s.State)), machine.SavedBytes(s.Stack), machine.Bool(o.d.Lenient)}
}

func loadJSONReader(m *machine.Machine, fields []machine.Value) (machine.Boxed, error) {
	if len(fields) != 5 || fields[0].Str() == nil || !fields[1].IsInt() || !fields[2].IsInt() || fields[3].Bytes() == nil {
		return nil, machine.ErrMalformed
	}
	saved := jsontext.Saved{Pos: int(fields[1].Int()), State: uint8(fields[2].Int()), Stack: fields[3].Bytes().Data()}
	d, ok := jsontext.Restore(m, fields[0].Str().Text(), jsonDepth, saved)
	if !ok {
		return nil, machine.ErrMalformed
	}
	d.Lenient = fields[4].Int() != 0
	return &jsonReader{source: fields[0], d: d}, nil
}

// jsonTokenNames are what the prelude sees of tokens that are not plain values.
var jsonTokenNames = map[jsontext.Kind]*machine.Str{
	jsontext.Int: machine.SharedStr("int"), jsontext.BigInt: machine.SharedStr("int"), jsontext.Float: machine.SharedStr("float"),
	jsontext.Constant: machine.SharedStr("constant"), jsontext.Key: machine.SharedStr("key"),
	jsontext.BeginArray: machine.SharedStr("["), jsontext.EndArray: machine.SharedStr("]"),
	jsontext.BeginObject: machine.SharedStr("{"), jsontext.EndObject: machine.SharedStr("}"),
}

var jsonPlainToken = machine.SharedStr("value")

// defineJSONReader defines what the prelude does with a jsonReader.
func defineJSONReader(r *machine.Registry) {
	define := func(name string, fn func(m *machine.Machine, o *jsonReader, a machine.Args) (machine.Value, error)) {
		r.Intrinsic(name, func(m *machine.Machine, a machine.Args) (machine.Value, error) {
			if b := a.At(0).Opaque(); b != nil {
				if o, ok := b.Box().(*jsonReader); ok {
					return fn(m, o, a)
				}
			}
			return machine.Value{}, machine.ErrMalformed
		})
	}
	define("_json_end", func(m *machine.Machine, o *jsonReader, a machine.Args) (machine.Value, error) {
		return machine.None, jsonErrorOf(m, o.d.End(), o.source)
	})
	define("_json_pos", func(m *machine.Machine, o *jsonReader, a machine.Args) (machine.Value, error) {
		return jsonPosition(o.d, o.source.Str().Text()), nil
	})
	r.Intrinsic("_json_str", func(m *machine.Machine, a machine.Args) (machine.Value, error) { return jsonSource(m, a.At(0)) })
	define("_json_token", func(m *machine.Machine, o *jsonReader, a machine.Args) (machine.Value, error) {
		t, err := o.d.Next()
		if err != nil {
			return machine.Value{}, jsonErrorOf(m, err, o.source)
		}
		return jsonToken(m, t, machine.OptionalTruth(a.At(1), false))
	})
}

// jsonToken is the kind of a token and its value; numbers are their texts when
// a hook wants them so.
func jsonToken(m *machine.Machine, t jsontext.Token, raw bool) (machine.Value, error) {
	name := jsonTokenNames[t.Kind]
	switch t.Kind {
	case jsontext.BeginArray, jsontext.EndArray, jsontext.BeginObject, jsontext.EndObject:
		return m.Pair(name.Ref(), machine.None), nil
	case jsontext.Key:
		return m.Pair(name.Ref(), m.PaidText(t.Text, false)), nil
	case jsontext.Constant:
		s, err := m.CutStr(t.Text)
		return m.Pair(name.Ref(), m.Pair(s, machine.Float(t.Float))), err
	case jsontext.Int, jsontext.BigInt, jsontext.Float:
		v, err := jsonNumber(m, t, raw)
		return m.Pair(name.Ref(), v), err
	}
	v, err := jsonScalar(m, t)
	return m.Pair(jsonPlainToken.Ref(), v), err
}

// jsonNumber is the text of a number and, unless only that is wanted, the
// number.
func jsonNumber(m *machine.Machine, t jsontext.Token, raw bool) (machine.Value, error) {
	s, err := m.CutStr(t.Text)
	if err != nil {
		return machine.Value{}, err
	}
	if raw && t.Kind != jsontext.Float {
		return m.Pair(s, machine.None), nil
	}
	v, err := jsonScalar(m, t)
	return m.Pair(s, v), err
}
