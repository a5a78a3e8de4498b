package api

import (
	"bytes"
	"math"
	"math/big"
	"slices"
	"strings"
	"time"

	"pgregory.net/rapid"
)

// randomType draws any type of at most this depth.
func randomType(depth int) *rapid.Generator[Type] {
	return rapid.Custom(func(t *rapid.T) Type {
		scalars := []Kind{
			KindInt, KindFloat, KindStr, KindBool, KindBytes, KindDateTime, KindTimedelta, KindNone,
			KindFile, KindDir, KindDataFrame, KindAny, KindDate, KindTime, KindDecimal, KindUUID,
		}
		if depth == 0 {
			return Type{Kind: rapid.SampledFrom(scalars).Draw(t, "kind")}
		}
		inner := randomType(depth - 1)
		some := rapid.SliceOfN(inner, 0, 3)
		switch rapid.IntRange(0, 9).Draw(t, "shape") {
		case 0:
			return ListOf(inner.Draw(t, "elem"))
		case 1:
			keys := []Kind{KindStr, KindStr, KindInt, KindBool, KindDate}
			return DictBy(rapid.SampledFrom(keys).Draw(t, "keys"), inner.Draw(t, "elem"))
		case 6:
			return SetOf(Type{Kind: rapid.SampledFrom(scalars).Filter(func(k Kind) bool { return !Type{Kind: k}.Files() }).Draw(t, "item")})
		case 2:
			return TupleOf(some.Draw(t, "elems")...)
		case 3:
			return TupleOfAny(inner.Draw(t, "elem"))
		case 4:
			return OptionalOf(inner.Draw(t, "elem"))
		case 5:
			return UnionOf(append(some.Draw(t, "members"), inner.Draw(t, "member"))...)
		}
		return Type{Kind: rapid.SampledFrom(scalars).Draw(t, "kind")}
	})
}

// randomValue draws a value of the type in its normal form.
func randomValue(t *rapid.T, typ Type) any {
	switch typ.Kind {
	case KindUnion:
		return randomValue(t, rapid.SampledFrom(typ.Args).Draw(t, "member"))
	case KindAny:
		return randomValue(t, randomType(2).Draw(t, "type of any"))
	case KindList:
		return randomItems(t, typ.elem(), 3)
	case KindTuple:
		if typ.unbounded() {
			return Tuple(randomItems(t, typ.Args[0], 3))
		}
		items := Tuple{}
		for _, elem := range typ.Args {
			items = append(items, randomValue(t, elem))
		}
		return items
	case KindDict:
		d := NewDictBy(typ.keyKind())
		for range rapid.IntRange(0, 3).Draw(t, "length") {
			d.Set(randomKeyOf(t, typ.keyKind()), randomValue(t, typ.elem()))
		}
		return d
	case KindSet:
		return randomSet(t, typ.elem())
	}
	return randomScalar(t, typ.Kind)
}

// randomSet draws a set in its order; of what has no hash it has nothing.
func randomSet(t *rapid.T, elem Type) Set {
	items := slices.DeleteFunc(randomItems(t, elem, 3), func(v any) bool { return !hashable(v) })
	text := func(v any) string { return string(appendTyped(nil, elem, v)) }
	slices.SortFunc(items, func(a, b any) int { return strings.Compare(text(a), text(b)) })
	return Set(slices.CompactFunc(items, func(a, b any) bool { return text(a) == text(b) }))
}

func randomKeyOf(t *rapid.T, k Kind) string {
	if k == KindStr {
		return randomKey(t)
	}
	return KeyText(randomScalar(t, k))
}

func randomDecimal(t *rapid.T) Decimal {
	text := rapid.StringMatching(`-?([0-9]{1,30}(\.[0-9]{0,12})?([eE][-+]?[0-9]{1,17})?|NaN[1-9]?|sNaN|Infinity)`).Draw(t, "decimal")
	d, ok := ParseDecimal(text)
	if !ok {
		t.Fatalf("%q is no Decimal", text)
	}
	return d
}

func randomItems(t *rapid.T, elem Type, limit int) []any {
	items := []any{}
	for range rapid.IntRange(0, limit).Draw(t, "length") {
		items = append(items, randomValue(t, elem))
	}
	return items
}

func randomScalar(t *rapid.T, k Kind) any {
	switch k {
	case KindInt:
		return randomInt(t)
	case KindFloat:
		special := []float64{0, math.Copysign(0, -1), 1, math.NaN(), math.Inf(1), math.Inf(-1), 1e100, 1e16, 5e-324, math.MaxFloat64}
		return rapid.OneOf(rapid.Float64(), rapid.SampledFrom(special)).Draw(t, "float")
	case KindStr:
		return randomString(t)
	case KindBool:
		return rapid.Bool().Draw(t, "bool")
	case KindBytes:
		return rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")
	case KindDateTime:
		return randomDateTime(t)
	case KindTimedelta:
		return Timedelta{
			rapid.IntRange(-maxDays, maxDays).Draw(t, "days"),
			rapid.IntRange(0, 86399).Draw(t, "seconds"), rapid.IntRange(0, 999_999).Draw(t, "micros"),
		}
	case KindDate:
		return DateOf(randomDateTime(t).Wall)
	case KindTime:
		d := randomDateTime(t)
		return TimeOfDay{Clock: d.Wall.Sub(d.Wall.Truncate(24 * time.Hour)), Aware: d.Aware, Offset: d.Offset}
	case KindDecimal:
		return randomDecimal(t)
	case KindUUID:
		return UUID(rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "uuid"))
	case KindFile:
		return File{Path: "/" + randomKey(t), Size: rapid.Int64Min(0).Draw(t, "size")}
	case KindDir:
		return Dir{Path: "/" + randomKey(t), Files: rapid.IntRange(0, 1000).Draw(t, "files"), SHA256: "ab"}
	case KindDataFrame:
		return DataFrame{Path: "/" + randomKey(t), Format: "parquet"}
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

func randomDateTime(t *rapid.T) DateTime {
	first := time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC)
	day := rapid.IntRange(0, 3652058).Draw(t, "day")
	micros := rapid.Int64Range(0, 86400*1e6-1).Draw(t, "micros")
	d := DateTime{Wall: first.AddDate(0, 0, day).Add(time.Duration(micros) * time.Microsecond)}
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
// itself, and zeros with their sign.
func same(a, b any) bool {
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
		return ok && slices.EqualFunc(a, b, same)
	case Tuple:
		b, ok := b.(Tuple)
		return ok && slices.EqualFunc(a, b, same)
	case Set:
		b, ok := b.(Set)
		return ok && slices.EqualFunc(a, b, same)
	case *Dict:
		b, ok := b.(*Dict)
		return ok && (a.of == b.of || a.Len() == 0) && slices.Equal(a.keys, b.keys) && !slices.ContainsFunc(a.keys, func(k string) bool { return !same(a.values[k], b.values[k]) })
	}
	return a == b
}
