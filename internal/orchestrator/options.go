package orchestrator

import (
	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/py"
)

// options says what the code of a task is compiled for.
func options(task *api.Task) (py.Options, error) {
	spec := specOf(task)
	o := py.Options{Name: fileOf(task), Inputs: task.Signature.Inputs, Output: resultType(task.Signature.Outputs)}
	o.Grants = py.Grants{Clock: spec.Clock.Readable(), Random: spec.Random != ""}
	if spec.Dialect == extended {
		o.Dialect = py.Extended
	}
	if spec.SkipTypeCheck {
		o.Inputs, o.Output = untyped(o.Inputs), anyType()
	}
	for i := range spec.Tools {
		t, err := toolOf(&spec.Tools[i])
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

// fileOf is the name of the source in tracebacks.
func fileOf(task *api.Task) string {
	switch {
	case task.File != "":
		return task.File
	case task.Name != "":
		return task.Name + ".py"
	}
	return string(api.KindOrchestrator) + ".py"
}

func anyType() api.Type { return api.Type{Kind: api.KindAny} }

func untyped(params []api.Param) []api.Param {
	free := make([]api.Param, len(params))
	for i, p := range params {
		free[i] = api.Param{Name: p.Name, Type: anyType()}
	}
	return free
}

// resultType is the type of the code's last value. Code without a declared
// output may end with any value.
func resultType(outputs []api.Param) api.Type {
	if len(outputs) == 0 {
		return anyType()
	}
	return outputs[0].Type
}

// toolOf describes a task to the code that may call it.
func toolOf(task *api.Task) (py.Tool, error) {
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
func callType(outputs []api.Param) api.Type {
	switch len(outputs) {
	case 0:
		return api.Type{Kind: api.KindNone}
	case 1:
		return outputs[0].Type
	}
	types := make([]api.Type, len(outputs))
	for i, p := range outputs {
		types[i] = p.Type
	}
	t := api.TupleOf(types...)
	if _, err := api.ParseType(t.String()); err != nil { // larger than a type may be
		return api.TupleOfAny(anyType())
	}
	return t
}
