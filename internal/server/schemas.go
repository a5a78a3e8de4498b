package server

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/glovebox-dev/glovebox/api"
)

// finisher completes what huma makes of the Go types by their comments: the
// descriptions, what is required, and the values that a string may have.
type finisher struct {
	words   words
	schemas huma.Registry
	asked   map[string]bool // schemas that requests are made of
}

const schemaPrefix = "#/components/schemas/"

// finishSchemas completes all schemas of the document.
func (s *Server) finishSchemas() error {
	w, err := readWords()
	if err != nil {
		return err
	}
	doc := s.document.OpenAPI()
	f := finisher{words: w, schemas: doc.Components.Schemas, asked: map[string]bool{}}
	for _, item := range doc.Paths {
		for _, op := range operations(item) {
			if op.RequestBody != nil {
				for _, media := range op.RequestBody.Content {
					f.ask(media.Schema)
				}
			}
		}
	}
	for name, schema := range f.schemas.Map() {
		f.finish(name, schema, f.schemas.TypeFromRef(schemaPrefix+name))
	}
	whole := f.schemas.Map()["TaskBody"].Properties["task"] // beside what holds for every task
	whole.Required, whole.Properties = []string{"kind"}, map[string]*huma.Schema{"kind": {Enum: []any{api.KindOrchestrator}}}
	return nil
}

// operations returns those of a path.
func operations(item *huma.PathItem) (all []*huma.Operation) {
	for _, op := range []*huma.Operation{item.Get, item.Head, item.Post, item.Put, item.Patch, item.Delete} {
		if op != nil {
			all = append(all, op)
		}
	}
	return all
}

// ask notes that requests are made of a schema, and of what it refers to.
func (f finisher) ask(s *huma.Schema) {
	if s == nil {
		return
	}
	if name, ok := strings.CutPrefix(s.Ref, schemaPrefix); ok && !f.asked[name] {
		f.asked[name] = true
		f.ask(f.schemas.Map()[name])
	}
	f.ask(s.Items)
	for _, p := range s.Properties {
		f.ask(p)
	}
}

// finish completes the schema of a struct.
func (f finisher) finish(name string, s *huma.Schema, t reflect.Type) {
	if s.Description == "" {
		s.Description = f.words.of(t).Doc
	}
	for _, field := range reflect.VisibleFields(t) {
		key, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		p := s.Properties[key]
		if p == nil || key == "-" {
			continue
		}
		f.property(p, t, key, field)
		if f.required(name, field, options) && !slices.Contains(s.Required, key) {
			s.Required = append(s.Required, key)
		}
	}
	slices.Sort(s.Required)
	if alternatives := oneOf[name]; len(alternatives) > 0 {
		for _, key := range alternatives {
			s.OneOf = append(s.OneOf, &huma.Schema{Required: []string{key}})
		}
	}
}

// required reports whether a member is always there: in an answer what is not
// left out when it is empty, in a request what its tag says.
func (f finisher) required(schema string, field reflect.StructField, options string) bool {
	if f.asked[schema] {
		return field.Tag.Get("required") == "true"
	}
	return !strings.Contains(options, "omit")
}

// oneOf has the schemas of which exactly one of these members is given.
var oneOf = map[string][]string{"Submission": {"task", "name"}, "WarmRequest": {"task", "name"}}

func (f finisher) property(p *huma.Schema, owner reflect.Type, key string, field reflect.StructField) {
	if p.Description == "" {
		p.Description = f.words.field(owner, key, field.Type)
	}
	if strings.HasSuffix(key, "_ns") {
		p.Description = strings.TrimSpace(p.Description + " (in nanoseconds)")
	}
	p.Nullable = false // lists are never null
	if p.AdditionalProperties == nil && field.Type == reflect.TypeFor[json.RawMessage]() && field.Tag.Get("shape") == "object" {
		p.Type, p.AdditionalProperties = huma.TypeObject, true
	}
	target := p
	if p.Items != nil {
		target = p.Items
	}
	if target.Type == huma.TypeString && len(target.Enum) == 0 {
		target.Enum = f.values(field.Type)
	}
}

// values returns what a type of strings may be, nil if anything of a certain
// form.
func (f finisher) values(t reflect.Type) (values []any) {
	switch t {
	case reflect.TypeFor[api.Clock](), reflect.TypeFor[api.Random]():
		return nil
	}
	for _, v := range f.words.of(t).Values {
		values = append(values, v)
	}
	return values
}

// schema puts the schema of T into the document, and returns a reference.
func schema[T any](s *Server) *huma.Schema {
	return s.document.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[T](), true, "")
}
