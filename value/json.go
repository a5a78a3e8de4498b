package value

import (
	"encoding/base64"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// The tags of values that describe themselves.
const (
	tagFloat     = "$float"
	tagStr       = "$str"
	tagBytes     = "$bytes"
	tagDateTime  = "$datetime"
	tagTimedelta = "$timedelta"
	tagDate      = "$date"
	tagTime      = "$time"
	tagDecimal   = "$decimal"
	tagUUID      = "$uuid"
	tagSet       = "$set"
	tagTuple     = "$tuple"
	tagDict      = "$dict"
	tagDictInt   = "$dict[int]"
	tagDictBool  = "$dict[bool]"
	tagDictDate  = "$dict[date]"
	tagFile      = "$file"
	tagDir       = "$dir"
	tagDataFrame = "$dataframe"
)

func isTag(k string) bool {
	switch k {
	case tagFloat, tagStr, tagBytes, tagDateTime, tagTimedelta, tagTuple, tagDict, tagFile, tagDir, tagDataFrame,
		tagDate, tagTime, tagDecimal, tagUUID, tagSet, tagDictInt, tagDictBool, tagDictDate:
		return true
	}
	return false
}

// EncodeJSON normalizes v and writes it as the declared type t says. The error
// is a *Error.
func EncodeJSON(t Type, v any) ([]byte, error) {
	n, err := Normalize(t, v)
	if err != nil {
		return nil, err
	}
	return appendTyped(nil, t, n), nil
}

// appendTyped writes a value that fits t.
func appendTyped(b []byte, t Type, v any) []byte {
	if inner, ok := t.Optional(); ok && v != nil {
		return appendTyped(b, inner, v)
	}
	if t.Kind == KindAny || t.Kind == KindUnion {
		return appendAny(b, v)
	}
	switch v := v.(type) {
	case []any:
		return appendArray(b, v, func(int) Type { return t.elem() })
	case Tuple:
		return appendArray(b, v, func(i int) Type { elem, _ := t.item(i); return elem })
	case Set:
		return appendSet(b, t.elem(), v)
	case *Dict:
		return appendObject(b, v, t.elem())
	}
	return appendScalar(b, v)
}

// appendAny writes a value so that it says what it is.
func appendAny(b []byte, v any) []byte {
	anything := Type{Kind: KindAny}
	switch v := v.(type) {
	case []any:
		return appendArray(b, v, func(int) Type { return anything })
	case *Dict:
		if tag := dictTag(v); tag != "" {
			b = append(b, `{"`+tag+`":`...)
			return append(appendObject(b, v, anything), '}')
		}
		return appendObject(b, v, anything)
	case Set:
		return append(appendSet(append(b, `{"`+tagSet+`":`...), anything, v), '}')
	}
	tag := tagOf(v)
	if tag == "" {
		return appendScalar(b, v)
	}
	b = append(b, `{"`+tag+`":`...)
	if items, ok := v.(Tuple); ok {
		b = appendArray(b, items, func(int) Type { return anything })
	} else {
		b = appendScalar(b, v)
	}
	return append(b, '}')
}

// dictTag names the tag that a dict needs to describe itself, or none. A dict
// without keys has no kind of them.
func dictTag(d *Dict) string {
	switch {
	case d.Len() == 0:
		return ""
	case isKeyKind(d.KeyKind()) && d.of != "":
		return tagDict + "[" + string(d.of) + "]"
	case isTag(d.keys[0]):
		return tagDict
	}
	return ""
}

// tagOf names the tag that v needs to describe itself, or none.
func tagOf(v any) string {
	switch v := v.(type) {
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return tagFloat
		}
	case []byte:
		return tagBytes
	case DateTime:
		return tagDateTime
	case Timedelta:
		return tagTimedelta
	case Date:
		return tagDate
	case TimeOfDay:
		return tagTime
	case Decimal:
		return tagDecimal
	case UUID:
		return tagUUID
	case Tuple:
		return tagTuple
	case File:
		return tagFile
	case Dir:
		return tagDir
	case DataFrame:
		return tagDataFrame
	}
	return ""
}

func appendArray(b []byte, items []any, elem func(i int) Type) []byte {
	b = append(b, '[')
	for i, v := range items {
		if i > 0 {
			b = append(b, ',')
		}
		start := len(b)
		b = appendTyped(b, elem(i), v)
		if i == 0 {
			b = roomForNumbers(b, len(b)-start, items)
		}
	}
	return append(b, ']')
}

// manyNumbers is from where on a list of numbers gets room at once.
const manyNumbers = 1024

// roomForNumbers gives a long list whose first item is a number of so many bytes
// the room for others like it, so that its text does not grow by copies.
func roomForNumbers(b []byte, first int, items []any) []byte {
	switch items[0].(type) {
	case int64, float64:
		if len(items) >= manyNumbers {
			return slices.Grow(b, (first+2)*len(items))
		}
	}
	return b
}

func appendObject(b []byte, d *Dict, elem Type) []byte {
	b = append(b, '{')
	for i, k := range d.keys {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(appendQuoted(b, k), ':')
		b = appendTyped(b, elem, d.values[k])
	}
	return append(b, '}')
}

func appendScalar(b []byte, v any) []byte {
	switch v := v.(type) {
	case bool:
		return strconv.AppendBool(b, v)
	case int64:
		return strconv.AppendInt(b, v, 10)
	case *big.Int:
		return v.Append(b, 10)
	case float64:
		return appendFloat(b, v)
	case string:
		return appendString(b, v)
	case []byte:
		return appendBase64(b, v)
	case DateTime:
		return appendQuoted(b, v.String())
	case Timedelta:
		return appendQuoted(b, v.ISO())
	case Date:
		return appendQuoted(b, v.String())
	case TimeOfDay:
		return appendQuoted(b, v.String())
	case Decimal:
		return appendQuoted(b, string(v))
	case UUID:
		return appendQuoted(b, v.String())
	case File:
		return append(appendFields(b, v.Path, "", v.Size, 0, v.SHA256), '}')
	case Dir:
		return append(appendFields(b, v.Path, "", v.Size, v.Files, v.SHA256), '}')
	case DataFrame:
		return append(appendFields(b, v.Path, v.Format, v.Size, 0, v.SHA256), '}')
	}
	return append(b, "null"...)
}

// appendFields writes the object of a file-like value up to its last field.
func appendFields(b []byte, path, format string, size int64, files int, sha256 string) []byte {
	b = appendQuoted(append(b, `{"path":`...), path)
	if format != "" {
		b = appendQuoted(append(b, `,"format":`...), format)
	}
	if size != 0 {
		b = strconv.AppendInt(append(b, `,"size":`...), size, 10)
	}
	if files != 0 {
		b = strconv.AppendInt(append(b, `,"files":`...), int64(files), 10)
	}
	if sha256 != "" {
		b = appendQuoted(append(b, `,"sha256":`...), sha256)
	}
	return b
}

func appendFloat(b []byte, f float64) []byte {
	switch {
	case math.IsNaN(f):
		return append(b, `"NaN"`...)
	case math.IsInf(f, 1):
		return append(b, `"Infinity"`...)
	case math.IsInf(f, -1):
		return append(b, `"-Infinity"`...)
	}
	return appendFinite(b, f)
}

// formatFloat writes a float so that it cannot be read as an int.
func formatFloat(f float64) string {
	text := strconv.FormatFloat(f, 'g', -1, 64)
	if strings.ContainsAny(text, ".eNI") {
		return text
	}
	return text + ".0"
}

func appendString(b []byte, s string) []byte {
	if !hasSurrogatePair(s) {
		return appendQuoted(b, s)
	}
	b = append(b, `{"`+tagStr+`":`...)
	return append(appendBase64(b, []byte(s)), '}')
}

func appendBase64(b, data []byte) []byte {
	b = append(b, '"')
	b = base64.StdEncoding.AppendEncode(b, data)
	return append(b, '"')
}

// appendQuoted writes a JSON string. It escapes quotes, backslashes, control
// characters and surrogates, and writes the rest as UTF-8.
func appendQuoted(b []byte, s string) []byte {
	b = append(b, '"')
	start := 0
	for i := 0; i < len(s); i++ {
		escaped, size := escape(s[i:])
		if size == 0 {
			continue
		}
		b = append(append(b, s[start:i]...), escaped...)
		start = i + size
		i = start - 1
	}
	return append(append(b, s[start:]...), '"')
}

// escape returns what stands for the first character of s in a JSON string,
// and how many bytes of s it stands for; 0 if they can stay.
func escape(s string) (escaped string, size int) {
	switch c := s[0]; {
	case c == '"' || c == '\\':
		return "\\" + s[:1], 1
	case c == '\n':
		return `\n`, 1
	case c == '\t':
		return `\t`, 1
	case c < ' ' || c == 0x7F:
		return fmt.Sprintf(`\u%04x`, c), 1
	case c == 0xED:
		if r, ok := surrogate(s); ok {
			return fmt.Sprintf(`\u%04x`, r), 3
		}
	}
	return "", 0
}
