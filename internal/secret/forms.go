package secret

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"strings"
	"unicode/utf16"
)

// Shorter values are not looked for, and shorter ones not in encoded forms.
const (
	minValue   = 4
	minEncoded = 8
)

// forms returns everything that is taken out of text for one secret: the
// value, without the white space around it too, and of a value of several
// lines each line; and of each that is long enough the encoded forms.
func forms(value []byte) [][]byte {
	parts := [][]byte{value, bytes.TrimSpace(value)}
	for line := range bytes.Lines(value) {
		if line = bytes.TrimSpace(line); len(line) >= minEncoded && !bytes.HasPrefix(line, []byte("-----")) {
			parts = append(parts, line)
		}
	}
	var all [][]byte
	for _, part := range parts {
		if len(part) >= minValue {
			all = append(all, part)
		}
		if len(part) >= minEncoded {
			all = append(all, encoded(part)...)
		}
	}
	return all
}

// encoded returns the encoded forms of value: hexadecimal, base64, as a part
// of a URL, and as JSON or Python show it in quotes.
func encoded(value []byte) [][]byte {
	lower := hex.EncodeToString(value)
	query, path := url.QueryEscape(string(value)), url.PathEscape(string(value))
	all := [][]byte{[]byte(lower), []byte(strings.ToUpper(lower))}
	for _, text := range []string{query, path, lowerEscapes(query), lowerEscapes(path)} {
		all = append(all, []byte(text))
	}
	all = append(all, base64Forms(base64.RawStdEncoding, value)...)
	all = append(all, base64Forms(base64.RawURLEncoding, value)...)
	return append(all, quoted(string(value))...)
}

// base64Forms returns what is sure to appear when value is encoded as a part
// of something longer, for each of the three ways it can be aligned.
func base64Forms(encoding *base64.Encoding, value []byte) [][]byte {
	var all [][]byte
	for before := range 3 {
		padded := append(make([]byte, before), value...)
		text := encoding.EncodeToString(padded)
		first := (before*8 + 5) / 6 // characters that depend on what comes before
		whole := len(padded) * 8 / 6
		all = append(all, []byte(text[first:whole]))
	}
	return all
}

// quoted returns value as the inside of a string literal.
func quoted(value string) [][]byte {
	var plain bytes.Buffer
	e := json.NewEncoder(&plain)
	e.SetEscapeHTML(false)
	_ = e.Encode(value) // a string always can be
	html, _ := json.Marshal(value)
	text := strings.TrimSuffix(plain.String(), "\n")
	text = text[1 : len(text)-1]
	return [][]byte{
		[]byte(text), html[1 : len(html)-1], []byte(escapeUnicode(text)),
		[]byte(strings.ReplaceAll(text, "/", `\/`)),
		[]byte(strings.ReplaceAll(text, `\"`, `"`)), // in single quotes
	}
}

// escapeUnicode writes what is not ASCII as \uXXXX, as Python's json does.
func escapeUnicode(text string) string {
	const digits = "0123456789abcdef"
	var b strings.Builder
	for _, c := range text {
		if c < 0x80 {
			b.WriteRune(c)
			continue
		}
		for _, unit := range utf16.Encode([]rune{c}) {
			b.WriteString(`\u`)
			for shift := 12; shift >= 0; shift -= 4 {
				b.WriteByte(digits[unit>>shift&15])
			}
		}
	}
	return b.String()
}

// lowerEscapes turns %2F into %2f.
func lowerEscapes(text string) string {
	b := []byte(text)
	for i := 0; i+2 < len(b); i++ {
		if b[i] == '%' {
			copy(b[i:i+3], bytes.ToLower(b[i:i+3]))
		}
	}
	return string(b)
}
