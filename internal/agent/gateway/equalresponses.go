package gateway

import "github.com/glovebox-dev/glovebox/internal/lazyregexp"

// passthrough is where Codex notes times and names of its own beside an item.
const passthrough = "internal_chat_message_metadata_passthrough"

// normalizeResponses is normalizeMessages for the responses of OpenAI: ids of items
// are random where the program made them. Codex tells the day in a passage of a
// user's message, and before what a command printed how long that took.
func normalizeResponses(q object) {
	for _, name := range []string{"metadata", "client_metadata", "prompt_cache_key"} {
		delete(q, name)
	}
	if text, isText := q["instructions"].(string); isText {
		q["instructions"] = surroundings(text)
	}
	items, _ := q["input"].([]any)
	for _, each := range items {
		item, _ := each.(object)
		if item == nil {
			continue
		}
		delete(item, "id")
		delete(item, passthrough)
		switch role := item["role"]; {
		case role == "system" || role == "developer":
			item["content"] = texts(item["content"], surroundings)
		case role == "user":
			item["content"] = texts(item["content"], environment.each)
		case item["output"] != nil:
			item["output"] = texts(item["output"], withoutTimes)
		}
	}
}

// environment is the passage in which Codex says where and when it works.
var environment = passage{"<environment_context>", "</environment_context>"}

// commandHead is what Codex says of a command before what that printed.
var commandHead = lazyregexp.New(`\A(?:Chunk ID: [0-9a-f]{1,16}\n)?((?:Script [a-z ]{1,40}\n)?)Wall time:? [0-9.]{1,20} seconds\n`)

func withoutTimes(output string) string { return commandHead().ReplaceAllString(output, "$1") }
