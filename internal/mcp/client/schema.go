package client

import (
	"slices"
	"strings"

	"github.com/glovebox-dev/glovebox/value"
)

// Bounds of a schema. What is beyond them is Any.
const (
	maxSchemas    = 2000 // looked at, those behind references included
	maxTypeDepth  = 8
	maxUnionTypes = 16
)

// schemas makes types of one schema and its parts.
type schemas struct {
	root any
	left int
}

var anyType = value.Type{Kind: value.KindAny}

// typeOf returns Any for all that has no type of ours.
func (s *schemas) typeOf(schema any, depth int) value.Type {
	object, ok := schema.(map[string]any)
	if s.left--; !ok || depth > maxTypeDepth || s.left < 0 {
		return anyType
	}
	if ref, ok := object["$ref"].(string); ok {
		return s.typeOf(s.find(ref), depth+1)
	}
	if enum, ok := object["enum"].([]any); ok {
		return typeOfValues(enum)
	}
	if constant, ok := object["const"]; ok {
		return typeOfValues([]any{constant})
	}
	for _, word := range []string{"anyOf", "oneOf"} {
		if members, ok := object[word].([]any); ok {
			return s.union(members, depth)
		}
	}
	if names, ok := object["type"].([]any); ok {
		return s.either(object, names, depth)
	}
	name, _ := object["type"].(string)
	return s.named(object, name, depth)
}

func (s *schemas) named(object map[string]any, name string, depth int) value.Type {
	switch name {
	case "integer":
		return value.Type{Kind: value.KindInt}
	case "number":
		return value.Type{Kind: value.KindFloat}
	case "string":
		return value.Type{Kind: value.KindStr}
	case "boolean":
		return value.Type{Kind: value.KindBool}
	case "null":
		return value.Type{Kind: value.KindNone}
	case "array":
		return value.ListOf(s.typeOf(object["items"], depth+1))
	case "object":
		return value.DictOf(s.typeOf(s.values(object), depth+1))
	}
	return anyType
}

// values is the schema of all values of an object, if one is.
func (s *schemas) values(object map[string]any) any {
	if properties, ok := object["properties"].(map[string]any); ok && len(properties) > 0 {
		return nil
	}
	return object["additionalProperties"]
}

func (s *schemas) either(object map[string]any, names []any, depth int) value.Type {
	var types []value.Type
	for _, item := range names {
		name, _ := item.(string)
		types = append(types, s.named(object, name, depth))
	}
	return joined(types)
}

func (s *schemas) union(members []any, depth int) value.Type {
	var types []value.Type
	for _, m := range members[:min(len(members), maxUnionTypes+1)] {
		types = append(types, s.typeOf(m, depth+1))
	}
	return joined(types)
}

// joined is a union, of which Any leaves nothing else.
func joined(types []value.Type) value.Type {
	if len(types) == 0 || len(types) > maxUnionTypes || slices.ContainsFunc(types, func(t value.Type) bool { return t.Kind == value.KindAny }) {
		return anyType
	}
	return value.UnionOf(types...)
}

// typeOfValues is str for an enum of strings, which is nearly all of them.
func typeOfValues(values []any) value.Type {
	for _, v := range values {
		if _, ok := v.(string); !ok {
			return anyType
		}
	}
	return value.Type{Kind: value.KindStr}
}

// find follows a reference into the same schema.
func (s *schemas) find(ref string) any {
	path, ok := strings.CutPrefix(ref, "#/")
	if !ok {
		return nil
	}
	at := s.root
	for step := range strings.SplitSeq(path, "/") {
		object, _ := at.(map[string]any)
		at = object[step]
	}
	return at
}
