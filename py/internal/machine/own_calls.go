package machine

import "github.com/glovebox-dev/glovebox/py/internal/raise"

// defineCalls defines the module _calls: how bundled modules make calls of
// tools that run while the program does.
func defineCalls(r *Registry) {
	r.Module("_calls", func(mod *ModuleBuilder) {
		mod.Counted("is_tool", 1, 1, func(m *Machine, a Args) (Value, error) { return Bool(a.v[0].tool() != nil), nil })
		mod.Counted("start", 3, 3, startCall)
		defineSystemCalls(mod)
		defineHostedCalls(mod)
		mod.Counted("wait", 0, 0, func(m *Machine, a Args) (Value, error) { return m.Then(m.Intrinsic("wait_calls")) })
	})
}

// startCall starts a call of a tool with a tuple and a dict of arguments, and
// returns its future.
func startCall(m *Machine, a Args) (Value, error) {
	t, args, keywords := a.v[0].tool(), a.v[1].Tuple(), a.v[2].Dict()
	if t == nil || args == nil || keywords == nil {
		return Value{}, raise.Type("a tool, a tuple and a dict are required")
	}
	call, err := m.spread(args, keywords)
	if err != nil {
		return Value{}, err
	}
	return m.callTool(t, call, true, contStore, Value{})
}

// spread makes the arguments of a call of a tuple and a dict.
func (m *Machine) spread(args *Tuple, keywords *Dict) (Args, error) {
	if err := m.Alloc(2 * (len(args.items) + keywords.Len()) * ValueBytes); err != nil {
		return Args{}, err
	}
	call := Args{v: append([]Value(nil), args.items...)}
	if keywords.Len() > 0 {
		call.names = &Tuple{}
		for i := keywords.Next(0); i >= 0; i = keywords.Next(i + 1) {
			call.names.items = append(call.names.items, keywords.entries[i].key)
			call.v = append(call.v, keywords.entries[i].value)
		}
	}
	return call, nil
}
