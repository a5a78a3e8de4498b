package machine

import (
	"cmp"
	"math/big"

	"github.com/glovebox-dev/glovebox/py/graph"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
	"github.com/glovebox-dev/glovebox/value"
)

// ExportGraph returns the result of code that is done, with the identity of its
// parts.
func (m *Machine) ExportGraph(v Value) (graph.Ref, error) {
	m.resumedAt, m.elapsed = now(), 0
	e := grapher{exporter: exporter{m: m}, to: &graph.Graph{}}
	n, err := e.value(v, 0)
	if r, ok := err.(*raise.Error); ok {
		return graph.Ref{}, &Exception{Class: r.Class, Message: r.Message}
	}
	return graph.Ref{Graph: e.to, Root: n}, err
}

// grapher copies values out as nodes, each object once.
type grapher struct {
	exporter
	to   *graph.Graph
	seen map[*Object]uint32 // the nodes of objects; 0 of those that are under way, else plus 1
}

func (e *grapher) add(n graph.Node, bytes int) (uint32, error) {
	if err := e.pay(graphNodeBytes + bytes); err != nil {
		return 0, err
	}
	return e.to.Add(n), nil
}

// graphNodeBytes is about what a node takes.
const graphNodeBytes = 64

func (e *grapher) value(v Value, depth int) (uint32, error) {
	if v.o == nil {
		return 0, ErrMalformed
	}
	if v.Self() == nil {
		return e.plain(v)
	}
	if done, ok := e.seen[v.o]; ok && done > 0 {
		return done - 1, nil
	} else if ok {
		return e.add(graph.Node{Kind: graph.Cycle, Text: cycleText(v)}, 0)
	}
	if depth > nesting {
		return 0, raise.Value("the value is nested too deeply")
	}
	if e.seen == nil {
		e.seen = map[*Object]uint32{}
	}
	e.seen[v.o] = 0
	n, err := e.object(v, depth)
	e.seen[v.o] = n + 1
	return n, err
}

// cycleText is what repr shows for a container within itself.
func cycleText(v Value) string {
	switch v.Kind() {
	case KindList:
		return "[...]"
	case KindTuple:
		return "(...)"
	case KindDict, KindSet, KindFrozenSet:
		return "{...}"
	}
	return "..."
}

func (e *grapher) plain(v Value) (uint32, error) {
	n := graph.Node{Kind: graph.None}
	switch v.Kind() {
	case KindBool:
		n.Kind, n.Int = graph.Bool, int64(v.n)
	case KindInt:
		n.Kind, n.Int = graph.Int, v.Int()
	case KindFloat:
		n.Kind, n.Float = graph.Float, v.Float()
	}
	return e.add(n, 0)
}

func (e *grapher) object(v Value, depth int) (uint32, error) {
	switch o := v.Self().(type) {
	case *bigInt:
		return e.add(graph.Node{Kind: graph.Big, Big: new(big.Int).Set(o.v)}, o.v.BitLen()/8)
	case *Str:
		return e.add(graph.Node{Kind: graph.Str, Text: o.s}, len(o.s))
	case *Bytes:
		return e.add(graph.Node{Kind: graph.Bytes, Text: o.b}, len(o.b))
	case *List:
		return e.items(graph.Node{Kind: graph.List}, o.items, depth)
	case *Tuple:
		return e.items(graph.Node{Kind: graph.Tuple}, o.items, depth)
	case *Dict:
		return e.pairs(graph.Node{Kind: graph.Dict}, &o.table, depth)
	case *Set:
		n := graph.Node{Kind: graph.Set}
		if v.Kind() == KindFrozenSet {
			n.Kind = graph.FrozenSet
		}
		return e.items(n, o.keys(), depth)
	case *Class:
		return e.class(o, depth)
	case *Native:
		if known.ids[v.o] == o.name {
			return e.add(graph.Node{Kind: graph.Builtin, Text: o.name}, len(o.name))
		}
	case *toolObject:
		n := graph.Node{Kind: graph.Function, Text: o.decl.Name}
		if o.decl.Doc != "" {
			n.Names = []string{o.decl.Doc}
		}
		return e.add(n, len(o.decl.Name)+len(o.decl.Doc))
	case *Instance:
		return e.instance(v, o, depth)
	}
	switch {
	case v.Is(ellipsis):
		return e.add(graph.Node{Kind: graph.Ellipsis}, 0)
	case v.Is(notImplemented):
		return e.add(graph.Node{Kind: graph.NotImplemented}, 0)
	}
	return e.repr(v)
}

// repr is what is left of a value that the host has nothing like.
func (e *grapher) repr(v Value) (uint32, error) {
	text, err := e.m.ReprNative(v)
	if err == ErrForeign {
		text, err = "<"+TypeName(v)+" object>", nil
	}
	if err != nil {
		return 0, err
	}
	return e.add(graph.Node{Kind: graph.Repr, Text: text}, len(text))
}

func (e *grapher) items(n graph.Node, items []Value, depth int) (uint32, error) {
	if err := e.pay(4 * len(items)); err != nil {
		return 0, err
	}
	n.Items = make([]uint32, len(items), len(items)+len(n.Items))
	for i, v := range items {
		at, err := e.value(v, depth+1)
		if err != nil {
			return 0, err
		}
		n.Items[i] = at
	}
	return e.add(n, 0)
}

// pairs adds keys and values after the items that n has.
func (e *grapher) pairs(n graph.Node, t *table, depth int) (uint32, error) {
	return e.pairsOf(n, t, depth, func(Value) bool { return true })
}

// pairsOf does so for the keys that are wanted.
func (e *grapher) pairsOf(n graph.Node, t *table, depth int, wanted func(key Value) bool) (uint32, error) {
	for i := range t.entries {
		entry := &t.entries[i]
		if entry.key.o == nil || !wanted(entry.key) {
			continue
		}
		for _, v := range []Value{entry.key, entry.value} {
			at, err := e.value(v, depth+1)
			if err != nil {
				return 0, err
			}
			n.Items = append(n.Items, at)
		}
		if err := e.pay(8); err != nil {
			return 0, err
		}
	}
	return e.add(n, 0)
}

func (e *grapher) class(c *Class, depth int) (uint32, error) {
	if id := hostID(c.Ref()); id != "" {
		return e.hosted(c.Ref(), id, depth)
	}
	if c.flags&shared != 0 || c.module() != "__main__" {
		name := c.hostNames()[0]
		return e.add(graph.Node{Kind: graph.BuiltinType, Text: name}, len(name))
	}
	id, err := e.m.identityOf(c.Ref())
	if err != nil {
		return 0, err
	}
	return e.add(graph.Node{Kind: graph.Class, Text: c.name, ID: uint64(id.Int()), Data: e.m.dataFields(c) != nil}, len(c.name))
}

func (e *grapher) instance(v Value, o *Instance, depth int) (uint32, error) {
	m := e.m
	if id := hostID(v); id != "" && (hostID(o.class.Ref()) != "" || m.of(o, hostedModule, "module")) {
		return e.hosted(v, id, depth)
	}
	switch {
	case m.isMember(o):
		return e.value(o.field("_value_"), depth+1)
	case o.class == exceptions["BaseException"] || o.class.layout == KindException:
		return e.exception(o)
	case m.of(o, "datetime", "date", "time", "timedelta"):
		return e.moment(v, o)
	case m.of(o, "datetime", "timezone"):
		return e.zone(o)
	case m.of(o, "decimal", "Decimal"):
		x, err := e.decimal(o)
		if err != nil {
			return 0, err
		}
		return e.add(graph.Node{Kind: graph.Decimal, Text: string(x.(value.Decimal))}, 0)
	case m.of(o, "collections", "deque"):
		return e.ring(v, o, depth)
	case m.of(o, filesModule, "File"):
		return e.openFile(v, o)
	case m.of(o, "pathlib", "PurePath"):
		return e.path(v, o)
	case o.payload.Tuple() != nil:
		return e.tuple(o, depth)
	case o.payload.Bound():
		return e.object(o.payload, depth)
	case o.class.flags&shared != 0 || o.class.module() != "__main__":
		return e.repr(v)
	}
	return e.ownInstance(v, o, depth)
}

// ownInstance is an instance of a class of the program.
func (e *grapher) ownInstance(v Value, o *Instance, depth int) (uint32, error) {
	class, err := e.value(o.class.Ref(), depth+1)
	if err != nil {
		return 0, err
	}
	id, err := e.m.identityOf(v)
	if err != nil {
		return 0, err
	}
	n := graph.Node{Kind: graph.Instance, Items: []uint32{class}, ID: uint64(id.Int()), Data: e.m.dataFields(o.class) != nil}
	return e.pairs(n, o.attrs(), depth)
}

// tuple is an instance of a class over tuple: a named one, or just its items.
func (e *grapher) tuple(o *Instance, depth int) (uint32, error) {
	n := graph.Node{Kind: graph.Tuple}
	items := o.payload.Tuple().items
	fields, _ := o.class.find(SharedStr("_fields"))
	if names := fields.Tuple(); names != nil && len(names.items) == len(items) {
		n.Kind, n.Text = graph.NamedTuple, o.class.name
		for _, name := range names.items {
			s := name.Str()
			if s == nil {
				return 0, ErrMalformed
			}
			n.Names = append(n.Names, s.s)
		}
	}
	return e.items(n, items, depth)
}

// exception is an exception as a value: its class and its message.
func (e *grapher) exception(o *Instance) (uint32, error) {
	n := graph.Node{Kind: graph.Exception, Text: o.class.name, Classes: o.class.hostNames()}
	if args := o.payload.Tuple(); args != nil && len(args.items) > 0 {
		n.Names = []string{cmp.Or(e.m.keyOf(o), e.m.message(o))}
	}
	return e.add(n, len(n.Text))
}

// hostNames are the names of the class and of those that it derives from.
func (c *Class) hostNames() []string {
	names := make([]string, 0, len(c.mro))
	for _, k := range c.mro {
		name := k.name
		if module := k.module(); k.flags&shared == 0 && module != "__main__" {
			name = module + "." + k.name
		}
		names = append(names, name)
	}
	return names
}

func (e *grapher) moment(v Value, o *Instance) (uint32, error) {
	x, err := e.m.exportDate(o)
	if err != nil {
		return e.repr(v)
	}
	n := graph.Node{Kind: graph.Moment, Time: x}
	if zone := o.field("tzinfo").Instance(); zone != nil {
		if s := zone.field("_zone").Str(); s != nil {
			n.Text = s.s
		}
	}
	return e.add(n, 0)
}

func (e *grapher) zone(o *Instance) (uint32, error) {
	offset, ok := exportOffset(o, e.m.modules["datetime"])
	if !ok {
		return e.repr(o.value())
	}
	n := graph.Node{Kind: graph.Zone, Int: int64(offset.Seconds())}
	if s := o.field("_zone").Str(); s != nil {
		n.Text = s.s
	}
	return e.add(n, 0)
}

func (e *grapher) ring(v Value, o *Instance, depth int) (uint32, error) {
	var items []Value
	if r := ringOf(v); r != nil {
		if err := e.pay(r.n * ValueBytes); err != nil {
			return 0, err
		}
		r.Each(func(v Value) { items = append(items, v) })
	}
	return e.items(graph.Node{Kind: graph.List}, items, depth)
}

func (e *grapher) path(v Value, o *Instance) (uint32, error) {
	names := o.field("_names").List()
	root := o.field("root").Str()
	if names == nil || root == nil {
		return e.repr(v)
	}
	text := root.s
	for i, name := range names.items {
		s := name.Str()
		if s == nil {
			return e.repr(v)
		}
		if i > 0 {
			text += "/"
		}
		text += s.s
	}
	if text == "" {
		text = "."
	}
	return e.add(graph.Node{Kind: graph.Path, Text: text}, len(text))
}
