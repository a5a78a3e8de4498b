package gateway

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/glovebox-dev/glovebox/internal/agent/model"
	"github.com/glovebox-dev/glovebox/value"
)

// responsesFields are what a question of OpenAI's responses may have. Others could
// cost more than the price of the model says, or lead elsewhere: service_tier,
// background, conversation, previous_response_id and prompt do.
var responsesFields = []string{
	"model", "input", "instructions", "tools", "tool_choice", "parallel_tool_calls", "max_output_tokens", "reasoning", "text", "temperature", "top_p", "truncation",
	"stream", "stream_options", "store", "include", "prompt_cache_key", "metadata", "client_metadata",
}

// responsesTools are the kinds of tools that the program runs itself, and the group of
// such. All others are run by the provider, which has a network.
var responsesTools = []string{"function", "custom", "namespace", "local_shell", "apply_patch", "computer", "computer_use_preview", "tool_search"}

// responsesItems are what a conversation may have: all of it is in the question.
var responsesItems = []string{
	"message", "agent_message", "reasoning", "additional_tools", "configuration_update", "function_call", "function_call_output", "custom_tool_call", "custom_tool_call_output",
	"local_shell_call", "local_shell_call_output", "apply_patch_call", "apply_patch_call_output", "computer_call", "computer_call_output", "tool_search_call", "tool_search_output",
}

// elsewhere are names of what the provider stores or fetches.
var elsewhere = []string{"file_id", "file_ids", "file_url", "server_url", "connector_id", "container", "container_id", "vector_store_ids", "skill_id"}

// responsesBetas is the one form of responses that a header asks for.
func responsesBetas(header http.Header) []string {
	if header.Get(model.HeaderResponsesLite) == "true" {
		return []string{model.BetaResponsesLite}
	}
	return nil
}

// checkResponses refuses what would lead further than the grant.
func checkResponses(q object) error {
	if q["store"] != false {
		return fmt.Errorf("a cell cannot have the provider store what it asks: store has to be false")
	}
	if _, isText := q["instructions"].(string); q["instructions"] != nil && !isText {
		return fmt.Errorf("instructions have to be a text")
	}
	if err := checkTools(q["tools"]); err != nil {
		return err
	}
	items, _ := q["input"].([]any)
	for i, each := range items {
		if err := checkItem(each); err != nil {
			return fmt.Errorf("input[%d]: %w", i, err)
		}
	}
	return nil
}

// checkTools refuses tools that the provider would run, also in groups.
func checkTools(tools any) error {
	items, _ := tools.([]any)
	for i, item := range items {
		tool, _ := item.(object)
		kind, _ := tool["type"].(string)
		if !slices.Contains(responsesTools, kind) {
			return fmt.Errorf("tools[%d]: a cell cannot have the provider run tools: %s", i, value.Quote(kind))
		}
		if err := checkTools(tool["tools"]); err != nil {
			return fmt.Errorf("tools[%d]: %w", i, err)
		}
	}
	return nil
}

// checkItem refuses what is in no question but with the provider. A message may come
// without a type; anything else without one names what is stored.
func checkItem(each any) error {
	item, _ := each.(object)
	kind, _ := item["type"].(string)
	if _, hasRole := item["role"].(string); item["type"] == nil && hasRole {
		kind = "message"
	}
	if !slices.Contains(responsesItems, kind) {
		return fmt.Errorf("a cell cannot have the provider take %s into a conversation", value.Quote(kind))
	}
	for name := range item {
		if kind == "configuration_update" && !slices.Contains([]string{"type", "id", "reasoning", passthrough}, name) {
			return fmt.Errorf("a cell cannot change %s in a conversation", value.Quote(name))
		}
	}
	if err := checkTools(item["tools"]); err != nil {
		return err
	}
	return checkParts(item)
}

// checkParts refuses images and files that the provider would fetch, down to the
// bound of decode. Arguments and tools are data.
func checkParts(part any) error {
	if list, isList := part.([]any); isList {
		for _, each := range list {
			if err := checkParts(each); err != nil {
				return err
			}
		}
		return nil
	}
	o, _ := part.(object)
	for name, v := range o {
		switch {
		case name == "arguments" || name == "tools" || v == nil:
			continue
		case slices.Contains(elsewhere, name):
			return fmt.Errorf("a cell cannot have the provider fetch something: it names a %s", name)
		case name == "image_url" && !inQuestion(v):
			return fmt.Errorf("a cell cannot have the provider fetch something: an image has to be a data: URL")
		}
		if err := checkParts(v); err != nil {
			return err
		}
	}
	return nil
}

// inQuestion reports an image whose bytes are in the question itself.
func inQuestion(address any) bool {
	text, _ := address.(string)
	return strings.HasPrefix(text, "data:")
}
