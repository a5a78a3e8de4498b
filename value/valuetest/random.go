// Package valuetest draws random types and values, and compares values, for
// the property tests of packages that carry values.
package valuetest

import (
	"bytes"
	"iter"
	"math"
	"math/big"
	"slices"
	"strings"
	"time"

	"pgregory.net/rapid"

	"github.com/glovebox-dev/glovebox/value"
)

// Type draws any type of at most this depth.
func Type(depth int) *rapid.Generator[value.Type] {
	return rapid.Custom(func(t *rapid.T) value.Type {
		scalars := []value.Kind{
			value.KindInt, value.KindFloat, value.KindStr, value.KindBool, value.KindBytes, value.KindDateTime, value.KindTimedelta, value.KindNone,
			value.KindFile, value.KindDir, value.KindDataFrame, value.KindAny, value.KindDate, value.KindTime, value.KindDecimal, value.KindUUID,
		}
		if depth == 0 {
			return value.Type{Kind: rapid.SampledFrom(scalars).Draw(t, "kind")}
		}
		inner := Type(depth - 1)
		some := rapid.SliceOfN(inner, 0, 3)
		switch rapid.IntRange(0, 9).Draw(t, "shape") {
		case 0:
			return value.ListOf(inner.Draw(t, "elem"))
		case 1:
			keys := []value.Kind{value.KindStr, value.KindStr, value.KindInt, value.KindBool, value.KindDate}
			return value.DictBy(rapid.SampledFrom(keys).Draw(t, "keys"), inner.Draw(t, "elem"))
		case 6:
			return value.SetOf(value.Type{Kind: rapid.SampledFrom(scalars).Filter(func(k value.Kind) bool { return !value.Type{Kind: k}.Files() }).Draw(t, "item")})
		case 2:
			return value.TupleOf(some.Draw(t, "elems")...)
		case 3:
			return value.TupleOfAny(inner.Draw(t, "elem"))
		case 4:
			return value.OptionalOf(inner.Draw(t, "elem"))
		case 5:
			return value.UnionOf(append(some.Draw(t, "members"), inner.Draw(t, "member"))...)
		}
		return value.Type{Kind: rapid.SampledFrom(scalars).Draw(t, "kind")}
	})
}

// Value draws a value of the type in its normal form.
func Value(t *rapid.T, typ value.Type) any {
	switch typ.Kind {
	case value.KindUnion:
		return Value(t, rapid.SampledFrom(typ.Args).Draw(t, "member"))
	case value.KindAny:
		return Value(t, Type(2).Draw(t, "type of any"))
	case value.KindList:
		return randomItems(t, elemOf(typ), 3)
	case value.KindTuple:
		if len(typ.Args) == 2 && typ.Args[1].Kind == value.KindEllipsis {
			return value.Tuple(randomItems(t, typ.Args[0], 3))
		}
		items := value.Tuple{}
		for _, elem := range typ.Args {
			items = append(items, Value(t, elem))
		}
		return items
	case value.KindDict:
		d := value.NewDictBy(keysOf(typ))
		for range rapid.IntRange(0, 3).Draw(t, "length") {
			d.Set(randomKeyOf(t, keysOf(typ)), Value(t, elemOf(typ)))
		}
		return d
	case value.KindSet:
		return randomSet(t, elemOf(typ))
	}
	return randomScalar(t, typ.Kind)
}

// randomSet draws a set in its order; of what has no hash it has nothing.
func randomSet(t *rapid.T, elem value.Type) value.Set {
	items := slices.DeleteFunc(randomItems(t, elem, 3), func(v any) bool { return !fits(v, elem) })
	text := func(v any) string { return encoded(elem, v) }
	slices.SortFunc(items, func(a, b any) int { return strings.Compare(text(a), text(b)) })
	return value.Set(slices.CompactFunc(items, func(a, b any) bool { return text(a) == text(b) }))
}

func randomKeyOf(t *rapid.T, k value.Kind) string {
	if k == value.KindStr {
		return randomKey(t)
	}
	return value.KeyText(randomScalar(t, k))
}

func randomDecimal(t *rapid.T) value.Decimal {
	text := rapid.StringMatching(`-?([0-9]{1,30}(\.[0-9]{0,12})?([eE][-+]?[0-9]{1,17})?|NaN[1-9]?|sNaN|Infinity)`).Draw(t, "decimal")
	d, ok := value.ParseDecimal(text)
	if !ok {
		t.Fatalf("%q is no Decimal", text)
	}
	return d
}

func randomItems(t *rapid.T, elem value.Type, limit int) []any {
	items := []any{}
	for range rapid.IntRange(0, limit).Draw(t, "length") {
		items = append(items, Value(t, elem))
	}
	return items
}

func randomScalar(t *rapid.T, k value.Kind) any {
	switch k {
	case value.KindInt:
		return randomInt(t)
	case value.KindFloat:
		special := []float64{0, math.Copysign(0, -1), 1, math.NaN(), math.Inf(1), math.Inf(-1), 1e100, 1e16, 5e-324, math.MaxFloat64}
		return rapid.OneOf(rapid.Float64(), rapid.SampledFrom(special)).Draw(t, "float")
	case value.KindStr:
		return randomString(t)
	case value.KindBool:
		return rapid.Bool().Draw(t, "bool")
	case value.KindBytes:
		return rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")
	case value.KindDateTime:
		return randomDateTime(t)
	case value.KindTimedelta:
		const days = 999_999_999
		return value.Timedelta{
			Days:    rapid.IntRange(-days, days).Draw(t, "days"),
			Seconds: rapid.IntRange(0, 86399).Draw(t, "seconds"), Microseconds: rapid.IntRange(0, 999_999).Draw(t, "micros"),
		}
	case value.KindDate:
		return value.DateOf(randomDateTime(t).Wall)
	case value.KindTime:
		d := randomDateTime(t)
		return value.TimeOfDay{Clock: d.Wall.Sub(d.Wall.Truncate(24 * time.Hour)), Aware: d.Aware, Offset: d.Offset}
	case value.KindDecimal:
		return randomDecimal(t)
	case value.KindUUID:
		return value.UUID(rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "uuid"))
	case value.KindFile:
		return value.File{Path: "/" + randomKey(t), Size: rapid.Int64Min(0).Draw(t, "size")}
	case value.KindDir:
		return value.Dir{Path: "/" + randomKey(t), Files: rapid.IntRange(0, 1000).Draw(t, "files"), SHA256: "ab"}
	case value.KindDataFrame:
		return value.DataFrame{Path: "/" + randomKey(t), Format: "parquet"}
	}
	return nil
}

func randomInt(t *rapid.T) any {
	if rapid.Bool().Draw(t, "small") {
		return rapid.Int64().Draw(t, "int")
	}
	digits := rapid.SliceOfN(rapid.Byte(), 0, 200).Draw(t, "big")
	n := new(big.Int).SetBytes(digits)
	if rapid.Bool().Draw(t, "negative") {
		n.Neg(n)
	}
	if n.IsInt64() {
		return n.Int64()
	}
	return n
}

func randomDateTime(t *rapid.T) value.DateTime {
	first := time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC)
	day := rapid.IntRange(0, 3652058).Draw(t, "day")
	micros := rapid.Int64Range(0, 86400*1e6-1).Draw(t, "micros")
	d := value.DateTime{Wall: first.AddDate(0, 0, day).Add(time.Duration(micros) * time.Microsecond)}
	if d.Aware = rapid.Bool().Draw(t, "aware"); d.Aware {
		d.Offset = time.Duration(rapid.Int64Range(-86400*1e6+1, 86400*1e6-1).Draw(t, "offset")) * time.Microsecond
	}
	return d
}

// randomString draws text with surrogates in it, alone and in pairs.
func randomString(t *rapid.T) string {
	part := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"\xed\xa0\xbd", "\xed\xb8\x80", "\n", "\"", "\\", "\x00", "😀", "$tuple"}))
	var text string
	for _, s := range rapid.SliceOfN(part, 0, 4).Draw(t, "str") {
		text += s
	}
	return text
}

// randomKey draws a dict key, which cannot hold a pair of surrogates.
func randomKey(t *rapid.T) string {
	keys := []string{"", "a", "$tuple", "$float", "$other", "\xed\xa0\x80", "ключ", "a b"}
	return rapid.OneOf(rapid.String(), rapid.SampledFrom(keys)).Draw(t, "key")
}

// same compares values of the normal form: of the same Go types, NaN equal to
// itself, zeros with their sign, and sets in any order: that of the JSON depends
// on the declared type.
func Same(a, b any) bool {
	switch a := a.(type) {
	case float64:
		b, ok := b.(float64)
		return ok && (math.Float64bits(a) == math.Float64bits(b) || a != a && b != b)
	case *big.Int:
		b, ok := b.(*big.Int)
		return ok && a.Cmp(b) == 0
	case []byte:
		b, ok := b.([]byte)
		return ok && bytes.Equal(a, b)
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, Same)
	case value.Tuple:
		b, ok := b.(value.Tuple)
		return ok && slices.EqualFunc(a, b, Same)
	case value.Set:
		b, ok := b.(value.Set)
		return ok && slices.EqualFunc(byText(a), byText(b), Same)
	case *value.Dict:
		b, ok := b.(*value.Dict)
		return ok && sameDict(a, b)
	}
	return a == b
}

func byText(s value.Set) []any {
	text := func(v any) string { return encoded(value.Type{Kind: value.KindAny}, v) }
	return slices.SortedStableFunc(slices.Values(s), func(a, b any) int { return strings.Compare(text(a), text(b)) })
}

func sameDict(a, b *value.Dict) bool {
	if a.Len() != b.Len() || a.Len() > 0 && a.KeyKind() != b.KeyKind() {
		return false
	}
	next, stop := iter.Pull2(b.All())
	defer stop()
	for k, v := range a.All() {
		if other, w, _ := next(); k != other || !Same(v, w) {
			return false
		}
	}
	return true
}

// elemOf is the type of the items of a list or set, or of the values of a dict.
func elemOf(t value.Type) value.Type {
	if len(t.Args) == 0 {
		return value.Type{Kind: value.KindAny}
	}
	return t.Args[len(t.Args)-1]
}

func keysOf(t value.Type) value.Kind {
	if len(t.Args) == 0 {
		return value.KindStr
	}
	return t.Args[0].Kind
}

// fits reports whether v can be in a set.
func fits(v any, elem value.Type) bool {
	_, err := value.Normalize(value.SetOf(elem), value.Set{v})
	return err == nil
}

func encoded(t value.Type, v any) string {
	text, err := value.EncodeJSON(t, v)
	if err != nil {
		panic(err) // it was drawn as a value of the type
	}
	return string(text)
}
