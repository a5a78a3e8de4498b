package page

import (
	"bytes"
	"encoding/json"
	"net/url"
	"strconv"
	"strings"

	"github.com/glovebox-dev/glovebox/value"
)

// The forms in which a field writes a value whose type says nothing of it. A record and a
// list have fields of their own, each in one of these forms.
const (
	anyText   = "text"
	anyNumber = "number"
	anyBool   = "bool"
	anyNone   = "none"
	anyJSON   = "json"
	anyList   = "list"
	anyRecord = "record"
)

// anyForm is one of them in the words of the page.
type anyForm struct{ Name, Words string }

var anyForms = []anyForm{
	{anyText, "text"}, {anyNumber, "number"}, {anyBool, "true or false"}, {anyNone, "None"}, {anyList, "list"}, {anyRecord, "record"}, {anyJSON, "JSON"},
}

// anyType is the type that says nothing of its values.
var anyType = value.Type{Kind: value.KindAny}

// shapeOf is the type by which the fields of a record or a list are read, and whether the
// form is one of these.
func shapeOf(as string, depth int) (value.Type, bool) {
	if depth >= maxFormDepth {
		return value.Type{}, false
	}
	switch as {
	case anyList:
		return value.ListOf(anyType), true
	case anyRecord:
		return value.DictOf(anyType), true
	}
	return value.Type{}, false
}

// anyFormOf is the form that a value is shown in.
func anyFormOf(raw json.RawMessage) string {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 {
		return anyJSON
	}
	switch raw[0] {
	case '"':
		return anyText
	case '{':
		if len(raw) > 2 && raw[1] == '"' && raw[2] == '$' {
			return anyJSON // of another type, which a tag tells
		}
		return anyRecord
	case '[':
		return anyList
	case 't', 'f':
		return anyBool
	case 'n':
		return anyNone
	}
	return anyNumber
}

// showAny makes the fields of a value by what it is.
func showAny(in *input, raw json.RawMessage, depth int) {
	in.As = anyFormOf(raw)
	if shape, ok := shapeOf(in.As, depth); ok {
		in.Widget = rowsOf(shape, depth)
		showItems(in, shape, raw, depth)
		return
	}
	switch in.As {
	case anyNone:
	case anyText:
		in.Value = fieldText(value.Type{Kind: value.KindStr}, raw)
	case anyNumber, anyBool:
		in.Value = string(raw)
	default:
		in.As, in.Value = anyJSON, wholeJSON(raw)
	}
}

// readAny reads a value in the form that it was written in, or shows it in another that
// was chosen.
func (r *formReader) readAny(in input, t value.Type, from string, depth int, hasDefault bool) (input, json.RawMessage) {
	in.As = r.form.Get(from + "/as")
	text, written := r.form.Get(from), r.form.Has(from)
	if shape, ok := shapeOf(in.As, depth); ok {
		if written {
			return r.reshape(in, shape, text, depth), nil
		}
		in.Widget = rowsOf(shape, depth)
		return r.readItems(in, shape, from, depth, hasDefault)
	}
	switch in.Value = text; in.As {
	case anyNone:
		in.Value = ""
		return in, json.RawMessage("null")
	case anyText:
		raw, err := scalar(value.Type{Kind: value.KindStr}, text)
		if err != nil {
			r.wrong(&in, problemOf(err))
		}
		return in, raw
	case anyNumber, anyBool:
	default:
		in.As = anyJSON
	}
	if strings.TrimSpace(text) == "" {
		return in, r.missing(&in, hasDefault)
	}
	raw := r.json(&in, t, text)
	switch {
	case raw == nil:
	case in.As == anyNumber && anyFormOf(raw) != anyNumber, in.As == anyBool && anyFormOf(raw) != anyBool:
		r.wrong(&in, "this is no "+map[string]string{anyNumber: "number", anyBool: "true or false"}[in.As]+"; choose another kind beside it")
		return in, nil
	}
	return in, raw
}

// reshape shows the fields of a record or a list, which a value was until now not. What was
// written stays if it is JSON of that form.
func (r *formReader) reshape(in input, shape value.Type, text string, depth int) input {
	raw, as := json.RawMessage(text), in.As
	if anyFormOf(raw) != as || !json.Valid(raw) {
		raw = nil
	}
	in.Widget = rowsOf(shape, depth)
	showItems(&in, shape, raw, depth)
	r.wrong(&in, "give what belongs to this "+as)
	return in
}

// add writes into the form what a new item of a list or a dict has. One of a list is like
// that before it, with the same keys and kinds, so that the records of a list are alike.
func (r *formReader) add(t value.Type, name string, items []input) {
	switch {
	case t.Kind != value.KindDict && len(items) > 0:
		blankAs(r.form, name, &items[len(items)-1])
	case bare(itemType(t, 0)).Kind == value.KindAny:
		r.form.Set(name+"/as", anyText)
	}
}

func blankAs(to url.Values, name string, like *input) {
	if like.As != "" {
		to.Set(name+"/as", like.As)
	}
	switch like.Widget {
	case "list":
		to.Set(name+"/n", "0")
	case "dict":
		to.Set(name+"/n", strconv.Itoa(len(like.Items)))
		for i := range like.Items {
			at := name + "/" + strconv.Itoa(i)
			to.Set(at+"/key", like.Items[i].Key.Value)
			blankAs(to, at, &like.Items[i])
		}
	}
}
