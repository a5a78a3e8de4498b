package machine

import (
	"math/big"
	"strings"
	"time"

	"github.com/glovebox-dev/glovebox/py/graph"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
	"github.com/glovebox-dev/glovebox/value"
)

// importer makes values of nodes that a host gives: of a node that two others
// hold, one object. Graphs may come from anyone.
type importer struct {
	m    *Machine
	from *graph.Graph
	made []Value // by number of the node; unbound where it is not needed yet

	own map[uint64]*Instance // those of the program that come back; nil before one is needed
}

// value makes the value of a node and of all that it holds. A node holds nodes
// before it, so that a loop over the numbers is enough.
func (im *importer) value(r graph.Ref) (Value, error) {
	if im.from != r.Graph {
		im.from, im.made, im.own = r.Graph, nil, nil
	}
	if int64(r.Root) >= int64(len(r.Graph.Nodes)) {
		return Value{}, raise.Value("a node that is not there")
	}
	if err := im.m.Alloc((int(r.Root) + 1 - min(int(r.Root)+1, len(im.made))) * ValueBytes); err != nil {
		return Value{}, err
	}
	for i := len(im.made); i <= int(r.Root); i++ {
		v, err := im.node(&r.Graph.Nodes[i])
		if err != nil {
			return Value{}, err
		}
		im.made = append(im.made, v)
	}
	return im.made[r.Root], nil
}

func (im *importer) node(n *graph.Node) (Value, error) {
	m := im.m
	switch n.Kind {
	case graph.None:
		return None, nil
	case graph.Ellipsis:
		return ellipsis, nil
	case graph.NotImplemented:
		return notImplemented, nil
	case graph.Bool:
		return Bool(n.Int != 0), nil
	case graph.Int:
		return Int(n.Int), nil
	case graph.Big:
		return m.Import(n.Big)
	case graph.Float:
		return Float(n.Float), nil
	case graph.Str:
		return m.Str(n.Text)
	case graph.Bytes:
		return m.Bytes(n.Text)
	case graph.Decimal:
		return m.Import(value.Decimal(n.Text))
	case graph.Exception:
		return im.exception(n)
	case graph.BuiltinType, graph.Builtin:
		return im.builtin(n)
	case graph.Function:
		m.Spend(4 * SliceBytes)
		doc := ""
		if len(n.Names) > 0 {
			doc = n.Names[0]
		}
		return newHostFunction(n.Text, doc), nil
	case graph.Moment, graph.Zone:
		return im.moment(n)
	case graph.Path:
		return im.path(n)
	case graph.File:
		return im.openFile(n)
	}
	return im.container(n)
}

func (im *importer) container(n *graph.Node) (Value, error) {
	items, err := im.items(n.Items)
	if err != nil {
		return Value{}, err
	}
	switch n.Kind {
	case graph.List:
		return (&List{items: items}).Value(), nil
	case graph.NamedTuple:
		return im.namedTuple(n, items)
	case graph.Tuple:
		if len(items) == 0 {
			return emptyTuple, nil
		}
		return (&Tuple{items: items}).value(), nil
	case graph.Dict:
		return im.dict(items)
	case graph.Class:
		if n.Host == "" {
			return im.ownClass(n)
		}
		return im.hostClass(n, items)
	case graph.Instance:
		if n.Host == "" {
			return im.ownInstance(n, items)
		}
		return im.hostInstance(n, items)
	case graph.Module:
		return im.module(n, items)
	case graph.Set, graph.FrozenSet:
		return im.set(items, n.Kind == graph.FrozenSet)
	}
	return Value{}, raise.Type("a value of this kind cannot enter the program")
}

func (im *importer) items(nodes []uint32) ([]Value, error) {
	if err := im.m.Alloc(ListBytes + len(nodes)*ValueBytes); err != nil {
		return nil, err
	}
	if err := im.m.Work(len(nodes)); err != nil {
		return nil, err
	}
	items := make([]Value, len(nodes))
	for i, at := range nodes {
		if int64(at) >= int64(len(im.made)) {
			return nil, raise.Value("a node holds one that is not before it")
		}
		items[i] = im.made[at]
	}
	return items, nil
}

func (im *importer) dict(pairs []Value) (Value, error) {
	if len(pairs)%2 != 0 {
		return Value{}, raise.Value("a key without a value")
	}
	d := im.m.NewDict()
	for i := 0; i < len(pairs); i += 2 {
		err := im.m.putKey(&d.table, pairs[i], pairs[i+1])
		if err == ErrForeign {
			return im.m.callNow("dict_display", (&List{items: pairs}).Value())
		}
		if err != nil {
			return Value{}, err
		}
	}
	return d.Ref(), nil
}

func (im *importer) set(items []Value, frozen bool) (Value, error) {
	s := im.m.NewSet()
	for _, v := range items {
		err := im.m.putKey(&s.table, v, None)
		if err == ErrForeign {
			name := "set_of"
			if frozen {
				name = "frozen_of"
			}
			return im.m.callNow(name, (&List{items: items}).Value())
		}
		if err != nil {
			return Value{}, err
		}
	}
	return s.Value(frozen), nil
}

func (im *importer) exception(n *graph.Node) (Value, error) {
	if len(n.Names) == 0 {
		return im.m.newException(n.Text), nil
	}
	text, err := im.m.Str(n.Names[0])
	if err != nil {
		return Value{}, err
	}
	return im.m.newException(n.Text, text), nil
}

// builtin finds a built-in function or type by its name.
func (im *importer) builtin(n *graph.Node) (Value, error) {
	if v, ok := builtinByName(n.Text); ok {
		return v, nil
	}
	if at := strings.LastIndexByte(n.Text, '.'); at > 0 && isBundled(n.Text[:at]) {
		mod, err := im.m.importNow(n.Text[:at])
		if err != nil {
			return Value{}, err
		}
		if v, err := mod.attr(SharedStr(n.Text[at+1:])); err == nil {
			return v, nil
		}
	}
	return Value{}, raise.Type("there is no built-in %s here", value.Shorten(n.Text, maxWhere))
}

// moment makes a date or a time. The name of its zone is kept.
func (im *importer) moment(n *graph.Node) (Value, error) {
	if n.Kind == graph.Zone {
		mod, err := im.m.importNow("datetime")
		if err != nil {
			return Value{}, err
		}
		return im.zone(mod, n.Int, n.Text)
	}
	v, err := im.m.Import(n.Time)
	if err != nil || n.Text == "" {
		return v, err
	}
	var offset time.Duration
	switch x := n.Time.(type) {
	case value.DateTime:
		offset = x.Offset
	case value.TimeOfDay:
		offset = x.Offset
	default:
		return v, nil
	}
	zone, err := im.zone(im.m.modules["datetime"], int64(offset.Seconds()), n.Text)
	if err != nil {
		return Value{}, err
	}
	return v, im.m.SetFields(v.Instance(), Field{"tzinfo", zone})
}

func (im *importer) zone(mod *ModuleObject, seconds int64, name string) (Value, error) {
	if name == "" || name == "UTC" && seconds == 0 {
		return im.m.importOffset(mod, time.Duration(seconds)*time.Second)
	}
	delta, err := im.m.importMicros(mod, big.NewInt(seconds*1e6))
	if err != nil {
		return Value{}, err
	}
	text, err := im.m.Str(name)
	if err != nil {
		return Value{}, err
	}
	return im.m.importInstance(mod, "timezone", Field{"_offset", delta}, Field{"_zone", text})
}

// path makes a path of pathlib.
func (im *importer) path(n *graph.Node) (Value, error) {
	mod, class, err := im.pathClass()
	if err != nil {
		return Value{}, err
	}
	names, root, err := im.pathParts(n.Text)
	if err != nil {
		return Value{}, err
	}
	return im.m.importInstance(mod, class,
		Field{"drive", emptyStr.Ref()}, Field{"root", root}, Field{"_names", names})
}

func (im *importer) pathParts(text string) (names, root Value, err error) {
	rootText := ""
	var parts []Value
	for i, start := 0, 0; i <= len(text); i++ {
		if i < len(text) && text[i] != '/' {
			continue
		}
		if i == 0 {
			rootText = "/"
		}
		if part := text[start:i]; part != "" && part != "." {
			v, err := im.m.Str(part)
			if err != nil {
				return Value{}, Value{}, err
			}
			parts = append(parts, v)
		}
		start = i + 1
	}
	if root, err = im.m.Str(rootText); err != nil {
		return Value{}, Value{}, err
	}
	names, err = im.m.NewList(parts)
	return names, root, err
}
