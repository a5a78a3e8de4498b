// Package typeschema describes types by JSON Schemas, for models and for programs
// of other people that ask for such a thing.
package typeschema

import (
	"encoding/json"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/glovebox-dev/glovebox/value"
)

// Object is the schema of an object with the values of parameters: those without a
// default are required, and there are no others.
func Object(params []value.Param) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{}, AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}}}
	for _, p := range params {
		property := Of(p.Type)
		if property.Description == "" {
			property.Description = p.Type.String()
		}
		offer(property, p)
		s.Properties[p.Name], s.PropertyOrder = property, append(s.PropertyOrder, p.Name)
		if property.Default = p.Default; p.Default == nil {
			s.Required = append(s.Required, p.Name)
		}
	}
	return s
}

// offer adds the choices of a parameter to the schema of its type.
func offer(s *jsonschema.Schema, p value.Param) {
	if _, optional := p.Type.Optional(); optional {
		s = s.AnyOf[0]
	}
	for _, choice := range p.Choices {
		var v any
		if json.Unmarshal(choice, &v) == nil { // it is JSON
			s.Enum = append(s.Enum, v)
		}
	}
}

// plain are the schemas of types without arguments. Those that JSON lacks are
// strings, whose form the description tells.
var plain = map[value.Kind]jsonschema.Schema{
	value.KindInt:       {Type: "integer"},
	value.KindFloat:     {Type: "number"},
	value.KindStr:       {Type: "string"},
	value.KindBool:      {Type: "boolean"},
	value.KindNone:      {Type: "null"},
	value.KindBytes:     {Type: "string", ContentEncoding: "base64", Description: "bytes, as base64"},
	value.KindDateTime:  {Type: "string", Description: "datetime, such as 2026-01-31T12:00:00+00:00"},
	value.KindDate:      {Type: "string", Format: "date", Description: "date, such as 2026-01-31"},
	value.KindTime:      {Type: "string", Description: "time, such as 12:30:00"},
	value.KindTimedelta: {Type: "string", Description: "timedelta, as an ISO 8601 duration such as PT1H30M"},
	value.KindDecimal:   {Type: "string", Description: "Decimal, such as 12.50"},
	value.KindUUID:      {Type: "string", Format: "uuid", Description: "UUID"},
}

// Of is the schema of the JSON of a type.
func Of(t value.Type) *jsonschema.Schema {
	if s, ok := plain[t.Kind]; ok {
		return &s
	}
	if inner, ok := t.Optional(); ok {
		return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{Of(inner), {Type: "null"}}}
	}
	switch t.Kind {
	case value.KindFile, value.KindDir, value.KindDataFrame:
		return file(t)
	case value.KindList, value.KindSet:
		return &jsonschema.Schema{Type: "array", Items: Of(t.Args[0])}
	case value.KindDict:
		return &jsonschema.Schema{Type: "object", AdditionalProperties: Of(t.Args[1])}
	case value.KindTuple:
		return tuple(t)
	}
	return &jsonschema.Schema{Description: t.String()} // Any, and unions, which tell their members apart by themselves
}

func file(t value.Type) *jsonschema.Schema {
	return &jsonschema.Schema{
		Type: "object", Description: t.String() + " that a run gave: the name and the digest of one of its files", Required: []string{"path", "sha256"},
		Properties: map[string]*jsonschema.Schema{"path": {Type: "string", Description: "a name"}, "sha256": {Type: "string", Description: "the digest"}},
	}
}

func tuple(t value.Type) *jsonschema.Schema {
	n := len(t.Args)
	if n == 2 && t.Args[1].Kind == value.KindEllipsis {
		return &jsonschema.Schema{Type: "array", Items: Of(t.Args[0])}
	}
	s := &jsonschema.Schema{Type: "array", MinItems: &n, MaxItems: &n}
	for _, arg := range t.Args {
		s.PrefixItems = append(s.PrefixItems, Of(arg))
	}
	return s
}
