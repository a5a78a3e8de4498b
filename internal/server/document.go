package server

import (
	"net/http"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"github.com/glovebox-dev/glovebox/api"
)

// documentConfig says what /openapi.json says about all routes.
func documentConfig(version string) huma.Config {
	doc := &huma.OpenAPI{
		OpenAPI: "3.1.0",
		Info: &huma.Info{
			Title: "Glovebox", Version: version,
			Description: "Runs unreviewed code. Values are written as their declared type says; " +
				"a File, Dir or DataFrame is {path, size, sha256}, and its bytes are a blob. Errors are problem documents (RFC 9457) with the members of Glovebox's own.",
		},
		Servers: []*huma.Server{{URL: "/", Description: "Whoever gave this document: an address of glovebox serve, or http://glovebox over its Unix socket"}},
		Tags:    tags,
		Components: &huma.Components{
			Responses:       errorResponses(),
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

// describedError is a row of the table of codes.
type describedError struct {
	Code      api.Code    `json:"code"`
	Status    int         `json:"status"`
	Retryable bool        `json:"retryable"`
	Outcome   api.Outcome `json:"outcome"`
	Meaning   string      `json:"meaning"`
	Hint      string      `json:"hint"`
}

// completeDocument replaces huma's errors by ours, lists the codes, and
// describes the rest with the comments of the Go types.
func (s *Server) completeDocument() error {
	doc := s.document.OpenAPI()
	schemas := doc.Components.Schemas
	schemas.Schema(reflect.TypeFor[failure](), true, "Failure")
	delete(schemas.Map(), "ErrorModel")
	delete(schemas.Map(), "ErrorDetail")
	var rows []describedError
	for _, c := range api.Codes() {
		rows = append(rows, describedError{c.Code, c.Status, c.Retryable, c.Outcome, c.Meaning, c.Hint})
	}
	doc.Extensions = map[string]any{"x-glovebox-errors": rows}
	for _, item := range doc.Paths {
		for _, op := range operations(item) {
			completeOperation(op)
		}
	}
	return s.finishSchemas()
}

// tags are the groups of routes.
var tags = []*huma.Tag{
	{Name: "runs", Description: "Start runs, follow them, and take what they give"},
	{Name: "approvals", Description: "What waits for people to decide"},
	{Name: "evaluations", Description: "Execute code once, without a run"},
	{Name: "catalog", Description: "Deployed tasks and environments, in versions"},
	{Name: "schedules", Description: "What starts deployed tasks by time"},
	{Name: "hooks", Description: "What starts deployed tasks by signed calls"},
	{Name: "notifications", Description: "What runs tell by signed messages when they have ended"},
	{Name: "blobs", Description: "Bytes by their content: the files of inputs and outputs"},
	{Name: "cache", Description: "Results that answer further runs"},
	{Name: "images", Description: "The images of cells"},
	{Name: "secrets", Description: "Secrets, whose values go in only"},
	{Name: "workers", Description: "The processes that offer functions"},
	{Name: "owners", Description: "Who shares the server, their tokens, and what was done with these"},
	{Name: "nodes", Description: "The servers that work on one journal"},
	{Name: "mcp", Description: "The Model Context Protocol: clients of this server, and tools of others"},
	{Name: "warm", Description: "Cells that are kept ready"},
	{Name: "page", Description: "What people see in a browser"},
	{Name: "sessions", Description: "Cells that are kept: commands, code and ports"},
	{Name: "session files", Description: "The files of sessions"},
	{Name: "server", Description: "The server itself"},
}

// completeOperation adds what holds for every operation.
func completeOperation(op *huma.Operation) {
	for _, p := range op.Parameters {
		p.Schema.Nullable = false
		if p.In == "query" {
			needsValue(p.Schema)
		}
		if p.Description == "" {
			p.Description = p.Schema.Description
		}
	}
	for _, answer := range op.Responses {
		if answer.Ref == "" {
			addHeader(answer, requestIDHeader, "The id of the request, which the log of the server has too")
		}
	}
	if op.RequestBody == nil {
		return
	}
	if media := op.RequestBody.Content["application/json"]; media != nil {
		media.Example = examples[op.OperationID]
	}
}

// needsValue says of a parameter what badQuery holds it to: it has a value.
func needsValue(s *huma.Schema) {
	if s.Items != nil {
		needsValue(s.Items)
	}
	if s.Type == huma.TypeString && s.MinLength == nil && s.Enum == nil && s.Format == "" {
		s.MinLength = new(1)
	}
}

func addHeader(answer *huma.Response, name, description string) {
	if answer.Headers == nil {
		answer.Headers = map[string]*huma.Param{}
	}
	if answer.Headers[name] == nil {
		answer.Headers[name] = &huma.Param{Schema: &huma.Schema{Type: huma.TypeString}}
	}
	answer.Headers[name].Description = description
}

// content describes an answer of a registered operation that is bytes.
func (s *Server) content(op huma.Operation, status, description string, types ...string) {
	media := map[string]*huma.MediaType{}
	for _, t := range types {
		media[t] = &huma.MediaType{Schema: &huma.Schema{Type: huma.TypeString, Format: "binary"}}
		if t == mediaJSON { // any value
			media[t].Schema = &huma.Schema{}
		}
	}
	s.answers(op, status, description, media)
}

// answers describes an answer of a registered operation.
func (s *Server) answers(op huma.Operation, status, description string, media map[string]*huma.MediaType) {
	s.operationOf(op).Responses[status] = &huma.Response{Description: description, Content: media}
}

// streamOf describes a stream whose lines, or whose events' data, are JSON of
// one schema.
func streamOf(kind string, item *huma.Schema, example string) *huma.MediaType {
	text := &huma.Schema{Type: huma.TypeString, Extensions: map[string]any{"contentMediaType": "application/json", "contentSchema": item}}
	media := &huma.MediaType{Schema: text, Example: example, Extensions: map[string]any{"x-item-schema": item, "x-framing": framing[kind]}}
	if kind == mediaEvents { // OpenAPI 3.1 is read as if the schema were that of each event
		media.Schema = &huma.Schema{Type: huma.TypeObject, Required: []string{"event", "data"}, Properties: map[string]*huma.Schema{
			"id": {Type: huma.TypeString}, "event": {Type: huma.TypeString}, "data": text,
		}}
	}
	return media
}

// The media types of streams.
const (
	mediaLines  = "application/x-ndjson"
	mediaEvents = "text/event-stream"
)

// framing describes how a stream separates its items.
var framing = map[string]string{
	mediaLines:  "one JSON document in each line",
	mediaEvents: "server-sent events: id is the number of the item, event its kind, data the JSON document; lines that begin with a colon are heartbeats",
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
	case http.MethodPatch:
		return item.Patch
	}
	return item.Delete
}

// binaryBody describes a body that is bytes.
func binaryBody(description string) *huma.RequestBody {
	return &huma.RequestBody{Description: description, Required: true, Content: map[string]*huma.MediaType{
		"application/octet-stream": {Schema: &huma.Schema{Type: "string", Format: "binary"}},
	}}
}
