package value

import (
	"cmp"
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Dict is a Python dict, in insertion order. A key that is an int, a bool or a
// date is known by its text: "2023", "true", "2024-01-31".
type Dict struct {
	of     Kind // of the keys; "" is str
	keys   []string
	values map[string]any
}

// NewDict returns an empty dict with str keys.
func NewDict() *Dict { return &Dict{values: map[string]any{}} }

// NewDictBy returns an empty dict with keys of a kind that a type can declare:
// str, int, bool or date. KindAny is for the texts of keys of several kinds,
// which no declared type but Any takes.
func NewDictBy(keys Kind) *Dict {
	d := NewDict()
	if keys != KindStr {
		d.of = keys
	}
	return d
}

// KeyKind returns the kind of the keys.
func (d *Dict) KeyKind() Kind {
	if d.of == "" {
		return KindStr
	}
	return d.of
}

// Key returns the value that the text of a key stands for: a string, an int64
// or *big.Int, a bool or a Date.
func (d *Dict) Key(text string) any {
	v, _ := keyOf(d.of, text)
	return v
}

// Set stores v under key. A new key goes to the end.
func (d *Dict) Set(key string, v any) {
	if d.values == nil {
		d.values = map[string]any{}
	}
	if _, ok := d.values[key]; !ok {
		d.keys = append(d.keys, key)
	}
	d.values[key] = v
}

// Get returns the value of key.
func (d *Dict) Get(key string) (any, bool) {
	v, ok := d.values[key]
	return v, ok
}

// Len returns the number of keys.
func (d *Dict) Len() int { return len(d.keys) }

// All yields keys and values in insertion order; a nil Dict has none.
func (d *Dict) All() iter.Seq2[string, any] {
	return func(yield func(string, any) bool) {
		if d == nil {
			return
		}
		for _, k := range d.keys {
			if !yield(k, d.values[k]) {
				return
			}
		}
	}
}

// isKeyKind reports whether a type can declare keys of the kind.
func isKeyKind(k Kind) bool {
	return k == KindStr || k == KindInt || k == KindBool || k == KindDate
}

// keyOf reads the text of a key; ok is false if it is none of the kind.
func keyOf(k Kind, text string) (v any, ok bool) {
	switch k {
	case KindInt:
		if literal, digits := pythonDigits(text); digits {
			v, err := parseInt(literal)
			return v, err == nil
		}
		return nil, false
	case KindBool:
		return text == "true", text == "true" || text == "false"
	case KindDate:
		return parseDate(text)
	}
	return text, true
}

// KeyText returns the text of a key of this kind: an int64 or *big.Int, a bool,
// a Date or a string.
func KeyText(key any) string {
	switch key := key.(type) {
	case bool:
		return strconv.FormatBool(key)
	case string:
		return key
	case Date:
		return key.String()
	}
	return string(appendScalar(nil, key))
}

// canonicalKey returns the one text that a key of the kind has.
func canonicalKey(k Kind, text string) (string, error) {
	if k == KindStr || k == "" || k == KindAny {
		return text, checkKey(text)
	}
	v, ok := keyOf(k, text)
	if !ok {
		return "", &Error{Expected: string(k) + " as the key of a dict", Got: "str " + Quote(text)}
	}
	return KeyText(v), nil
}

func checkKey(text string) error {
	if !validString(text) || hasSurrogatePair(text) {
		return &Error{Expected: "dict key in UTF-8", Got: Quote(text)}
	}
	return nil
}

func naturalDict(d *Dict, depth int) (any, error) {
	if d == nil {
		return nil, nil
	}
	if depth >= maxValueDepth {
		return nil, tooDeep()
	}
	out := NewDictBy(d.KeyKind())
	for k, v := range d.All() {
		text, err := canonicalKey(d.of, k)
		if err != nil {
			return nil, err
		}
		n, err := natural(v, depth+1)
		if err != nil {
			return nil, below(key(k), err)
		}
		out.Set(text, n)
	}
	return out, nil
}

// reflectedMap makes a dict of a map, in the order of its keys.
func reflectedMap(m reflect.Value, depth int) (any, error) {
	kind, ok := mapKeys(m.Type().Key())
	if !ok {
		return nil, &Error{Expected: "a map with keys that are strings, ints, bools or dates", Got: describe(m.Interface())}
	}
	keys := m.MapKeys()
	slices.SortFunc(keys, compareKeys)
	out := NewDictBy(kind)
	for _, k := range keys {
		out.Set(reflectedKey(k), m.MapIndex(k).Interface())
	}
	return naturalDict(out, depth)
}

// mapKeys tells which keys of a dict the keys of a Go map are.
func mapKeys(t reflect.Type) (Kind, bool) {
	switch {
	case t.Kind() == reflect.String:
		return KindStr, true
	case t.Kind() == reflect.Bool:
		return KindBool, true
	case t.Kind() >= reflect.Int && t.Kind() <= reflect.Uint64:
		return KindInt, true
	case t == reflect.TypeFor[Date]():
		return KindDate, true
	}
	return "", false
}

func compareKeys(a, b reflect.Value) int {
	switch {
	case a.CanInt():
		return cmp.Compare(a.Int(), b.Int())
	case a.CanUint():
		return cmp.Compare(a.Uint(), b.Uint())
	}
	return strings.Compare(reflectedKey(a), reflectedKey(b))
}

func reflectedKey(k reflect.Value) string {
	switch {
	case k.Kind() == reflect.String:
		return k.String()
	case k.CanInt():
		return strconv.FormatInt(k.Int(), 10)
	case k.CanUint():
		return strconv.FormatUint(k.Uint(), 10)
	}
	return fmt.Sprint(k.Interface())
}

// fitDict checks the values. A dict without keys has no kind of them.
func fitDict(t Type, d *Dict, how fitting) (any, error) {
	kind := t.keyKind()
	if d.Len() > 0 && d.KeyKind() != kind {
		got := "keys of other types"
		if d.of != KindAny {
			got = describe(d.Key(d.keys[0]))
		}
		return nil, below(key(d.keys[0]), &Error{Expected: string(kind) + " as the key of a dict", Got: got})
	}
	out := &Dict{keys: d.keys, values: make(map[string]any, d.Len())}
	if kind != KindStr {
		out.of = kind
	}
	for k, v := range d.All() {
		n, err := fit(t.elem(), v, how)
		if err != nil {
			return nil, below(key(k), err)
		}
		out.values[k] = n
	}
	return out, nil
}
