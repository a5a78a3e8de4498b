package server

import (
	"bytes"
	"context"
	"encoding/json"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/glovebox-dev/glovebox/api"
)

// view is what a tool answers. Its JSON is the structured content.
type view interface {
	content() []mcp.Content // the same for the model
	failed() bool           // whether what was asked for went wrong
}

// handler does what a tool is for. An error is one that the model sees.
type handler[In any, Out view] func(context.Context, *mcp.CallToolRequest, In) (Out, error)

// add adds a tool whose arguments are an In and whose answer is an Out. The SDK
// could do it, but would pass all numbers through floats.
func add[In any, Out view](s *Server, t *mcp.Tool, h handler[In, Out]) {
	in := schemaFor[In]()
	t.InputSchema, t.OutputSchema = in, schemaFor[Out]()
	resolved := resolve(in)
	s.mcp.AddTool(t, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		var args In
		if err := decode(resolved, req.Params.Arguments, &args); err != nil {
			return refusal(err), nil
		}
		v, err := h(ctx, req, args)
		if err != nil {
			return refusal(err), nil
		}
		return answer(v)
	})
}

// decode reads arguments that fit a schema.
func decode(schema *jsonschema.Resolved, text json.RawMessage, into any) error {
	if len(bytes.TrimSpace(text)) == 0 {
		text = json.RawMessage("{}")
	}
	var plain map[string]any
	err := json.Unmarshal(text, &plain)
	if err == nil {
		err = schema.Validate(plain)
	}
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		return api.Errorf(api.RequestInvalid, "the arguments do not fit the tool: %w", err).WithHint("see the input schema of the tool")
	}
	return nil
}

func answer(v view) (*mcp.CallToolResult, error) {
	text, err := plainJSON(v)
	if err != nil {
		return nil, err
	}
	return &mcp.CallToolResult{Content: v.content(), StructuredContent: json.RawMessage(text), IsError: v.failed()}, nil
}

// plainJSON writes JSON as a model reads it best: < and > stay.
func plainJSON(v any) ([]byte, error) {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSpace(text.Bytes()), err
}

// asJSON is the content of a view whose JSON is short.
func asJSON(v view) []mcp.Content {
	text, err := plainJSON(v)
	if err != nil {
		text = []byte(err.Error())
	}
	kept, _ := cut(text, maxText)
	return []mcp.Content{&mcp.TextContent{Text: kept}}
}

// refusal is the answer of a tool that did nothing.
func refusal(err error) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: explain(api.AsError(err))}}, IsError: true}
}

// The hints of tools: only looks, does no harm, or may.
var yes, no = true, false

func reads(title string) *mcp.ToolAnnotations {
	return &mcp.ToolAnnotations{Title: title, ReadOnlyHint: true, IdempotentHint: true, DestructiveHint: &no, OpenWorldHint: &no}
}

// isolated are the hints of what happens in a cell: nothing of the host changes,
// but the hosts that it is granted can be reached.
func isolated(title string) *mcp.ToolAnnotations {
	return &mcp.ToolAnnotations{Title: title, DestructiveHint: &no, OpenWorldHint: &yes}
}
