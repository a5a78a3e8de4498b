package value

import (
	"fmt"
	"strings"
)

// TypeError says that a text is no type.
type TypeError struct {
	Text       string // as it was given
	Problem    string // what is wrong with it
	Got        string // the part that is wrong, quoted
	Suggestion string // the type that was probably meant, or ""
}

// Error quotes the text and says what is wrong with it.
func (e *TypeError) Error() string { return "type " + Quote(e.Text) + ": " + e.Problem }

func badType(text, format string, args ...any) *TypeError {
	return &TypeError{Text: text, Problem: fmt.Sprintf(format, args...), Got: Quote(text)}
}

// unknownType is the error for a name that is no type, with the nearest one.
func unknownType(text, name string) *TypeError {
	return &TypeError{Text: text, Problem: "unknown type " + Quote(name), Got: Quote(name), Suggestion: nearestType(lastPart(name))}
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
