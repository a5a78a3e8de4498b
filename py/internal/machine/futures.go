package machine

import (
	"github.com/glovebox-dev/glovebox/py/internal/code"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// loopName is the module under which an instance keeps the state of its event
// loop.
const loopName = "<event loop>"

// defineIntrinsicFutures defines what the event loop of the prelude is made of.
func defineIntrinsicFutures(r *registry) {
	r.staticIntrinsic("_is_future", kindTest(kindFuture))
	r.staticIntrinsic("_is_coroutine", func(m *Machine, a Args) (Value, error) {
		g := a.v[0].generator()
		return Bool(g != nil && g.unit.code.Flags&code.Coroutine != 0), nil
	})
	r.staticIntrinsic("_is_done", func(m *Machine, a Args) (Value, error) {
		f := a.v[0].future()
		return Bool(f == nil || f.state != futurePending), nil
	})
	r.staticIntrinsic("_outcome", func(m *Machine, a Args) (Value, error) { return a.v[0].future().outcome(m) })
	r.staticIntrinsic("_new_future", func(m *Machine, a Args) (Value, error) {
		m.spend(2 * sliceBytes)
		return (&future{}).object(), nil
	})
	r.staticIntrinsic("_resolve", func(m *Machine, a Args) (Value, error) {
		f := a.v[0].future()
		f.state, f.value = futureDone, a.v[1]
		return None, nil
	})
	r.staticIntrinsic("_reject", func(m *Machine, a Args) (Value, error) {
		f := a.v[0].future()
		f.state, f.value = futureFailed, a.v[1]
		return None, nil
	})
	r.staticIntrinsic("_done_with", func(m *Machine, a Args) (Value, error) {
		m.spend(2 * sliceBytes)
		return (&future{state: futureDone, value: a.v[0]}).object(), nil
	})
	r.staticIntrinsic("_failed_with", func(m *Machine, a Args) (Value, error) {
		m.spend(2 * sliceBytes)
		return (&future{state: futureFailed, value: a.v[0]}).object(), nil
	})
	r.staticIntrinsic("_wait", func(m *Machine, a Args) (Value, error) { return m.waitAny() })
	r.staticIntrinsic("_pending", func(m *Machine, a Args) (Value, error) { return Bool(m.pendingFutures()), nil })
	r.staticIntrinsic("_loop", func(m *Machine, a Args) (Value, error) { return m.eventLoop(), nil })
	r.staticIntrinsic("_close", func(m *Machine, a Args) (Value, error) {
		if g := a.v[0].generator(); g != nil {
			g.finish()
		}
		return None, nil
	})
	r.staticIntrinsic("_tool_named", toolNamed)
	r.staticIntrinsic("_start_tool", startTool)
}

// eventLoop returns the object that holds the state of the event loop.
func (m *Machine) eventLoop() Value {
	if m.loopState.bound() {
		return m.loopState
	}
	m.spend(instanceBytes)
	o := &instance{class: objectType}
	m.loopState = o.value()
	for name, v := range map[string]Value{"ready": m.freshList(), "waiters": m.freshList(), "sleeping": m.freshList(), "now": Int(0)} {
		s := known.str(name)
		o.attrs.insert(s.ref(), v, s.tableHash())
	}
	return m.loopState
}

func (m *Machine) freshList() Value {
	m.spend(listBytes)
	return (&list{}).value()
}

// toolNamed returns the tool that the first argument of glovebox_map names.
func toolNamed(m *Machine, a Args) (Value, error) {
	v := a.v[0]
	if v.kind() == kindTool || v.kind() == kindFunction {
		return v, nil
	}
	s := v.str()
	if s == nil {
		return Value{}, raise.Type("glovebox_map: the first argument must be a tool or its name, not %s", typeName(v))
	}
	names := ""
	for i, t := range m.program.Tools {
		if t.Name == s.s {
			return m.program.values[i], nil
		}
		if i > 0 {
			names += ", "
		}
		names += t.Name
	}
	if names == "" {
		names = "none"
	}
	return Value{}, raise.Value("glovebox_map: tool '%s' not found in registered tools. Available: %s", s.s, names)
}

// startTool starts a call without waiting for it.
func startTool(m *Machine, a Args) (Value, error) {
	args := a.v[1].tuple()
	if t := a.v[0].tool(); t != nil {
		return m.callTool(t, Args{v: args.items}, true, contStore, Value{})
	}
	return Value{}, raise.Type("glovebox_map: %s is not a tool", typeName(a.v[0]))
}

// awaitTop is await outside of a function: the event loop runs v to its end.
func (m *Machine) awaitTop(v Value) (Value, error) {
	if f := v.future(); f != nil && f.state != futurePending {
		return f.outcome(m)
	}
	if _, err := m.awaitable(v); err != nil && err != errEntered {
		return Value{}, err
	}
	return m.enter(m.intrinsic("run"), contStore, Value{}, v)
}

func (m *Machine) awaitMethod(fn, v Value) (Value, error) { return m.enter(fn, contStore, Value{}, v) }

func (m *Machine) asyncIter(v Value) (Value, error) {
	if g := v.generator(); g != nil && g.word() == "async_generator" {
		return v, nil
	}
	fn, ok := m.lookup(classOf(v), nameAiter)
	if !ok {
		return Value{}, raise.Type("'async for' requires an object with __aiter__ method, got %s", typeName(v))
	}
	return m.enter(fn, contStore, Value{}, v)
}

func (m *Machine) asyncNext(v Value) (Value, error) {
	fn, ok := m.lookup(classOf(v), nameAnext)
	if !ok {
		return Value{}, raise.Type("'async for' requires an iterator with __anext__ method, got %s", typeName(v))
	}
	return m.enter(fn, contStore, Value{}, v)
}
