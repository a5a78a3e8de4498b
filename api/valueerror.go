package api

import (
	"errors"

	"github.com/glovebox-dev/glovebox/value"
)

// BadValue turns err, as package value returns it, into an error of
// this code: role is "input" or "output", name the name of the parameter. An
// output of too many parts is OutputTooLarge instead of BadOutput.
func BadValue(code Code, role, name string, err error) *Error {
	var v *value.Error
	if !errors.As(err, &v) {
		return Errorf(code, "%s %s: %w", role, name, err)
	}
	if v.Limit > 0 && code == BadOutput {
		e := Errorf(OutputTooLarge, "output %s has more parts than the %d that a value may have", name, v.Limit)
		e.cause = err
		return e.WithHint("write large data to a File or a DataFrame").WithDetails(Details{Field: name, Limit: v.Limit})
	}
	field := name + v.Path
	e := Errorf(code, "%s %s: expected %s, got %s", role, field, v.Expected, v.Got)
	e.cause = err
	return e.WithDetails(Details{Field: field, Expected: v.Expected, Got: v.Got})
}

// ofValue returns an error of package value as one of this package; ok is false
// for any other.
func ofValue(err error) (e *Error, ok bool) {
	var t *value.TypeError
	if errors.As(err, &t) {
		return badType(t), true
	}
	var f *value.FieldError
	if errors.As(err, &f) {
		return badField(f), true
	}
	return nil, false
}

func badType(t *value.TypeError) *Error {
	e := Errorf(InvalidType, "%w", t).WithDetails(Details{Got: t.Got, Expected: "a type", Suggestion: t.Suggestion})
	if t.Suggestion != "" {
		e = e.WithHint("did you mean %s?", t.Suggestion)
	}
	return e
}

func badField(f *value.FieldError) *Error {
	switch f.Fault {
	case value.NoObject:
		return Errorf(InvalidInput, "the %ss are no JSON object: %w", f.Role, f.Err).
			WithDetails(Details{Field: f.Role + "s", Expected: "an object with one member for each " + f.Role})
	case value.Missing:
		return Errorf(InvalidInput, "%w", f).WithDetails(Details{Field: f.Name, Expected: f.Want.String(), Got: "nothing"})
	case value.Undeclared:
		return Errorf(InvalidInput, "%w", f).WithDetails(Details{Field: f.Name, Expected: "only declared " + f.Role + "s", Got: "a value"})
	case value.BadDefault:
		return BadValue(InvalidTask, f.Role, f.Name, f.Err)
	}
	return BadValue(InvalidInput, f.Role, f.Name, f.Err)
}
