package value

import (
	"bytes"
	"fmt"
	"math"
	"math/big"
	"reflect"
	"time"
	"unicode/utf8"
)

// Bounds of a value.
const (
	maxValueDepth = 200     // containers within containers
	maxIntDigits  = 100_000 // of a decimal literal; reading one takes milliseconds
	maxIntBits    = 332_192 // the most of which no int has more than maxIntDigits digits
)

// Normalize checks v against t and returns it as one of the values that the
// package describes, which shares nothing with v that can change. It accepts friendly Go values too: every integer and float
// type, time.Time (aware, cut to microseconds), time.Duration, pointers (nil is
// None), slices and arrays for lists and tuples, and maps with keys that a dict
// can have, which become dicts in the order of their keys. An int fits a float
// where that is exact, and a Decimal. The error is a *Error.
func Normalize(t Type, v any) (any, error) {
	n, err := natural(v, 0)
	if err != nil {
		return nil, err
	}
	return fit(t, n, fitting{})
}

// fitting is how a value is made to fit.
type fitting struct {
	exact bool // no int for a float, and no list for a tuple
	plain bool // see NormalizePlain
}

// natural turns a friendly Go value into a value, whatever the type.
func natural(v any, depth int) (any, error) {
	if depth > maxValueDepth {
		return nil, tooDeep()
	}
	switch v := v.(type) {
	case nil, bool, int64, float64:
		return v, nil
	case []byte:
		return bytes.Clone(v), nil
	case File:
		return v, checkFile(depth, v.Path, v.SHA256)
	case Dir:
		return v, checkFile(depth, v.Path, v.SHA256)
	case DataFrame:
		return v, checkFile(depth, v.Path, v.SHA256, v.Format)
	case int:
		return int64(v), nil
	case *big.Int:
		return naturalBig(v)
	case string:
		return naturalString(v)
	case DateTime:
		return naturalDateTime(v)
	case time.Time:
		return naturalDateTime(AwareDateTime(v))
	case Timedelta:
		return naturalTimedelta(v)
	case time.Duration:
		return NewTimedelta(v), nil
	case Date:
		return naturalDate(v)
	case TimeOfDay:
		return naturalTime(v)
	case Decimal:
		return naturalDecimal(v)
	case UUID:
		return v, nil
	case []any:
		return naturalList(v, depth)
	case Set:
		return naturalSet(v, depth)
	case Tuple:
		items, err := naturalList(v, depth)
		return Tuple(items), err
	case *Dict:
		return naturalDict(v, depth)
	}
	return reflected(reflect.ValueOf(v), depth)
}

// reflected handles the Go types that have no case of their own.
func reflected(v reflect.Value, depth int) (any, error) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return nil, nil
		}
		return natural(v.Elem().Interface(), depth+1)
	case reflect.Bool:
		return v.Bool(), nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return v.Int(), nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return naturalBig(new(big.Int).SetUint64(v.Uint()))
	case reflect.Float32, reflect.Float64:
		return v.Float(), nil
	case reflect.String:
		return naturalString(v.String())
	case reflect.Slice, reflect.Array:
		return reflectedList(v, depth)
	case reflect.Map:
		return reflectedMap(v, depth)
	}
	return nil, &Error{Expected: "a value", Got: describe(v.Interface())}
}

func reflectedList(v reflect.Value, depth int) (any, error) {
	if v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Uint8 {
		return v.Bytes(), nil
	}
	items := make([]any, v.Len())
	for i := range items {
		items[i] = v.Index(i).Interface()
	}
	return naturalList(items, depth)
}

func naturalBig(v *big.Int) (any, error) {
	switch {
	case v == nil:
		return nil, nil
	case v.IsInt64():
		return v.Int64(), nil
	case v.BitLen() > maxIntBits:
		return nil, &Error{Expected: fmt.Sprintf("int of at most %d bits", maxIntBits), Got: describeBig(v)}
	}
	return new(big.Int).Set(v), nil
}

func naturalString(s string) (any, error) {
	if !validString(s) {
		return nil, &Error{Expected: "str in UTF-8 (bytes hold anything)", Got: "str " + Quote(s)}
	}
	return s, nil
}

// checkFile counts a file-like value as a container, because it is an object in
// JSON.
func checkFile(depth int, texts ...string) error {
	if depth >= maxValueDepth {
		return tooDeep()
	}
	return checkPath(texts...)
}

func checkPath(texts ...string) error {
	for _, s := range texts {
		if !validString(s) || hasSurrogatePair(s) {
			return &Error{Expected: "a path in UTF-8", Got: Quote(s)}
		}
	}
	return nil
}

func naturalDateTime(d DateTime) (any, error) {
	_, zone := d.Wall.Zone()
	switch year := d.Wall.Year(); {
	case year < 1 || year > 9999:
		return nil, &Error{Expected: "datetime in the years 1 to 9999", Got: fmt.Sprintf("year %d", year)}
	case d.Offset <= -24*time.Hour || d.Offset >= 24*time.Hour || d.Offset%time.Microsecond != 0:
		return nil, &Error{Expected: "datetime with an offset of less than a day in whole microseconds", Got: d.Offset.String()}
	case zone != 0 || d.Wall.Nanosecond()%1000 != 0 || !d.Aware && d.Offset != 0:
		return nil, &Error{Expected: "datetime as AwareDateTime or NaiveDateTime make it", Got: describe(d)}
	}
	return d, nil
}

func naturalTimedelta(d Timedelta) (any, error) {
	if d.Days < -maxDays || d.Days > maxDays || d.Seconds < 0 || d.Seconds >= 86400 || d.Microseconds < 0 || d.Microseconds >= 1e6 {
		return nil, &Error{Expected: "timedelta in normal form", Got: fmt.Sprintf("%+v", d)}
	}
	return d, nil
}

func naturalList(list []any, depth int) ([]any, error) {
	if depth >= maxValueDepth {
		return nil, tooDeep()
	}
	items := make([]any, len(list))
	for i, v := range list {
		n, err := natural(v, depth+1)
		if err != nil {
			return nil, below(index(i), err)
		}
		items[i] = n
	}
	return items, nil
}

func tooDeep() error {
	return &Error{Expected: fmt.Sprintf("at most %d nested containers", maxValueDepth), Got: "a deeper one"}
}

// fit checks a natural value against t. Unless exact, it turns an int into a
// float or Decimal and a list into a tuple where t asks for that.
func fit(t Type, v any, how fitting) (any, error) {
	switch t.Kind {
	case KindAny:
		if how.plain {
			return plain(v), nil
		}
		return v, nil
	case KindUnion:
		return fitUnion(t, v, how)
	case KindList:
		if list, ok := v.([]any); ok {
			return fitItems(list, t.elem(), how)
		}
	case KindSet:
		if s, ok := v.(Set); ok {
			return fitSet(t, s, how)
		}
	case KindDict:
		if d, ok := v.(*Dict); ok {
			return fitDict(t, d, how)
		}
	case KindTuple:
		return fitTuple(t, v, how)
	case KindFloat:
		return fitFloat(t, v, how)
	case KindDecimal:
		return fitDecimal(t, v, how)
	default:
		if fitsScalar(t.Kind, v) {
			return v, nil
		}
	}
	return nil, mismatch(t, v)
}

func fitsScalar(k Kind, v any) bool {
	switch v.(type) {
	case nil:
		return k == KindNone
	case bool:
		return k == KindBool
	case int64, *big.Int:
		return k == KindInt
	case string:
		return k == KindStr
	case []byte:
		return k == KindBytes
	case DateTime:
		return k == KindDateTime
	case Timedelta:
		return k == KindTimedelta
	case Date:
		return k == KindDate
	case TimeOfDay:
		return k == KindTime
	case UUID:
		return k == KindUUID
	case File:
		return k == KindFile
	case Dir:
		return k == KindDir
	case DataFrame:
		return k == KindDataFrame
	}
	return false
}

// fitUnion prefers the member that v fits as it is to one that needs a
// conversion.
func fitUnion(t Type, v any, how fitting) (any, error) {
	if inner, ok := t.Optional(); ok && v != nil {
		return fit(inner, v, how)
	}
	for _, m := range t.Args {
		if n, err := fit(m, v, fitting{true, how.plain}); err == nil {
			return n, nil
		}
	}
	if how.exact {
		return nil, mismatch(t, v)
	}
	for _, m := range t.Args {
		if n, err := fit(m, v, how); err == nil {
			return n, nil
		}
	}
	return nil, mismatch(t, v)
}

func fitItems(list []any, elem Type, how fitting) ([]any, error) {
	if fitAsTheyAre(list, elem.Kind) {
		return list, nil
	}
	out := make([]any, len(list))
	for i, v := range list {
		n, err := fit(elem, v, how)
		if err != nil {
			return nil, below(index(i), err)
		}
		out[i] = n
	}
	return out, nil
}

// fitAsTheyAre reports whether all items are scalars of a kind, so that nothing
// has to be made of them.
func fitAsTheyAre(list []any, k Kind) bool {
	for _, v := range list {
		if _, isFloat := v.(float64); !(isFloat && k == KindFloat) && !fitsScalar(k, v) {
			return false
		}
	}
	return true
}

func fitTuple(t Type, v any, how fitting) (any, error) {
	items, ok := v.(Tuple)
	if list, isList := v.([]any); isList && !how.exact {
		items, ok = Tuple(list), true
	}
	if !ok || !t.unbounded() && len(items) != len(t.Args) {
		return nil, mismatch(t, v)
	}
	out := make(Tuple, len(items))
	for i := range items {
		elem, _ := t.item(i)
		n, err := fit(elem, items[i], how)
		if err != nil {
			return nil, below(index(i), err)
		}
		out[i] = n
	}
	return out, nil
}

func fitFloat(t Type, v any, how fitting) (any, error) {
	if _, ok := v.(float64); ok {
		return v, nil // itself: a float in an any of its own takes memory
	}
	if how.exact {
		return nil, mismatch(t, v)
	}
	switch n := v.(type) {
	case int64:
		return exactFloat(big.NewInt(n))
	case *big.Int:
		return exactFloat(n)
	}
	return nil, mismatch(t, v)
}

// exactFloat returns an int as a float, where that loses nothing.
func exactFloat(v *big.Int) (any, error) {
	f, accuracy := v.Float64()
	switch {
	case math.IsInf(f, 0):
		return nil, beyondFloat(describeBig(v))
	case accuracy != big.Exact:
		return nil, &Error{Expected: "float", Got: describeBig(v) + inexact}
	}
	return f, nil
}

// inexact says why an int is refused as a float, and what to do.
const inexact = ", which is beyond 2^53, and no float is exactly that; use int, or round it with float(x) first"

// validString reports whether s is UTF-8 in which surrogates may be encoded too.
func validString(s string) bool {
	for s != "" {
		if utf8.ValidString(s) {
			return true
		}
		r, size := utf8.DecodeRuneInString(s)
		if r == utf8.RuneError && size == 1 {
			if _, ok := surrogate(s); !ok {
				return false
			}
			size = 3
		}
		s = s[size:]
	}
	return true
}

// surrogate decodes a surrogate code point at the start of s.
func surrogate(s string) (r rune, ok bool) {
	if len(s) < 3 || s[0] != 0xED || s[1] < 0xA0 || s[1] > 0xBF || s[2] < 0x80 || s[2] > 0xBF {
		return 0, false
	}
	return 0xD000 | rune(s[1]&0x3F)<<6 | rune(s[2]&0x3F), true
}

// hasSurrogatePair reports whether a high surrogate stands right before a low
// one, as two code points: the one thing JSON has no string for.
func hasSurrogatePair(s string) bool {
	for i := 0; i+6 <= len(s); i++ {
		if s[i] != 0xED {
			continue
		}
		high, ok := surrogate(s[i:])
		if !ok || high >= 0xDC00 {
			continue
		}
		if low, ok := surrogate(s[i+3:]); ok && low >= 0xDC00 {
			return true
		}
	}
	return false
}
