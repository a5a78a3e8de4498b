package server

import (
	"encoding/json"
	"reflect"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// schemaText is a schema as JSON.
type schemaText struct{ json.RawMessage }

// schemaFor returns the schema of a Go type, by the tags json, jsonschema and
// enum of its fields. It panics for a type that has none, which is a defect.
func schemaFor[T any]() *jsonschema.Schema {
	t := reflect.TypeFor[T]()
	s, err := jsonschema.ForType(t, &jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[json.RawMessage](): {}, // any JSON
		reflect.TypeFor[schemaText]():      {Type: "object"},
	}})
	if err != nil {
		panic(err)
	}
	complete(s, t)
	return s
}

// complete makes lists what they always are, never null, and adds the values that
// a string may have.
func complete(s *jsonschema.Schema, t reflect.Type) {
	if s == nil {
		return
	}
	if len(s.Types) == 2 && s.Types[0] == "null" {
		s.Type, s.Types = s.Types[1], nil
	}
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	complete(s.Items, t)
	if t.Kind() != reflect.Struct {
		return
	}
	for _, field := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		p := s.Properties[name]
		if p == nil {
			continue
		}
		complete(p, field.Type)
		for word := range strings.SplitSeq(field.Tag.Get("enum"), ",") {
			if word != "" {
				p.Enum = append(p.Enum, word)
			}
		}
	}
}

func resolve(s *jsonschema.Schema) *jsonschema.Resolved {
	r, err := s.Resolve(nil)
	if err != nil {
		panic(err) // the schema is our own
	}
	return r
}
