package machine

import "errors"

// A native function may enter a frame whose value is the native's result: the
// getter of a property for getattr, or a generator for next. When the machine
// itself called the native, for a hook of a class, that frame has to go on the
// way the machine asked for.

// ownWay is how the frame that a native enters hands over its value, where that
// is not as the result of a call.
type ownWay uint8

const (
	resultWay    ownWay = iota
	statementWay        // the native gives None; see Machine.statement
	resumeWay           // the frame is a generator, which can end by StopIteration
)

// defineWays marks the natives that hand over values their own way.
func defineWays(r *Registry) {
	for way, ids := range map[ownWay][]string{
		statementWay: {"setattr", "delattr", "object.__setattr__", "object.__delattr__", "list.__setitem__", "list.__delitem__",
			"dict.__setitem__", "dict.__delitem__", "property.__set__", "property.__delete__"},
		resumeWay: {"next", "generator.send", "generator.throw", "generator.close", "generator.__next__",
			"coroutine.send", "coroutine.throw", "coroutine.close"},
	} {
		for _, id := range ids {
			r.natives[id].native().way = way
		}
	}
}

// needsDetour reports whether a call of the native for cont must be made by a
// function of the prelude, which hands over the value as any function does.
func (n *Native) needsDetour(cont continuation) bool {
	switch n.way {
	case resumeWay:
		return true
	case statementWay:
		return cont != contDiscard && cont != contExtra && cont != contInit
	}
	return false
}

// detour asks for a call of fn in a frame of its own.
func (m *Machine) detour(fn Value, base, n int, names *Tuple) error {
	args, err := m.NewList(m.stack[base : base+n])
	if err != nil {
		return err
	}
	keywords := None
	if names != nil {
		keywords = names.ref()
	}
	_, err = m.Then(m.Intrinsic("call_apart"), fn, args, keywords)
	return err
}

var errWay = errors.New("a native function entered a frame its own way")

// redirect makes the frame at index at, which a native entered, hand over its
// value by cont.
func (m *Machine) redirect(at int, cont continuation, extra Value) error {
	f := &m.frames[at]
	switch {
	case f.cont == contStore, f.cont == contExtra && cont == contExtra:
		f.cont, f.extra = cont, extra
	case f.cont == contExtra && cont == contInit:
		f.extra = extra
	case f.cont == contExtra && cont == contDiscard:
		f.cont, f.extra = contDiscard, Value{}
	default:
		return errWay
	}
	return errEntered
}
