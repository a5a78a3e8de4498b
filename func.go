package glovebox

import (
	"context"
	"reflect"
	"strings"
	"unicode"

	"github.com/glovebox-dev/glovebox/api"
)

// Func makes a Go function of a sandbox. In and Out are structs: each exported
// field is an input or an output, in order, and its Go type says its declared
// type (see the table in the package documentation). A tag names it, "-" leaves
// it out, and without a tag the name is the field's in snake_case:
//
//	type in struct {
//		Values string   `glovebox:"values"`
//		Limit  *float64 `glovebox:"limit"` // Optional[float]
//	}
//
// The Inputs and Outputs of s are not looked at. Mistakes in the structs come
// back from every call, as invalid_type.
func Func[In, Out any](g *Glovebox, s Sandbox, opts ...RunOption) func(context.Context, In) (Out, error) {
	signature, err := signatureOf(reflect.TypeFor[In](), reflect.TypeFor[Out]())
	return func(ctx context.Context, in In) (out Out, _ error) {
		if err != nil {
			return out, err
		}
		task := s.bare()
		task.Signature = signature
		result, err := g.run(ctx, task, structValues(reflect.ValueOf(in)), opts)
		if err != nil {
			return out, err
		}
		return out, assignStruct(reflect.ValueOf(&out).Elem(), result.Outputs)
	}
}

func signatureOf(in, out reflect.Type) (api.Signature, error) {
	inputs, err := structParams("input", in)
	if err != nil {
		return api.Signature{}, err
	}
	outputs, err := structParams("output", out)
	if err != nil {
		return api.Signature{}, err
	}
	return api.Signature{Inputs: inputs, Outputs: outputs}, nil
}

func structParams(kind string, t reflect.Type) ([]api.Param, error) {
	if t.Kind() != reflect.Struct {
		return nil, api.Errorf(api.InvalidType, "%ss of a function must be a struct, got %s", kind, t).
			WithDetails(api.Details{Expected: "struct", Got: t.String()})
	}
	var params []api.Param
	for _, f := range fields(t) {
		typ, err := typeOf(f.Type)
		if err != nil {
			return nil, declarationError(kind, f.param, err)
		}
		params = append(params, api.Param{Name: f.param, Type: typ})
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

func assignStruct(dst reflect.Value, outputs []api.Output) error {
	for i, f := range fields(dst.Type()) {
		if err := assign(dst.FieldByIndex(f.Index), outputs[i].Value, "output "+f.param); err != nil {
			return err
		}
	}
	return nil
}
