package server

import (
	"net/http"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"github.com/glovebox-dev/glovebox/api"
)

const failureSchema = "#/components/schemas/Failure"

// documentConfig says what /openapi.json says about all routes.
func documentConfig(version string) huma.Config {
	doc := &huma.OpenAPI{
		OpenAPI: "3.1.0",
		Info: &huma.Info{
			Title: "Glovebox", Version: version,
			Description: "Runs code that nobody has reviewed. Values are written as their declared type says; " +
				"a File, Dir or DataFrame is {path, size, sha256}, and its bytes are a blob. Errors are problem documents (RFC 9457) with the members of Glovebox's own.",
		},
		Components: &huma.Components{
			Schemas:         huma.NewMapRegistry("#/components/schemas/", huma.DefaultSchemaNamer),
			SecuritySchemes: map[string]*huma.SecurityScheme{"token": {Type: "http", Scheme: "bearer", Description: "Not needed on the Unix socket"}},
		},
		Security: []map[string][]string{{"token": {}}},
	}
	c := huma.Config{
		OpenAPI: doc, Formats: map[string]huma.Format{"application/json": jsonFormat(), "json": jsonFormat()}, DefaultFormat: "application/json",
		Transformers: []huma.Transformer{finish}, RejectUnknownQueryParameters: true,
	}
	c.FieldsOptionalByDefault = true // what a request leaves out is zero
	return c
}

// documentErrors describes the answer to a request that failed.
func documentErrors(t traits) map[string]*huma.Response {
	text := "What went wrong, with a code of x-glovebox-errors"
	if !t.open {
		text += "; 401 without the token, 429 if too much is under way"
	}
	return map[string]*huma.Response{"default": {
		Description: text,
		Content:     map[string]*huma.MediaType{"application/problem+json": {Schema: &huma.Schema{Ref: failureSchema}}},
	}}
}

// describedError is a row of the table of codes.
type describedError struct {
	Code      api.Code    `json:"code"`
	Status    int         `json:"status"`
	Retryable bool        `json:"retryable"`
	Outcome   api.Outcome `json:"outcome"`
	Meaning   string      `json:"meaning"`
	Hint      string      `json:"hint"`
}

// completeDocument replaces huma's errors by ours, and lists the codes.
func (s *Server) completeDocument() {
	doc := s.document.OpenAPI()
	schemas := doc.Components.Schemas
	schemas.Schema(reflect.TypeFor[failure](), true, "Failure")
	delete(schemas.Map(), "ErrorModel")
	delete(schemas.Map(), "ErrorDetail")
	var rows []describedError
	var codes []any
	for _, c := range api.Codes {
		rows = append(rows, describedError{c.Code, statusOf(c.Code), c.Retryable, c.Outcome, c.Meaning, c.Hint})
		codes = append(codes, string(c.Code))
	}
	schemas.Map()["Failure"].Properties["code"].Enum = codes
	doc.Extensions = map[string]any{"x-glovebox-errors": rows}
}

// content describes an answer of a registered operation that is no JSON of a Go
// type.
func (s *Server) content(op huma.Operation, status, description string, types ...string) {
	media := map[string]*huma.MediaType{}
	for _, t := range types {
		media[t] = &huma.MediaType{Schema: &huma.Schema{Type: "string", Format: "binary"}}
	}
	s.operationOf(op).Responses[status] = &huma.Response{Description: description, Content: media}
}

// operationOf finds a registered operation in the document.
func (s *Server) operationOf(op huma.Operation) *huma.Operation {
	item := s.document.OpenAPI().Paths[op.Path]
	switch op.Method {
	case http.MethodGet:
		return item.Get
	case http.MethodPost:
		return item.Post
	case http.MethodPut:
		return item.Put
	}
	return item.Delete
}

// binaryBody describes a body that is bytes.
func binaryBody(description string) *huma.RequestBody {
	return &huma.RequestBody{Description: description, Required: true, Content: map[string]*huma.MediaType{
		"application/octet-stream": {Schema: &huma.Schema{Type: "string", Format: "binary"}},
	}}
}
