package value

import (
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"strings"
)

// Error says that a value does not fit its type. The caller knows whether
// it is an input or an output.
type Error struct {
	Path     string // below the value, such as "[2].x"; empty is the value itself
	Expected string
	Got      string
	Limit    int64 // of the parts that a value may have, if it has more; otherwise 0
}

// Error returns path, expectation and what came.
func (e *Error) Error() string {
	text := "expected " + e.Expected + ", got " + e.Got
	if e.Path == "" {
		return text
	}
	return e.Path + ": " + text
}

// Fault is what is wrong with the value of a parameter.
type Fault int

// The faults.
const (
	Unfit      Fault = iota // it does not fit the type
	Missing                 // there is none, and no default
	Undeclared              // there is no such parameter
	BadDefault              // the default does not fit the type
	NoObject                // the text is no JSON object
)

// FieldError says which parameter a value does not fit, and why.
type FieldError struct {
	Role   string // what the value is, such as "input" or "default of"
	Name   string // of the parameter
	Fault  Fault
	Params []Param // all that are declared, if it is missing or undeclared
	Want   Type    // of one that is missing
	Err    error   // what is wrong with the value, or nil
}

// Error returns role, name and what is wrong.
func (e *FieldError) Error() string {
	switch e.Fault {
	case Missing:
		return fmt.Sprintf("%s %s is missing; the inputs are (%s)", e.Role, Quote(e.Name), DescribeParams(e.Params))
	case Undeclared:
		return fmt.Sprintf("%s %s is not declared; the inputs are (%s)", e.Role, Quote(e.Name), DescribeParams(e.Params))
	case NoObject:
		return fmt.Sprintf("the %ss are no JSON object: %v", e.Role, e.Err)
	}
	return e.Role + " " + e.Name + ": " + e.Err.Error()
}

// Unwrap returns what is wrong with the value.
func (e *FieldError) Unwrap() error { return e.Err }

// mismatch is the error for a value of the wrong type.
func mismatch(t Type, v any) error {
	return &Error{Expected: t.String(), Got: describe(v)}
}

// beyondFloat is the error for a number that no float holds.
func beyondFloat(number string) error {
	return &Error{Expected: "float", Got: number + ", which is out of its range"}
}

// below prefixes the path of err with one step.
func below(step string, err error) error {
	var v *Error
	if errors.As(err, &v) {
		return &Error{Path: step + v.Path, Expected: v.Expected, Got: v.Got, Limit: v.Limit}
	}
	return err
}

func index(i int) string { return "[" + strconv.Itoa(i) + "]" }

// key is the path step of a dict key: .name, or ["other text"].
func key(k string) string {
	if len(k) <= 40 && IsIdentifier(k) {
		return "." + k
	}
	return "[" + Quote(k) + "]"
}

// describe names the Python type of v and shows a little of it.
func describe(v any) string {
	switch v := v.(type) {
	case nil:
		return "None"
	case bool:
		return "bool " + pythonBool(v)
	case int64:
		return "int " + strconv.FormatInt(v, 10)
	case *big.Int:
		return describeBig(v)
	case float64:
		return "float " + formatFloat(v)
	case string:
		return "str " + Quote(v)
	case []byte:
		return fmt.Sprintf("bytes of length %d", len(v))
	case DateTime:
		return "datetime " + v.String()
	case Timedelta:
		return "timedelta " + v.String()
	case Date:
		return "date " + v.String()
	case TimeOfDay:
		return "time " + v.String()
	case Decimal:
		return "Decimal " + Shorten(string(v), 60)
	case UUID:
		return "UUID " + v.String()
	case Set:
		return fmt.Sprintf("set of length %d", len(v))
	case File, Dir, DataFrame:
		return strings.TrimPrefix(fmt.Sprintf("%T", v), "value.")
	case []any:
		return fmt.Sprintf("list of length %d", len(v))
	case Tuple:
		return fmt.Sprintf("tuple of length %d", len(v))
	case *Dict:
		return fmt.Sprintf("dict of length %d", v.Len())
	}
	return fmt.Sprintf("Go value of type %T", v)
}

func describeBig(v *big.Int) string {
	if v.BitLen() > 200 {
		return fmt.Sprintf("int of %d bits", v.BitLen())
	}
	return "int " + v.String()
}

func pythonBool(v bool) string {
	if v {
		return "True"
	}
	return "False"
}
