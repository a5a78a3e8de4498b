package secret

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// encodings are the ways in which programs show a value.
var encodings = []struct {
	name   string
	encode func(value []byte) string
}{
	{"plain", func(v []byte) string { return string(v) }},
	{"upper", func(v []byte) string { return eachByte(v, func(c byte) string { return string([]byte{upper(c)}) }) }},
	{"hex", hex.EncodeToString},
	{"HEX", func(v []byte) string { return strings.ToUpper(hex.EncodeToString(v)) }},
	{"hex with colons", func(v []byte) string { return separated(v, ":") }},
	{"hex with dashes", func(v []byte) string { return strings.ToUpper(separated(v, "-")) }},
	{"hex with blanks", func(v []byte) string { return separated(v, " ") }},
	{"xxd -p", func(v []byte) string { return wrapped(hex.EncodeToString(v), 60, "\n") }},
	{"query", func(v []byte) string { return url.QueryEscape(string(v)) }},
	{"path", func(v []byte) string { return url.PathEscape(string(v)) }},
	{"urllib.parse.quote", func(v []byte) string { return percent(v, "/-_.~", "%%%02X") }},
	{"encodeURIComponent", func(v []byte) string { return percent(v, "-_.~!*'()", "%%%02X") }},
	{"small escapes", func(v []byte) string { return percent(v, "", "%%%02x") }},
	{"every character escaped", func(v []byte) string { return eachByte(v, func(c byte) string { return fmt.Sprintf("%%%02X", c) }) }},
	{"base64", base64.StdEncoding.EncodeToString},
	{"base64 of URLs", base64.RawURLEncoding.EncodeToString},
	{"base64, as the command wraps it", func(v []byte) string { return wrapped(base64.StdEncoding.EncodeToString(v), 76, "\n") }},
	{"base64, as mail wraps it", func(v []byte) string { return wrapped(base64.StdEncoding.EncodeToString(v), 64, "\r\n") }},
	{"JSON", func(v []byte) string { text, _ := json.Marshal(string(v)); return string(text[1 : len(text)-1]) }},
	{"JSON of ASCII", asciiJSON},
	{"JSON with slashes escaped", func(v []byte) string { return strings.ReplaceAll(asciiJSON(v), "/", `\/`) }},
	{"repr of bytes", func(v []byte) string { return strings.ReplaceAll(asciiQuoted(v), `\"`, `"`) }},
	{"every byte escaped", func(v []byte) string { return eachByte(v, func(c byte) string { return fmt.Sprintf(`\x%02x`, c) }) }},
}

func eachByte(value []byte, show func(byte) string) string {
	var b strings.Builder
	for _, c := range value {
		b.WriteString(show(c))
	}
	return b.String()
}

func separated(value []byte, by string) string {
	return strings.TrimSuffix(eachByte(value, func(c byte) string { return hex.EncodeToString([]byte{c}) + by }), by)
}

func wrapped(text string, width int, by string) string {
	var b strings.Builder
	for len(text) > width {
		b.WriteString(text[:width] + by)
		text = text[width:]
	}
	return b.String() + text
}

func percent(value []byte, safe, format string) string {
	return eachByte(value, func(c byte) string {
		letter := '0' <= c && c <= '9' || 'a' <= fold(c) && fold(c) <= 'z'
		if letter || strings.IndexByte(safe, c) >= 0 {
			return string([]byte{c})
		}
		return fmt.Sprintf(format, c)
	})
}

func asciiQuoted(value []byte) string {
	return eachByte(value, func(c byte) string {
		switch {
		case c == '"' || c == '\\':
			return `\` + string([]byte{c})
		case c < 0x20 || c >= 0x7f:
			return fmt.Sprintf(`\x%02x`, c)
		}
		return string([]byte{c})
	})
}

func asciiJSON(value []byte) string {
	text, _ := json.Marshal(string(value))
	var b strings.Builder
	for _, c := range string(text[1 : len(text)-1]) {
		if c < utf8.RuneSelf {
			b.WriteRune(c)
			continue
		}
		for _, unit := range utf16.Encode([]rune{c}) {
			fmt.Fprintf(&b, `\u%04x`, unit)
		}
	}
	return b.String()
}
