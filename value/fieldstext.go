package value

import (
	"bytes"
	"slices"
)

// DecodeInput reads the value of one parameter as a person gives it, with what
// DecodeText reads, but that str and bytes are taken as they stand. JSON is
// checked and rewritten in one pass, as by [Decode]. The error is an *Error.
func DecodeInput(p Param, text []byte) (Fields, error) {
	if f, ok := rewriteOne(p, text); ok {
		return f, nil
	}
	v, err := decodeInput(p.Type, text)
	if err == nil {
		v, err = Normalize(p.Type, v)
	}
	if err != nil {
		return Fields{}, err
	}
	return newFields([]Param{p}, map[string]*field{p.Name: checkedField(p.Type, v)}), nil
}

func decodeInput(t Type, text []byte) (any, error) {
	switch t.Kind {
	case KindStr:
		return string(text), nil
	case KindBytes:
		return text, nil
	}
	return DecodeText(t, text)
}

// rewriteOne reads a value in one pass, if JSON is what stands for its type. It
// gives up where rewrite does.
func rewriteOne(p Param, text []byte) (f Fields, ok bool) {
	switch p.Type.Kind {
	case KindList, KindTuple, KindDict, KindSet, KindAny, KindUnion:
	default:
		return Fields{}, false
	}
	r := &jsonReader{data: bytes.Trim(text, " \t\r\n\v\f")}
	w := newRewriter([]Param{p}, len(r.data))
	if !w.value(r, 0) || r.peek() != 0 || r.pos < len(r.data) {
		return Fields{}, false
	}
	return w.fields(), true
}

// Merge returns the values of all parts, in their order. Of two values of one
// name the first counts.
func Merge(parts ...Fields) Fields {
	parts = slices.DeleteFunc(slices.Clone(parts), func(f Fields) bool { return f.Len() == 0 })
	if len(parts) == 1 {
		return parts[0]
	}
	var params []Param
	named := map[string]*field{}
	for _, f := range parts {
		for _, p := range f.params {
			if known := f.named[p.Name]; known != nil && named[p.Name] == nil {
				params, named[p.Name] = append(params, p), known
			}
		}
	}
	return newFields(params, named)
}
