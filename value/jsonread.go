package value

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"
)

// jsonReader scans JSON text. It checks the grammar as it goes and reads the
// text once from front to back.
type jsonReader struct {
	data  []byte
	pos   int
	depth int  // containers that are open
	cost  int  // what has been read, in units of a small value
	paid  bool // whether the cost was found good before
	files bool // whether copy has met a file
}

// maxCost bounds what one decoded value takes in memory, to some hundred
// megabytes, because JSON of a few bytes can stand for a value of many.
const maxCost = 4 << 20

// The cost of what costs more than a small value, which is 1.
const (
	containerCost = 4
	keyCost       = 3
)

// charge counts a part of the value before memory is taken for it.
func (r *jsonReader) charge(units int) error {
	if r.cost += units; r.cost > maxCost && !r.paid {
		return &Error{Expected: fmt.Sprintf("a value of at most %d parts (a File holds more)", maxCost), Got: "more", Limit: maxCost}
	}
	return nil
}

// open charges for a container and checks the depth; the caller closes it.
func (r *jsonReader) open() error {
	if r.depth++; r.depth > maxValueDepth {
		return tooDeep()
	}
	return r.charge(containerCost)
}

func (r *jsonReader) skip() {
	for r.pos < len(r.data) {
		switch r.data[r.pos] {
		case ' ', '\t', '\r', '\n':
			r.pos++
		default:
			return
		}
	}
}

// peek returns the next byte that is not white space, 0 at the end.
func (r *jsonReader) peek() byte {
	r.skip()
	if r.pos == len(r.data) {
		return 0
	}
	return r.data[r.pos]
}

func (r *jsonReader) accept(c byte) bool {
	if r.peek() != c || r.pos == len(r.data) {
		return false
	}
	r.pos++
	return true
}

// word accepts one of the JSON words.
func (r *jsonReader) word(w string) bool {
	r.skip()
	if len(r.data)-r.pos < len(w) || string(r.data[r.pos:r.pos+len(w)]) != w {
		return false
	}
	r.pos += len(w)
	return true
}

// invalid is the error for text that is not JSON.
func (r *jsonReader) invalid() error {
	if r.peek(); r.pos == len(r.data) {
		return &Error{Expected: "JSON", Got: "text that ends too early"}
	}
	return &Error{Expected: "JSON", Got: fmt.Sprintf("%s at byte %d", Quote(r.ahead()), r.pos)}
}

// unexpected is the error for JSON that is not of the type.
func (r *jsonReader) unexpected(t Type) error {
	if c := r.peek(); c == 0 || c == '}' || c == ']' || c == ',' || c == ':' {
		return r.invalid()
	}
	return &Error{Expected: t.String(), Got: "JSON " + Quote(r.scalar())}
}

// scalar returns the beginning of the value that has not been read, without
// what follows it, unless it is a container.
func (r *jsonReader) scalar() string {
	text := r.ahead()
	switch text[0] {
	case '{', '[':
		return text
	case '"':
		for i := 1; i < len(text); i++ {
			if text[i] == '\\' {
				i++
			} else if text[i] == '"' {
				return text[:i+1]
			}
		}
		return text
	}
	end := strings.IndexAny(text, ",]} \t\r\n")
	if end < 0 {
		return text
	}
	return text[:end]
}

// ahead returns the beginning of what has not been read.
func (r *jsonReader) ahead() string { return string(r.data[r.pos:min(len(r.data), r.pos+70)]) }

// items calls read for each item of an array.
func (r *jsonReader) items(read func(i int) error) error {
	if err := r.open(); err != nil {
		return err
	}
	defer func() { r.depth-- }()
	if !r.accept('[') {
		return r.invalid()
	}
	if r.accept(']') {
		return nil
	}
	for i := 0; ; i++ {
		if err := read(i); err != nil {
			return below(index(i), err)
		}
		if r.accept(']') {
			return nil
		}
		if !r.accept(',') {
			return r.invalid()
		}
	}
}

// fields calls read for each key of an object; it refuses a key that came.
func (r *jsonReader) fields(read func(k string) error) error {
	if err := r.open(); err != nil {
		return err
	}
	defer func() { r.depth-- }()
	if !r.accept('{') {
		return r.invalid()
	}
	if r.accept('}') {
		return nil
	}
	seen := map[string]struct{}{}
	for {
		k, err := r.key()
		if err != nil {
			return err
		}
		if err := r.charge(keyCost); err != nil {
			return err
		}
		if _, ok := seen[k]; ok {
			return &Error{Path: key(k), Expected: "every key once", Got: "the key again"}
		}
		seen[k] = struct{}{}
		if err := read(k); err != nil {
			return below(key(k), err)
		}
		if r.accept('}') {
			return nil
		}
		if !r.accept(',') {
			return r.invalid()
		}
	}
}

// pass goes behind the value that comes next, whose grammar it does not check.
func (r *jsonReader) pass() bool {
	depth := 0
	for ; r.pos < len(r.data); r.pos++ {
		switch r.data[r.pos] {
		case '"':
			if !r.passString() {
				return false
			}
		case '[', '{':
			depth++
		case ']', '}':
			if depth == 0 {
				return true
			}
			depth--
		case ',':
			if depth == 0 {
				return true
			}
		}
	}
	return false
}

// passString goes to the closing quote of a string.
func (r *jsonReader) passString() bool {
	for r.pos++; r.pos < len(r.data); r.pos++ {
		switch r.data[r.pos] {
		case '\\':
			r.pos++
		case '"':
			return true
		}
	}
	return false
}

// key reads a key and its colon.
func (r *jsonReader) key() (string, error) {
	if r.peek() != '"' {
		return "", r.invalid()
	}
	k, err := r.quoted()
	if err != nil {
		return "", err
	}
	if !r.accept(':') {
		return "", r.invalid()
	}
	return k, nil
}

// quoted reads a string. The next byte is its opening quote.
func (r *jsonReader) quoted() (string, error) {
	r.pos++
	start := r.pos
	var b []byte // what came before start, when there were escapes
	for r.pos < len(r.data) {
		switch c := r.data[r.pos]; {
		case c == '"':
			text := append(b, r.data[start:r.pos]...)
			r.pos++
			return r.checkedText(string(text))
		case c == '\\':
			b = append(b, r.data[start:r.pos]...)
			r.pos++
			var ok bool
			if b, ok = r.escaped(b); !ok {
				return "", r.invalid()
			}
			start = r.pos
		case c < ' ':
			return "", r.invalid()
		default:
			r.pos++
		}
	}
	return "", r.invalid()
}

// checkedText refuses bytes that are not UTF-8. Surrogates pass: escapes made
// them, or an encoder that writes them raw.
func (r *jsonReader) checkedText(s string) (string, error) {
	if !validString(s) {
		return "", &Error{Expected: "JSON in UTF-8", Got: Quote(s)}
	}
	return s, nil
}

// escaped reads what follows a backslash and appends its character.
func (r *jsonReader) escaped(b []byte) ([]byte, bool) {
	if r.pos == len(r.data) {
		return b, false
	}
	c := r.data[r.pos]
	r.pos++
	switch c {
	case '"', '\\', '/':
		return append(b, c), true
	case 'b':
		return append(b, '\b'), true
	case 'f':
		return append(b, '\f'), true
	case 'n':
		return append(b, '\n'), true
	case 'r':
		return append(b, '\r'), true
	case 't':
		return append(b, '\t'), true
	case 'u':
		return r.unicode(b)
	}
	return b, false
}

// unicode reads four hexadecimal digits, and four more where they make a pair.
func (r *jsonReader) unicode(b []byte) ([]byte, bool) {
	first, ok := r.hex4(r.pos)
	if !ok {
		return b, false
	}
	r.pos += 4
	if first < 0xD800 || first > 0xDFFF {
		return utf8.AppendRune(b, first), true
	}
	if first < 0xDC00 && r.pos+6 <= len(r.data) && r.data[r.pos] == '\\' && r.data[r.pos+1] == 'u' {
		if second, ok := r.hex4(r.pos + 2); ok && second >= 0xDC00 && second <= 0xDFFF {
			r.pos += 6
			return utf8.AppendRune(b, 0x10000+(first-0xD800)<<10+(second-0xDC00)), true
		}
	}
	return append(b, 0xED, 0x80|byte(first>>6&0x3F), 0x80|byte(first&0x3F)), true
}

func (r *jsonReader) hex4(at int) (rune, bool) {
	if at+4 > len(r.data) {
		return 0, false
	}
	var raw [2]byte
	if _, err := hex.Decode(raw[:], r.data[at:at+4]); err != nil {
		return 0, false
	}
	return rune(raw[0])<<8 | rune(raw[1]), true
}

// number reads a JSON number; integral says that it has no point or exponent.
func (r *jsonReader) number() (literal string, integral bool, err error) {
	text, integral, err := r.numeral()
	return string(text), integral, err
}

// numeral is number without a string of its own.
func (r *jsonReader) numeral() (literal []byte, integral bool, err error) {
	r.skip()
	start := r.pos
	integral = true
	if r.pos < len(r.data) && r.data[r.pos] == '-' {
		r.pos++
	}
	zero := r.pos < len(r.data) && r.data[r.pos] == '0'
	if n := r.digits(); n == 0 || zero && n > 1 {
		return nil, false, r.invalid()
	}
	if r.pos < len(r.data) && r.data[r.pos] == '.' {
		r.pos++
		integral = false
		if r.digits() == 0 {
			return nil, false, r.invalid()
		}
	}
	if r.pos < len(r.data) && (r.data[r.pos] == 'e' || r.data[r.pos] == 'E') {
		r.pos++
		integral = false
		if r.pos < len(r.data) && (r.data[r.pos] == '+' || r.data[r.pos] == '-') {
			r.pos++
		}
		if r.digits() == 0 {
			return nil, false, r.invalid()
		}
	}
	return r.data[start:r.pos], integral, nil
}

func (r *jsonReader) digits() int {
	start := r.pos
	for r.pos < len(r.data) && r.data[r.pos] >= '0' && r.data[r.pos] <= '9' {
		r.pos++
	}
	return r.pos - start
}

// parseInt reads a decimal literal that has a valid form.
func parseInt(literal string) (any, error) {
	if n, err := strconv.ParseInt(literal, 10, 64); err == nil {
		return n, nil
	}
	if digits := len(strings.TrimPrefix(literal, "-")); digits > maxIntDigits {
		return nil, &Error{Expected: fmt.Sprintf("int of at most %d digits", maxIntDigits), Got: fmt.Sprintf("%d digits", digits)}
	}
	n, ok := new(big.Int).SetString(literal, 10)
	if !ok {
		return nil, &Error{Expected: "int", Got: Quote(literal)}
	}
	return naturalBig(n)
}

func decodeBase64(text string) ([]byte, error) {
	data, err := base64.StdEncoding.Strict().DecodeString(text)
	if err != nil {
		return nil, &Error{Expected: "bytes in base64", Got: Quote(text)}
	}
	return data, nil
}
