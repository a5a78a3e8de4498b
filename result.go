package glovebox

import (
	"reflect"

	"github.com/glovebox-dev/glovebox/api"
)

// Result is what a run gave: the declared outputs in order, what the program
// printed, its exit status, and what the run took.
type Result struct {
	api.Result
}

// Get returns an output as a T: any Go type that the package documentation
// lists for the declared type of the output.
//
//	mean, err := glovebox.Get[float64](result, "mean")
func Get[T any](r *Result, name string) (T, error) {
	var v T
	for _, out := range r.Outputs {
		if out.Name == name {
			return v, assign(reflect.ValueOf(&v).Elem(), out.Value, "output "+name)
		}
	}
	return v, api.Errorf(api.MissingOutput, "the result has no output %q", name).
		WithHint("declare it among the outputs of the sandbox").
		WithDetails(api.Details{Field: name})
}

// Scan stores the outputs, in declaration order, into the variables that dest
// points to:
//
//	var mean, std float64
//	err := result.Scan(&mean, &std)
func (r *Result) Scan(dest ...any) error {
	if len(dest) != len(r.Outputs) {
		return api.Errorf(api.BadOutput, "the result has %d outputs, but Scan was given %d variables", len(r.Outputs), len(dest)).
			WithHint("pass one pointer for each declared output, in order")
	}
	for i, d := range dest {
		p := reflect.ValueOf(d)
		if p.Kind() != reflect.Pointer || p.IsNil() {
			return api.Errorf(api.BadOutput, "output %s: Scan needs a pointer, got %T", r.Outputs[i].Name, d).
				WithHint("pass the address of a variable")
		}
		if err := assign(p.Elem(), r.Outputs[i].Value, "output "+r.Outputs[i].Name); err != nil {
			return err
		}
	}
	return nil
}
