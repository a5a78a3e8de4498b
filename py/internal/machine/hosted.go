package machine

import (
	"encoding/hex"
	"strings"

	"github.com/glovebox-dev/glovebox/py/graph"
	"github.com/glovebox-dev/glovebox/py/internal/code"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// hostedModule has what the classes of a session's host are made of.
const hostedModule = "_hosted"

// nameHost is the attribute of a class or an instance of the host with its
// identity. A program that writes it makes up an identity, which its host does
// not know.
var nameHost = SharedStr(hiddenPrefix + "host")

const hiddenPrefix = "\x00"

// hostID is the identity of a class or an instance of the host, or "".
func hostID(v Value) string {
	var own *table
	switch o := v.Self().(type) {
	case *Class:
		own = &o.attrs
	case *Instance:
		own = o.attrs()
	default:
		return ""
	}
	i := own.findStr(nameHost)
	if i < 0 {
		return ""
	}
	id := own.entries[i].value.Bytes()
	if id == nil || len(id.b) != hostIDBytes {
		return ""
	}
	return id.b
}

// hostIDBytes is the length of an identity, which is a UUID.
const hostIDBytes = 16

// defineHostedCalls gives the module _calls what _hosted needs.
func defineHostedCalls(mod *ModuleBuilder) {
	mod.Counted("calling", 1, 1, func(m *Machine, a Args) (Value, error) {
		name := a.v[0].Str()
		return Bool(name != nil && m.callsMethod(name)), nil
	})
	mod.Counted("attribute", 3, 3, func(m *Machine, a Args) (Value, error) {
		name, missing := a.v[1].Str(), a.v[2]
		if name == nil || missing.Str() == nil {
			return Value{}, ErrMalformed
		}
		return m.askOwner(AskAttribute, a.v[0], name.s, Args{v: []Value{missing}})
	})
	mod.Counted("method", 4, 4, func(m *Machine, a Args) (Value, error) {
		name, args, keywords := a.v[1].Str(), a.v[2].Tuple(), a.v[3].Dict()
		if name == nil || args == nil || keywords == nil {
			return Value{}, ErrMalformed
		}
		call, err := m.spread(args, keywords)
		if err != nil {
			return Value{}, err
		}
		return m.askOwner(AskMethod, a.v[0], name.s, call)
	})
	mod.Counted("attributes", 1, 1, func(m *Machine, a Args) (Value, error) {
		o := a.v[0].Instance()
		if o == nil {
			return Value{}, ErrMalformed
		}
		d := m.NewDict()
		for i := range o.attrs().entries {
			e := &o.attrs().entries[i]
			if name := e.key.Str(); name == nil || strings.HasPrefix(name.s, hiddenPrefix) {
				continue
			}
			if err := m.putKey(&d.table, e.key, e.value); err != nil {
				return Value{}, err
			}
		}
		return d.Ref(), nil
	})
}

// askOwner asks the host for something of what it owns, whose identity is the
// first argument.
func (m *Machine) askOwner(what AskKind, owner Value, name string, a Args) (Value, error) {
	id := hostID(owner)
	if id == "" || !m.program.asks {
		return Value{}, raise.Type("'%s' is nothing of the host", TypeName(owner))
	}
	own, err := m.Bytes(id)
	if err != nil {
		return Value{}, err
	}
	a.v = append([]Value{own}, a.v...)
	return m.askHost(what, name, a, contStore, Value{})
}

// callsMethod reports whether the program stands at a call of a method of that
// name.
func (m *Machine) callsMethod(name *Str) bool {
	for i := len(m.frames) - 1; i >= 0; i-- {
		f := &m.frames[i]
		if f.unit.mod.hidden {
			continue
		}
		_, at, ok := f.unit.spotAt(int(f.pc))
		if !ok {
			return false
		}
		if op := f.unit.code.Instrs[at].Op(); op != code.OpCallMethod && op != code.OpCallMethodKw {
			return false
		}
		called := f.unit.consts[f.unit.code.Instrs[at+1]].Str()
		return called != nil && called.s == name.s
	}
	return false
}

// hostClass makes or finds the class of the host that a node is.
func (im *importer) hostClass(n *graph.Node, items []Value) (Value, error) {
	m := im.m
	if len(n.Host) != hostIDBytes {
		return Value{}, raise.Type("a class without an identity cannot enter this sandbox")
	}
	mod, err := m.importNow(hostedModule)
	if err != nil {
		return Value{}, err
	}
	all, err := mod.Member(SharedStr("_classes"))
	if err != nil || all.Dict() == nil {
		return Value{}, ErrMalformed
	}
	key, err := m.Str(hex.EncodeToString([]byte(n.Host)))
	if err != nil {
		return Value{}, err
	}
	if i := all.Dict().findStr(key.Str()); i >= 0 {
		c := all.Dict().entries[i].value.Class()
		if c == nil {
			return Value{}, ErrMalformed
		}
		return c.Ref(), im.setPairs(&c.attrs, items)
	}
	c, err := im.newHostClass(mod, n, items)
	if err != nil {
		return Value{}, err
	}
	return c.Ref(), m.putKey(&all.Dict().table, key, c.Ref())
}

func (im *importer) newHostClass(mod *ModuleObject, n *graph.Node, items []Value) (*Class, error) {
	m := im.m
	base, err := mod.Member(SharedStr("Hosted"))
	if err != nil {
		return nil, err
	}
	meta, err := mod.Member(SharedStr("Type"))
	if err != nil || base.Class() == nil || meta.Class() == nil {
		return nil, ErrMalformed
	}
	namespace := m.NewDict()
	if err := im.setHost(&namespace.table, n.Host); err != nil {
		return nil, err
	}
	if n.Data {
		name, err := m.Str("__dataclass_fields__")
		if err != nil {
			return nil, err
		}
		if err := m.putKey(&namespace.table, name, m.NewDict().Ref()); err != nil {
			return nil, err
		}
	}
	if err := im.setPairs(&namespace.table, items); err != nil {
		return nil, err
	}
	return m.buildClass(n.Text, []*Class{base.Class()}, namespace, meta.Class())
}

func (im *importer) setHost(t *table, id string) error {
	v, err := im.m.Bytes(id)
	if err != nil {
		return err
	}
	name, err := im.m.Str(nameHost.s)
	if err != nil {
		return err
	}
	return im.m.putKey(t, name, v)
}

// setPairs sets attributes, without those that the language itself looks up.
func (im *importer) setPairs(t *table, pairs []Value) error {
	if len(pairs)%2 != 0 {
		return raise.Value("a name without a value")
	}
	for i := 0; i < len(pairs); i += 2 {
		name := pairs[i].Str()
		if name == nil {
			return raise.Type("the name of an attribute must be str, not '%s'", TypeName(pairs[i]))
		}
		if strings.HasPrefix(name.s, "__") || strings.HasPrefix(name.s, hiddenPrefix) {
			continue
		}
		if err := im.m.putKey(t, pairs[i], pairs[i+1]); err != nil {
			return err
		}
	}
	im.m.classes++
	return nil
}

// hostInstance makes an instance of a class of the host.
func (im *importer) hostInstance(n *graph.Node, items []Value) (Value, error) {
	if len(n.Host) != hostIDBytes || len(items) == 0 || hostID(items[0]) == "" || items[0].Class() == nil {
		return Value{}, raise.Type("an instance without a class of the host cannot enter this sandbox")
	}
	if err := im.m.Alloc(InstanceBytes); err != nil {
		return Value{}, err
	}
	o := &Instance{class: items[0].Class()}
	v := o.value()
	if err := im.setHost(o.attrs(), n.Host); err != nil {
		return Value{}, err
	}
	return v, im.setPairs(o.attrs(), items[1:])
}

// hostModule calls a function of _hosted that is about modules.
func (m *Machine) hostModule(name string, args ...Value) (Value, error) {
	mod, ok := m.modules[hostedModule]
	if !ok {
		return Value{}, raise.Runtime("no module of a host is granted to this program")
	}
	fn, err := mod.Member(SharedStr(name))
	if err != nil {
		return Value{}, err
	}
	return m.enter(fn, contStore, Value{}, args...)
}

// module makes a module of the host.
func (im *importer) module(n *graph.Node, items []Value) (Value, error) {
	m := im.m
	mod, err := m.importNow(hostedModule)
	if err != nil {
		return Value{}, err
	}
	title, err := m.Str(n.Text)
	if err != nil {
		return Value{}, err
	}
	if len(n.Host) != hostIDBytes {
		return Value{}, raise.Type("a module without an identity cannot enter this sandbox")
	}
	v, err := m.importInstance(mod, "module", Field{"__name__", title})
	if err != nil {
		return Value{}, err
	}
	if err := im.setHost(v.Instance().attrs(), n.Host); err != nil {
		return Value{}, err
	}
	return v, im.setPairs(v.Instance().attrs(), items)
}

// hosted is a class or an instance of the host that goes back to it.
func (e *grapher) hosted(v Value, id string, depth int) (uint32, error) {
	if c := v.Class(); c != nil {
		n := graph.Node{Kind: graph.Class, Text: c.name, Host: id, Data: c.attrs.findStr(SharedStr("__dataclass_fields__")) >= 0}
		return e.attributes(n, &c.attrs, depth)
	}
	o := v.Instance()
	if e.m.of(o, hostedModule, "module") {
		n := graph.Node{Kind: graph.Module, Host: id}
		if title := o.field("__name__").Str(); title != nil {
			n.Text = title.s
		}
		return e.attributes(n, o.attrs(), depth)
	}
	class, err := e.value(o.class.Ref(), depth+1)
	if err != nil {
		return 0, err
	}
	return e.attributes(graph.Node{Kind: graph.Instance, Items: []uint32{class}, Host: id}, o.attrs(), depth)
}

// attributes is pairs without what the host did not send.
func (e *grapher) attributes(n graph.Node, own *table, depth int) (uint32, error) {
	if err := e.pay(len(n.Text)); err != nil {
		return 0, err
	}
	return e.pairsOf(n, own, depth, func(key Value) bool {
		name := key.Str()
		return name != nil && !strings.HasPrefix(name.s, "__") && !strings.HasPrefix(name.s, hiddenPrefix)
	})
}
