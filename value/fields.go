package value

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"maps"
	"slices"
	"sync"
)

// Fields are the checked values of some parameters, such as the inputs of a
// run. Only [Check] and [Decode] make them, so who holds Fields need not check
// them again. They are immutable and safe for concurrent use. Their canonical
// JSON and its digest are made when first needed, each once; Go values of what
// was decoded are made anew each time, and not kept beside the text. The zero
// Fields have no parameters.
//
// What Fields return is shared with everybody who asks, and not to be changed.
type Fields struct{ *fields }

type fields struct {
	params []Param
	named  map[string]*field
	json   func() []byte
	digest func() string
	stream func() io.Reader // of json, or nil
}

// field is one checked value: what it was made of, and what is made of that.
type field struct {
	typ   Type
	files bool // whether there is a File, Dir or DataFrame in it
	json  func() []byte
	value func() any
	write func(b []byte) []byte // appends json, of which there is no text yet; nil if there is
	text  []byte                // json, if the value is made of it

	floats []float64 // of OfFloats
}

func newFields(params []Param, named map[string]*field) Fields {
	f := &fields{params: params, named: named}
	f.json = sync.OnceValue(f.join)
	f.writeAtOnce()
	f.digest = sync.OnceValue(func() string {
		sum := sha256.Sum256(f.json())
		return "sha256:" + hex.EncodeToString(sum[:])
	})
	return Fields{f}
}

// writeAtOnce makes the text of an only value a part of that of all, so that it is
// in memory once.
func (f *fields) writeAtOnce() {
	if len(f.named) != 1 {
		return
	}
	for name, known := range f.named {
		if known.write == nil {
			return
		}
		begin := append(appendQuoted([]byte{'{'}, name), ':')
		f.json = sync.OnceValue(func() []byte { return append(known.write(slices.Clip(begin)), '}') })
		own := *known
		own.json = func() []byte {
			text := f.json()
			return text[len(begin) : len(text)-1 : len(text)-1]
		}
		f.named = map[string]*field{name: &own}
	}
}

// checkedField holds a value that fits its type.
func checkedField(t Type, v any) *field {
	return &field{
		typ:   t,
		files: !eachFile(v, func(FileRef) bool { return false }),
		value: func() any { return v },
		write: func(b []byte) []byte { return appendTyped(b, t, v) },
		json:  sync.OnceValue(func() []byte { return appendTyped(nil, t, v) }),
	}
}

// writtenField holds the canonical JSON of a value. That reads back, without an
// error: appendTyped has written it of a value that fits, or copy, which
// FuzzOnePass holds to the same.
func writtenField(t Type, text []byte, files bool) *field {
	return &field{typ: t, files: files, text: text, json: func() []byte { return text }, value: func() any {
		v, err := (&jsonReader{data: text, paid: true}).typed(t)
		if err != nil {
			panic("canonical JSON of a " + t.String() + " does not read back: " + err.Error())
		}
		return v
	}}
}

// Check holds given values to parameters: it normalizes each, and fills in
// defaults. Fields of one parameter stand for its value. The error is a *FieldError, for a value that is missing, that has
// no parameter or does not fit.
func Check(params []Param, given map[string]any) (Fields, error) {
	return check(params, given, Normalize)
}

// CheckOwned is Check of values that nobody changes any more. It keeps lists of
// numbers as they are, of which Check makes copies.
func CheckOwned(params []Param, given map[string]any) (Fields, error) {
	return check(params, given, func(t Type, v any) (any, error) {
		if isNumbers(t, v) {
			return v, nil
		}
		return Normalize(t, v)
	})
}

func check(params []Param, given map[string]any, normalize func(Type, any) (any, error)) (Fields, error) {
	some, err := checkSome(params, given, normalize)
	if err != nil {
		return Fields{}, err
	}
	f, err := some.Complete(params)
	if err != nil {
		return Fields{}, err
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if f.at(name) == nil {
			return Fields{}, &FieldError{Role: "input", Name: name, Fault: Undeclared, Params: params}
		}
	}
	return f, nil
}

// CheckSome normalizes the values that there are of some parameters. Names that
// no parameter has are left out.
func CheckSome(params []Param, given map[string]any) (Fields, error) {
	return checkSome(params, given, Normalize)
}

func checkSome(params []Param, given map[string]any, normalize func(Type, any) (any, error)) (Fields, error) {
	named := make(map[string]*field, len(params))
	for _, p := range params {
		v, ok := given[p.Name]
		if !ok {
			continue
		}
		if f, ok := v.(Fields); ok && f.has([]Param{p}) {
			if len(params) == 1 {
				return f, nil
			}
			named[p.Name] = f.at(p.Name)
			continue
		}
		n, err := normalize(p.Type, v)
		if err != nil {
			return Fields{}, &FieldError{Role: "input", Name: p.Name, Err: err}
		}
		named[p.Name] = checkedField(p.Type, n)
	}
	return newFields(params, named), nil
}

// Complete returns Fields of these parameters with their defaults for what is
// missing; a *FieldError says what has none. Fields that were checked against
// other types are checked against these.
func (f Fields) Complete(params []Param) (Fields, error) {
	missing := func(p Param) bool { return f.at(p.Name) == nil }
	if f.has(params) && !slices.ContainsFunc(params, missing) {
		return f, nil
	}
	named := make(map[string]*field, len(params))
	for _, p := range params {
		known := f.at(p.Name)
		if known == nil {
			v, ok, err := p.DefaultValue()
			switch {
			case err != nil:
				return Fields{}, &FieldError{Role: "default of input", Name: p.Name, Fault: BadDefault, Err: err}
			case !ok:
				return Fields{}, &FieldError{Role: "input", Name: p.Name, Fault: Missing, Params: params, Want: p.Type}
			}
			known = checkedField(p.Type, v)
		}
		if !known.typ.Equal(p.Type) {
			n, err := Normalize(p.Type, known.value())
			if err != nil {
				return Fields{}, &FieldError{Role: "input", Name: p.Name, Err: err}
			}
			known = checkedField(p.Type, n)
		}
		named[p.Name] = known
	}
	for _, name := range slices.Sorted(maps.Keys(f.all())) {
		if _, ok := named[name]; !ok {
			return Fields{}, &FieldError{Role: "input", Name: name, Fault: Undeclared, Params: params}
		}
	}
	return newFields(params, named), nil
}

// has reports whether f was checked against these parameters.
func (f Fields) has(params []Param) bool {
	return f.fields != nil && slices.EqualFunc(f.params, params, func(a, b Param) bool { return a.Name == b.Name && a.Type.Equal(b.Type) })
}

func (f Fields) all() map[string]*field {
	if f.fields == nil {
		return nil
	}
	return f.named
}

func (f Fields) at(name string) *field { return f.all()[name] }

// Equal reports whether both hold the same values of the same parameters.
func (f Fields) Equal(g Fields) bool {
	return f.Len() == g.Len() && (f.Len() == 0 || f.has(g.params) && string(f.JSON()) == string(g.JSON()))
}

// Len returns how many values there are.
func (f Fields) Len() int { return len(f.all()) }

// Params returns the parameters, of which some may have no value.
func (f Fields) Params() []Param {
	if f.fields == nil {
		return nil
	}
	return f.params
}

// Has reports whether a parameter has a value.
func (f Fields) Has(name string) bool { return f.at(name) != nil }

// Value returns the value of a parameter; ok is false if it has none.
func (f Fields) Value(name string) (v any, ok bool) {
	if known := f.at(name); known != nil {
		return known.value(), true
	}
	return nil, false
}

// Without returns the fields without some, whether there are values of those or not.
func (f Fields) Without(names ...string) Fields {
	kept := maps.Clone(f.all())
	maps.DeleteFunc(kept, func(name string, _ *field) bool { return slices.Contains(names, name) })
	return newFields(slices.DeleteFunc(slices.Clone(f.Params()), func(p Param) bool { return slices.Contains(names, p.Name) }), kept)
}

// Map returns all values by name.
func (f Fields) Map() map[string]any {
	values := make(map[string]any, f.Len())
	for name, known := range f.all() {
		values[name] = known.value()
	}
	return values
}

// ValueJSON returns the canonical JSON of the value of a parameter that has
// this type; ok is false if it has another, or no value.
func (f Fields) ValueJSON(name string, t Type) (text []byte, ok bool) {
	if known := f.at(name); known != nil && known.typ.Equal(t) {
		return known.json(), true
	}
	return nil, false
}

// JSON returns the values as one object, in the order of the parameters.
func (f Fields) JSON() []byte {
	if f.fields == nil {
		return []byte("{}")
	}
	return f.json()
}

// Reader reads JSON. It is for long values: that of OfFloats is written while it
// is read, and is never in memory as a whole.
func (f Fields) Reader() io.Reader {
	if f.fields == nil || f.stream == nil {
		return bytes.NewReader(f.JSON())
	}
	return f.stream()
}

// Digest returns "sha256:" and the digest of JSON in hexadecimal.
func (f Fields) Digest() string {
	if f.fields == nil {
		return newFields(nil, nil).digest()
	}
	return f.digest()
}

// HoldsFiles reports whether there is a File, Dir or DataFrame in a value.
func (f Fields) HoldsFiles(name string) bool {
	known := f.at(name)
	return known != nil && known.files
}

// HoldFiles is HoldsFiles of all values.
func (f Fields) HoldFiles() bool {
	for name := range f.all() {
		if f.HoldsFiles(name) {
			return true
		}
	}
	return false
}

// MapFiles returns Fields with every file replaced by what replace makes of it,
// which is a file of the same type; replace gets the name of the parameter too.
// It shares all values without files with f, and is f if none has any.
func (f Fields) MapFiles(replace func(name string, file any) (any, error)) (Fields, error) {
	var named map[string]*field
	for _, p := range f.Params() {
		if !f.HoldsFiles(p.Name) {
			continue
		}
		v, err := MapFiles(f.at(p.Name).value(), func(file any) (any, error) {
			other, err := replace(p.Name, file)
			if err != nil {
				return nil, err
			}
			return other, checkReplaced(file, other)
		})
		if err != nil {
			return Fields{}, err
		}
		if named == nil {
			named = maps.Clone(f.named)
		}
		named[p.Name] = checkedField(p.Type, v)
	}
	if named == nil {
		return f, nil
	}
	return newFields(f.params, named), nil
}

// checkReplaced makes sure that a file can stand for another in a checked value.
func checkReplaced(file, other any) error {
	switch o := other.(type) {
	case File:
		if _, ok := file.(File); ok {
			return checkPath(o.Path, o.SHA256)
		}
	case Dir:
		if _, ok := file.(Dir); ok {
			return checkPath(o.Path, o.SHA256)
		}
	case DataFrame:
		if _, ok := file.(DataFrame); ok {
			return checkPath(o.Path, o.SHA256, o.Format)
		}
	}
	return &Error{Expected: describe(file), Got: describe(other)}
}

// Written returns the same values, of which only their JSON is kept, once. It is
// for those who hold Fields for long and need no Go values soon.
func (f Fields) Written() Fields {
	if f.fields == nil {
		return f
	}
	text, at := f.JSON(), 1
	named := make(map[string]*field, len(f.named))
	for _, p := range f.params {
		known := f.named[p.Name]
		if known == nil || named[p.Name] != nil {
			continue
		}
		if len(named) > 0 {
			at++ // the comma
		}
		at += len(appendQuoted(nil, p.Name)) + 1
		end := at + len(known.json())
		named[p.Name] = writtenField(known.typ, text[at:end:end], known.files)
		at = end
	}
	g := newFields(f.params, named)
	g.json = func() []byte { return text }
	return g
}

// join writes the object of all values.
func (f *fields) join() []byte {
	size := 2
	for name, known := range f.named {
		size += len(name) + len(known.json()) + 8
	}
	b := append(make([]byte, 0, size), '{')
	for i, p := range f.params {
		known := f.named[p.Name]
		if known == nil || slices.ContainsFunc(f.params[:i], func(before Param) bool { return before.Name == p.Name }) {
			continue
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(appendQuoted(b, p.Name), ':')
		b = append(b, known.json()...)
	}
	return append(b, '}')
}
