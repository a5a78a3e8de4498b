package machine

import (
	"github.com/glovebox-dev/glovebox/py/graph"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
	"github.com/glovebox-dev/glovebox/value"
)

// Classes and instances of the program that come back from the host are the
// objects that left, found by the number that they left with.

// ownClass finds a class of the program.
func (im *importer) ownClass(n *graph.Node) (Value, error) {
	for o, id := range im.m.identities {
		if c, ok := o.self.(*Class); ok && id == n.ID && ofProgram(c) {
			return c.Ref(), nil
		}
	}
	return Value{}, raise.Runtime("invalid input type: sandbox class '%s' no longer exists", value.Shorten(n.Text, maxWhere))
}

// ownInstance finds an instance of a class of the program. The attributes that
// the host sends with it count for nothing.
func (im *importer) ownInstance(n *graph.Node, items []Value) (Value, error) {
	if len(items) == 0 || items[0].Class() == nil {
		return Value{}, raise.Type("an instance without a class cannot enter this sandbox")
	}
	if im.own == nil {
		im.own = im.m.instancesBySerial(im.ownIDs())
	}
	if o := im.own[n.ID]; o != nil {
		return o.value(), nil
	}
	return Value{}, raise.Runtime("invalid input type: sandbox instance of '%s' (id %s) no longer exists",
		items[0].Class().name, value.Shorten(n.Text, maxWhere))
}

// ofProgram reports whether a class was made by the code of the program itself.
func ofProgram(c *Class) bool { return c.flags&shared == 0 && c.module() == "__main__" }

// ownIDs are the numbers of the instances that come back.
func (im *importer) ownIDs() map[uint64]bool {
	wanted := map[uint64]bool{}
	for i := range im.from.Nodes {
		if n := &im.from.Nodes[i]; n.Kind == graph.Instance && n.Host == "" {
			wanted[n.ID] = true
		}
	}
	return wanted
}

// instancesBySerial finds instances of the program among all that is reachable,
// in one walk.
func (m *Machine) instancesBySerial(wanted map[uint64]bool) map[uint64]*Instance {
	found := map[uint64]*Instance{}
	m.epoch++
	t := tracer{m: m, epoch: m.epoch}
	m.roots(&t)
	for len(t.todo) > 0 && len(found) < len(wanted) {
		o := t.todo[len(t.todo)-1]
		t.todo = t.todo[:len(t.todo)-1]
		t.visited += 20
		if own, ok := o.self.(*Instance); ok && own.serial != 0 && wanted[own.serial] && ofProgram(own.class) {
			found[own.serial] = own
		}
		t.object(o)
	}
	m.budget -= t.visited / WorkPerStep
	return found
}
