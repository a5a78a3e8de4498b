package server

import (
	"bytes"
	"strings"
)

// finder finds the object that is the member inputs of an object, in a text that
// comes in pieces. It does not check the grammar: ok says that brackets and strings
// close, that there is one such member and that no escapes hide another.
type finder struct {
	start, end int64 // of the object; 0 until they came

	at      int64 // of the byte that comes next
	depth   int
	quoted  bool
	escaped bool

	name    []byte // the beginning of a string of the outer object
	odd     bool   // whether there is an escape in it
	named   bool   // whether it has just ended, so that a colon makes it a key
	found   bool   // whether the key came
	seeking bool   // whether its object did not
	lost    bool   // whether the inputs cannot be taken out
}

// maxName is more than the length of the name that is looked for.
const maxName = 16

func (f *finder) ok() bool { return !f.lost && f.end > 0 && f.depth == 0 && !f.quoted }

func (f *finder) read(chunk []byte) {
	begin := f.at
	for i := 0; i < len(chunk) && !f.lost; i++ {
		if i += f.plain(chunk[i:]); i == len(chunk) {
			break
		}
		f.at = begin + int64(i)
		if f.quoted {
			f.text(chunk[i])
		} else {
			f.mark(chunk[i])
		}
	}
	f.at = begin + int64(len(chunk))
}

// plain returns how many bytes mean nothing: within the members of the outer object
// only brackets and strings do.
func (f *finder) plain(text []byte) int {
	if f.depth < 2 || f.escaped {
		return 0
	}
	marks := `"{}[]`
	if f.quoted {
		marks = `"\`
	}
	if i := bytes.IndexAny(text, marks); i >= 0 {
		return i
	}
	return len(text)
}

// text takes a byte of a string.
func (f *finder) text(c byte) {
	switch {
	case f.escaped:
		f.escaped = false
	case c == '\\':
		f.escaped, f.odd = true, true
	case c == '"':
		f.quoted, f.named = false, f.depth == 1
		return
	}
	if len(f.name) < maxName {
		f.name = append(f.name, c)
	}
}

// mark takes a byte between strings.
func (f *finder) mark(c byte) {
	if strings.IndexByte(" \t\r\n", c) >= 0 {
		return
	}
	if f.named && c == ':' {
		f.key()
		return
	}
	f.named = false
	if f.seeking && c != ':' {
		f.seeking, f.start = false, f.at
		f.lost = c != '{'
	}
	switch c {
	case '"':
		f.quoted, f.odd, f.name = true, false, f.name[:0]
	case '{', '[':
		f.depth++
	case '}', ']':
		if f.depth--; f.depth == 1 && f.start > 0 && f.end == 0 {
			f.end = f.at + 1
		}
	}
}

// key takes the name of a member.
func (f *finder) key() {
	f.named = false
	if name := string(f.name); name == "inputs" && !f.odd && !f.found {
		f.found, f.seeking = true, true
	} else {
		f.lost = f.odd || strings.EqualFold(name, "inputs")
	}
}
