package sandbox

import (
	"context"
	"slices"
	"strconv"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
	"github.com/glovebox-dev/glovebox/internal/sandbox/outputs"
	"github.com/glovebox-dev/glovebox/internal/sandbox/report"
	"github.com/glovebox-dev/glovebox/value"
)

// outcome turns what the program left behind into the outputs, in declaration
// order, or into the one error that explains most.
func (a *attempt) outcome(ctx context.Context, c outputs.Getter, exit cell.Exit) ([]api.Output, error) {
	var values map[string]any
	var err error
	if a.mode == api.AutoIO {
		values, err = a.variables(ctx, c, exit)
	} else {
		values, err = a.written(ctx, c, exit)
	}
	if err == nil {
		err = a.store.Commit()
	}
	if err != nil {
		return nil, err
	}
	var out []api.Output
	for _, p := range a.task.Signature.Outputs {
		out = append(out, api.Output{Name: p.Name, Type: p.Type, Value: values[p.Name]})
	}
	return out, nil
}

// variables are the outputs of auto-IO code: values from the report of the
// runner, files from where every mode has them.
func (a *attempt) variables(ctx context.Context, c outputs.Getter, exit cell.Exit) (map[string]any, error) {
	a.report.WaitFor(a.runner.patiently(ctx))
	found, err := a.report.Read(ctx, c, a.task.Signature.Outputs)
	if err != nil {
		return nil, err
	}
	if found != nil && found.Failed() {
		details := api.Details{ExitCode: exit.Status(), Stderr: a.logs.Stderr.LastLines()}
		return nil, a.advise(found.Failure(a.task.Signature, details))
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
	return api.Errorf(api.MissingOutput, "output %s is missing: the interpreter ended with status 0 before the outputs were taken", value.Quote(first.Name)).
		WithHint("do not call os._exit and do not replace the process with os.exec; let the code run to its end").
		WithDetails(api.Details{Field: first.Name, Expected: first.Type.String()})
}

func (a *attempt) reported(ctx context.Context, c outputs.Getter, found *report.Report) (map[string]any, error) {
	values, listed := map[string]any{}, map[string]any{}
	var files []value.Param
	for _, p := range a.task.Signature.Outputs {
		value, ok, err := found.Variable(p)
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
	a.store.Space = a.runner.patiently(ctx)
	g := outputs.NewGatherer(a.store, a.limits, files)
	if err := g.List(listed); err != nil {
		return nil, err
	}
	if err := g.Gather(ctx, c); err != nil {
		return nil, err
	}
	return g.Complete(values)
}

// written are the outputs of programs that do their own input and output.
func (a *attempt) written(ctx context.Context, c outputs.Getter, exit cell.Exit) (map[string]any, error) {
	status := slices.IndexFunc(a.task.Signature.Outputs, func(p value.Param) bool { return p.Name == exitCodeName })
	if err := a.failure(exit); err != nil && (status < 0 || exit.Signal != "") {
		return nil, a.advise(err)
	}
	a.store.Space = a.runner.patiently(ctx)
	g := outputs.NewGatherer(a.store, a.limits, a.task.Signature.Outputs)
	if err := g.Gather(ctx, c); err != nil {
		return nil, err
	}
	known := map[string]any{}
	if status >= 0 && !g.Has(exitCodeName) {
		p := a.task.Signature.Outputs[status]
		value, err := outputs.Decode(p, []byte(strconv.Itoa(exit.Code)), value.DecodeText)
		if err != nil {
			return nil, err
		}
		known[exitCodeName] = value
	}
	return g.Complete(known)
}
