package sandbox

import (
	"context"
	"slices"
	"strconv"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
)

// outcome turns what the program left behind into the outputs, in declaration
// order, or into the one error that explains most.
func (a *attempt) outcome(ctx context.Context, c getter, exit cell.Exit) ([]api.Output, error) {
	var values map[string]any
	var err error
	if a.mode == api.AutoIO {
		values, err = a.variables(ctx, c, exit)
	} else {
		values, err = a.written(ctx, c, exit)
	}
	if err == nil {
		err = a.store.commit()
	}
	if err != nil {
		return nil, err
	}
	var outputs []api.Output
	for _, p := range a.task.Signature.Outputs {
		outputs = append(outputs, api.Output{Name: p.Name, Type: p.Type, Value: values[p.Name]})
	}
	return outputs, nil
}

// variables are the outputs of auto-IO code: values from the report of the
// runner, files from where every mode has them.
func (a *attempt) variables(ctx context.Context, c getter, exit cell.Exit) (map[string]any, error) {
	found, err := a.verdict(ctx, c)
	if err != nil {
		return nil, err
	}
	if found != nil && found.err != nil {
		details := api.Details{ExitCode: statusOf(exit), Stderr: a.logs.stderr.lastLines()}
		return nil, a.advise(found.failure(a.task.Signature, details))
	}
	if err := a.failure(exit); err != nil {
		return nil, err
	}
	if found == nil {
		return map[string]any{}, endedEarly(a.task.Signature)
	}
	return a.reported(ctx, c, found)
}

// endedEarly is the error of code that ended the interpreter, with status 0 and
// before the outputs were taken. Without outputs there is nothing wrong with it.
func endedEarly(sig api.Signature) error {
	if len(sig.Outputs) == 0 {
		return nil
	}
	first := sig.Outputs[0]
	return api.Errorf(api.MissingOutput, "output %s is missing: the interpreter ended with status 0 before the outputs were taken", api.Quote(first.Name)).
		WithHint("do not call os._exit and do not replace the process with os.exec; let the code run to its end").
		WithDetails(api.Details{Field: first.Name, Expected: first.Type.String()})
}

func (a *attempt) reported(ctx context.Context, c getter, found *verdict) (map[string]any, error) {
	values, listed := map[string]any{}, map[string]any{}
	var files []api.Param
	for _, p := range a.task.Signature.Outputs {
		value, ok, err := found.variable(p)
		if err != nil {
			return nil, err
		}
		if ok && (value == nil || !p.Type.Files()) {
			values[p.Name] = value
			continue
		}
		files = append(files, p)
		if ok {
			listed[p.Name] = value
		}
	}
	g := newGatherer(a.store, a.limits, files)
	if err := g.list(listed); err != nil {
		return nil, err
	}
	if err := g.gather(ctx, c); err != nil {
		return nil, err
	}
	return g.values, g.complete(values)
}

// variable is the value of an output as the runner has reported it. It is not
// there, and not missed, where the output is to be found as files.
func (v *verdict) variable(p api.Param) (value any, ok bool, err error) {
	inner, _ := required(p.Type)
	text, ok := v.outputs[p.Name]
	switch {
	case isFile(inner), inner.Files() && !ok:
		return nil, false, nil
	case !ok:
		return nil, false, unassigned(p)
	}
	value, err = decodeReported(p, text)
	return value, true, err
}

// written are the outputs of programs that do their own input and output.
func (a *attempt) written(ctx context.Context, c getter, exit cell.Exit) (map[string]any, error) {
	status := slices.IndexFunc(a.task.Signature.Outputs, func(p api.Param) bool { return p.Name == exitCodeName })
	if err := a.failure(exit); err != nil && (status < 0 || exit.Signal != "") {
		return nil, a.advise(err)
	}
	g := newGatherer(a.store, a.limits, a.task.Signature.Outputs)
	if err := g.gather(ctx, c); err != nil {
		return nil, err
	}
	known := map[string]any{}
	if status >= 0 && !g.has(exitCodeName) {
		p := a.task.Signature.Outputs[status]
		value, err := decodeOutput(p, []byte(strconv.Itoa(exit.Code)), api.DecodeText)
		if err != nil {
			return nil, err
		}
		known[exitCodeName] = value
	}
	return g.values, g.complete(known)
}
