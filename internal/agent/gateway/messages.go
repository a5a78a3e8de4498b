package gateway

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/glovebox-dev/glovebox/internal/lazyregexp"
	"github.com/glovebox-dev/glovebox/value"
)

// messagesFields are what a question of Anthropic's messages may have. Others could cost more than the price of the
// model says, or lead elsewhere: service_tier, speed, container and mcp_servers do.
var messagesFields = []string{
	"model", "messages", "system", "tools", "tool_choice", "metadata", "max_tokens", "thinking", "context_management", "output_config", "output_format",
	"stream", "stop_sequences", "temperature", "top_k", "top_p", "cache_control",
}

// ownTools are the kinds of tools that the program runs itself. All others are run by
// the provider, which has a network.
var ownTools = []string{"bash_", "text_editor_", "memory_", "computer_"}

// ownSources are where the bytes of images and documents are in the question itself.
var ownSources = []string{"base64", "text", "content"}

// betas that are not asked for: they cost more, or lead elsewhere.
var unwantedBetas = []string{"context-1m-", "fast-mode-", "files-api-", "mcp-client-", "mcp-servers-", "code-execution-", "skills-", "web-fetch-", "web-search-"}

const maxBetas = 64

var betaName = lazyregexp.New(`^[a-z0-9-]{1,64}$`)

// messagesBetas are those of a header that are passed on.
func messagesBetas(header http.Header) (all []string) {
	for name := range strings.SplitSeq(strings.Join(header["Anthropic-Beta"], ","), ",") {
		name = strings.TrimSpace(name)
		unwanted := slices.ContainsFunc(unwantedBetas, func(begin string) bool { return strings.HasPrefix(name, begin) })
		if len(all) < maxBetas && betaName().MatchString(name) && !unwanted {
			all = append(all, name)
		}
	}
	return all
}

// checkMessages refuses what would lead further than the grant.
func checkMessages(q object) error {
	tools, _ := q["tools"].([]any)
	for i, item := range tools {
		tool, _ := item.(object)
		kind, isText := tool["type"].(string)
		_, has := tool["type"]
		own := slices.ContainsFunc(ownTools, func(begin string) bool { return strings.HasPrefix(kind, begin) })
		if tool == nil || has && !isText || kind != "" && kind != "custom" && !own {
			return fmt.Errorf("tools[%d]: a cell cannot have the provider run tools: %s", i, value.Quote(kind))
		}
	}
	messages, _ := q["messages"].([]any)
	for i, item := range messages {
		message, _ := item.(object)
		if err := checkContent(message["content"]); err != nil {
			return fmt.Errorf("messages[%d]: %w", i, err)
		}
	}
	return checkContent(q["system"])
}

// checkContent refuses images and documents that the provider would fetch. What holds
// blocks is a block too, down to the bound of decode.
func checkContent(content any) error {
	blocks, _ := content.([]any)
	for _, item := range blocks {
		block, _ := item.(object)
		if kind, _ := block["type"].(string); kind == "container_upload" {
			return fmt.Errorf("a cell cannot name files that the provider stores")
		}
		source, _ := block["source"].(object)
		if kind, _ := source["type"].(string); source != nil && !slices.Contains(ownSources, kind) {
			return fmt.Errorf("a cell cannot have the provider fetch something: the source is %s", value.Quote(kind))
		}
		for _, inner := range []any{block["content"], source["content"]} {
			if err := checkContent(inner); err != nil {
				return err
			}
		}
	}
	return nil
}
