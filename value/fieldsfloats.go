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

// ReadFloats is Decode of an object with the value of an only parameter, a
// list[float], which it reads piece by piece. It gives up on all that is no number,
// and leaves it to Decode.
func ReadFloats(params []Param, text *io.SectionReader) (f Fields, ok bool) {
	if len(params) != 1 || !params[0].Type.isFloats() {
		return Fields{}, false
	}
	count, err := countCommas(io.NewSectionReader(text, 0, text.Size()))
	if err != nil {
		return Fields{}, false
	}
	w := &window{text: io.NewSectionReader(text, 0, text.Size())}
	w.advance()
	return w.floats(params[0], count+1)
}

// decodeFloats is ReadFloats of a text in memory.
func decodeFloats(params []Param, text []byte) (f Fields, ok bool) {
	if len(params) != 1 || !params[0].Type.isFloats() {
		return Fields{}, false
	}
	w := &window{jsonReader: jsonReader{data: text}}
	return w.floats(params[0], bytes.Count(text, []byte{','})+1)
}

func countCommas(text io.Reader) (count int, err error) {
	for buffer := make([]byte, windowSize); ; {
		n, err := text.Read(buffer)
		count += bytes.Count(buffer[:n], []byte{','})
		if err == io.EOF {
			return count, nil
		}
		if err != nil {
			return 0, err
		}
	}
}

// window reads a text of which a part is in memory: always more than a number
// takes. A longer one, or white space, ends at the end of the window, as broken text
// does, and is left to others.
type window struct {
	jsonReader
	text io.Reader // the rest; nil if there is none
	room []byte    // of the window
}

const (
	windowSize   = 32 << 10
	numberLength = 512
)

// advance moves the window if its end is near.
func (w *window) advance() {
	if w.text == nil || len(w.data)-w.pos >= numberLength {
		return
	}
	if w.room == nil {
		w.room = make([]byte, windowSize)
	}
	known := copy(w.room, w.data[w.pos:])
	n, err := io.ReadFull(w.text, w.room[known:])
	if w.data, w.pos = w.room[:known+n], 0; err != nil {
		w.text = nil
	}
}

// floats reads an object with at most so many floats.
func (w *window) floats(p Param, count int) (f Fields, ok bool) {
	if !w.accept('{') {
		return Fields{}, false
	}
	if name, err := w.key(); err != nil || name != p.Name {
		return Fields{}, false
	}
	floats := make([]float64, 0, min(count, maxCost))
	err := w.items(func(int) error {
		w.advance()
		literal, integral, err := w.numeral()
		if err != nil {
			return err
		}
		f, ok := plainFloat(literal, integral)
		if floats = append(floats, f); !ok {
			return w.invalid()
		}
		return w.charge(1)
	})
	if err != nil || !w.accept('}') {
		return Fields{}, false
	}
	w.skip()
	return OfFloats(p, floats), w.text == nil && w.pos == len(w.data)
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
