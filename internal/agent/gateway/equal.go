package gateway

import (
	"strings"

	"github.com/glovebox-dev/glovebox/internal/lazyregexp"
)

// normalizeMessages takes out of a question what differs from process to process although the
// same is asked: who asks, what is to be kept in the cache of the provider, and, in
// what a program says of its surroundings, days, times and random names. What comes
// from tools and from people counts as it is.
func normalizeMessages(q object) {
	delete(q, "metadata")
	unmark(q)
	unmarkAll(q["tools"])
	q["system"] = texts(q["system"], surroundings)
	if q["system"] == nil {
		delete(q, "system")
	}
	unmarkAll(q["system"])
	messages, _ := q["messages"].([]any)
	for _, item := range messages {
		message, _ := item.(object)
		if message == nil {
			continue
		}
		unmark(message)
		unmarkAll(message["content"])
		if message["role"] == "system" {
			message["content"] = texts(message["content"], surroundings)
		}
		if message["role"] == "user" {
			message["content"] = texts(message["content"], reminder.each)
		}
		message["content"] = alone(message["content"])
	}
}

// mark says what the provider is to keep in its cache.
const mark = "cache_control"

func unmark(o object) { delete(o, mark) }

// unmarkAll takes marks off blocks, and off those in them.
func unmarkAll(blocks any) {
	items, _ := blocks.([]any)
	for _, item := range items {
		block, _ := item.(object)
		if block == nil {
			continue
		}
		unmark(block)
		unmarkAll(block["content"])
	}
}

// texts changes a text, or those of the blocks that are text.
func texts(content any, change func(string) string) any {
	if text, isText := content.(string); isText {
		return change(text)
	}
	blocks, _ := content.([]any)
	for _, item := range blocks {
		block, _ := item.(object)
		if text, isText := block["text"].(string); isText && (block["type"] == "text" || block["type"] == "input_text") {
			block["text"] = change(text)
		}
	}
	return content
}

// alone is the text of a block that is alone and nothing but text: only a mark makes a
// block of it.
func alone(content any) any {
	blocks, _ := content.([]any)
	if len(blocks) != 1 {
		return content
	}
	block, _ := blocks[0].(object)
	if text, isText := block["text"].(string); isText && len(block) == 2 && block["type"] == "text" {
		return text
	}
	return content
}

var (
	randomName = lazyregexp.New(`[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}`)
	moment     = lazyregexp.New(`[0-9]{4}-[0-9]{2}-[0-9]{2}([T ][0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]+)?)?(Z|[+-][0-9]{2}:?[0-9]{2})?)?`)
)

// surroundings is a text without days, times and random names.
func surroundings(text string) string {
	return moment().ReplaceAllLiteralString(randomName().ReplaceAllLiteralString(text, "00000000-0000-0000-0000-000000000000"), "2000-01-01")
}

// passage is what a program adds to what its user wrote, between two marks.
type passage struct{ begin, end string }

// reminder is that of Claude Code.
var reminder = passage{"<system-reminder>", "</system-reminder>"}

// each has the passages in a text tell nothing of the surroundings.
func (p passage) each(text string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, p.begin)
		b.WriteString(before)
		if !found {
			return b.String()
		}
		inner, after, closed := strings.Cut(rest, p.end)
		b.WriteString(p.begin + surroundings(inner))
		if !closed {
			return b.String()
		}
		b.WriteString(p.end)
		text = after
	}
}
