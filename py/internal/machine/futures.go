package machine

import (
	"github.com/glovebox-dev/glovebox/py/internal/code"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// defineIntrinsicFutures defines what the event loop of the prelude is made of.
func defineIntrinsicFutures(r *Registry) {
	for _, c := range []*Class{excCancelled, excInvalidState} {
		r.HiddenClass(c)
		r.intrinsics[c.name] = c.Ref()
	}
	r.Intrinsic("_is_future", kindTest(KindFuture))
	r.Intrinsic("_is_coroutine", func(m *Machine, a Args) (Value, error) {
		g := a.v[0].generator()
		return Bool(g != nil && g.unit.code.Flags&code.Coroutine != 0), nil
	})
	r.Intrinsic("_is_coroutine_function", func(m *Machine, a Args) (Value, error) {
		v := a.v[0]
		if t := v.tool(); t != nil {
			return Bool(t.decl.Async), nil
		}
		if o := v.method(); o != nil {
			v = o.fn
		}
		f := v.function()
		return Bool(f != nil && f.code.code.Flags&(code.Coroutine|code.Generator) == code.Coroutine), nil
	})
	r.Intrinsic("_is_done", func(m *Machine, a Args) (Value, error) {
		f := a.v[0].future()
		return Bool(f == nil || f.state != futurePending), nil
	})
	r.futureIntrinsic("_outcome", func(m *Machine, f *future, a Args) (Value, error) { return f.outcome(m) })
	r.futureIntrinsic("_failure", func(m *Machine, f *future, a Args) (Value, error) {
		if f.state == futureFailed {
			return f.value, nil
		}
		return None, nil
	})
	r.Intrinsic("_new_future", func(m *Machine, a Args) (Value, error) { return m.newFuture(ownFuture).object(), nil })
	r.Intrinsic("_new_task", func(m *Machine, a Args) (Value, error) { return m.newFuture(ownFuture | ownTask).object(), nil })
	r.Intrinsic("_is_call", func(m *Machine, a Args) (Value, error) {
		f := a.v[0].future()
		return Bool(f != nil && f.id&ownFuture == 0), nil
	})
	r.futureIntrinsic("_give_up", func(m *Machine, f *future, a Args) (Value, error) { return None, m.giveUp(f.id) })
	r.futureIntrinsic("_renew", func(m *Machine, f *future, a Args) (Value, error) {
		f.state, f.value = futurePending, Value{}
		return None, nil
	})
	r.Intrinsic("_awaits_outside", func(m *Machine, a Args) (Value, error) {
		return Bool(m.program.console() || m.program.Main.awaits()), nil
	})
	r.futureIntrinsic("_more", func(m *Machine, f *future, a Args) (Value, error) { return m.futureState(f), nil })
	r.Intrinsic("_has_await", func(m *Machine, a Args) (Value, error) {
		_, ok := m.Lookup(ClassOf(a.v[0]), nameAwait)
		return Bool(ok || isAwaitable(a.v[0].generator())), nil
	})
	r.generatorIntrinsic("_agen_send", func(m *Machine, g *generator, a Args) (Value, error) {
		return Value{}, m.resume(g, a.v[1], contNext, Value{})
	})
	r.generatorIntrinsic("_agen_throw", func(m *Machine, g *generator, a Args) (Value, error) {
		return Value{}, m.throw(g, a.v[1], contNext)
	})
	r.generatorIntrinsic("_is_idle", func(m *Machine, g *generator, a Args) (Value, error) {
		return Bool(g.state == generatorCreated || g.state == generatorFinished), nil
	})
	r.futureIntrinsic("_resolve", func(m *Machine, f *future, a Args) (Value, error) {
		f.state, f.value = futureDone, a.v[1]
		return None, nil
	})
	r.futureIntrinsic("_reject", func(m *Machine, f *future, a Args) (Value, error) {
		f.state, f.value = futureFailed, a.v[1]
		return None, nil
	})
	r.Intrinsic("_done_with", func(m *Machine, a Args) (Value, error) {
		f := m.newFuture(ownFuture)
		f.state, f.value = futureDone, a.v[0]
		return f.object(), nil
	})
	r.Intrinsic("_failed_with", func(m *Machine, a Args) (Value, error) {
		f := m.newFuture(ownFuture)
		f.state, f.value = futureFailed, a.v[0]
		return f.object(), nil
	})
	r.Intrinsic("_wait", func(m *Machine, a Args) (Value, error) { return m.waitAny() })
	r.Intrinsic("_keeps_time", func(m *Machine, a Args) (Value, error) { return Bool(m.host.Timers), nil })
	r.Intrinsic("_pending", func(m *Machine, a Args) (Value, error) { return Bool(m.pendingFutures()), nil })
	r.Intrinsic("_loop", func(m *Machine, a Args) (Value, error) { return m.eventLoop(), nil })
	r.Intrinsic("_close", func(m *Machine, a Args) (Value, error) {
		if g := a.v[0].generator(); g != nil {
			g.finish()
		}
		return None, nil
	})
	r.Intrinsic("_tool_named", toolNamed)
	r.Intrinsic("_start_tool", startTool)
	r.Intrinsic("_begin", func(m *Machine, a Args) (Value, error) {
		return m.callTool(a.v[0].tool(), Args{v: a.v[1:], names: a.names}, true, contStore, Value{})
	})
	r.Intrinsic("_is_tool", kindTest(KindTool))
}

// futureIntrinsic is staticIntrinsic of a function of a future. Programs reach
// it through the methods of futures, with anything for self.
func (r *Registry) futureIntrinsic(name string, fn func(m *Machine, f *future, a Args) (Value, error)) {
	r.Intrinsic(name, func(m *Machine, a Args) (Value, error) {
		f := a.v[0].future()
		if f == nil {
			return Value{}, raise.Type("descriptor requires a '_asyncio.Future' object but received a '%s'", TypeName(a.v[0]))
		}
		return fn(m, f, a)
	})
}

// generatorIntrinsic is futureIntrinsic of a function of a generator.
func (r *Registry) generatorIntrinsic(name string, fn func(m *Machine, g *generator, a Args) (Value, error)) {
	r.Intrinsic(name, func(m *Machine, a Args) (Value, error) {
		g := a.v[0].generator()
		if g == nil {
			return Value{}, raise.Type("descriptor requires a 'async_generator' object but received a '%s'", TypeName(a.v[0]))
		}
		return fn(m, g, a)
	})
}

// eventLoop returns the object that holds the state of the event loop.
func (m *Machine) eventLoop() Value {
	if m.loopState.Bound() {
		return m.loopState
	}
	m.loopState = m.record(
		member{"ready", m.freshList()}, member{"at", Int(0)}, member{"timers", m.freshList()}, member{"now", Float(m.passed.Seconds())},
		member{"until", None}, member{"serial", Int(1)}, member{"current", None}, member{"main", None}, member{"tasks", m.NewDict().Ref()},
		member{"vars", None})
	return m.loopState
}

type member struct {
	name string
	v    Value
}

// record makes an object with attributes for the use of the prelude.
func (m *Machine) record(members ...member) Value {
	m.Spend(InstanceBytes + 2*len(members)*ValueBytes)
	o := &Instance{class: objectType}
	for _, a := range members {
		s := known.str(a.name)
		o.attrs().insert(s.Ref(), a.v, s.tableHash())
	}
	return o.value()
}

func (m *Machine) newFuture(kind uint64) *future {
	m.Spend(2 * SliceBytes)
	m.serials++
	return &future{id: m.serials | kind}
}

// futureState returns what the event loop keeps about a future.
func (m *Machine) futureState(f *future) Value {
	if !f.more.Bound() {
		f.more = m.record(member{"waiters", m.freshList()}, member{"coro", None}, member{"children", None})
	}
	return f.more
}

// awaitables are the generators of the prelude that an await takes.
var awaitables = map[string]bool{"agen_step": true, "agen_close": true, "pass_turn": true}

func isAwaitable(g *generator) bool {
	if g == nil {
		return false
	}
	return g.unit.code.Flags&(code.Coroutine|code.Generator) == code.Coroutine ||
		g.fn != nil && g.fn.flags&shared != 0 && awaitables[g.unit.code.Name]
}

// defineFutureMethods gives futures and asynchronous generators their methods,
// which are functions of the prelude.
func defineFutureMethods(r *Registry) {
	for _, name := range []string{"done", "cancelled", "result", "exception", "cancel", "uncancel", "cancelling", "add_done_callback",
		"remove_done_callback", "set_result", "set_exception", "get_name", "set_name", "get_coro"} {
		r.attr(futureType, name, r.intrinsics["future_"+name])
	}
	for name, fn := range map[string]string{"__anext__": "agen_next", "asend": "agen_send", "athrow": "agen_throw", "aclose": "agen_close"} {
		r.attr(asyncGenType, name, r.intrinsics[fn])
	}
	r.modules["_loop"] = func(r *Registry, define func(name string, v Value)) {
		for _, name := range []string{"run_main", "run_until", "cancel_all", "create_task", "gather", "pass_turn", "call_soon", "call_at",
			"cancel_timer", "sleep_alone", "settle",
			"add_waiter", "future_cancel", "CancelledError", "InvalidStateError"} {
			define(name, r.intrinsics[name])
		}
		define("loop", r.intrinsics["_loop"])
		define("more", r.intrinsics["_more"])
		define("new_future", r.intrinsics["_new_future"])
		define("is_future", r.intrinsics["_is_future"])
		define("is_call", r.intrinsics["_is_call"])
		define("is_tool", r.intrinsics["_is_tool"])
		define("begin", r.intrinsics["_begin"])
		define("awaits_outside", r.intrinsics["_awaits_outside"])
		define("is_coroutine", r.intrinsics["_is_coroutine"])
		define("is_coroutine_function", r.intrinsics["_is_coroutine_function"])
		define("has_await", r.intrinsics["_has_await"])
		define("Future", futureType.Ref())
		define("Task", taskType.Ref())
	}
}

func (m *Machine) freshList() Value {
	m.Spend(ListBytes)
	return (&List{}).Value()
}

// toolNamed returns the tool that the first argument of glovebox_map names.
func toolNamed(m *Machine, a Args) (Value, error) {
	v := a.v[0]
	if v.Kind() == KindTool || v.Kind() == KindFunction {
		return v, nil
	}
	s := v.Str()
	if s == nil {
		return Value{}, raise.Type("glovebox_map: the first argument must be a tool or its name, not %s", TypeName(v))
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
	args := a.v[1].Tuple()
	if t := a.v[0].tool(); t != nil {
		return m.callTool(t, Args{v: args.items}, true, contStore, Value{})
	}
	return Value{}, raise.Type("glovebox_map: %s is not a tool", TypeName(a.v[0]))
}

// awaitTop is await outside of a function: the event loop runs v to its end.
func (m *Machine) awaitTop(v Value) (Value, error) {
	if f := v.future(); f != nil && f.state != futurePending {
		return f.outcome(m)
	}
	if _, ok := m.Lookup(ClassOf(v), nameAwait); !ok && v.future() == nil && !isAwaitable(v.generator()) {
		if m.program.Plain {
			return v, nil
		}
		return Value{}, m.notAwaitable(v)
	}
	return m.enter(m.Intrinsic("run"), contStore, Value{}, v)
}

func (m *Machine) awaitMethod(fn, v Value) (Value, error) { return m.enter(fn, contStore, Value{}, v) }

func (m *Machine) notAwaitable(v Value) error {
	return raise.Type("object %s can't be used in 'await' expression", TypeName(v))
}

func (m *Machine) asyncIter(v Value) (Value, error) {
	fn, ok := m.Lookup(ClassOf(v), nameAiter)
	if !ok {
		return Value{}, raise.Type("'async for' requires an object with __aiter__ method, got %s", TypeName(v))
	}
	return m.enter(fn, contStore, Value{}, v)
}

func (m *Machine) asyncNext(v Value) (Value, error) {
	fn, ok := m.Lookup(ClassOf(v), nameAnext)
	if !ok {
		return Value{}, raise.Type("'async for' requires an iterator with __anext__ method, got %s", TypeName(v))
	}
	return m.enter(fn, contStore, Value{}, v)
}
