package modules

import (
	"github.com/glovebox-dev/glovebox/py/internal/jsontext"
	"github.com/glovebox-dev/glovebox/py/internal/machine"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// jsonWriter is json.dumps under way. It stops at values that it does not know,
// for which the prelude asks the program.
type jsonWriter struct {
	enc     *jsontext.Encoder
	options jsonOptions
	open    []jsonOpen
	next    machine.Value // what is written next, or unbound
	wanted  machine.Value // what the program has to replace, or unbound
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
	value machine.Value
	items []machine.Value // keys and values in turns, when they are not read from value as it goes
	i     int
}

// jsonDumps is json.dumps.
func jsonDumps(m *machine.Machine, a machine.Args) (machine.Value, error) {
	if err := onlyOne(a, "dumps"); err != nil {
		return machine.Value{}, err
	}
	if givesClass(a) {
		return m.ThenAs(m.Intrinsic("json_dumps_by"), a)
	}
	v, err := a.Bind("dumps", 1, "obj", "skipkeys", "ensure_ascii", "check_circular", "allow_nan", "cls", "indent",
		"separators", "default", "sort_keys")
	if err != nil {
		return machine.Value{}, err
	}
	o := &jsonWriter{enc: jsontext.NewEncoder(m), next: v[0]}
	o.enc.EscapeAll = machine.OptionalTruth(v[2], true)
	set := func(option jsonOptions, on bool) {
		if on {
			o.options |= option
		}
	}
	set(jsonSkipKeys, machine.OptionalTruth(v[1], false))
	set(jsonCircular, machine.OptionalTruth(v[3], true))
	set(jsonNaN, machine.OptionalTruth(v[4], true))
	set(jsonDefault, !machine.OrNone(v[8]).IsNone())
	set(jsonSorted, machine.OptionalTruth(v[9], false))
	if err := jsonLayout(m, o.enc, machine.OrNone(v[6]), machine.OrNone(v[7])); err != nil {
		return machine.Value{}, err
	}
	more, err := o.run(m)
	if err != nil {
		return machine.Value{}, err
	}
	if !more {
		return o.text(m)
	}
	w, err := m.NewBoxed(jsonEncoderType, o)
	if err != nil {
		return machine.Value{}, err
	}
	return m.Then(m.Intrinsic("json_dump"), w, v[8])
}

// jsonLayout applies indent and separators.
func jsonLayout(m *machine.Machine, enc *jsontext.Encoder, indent, separators machine.Value) error {
	if !indent.IsNone() {
		enc.Indented, enc.ItemSeparator = true, ","
		s, err := jsonIndent(m, indent)
		if err != nil {
			return err
		}
		enc.Indent = s
	}
	if separators.IsNone() {
		return nil
	}
	items, ok, err := m.Collect(machine.Plain(separators))
	if err != nil {
		return err
	}
	if !ok || len(items) != 2 {
		return raise.Value("separators must be a tuple of two strs")
	}
	item, err := machine.WantStr(items[0], "make_encoder() argument 6 must be str, not %s", machine.TypeName(items[0]))
	if err != nil {
		return err
	}
	key, err := machine.WantStr(items[1], "make_encoder() argument 5 must be str, not %s", machine.TypeName(items[1]))
	if err != nil {
		return err
	}
	enc.ItemSeparator, enc.KeySeparator = item.Text(), key.Text()
	return nil
}

func jsonIndent(m *machine.Machine, v machine.Value) (string, error) {
	if s := machine.Plain(v).Str(); s != nil {
		return s.Text(), nil
	}
	n, err := m.OptionalInt(v, 0)
	if err != nil {
		return "", err
	}
	return m.Repeat(" ", n)
}

// run writes until the end or a value that the program must replace.
func (o *jsonWriter) run(m *machine.Machine) (more bool, err error) {
	for {
		if o.next.Bound() {
			v := o.next
			o.next = machine.Value{}
			if err := o.write(m, v); err != nil || o.wanted.Bound() {
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
func (o *jsonWriter) write(m *machine.Machine, v machine.Value) error {
	p := machine.Plain(v)
	switch p.Kind() {
	case machine.KindStr:
		return o.enc.String(p.Str().Text())
	case machine.KindNone, machine.KindBool, machine.KindInt, machine.KindBigInt, machine.KindFloat:
		s, err := o.scalar(m, p)
		if err != nil {
			return err
		}
		return o.enc.Raw(s)
	case machine.KindList, machine.KindTuple:
		return o.begin(m, '[', v, nil)
	case machine.KindDict:
		items, err := o.pairs(m, p.Dict())
		if err != nil {
			return err
		}
		return o.begin(m, '{', v, items)
	}
	if o.options&jsonDefault == 0 {
		return raise.Type("Object of type %s is not JSON serializable", machine.TypeName(v))
	}
	o.wanted = v
	return o.enter(m, jsonOpen{value: v})
}

// scalar is the text of None, a bool or a number.
func (o *jsonWriter) scalar(m *machine.Machine, v machine.Value) (string, error) {
	switch v.Kind() {
	case machine.KindNone:
		return "null", nil
	case machine.KindBool:
		if v.Int() != 0 {
			return "true", nil
		}
		return "false", nil
	case machine.KindFloat:
		s, special, err := jsontext.NonFinite(v.Float(), o.options&jsonNaN != 0)
		if special || err != nil {
			return s, err
		}
		return m.PlainText(v)
	}
	return m.IntText(v)
}

func (o *jsonWriter) begin(m *machine.Machine, bracket byte, v machine.Value, items []machine.Value) error {
	if err := o.enter(m, jsonOpen{value: v, items: items}); err != nil {
		return err
	}
	return o.enc.Begin(bracket)
}

var errDeepJSON = raise.New("RecursionError", "maximum recursion depth exceeded while encoding a JSON object")

// enter notes that a container is open.
func (o *jsonWriter) enter(m *machine.Machine, c jsonOpen) error {
	if o.options&jsonCircular != 0 {
		for i := range o.open {
			if o.open[i].value.Is(c.value) {
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
func (o *jsonWriter) pairs(m *machine.Machine, d *machine.Dict) ([]machine.Value, error) {
	if o.options&(jsonSorted|jsonDefault) == 0 {
		return nil, nil
	}
	if err := m.Alloc(3 * d.Len() * machine.ValueBytes); err != nil {
		return nil, err
	}
	if err := m.Work(2 * d.Len()); err != nil {
		return nil, err
	}
	keys := make([]machine.Value, 0, d.Len())
	values := make([]machine.Value, 0, d.Len())
	for i := d.Next(0); i >= 0; i = d.Next(i + 1) {
		k, v := d.Entry(i)
		keys, values = append(keys, k), append(values, v)
	}
	return o.arrange(m, keys, values)
}

func (o *jsonWriter) arrange(m *machine.Machine, keys, values []machine.Value) ([]machine.Value, error) {
	items := make([]machine.Value, 0, 2*len(keys)+1) // not nil: it stands for the dict
	if o.options&jsonSorted == 0 {
		for i := range keys {
			items = append(items, keys[i], values[i])
		}
		return items, nil
	}
	plainKeys := make([]machine.Value, len(keys))
	for i, k := range keys {
		plainKeys[i] = machine.Plain(k)
	}
	order, err := m.SortedOrder(plainKeys, false)
	if err == machine.ErrForeign {
		err = raise.Type("keys must be str, int, float, bool or None, not objects with an order of their own")
	}
	if err != nil {
		return nil, err
	}
	for _, at := range order {
		items = append(items, keys[at.At], values[at.At])
	}
	return items, nil
}

// step writes the next item of a container, or its end.
func (o *jsonWriter) step(m *machine.Machine, c *jsonOpen) error {
	switch p := machine.Plain(c.value); p.Kind() {
	case machine.KindList, machine.KindTuple:
		items, _, err := m.Collect(p)
		if err != nil {
			return err
		}
		if c.i >= len(items) {
			return o.end(']')
		}
		c.i++
		o.next = items[c.i-1]
		return o.enc.Item()
	case machine.KindDict:
		k, v, ok := c.pair(p.Dict())
		if !ok {
			return o.end('}')
		}
		return o.entry(m, k, v)
	}
	o.open = o.open[:len(o.open)-1]
	return nil
}

// pair returns the next key and value of a dict.
func (c *jsonOpen) pair(d *machine.Dict) (k, v machine.Value, ok bool) {
	if c.items != nil {
		if c.i+1 >= len(c.items) {
			return machine.Value{}, machine.Value{}, false
		}
		c.i += 2
		return c.items[c.i-2], c.items[c.i-1], true
	}
	i := d.Next(c.i)
	if i < 0 {
		return machine.Value{}, machine.Value{}, false
	}
	c.i = i + 1
	k, v = d.Entry(i)
	return k, v, true
}

func (o *jsonWriter) end(bracket byte) error {
	o.open = o.open[:len(o.open)-1]
	return o.enc.End(bracket)
}

func (o *jsonWriter) entry(m *machine.Machine, k, v machine.Value) error {
	var key string
	var err error
	switch p := machine.Plain(k); p.Kind() {
	case machine.KindStr:
		key = p.Str().Text()
	case machine.KindNone, machine.KindBool, machine.KindInt, machine.KindBigInt, machine.KindFloat:
		key, err = o.scalar(m, p)
	default:
		if o.options&jsonSkipKeys != 0 {
			return nil
		}
		err = raise.Type("keys must be str, int, float, bool or None, not %s", machine.TypeName(k))
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
func (o *jsonWriter) text(m *machine.Machine) (machine.Value, error) {
	if err := m.Alloc(len(o.enc.Out)); err != nil {
		return machine.Value{}, err
	}
	return m.PaidText(string(o.enc.Out), false), nil
}

// Size is what is written and the list of what is open.
func (o *jsonWriter) Size() int {
	n := 256 + cap(o.enc.Out)
	for i := range o.open {
		n += 48 + cap(o.open[i].items)*machine.ValueBytes
	}
	return n
}

// Each visits what is open.
func (o *jsonWriter) Each(visit func(machine.Value)) {
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
func (o *jsonWriter) Save() (string, []machine.Value) {
	e := o.enc
	fields := []machine.Value{
		machine.SavedBytes(string(e.Out)), machine.Int(int64(e.Level)), machine.Bool(e.Empty), machine.Bool(e.EscapeAll), machine.Bool(e.Indented),
		machine.SavedStr(e.Indent), machine.SavedStr(e.ItemSeparator),
		machine.SavedStr(e.KeySeparator), machine.Int(int64(o.options)), machine.OrNone(o.wanted),
	}
	for _, c := range o.open {
		items := machine.None
		if c.items != nil {
			items = machine.SavedTuple(c.items)
		}
		fields = append(fields, c.value, machine.Int(int64(c.i)), items)
	}
	return "json.encoder", fields
}

// jsonFields is the number of fields of Save before what is open.
const jsonFields = 10

func loadJSONWriter(m *machine.Machine, fields []machine.Value) (machine.Boxed, error) {
	if len(fields) < jsonFields || (len(fields)-jsonFields)%3 != 0 || (len(fields)-jsonFields)/3 > jsonDepth {
		return nil, machine.ErrMalformed
	}
	out, indent, item, key := fields[0].Bytes(), fields[5].Str(), fields[6].Str(), fields[7].Str()
	if out == nil || indent == nil || item == nil || key == nil || !fields[1].IsInt() || !fields[8].IsInt() {
		return nil, machine.ErrMalformed
	}
	level := fields[1].Int()
	if level < 0 || level > jsonDepth {
		return nil, machine.ErrMalformed
	}
	if err := m.Alloc(len(out.Data()) + 256); err != nil {
		return nil, err
	}
	e := jsontext.NewEncoder(m)
	e.Out, e.Level, e.Empty = []byte(out.Data()), int(level), fields[2].Int() != 0
	e.EscapeAll, e.Indented = fields[3].Int() != 0, fields[4].Int() != 0
	e.Indent, e.ItemSeparator, e.KeySeparator = indent.Text(), item.Text(), key.Text()
	o := &jsonWriter{enc: e, options: jsonOptions(fields[8].Int()), wanted: fields[9]}
	for i := jsonFields; i < len(fields); i += 3 {
		c, err := loadJSONOpen(m, fields[i:i+3])
		if err != nil {
			return nil, err
		}
		o.open = append(o.open, c)
	}
	return o, nil
}

func loadJSONOpen(m *machine.Machine, fields []machine.Value) (jsonOpen, error) {
	if !fields[1].IsInt() || fields[1].Int() < 0 || fields[1].Int() > 1<<40 {
		return jsonOpen{}, machine.ErrMalformed
	}
	c := jsonOpen{value: fields[0], i: int(fields[1].Int())}
	if fields[2].IsNone() {
		return c, nil
	}
	t := fields[2].Tuple()
	if t == nil || len(t.Items())%2 != 0 {
		return jsonOpen{}, machine.ErrMalformed
	}
	if err := m.Alloc((len(t.Items()) + 1) * machine.ValueBytes); err != nil {
		return jsonOpen{}, err
	}
	c.items = append(make([]machine.Value, 0, len(t.Items())+1), t.Items()...)
	return c, nil
}

// defineJSONWriter defines what the prelude does with a jsonWriter.
func defineJSONWriter(r *machine.Registry) {
	define := func(name string, fn func(m *machine.Machine, o *jsonWriter, a machine.Args) (machine.Value, error)) {
		r.Intrinsic(name, func(m *machine.Machine, a machine.Args) (machine.Value, error) {
			if b := a.At(0).Opaque(); b != nil {
				if o, ok := b.Box().(*jsonWriter); ok {
					return fn(m, o, a)
				}
			}
			return machine.Value{}, machine.ErrMalformed
		})
	}
	define("_json_wanted", func(m *machine.Machine, o *jsonWriter, a machine.Args) (machine.Value, error) {
		return machine.OrNone(o.wanted), nil
	})
	define("_json_give", func(m *machine.Machine, o *jsonWriter, a machine.Args) (machine.Value, error) {
		o.wanted, o.next = machine.Value{}, a.At(1)
		more, err := o.run(m)
		return machine.Bool(more), err
	})
	define("_json_text", func(m *machine.Machine, o *jsonWriter, a machine.Args) (machine.Value, error) { return o.text(m) })
}
