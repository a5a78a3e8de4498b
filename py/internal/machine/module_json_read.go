package machine

import (
	"github.com/glovebox-dev/glovebox/py/internal/jsontext"
	"github.com/glovebox-dev/glovebox/py/internal/text"
)

// jsonBuilder makes the value of a JSON text.
type jsonBuilder struct {
	m    *Machine
	d    *jsontext.Decoder
	open []jsonNode
	keys [64]*str // those seen last, so that objects of one shape share them
}

// jsonNode is a list or dict that is not complete.
type jsonNode struct {
	list *list
	dict *dict
	key  Value // whose value comes next
}

func (b *jsonBuilder) build() (Value, error) {
	for {
		t, err := b.d.Next()
		if err != nil {
			return Value{}, err
		}
		var v Value
		switch t.Kind {
		case jsontext.BeginArray:
			b.m.spend(listBytes)
			err = b.push(jsonNode{list: &list{}})
		case jsontext.BeginObject:
			err = b.push(jsonNode{dict: b.m.newDict()})
		case jsontext.Key:
			b.open[len(b.open)-1].key = b.key(t.Text)
		case jsontext.EndArray, jsontext.EndObject:
			v = b.pop()
		default:
			v, err = b.m.jsonScalar(t)
		}
		if err != nil {
			return Value{}, err
		}
		if !v.bound() {
			continue
		}
		if len(b.open) == 0 {
			return v, nil
		}
		if err := b.add(v); err != nil {
			return Value{}, err
		}
	}
}

func (b *jsonBuilder) push(n jsonNode) error {
	b.open = append(b.open, n)
	return b.m.Alloc(2 * valueBytes)
}

func (b *jsonBuilder) pop() Value {
	n := b.open[len(b.open)-1]
	b.open = b.open[:len(b.open)-1]
	if n.list != nil {
		return n.list.value()
	}
	return n.dict.ref()
}

func (b *jsonBuilder) add(v Value) error {
	n := &b.open[len(b.open)-1]
	if n.list == nil {
		return b.m.putKey(&n.dict.table, n.key, v)
	}
	if err := b.m.growList(n.list, 1); err != nil {
		return err
	}
	n.list.items = append(n.list.items, v)
	return nil
}

func (b *jsonBuilder) key(s string) Value {
	at := &b.keys[0]
	if s != "" {
		at = &b.keys[(len(s)*7+int(s[0])+3*int(s[len(s)-1]))%len(b.keys)]
	}
	if *at == nil || (*at).s != s {
		*at = b.m.constantOr(s)
	}
	return (*at).ref()
}

// constantOr returns the str of that text among the constants of the program,
// where most keys are that it asks for, or a new one. The text is paid for.
func (m *Machine) constantOr(s string) *str {
	if o, ok := m.program.Main.strs[s]; ok {
		return o
	}
	return m.fragment(s, false).str()
}

// jsonScalar is the value of a token that is one.
func (m *Machine) jsonScalar(t jsontext.Token) (Value, error) {
	switch t.Kind {
	case jsontext.Null:
		return None, nil
	case jsontext.True:
		return True, nil
	case jsontext.False:
		return False, nil
	case jsontext.Int:
		return Int(t.Int), nil
	case jsontext.BigInt:
		return m.fromText(text.ParseInt(m, text.Str{S: t.Text, Flat: true}, 10))
	case jsontext.Float, jsontext.Constant:
		return Float(t.Float), nil
	case jsontext.String:
		return m.fragment(t.Text, false), nil
	}
	return Value{}, errCorrupt
}

// jsonReader is a decoder for the prelude, which calls the hooks.
type jsonReader struct {
	source Value // a str
	d      *jsontext.Decoder
}

// Size is the decoder with its table of keys.
func (o *jsonReader) Size() int { return 1200 + jsonDepth }

// Each visits the text.
func (o *jsonReader) Each(visit func(Value)) { visit(o.source) }

// Save returns the text and how far it is read.
func (o *jsonReader) Save() (string, []Value) {
	s := o.d.Save()
	return "json.decoder", []Value{o.source, Int(int64(s.Pos)), Int(int64(s.State)), (&bytesObject{b: s.Stack}).value(), Bool(o.d.Lenient)}
}

func loadJSONReader(m *Machine, fields []Value) (Boxed, error) {
	if len(fields) != 5 || fields[0].str() == nil || !fields[1].isInt() || !fields[2].isInt() || fields[3].bytes() == nil {
		return nil, errCorrupt
	}
	saved := jsontext.Saved{Pos: int(fields[1].int()), State: uint8(fields[2].n), Stack: fields[3].bytes().b}
	d, ok := jsontext.Restore(m, fields[0].str().s, jsonDepth, saved)
	if !ok {
		return nil, errCorrupt
	}
	d.Lenient = fields[4].n != 0
	return &jsonReader{source: fields[0], d: d}, nil
}

// jsonTokenNames are what the prelude sees of tokens that are not plain values.
var jsonTokenNames = map[jsontext.Kind]*str{
	jsontext.Int: newStr("int"), jsontext.BigInt: newStr("int"), jsontext.Float: newStr("float"),
	jsontext.Constant: newStr("constant"), jsontext.Key: newStr("key"),
	jsontext.BeginArray: newStr("["), jsontext.EndArray: newStr("]"),
	jsontext.BeginObject: newStr("{"), jsontext.EndObject: newStr("}"),
}

var jsonPlainToken = newStr("value")

// defineJSONReader defines what the prelude does with a jsonReader.
func defineJSONReader(r *registry) {
	define := func(name string, fn func(m *Machine, o *jsonReader, a Args) (Value, error)) {
		r.staticIntrinsic(name, func(m *Machine, a Args) (Value, error) {
			if b := a.at(0).opaque(); b != nil {
				if o, ok := b.box.(*jsonReader); ok {
					return fn(m, o, a)
				}
			}
			return Value{}, errCorrupt
		})
	}
	define("_json_end", func(m *Machine, o *jsonReader, a Args) (Value, error) {
		return None, m.jsonError(o.d.End(), o.source)
	})
	define("_json_pos", func(m *Machine, o *jsonReader, a Args) (Value, error) {
		return jsonPosition(o.d, o.source.str().s), nil
	})
	r.staticIntrinsic("_json_str", func(m *Machine, a Args) (Value, error) { return m.jsonSource(a.at(0)) })
	define("_json_token", func(m *Machine, o *jsonReader, a Args) (Value, error) {
		t, err := o.d.Next()
		if err != nil {
			return Value{}, m.jsonError(err, o.source)
		}
		return m.jsonToken(t, boundTruth(a.at(1), false))
	})
}

// jsonToken is the kind of a token and its value; numbers are their texts when
// a hook wants them so.
func (m *Machine) jsonToken(t jsontext.Token, raw bool) (Value, error) {
	name := jsonTokenNames[t.Kind]
	switch t.Kind {
	case jsontext.BeginArray, jsontext.EndArray, jsontext.BeginObject, jsontext.EndObject:
		return m.pair(name.ref(), None), nil
	case jsontext.Key:
		return m.pair(name.ref(), m.fragment(t.Text, false)), nil
	case jsontext.Constant:
		s, err := m.cut(t.Text)
		return m.pair(name.ref(), m.pair(s, Float(t.Float))), err
	case jsontext.Int, jsontext.BigInt, jsontext.Float:
		v, err := m.jsonNumber(t, raw)
		return m.pair(name.ref(), v), err
	}
	v, err := m.jsonScalar(t)
	return m.pair(jsonPlainToken.ref(), v), err
}

// jsonNumber is the text of a number and, unless only that is wanted, the
// number.
func (m *Machine) jsonNumber(t jsontext.Token, raw bool) (Value, error) {
	s, err := m.cut(t.Text)
	if err != nil {
		return Value{}, err
	}
	if raw && t.Kind != jsontext.Float {
		return m.pair(s, None), nil
	}
	v, err := m.jsonScalar(t)
	return m.pair(s, v), err
}
