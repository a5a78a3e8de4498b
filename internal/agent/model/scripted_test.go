package model

import (
	"net/http"
	"testing"

	"github.com/anthropics/anthropic-sdk-go"
	anthropicoption "github.com/anthropics/anthropic-sdk-go/option"
	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/responses"

	"github.com/glovebox-dev/glovebox/internal/agent/modeltest"
)

// scripted answers every question with text and a call.
func scripted(t *testing.T) (url string) {
	turn := modeltest.Turn{Always: true, Match: "hi", Text: "Good day.", Calls: []modeltest.Call{{ID: "1", Name: "f", Arguments: `{"x":1}`}}, Usage: &modeltest.Usage{Input: 9, Cached: 4, Output: 2}}
	return serve(t, modeltest.New(modeltest.Script{Turns: []modeltest.Turn{turn}}))
}

// TestScriptedResponses: what the scripted provider writes is what OpenAI's SDK
// reads of the responses that it would have, at once and as a stream.
func TestScriptedResponses(t *testing.T) {
	service := responses.NewResponseService(option.WithBaseURL(scripted(t) + "/v1"))
	params := responses.ResponseNewParams{Model: modeltest.ModelName, Input: responses.ResponseNewParamsInputUnion{OfString: openai.String("hi")}}
	whole, err := service.New(t.Context(), params)
	if err != nil {
		t.Fatal(err)
	}
	check := func(r *responses.Response) {
		t.Helper()
		if r.OutputText() != "Good day." || len(r.Output) != 2 || r.Output[1].Name != "f" || r.Usage.InputTokensDetails.CachedTokens != 4 {
			t.Errorf("%s", r.RawJSON())
		}
	}
	check(whole)
	stream := service.NewStreaming(t.Context(), params)
	text := ""
	for stream.Next() {
		switch e := stream.Current(); e.Type {
		case "response.output_text.delta":
			text += e.Delta
		case "response.completed":
			check(&e.Response)
		}
	}
	if stream.Err() != nil || text != "Good day." {
		t.Errorf("%q, %v", text, stream.Err())
	}
}

// TestScriptedAtOnce does the same with answers that are no streams.
func TestScriptedAtOnce(t *testing.T) {
	url := scripted(t)
	chat := openai.NewChatCompletionService(option.WithBaseURL(url + "/v1"))
	c, err := chat.New(t.Context(), openai.ChatCompletionNewParams{Model: modeltest.ModelName, Messages: []openai.ChatCompletionMessageParamUnion{openai.UserMessage("hi")}})
	if err != nil || c.Choices[0].Message.Content != "Good day." || c.Choices[0].Message.ToolCalls[0].Function.Arguments != `{"x":1}` || c.Usage.PromptTokens != 9 {
		t.Errorf("%+v, %v", c, err)
	}
	messages := anthropic.NewMessageService(anthropicoption.WithBaseURL(url))
	m, err := messages.New(t.Context(), anthropic.MessageNewParams{MaxTokens: 10, Model: modeltest.ModelName, Messages: []anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewTextBlock("hi"))}})
	if err != nil || m.Content[0].Text != "Good day." || string(m.Content[1].Input) != `{"x":1}` || m.StopReason != "tool_use" || m.Usage.InputTokens != 5 {
		t.Errorf("%+v, %v", m, err)
	}
	models := openai.NewModelService(option.WithBaseURL(url + "/v1"))
	list, err := models.List(t.Context())
	if err != nil || list.Data[0].ID != modeltest.ModelName {
		t.Errorf("%+v, %v", list, err)
	}
	response, err := http.Get(url + "/v1/other")
	if err != nil || response.StatusCode != http.StatusNotFound {
		t.Errorf("%v, %v", response, err)
	}
}
