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
func (m *Machine) newGroup(o *Instance, a Args) error {
	if a.Named() > 0 || a.Len() != 2 {
		return raise.Type("BaseExceptionGroup.__new__() takes exactly 2 arguments (%d given)", len(a.v))
	}
	if a.v[0].Str() == nil {
		return raise.Type("BaseExceptionGroup.__new__() argument 1 must be str, not %s", TypeName(a.v[0]))
	}
	if k := Plain(a.v[1]).Kind(); k != KindList && k != KindTuple {
		return raise.Type("second argument (exceptions) must be a sequence")
	}
	items, _, err := m.Collect(Plain(a.v[1]))
	if err != nil {
		return err
	}
	if len(items) == 0 {
		return raise.Value("second argument (exceptions) must be a non-empty sequence")
	}
	if err := m.groupClass(o, items); err != nil {
		return err
	}
	members, err := m.NewTuple(items)
	if err != nil {
		return err
	}
	return m.storeAttr(&o.own, known.str(groupExceptions), members)
}

func (m *Machine) groupClass(o *Instance, items []Value) error {
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
	case !narrow && o.class.IsSubclass(excException):
		return raise.Type("Cannot nest BaseExceptions in '%s'", o.class.name)
	}
	return nil
}

// members are the exceptions of a group.
func (o *Instance) members() []Value {
	if i := o.own.findStr(known.str(groupExceptions)); i >= 0 {
		if t := o.own.entries[i].value.Tuple(); t != nil {
			return t.items
		}
	}
	return nil
}

// strGroup is str of a group.
func (m *Machine) strGroup(o *Instance) (string, error) {
	t := o.payload.Tuple()
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

func defineGroups(r *Registry) {
	r.str(groupExceptions)
	r.Property(excBaseGroup, "exceptions", detail("exceptions"))
	r.Property(excBaseGroup, "message", func(m *Machine, a Args) (Value, error) {
		if t := a.v[0].Instance().payload.Tuple(); t != nil && len(t.items) > 0 {
			return t.items[0], nil
		}
		return None, nil
	})
	for _, name := range []string{"derive", "split", "subgroup"} {
		r.method(excBaseGroup, name, 2, 2, func(m *Machine, a Args) (Value, error) {
			return m.Then(m.Intrinsic("group_"+name), a.v[0], a.v[1])
		})
	}
	r.Intrinsic("_follow", func(m *Machine, a Args) (Value, error) {
		to, from := a.v[0].Instance(), a.v[1].Instance()
		if to == nil || from == nil || from.trouble == nil {
			return None, nil
		}
		to.trouble = &traceback{
			lines: append([]traceLine(nil), from.trouble.lines...), cause: from.trouble.cause, context: from.trouble.context,
			noContext: from.trouble.noContext,
		}
		return None, m.Alloc(len(from.trouble.lines) * tracebackLine)
	})
	r.Intrinsic("_same", func(m *Machine, a Args) (Value, error) { return Bool(a.v[0].Is(a.v[1])), nil })
}
