package gateway

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/lazyregexp"
	"github.com/glovebox-dev/glovebox/value"
)

// fields are what a question may have. Others could cost more than the price of the
// model says, or lead elsewhere: service_tier, speed, container and mcp_servers do.
var fields = []string{
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

const (
	maxBetas = 64
	maxDepth = 200
)

var (
	betaName  = lazyregexp.New(`^[a-z0-9-]{1,64}$`)
	modelName = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9._:/@-]{0,200}$`)
)

// readQuestion checks a question, and returns it without what differs from process
// to process. It fills in the name of the model, if any may be asked.
func readQuestion(granted *api.Model, r *http.Request, body []byte) (api.ModelRaw, error) {
	tree, err := decode(body)
	if err != nil {
		return api.ModelRaw{}, refused(http.StatusBadRequest, "the question is no JSON object: %w", err)
	}
	if err := check(granted, tree); err != nil {
		return api.ModelRaw{}, refused(http.StatusForbidden, "%w", err)
	}
	normalize(tree)
	text, err := json.Marshal(tree)
	if err != nil {
		return api.ModelRaw{}, refused(http.StatusBadRequest, "the question is no JSON: %w", err)
	}
	return api.ModelRaw{Path: r.URL.Path, Body: string(text), Betas: betas(r.Header["Anthropic-Beta"])}, nil
}

// betas are those of a header that are passed on.
func betas(header []string) (all []string) {
	for name := range strings.SplitSeq(strings.Join(header, ","), ",") {
		name = strings.TrimSpace(name)
		unwanted := slices.ContainsFunc(unwantedBetas, func(begin string) bool { return strings.HasPrefix(name, begin) })
		if len(all) < maxBetas && betaName().MatchString(name) && !unwanted {
			all = append(all, name)
		}
	}
	return all
}

type object = map[string]any

// decode reads an object. A name that comes twice is refused, since the provider
// could see the other value of it; so is what is nested too deeply.
func decode(body []byte) (object, error) {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	tree, err := decodeValue(d, 0)
	if err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, fmt.Errorf("something follows it")
	}
	o, isObject := tree.(object)
	if !isObject {
		return nil, fmt.Errorf("it is something else")
	}
	return o, nil
}

func decodeValue(d *json.Decoder, depth int) (any, error) {
	token, err := d.Token()
	if err != nil || depth > maxDepth {
		return nil, orDeep(err)
	}
	switch token {
	case json.Delim('{'):
		return decodeObject(d, depth)
	case json.Delim('['):
		items := []any{}
		for d.More() {
			item, err := decodeValue(d, depth+1)
			if err != nil {
				return nil, err
			}
			items = append(items, item)
		}
		_, err := d.Token()
		return items, err
	}
	return token, nil
}

func decodeObject(d *json.Decoder, depth int) (any, error) {
	o := object{}
	for d.More() {
		token, err := d.Token()
		if err != nil {
			return nil, err
		}
		name, _ := token.(string)
		if _, twice := o[name]; twice {
			return nil, fmt.Errorf("%s comes twice", value.Quote(name))
		}
		if o[name], err = decodeValue(d, depth+1); err != nil {
			return nil, err
		}
	}
	_, err := d.Token()
	return o, err
}

func orDeep(err error) error {
	if err != nil {
		return err
	}
	return fmt.Errorf("it is nested deeper than %d", maxDepth)
}

// check refuses what would lead further than the grant.
func check(granted *api.Model, q object) error {
	for name := range q {
		if !slices.Contains(fields, name) {
			return fmt.Errorf("a cell cannot ask with %s", value.Quote(name))
		}
	}
	name, _ := q["model"].(string)
	if granted.Name == "" && modelName().MatchString(name) {
		granted.Name = name
	}
	if name != granted.Name || name == "" {
		return fmt.Errorf("this cell cannot ask the model %s: it may ask %s", value.Quote(name), cmp.Or(granted.Name, "any with a name"))
	}
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
