package glovebox

import (
	"math/big"
	"reflect"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// Values that Go has no type of its own for.
type (
	// File is a file by its content. Set Path for an input, which is read when the
	// run is submitted; in a result, Path is where the output was stored.
	File = value.File
	// Dir is a directory by the content of all its files, with Path as in File.
	Dir = value.Dir
	// DataFrame is a table in a file of Parquet, with Path as in File.
	DataFrame = value.DataFrame
	// DateTime is a Python datetime, naive or aware, in microseconds. An aware one
	// may be given and scanned as a time.Time too.
	DateTime = value.DateTime
	// Timedelta is a Python timedelta in microseconds. It reaches further than a
	// time.Duration, which ends at 292 years.
	Timedelta = value.Timedelta
	// Date is a Python date, without a time of day.
	Date = value.Date
	// TimeOfDay is a Python time, without a date.
	TimeOfDay = value.TimeOfDay
	// Decimal is the text of a Python Decimal, with every digit.
	Decimal = value.Decimal
	// UUID is a Python UUID.
	UUID = value.UUID
	// Tuple is a Python tuple, with a type for each place.
	Tuple = value.Tuple
	// Set is a set. Its elements have no order.
	Set = value.Set
	// Dict is a dict that keeps the order of its keys, which a Go map does not.
	Dict = value.Dict
)

// Naive returns the clock reading of t as a datetime without a time zone.
func Naive(t time.Time) DateTime { return value.NaiveDateTime(t) }

// Aware returns t as a datetime with its offset from UTC.
func Aware(t time.Time) DateTime { return value.AwareDateTime(t) }

// maxTypeDepth bounds how deeply Go types may nest, since they can be recursive.
const maxTypeDepth = 32

// typeOf derives the declared type from a Go type.
func typeOf(t reflect.Type) (value.Type, error) { return typeBelow(t, 0) }

func typeBelow(t reflect.Type, depth int) (value.Type, error) {
	if depth > maxTypeDepth {
		return value.Type{}, unsupported(t, "nests too deeply")
	}
	if kind, ok := exactKind(t); ok {
		return exactType(kind), nil
	}
	switch t.Kind() {
	case reflect.Pointer:
		return wrap(t.Elem(), depth, value.OptionalOf)
	case reflect.Slice:
		return wrap(t.Elem(), depth, value.ListOf)
	case reflect.Map:
		return mapType(t, depth)
	}
	if kind, ok := scalarKind(t.Kind()); ok {
		return value.Type{Kind: kind}, nil
	}
	return value.Type{}, unsupported(t, "has no counterpart")
}

// mapType is the dict that a map is, by the kind of its keys.
func mapType(t reflect.Type, depth int) (value.Type, error) {
	key, err := typeBelow(t.Key(), depth+1)
	if err != nil {
		return value.Type{}, err
	}
	switch key.Kind {
	case value.KindStr, value.KindInt, value.KindBool, value.KindDate:
		return wrap(t.Elem(), depth, func(elem value.Type) value.Type { return value.DictBy(key.Kind, elem) })
	}
	return value.Type{}, unsupported(t, "has keys that are no strings, integers, bools or dates")
}

// exactType completes collections that hold anything.
func exactType(kind value.Kind) value.Type {
	anything := value.Type{Kind: value.KindAny}
	switch kind {
	case value.KindTuple:
		return value.TupleOfAny(anything)
	case value.KindSet:
		return value.SetOf(anything)
	case value.KindDict:
		return value.DictOf(anything)
	}
	return value.Type{Kind: kind}
}

func wrap(elem reflect.Type, depth int, outer func(value.Type) value.Type) (value.Type, error) {
	inner, err := typeBelow(elem, depth+1)
	if err != nil {
		return value.Type{}, err
	}
	return outer(inner), nil
}

func unsupported(t reflect.Type, why string) error {
	return api.Errorf(api.InvalidType, "the Go type %s %s", t, why).
		WithHint("use integers, floats, string, bool, []byte, *big.Int, time.Time, time.Duration, glovebox's own types, slices, maps with keys that are strings, integers, bools or dates, pointers for Optional, or any").
		WithDetails(api.Details{Got: t.String()})
}

// exactKind knows the Go types that stand for one kind as they are.
func exactKind(t reflect.Type) (value.Kind, bool) {
	switch t {
	case reflect.TypeFor[*big.Int]():
		return value.KindInt, true
	case reflect.TypeFor[time.Time](), reflect.TypeFor[DateTime]():
		return value.KindDateTime, true
	case reflect.TypeFor[time.Duration](), reflect.TypeFor[Timedelta]():
		return value.KindTimedelta, true
	case reflect.TypeFor[Date]():
		return value.KindDate, true
	case reflect.TypeFor[TimeOfDay]():
		return value.KindTime, true
	case reflect.TypeFor[Decimal]():
		return value.KindDecimal, true
	case reflect.TypeFor[UUID]():
		return value.KindUUID, true
	case reflect.TypeFor[Set]():
		return value.KindSet, true
	case reflect.TypeFor[File]():
		return value.KindFile, true
	case reflect.TypeFor[Dir]():
		return value.KindDir, true
	case reflect.TypeFor[DataFrame]():
		return value.KindDataFrame, true
	case reflect.TypeFor[Tuple]():
		return value.KindTuple, true
	case reflect.TypeFor[*Dict]():
		return value.KindDict, true
	case reflect.TypeFor[any]():
		return value.KindAny, true
	}
	if isBytes(t) {
		return value.KindBytes, true
	}
	return "", false
}

func isBytes(t reflect.Type) bool {
	return t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8
}

func scalarKind(k reflect.Kind) (value.Kind, bool) {
	switch k {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return value.KindInt, true
	case reflect.Float32, reflect.Float64:
		return value.KindFloat, true
	case reflect.String:
		return value.KindStr, true
	case reflect.Bool:
		return value.KindBool, true
	}
	return "", false
}

// valueOf returns v as Values takes it: pointers followed, named types plain.
func valueOf(v reflect.Value) any {
	if kind, ok := exactKind(v.Type()); ok && kind != value.KindBytes {
		return exactValue(v)
	}
	switch {
	case v.Kind() == reflect.Pointer:
		if v.IsNil() {
			return nil
		}
		return valueOf(v.Elem())
	case isBytes(v.Type()):
		return v.Bytes()
	case v.Kind() == reflect.Slice:
		return listOf(v)
	case v.Kind() == reflect.Map:
		return dictOf(v)
	}
	return scalarOf(v)
}

// exactValue maps a nil *big.Int to None, where a type error will name it.
func exactValue(v reflect.Value) any {
	if v.Kind() == reflect.Pointer && v.IsNil() {
		return nil
	}
	return v.Interface()
}

func listOf(v reflect.Value) []any {
	list := make([]any, v.Len())
	for i := range list {
		list[i] = valueOf(v.Index(i))
	}
	return list
}

// dictOf makes a map by plain keys, of which Normalize makes a dict.
func dictOf(v reflect.Value) any {
	dict := reflect.MakeMapWithSize(reflect.MapOf(v.Type().Key(), reflect.TypeFor[any]()), v.Len())
	for it := v.MapRange(); it.Next(); {
		item := valueOf(it.Value())
		if item == nil {
			dict.SetMapIndex(it.Key(), reflect.Zero(reflect.TypeFor[any]()))
			continue
		}
		dict.SetMapIndex(it.Key(), reflect.ValueOf(item))
	}
	return dict.Interface()
}

func scalarOf(v reflect.Value) any {
	switch {
	case v.CanInt():
		return v.Int()
	case v.CanUint():
		return v.Uint()
	case v.CanFloat():
		return v.Float()
	case v.Kind() == reflect.String:
		return v.String()
	}
	return v.Bool()
}
