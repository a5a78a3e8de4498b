package glovebox

import (
	"context"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// Func makes a Go function of a task. In is a struct: each exported field is
// an input, in order, and its Go type says its declared type (see the table in
// the package documentation). A tag names it, "-" leaves it out, and without a
// tag the name is the field's in snake_case:
//
//	type in struct {
//		Values string   `glovebox:"values"`
//		Limit  *float64 `glovebox:"limit"` // Optional[float]
//	}
//
// Out is a struct in the same way, or the type of a single output. Of a Sandbox
// or an Orchestrator In and Out are the declaration: its Inputs and Outputs are
// not looked at. Mistakes in the structs come back from every call, as
// invalid_type.
func Func[In, Out any](g *Glovebox, t Task, opts ...RunOption) func(context.Context, In) (Out, error) {
	signature, err := signatureOf(reflect.TypeFor[In](), reflect.TypeFor[Out]())
	return func(ctx context.Context, in In) (out Out, _ error) {
		if err != nil {
			return out, err
		}
		return Call[Out](ctx, g, declared(t, signature), structValues(reflect.ValueOf(in)), opts...)
	}
}

// Call runs a task and returns what it gave: Out is the type of its only
// output, or a struct with a field for each.
//
//	n, err := glovebox.Call[int](ctx, gb, add, glovebox.Values{"x": 1, "y": 2})
func Call[Out any](ctx context.Context, g *Glovebox, t Task, in Values, opts ...RunOption) (out Out, _ error) {
	result, err := g.Run(ctx, t, in, opts...)
	if err != nil {
		return out, err
	}
	return out, assignOutputs(reflect.ValueOf(&out).Elem(), result.Outputs)
}

// declaration is a task whose signature comes from Go types.
type declaration struct {
	Task
	signature api.Signature
}

func declared(t Task, s api.Signature) Task {
	switch t.(type) {
	case Sandbox, Orchestrator:
		return declaration{t, s}
	}
	return t
}

func (d declaration) define(s scope) (*api.Task, []Function, error) {
	if o, ok := d.Task.(Orchestrator); ok {
		return o.with(d.signature, s)
	}
	task, err := d.Task.(Sandbox).bare()
	if err != nil {
		return nil, nil, err
	}
	task.Signature = d.signature
	return task, nil, nil
}

func signatureOf(in, out reflect.Type) (api.Signature, error) {
	inputs, err := structParams("input", in)
	if err != nil {
		return api.Signature{}, err
	}
	outputs, err := outputParams(out)
	if err != nil {
		return api.Signature{}, err
	}
	return api.Signature{Inputs: inputs, Outputs: outputs}, nil
}

func structParams(kind string, t reflect.Type) ([]value.Param, error) {
	if t.Kind() != reflect.Struct {
		return nil, api.Errorf(api.InvalidType, "%ss of a function must be a struct, got %s", kind, t).
			WithDetails(api.Details{Expected: "struct", Got: t.String()})
	}
	var params []value.Param
	for _, f := range fields(t) {
		typ, err := typeOf(f.Type)
		if err != nil {
			return nil, declarationError(kind, f.param, err)
		}
		params = append(params, value.Param{Name: f.param, Type: typ})
	}
	return params, nil
}

// field is a field of a struct that stands for an input or an output.
type field struct {
	reflect.StructField
	param string
}

func fields(t reflect.Type) []field {
	var all []field
	for f := range t.Fields() {
		name := f.Tag.Get("glovebox")
		if name == "-" || !f.IsExported() {
			continue
		}
		if name == "" {
			name = snakeCase(f.Name)
		}
		all = append(all, field{f, name})
	}
	return all
}

// snakeCase turns WindowEnd into window_end and HTTPStatus into http_status.
func snakeCase(name string) string {
	runes := []rune(name)
	var b strings.Builder
	for i, r := range runes {
		startsWord := i > 0 && unicode.IsUpper(r) &&
			(!unicode.IsUpper(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1]))
		if startsWord && runes[i-1] != '_' {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

func structValues(v reflect.Value) Values {
	values := Values{}
	for _, f := range fields(v.Type()) {
		values[f.param] = valueOf(v.FieldByIndex(f.Index))
	}
	return values
}

// assignOutputs stores outputs into a struct by their names, or the only one
// into a value of another type.
func assignOutputs(dst reflect.Value, outputs []api.Output) error {
	if isStruct(dst.Type()) {
		return assignStruct(dst, outputs)
	}
	if len(outputs) != 1 {
		return api.Errorf(api.BadOutput, "the task has %d outputs, which do not fit one %s", len(outputs), dst.Type()).
			WithHint("use a struct with a field for each output").
			WithDetails(api.Details{Expected: "one output", Got: strconv.Itoa(len(outputs))})
	}
	return assign(dst, outputs[0].Value, "output "+outputs[0].Name)
}

func assignStruct(dst reflect.Value, outputs []api.Output) error {
	for _, f := range fields(dst.Type()) {
		i := slices.IndexFunc(outputs, func(o api.Output) bool { return o.Name == f.param })
		if i < 0 {
			return api.Errorf(api.MissingOutput, "the task has no output %q", f.param).
				WithHint("name the field after an output, or leave it out with the tag \"-\"").
				WithDetails(api.Details{Field: f.param})
		}
		if err := assign(dst.FieldByIndex(f.Index), outputs[i].Value, "output "+f.param); err != nil {
			return err
		}
	}
	return nil
}
