package model

import (
	"context"
	"encoding/json"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/shared"

	"github.com/glovebox-dev/glovebox/api"
)

const openaiURL = "https://api.openai.com/v1/"

// openaiClient speaks the chat completions of OpenAI, and of those that speak them
// too.
type openaiClient struct{ *connection }

// Ask implements Client.
func (c openaiClient) Ask(ctx context.Context, req api.ModelRequest, onText func(string)) (api.ModelAnswer, error) {
	base := c.model.BaseURL
	if base == "" {
		base = openaiURL
	}
	options := []option.RequestOption{
		option.WithBaseURL(base), option.WithHTTPClient(c.http), option.WithMaxRetries(c.retries),
		option.WithMaxRetryDelay(maxWait), option.WithResponseInto(&c.response),
	}
	if c.key != "" {
		options = append(options, option.WithAPIKey(c.key))
	}
	if c.idempotency != "" {
		options = append(options, option.WithHeader("Idempotency-Key", c.idempotency))
	}
	service := openai.NewChatCompletionService(options...) // which, unlike a client, reads no environment
	stream := service.NewStreaming(ctx, c.params(req))
	defer stream.Close()
	if err := c.check(stream.Err()); err != nil {
		return api.ModelAnswer{}, err
	}
	a := &answer{onText: onText}
	for stream.Next() {
		if err := takeChunk(a, stream.Current()); err != nil {
			return api.ModelAnswer{}, err
		}
	}
	if err := stream.Err(); err != nil {
		return api.ModelAnswer{}, err
	}
	return a.finish()
}

func (c openaiClient) params(req api.ModelRequest) openai.ChatCompletionNewParams {
	p := openai.ChatCompletionNewParams{
		Model: c.model.Name, StreamOptions: openai.ChatCompletionStreamOptionsParam{IncludeUsage: openai.Bool(true)},
	}
	if req.System != "" {
		p.Messages = append(p.Messages, openai.SystemMessage(req.System))
	}
	for _, m := range req.Messages {
		p.Messages = append(p.Messages, openaiMessage(m))
	}
	for _, t := range req.Tools {
		p.Tools = append(p.Tools, openaiTool(t))
	}
	if len(req.Schema) > 0 {
		p.ResponseFormat.OfJSONSchema = &shared.ResponseFormatJSONSchemaParam{
			JSONSchema: shared.ResponseFormatJSONSchemaJSONSchemaParam{Name: "answer", Schema: req.Schema, Strict: openai.Bool(isStrict(req.Schema))},
		}
	}
	switch {
	case req.MaxTokens == 0:
	case c.model.BaseURL == "": // its own name for it, which others do not know
		p.MaxCompletionTokens = openai.Int(int64(req.MaxTokens))
	default:
		p.MaxTokens = openai.Int(int64(req.MaxTokens))
	}
	if req.Temperature != nil {
		p.Temperature = openai.Float(*req.Temperature)
	}
	return p
}

func openaiMessage(m api.ModelMessage) openai.ChatCompletionMessageParamUnion {
	switch m.Role {
	case api.RoleUser:
		return openai.UserMessage(m.Text)
	case api.RoleTool:
		text := m.Text
		if m.Failed { // the protocol has no other word for it
			text = "Error: " + text
		}
		return openai.ToolMessage(text, m.Call)
	}
	assistant := &openai.ChatCompletionAssistantMessageParam{}
	if m.Text != "" || len(m.Calls) == 0 {
		assistant.Content.OfString = openai.String(m.Text)
	}
	for _, call := range m.Calls {
		assistant.ToolCalls = append(assistant.ToolCalls, openai.ChatCompletionMessageToolCallUnionParam{
			OfFunction: &openai.ChatCompletionMessageFunctionToolCallParam{
				ID: call.ID, Function: openai.ChatCompletionMessageFunctionToolCallFunctionParam{Name: call.Name, Arguments: call.Arguments},
			},
		})
	}
	return openai.ChatCompletionMessageParamUnion{OfAssistant: assistant}
}

// openaiTool gives the parameters as they were written, since a model writes
// arguments in their order.
func openaiTool(t api.ModelTool) openai.ChatCompletionToolUnionParam {
	f := shared.FunctionDefinitionParam{Name: t.Name}
	if t.Doc != "" {
		f.Description = openai.String(t.Doc)
	}
	f.SetExtraFields(map[string]any{"parameters": t.Parameters})
	return openai.ChatCompletionFunctionTool(f)
}

// takeChunk adds one event of a stream.
func takeChunk(a *answer, chunk openai.ChatCompletionChunk) error {
	if chunk.JSON.Usage.Valid() {
		u := chunk.Usage
		a.usage = api.ModelUsage{Input: u.PromptTokens, CachedInput: u.PromptTokensDetails.CachedTokens, Output: u.CompletionTokens}
	}
	for _, choice := range chunk.Choices {
		if choice.Index != 0 {
			continue
		}
		if err := takeDelta(a, choice.Delta); err != nil {
			return err
		}
		if choice.FinishReason != "" {
			a.stop = openaiStop(choice.FinishReason, a.stop)
		}
	}
	return nil
}

func takeDelta(a *answer, delta openai.ChatCompletionChunkChoiceDelta) error {
	if delta.Refusal != "" {
		a.stop = api.StopRefusal
	}
	if err := a.write(delta.Content + delta.Refusal); err != nil {
		return err
	}
	for _, part := range delta.ToolCalls {
		c := a.call(part.Index)
		if c == nil || part.ID != "" && part.ID != c.id { // some servers count all calls as the first
			var err error
			if c, err = a.begin(part.Index, part.ID, part.Function.Name); err != nil {
				return err
			}
		}
		if err := a.argue(c, part.Function.Arguments); err != nil {
			return err
		}
	}
	return nil
}

// openaiStop is why an answer ended; before is what its text said of it.
func openaiStop(reason string, before api.ModelStop) api.ModelStop {
	switch {
	case before == api.StopRefusal || reason == "content_filter":
		return api.StopRefusal
	case reason == "length":
		return api.StopLength
	case reason == "tool_calls" || reason == "function_call":
		return api.StopCalls
	}
	return api.StopEnd
}

// isStrict reports whether a schema is one that OpenAI can hold a model to: every
// object in it names all its properties as required and allows no others.
func isStrict(schema json.RawMessage) bool {
	var tree any
	return json.Unmarshal(schema, &tree) == nil && strictTree(tree)
}

func strictTree(tree any) bool {
	switch node := tree.(type) {
	case []any:
		for _, item := range node {
			if !strictTree(item) {
				return false
			}
		}
	case map[string]any:
		if node["type"] == "object" && !strictObject(node) {
			return false
		}
		for _, item := range node {
			if !strictTree(item) {
				return false
			}
		}
	}
	return true
}

func strictObject(node map[string]any) bool {
	properties, _ := node["properties"].(map[string]any)
	required, _ := node["required"].([]any)
	return node["additionalProperties"] == false && len(required) == len(properties)
}
