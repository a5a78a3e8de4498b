package value

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
)

// Decode reads an object with the values of parameters by name, as
// [Fields.JSON] writes it or a person does; no text stands for no values.
// Parameters may be missing: see [Fields.Complete]. The error is a *FieldError;
// role says what the values are, such as "input".
//
// It checks and rewrites the text in one pass. Go values are made only if
// somebody asks for them. Of one list[float] it keeps the floats, see [OfFloats].
func Decode(role string, params []Param, text []byte) (Fields, error) {
	if f, ok := decodeFloats(params, text); ok {
		return f, nil
	}
	if f, ok := rewrite(params, text); ok {
		return f, nil
	}
	return decodeEach(role, params, text)
}

// rewrite reads an object in one pass. It gives up on all that is unusual or
// wrong, for decodeEach to say what that is.
func rewrite(params []Param, text []byte) (f Fields, ok bool) {
	r := &jsonReader{data: text}
	if !r.accept('{') {
		return Fields{}, false
	}
	w := newRewriter(params, len(text))
	for !r.accept('}') {
		if len(w.named) > 0 && !r.accept(',') || !w.member(r) {
			return Fields{}, false
		}
	}
	if r.skip(); r.pos < len(text) {
		return Fields{}, false
	}
	return w.fields(), true
}

// rewriter collects the members of an object in one canonical text.
type rewriter struct {
	params []Param
	named  map[string]*field
	b      []byte
	spans  []span
	last   int  // index of the parameter before, counted from 1
	sorted bool // whether the members came in the order of the parameters
}

// newRewriter expects a text of so many bytes: what is written is rarely longer.
func newRewriter(params []Param, size int) *rewriter {
	return &rewriter{params: params, named: make(map[string]*field, len(params)), b: append(make([]byte, 0, size+spare), '{'), sorted: true}
}

// spare is for what a short text lacks: its object, or points behind numbers.
const spare = 256

type span struct {
	param      Param
	start, end int
	files      bool
}

func (w *rewriter) member(r *jsonReader) bool {
	name, err := r.key()
	if err != nil {
		return false
	}
	i := slices.IndexFunc(w.params, func(p Param) bool { return p.Name == name })
	return i >= 0 && w.named[name] == nil && w.value(r, i)
}

// value takes the value that comes next for a parameter that has none.
func (w *rewriter) value(r *jsonReader, i int) bool {
	name := w.params[i].Name
	if w.sorted = w.sorted && i >= w.last; len(w.spans) > 0 {
		w.b = append(w.b, ',')
	}
	w.last = i
	w.b = append(appendQuoted(w.b, name), ':')
	start := len(w.b)
	r.cost, r.depth, r.files = 0, 0, false
	var err error
	if w.b, err = r.copy(w.b, w.params[i].Type); err != nil {
		return false
	}
	w.named[name] = &field{} // it came
	w.spans = append(w.spans, span{w.params[i], start, len(w.b), r.files})
	return true
}

func (w *rewriter) fields() Fields {
	text := append(w.b, '}')
	for _, s := range w.spans {
		w.named[s.param.Name] = writtenField(s.param.Type, text[s.start:s.end:s.end], s.files)
	}
	f := newFields(w.params, w.named)
	if w.sorted {
		f.json = func() []byte { return text }
	}
	return f
}

// decodeEach reads an object member by member.
func decodeEach(role string, params []Param, text []byte) (Fields, error) {
	raw, err := members(text)
	if err != nil {
		return Fields{}, &FieldError{Role: role, Fault: NoObject, Err: err}
	}
	named := make(map[string]*field, len(raw))
	for _, p := range params {
		member, ok := raw[p.Name]
		if !ok {
			continue
		}
		v, err := DecodeJSON(p.Type, member)
		if err == nil {
			v, err = Normalize(p.Type, v)
		}
		if err != nil {
			return Fields{}, &FieldError{Role: role, Name: p.Name, Err: err}
		}
		named[p.Name] = checkedField(p.Type, v)
		delete(raw, p.Name)
	}
	for _, name := range slices.Sorted(maps.Keys(raw)) {
		return Fields{}, &FieldError{Role: role, Name: name, Fault: Undeclared, Params: params}
	}
	return newFields(params, named), nil
}

// Split returns the JSON of each value of an object that [Fields.JSON] has written,
// by name, as parts of the text. It looks for brackets and quotes alone: what wrote
// the text has checked it.
func Split(text []byte) (map[string]json.RawMessage, error) {
	members := map[string]json.RawMessage{}
	r := &jsonReader{data: text}
	if !r.accept('{') {
		return nil, r.invalid()
	}
	for !r.accept('}') {
		if len(members) > 0 && !r.accept(',') {
			return nil, r.invalid()
		}
		name, err := r.key()
		if err != nil {
			return nil, err
		}
		start := r.pos
		if !r.pass() {
			return nil, r.invalid()
		}
		members[name] = text[start:r.pos:r.pos]
	}
	return members, nil
}

// members returns the members of a JSON object; no text is one without any.
func members(text []byte) (map[string]json.RawMessage, error) {
	raw := map[string]json.RawMessage{}
	if text = bytes.TrimSpace(text); len(text) == 0 || string(text) == "null" {
		return raw, nil
	}
	d := json.NewDecoder(bytes.NewReader(text))
	if start, err := d.Token(); err != nil || start != json.Delim('{') {
		return nil, fmt.Errorf("it begins with %s", Quote(string(text[:1])))
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, err
		}
		var member json.RawMessage
		if err := d.Decode(&member); err != nil {
			return nil, err
		}
		if _, twice := raw[name.(string)]; twice {
			return nil, fmt.Errorf("%s comes twice", Quote(name.(string)))
		}
		raw[name.(string)] = member
	}
	if _, err := d.Token(); err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("something follows it")
	}
	return raw, nil
}
