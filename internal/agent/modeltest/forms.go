package modeltest

import (
	"encoding/json"
	"fmt"
	"strings"
)

// form is how a protocol writes an answer.
type form struct {
	whole  func(Turn) object
	events func(Turn) []string // of a stream, each with its empty line
}

// forms are the protocols by path.
var forms = map[string]form{
	"/chat/completions": {chatWhole, chatEvents},
	"/responses":        {responseWhole, responseEvents},
	"/messages":         {messageWhole, messageEvents},
}

// question is what the protocols have in common.
type question struct {
	Stream   bool            `json:"stream"`
	Messages []message       `json:"messages"`
	Input    json.RawMessage `json:"input"` // of responses: text or messages
}

type message struct {
	Content json.RawMessage `json:"content"`
	Output  json.RawMessage `json:"output"` // of a call, in responses
}

// last is the text of the last message, or all that is text in it.
func (q question) last() string {
	messages := q.Messages
	if len(q.Input) > 0 && json.Unmarshal(q.Input, &messages) != nil {
		return texts(q.Input)
	}
	if len(messages) == 0 {
		return ""
	}
	m := messages[len(messages)-1]
	return texts(m.Content) + texts(m.Output)
}

// texts joins what is text in a message, whatever the form.
func texts(raw json.RawMessage) string {
	var tree any
	if json.Unmarshal(raw, &tree) != nil {
		return ""
	}
	var all []string
	collect(tree, &all)
	return strings.Join(all, "\n")
}

func collect(tree any, all *[]string) {
	switch node := tree.(type) {
	case string:
		*all = append(*all, node)
	case []any:
		for _, item := range node {
			collect(item, all)
		}
	case object:
		for _, key := range []string{"text", "content"} {
			collect(node[key], all)
		}
	}
}

// pieces cuts text as a model writes it: word by word.
func pieces(text string) []string {
	if text == "" {
		return nil
	}
	return strings.SplitAfter(text, " ")
}

// halves cuts arguments, so that a client has to put them together.
func halves(text string) []string { return []string{text[:len(text)/2], text[len(text)/2:]} }

func data(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // only what this package made
	}
	return fmt.Sprintf("data: %s\n\n", text)
}

func event(name string, v object) string {
	v["type"] = name
	return "event: " + name + "\n" + data(v)
}

// fault ends a stream with a failure, if the turn has one.
func fault(t Turn) []string {
	if t.Error == "" {
		return nil
	}
	return []string{"event: error\n" + data(failure(t.Error))}
}

func chatReason(t Turn) string {
	switch {
	case t.Stop != "":
		return t.Stop
	case len(t.Calls) > 0:
		return "tool_calls"
	}
	return "stop"
}

func chatUsage(u *Usage) object {
	return object{"prompt_tokens": u.Input, "completion_tokens": u.Output, "total_tokens": u.Input + u.Output,
		"prompt_tokens_details": object{"cached_tokens": u.Cached}}
}

func chatCall(i int, c Call) object {
	return object{"index": i, "id": c.ID, "type": "function", "function": object{"name": c.Name, "arguments": c.Arguments}}
}

func chatWhole(t Turn) object {
	m := object{"role": "assistant", "content": t.Text}
	for i, c := range t.Calls {
		calls, _ := m["tool_calls"].([]any)
		m["tool_calls"] = append(calls, chatCall(i, c))
	}
	return object{"id": "chat_1", "object": "chat.completion", "created": 0, "model": ModelName, "usage": chatUsage(t.Usage),
		"choices": []any{object{"index": 0, "message": m, "finish_reason": chatReason(t)}}}
}

func chatEvents(t Turn) (all []string) {
	chunk := func(choices []any, usage any) string {
		return data(object{"id": "chat_1", "object": "chat.completion.chunk", "created": 0, "model": ModelName, "choices": choices, "usage": usage})
	}
	delta := func(d object, reason any) string {
		return chunk([]any{object{"index": 0, "delta": d, "finish_reason": reason}}, nil)
	}
	all = append(all, delta(object{"role": "assistant", "content": ""}, nil))
	for _, text := range pieces(t.Text) {
		all = append(all, delta(object{"content": text}, nil))
	}
	for i, c := range t.Calls {
		cut := halves(c.Arguments)
		all = append(all, delta(object{"tool_calls": []any{chatCall(i, Call{ID: c.ID, Name: c.Name, Arguments: cut[0]})}}, nil),
			delta(object{"tool_calls": []any{object{"index": i, "function": object{"arguments": cut[1]}}}}, nil))
	}
	if t.Error != "" {
		return append(all, fault(t)...)
	}
	return append(all, delta(object{}, chatReason(t)), chunk([]any{}, chatUsage(t.Usage)), "data: [DONE]\n\n")
}

// messageReasons are the ends of answers in the words of Anthropic.
var messageReasons = map[string]string{"stop": "end_turn", "length": "max_tokens", "tool_calls": "tool_use", "content_filter": "refusal"}

func messageUsage(u *Usage) object {
	return object{"input_tokens": u.Input - u.Cached, "cache_read_input_tokens": u.Cached, "cache_creation_input_tokens": 0, "output_tokens": u.Output}
}

func messageWhole(t Turn) object {
	content := []any{}
	if t.Text != "" {
		content = append(content, object{"type": "text", "text": t.Text})
	}
	for _, c := range t.Calls {
		content = append(content, object{"type": "tool_use", "id": c.ID, "name": c.Name, "input": json.RawMessage(c.Arguments)})
	}
	return messageOf(t, content, messageReasons[chatReason(t)], messageUsage(t.Usage))
}

func messageOf(t Turn, content []any, reason any, usage object) object {
	return object{"id": fmt.Sprintf("msg_%d", t.Number), "type": "message", "role": "assistant", "model": ModelName, "content": content, "stop_reason": reason, "stop_sequence": nil, "usage": usage}
}

func messageEvents(t Turn) []string {
	usage := messageUsage(t.Usage)
	usage["output_tokens"] = 1
	all := []string{event("message_start", object{"message": messageOf(t, []any{}, nil, usage)}), event("ping", object{})}
	block := 0
	add := func(start object, deltas ...object) {
		all = append(all, event("content_block_start", object{"index": block, "content_block": start}))
		for _, d := range deltas {
			all = append(all, event("content_block_delta", object{"index": block, "delta": d}))
		}
		all = append(all, event("content_block_stop", object{"index": block}))
		block++
	}
	if t.Text != "" {
		var deltas []object
		for _, text := range pieces(t.Text) {
			deltas = append(deltas, object{"type": "text_delta", "text": text})
		}
		add(object{"type": "text", "text": ""}, deltas...)
	}
	for _, c := range t.Calls {
		cut := halves(c.Arguments)
		add(object{"type": "tool_use", "id": c.ID, "name": c.Name, "input": object{}},
			object{"type": "input_json_delta", "partial_json": cut[0]}, object{"type": "input_json_delta", "partial_json": cut[1]})
	}
	if t.Error != "" {
		return append(all, fault(t)...)
	}
	end := object{"stop_reason": messageReasons[chatReason(t)], "stop_sequence": nil}
	return append(all, event("message_delta", object{"delta": end, "usage": object{"output_tokens": t.Usage.Output}}), event("message_stop", object{}))
}

func responseWhole(t Turn) object {
	status, output := "completed", []any{}
	if t.Stop == "length" {
		status = "incomplete"
	}
	if t.Text != "" {
		output = append(output, responseText(t.Text))
	}
	for _, c := range t.Calls {
		output = append(output, responseCall(c))
	}
	return object{"id": "resp_1", "object": "response", "created_at": 0, "model": ModelName, "status": status, "output": output,
		"parallel_tool_calls": true, "tool_choice": "auto", "tools": []any{},
		"usage": object{"input_tokens": t.Usage.Input, "output_tokens": t.Usage.Output, "total_tokens": t.Usage.Input + t.Usage.Output,
			"input_tokens_details": object{"cached_tokens": t.Usage.Cached}, "output_tokens_details": object{"reasoning_tokens": 0}}}
}

func responseText(text string) object {
	return object{"id": "msg_1", "type": "message", "role": "assistant", "status": "completed",
		"content": []any{object{"type": "output_text", "text": text, "annotations": []any{}}}}
}

func responseCall(c Call) object {
	call := object{"id": "fc_" + c.ID, "type": "function_call", "call_id": c.ID, "name": c.Name, "arguments": c.Arguments, "status": "completed"}
	if c.Namespace != "" {
		call["namespace"] = c.Namespace
	}
	return call
}

func responseEvents(t Turn) (all []string) {
	add := func(name string, v object) {
		v["sequence_number"] = len(all)
		all = append(all, event(name, v))
	}
	whole := responseWhole(t)
	add("response.created", object{"response": object{"id": "resp_1", "object": "response", "created_at": 0, "model": ModelName, "status": "in_progress",
		"output": []any{}, "parallel_tool_calls": true, "tool_choice": "auto", "tools": []any{}}})
	for i, item := range whole["output"].([]any) {
		item := item.(object)
		add("response.output_item.added", object{"output_index": i, "item": item})
		if item["type"] == "message" {
			for _, text := range pieces(t.Text) {
				add("response.output_text.delta", object{"output_index": i, "content_index": 0, "item_id": item["id"], "delta": text, "logprobs": []any{}})
			}
		}
		add("response.output_item.done", object{"output_index": i, "item": item})
	}
	if t.Error != "" {
		return append(all, fault(t)...)
	}
	add("response.completed", object{"response": whole})
	return all
}
