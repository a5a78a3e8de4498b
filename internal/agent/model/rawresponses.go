package model

import (
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"github.com/openai/openai-go/v3/packages/ssestream"

	"github.com/glovebox-dev/glovebox/api"
)

// BetaResponsesLite is the form of responses that Codex asks some models in, by a
// header of its own.
const BetaResponsesLite = "responses-lite"

// HeaderResponsesLite is that header.
const HeaderResponsesLite = "X-Openai-Internal-Codex-Responses-Lite"

// responsesRequest is where a question goes to, and its headers.
func responsesRequest(c *connection, q api.ModelRaw) (address string, header map[string]string) {
	base := strings.TrimSuffix(cmp.Or(c.model.BaseURL, openaiURL), "/")
	header = map[string]string{}
	if c.key != "" {
		header["Authorization"] = "Bearer " + c.key
	}
	for _, beta := range q.Betas {
		if beta == BetaResponsesLite {
			header[HeaderResponsesLite] = "true"
		}
	}
	return base + strings.TrimPrefix(q.Path, "/v1"), header
}

// response is what counts of an answer, beside its bytes.
type response struct {
	Status string         `json:"status"`
	Output []responseItem `json:"output"`
	Usage  struct {
		Input   int64 `json:"input_tokens"`
		Output  int64 `json:"output_tokens"`
		Details struct {
			Cached int64 `json:"cached_tokens"`
		} `json:"input_tokens_details"`
	} `json:"usage"`
	Incomplete struct {
		Reason string `json:"reason"`
	} `json:"incomplete_details"`
	Error *responseFault `json:"error"`
}

// responseItem is a part of an answer: text, or a call.
type responseItem struct {
	Type      string `json:"type"`
	Call      string `json:"call_id"`
	Name      string `json:"name"`
	Arguments any    `json:"arguments"` // text, but of few kinds of calls
	Input     string `json:"input"`     // the arguments of a call that is no function
	Content   []struct {
		Text    string `json:"text"`
		Refusal string `json:"refusal"`
	} `json:"content"`
}

// responseFault is why a provider gave up an answer that it had begun.
type responseFault struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// Error implements error.
func (f *responseFault) Error() string { return strings.TrimPrefix(f.Code+": "+f.Message, ": ") }

// responseEvent is one event of a stream.
type responseEvent struct {
	Type     string       `json:"type"`
	Delta    any          `json:"delta"` // of text and refusals a text
	Item     responseItem `json:"item"`
	Response response     `json:"response"`
	Code     string       `json:"code"` // of an error
	Message  string       `json:"message"`
}

func readResponseEvents(from io.Reader, onText func(string)) (api.ModelAnswer, error) {
	stream := ssestream.NewStream[responseEvent](ssestream.NewDecoder(eventsOf(from)), nil)
	a := &answer{onText: onText}
	var used api.ModelUsage
	for stream.Next() {
		if err := a.takeResponseEvent(stream.Current(), &used); err != nil {
			return api.ModelAnswer{}, err
		}
	}
	if err := stream.Err(); err != nil {
		return api.ModelAnswer{}, err
	}
	if _, err := io.Copy(io.Discard, from); err != nil {
		return api.ModelAnswer{}, err
	}
	return a.asked(used)
}

func (a *answer) takeResponseEvent(e responseEvent, used *api.ModelUsage) error {
	switch e.Type {
	case "response.output_text.delta", "response.refusal.delta":
		text, _ := e.Delta.(string)
		return a.write(text)
	case "response.output_item.done":
		return a.takeCall(e.Item)
	case "response.completed", "response.incomplete", "response.failed":
		return a.endResponse(e.Response, used)
	case "error":
		return &responseFault{e.Code, e.Message}
	}
	return nil
}

func readResponse(from io.Reader, onText func(string)) (api.ModelAnswer, error) {
	text, err := io.ReadAll(from)
	if err != nil {
		return api.ModelAnswer{}, err
	}
	var r response
	if err := json.Unmarshal(text, &r); err != nil {
		return api.ModelAnswer{}, errors.Join(errGarbage, err)
	}
	a := &answer{onText: onText}
	for _, item := range r.Output {
		if err := a.takeItem(item); err != nil {
			return api.ModelAnswer{}, err
		}
	}
	var used api.ModelUsage
	if err := a.endResponse(r, &used); err != nil {
		return api.ModelAnswer{}, err
	}
	return a.asked(used)
}

// takeItem adds an item of an answer that comes at once.
func (a *answer) takeItem(item responseItem) error {
	if item.Type != "message" {
		return a.takeCall(item)
	}
	for _, part := range item.Content {
		if err := a.write(part.Text + part.Refusal); err != nil {
			return err
		}
	}
	return nil
}

// takeCall adds an item that is a call.
func (a *answer) takeCall(item responseItem) error {
	if item.Call == "" || !strings.HasSuffix(item.Type, "_call") {
		return nil
	}
	c, err := a.begin(int64(len(a.calls)), item.Call, cmp.Or(item.Name, item.Type))
	if err != nil {
		return err
	}
	arguments, isText := item.Arguments.(string)
	if !isText && item.Arguments != nil {
		written, _ := json.Marshal(item.Arguments) // of what was read from JSON
		arguments = string(written)
	}
	return a.argue(c, cmp.Or(arguments, item.Input))
}

// endResponse takes what the end of an answer says of it.
func (a *answer) endResponse(r response, used *api.ModelUsage) error {
	if r.Error != nil {
		return r.Error
	}
	*used = api.ModelUsage{Input: r.Usage.Input, CachedInput: r.Usage.Details.Cached, Output: r.Usage.Output}
	switch {
	case r.Status == "completed":
		a.stop = api.StopEnd
	case r.Status == "incomplete" && r.Incomplete.Reason == "content_filter":
		a.stop = api.StopRefusal
	case r.Status == "incomplete":
		a.stop = api.StopLength
	}
	return nil
}
