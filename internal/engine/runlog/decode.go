package runlog

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/glovebox-dev/glovebox/api"
)

// decoder reads the entries of a log.
type decoder struct{ second second }

// decode reads an entry. A line of the form that a Log writes mostly is read without
// reflection, in a tenth of the time; of any other line encoding/json decides what it is.
func (d *decoder) decode(line []byte) (api.LogEntry, error) {
	if entry, ok := d.usual(line); ok {
		return entry, nil
	}
	return decodeAny(line)
}

func decodeAny(line []byte) (entry api.LogEntry, err error) {
	if err := json.Unmarshal(line, &entry); err != nil {
		return api.LogEntry{}, err
	}
	return entry, nil
}

// usual reads an entry that has its members in their order. It reports false where
// encoding/json could see something else.
func (d *decoder) usual(line []byte) (e api.LogEntry, ok bool) {
	in := usual{rest: line}
	if !in.take(`{"seq":`) {
		return e, false
	}
	e.Seq = in.number()
	if in.take(`,"line":`) {
		e.Line = in.number()
	}
	e.Continues = in.take(`,"continues":true`)
	if !in.take(`,"time":"`) {
		return e, false
	}
	if e.Time, ok = d.second.parse(in.quoted()); !ok {
		return e, false
	}
	if !in.take(`,"stream":"`) {
		return e, false
	}
	e.Stream = in.stream()
	switch {
	case in.take(`,"text":"`):
		e.Text = in.text()
	case in.take(`,"data":"`):
		e.Data = in.data()
	default:
		return e, false
	}
	return e, !in.strange && string(in.rest) == "}"
}

// usual is what is left of a line.
type usual struct {
	rest    []byte
	strange bool // something is not as a Log writes it
}

func (u *usual) take(text string) bool {
	if len(u.rest) < len(text) || string(u.rest[:len(text)]) != text {
		return false
	}
	u.rest = u.rest[len(text):]
	return true
}

// number takes a number from 1.
func (u *usual) number() (n int64) {
	digits := 0
	for digits < len(u.rest) && u.rest[digits]-'0' <= 9 {
		n = 10*n + int64(u.rest[digits]-'0')
		digits++
	}
	u.strange = u.strange || digits == 0 || digits > 18 || u.rest[0] == '0'
	u.rest = u.rest[digits:]
	return n
}

// quoted takes what is before the next quote, and the quote.
func (u *usual) quoted() []byte {
	end := bytes.IndexByte(u.rest, '"')
	if end < 0 {
		u.strange = true
		return nil
	}
	text := u.rest[:end]
	u.rest = u.rest[end+1:]
	return text
}

// stream takes the name of a stream, which costs no memory.
func (u *usual) stream() string {
	switch text := u.quoted(); string(text) {
	case "stdout":
		return "stdout"
	case "stderr":
		return "stderr"
	case "system":
		return "system"
	}
	u.strange = true
	return ""
}

// text takes the rest of a string of JSON, and its quote.
func (u *usual) text() string {
	var stack [256]byte
	text := stack[:0]
	for from := 0; ; {
		i := from
		for i < len(u.rest) && u.rest[i] != '"' && u.rest[i] != '\\' && u.rest[i] >= ' ' {
			i++
		}
		text = append(text, u.rest[from:i]...)
		if i == len(u.rest) || u.rest[i] < ' ' {
			break
		}
		if u.rest[i] == '"' {
			u.rest = u.rest[i+1:]
			u.strange = u.strange || !utf8.Valid(text)
			return string(text)
		}
		c, n := unescape(u.rest[i:])
		if n == 0 {
			break
		}
		text = utf8.AppendRune(text, c)
		from = i + n
	}
	u.strange = true
	return ""
}

// data takes the rest of bytes in base64, and their quote.
func (u *usual) data() []byte {
	text := u.quoted()
	data, err := base64.StdEncoding.AppendDecode([]byte{}, text)
	u.strange = u.strange || err != nil || bytes.ContainsAny(text, "\r\n") // base64 passes over them
	return data
}

// unescape returns the character of an escape, and how long the escape is: 0 where it is none, or half of
// a character.
func unescape(text []byte) (c rune, n int) {
	if len(text) < 2 {
		return 0, 0
	}
	if i := bytes.IndexByte([]byte(`"\/bfnrt`), text[1]); i >= 0 {
		return rune("\"\\/\b\f\n\r\t"[i]), 2
	}
	if text[1] != 'u' || len(text) < 6 {
		return 0, 0
	}
	code, err := strconv.ParseUint(string(text[2:6]), 16, 16)
	if err != nil || code >= 0xD800 && code < 0xE000 {
		return 0, 0
	}
	return rune(code), 6
}

// second is a time without its fraction. Many entries have the same one, and reading it is
// much of the work.
type second struct {
	text string
	at   time.Time
}

const secondForm = "2006-01-02T15:04:05"

// parse reads a time of RFC 3339 in UTC.
func (s *second) parse(text []byte) (t time.Time, ok bool) {
	if len(text) <= len(secondForm) {
		return t, false
	}
	if whole := text[:len(secondForm)]; string(whole) != s.text {
		known := second{text: string(whole)}
		if known.at.UnmarshalText([]byte(known.text+"Z")) != nil {
			return t, false
		}
		*s = known
	}
	fraction, ok := nanoseconds(text[len(secondForm):])
	return s.at.Add(fraction), ok
}

// nanoseconds reads what is behind a second: ".5Z", or "Z".
func nanoseconds(text []byte) (n time.Duration, ok bool) {
	if string(text) == "Z" {
		return 0, true
	}
	digits := len(text) - len(".Z")
	if digits < 1 || digits > 9 || text[0] != '.' || text[len(text)-1] != 'Z' {
		return 0, false
	}
	for i := range 9 {
		n *= 10
		if i >= digits {
			continue
		}
		digit := text[1+i] - '0'
		if digit > 9 {
			return 0, false
		}
		n += time.Duration(digit)
	}
	return n, true
}
