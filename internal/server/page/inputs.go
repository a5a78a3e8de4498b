package page

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/glovebox-dev/glovebox/value"
)

// These bound what a form shows as fields. What is larger, or deeper, is JSON in one
// field of at most maxJSONField bytes.
const (
	maxFormRows  = 50
	maxFormDepth = 4
	maxFormJSON  = 64 << 10 // bytes of a value that is shown in several fields
	maxJSONField = 1 << 20
)

// input is a field of a form, by the type of the value, or several of them.
type input struct {
	Name     string // of its elements
	Label    string
	Type     string
	Widget   string // text, area, number, date, datetime, time, bool, choice, json, any, file, dir, list, dict, tuple
	As       string // of a value that can be anything: text, number, bool, none, list, record or json
	Value    string
	Zone     string // of a datetime
	Step     string // of a number
	Hint     string // how it is written
	Default  bool   // need not be given
	Optional bool   // may be None
	None     bool   // is None, of several fields
	Rows     bool   // JSON that could be shown in several fields
	Problem  string
	Key      *input  // of an item of a dict
	Items    []input // of a list, a dict or a tuple
	File     *fileFact
	Choices  []string // of a choice, as the field has them
}

// widgetOf says how the values of a type are written in a form.
func widgetOf(t value.Type, depth int) (widget, step, hint string) {
	switch t.Kind {
	case value.KindInt:
		return "number", "1", ""
	case value.KindFloat:
		return "text", "", ""
	case value.KindBool:
		return "bool", "", ""
	case value.KindDate:
		return "date", "", ""
	case value.KindDateTime:
		return "datetime", "", ""
	case value.KindTime:
		return "text", "", "such as 13:05:00 or 13:05:00+02:00"
	case value.KindTimedelta:
		return "text", "", "such as 1:30:00, 2 days, 1:30:00 or PT90S"
	case value.KindUUID:
		return "text", "", "32 hexadecimal digits with dashes"
	case value.KindDecimal, value.KindStr:
		return "text", "", ""
	case value.KindBytes:
		return "text", "", "in base64"
	case value.KindFile, value.KindDataFrame:
		return "file", "", ""
	case value.KindDir:
		return "dir", "", ""
	case value.KindList, value.KindSet, value.KindDict, value.KindTuple:
		return rowsOf(t, depth), "", ""
	case value.KindAny:
		return "any", "", ""
	}
	return "json", "", "as JSON"
}

// rowsOf says whether the items of a type have fields of their own.
func rowsOf(t value.Type, depth int) string {
	if depth >= maxFormDepth || len(t.Args) == 0 || len(t.Args) > maxFormRows {
		return "json"
	}
	for _, arg := range t.Args {
		if widget, _, _ := widgetOf(bare(arg), depth+1); widget == "json" && arg.Kind != value.KindEllipsis {
			return "json"
		}
	}
	switch {
	case t.Kind == value.KindDict:
		return "dict"
	case t.Kind == value.KindTuple && t.Args[len(t.Args)-1].Kind != value.KindEllipsis:
		return "tuple"
	}
	return "list"
}

// bare is a type without None.
func bare(t value.Type) value.Type {
	if inner, ok := t.Optional(); ok {
		return inner
	}
	return t
}

// inputsOf makes the fields of a form; given are values as the form shows them.
func inputsOf(params []value.Param, given map[string]json.RawMessage) []input {
	var fields []input
	for _, param := range params {
		raw, ok := given[param.Name]
		if !ok {
			raw = param.Default
		}
		in := show(param.Type, "in-"+param.Name, raw, 0)
		in.Label, in.Default = param.Name, param.Default != nil
		in.offer(param)
		fields = append(fields, in)
	}
	return fields
}

// offer makes a field a choice, where the parameter has some. An empty text would
// look like none, and a time has a field of its own for its zone.
func (in *input) offer(p value.Param) {
	inner := bare(p.Type)
	if len(p.Choices) == 0 || inner.Kind == value.KindDateTime {
		return
	}
	var texts []string
	for _, choice := range p.Choices {
		text := fieldText(inner, choice)
		if strings.TrimSpace(text) == "" {
			return
		}
		texts = append(texts, text)
	}
	in.Widget, in.Choices = "choice", texts
}

// newInput makes a field without a value.
func newInput(t value.Type, name string, depth int) input {
	in := input{Name: name, Type: t.String()}
	_, in.Optional = t.Optional()
	in.Widget, in.Step, in.Hint = widgetOf(bare(t), depth)
	return in
}

// show makes the field of a value, which nil or null leave empty.
func show(t value.Type, name string, raw json.RawMessage, depth int) input {
	in, inner := newInput(t, name, depth), bare(t)
	empty := raw == nil || string(raw) == "null"
	switch in.Widget {
	case "any":
		showAny(&in, raw, depth)
		return in
	case "list", "dict", "tuple":
		if in.None = string(raw) == "null" && in.Optional; empty {
			raw = nil
		}
		showItems(&in, inner, raw, depth)
		return in
	case "file", "dir":
		if !empty {
			in.setFile(inner, raw)
		}
		return in
	}
	in.Value = fieldText(inner, raw)
	switch {
	case inner.Kind == value.KindStr && (strings.ContainsRune(in.Value, '\n') || len(in.Value) > 80):
		in.Widget = "area"
	case inner.Kind == value.KindDateTime:
		in.Value, in.Zone = splitZone(in.Value)
	}
	return in
}

// showItems makes the fields of the items of a value, or one for all of it if they are
// too many.
func showItems(in *input, t value.Type, raw json.RawMessage, depth int) {
	items, keys, ok := itemsOf(t, raw)
	if !ok {
		in.asJSON(wholeJSON(raw))
		in.Rows = len(raw) <= maxFormJSON
		return
	}
	if in.Widget == "tuple" && len(items) != len(t.Args) {
		items = make([]json.RawMessage, len(t.Args))
	}
	for i, item := range items {
		child := show(itemType(t, i), in.item(i), item, depth+1)
		child.Label = in.itemLabel(i)
		if in.Widget == "dict" {
			key := show(t.Args[0], child.Name+"/key", keys[i], depth+1)
			key.Label = "key"
			child.Key = &key
		}
		in.Items = append(in.Items, child)
	}
}

// asJSON makes one field of several.
func (in *input) asJSON(text string) {
	in.Widget, in.Items, in.Value, in.Rows, in.Hint = "json", nil, text, true, "as JSON"
	if in.As != "" {
		in.Widget, in.As, in.Hint = "any", anyJSON, ""
	}
}

// wholeJSON writes a value over lines if it is long, but not too long.
func wholeJSON(raw json.RawMessage) string {
	if len(raw) > maxFormJSON {
		return string(raw)
	}
	return indented(raw)
}

func (in *input) item(i int) string { return in.Name + "/" + strconv.Itoa(i) }

func (in *input) itemLabel(i int) string {
	if in.Widget == "dict" {
		return "value"
	}
	return strconv.Itoa(i + 1)
}

// itemType is the type of item i of a list, a set, a dict or a tuple.
func itemType(t value.Type, i int) value.Type {
	switch {
	case t.Kind == value.KindDict:
		return t.Args[1]
	case t.Kind == value.KindTuple && t.Args[len(t.Args)-1].Kind != value.KindEllipsis:
		return t.Args[i]
	}
	return t.Args[0]
}

// itemsOf takes a value apart; keys are those of a dict. It is not ok if a form cannot
// show so many.
func itemsOf(t value.Type, raw json.RawMessage) (items, keys []json.RawMessage, ok bool) {
	if len(raw) == 0 {
		return nil, nil, true
	}
	if len(raw) > maxFormJSON {
		return nil, nil, false
	}
	if t.Kind != value.KindDict {
		return items, nil, json.Unmarshal(raw, &items) == nil && len(items) <= maxFormRows
	}
	in := json.NewDecoder(bytes.NewReader(raw)) // keeps the order of the keys
	if open, err := in.Token(); err != nil || open != json.Delim('{') {
		return nil, nil, false
	}
	for in.More() && len(items) < maxFormRows {
		key, err := in.Token()
		var item json.RawMessage
		if err != nil || in.Decode(&item) != nil {
			return nil, nil, false
		}
		quoted, err := json.Marshal(key)
		if err != nil {
			return nil, nil, false
		}
		if t.Args[0].Kind != value.KindStr && t.Args[0].Kind != value.KindDate {
			quoted = []byte(key.(string)) // an object has no other keys
		}
		keys, items = append(keys, quoted), append(items, item)
	}
	return items, keys, !in.More()
}

// fieldText writes a value as a field of a form has it.
func fieldText(t value.Type, raw json.RawMessage) string {
	if raw == nil || string(raw) == "null" {
		return ""
	}
	var s string
	if t.Kind != value.KindUnion && json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}

// splitZone takes the offset off a time, which the field of a browser cannot hold.
func splitZone(text string) (local, zone string) {
	if local, ok := strings.CutSuffix(text, "Z"); ok {
		return local, "Z"
	}
	if i := strings.LastIndexAny(text, "+-"); i > len("2006-01-02") {
		return text[:i], text[i:]
	}
	return text, ""
}

// setFile shows a file whose bytes the server has.
func (in *input) setFile(t value.Type, raw json.RawMessage) {
	ref, files, _, err := fileOf(t, raw)
	if err != nil || ref.SHA256 == "" {
		return
	}
	in.Value, in.File = string(raw), &fileFact{Name: visible(baseOf(ref.Path, in.Label)), Size: ref.Size, Files: files}
}
