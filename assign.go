package glovebox

import (
	"fmt"
	"math/big"
	"reflect"
	"strconv"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// assign stores an output value into a Go variable of any type that typeOf
// knows. where names the output in errors, which are bad_output.
func assign(dst reflect.Value, v any, where string) error {
	if reflect.TypeOf(v) == dst.Type() || dst.Type() == reflect.TypeFor[any]() {
		return set(dst, v)
	}
	switch dst.Type() {
	case reflect.TypeFor[*big.Int]():
		return assignBig(dst, v, where)
	case reflect.TypeFor[time.Time]():
		return assignTime(dst, v, where)
	case reflect.TypeFor[time.Duration]():
		return assignDuration(dst, v, where)
	}
	switch dst.Kind() {
	case reflect.Pointer:
		return assignPointer(dst, v, where)
	case reflect.Slice:
		return assignSlice(dst, v, where)
	case reflect.Map:
		return assignMap(dst, v, where)
	}
	return assignScalar(dst, v, where)
}

func set(dst reflect.Value, v any) error {
	if v == nil {
		dst.SetZero()
		return nil
	}
	dst.Set(reflect.ValueOf(v))
	return nil
}

func mismatch(dst reflect.Value, v any, where string) error {
	return refused(dst, v, where, "does not fit the Go type "+dst.Type().String())
}

func refused(dst reflect.Value, v any, where, why string) error {
	return api.Errorf(api.BadOutput, "%s: %s %s", where, describe(v), why).
		WithHint("use a Go type that holds every value of the declared type").
		WithDetails(api.Details{Field: where, Expected: dst.Type().String(), Got: describe(v)})
}

// describe names the Python type of v, with v itself where it is short.
func describe(v any) string {
	switch v.(type) {
	case int64, bool, float64, DateTime, Timedelta, Date, TimeOfDay, Decimal, UUID:
		return fmt.Sprintf("%s %v", pythonName(v), v)
	}
	return pythonName(v)
}

// pythonName names the Python type of an output value.
func pythonName(v any) string {
	switch v.(type) {
	case nil:
		return "None"
	case int64, *big.Int:
		return "int"
	case float64:
		return "float"
	case string:
		return "str"
	case []byte:
		return "bytes"
	case []any:
		return "list"
	case *Dict:
		return "dict"
	case Tuple:
		return "tuple"
	case DateTime:
		return "datetime"
	case Timedelta:
		return "timedelta"
	case Date:
		return "date"
	case TimeOfDay:
		return "time"
	case Set:
		return "set"
	}
	return reflect.TypeOf(v).Name()
}

func assignBig(dst reflect.Value, v any, where string) error {
	n, ok := v.(int64)
	if !ok {
		return mismatch(dst, v, where)
	}
	return set(dst, big.NewInt(n))
}

func assignTime(dst reflect.Value, v any, where string) error {
	d, ok := v.(DateTime)
	if !ok {
		return mismatch(dst, v, where)
	}
	if !d.Aware {
		return refused(dst, v, where, "is naive: use glovebox.DateTime, or make the code give it a time zone")
	}
	return set(dst, d.Time())
}

func assignDuration(dst reflect.Value, v any, where string) error {
	d, ok := v.(Timedelta)
	if !ok {
		return mismatch(dst, v, where)
	}
	duration, ok := d.Duration()
	if !ok {
		return refused(dst, v, where, "is beyond the range of time.Duration: use glovebox.Timedelta")
	}
	return set(dst, duration)
}

func assignPointer(dst reflect.Value, v any, where string) error {
	if v == nil {
		dst.SetZero()
		return nil
	}
	target := reflect.New(dst.Type().Elem())
	if err := assign(target.Elem(), v, where); err != nil {
		return err
	}
	dst.Set(target)
	return nil
}

func assignSlice(dst reflect.Value, v any, where string) error {
	if b, ok := v.([]byte); ok && isBytes(dst.Type()) {
		dst.SetBytes(b)
		return nil
	}
	items, ok := items(v)
	if !ok || isBytes(dst.Type()) {
		return mismatch(dst, v, where)
	}
	list := reflect.MakeSlice(dst.Type(), len(items), len(items))
	for i, item := range items {
		if err := assign(list.Index(i), item, where+"["+strconv.Itoa(i)+"]"); err != nil {
			return err
		}
	}
	dst.Set(list)
	return nil
}

func items(v any) ([]any, bool) {
	switch v := v.(type) {
	case []any:
		return v, true
	case Tuple:
		return v, true
	case Set:
		return v, true
	}
	return nil, false
}

func assignMap(dst reflect.Value, v any, where string) error {
	d, ok := v.(*Dict)
	if !ok {
		return mismatch(dst, v, where)
	}
	m := reflect.MakeMapWithSize(dst.Type(), d.Len())
	for text, item := range d.All() {
		below := where + "[" + strconv.Quote(text) + "]"
		key, value := reflect.New(dst.Type().Key()).Elem(), reflect.New(dst.Type().Elem()).Elem()
		if err := assign(key, d.Key(text), below); err != nil {
			return err
		}
		if err := assign(value, item, below); err != nil {
			return err
		}
		m.SetMapIndex(key, value)
	}
	dst.Set(m)
	return nil
}

func assignScalar(dst reflect.Value, v any, where string) error {
	switch v := v.(type) {
	case int64:
		return assignInt(dst, v, where)
	case *big.Int:
		if dst.CanUint() && v.IsUint64() && !dst.OverflowUint(v.Uint64()) {
			dst.SetUint(v.Uint64())
			return nil
		}
	case float64:
		if dst.CanFloat() {
			dst.SetFloat(v)
			return nil
		}
	case string:
		if dst.Kind() == reflect.String {
			dst.SetString(v)
			return nil
		}
	case bool:
		if dst.Kind() == reflect.Bool {
			dst.SetBool(v)
			return nil
		}
	}
	return mismatch(dst, v, where)
}

func assignInt(dst reflect.Value, v int64, where string) error {
	switch {
	case dst.CanInt() && !dst.OverflowInt(v):
		dst.SetInt(v)
	case dst.CanUint() && v >= 0 && !dst.OverflowUint(uint64(v)):
		dst.SetUint(uint64(v))
	default:
		return mismatch(dst, v, where)
	}
	return nil
}
