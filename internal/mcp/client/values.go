package client

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/secret"
	"github.com/glovebox-dev/glovebox/value"
)

// maxDepth bounds values and schemas.
const maxDepth = 64

// plain returns a value as JSON has it. Files and dates are no arguments.
func plain(v any, depth int) (any, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("it nests deeper than %d", maxDepth)
	}
	switch v := v.(type) {
	case nil, bool, int64, *big.Int, string:
		return v, nil
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("JSON has no %g", v)
		}
		return v, nil
	case []any:
		list := make([]any, len(v))
		for i, item := range v {
			var err error
			if list[i], err = plain(item, depth+1); err != nil {
				return nil, err
			}
		}
		return list, nil
	case *value.Dict:
		object := make(map[string]any, v.Len())
		for key, item := range v.All() {
			plainItem, err := plain(item, depth+1)
			if err != nil {
				return nil, err
			}
			object[value.KeyText(key)] = plainItem
		}
		return object, nil
	}
	return nil, fmt.Errorf("JSON has no %T", v)
}

// output is the value of an answer, or the failure that it tells of.
func output(r *secret.Redactor, task *api.Task, answer *mcp.CallToolResult) (any, error) {
	text := r.String(texts(answer.Content))
	if answer.IsError {
		return nil, api.Errorf(api.FunctionFailed, "%s", value.Shorten(text, maxWords))
	}
	if limit := task.Limits.WithDefaults().Outputs; int64(len(text)) > limit {
		return nil, api.Errorf(api.OutputTooLarge, "the answer is larger than the limit of %d bytes", limit).WithDetails(api.Details{Limit: limit})
	}
	if task.MCP.Answer == "" || task.MCP.Answer == api.MCPText {
		return text, nil
	}
	return structured(r, task, answer.StructuredContent)
}

// structured gives plain values: an object that looks like a file of ours is none.
func structured(r *secret.Redactor, task *api.Task, content any) (any, error) {
	if content == nil {
		return nil, api.Errorf(api.MissingOutput, "the tool gave no structured content, which it had declared")
	}
	text, err := json.Marshal(content)
	if err != nil {
		return nil, api.Errorf(api.BadOutput, "the structured content of the tool: %w", err)
	}
	decoder := json.NewDecoder(bytes.NewReader(r.Bytes(text)))
	decoder.UseNumber()
	var v any
	if err := decoder.Decode(&v); err != nil {
		return nil, api.Errorf(api.BadOutput, "the structured content of the tool: %w", err)
	}
	if task.MCP.Answer == api.MCPResult {
		object, _ := v.(map[string]any)
		inner, ok := object["result"]
		if !ok {
			return nil, api.Errorf(api.MissingOutput, "the structured content of the tool has no field result")
		}
		v = inner
	}
	return numbers(v)
}

// numbers turns the numbers of decoded JSON into values.
func numbers(v any) (any, error) {
	switch v := v.(type) {
	case json.Number:
		return number(v)
	case []any:
		for i := range v {
			var err error
			if v[i], err = numbers(v[i]); err != nil {
				return nil, err
			}
		}
	case map[string]any:
		for key := range v {
			var err error
			if v[key], err = numbers(v[key]); err != nil {
				return nil, err
			}
		}
	}
	return v, nil
}

func number(n json.Number) (any, error) {
	if i, err := n.Int64(); err == nil {
		return i, nil
	}
	if big, ok := new(big.Int).SetString(string(n), 10); ok {
		return big, nil
	}
	f, err := n.Float64()
	if err != nil {
		return nil, api.Errorf(api.BadOutput, "the tool gave a number that is too large: %s", value.Shorten(string(n), 100))
	}
	return f, nil
}

// texts are the texts of an answer, with a line in place of everything else.
func texts(contents []mcp.Content) string {
	var parts []string
	for _, c := range contents {
		parts = append(parts, textOf(c))
	}
	return strings.ToValidUTF8(strings.Join(parts, "\n"), "\uFFFD")
}

func textOf(c mcp.Content) string {
	switch c := c.(type) {
	case *mcp.TextContent:
		return c.Text
	case *mcp.ImageContent:
		return fmt.Sprintf("[image %s, %d bytes]", c.MIMEType, len(c.Data))
	case *mcp.AudioContent:
		return fmt.Sprintf("[audio %s, %d bytes]", c.MIMEType, len(c.Data))
	case *mcp.ResourceLink:
		return fmt.Sprintf("[resource %s]", c.URI)
	case *mcp.EmbeddedResource:
		return resourceText(c.Resource)
	}
	return "[content of an unknown kind]"
}

func resourceText(r *mcp.ResourceContents) string {
	switch {
	case r == nil:
		return "[empty resource]"
	case r.Blob != nil:
		return fmt.Sprintf("[resource %s, %d bytes]", r.URI, len(r.Blob))
	}
	return r.Text
}

// line is one line of a server, for people.
func line(r *secret.Redactor, text string) string {
	text, _, _ = strings.Cut(r.String(strings.ToValidUTF8(text, "\uFFFD")), "\n")
	return value.Shorten(text, maxLine)
}

// steps is a count as a server gives it, which may be any number.
func steps(n float64) int64 {
	if !(n > 0) {
		return 0
	}
	return int64(math.Min(n, 1<<53))
}
