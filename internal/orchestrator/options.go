package orchestrator

import (
	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/py"
	"github.com/glovebox-dev/glovebox/value"
)

// options says what the code of a task is compiled for.
func options(task *api.Task) (py.Options, error) {
	spec := specOf(task)
	o := py.Options{Name: task.SourceName(), Inputs: task.Signature.Inputs, Output: resultType(task.Signature.Outputs)}
	o.Grants = py.Grants{Clock: spec.Clock.Readable(), Random: spec.Random != ""}
	if spec.Dialect == extended {
		o.Dialect = py.Extended
	}
	if spec.SkipTypeCheck {
		o.Inputs, o.Output = untyped(o.Inputs), anyType()
	}
	for i := range spec.Tools {
		t, err := ToolOf(&spec.Tools[i])
		if err != nil {
			return o, err
		}
		o.Tools = append(o.Tools, t)
	}
	return o, nil
}

func specOf(task *api.Task) api.Orchestrator {
	if task.Orchestrator == nil {
		return api.Orchestrator{}
	}
	return *task.Orchestrator
}

func anyType() value.Type { return value.Type{Kind: value.KindAny} }

func untyped(params []value.Param) []value.Param {
	free := make([]value.Param, len(params))
	for i, p := range params {
		free[i] = value.Param{Name: p.Name, Type: anyType()}
	}
	return free
}

// resultType is the type of the code's last value. Code without a declared
// output may end with any value.
func resultType(outputs []value.Param) value.Type {
	if len(outputs) == 0 {
		return anyType()
	}
	return outputs[0].Type
}

// ToolOf describes a task to the code that may call it.
func ToolOf(task *api.Task) (py.Tool, error) {
	t := py.Tool{Name: task.Name, Doc: task.Doc, Result: callType(task.Signature.Outputs), Async: task.Signature.Async}
	for _, p := range task.Signature.Inputs {
		value, ok, err := p.DefaultValue()
		if err != nil {
			return t, inTool(task.Name, api.BadValue(api.InvalidTask, "default of input", p.Name, err))
		}
		// A def cannot have a parameter without a default after one with a
		// default, but a task can: from there on parameters are named.
		n := len(t.Params)
		named := n > 0 && (t.Params[n-1].KeywordOnly || t.Params[n-1].HasDefault && !ok)
		t.Params = append(t.Params, py.Param{Name: p.Name, Type: p.Type, Default: value, HasDefault: ok, KeywordOnly: named})
	}
	return t, nil
}

// callType is what a call of a tool gives: None without outputs, the value of
// one, several as a tuple in their order: as Python has it.
func callType(outputs []value.Param) value.Type {
	switch len(outputs) {
	case 0:
		return value.Type{Kind: value.KindNone}
	case 1:
		return outputs[0].Type
	}
	types := make([]value.Type, len(outputs))
	for i, p := range outputs {
		types[i] = p.Type
	}
	t := value.TupleOf(types...)
	if _, err := value.ParseType(t.String()); err != nil { // larger than a type may be
		return value.TupleOfAny(anyType())
	}
	return t
}
