package value

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// EncodeText writes v as the content of the file /var/inputs/<name>: str and
// bytes as they are, bool as true or false, times, Decimal and UUID as Python's
// str() of them has it (a datetime with a T), None as nothing, File, Dir and DataFrame as
// their path, and every other type as JSON. The error is a *Error.
func EncodeText(t Type, v any) ([]byte, error) {
	n, err := Normalize(t, v)
	if err != nil {
		return nil, err
	}
	switch t.Kind {
	case KindStr:
		return []byte(n.(string)), nil
	case KindBytes:
		return n.([]byte), nil
	case KindNone:
		return nil, nil
	case KindFloat:
		return appendTextFloat(n.(float64)), nil
	case KindDateTime, KindTimedelta, KindDate, KindTime, KindDecimal, KindUUID:
		return []byte(fmt.Sprint(n)), nil
	case KindFile:
		return []byte(n.(File).Path), nil
	case KindDir:
		return []byte(n.(Dir).Path), nil
	case KindDataFrame:
		return []byte(n.(DataFrame).Path), nil
	}
	return appendTyped(nil, t, n), nil
}

func appendTextFloat(f float64) []byte {
	switch {
	case math.IsNaN(f):
		return []byte("nan")
	case math.IsInf(f, 1):
		return []byte("inf")
	case math.IsInf(f, -1):
		return []byte("-inf")
	}
	return []byte(formatFloat(f))
}

// DecodeText reads what a program wrote to /var/outputs/<name>, or what came
// after "name=" on the command line, by the declared type. Bytes are taken as
// they are. For all else, one newline at the end is dropped; numbers, times and
// None may have white space around them. Python's own spellings are read: those
// of int() and float() within its range, True and False, fromisoformat(), str(timedelta). A
// File, Dir or DataFrame is a path. Every other type is JSON. The error is a
// *Error.
func DecodeText(t Type, data []byte) (any, error) {
	if t.Kind == KindBytes {
		return data, nil
	}
	text := dropNewline(string(data))
	switch t.Kind {
	case KindStr:
		return naturalString(text)
	case KindFile, KindDir, KindDataFrame:
		return decodePath(t, text)
	}
	word := strings.Trim(text, " \t\r\n\v\f")
	if word == "" && t.Kind != KindNone {
		return nil, &Error{Expected: t.String(), Got: "nothing: it is empty"}
	}
	v, ok, err := decodeWord(t, word)
	if err == nil && !ok {
		err = &Error{Expected: t.String(), Got: Quote(word)}
	}
	return v, err
}

func dropNewline(s string) string {
	if rest, ok := strings.CutSuffix(s, "\r\n"); ok {
		return rest
	}
	return strings.TrimSuffix(s, "\n")
}

func decodePath(t Type, path string) (any, error) {
	if path == "" {
		return nil, &Error{Expected: "the path of a " + t.String(), Got: "nothing: it is empty"}
	}
	switch t.Kind {
	case KindFile:
		return File{Path: path}, checkPath(path)
	case KindDir:
		return Dir{Path: path}, checkPath(path)
	}
	return DataFrame{Path: path}, checkPath(path)
}

func decodeWord(t Type, word string) (v any, ok bool, err error) {
	switch t.Kind {
	case KindNone:
		return nil, word == "" || word == "null" || word == "None", nil
	case KindBool:
		v, ok = parseBool(word)
	case KindInt:
		literal, valid := pythonDigits(word)
		if !valid {
			return nil, false, nil
		}
		v, err = parseInt(literal)
		return v, true, err
	case KindFloat:
		return decodeFloat(word)
	case KindDateTime:
		v, ok = parseDateTime(word)
	case KindTimedelta:
		v, ok = parseTimedelta(word)
	case KindDate, KindTime, KindDecimal, KindUUID:
		v, ok = parseRare(t.Kind, word)
	default:
		v, err = DecodeJSON(t, []byte(word))
		return v, true, err
	}
	return v, ok, nil
}

func parseBool(s string) (v, ok bool) {
	switch s {
	case "true", "True", "1":
		return true, true
	case "false", "False", "0":
		return false, true
	}
	return false, false
}

// pythonDigits checks what int() reads, a sign and digits with single
// underscores between them, and returns it without plus and underscores.
func pythonDigits(s string) (literal string, ok bool) {
	body, negative := cutSign(s)
	for part := range strings.SplitSeq(body, "_") {
		if !isDigits(part) {
			return "", false
		}
	}
	literal = strings.ReplaceAll(body, "_", "")
	if negative {
		literal = "-" + literal
	}
	return literal, true
}

// decodeFloat reads a float, but as in JSON no int that it would have to round,
// and no number that would become an infinity.
func decodeFloat(word string) (v any, ok bool, err error) {
	f, ok := parseFloat(word)
	if literal, integral := pythonDigits(word); integral && math.Abs(f) >= 1<<53 {
		n, err := parseInt(literal)
		if err == nil {
			v, err = fit(Type{Kind: KindFloat}, n, fitting{})
		}
		return v, true, err
	}
	if body, _ := cutSign(strings.ToLower(word)); ok && math.IsInf(f, 0) && body[0] != 'i' {
		return nil, true, beyondFloat(Quote(word))
	}
	return f, ok, nil
}

// parseFloat reads what float() reads.
func parseFloat(s string) (float64, bool) {
	body, _ := cutSign(s)
	switch strings.ToLower(body) {
	case "nan":
		return math.NaN(), true
	case "inf", "infinity":
		f, err := strconv.ParseFloat(s, 64)
		return f, err == nil
	}
	mantissa, exponent, hasExponent := cutExponent(body)
	whole, digits, hasPoint := strings.Cut(mantissa, ".")
	if whole == "" && digits == "" || !digitsOrNone(whole) || hasPoint && !digitsOrNone(digits) {
		return 0, false
	}
	if _, ok := pythonDigits(exponent); hasExponent && !ok {
		return 0, false
	}
	// Only the range can be wrong now, and then f is an infinity, as in Python.
	f, _ := strconv.ParseFloat(strings.ReplaceAll(s, "_", ""), 64)
	return f, true
}

func cutExponent(s string) (mantissa, exponent string, found bool) {
	i := strings.IndexAny(s, "eE")
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+1:], true
}

func digitsOrNone(s string) bool {
	if s == "" {
		return true
	}
	_, ok := pythonDigits(s)
	return ok && s[0] != '+' && s[0] != '-'
}
