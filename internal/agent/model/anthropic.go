package model

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"
	"github.com/anthropics/anthropic-sdk-go/packages/ssestream"

	"github.com/glovebox-dev/glovebox/api"
)

const anthropicURL = "https://api.anthropic.com/"

// defaultAnswer bounds an answer where the request does not: the protocol needs a
// bound.
const defaultAnswer = 8192 // tokens

// anthropicClient speaks the messages of Anthropic.
type anthropicClient struct{ *connection }

// Ask implements Client.
func (c anthropicClient) Ask(ctx context.Context, req api.ModelRequest, onText func(string)) (api.ModelAnswer, error) {
	base := strings.TrimSuffix(strings.TrimSuffix(c.model.BaseURL, "/"), "/v1") // which the SDK adds
	if base == "" {
		base = anthropicURL
	}
	options := []option.RequestOption{
		option.WithBaseURL(base), option.WithHTTPClient(c.http), option.WithMaxRetries(c.retries), option.WithResponseInto(&c.response),
	}
	if c.key != "" {
		options = append(options, option.WithAPIKey(c.key))
	}
	if c.idempotency != "" {
		options = append(options, option.WithHeader("Idempotency-Key", c.idempotency))
	}
	service := anthropic.NewMessageService(options...) // which, unlike a client, reads no environment
	stream := service.NewStreaming(ctx, c.params(req))
	defer stream.Close()
	if err := c.check(stream.Err()); err != nil {
		return api.ModelAnswer{}, err
	}
	a := &answer{onText: onText}
	usage, err := takeEvents(a, stream)
	if err != nil {
		return api.ModelAnswer{}, err
	}
	a.usage = anthropicUsage(usage)
	return a.finish()
}

func (c anthropicClient) params(req api.ModelRequest) anthropic.MessageNewParams {
	p := anthropic.MessageNewParams{Model: c.model.Name, MaxTokens: defaultAnswer, Messages: anthropicMessages(req.Messages)}
	if req.MaxTokens > 0 {
		p.MaxTokens = int64(req.MaxTokens)
	}
	if req.System != "" {
		p.System = []anthropic.TextBlockParam{{Text: req.System}}
	}
	for _, t := range req.Tools {
		p.Tools = append(p.Tools, anthropicTool(t))
	}
	if len(req.Schema) > 0 {
		p.OutputConfig.SetExtraFields(map[string]any{"format": map[string]any{"type": "json_schema", "schema": req.Schema}})
	}
	if req.Temperature != nil {
		p.Temperature = anthropic.Float(*req.Temperature)
	}
	if len(req.Messages) > 1 { // what is continued once is continued again, mostly
		p.CacheControl = anthropic.NewCacheControlEphemeralParam()
	}
	return p
}

// anthropicMessages puts what comes from one side in a row into one message: all
// answers to the calls of a message have to be in the next.
func anthropicMessages(messages []api.ModelMessage) (all []anthropic.MessageParam) {
	for _, m := range messages {
		role := anthropic.MessageParamRoleUser
		if m.Role == api.RoleAssistant {
			role = anthropic.MessageParamRoleAssistant
		}
		if len(all) == 0 || all[len(all)-1].Role != role {
			all = append(all, anthropic.MessageParam{Role: role})
		}
		last := &all[len(all)-1]
		last.Content = append(last.Content, anthropicBlocks(m)...)
	}
	return all
}

func anthropicBlocks(m api.ModelMessage) (blocks []anthropic.ContentBlockParamUnion) {
	if m.Role == api.RoleTool {
		return append(blocks, anthropic.NewToolResultBlock(m.Call, m.Text, m.Failed))
	}
	if m.Text != "" {
		blocks = append(blocks, anthropic.NewTextBlock(m.Text))
	}
	for _, call := range m.Calls {
		blocks = append(blocks, anthropic.NewToolUseBlock(call.ID, anthropicInput(call.Arguments), call.Name))
	}
	return blocks
}

// anthropicInput is an object, also where the model wrote none.
func anthropicInput(arguments string) json.RawMessage {
	var object map[string]json.RawMessage
	if json.Unmarshal([]byte(arguments), &object) == nil && object != nil {
		return json.RawMessage(arguments)
	}
	if arguments == "" {
		return json.RawMessage("{}")
	}
	written, _ := json.Marshal(map[string]string{"INVALID_JSON": arguments}) // of strings: it cannot fail
	return written
}

func anthropicTool(t api.ModelTool) anthropic.ToolUnionParam {
	tool := &anthropic.ToolParam{Name: t.Name}
	if t.Doc != "" {
		tool.Description = anthropic.String(t.Doc)
	}
	tool.SetExtraFields(map[string]any{"input_schema": t.Parameters})
	return anthropic.ToolUnionParam{OfTool: tool}
}

// takeEvents adds the events of a stream, and returns what they cost.
func takeEvents(a *answer, stream *ssestream.Stream[anthropic.MessageStreamEventUnion]) (usage anthropic.MessageDeltaUsage, err error) {
	for stream.Next() {
		if err := takeEvent(a, &usage, stream.Current()); err != nil {
			return usage, err
		}
	}
	return usage, stream.Err()
}

// takeEvent adds one event of a stream.
func takeEvent(a *answer, usage *anthropic.MessageDeltaUsage, e anthropic.MessageStreamEventUnion) error {
	switch e.Type {
	case "message_start":
		u := e.Message.Usage
		usage.InputTokens, usage.OutputTokens = u.InputTokens, u.OutputTokens
		usage.CacheReadInputTokens, usage.CacheCreationInputTokens = u.CacheReadInputTokens, u.CacheCreationInputTokens
	case "content_block_start":
		return beginBlock(a, e)
	case "content_block_delta":
		return takeBlock(a, e)
	case "message_delta":
		takeUsage(usage, e.Usage)
		a.stop = anthropicStop(e.Delta.StopReason)
	}
	return nil
}

func beginBlock(a *answer, e anthropic.MessageStreamEventUnion) error {
	switch e.ContentBlock.Type {
	case "text":
		return a.write(e.ContentBlock.Text)
	case "tool_use":
		_, err := a.begin(e.Index, e.ContentBlock.ID, e.ContentBlock.Name)
		return err
	}
	return nil
}

func takeBlock(a *answer, e anthropic.MessageStreamEventUnion) error {
	switch e.Delta.Type {
	case "text_delta":
		return a.write(e.Delta.Text)
	case "input_json_delta":
		if c := a.call(e.Index); c != nil {
			return a.argue(c, e.Delta.PartialJSON)
		}
	}
	return nil
}

// takeUsage takes what a later event counts again.
func takeUsage(u *anthropic.MessageDeltaUsage, now anthropic.MessageDeltaUsage) {
	if now.JSON.OutputTokens.Valid() {
		u.OutputTokens = now.OutputTokens
	}
	if now.JSON.InputTokens.Valid() {
		u.InputTokens = now.InputTokens
	}
	if now.JSON.CacheReadInputTokens.Valid() {
		u.CacheReadInputTokens = now.CacheReadInputTokens
	}
	if now.JSON.CacheCreationInputTokens.Valid() {
		u.CacheCreationInputTokens = now.CacheCreationInputTokens
	}
}

// anthropicUsage counts the cached tokens as input, which Anthropic does not.
func anthropicUsage(u anthropic.MessageDeltaUsage) api.ModelUsage {
	read, written := within(u.CacheReadInputTokens, maxUsage), within(u.CacheCreationInputTokens, maxUsage)
	return api.ModelUsage{Input: within(u.InputTokens, maxUsage) + read + written, CachedInput: read, Output: u.OutputTokens}
}

func anthropicStop(reason anthropic.StopReason) api.ModelStop {
	switch reason {
	case anthropic.StopReasonMaxTokens, anthropic.StopReasonModelContextWindowExceeded:
		return api.StopLength
	case anthropic.StopReasonToolUse:
		return api.StopCalls
	case anthropic.StopReasonRefusal:
		return api.StopRefusal
	}
	return api.StopEnd
}
