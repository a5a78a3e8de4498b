package value

import (
	"errors"
	"iter"
	"strconv"
)

// Floats returns the items of a list[float] of which only the text is kept, and
// how many there are, so that who wants them in a form of its own needs no list of
// them; ok is false for any other value.
func (f Fields) Floats(name string) (count int, items iter.Seq[float64], ok bool) {
	known := f.at(name)
	if known == nil || known.text == nil || known.typ.Kind != KindList || known.typ.elem().Kind != KindFloat {
		return 0, nil, false
	}
	r := jsonReader{data: known.text, paid: true}
	return r.countItems(), func(yield func(float64) bool) {
		r := r
		_ = r.items(func(int) error { // it reads back, see writtenField
			v, err := r.float()
			if err == nil && !yield(v) {
				return errStopped
			}
			return err
		})
	}, true
}

// errStopped ends a walk over items of which no more are wanted.
var errStopped = errors.New("no more items are wanted")

// float reads a float in its canonical form.
func (r *jsonReader) float() (float64, error) {
	if r.peek() == '"' {
		v, err := r.text(Type{Kind: KindFloat})
		word, _ := v.(float64)
		return word, err
	}
	literal, _, err := r.numeral()
	if err != nil {
		return 0, err
	}
	return strconv.ParseFloat(string(literal), 64)
}
