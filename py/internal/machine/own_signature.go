package machine

import (
	"github.com/glovebox-dev/glovebox/py/internal/code"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// defineSignature defines function_shape(function), from which inspect makes a
// signature: how many of the names are positional only, positional and keyword
// only, whether there are *args and **kwargs, the names, and the defaults.
func defineSignature(mod *ModuleBuilder) {
	mod.Counted("function_shape", 1, 1, func(m *Machine, a Args) (Value, error) {
		v := a.v[0]
		if bound := v.method(); bound != nil {
			v = bound.fn
		}
		f := v.function()
		if f == nil {
			return Value{}, raise.Type("function_shape() needs a function or a method of the program")
		}
		return m.functionShape(f)
	})
}

func (m *Machine) functionShape(f *function) (Value, error) {
	c := f.code.code
	names := make([]Value, len(f.code.params))
	for i, p := range f.code.params {
		names[i] = p.Ref()
	}
	params, err := m.NewTuple(names)
	if err != nil {
		return Value{}, err
	}
	defaults, err := m.NewTuple(f.defaults)
	if err != nil {
		return Value{}, err
	}
	keywords := m.NewDict()
	if f.kwDefaults != nil {
		v, err := m.copyDict(f.kwDefaults)
		if err != nil {
			return Value{}, err
		}
		keywords = v.Dict()
	}
	return m.NewTuple([]Value{Int(int64(c.PosOnly)), Int(int64(c.Pos)), Int(int64(c.KwOnly)), Bool(c.Flags&code.VarArgs != 0), Bool(c.Flags&code.VarKw != 0),
		params, defaults, keywords.Ref()})
}
