package machine

import (
	"github.com/glovebox-dev/glovebox/py/internal/jsontext"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// jsonWriter is json.dumps under way. It stops at values that it does not know,
// for which the prelude asks the program.
type jsonWriter struct {
	enc     *jsontext.Encoder
	options jsonOptions
	open    []jsonOpen
	next    Value // what is written next, or unbound
	wanted  Value // what the program has to replace, or unbound
}

type jsonOptions uint8

const (
	jsonSorted jsonOptions = 1 << iota
	jsonSkipKeys
	jsonNaN
	jsonCircular // containers in themselves are looked for
	jsonDefault  // the program replaces what is unknown
)

// jsonOpen is a container that is being written, or a value whose replacement
// is.
type jsonOpen struct {
	value Value
	items []Value // keys and values in turns, when they are not read from value as it goes
	i     int
}

// jsonDumps is json.dumps.
func jsonDumps(m *Machine, a Args) (Value, error) {
	if err := a.one("dumps"); err != nil {
		return Value{}, err
	}
	if a.givesClass() {
		return m.thenAs(m.intrinsic("json_dumps_by"), a)
	}
	v, err := a.bind("dumps", 1, "obj", "skipkeys", "ensure_ascii", "check_circular", "allow_nan", "cls", "indent",
		"separators", "default", "sort_keys")
	if err != nil {
		return Value{}, err
	}
	o := &jsonWriter{enc: jsontext.NewEncoder(m), next: v[0]}
	o.enc.EscapeAll = boundTruth(v[2], true)
	set := func(option jsonOptions, on bool) {
		if on {
			o.options |= option
		}
	}
	set(jsonSkipKeys, boundTruth(v[1], false))
	set(jsonCircular, boundTruth(v[3], true))
	set(jsonNaN, boundTruth(v[4], true))
	set(jsonDefault, !orNone(v[8]).isNone())
	set(jsonSorted, boundTruth(v[9], false))
	if err := m.jsonLayout(o.enc, orNone(v[6]), orNone(v[7])); err != nil {
		return Value{}, err
	}
	more, err := o.run(m)
	if err != nil {
		return Value{}, err
	}
	if !more {
		return o.text(m)
	}
	w, err := m.box(jsonEncoderType, o)
	if err != nil {
		return Value{}, err
	}
	return m.then(m.intrinsic("json_dump"), w, v[8])
}

// jsonLayout applies indent and separators.
func (m *Machine) jsonLayout(enc *jsontext.Encoder, indent, separators Value) error {
	if !indent.isNone() {
		enc.Indented, enc.ItemSeparator = true, ","
		s, err := m.jsonIndent(indent)
		if err != nil {
			return err
		}
		enc.Indent = s
	}
	if separators.isNone() {
		return nil
	}
	items, ok, err := m.collect(plain(separators))
	if err != nil {
		return err
	}
	if !ok || len(items) != 2 {
		return raise.Value("separators must be a tuple of two strs")
	}
	item, err := wantStr(items[0], "make_encoder() argument 6 must be str, not %s", typeName(items[0]))
	if err != nil {
		return err
	}
	key, err := wantStr(items[1], "make_encoder() argument 5 must be str, not %s", typeName(items[1]))
	if err != nil {
		return err
	}
	enc.ItemSeparator, enc.KeySeparator = item.s, key.s
	return nil
}

func (m *Machine) jsonIndent(v Value) (string, error) {
	if s := plain(v).str(); s != nil {
		return s.s, nil
	}
	n, err := m.boundInt(v, 0)
	if err != nil {
		return "", err
	}
	return m.repeat(" ", n)
}

// run writes until the end or a value that the program must replace.
func (o *jsonWriter) run(m *Machine) (more bool, err error) {
	for {
		if o.next.bound() {
			v := o.next
			o.next = Value{}
			if err := o.write(m, v); err != nil || o.wanted.bound() {
				return true, err
			}
		}
		if len(o.open) == 0 {
			return false, nil
		}
		if err := o.step(m, &o.open[len(o.open)-1]); err != nil {
			return false, err
		}
	}
}

// write writes v, or its beginning when it is a container.
func (o *jsonWriter) write(m *Machine, v Value) error {
	p := plain(v)
	switch p.kind() {
	case kindStr:
		return o.enc.String(p.str().s)
	case kindNone, kindBool, kindInt, kindBigInt, kindFloat:
		s, err := o.scalar(m, p)
		if err != nil {
			return err
		}
		return o.enc.Raw(s)
	case kindList, kindTuple:
		return o.begin(m, '[', v, nil)
	case kindDict:
		items, err := o.pairs(m, p.dict())
		if err != nil {
			return err
		}
		return o.begin(m, '{', v, items)
	}
	if o.options&jsonDefault == 0 {
		return raise.Type("Object of type %s is not JSON serializable", typeName(v))
	}
	o.wanted = v
	return o.enter(m, jsonOpen{value: v})
}

// scalar is the text of None, a bool or a number.
func (o *jsonWriter) scalar(m *Machine, v Value) (string, error) {
	switch v.kind() {
	case kindNone:
		return "null", nil
	case kindBool:
		if v.n != 0 {
			return "true", nil
		}
		return "false", nil
	case kindFloat:
		s, special, err := jsontext.NonFinite(v.float(), o.options&jsonNaN != 0)
		if special || err != nil {
			return s, err
		}
		return m.plainText(v)
	}
	return m.intText(v)
}

func (o *jsonWriter) begin(m *Machine, bracket byte, v Value, items []Value) error {
	if err := o.enter(m, jsonOpen{value: v, items: items}); err != nil {
		return err
	}
	return o.enc.Begin(bracket)
}

var errDeepJSON = raise.New("RecursionError", "maximum recursion depth exceeded while encoding a JSON object")

// enter notes that a container is open.
func (o *jsonWriter) enter(m *Machine, c jsonOpen) error {
	if o.options&jsonCircular != 0 {
		for i := range o.open {
			if o.open[i].value.is(c.value) {
				return raise.Value("Circular reference detected")
			}
		}
	}
	if len(o.open) >= jsonDepth {
		return errDeepJSON
	}
	if o.open == nil {
		o.open = make([]jsonOpen, 0, 4)
	}
	o.open = append(o.open, c)
	return m.Work(len(o.open))
}

// pairs returns the items of a dict when they must not be read as it goes:
// because they are sorted, or because the program may change the dict.
func (o *jsonWriter) pairs(m *Machine, d *dict) ([]Value, error) {
	if o.options&(jsonSorted|jsonDefault) == 0 {
		return nil, nil
	}
	if err := m.Alloc(3 * d.live() * valueBytes); err != nil {
		return nil, err
	}
	if err := m.Work(2 * d.live()); err != nil {
		return nil, err
	}
	keys := make([]Value, 0, d.live())
	values := make([]Value, 0, d.live())
	for i := d.next(0); i >= 0; i = d.next(i + 1) {
		keys = append(keys, d.entries[i].key)
		values = append(values, d.entries[i].value)
	}
	return o.arrange(m, keys, values)
}

func (o *jsonWriter) arrange(m *Machine, keys, values []Value) ([]Value, error) {
	items := make([]Value, 0, 2*len(keys)+1) // not nil: it stands for the dict
	if o.options&jsonSorted == 0 {
		for i := range keys {
			items = append(items, keys[i], values[i])
		}
		return items, nil
	}
	plainKeys := make([]Value, len(keys))
	for i, k := range keys {
		plainKeys[i] = plain(k)
	}
	order, err := m.sortedOrder(plainKeys, false)
	if err == errForeign {
		err = raise.Type("keys must be str, int, float, bool or None, not objects with an order of their own")
	}
	if err != nil {
		return nil, err
	}
	for _, at := range order {
		items = append(items, keys[at.at], values[at.at])
	}
	return items, nil
}

// step writes the next item of a container, or its end.
func (o *jsonWriter) step(m *Machine, c *jsonOpen) error {
	switch p := plain(c.value); p.kind() {
	case kindList, kindTuple:
		items, _, err := m.collect(p)
		if err != nil {
			return err
		}
		if c.i >= len(items) {
			return o.end(']')
		}
		c.i++
		o.next = items[c.i-1]
		return o.enc.Item()
	case kindDict:
		k, v, ok := c.pair(p.dict())
		if !ok {
			return o.end('}')
		}
		return o.entry(m, k, v)
	}
	o.open = o.open[:len(o.open)-1]
	return nil
}

// pair returns the next key and value of a dict.
func (c *jsonOpen) pair(d *dict) (k, v Value, ok bool) {
	if c.items != nil {
		if c.i+1 >= len(c.items) {
			return Value{}, Value{}, false
		}
		c.i += 2
		return c.items[c.i-2], c.items[c.i-1], true
	}
	i := d.next(c.i)
	if i < 0 {
		return Value{}, Value{}, false
	}
	c.i = i + 1
	return d.entries[i].key, d.entries[i].value, true
}

func (o *jsonWriter) end(bracket byte) error {
	o.open = o.open[:len(o.open)-1]
	return o.enc.End(bracket)
}

func (o *jsonWriter) entry(m *Machine, k, v Value) error {
	var key string
	var err error
	switch p := plain(k); p.kind() {
	case kindStr:
		key = p.str().s
	case kindNone, kindBool, kindInt, kindBigInt, kindFloat:
		key, err = o.scalar(m, p)
	default:
		if o.options&jsonSkipKeys != 0 {
			return nil
		}
		err = raise.Type("keys must be str, int, float, bool or None, not %s", typeName(k))
	}
	if err != nil {
		return err
	}
	if err := o.enc.Item(); err != nil {
		return err
	}
	o.next = v
	return o.enc.Key(key)
}

// text is the result.
func (o *jsonWriter) text(m *Machine) (Value, error) {
	if err := m.Alloc(len(o.enc.Out)); err != nil {
		return Value{}, err
	}
	return m.fragment(string(o.enc.Out), false), nil
}

// Size is what is written and the list of what is open.
func (o *jsonWriter) Size() int {
	n := 256 + cap(o.enc.Out)
	for i := range o.open {
		n += 48 + cap(o.open[i].items)*valueBytes
	}
	return n
}

// Each visits what is open.
func (o *jsonWriter) Each(visit func(Value)) {
	visit(o.next)
	visit(o.wanted)
	for i := range o.open {
		visit(o.open[i].value)
		for _, v := range o.open[i].items {
			visit(v)
		}
	}
}

// Save returns the text so far, the layout, and what is open.
func (o *jsonWriter) Save() (string, []Value) {
	e := o.enc
	fields := []Value{
		(&bytesObject{b: string(e.Out)}).value(), Int(int64(e.Level)), Bool(e.Empty), Bool(e.EscapeAll), Bool(e.Indented),
		(&str{s: e.Indent, length: -1}).value(), (&str{s: e.ItemSeparator, length: -1}).value(),
		(&str{s: e.KeySeparator, length: -1}).value(), Int(int64(o.options)), orNone(o.wanted),
	}
	for _, c := range o.open {
		items := None
		if c.items != nil {
			items = (&tuple{items: c.items}).value()
		}
		fields = append(fields, c.value, Int(int64(c.i)), items)
	}
	return "json.encoder", fields
}

// jsonFields is the number of fields of Save before what is open.
const jsonFields = 10

func loadJSONWriter(m *Machine, fields []Value) (Boxed, error) {
	if len(fields) < jsonFields || (len(fields)-jsonFields)%3 != 0 || (len(fields)-jsonFields)/3 > jsonDepth {
		return nil, errCorrupt
	}
	out, indent, item, key := fields[0].bytes(), fields[5].str(), fields[6].str(), fields[7].str()
	if out == nil || indent == nil || item == nil || key == nil || !fields[1].isInt() || !fields[8].isInt() {
		return nil, errCorrupt
	}
	level := fields[1].int()
	if level < 0 || level > jsonDepth {
		return nil, errCorrupt
	}
	if err := m.Alloc(len(out.b) + 256); err != nil {
		return nil, err
	}
	e := jsontext.NewEncoder(m)
	e.Out, e.Level, e.Empty = []byte(out.b), int(level), fields[2].n != 0
	e.EscapeAll, e.Indented = fields[3].n != 0, fields[4].n != 0
	e.Indent, e.ItemSeparator, e.KeySeparator = indent.s, item.s, key.s
	o := &jsonWriter{enc: e, options: jsonOptions(fields[8].n), wanted: fields[9]}
	for i := jsonFields; i < len(fields); i += 3 {
		c, err := loadJSONOpen(m, fields[i:i+3])
		if err != nil {
			return nil, err
		}
		o.open = append(o.open, c)
	}
	return o, nil
}

func loadJSONOpen(m *Machine, fields []Value) (jsonOpen, error) {
	if !fields[1].isInt() || fields[1].int() < 0 || fields[1].int() > 1<<40 {
		return jsonOpen{}, errCorrupt
	}
	c := jsonOpen{value: fields[0], i: int(fields[1].int())}
	if fields[2].isNone() {
		return c, nil
	}
	t := fields[2].tuple()
	if t == nil || len(t.items)%2 != 0 {
		return jsonOpen{}, errCorrupt
	}
	if err := m.Alloc((len(t.items) + 1) * valueBytes); err != nil {
		return jsonOpen{}, err
	}
	c.items = append(make([]Value, 0, len(t.items)+1), t.items...)
	return c, nil
}

// defineJSONWriter defines what the prelude does with a jsonWriter.
func defineJSONWriter(r *registry) {
	define := func(name string, fn func(m *Machine, o *jsonWriter, a Args) (Value, error)) {
		r.staticIntrinsic(name, func(m *Machine, a Args) (Value, error) {
			if b := a.at(0).opaque(); b != nil {
				if o, ok := b.box.(*jsonWriter); ok {
					return fn(m, o, a)
				}
			}
			return Value{}, errCorrupt
		})
	}
	define("_json_wanted", func(m *Machine, o *jsonWriter, a Args) (Value, error) { return orNone(o.wanted), nil })
	define("_json_give", func(m *Machine, o *jsonWriter, a Args) (Value, error) {
		o.wanted, o.next = Value{}, a.at(1)
		more, err := o.run(m)
		return Bool(more), err
	})
	define("_json_text", func(m *Machine, o *jsonWriter, a Args) (Value, error) { return o.text(m) })
}
