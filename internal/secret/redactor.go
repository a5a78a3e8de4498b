package secret

import (
	"bytes"
	"io"
	"strings"
)

// Marker stands where a secret was.
const Marker = "[redacted]"

// Redactor replaces secrets in text by Marker: the values themselves in any
// case of letters, and encoded as programs usually do: hexadecimal, base64, as
// a part of a URL, and in the quotes of JSON or Python. It is immutable, safe
// for concurrent use, takes memory in proportion to the secrets and time in
// proportion to the text, whatever that is. It is best effort: a program that
// wants to leak a secret can encode it in a way that nobody expects.
type Redactor struct {
	*automaton
	highs   [16]bool // by the first half of a hexadecimal byte that a word begins with
	sextets [64]bool // by the first character of base64 that a word begins with
}

// NewRedactor returns a redactor for values. Values under 4 bytes are ignored:
// they would be found everywhere.
func NewRedactor(values ...[]byte) *Redactor {
	var all [][]byte
	for _, value := range values {
		all = append(all, words(value)...)
	}
	r := &Redactor{automaton: newAutomaton(all, lengthOf(all))}
	for c := range 256 {
		if r.first[c] != 0 {
			r.highs[c>>4] = true
			r.sextets[c>>2] = true
		}
	}
	return r
}

// Bytes returns a copy of text without secrets.
func (r *Redactor) Bytes(text []byte) []byte {
	var out bytes.Buffer
	w := r.Writer(&out)
	_, _ = w.Write(text) // a buffer takes everything
	_ = w.Close()
	return out.Bytes()
}

// String returns text without secrets.
func (r *Redactor) String(text string) string { return string(r.Bytes([]byte(text))) }

// Writer returns a writer that passes on to w what it gets, without secrets,
// also where a secret comes in several pieces. It holds back only what may be
// the beginning of a secret, and Close passes that on. It does not close w. It
// is for one goroutine at a time.
func (r *Redactor) Writer(w io.Writer) *Writer {
	return &Writer{redactor: r, w: w, readings: []reading{
		&plainReading{automaton: r.automaton},
		newHexReading(r),
		newBase64Reading(r),
		newURLReading(r),
		newEscapeReading(r),
	}}
}

// Masker is Writer, but each byte of a secret becomes a star: what counts bytes, as the
// frames of a protocol do, stays true.
func (r *Redactor) Masker(w io.Writer) *Writer {
	m := r.Writer(w)
	m.mask = true
	return m
}

// Mask returns text with stars in place of secrets.
func (r *Redactor) Mask(text string) string {
	var out strings.Builder
	w := r.Masker(&out)
	_, _ = io.WriteString(w, text) // a builder takes everything
	_ = w.Close()
	return out.String()
}
