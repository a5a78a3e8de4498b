package server

import (
	_ "embed"
	"encoding/json"
	"reflect"
)

// wordsText holds what the comments of the Go types say; make generate writes
// it.
//
//go:embed words.json
var wordsText []byte

// words are what the document says about the Go types that requests and answers
// are made of, by package and name, such as api.Run.
type words map[string]typeWords

// typeWords are the words of one type.
type typeWords struct {
	Doc    string            `json:"doc,omitempty"`
	Fields map[string]string `json:"fields,omitempty"` // by the name in JSON
	Values []string          `json:"values,omitempty"` // of a type of strings: its constants
}

func readWords() (words, error) {
	var w words
	err := json.Unmarshal(wordsText, &w)
	return w, err
}

// of returns the words of a type, or of what it points to or is a list of.
func (w words) of(t reflect.Type) typeWords {
	for t.Name() == "" && (t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice) {
		t = t.Elem()
	}
	return w[t.String()]
}

// field returns the comment of a field, or that of its type if it has none.
func (w words) field(owner reflect.Type, name string, t reflect.Type) string {
	if text := w.comment(owner, name); text != "" {
		return text
	}
	return w.of(t).Doc
}

// comment is that of a field of a type, or of a type that is embedded in it.
func (w words) comment(owner reflect.Type, name string) string {
	text := w.of(owner).Fields[name]
	for i := 0; text == "" && owner.Kind() == reflect.Struct && i < owner.NumField(); i++ {
		if f := owner.Field(i); f.Anonymous {
			text = w.comment(f.Type, name)
		}
	}
	return text
}
