package server

import (
	"encoding/json"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"

	"github.com/glovebox-dev/glovebox/api"
)

// described returns the document of a server, as Go values.
func described(t *testing.T) *huma.OpenAPI {
	t.Helper()
	s, err := New(Config{Service: newFake(), Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	return s.document.OpenAPI()
}

// TestEverythingIsDescribed finds what has no words: give the field of the Go
// type a comment, or the parameter a doc tag, and run make generate.
func TestEverythingIsDescribed(t *testing.T) {
	doc := described(t)
	for _, name := range sortedKeys(doc.Components.Schemas.Map()) {
		schema := doc.Components.Schemas.Map()[name]
		for _, key := range sortedKeys(schema.Properties) {
			if p := schema.Properties[key]; p.Description == "" {
				t.Errorf("the member %s of %s has no description", key, name)
			} else if p.Type == "" && p.Ref == "" && !anyValue[name+"."+key] {
				t.Errorf("the member %s of %s has no type", key, name)
			}
		}
	}
	for _, path := range sortedKeys(doc.Paths) {
		for _, op := range operations(doc.Paths[path]) {
			if op.Summary == "" || op.OperationID == "" || !slices.ContainsFunc(doc.Tags, func(tag *huma.Tag) bool { return tag.Name == op.Tags[0] }) {
				t.Errorf("%s %s: summary %q, id %q, tags %q", op.Method, path, op.Summary, op.OperationID, op.Tags)
			}
			for _, p := range op.Parameters {
				if p.Description == "" {
					t.Errorf("the parameter %s of %s has no description", p.Name, op.OperationID)
				}
			}
			for status, answer := range op.Responses {
				if answer.Description == "" && answer.Ref == "" {
					t.Errorf("the answer %s of %s has no description", status, op.OperationID)
				}
			}
		}
	}
}

// anyValue are members that hold any JSON.
var anyValue = map[string]bool{"Param.default": true, "OutputResult.value": true, "Resolution.value": true, "SentBody.value": true}

// TestEnumsAreTheConstants compares the strings that the document allows with
// the constants of Go.
func TestEnumsAreTheConstants(t *testing.T) {
	schemas := described(t).Components.Schemas.Map()
	var codes []any
	for _, c := range api.Codes() {
		codes = append(codes, string(c.Code))
	}
	slices.SortFunc(codes, func(a, b any) int { return strings.Compare(a.(string), b.(string)) })
	for place, want := range map[string][]any{
		"Run.status":           {"queued", "running", "interrupted", "succeeded", "failed", "canceled"},
		"Run.kind":             {"sandbox", "orchestrator", "function", "model", "agent", "codegen", "mcp", "signal"},
		"Task.cache":           {"auto", "override", "disable"},
		"Orchestrator.dialect": {"strict", "extended"},
		"Error.outcome":        {"not_started", "failed", "unknown"},
		"LogEntry.stream":      {"stdout", "stderr", "system"},
		"Problem.level":        {"refusal", "error", "warning"},
		"Error.code":           codes,
		"Failure.code":         codes,
	} {
		name, key, _ := strings.Cut(place, ".")
		got := slices.Clone(schemas[name].Properties[key].Enum)
		if len(got) == len(codes) {
			slices.SortFunc(got, func(a, b any) int { return strings.Compare(a.(string), b.(string)) })
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %q, want %q", place, got, want)
		}
	}
	for _, op := range []*huma.Operation{described(t).Paths["/v1/runs"].Get} {
		for _, p := range op.Parameters {
			for name, values := range map[string][]any{"status": schemas["Run"].Properties["status"].Enum, "kind": schemas["Run"].Properties["kind"].Enum} {
				target := p.Schema
				if target.Items != nil {
					target = target.Items
				}
				if p.Name == name && !reflect.DeepEqual(target.Enum, values) {
					t.Errorf("the parameter %s: got %q, want %q", name, target.Enum, values)
				}
			}
		}
	}
}

func TestWhatIsRequired(t *testing.T) {
	schemas := described(t).Components.Schemas.Map()
	for name, want := range map[string][]string{
		"RunPage":    {"runs"},
		"BlobAnswer": {"digest", "size"},
		"Param":      {"name", "type"},
		"SecretRef":  {"name"},
		"Signature":  nil, // a request may leave out both
		"TaskBody":   {"task"},
		"BuildBody":  {"spec"},
		"Failure":    {"code", "detail", "outcome", "retryable", "status", "title", "type"},
	} {
		if got := schemas[name].Required; !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	for _, name := range []string{"id", "status", "attempts", "timings", "exit_code"} {
		if !slices.Contains(schemas["Run"].Required, name) {
			t.Errorf("a run may lack %s", name)
		}
	}
}

// TestExamplesAreAccepted sends every example of a body.
func TestExamplesAreAccepted(t *testing.T) {
	doc := described(t)
	sent := 0
	for path, item := range doc.Paths {
		for _, op := range operations(item) {
			if op.RequestBody == nil || op.RequestBody.Content["application/json"] == nil {
				continue
			}
			example, ok := op.RequestBody.Content["application/json"].Example.(json.RawMessage)
			if !ok || len(example) == 0 {
				t.Errorf("%s has no example", op.OperationID)
				continue
			}
			target := strings.NewReplacer("{id}", "r", "{name}", "n", "{image}", "i", "{process}", "1", "{port}", "1").Replace(path)
			answer := start(t).ask(op.Method, target, string(example))
			if body := text(t, answer); answer.StatusCode == http.StatusUnprocessableEntity && !strings.Contains(body, `"code":"build_failed"`) {
				t.Errorf("%s: %d %s", op.OperationID, answer.StatusCode, body)
			}
			sent++
		}
	}
	if sent != len(examples) {
		t.Errorf("%d examples were sent, there are %d", sent, len(examples))
	}
}

// TestStatusesAreDescribed looks for those that are easily forgotten.
func TestStatusesAreDescribed(t *testing.T) {
	doc := described(t)
	for _, want := range []struct{ method, path, statuses string }{
		{"POST", "/v1/runs", "200 201 401 403 404 408 409 413 415 421 422 429 500 503 507 default"},
		{"GET", "/v1/runs/{id}/result", "200 202 401 403 404 409 421 422 429 500 503 default"},
		{"GET", "/v1/blobs/{digest}", "200 206 304 401 403 404 409 416 421 422 429 500 503 default"},
		{"POST", "/v1/workers/connect", "101 401 403 404 408 409 413 421 422 426 429 500 502 503 504 507 default"},
	} {
		for _, op := range operations(doc.Paths[want.path]) {
			if got := strings.Join(sortedKeys(op.Responses), " "); op.Method == want.method && got != want.statuses {
				t.Errorf("%s %s: got %s", want.method, want.path, got)
			}
		}
	}
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// TestParametersHaveValues: the document says that an empty one is refused.
func TestParametersHaveValues(t *testing.T) {
	for path, item := range described(t).Paths {
		for _, op := range operations(item) {
			for _, p := range op.Parameters {
				s := p.Schema
				if s.Items != nil {
					s = s.Items
				}
				if p.In == "query" && s.Type == huma.TypeString && s.Enum == nil && s.Format == "" && (s.MinLength == nil || *s.MinLength < 1) {
					t.Errorf("%s %s: the parameter %s may be empty", op.Method, path, p.Name)
				}
			}
		}
	}
}
