package page

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// formReader reads the values of a form back into its fields, which keep what people
// wrote, and get what is wrong with it.
type formReader struct {
	form url.Values
	// do is a change of the form that a button asks for, such as "add in-rows". The
	// form is then shown again, and nothing is said of values that are missing.
	do string
	ok bool
}

// readInputs reads the fields of a form, and says of each what is wrong with it. It is
// not ok if the form has to be shown again.
func readInputs(form url.Values, params []value.Param) (inputs value.Fields, fields []input, ok bool) {
	r := &formReader{form: form, do: form.Get("do"), ok: true}
	var parts []value.Fields
	for _, param := range params {
		in, raw := r.read(param.Type, "in-"+param.Name, "in-"+param.Name, 0, param.Default != nil)
		in.Label, in.Default = param.Name, param.Default != nil
		in.offer(param)
		if raw != nil {
			part, err := decode(param, raw)
			if err != nil && !in.wrong() {
				r.wrong(&in, problemOf(err))
			}
			parts = append(parts, part)
		}
		fields = append(fields, in)
	}
	return value.Merge(parts...), fields, r.ok && r.do == ""
}

// decode reads a value, whose files must be bytes that the server has: a path would
// name a file of its host.
func decode(param value.Param, raw json.RawMessage) (value.Fields, error) {
	part, err := value.Decode("input", []value.Param{param}, object(param.Name, raw))
	if err == nil {
		err = part.CheckChoices([]value.Param{param})
	}
	if err != nil {
		return part, err
	}
	return part.MapFiles(func(_ string, file any) (any, error) {
		ref, _ := value.RefOf(file)
		if !digestForm.MatchString(ref.SHA256) {
			return nil, api.Errorf(api.InvalidInput, "a path alone would name a file of the server").WithHint("choose the file here")
		}
		ref.Path = baseOf(strings.ReplaceAll(ref.Path, "\x00", ""), param.Name)
		if ref.Path == "." || ref.Path == ".." {
			ref.Path = param.Name
		}
		return ref.In(file), nil
	})
}

var digestForm = regexp.MustCompile(`^[0-9a-f]{64}$`)

func object(name string, raw json.RawMessage) []byte {
	quoted, _ := json.Marshal(name) // a string always can be
	return append(append(append([]byte{'{'}, quoted...), ':'), append(raw, '}')...)
}

func problemOf(err error) string {
	e := (*api.Error)(nil)
	if !errors.As(err, &e) { // a value that its type does not take
		return err.Error()
	}
	words := e.Message
	if e.Hint != "" {
		words += "; " + e.Hint
	}
	return words
}

// wrong reports whether something is wrong with a field or one in it.
func (in *input) wrong() bool {
	if in.Problem != "" || in.Key != nil && in.Key.Problem != "" {
		return true
	}
	for i := range in.Items {
		if in.Items[i].wrong() {
			return true
		}
	}
	return false
}

func (r *formReader) wrong(in *input, problem string) {
	r.ok = false
	if r.do == "" {
		in.Problem = problem
	}
}

// read reads the field from, which is called name when it is shown again. It returns the
// JSON of the value, or nil if there is none or something is wrong with it.
func (r *formReader) read(t value.Type, from, name string, depth int, hasDefault bool) (input, json.RawMessage) {
	in, inner := newInput(t, name, depth), bare(t)
	switch in.Widget {
	case "any":
		return r.readAny(in, t, from, depth, hasDefault)
	case "list", "dict", "tuple":
		return r.readItems(in, t, from, depth, hasDefault)
	case "file", "dir":
		return r.readFile(in, inner, from, hasDefault)
	}
	text := r.form.Get(from)
	in.Value = text
	if inner.Kind == value.KindStr && strings.ContainsRune(text, '\n') {
		in.Widget = "area"
	}
	if inner.Kind == value.KindDateTime {
		in.Zone = strings.TrimSpace(r.form.Get(from + "/zone"))
		text += in.Zone
	}
	if strings.TrimSpace(text) == "" && (inner.Kind != value.KindStr || in.Optional) {
		return in, r.missing(&in, hasDefault)
	}
	if in.Widget == "json" {
		return in, r.json(&in, t, text)
	}
	raw, err := scalar(inner, text)
	if err != nil {
		r.wrong(&in, problemOf(err))
	}
	return in, raw
}

// scalar is the JSON of what people write.
func scalar(t value.Type, text string) (json.RawMessage, error) {
	switch t.Kind {
	case value.KindStr:
		return json.Marshal(newlines(text))
	case value.KindBytes:
		raw, err := json.Marshal(strings.TrimSpace(text))
		if err == nil {
			_, err = value.DecodeJSON(t, raw)
		}
		return raw, err
	}
	v, err := value.DecodeText(t, []byte(text))
	if err != nil {
		return nil, err
	}
	return value.EncodeJSON(t, v)
}

// missing is what an empty field counts as: None, the default, or a mistake.
func (r *formReader) missing(in *input, hasDefault bool) json.RawMessage {
	switch {
	case in.Optional:
		return json.RawMessage("null")
	case !hasDefault:
		r.wrong(in, "a value is needed")
	}
	return nil
}

// json reads JSON that people write.
func (r *formReader) json(in *input, t value.Type, text string) json.RawMessage {
	raw := json.RawMessage(strings.TrimSpace(text))
	if len(raw) > maxJSONField {
		r.wrong(in, fmt.Sprintf("it is longer than %d bytes; give it with glovebox start", maxJSONField))
		return nil
	}
	if _, err := value.DecodeJSON(t, raw); err != nil {
		r.wrong(in, problemOf(err))
		return nil
	}
	return raw
}

// readItems reads a value of several fields, or its JSON in one.
func (r *formReader) readItems(in input, t value.Type, from string, depth int, hasDefault bool) (input, json.RawMessage) {
	if _, whole := r.form[from]; whole {
		return r.readWhole(in, t, from, depth, hasDefault)
	}
	in.None = in.Optional && r.form.Get(from+"/none") != ""
	inner := bare(t)
	kept := r.keptRows(&in, inner, from)
	items, keys, complete := make([]json.RawMessage, 0, len(kept)), []json.RawMessage(nil), true
	added := r.do == "add "+from
	for n, i := range kept {
		if added && n == len(kept)-1 {
			r.add(inner, from+"/"+strconv.Itoa(i), in.Items)
		}
		child, raw := r.read(itemType(inner, i), from+"/"+strconv.Itoa(i), in.item(len(in.Items)), depth+1, false)
		child.Label = in.itemLabel(len(in.Items))
		if in.Widget == "dict" {
			key, text := r.read(inner.Args[0], from+"/"+strconv.Itoa(i)+"/key", child.Name+"/key", depth+1, false)
			key.Label = "key"
			child.Key, keys = &key, append(keys, text)
			complete = complete && text != nil
		}
		complete = complete && raw != nil
		in.Items, items = append(in.Items, child), append(items, raw)
	}
	switch {
	case in.None:
		return in, json.RawMessage("null")
	case !complete:
		r.ok = false
		return in, nil
	}
	raw := joined(inner, items, keys)
	if r.do == "json "+from {
		in.asJSON(wholeJSON(raw))
	}
	return in, raw
}

// readWhole reads the JSON of a value that could have several fields.
func (r *formReader) readWhole(in input, t value.Type, from string, depth int, hasDefault bool) (input, json.RawMessage) {
	text := r.form.Get(from)
	in.asJSON(text)
	if strings.TrimSpace(text) == "" {
		return in, r.missing(&in, hasDefault)
	}
	raw := r.json(&in, t, text)
	if raw != nil && r.do == "rows "+from {
		return show(t, in.Name, raw, depth), raw
	}
	return in, raw
}

// keptRows are the numbers of the items that a form has, but the one that a button
// removes, and one more if a button adds it.
func (r *formReader) keptRows(in *input, t value.Type, from string) []int {
	count, _ := strconv.Atoi(r.form.Get(from + "/n")) // what is no number counts as none
	if in.Widget == "tuple" {
		count = len(t.Args)
	}
	count = min(max(count, 0), maxFormRows)
	if r.do == "add "+from && count < maxFormRows {
		count++
	}
	var kept []int
	for i := range count {
		if r.do != "remove "+from+"/"+strconv.Itoa(i) {
			kept = append(kept, i)
		}
	}
	return kept
}

// joined is the JSON of a list or an object.
func joined(t value.Type, items, keys []json.RawMessage) json.RawMessage {
	var b bytes.Buffer
	open, end := byte('['), byte(']')
	if t.Kind == value.KindDict {
		open, end = '{', '}'
	}
	b.WriteByte(open)
	for i, item := range items {
		if i > 0 {
			b.WriteByte(',')
		}
		if t.Kind == value.KindDict {
			b.Write(keyOf(keys[i]))
			b.WriteByte(':')
		}
		b.Write(item)
	}
	b.WriteByte(end)
	return b.Bytes()
}

// keyOf is a value as the key of an object, which is a string.
func keyOf(raw json.RawMessage) []byte {
	if raw[0] == '"' {
		return raw
	}
	return []byte(strconv.Quote(string(raw))) // a number, true or false
}

// readFile reads which file the server has already.
func (r *formReader) readFile(in input, t value.Type, from string, hasDefault bool) (input, json.RawMessage) {
	text := r.form.Get(from)
	if text == "" || r.do == "clear "+from {
		return in, r.missing(&in, hasDefault)
	}
	raw := json.RawMessage(text)
	if _, err := value.DecodeJSON(t, raw); err != nil {
		r.wrong(&in, problemOf(err))
		return in, nil
	}
	if in.setFile(t, raw); in.File == nil {
		r.wrong(&in, "a path alone would name a file of the server; choose the file here")
		return in, nil
	}
	return in, raw
}
