package api

import (
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"strings"
)

// ValueError says that a value does not fit its type. The caller knows whether
// it is an input or an output and turns it into the right *Error with BadValue.
type ValueError struct {
	Path     string // below the value, such as "[2].x"; empty is the value itself
	Expected string
	Got      string
}

// Error returns path, expectation and what came.
func (e *ValueError) Error() string {
	text := "expected " + e.Expected + ", got " + e.Got
	if e.Path == "" {
		return text
	}
	return e.Path + ": " + text
}

// BadValue turns err, as Normalize and the codecs return it, into an error of
// this code: role is "input" or "output", name the name of the parameter.
func BadValue(code Code, role, name string, err error) *Error {
	var v *ValueError
	if !errors.As(err, &v) {
		return Errorf(code, "%s %s: %w", role, name, err)
	}
	field := name + v.Path
	e := Errorf(code, "%s %s: expected %s, got %s", role, field, v.Expected, v.Got)
	e.cause = err
	return e.WithDetails(Details{Field: field, Expected: v.Expected, Got: v.Got})
}

// mismatch is the error for a value of the wrong type.
func mismatch(t Type, v any) error {
	return &ValueError{Expected: t.String(), Got: describe(v)}
}

// below prefixes the path of err with one step.
func below(step string, err error) error {
	var v *ValueError
	if errors.As(err, &v) {
		return &ValueError{Path: step + v.Path, Expected: v.Expected, Got: v.Got}
	}
	return err
}

func index(i int) string { return "[" + strconv.Itoa(i) + "]" }

// key is the path step of a dict key: .name, or ["other text"].
func key(k string) string {
	if len(k) <= 40 && isIdentifier(k) {
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
		return strings.TrimPrefix(fmt.Sprintf("%T", v), "api.")
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
