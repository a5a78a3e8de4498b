package secret

import (
	"bytes"
	"io"
)

// Marker stands where a secret was.
const Marker = "[redacted]"

// Redactor replaces secrets in text by Marker: the values themselves, and
// their usual encodings (see forms). It is immutable, safe for concurrent use,
// and takes time in proportion to the text. It is best effort: a program that
// wants to leak a secret can encode it in a way that nobody expects.
type Redactor struct {
	nodes []node     // the trie of all forms; nodes[0] is its root
	first [256]int32 // the children of the root by byte, 0 where there is none
}

// node is a prefix of some form, in an automaton after Aho and Corasick.
type node struct {
	child, sibling int32 // the first child, and the next child of the parent; 0 is none
	fail           int32 // the longest proper suffix that is a prefix too
	depth          int32 // the length of the prefix
	match          int32 // the length of the longest form that ends here, or 0
	char           byte  // the last byte
}

// NewRedactor returns a redactor for values. Values under 4 bytes are ignored:
// they would be found everywhere.
func NewRedactor(values ...[]byte) *Redactor {
	r := &Redactor{nodes: make([]node, 1)}
	for _, value := range values {
		for _, form := range forms(value) {
			r.add(form)
		}
	}
	r.link()
	return r
}

func (r *Redactor) add(form []byte) {
	at := int32(0)
	for i, c := range form {
		next := r.child(at, c)
		if next == 0 {
			next = r.grow(at, c, int32(i+1))
		}
		at = next
	}
	r.nodes[at].match = int32(len(form))
}

func (r *Redactor) grow(parent int32, c byte, depth int32) int32 {
	next := int32(len(r.nodes))
	r.nodes = append(r.nodes, node{char: c, depth: depth, sibling: r.nodes[parent].child})
	r.nodes[parent].child = next
	if parent == 0 {
		r.first[c] = next
	}
	return next
}

func (r *Redactor) child(at int32, c byte) int32 {
	if at == 0 {
		return r.first[c]
	}
	for next := r.nodes[at].child; next != 0; next = r.nodes[next].sibling {
		if r.nodes[next].char == c {
			return next
		}
	}
	return 0
}

// link sets the failure links, breadth first.
func (r *Redactor) link() {
	queue := []int32{0}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		for next := r.nodes[at].child; next != 0; next = r.nodes[next].sibling {
			if at != 0 {
				r.nodes[next].fail = r.step(r.nodes[at].fail, r.nodes[next].char)
			}
			n := &r.nodes[next]
			n.match = max(n.match, r.nodes[n.fail].match)
			queue = append(queue, next)
		}
	}
}

// step follows one byte.
func (r *Redactor) step(at int32, c byte) int32 {
	for {
		if next := r.child(at, c); next != 0 || at == 0 {
			return next
		}
		at = r.nodes[at].fail
	}
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
func (r *Redactor) Writer(w io.Writer) *Writer { return &Writer{redactor: r, w: w} }
