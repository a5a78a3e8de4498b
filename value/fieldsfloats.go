package value

import (
	"bytes"
	"io"
	"iter"
	"slices"
	"strconv"
	"sync"
)

// Floats returns the items of a list[float] that is kept as its text, or that
// OfFloats was given, and how many there are, so that who wants them in a form of
// its own needs no list of them; ok is false for any other value.
func (f Fields) Floats(name string) (count int, items iter.Seq[float64], ok bool) {
	known := f.at(name)
	switch {
	case known == nil || !known.typ.isFloats():
		return 0, nil, false
	case known.floats != nil:
		return len(known.floats), slices.Values(known.floats), true
	case known.text == nil:
		return 0, nil, false
	}
	text := known.text[1 : len(known.text)-1] // without brackets; it is canonical, see writtenField
	if len(text) == 0 {
		return 0, func(func(float64) bool) {}, true
	}
	return bytes.Count(text, []byte{','}) + 1, func(yield func(float64) bool) {
		for literal := range bytes.SplitSeq(text, []byte{','}) {
			if !yield(canonicalFloat(literal)) {
				return
			}
		}
	}, true
}

// canonicalFloat reads what appendFloat has written.
func canonicalFloat(literal []byte) float64 {
	f, _ := strconv.ParseFloat(string(bytes.Trim(literal, `"`)), 64)
	return f
}

func (t Type) isFloats() bool { return t.Kind == KindList && t.elem().Kind == KindFloat }

// OfFloats returns Fields of a list[float], which keep the floats as they are:
// nobody changes them any more. A check takes such Fields for the value of a
// parameter of that name and type.
func OfFloats(p Param, floats []float64) Fields {
	write := func(b []byte) []byte { return appendFloats(b, floats) }
	f := newFields([]Param{p}, map[string]*field{p.Name: {
		typ: p.Type, floats: floats, write: write, value: func() any { return boxed(floats) },
		json: sync.OnceValue(func() []byte { return write(nil) }),
	}})
	f.stream = func() io.Reader { return newFloatsReader(p.Name, floats) }
	return f
}

// decodeFloats reads an object with the value of an only parameter, a list[float].
// It gives up on all that is no number, and leaves it to others.
func decodeFloats(params []Param, text []byte) (f Fields, ok bool) {
	if len(params) != 1 || !params[0].Type.isFloats() {
		return Fields{}, false
	}
	r := &jsonReader{data: text}
	if !r.accept('{') {
		return Fields{}, false
	}
	if name, err := r.key(); err != nil || name != params[0].Name {
		return Fields{}, false
	}
	r.skip()
	floats := make([]float64, 0, min(r.countItems(), maxCost))
	err := r.items(func(int) error {
		literal, integral, err := r.numeral()
		if err != nil {
			return err
		}
		f, ok := plainFloat(literal, integral)
		if floats = append(floats, f); !ok {
			return r.invalid()
		}
		return r.charge(1)
	})
	if err != nil || !r.accept('}') {
		return Fields{}, false
	}
	r.skip()
	return OfFloats(params[0], floats), r.pos == len(text)
}

func boxed(floats []float64) []any {
	items := make([]any, len(floats))
	for i, f := range floats {
		items[i] = f
	}
	return items
}

// appendFloats writes floats as one list.
func appendFloats(b []byte, floats []float64) []byte {
	b = append(b, '[')
	for i, f := range floats {
		if i > 0 {
			b = append(b, ',')
		}
		start := len(b)
		b = appendFloat(b, f)
		if i == 0 {
			b = slices.Grow(b, (len(b)-start+1)*len(floats))
		}
	}
	return append(b, ']')
}

// floatsReader writes an object with one list of floats while it is read.
type floatsReader struct {
	text   bytes.Buffer // what was written, and not read
	floats []float64    // what is not written
	ended  bool
}

func newFloatsReader(name string, floats []float64) *floatsReader {
	r := &floatsReader{floats: floats}
	r.text.Write(append(appendQuoted([]byte{'{'}, name), ":["...))
	return r
}

// Read implements io.Reader.
func (r *floatsReader) Read(p []byte) (int, error) {
	if r.text.Len() == 0 && !r.ended {
		r.write()
	}
	return r.text.Read(p)
}

// floatsAtOnce is how many floats are written ahead of their reader.
const floatsAtOnce = 512

func (r *floatsReader) write() {
	r.text.Reset() // which makes its whole room available
	b := r.text.AvailableBuffer()
	now := r.floats[:min(floatsAtOnce, len(r.floats))]
	r.floats = r.floats[len(now):]
	r.ended = len(r.floats) == 0
	for i, f := range now {
		b = appendFloat(b, f)
		if i < len(now)-1 || !r.ended {
			b = append(b, ',')
		}
	}
	if r.ended {
		b = append(b, "]}"...)
	}
	r.text.Write(b)
}
