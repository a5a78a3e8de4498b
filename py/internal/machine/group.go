package machine

import (
	"strconv"

	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

var (
	excBaseGroup = exceptions["BaseExceptionGroup"]
	excGroup     = exceptions["ExceptionGroup"]
	excException = exceptions["Exception"]
)

// groupExceptions is the attribute that holds the exceptions of a group.
const groupExceptions = detailPrefix + "exceptions"

// newGroup completes a group of exceptions that is made with the arguments. It
// returns its class: a group of nothing but Exceptions is an ExceptionGroup.
func (m *Machine) newGroup(o *instance, a Args) error {
	if a.named() > 0 || a.len() != 2 {
		return raise.Type("BaseExceptionGroup.__new__() takes exactly 2 arguments (%d given)", len(a.v))
	}
	if a.v[0].str() == nil {
		return raise.Type("BaseExceptionGroup.__new__() argument 1 must be str, not %s", typeName(a.v[0]))
	}
	if k := plain(a.v[1]).kind(); k != kindList && k != kindTuple {
		return raise.Type("second argument (exceptions) must be a sequence")
	}
	items, _, err := m.collect(plain(a.v[1]))
	if err != nil {
		return err
	}
	if len(items) == 0 {
		return raise.Value("second argument (exceptions) must be a non-empty sequence")
	}
	if err := m.groupClass(o, items); err != nil {
		return err
	}
	members, err := m.newTupleCopy(items)
	if err != nil {
		return err
	}
	return m.storeAttr(&o.own, known.str(groupExceptions), members)
}

func (m *Machine) groupClass(o *instance, items []Value) error {
	narrow := true
	for i, v := range items {
		if !m.isException(v, excBase) {
			return raise.Value("Item %d of second argument (exceptions) is not an exception", i)
		}
		narrow = narrow && m.isException(v, excException)
	}
	switch {
	case narrow && o.class == excBaseGroup:
		o.class = excGroup
	case !narrow && o.class == excGroup:
		return raise.Type("Cannot nest BaseExceptions in an ExceptionGroup")
	case !narrow && o.class.isSubclass(excException):
		return raise.Type("Cannot nest BaseExceptions in '%s'", o.class.name)
	}
	return nil
}

// members are the exceptions of a group.
func (o *instance) members() []Value {
	if i := o.own.findStr(known.str(groupExceptions)); i >= 0 {
		if t := o.own.entries[i].value.tuple(); t != nil {
			return t.items
		}
	}
	return nil
}

// strGroup is str of a group.
func (m *Machine) strGroup(o *instance) (string, error) {
	t := o.payload.tuple()
	if t == nil || len(t.items) == 0 {
		return "", nil
	}
	s, err := m.strNative(t.items[0])
	if err != nil {
		return "", err
	}
	n := len(o.members())
	return s + " (" + strconv.Itoa(n) + " sub-exception" + plural(n) + ")", m.Alloc(len(s) + 40)
}

func defineGroups(r *registry) {
	r.str(groupExceptions)
	r.property(excBaseGroup, "exceptions", detail("exceptions"))
	r.property(excBaseGroup, "message", func(m *Machine, a Args) (Value, error) {
		if t := a.v[0].instance().payload.tuple(); t != nil && len(t.items) > 0 {
			return t.items[0], nil
		}
		return None, nil
	})
	for _, name := range []string{"derive", "split", "subgroup"} {
		r.method(excBaseGroup, name, 2, 2, func(m *Machine, a Args) (Value, error) {
			return m.then(m.intrinsic("group_"+name), a.v[0], a.v[1])
		})
	}
	r.staticIntrinsic("_follow", func(m *Machine, a Args) (Value, error) {
		to, from := a.v[0].instance(), a.v[1].instance()
		if to == nil || from == nil || from.trouble == nil {
			return None, nil
		}
		to.trouble = &traceback{
			lines: append([]traceLine(nil), from.trouble.lines...), cause: from.trouble.cause, context: from.trouble.context,
			noContext: from.trouble.noContext,
		}
		return None, m.Alloc(len(from.trouble.lines) * tracebackLine)
	})
	r.staticIntrinsic("_same", func(m *Machine, a Args) (Value, error) { return Bool(a.v[0].is(a.v[1])), nil })
}
