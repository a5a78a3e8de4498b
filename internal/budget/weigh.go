package budget

import "bytes"

// These are the costs of decoding, in bytes. A list[str] of short texts costs
// about 40 for each byte of its text, a str 9, on the way through a server from
// the report of a cell to the answer of a client, garbage that is not yet
// collected included. BenchmarkDecoding measures how much of that is held.
const (
	perByte   = 9
	perPart   = 128
	perObject = 768
)

// Free is what small texts cost, which do not wait for anybody: text of at most
// so many bytes.
const Free = 16 << 10

// Scale estimates what decoding the JSON that is written to it takes.
type Scale struct {
	bytes, parts, objects int64
	quoted, escaped       bool
}

// Write never fails.
func (s *Scale) Write(text []byte) (int, error) {
	s.bytes += int64(len(text))
	for rest := text; len(rest) > 0; {
		n := s.plain(rest)
		if n >= longPlain {
			s.count(rest[:n])
		} else {
			n = min(len(rest), longPlain)
			s.look(rest[:n])
		}
		rest = rest[n:]
	}
	return len(text), nil
}

// plain returns how many bytes come before the next quote; none within a string.
func (s *Scale) plain(text []byte) int {
	if s.quoted {
		return 0
	}
	if i := bytes.IndexByte(text, '"'); i >= 0 {
		return i
	}
	return len(text)
}

// longPlain is from where on a text without strings is counted as a whole, in
// bytes: a long list of numbers.
const longPlain = 256

// count is look for a text without strings that follows none.
func (s *Scale) count(text []byte) {
	for _, c := range []byte{',', '[', ':'} {
		s.parts += int64(bytes.Count(text, []byte{c}))
	}
	s.objects += int64(bytes.Count(text, []byte{'{'}))
}

func (s *Scale) look(text []byte) {
	for _, c := range text {
		switch {
		case s.escaped:
			s.escaped = false
		case s.quoted && c == '\\':
			s.escaped = true
		case c == '"':
			s.quoted = !s.quoted
		case s.quoted:
		case c == ',', c == '[', c == ':':
			s.parts++
		case c == '{':
			s.objects++
		}
	}
}

// Cost returns what decoding takes, in bytes; nothing for a small text.
func (s *Scale) Cost() int64 {
	if s.bytes <= Free {
		return 0
	}
	return s.bytes*perByte + s.parts*perPart + s.objects*perObject
}

// Cost returns what decoding a text takes, in bytes.
func Cost(text []byte) int64 {
	var s Scale
	_, _ = s.Write(text)
	return s.Cost()
}

// CostOfText returns what so many bytes of JSON take that are read and passed on
// as they are.
func CostOfText(bytes int64) int64 {
	if bytes <= Free {
		return 0
	}
	return bytes * 4
}
