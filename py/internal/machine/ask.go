package machine

import (
	"fmt"

	"github.com/glovebox-dev/glovebox/py/graph"
	"github.com/glovebox-dev/glovebox/py/tool"
)

// Ask is what a session wants of its host: the result of a function, with
// whatever arguments the program passes, or the value of a name.
type Ask struct {
	What  AskKind
	Name  string
	Graph *graph.Graph
	Args  []uint32     // nodes of Graph
	Named []graph.Pair // nodes of Graph
	args  Args
}

// AskKind says what is wanted.
type AskKind uint8

// The kinds of Ask.
const (
	AskCall      AskKind = iota // of a function of the host
	AskName                     // the value of a name that the program does not define
	AskSystem                   // what a system does: see system.go
	AskAttribute                // of an object of the host: Args are its identity and why there is none
	AskMethod                   // of an object of the host, whose identity is the first of Args
	askKinds
)

// newHostFunction makes a function of the host, which takes any arguments.
func newHostFunction(name, doc string) Value {
	o := &toolObject{decl: &tool.Tool{Name: name, Doc: doc}, open: true}
	o.kind, o.self = KindTool, o
	return Value{o: &o.Object}
}

// askHost pauses until the host has answered. Every call waits by itself: the
// host says whether it takes longer, and then there is a future.
func (m *Machine) askHost(what AskKind, name string, a Args, cont continuation, extra Value) (Value, error) {
	if int(m.wait.serial) >= m.limits.Calls {
		return Value{}, m.limit(CallLimit)
	}
	a.v = append([]Value(nil), a.v...) // the registers are used for others
	ask := &Ask{What: what, Name: name, args: a}
	if err := m.exportAsk(ask); err != nil {
		return Value{}, err
	}
	m.wait.serial++
	c := &Call{ID: m.wait.serial, Ask: ask}
	m.wait.calls = append(m.wait.calls, c)
	m.wait.block, m.wait.dst, m.wait.cont, m.wait.extra = c.ID, m.dst, cont, extra
	return Value{}, errPaused
}

// exportAsk copies the arguments out.
func (m *Machine) exportAsk(ask *Ask) error {
	e := grapher{exporter: exporter{m: m}, to: &graph.Graph{}}
	ask.Graph, ask.Args, ask.Named = e.to, nil, nil
	for i, v := range ask.args.v {
		n, err := e.value(v, 0)
		if err != nil {
			return err
		}
		if i < ask.args.Len() {
			ask.Args = append(ask.Args, n)
			continue
		}
		name := ask.args.names.items[i-ask.args.Len()].Str().s
		ask.Named = append(ask.Named, graph.Pair{Name: name, Value: n})
	}
	return nil
}

// check reports why an answer cannot be given.
func (ask *Ask) check(a Answer) error {
	if (ask.What == AskName || ask.What == AskAttribute) && a.Pending {
		return fmt.Errorf("the name %s cannot be pending", ask.Name)
	}
	return nil
}

// settleName binds the name that the host told. Its number is given to the next
// call: names are asked one at a time, and nobody counts them.
func (m *Machine) settleName(c *Call, failed bool, v Value) {
	m.wait.serial--
	if failed {
		return
	}
	for i, name := range m.main.code.code.Globals {
		if name == c.Ask.Name {
			m.main.globals[i] = v
		}
	}
}

// ask writes a call of a session.
func (s *saver) ask(ask *Ask) {
	s.byte(byte(ask.What))
	s.text(ask.Name)
	s.values(ask.args.v)
	if ask.args.names == nil {
		s.byte(tagUnbound)
		return
	}
	s.value(ask.args.names.value())
}

// ask reads a call of a session; finishAsks completes it.
func (l *loader) ask(id uint64, to Value) *Call {
	what, name, args, names := AskKind(l.byte()), l.unicode(), l.items(), l.value()
	if what >= askKinds || to.Bound() && to.future() == nil || names.Bound() && names.Tuple() == nil {
		return nil
	}
	l.pay(128)
	return &Call{ID: id, to: to.future(), Ask: &Ask{What: what, Name: name, args: Args{args, names.Tuple()}}}
}

// finishAsks copies the arguments of the calls out again.
func (l *loader) finishAsks() {
	for _, c := range l.m.wait.calls {
		if c.Ask == nil || l.err != nil {
			continue
		}
		if !c.Ask.args.wellNamed() || !c.Ask.ownerKnown() {
			l.corrupt()
			return
		}
		if err := l.m.exportAsk(c.Ask); err != nil {
			l.fail(err)
		}
	}
}

// ownerKnown reports whether the arguments say which object of the host is asked.
func (ask *Ask) ownerKnown() bool {
	v := ask.args.v
	switch ask.What {
	case AskAttribute:
		return ask.args.Len() == 2 && v[0].Bytes() != nil && v[1].Str() != nil
	case AskMethod:
		return ask.args.Len() >= 1 && v[0].Bytes() != nil
	}
	return true
}

// wellNamed reports whether there is an argument for each name.
func (a Args) wellNamed() bool {
	if a.names == nil {
		return true
	}
	for _, n := range a.names.items {
		if n.Str() == nil {
			return false
		}
	}
	return len(a.names.items) <= len(a.v)
}
