package api

import "strings"

func badType(text, format string, args ...any) *Error {
	quoted := Quote(text)
	return Errorf(InvalidType, "type %s: "+format, append([]any{quoted}, args...)...).
		WithDetails(Details{Got: quoted, Expected: "a type"})
}

// unknownType is the error for a name that is no type, with the nearest one.
func unknownType(text, name string) *Error {
	e := Errorf(InvalidType, "type %s: unknown type %s", Quote(text), Quote(name))
	e.Details = Details{Got: Quote(name), Expected: "a type", Suggestion: nearestType(lastPart(name))}
	if e.Details.Suggestion != "" {
		e = e.WithHint("did you mean %s?", e.Details.Suggestion)
	}
	return e
}

// nearestType guesses which type was meant, or returns "".
func nearestType(name string) string {
	lower := strings.ToLower(name)
	for _, alias := range [][2]string{
		{"string", "str"}, {"text", "str"}, {"char", "str"}, {"integer", "int"}, {"long", "int"}, {"number", "float"},
		{"double", "float"}, {"decimal", "Decimal"}, {"uuid", "UUID"}, {"boolean", "bool"}, {"bytearray", "bytes"}, {"binary", "bytes"},
		{"timestamp", "datetime"}, {"duration", "timedelta"},
		{"array", "list"}, {"abstractset", "set"}, {"mutableset", "set"}, {"sequence", "list"}, {"ndarray", "list"},
		{"object", "dict"}, {"map", "dict"}, {"mapping", "dict"}, {"json", "Any"}, {"null", "None"}, {"nil", "None"}, {"void", "None"},
		{"path", "File"}, {"folder", "Dir"}, {"directory", "Dir"},
	} {
		if lower == alias[0] {
			return alias[1]
		}
	}
	return Nearest(name, []string{
		string(KindInt), string(KindFloat), string(KindStr), string(KindBool), string(KindBytes), string(KindDateTime),
		string(KindTimedelta), string(KindDate), string(KindTime), string(KindDecimal), string(KindUUID), string(KindNone), string(KindFile), string(KindDir), string(KindDataFrame),
		string(KindList), string(KindSet), string(KindDict), string(KindTuple), string(KindUnion), string(KindAny), "Optional",
	})
}
