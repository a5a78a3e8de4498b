package client

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// Bounds of a listing.
const (
	maxTools     = 500
	maxArguments = 200
	maxDoc       = 8 << 10 // bytes
	maxIdent     = 60      // bytes of a name
)

// ListMCPTools implements api.MCP.
func (r *Runner) ListMCPTools(ctx context.Context, server api.MCPServer) ([]api.Task, error) {
	if err := r.checkServer(server); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	c, err := r.acquire(ctx, "listing "+rand.Text(), server)
	if err != nil {
		return nil, err
	}
	defer r.release(c)
	defer r.drop(c) // nobody else asks under this name
	var tasks []api.Task
	taken := map[string]bool{}
	for tool, err := range c.session.Tools(ctx, nil) {
		if err != nil {
			return nil, api.Errorf(api.MCPUnavailable, "the tools of MCP server %s: %s", label(server), words(c.redactor, err.Error()))
		}
		if len(tasks) == maxTools {
			return nil, api.Errorf(api.LimitExceeded, "MCP server %s has more than %d tools", label(server), maxTools)
		}
		task, err := taskOf(server, tool)
		if err != nil {
			return nil, err
		}
		if taken[task.Name] {
			task.Name = digested(task.Name, tool.Name)
		}
		if taken[task.Name] {
			return nil, api.Errorf(api.MCPUnavailable, "MCP server %s has two tools %s", label(server), value.Quote(task.Name))
		}
		taken[task.Name] = true
		task.Doc = c.redactor.String(task.Doc)
		tasks = append(tasks, task)
	}
	return tasks, nil
}

// taskOf makes a task of a tool.
func taskOf(server api.MCPServer, tool *mcp.Tool) (api.Task, error) {
	t := api.Task{
		Kind: api.KindMCP, Name: identifier(tool.Name), Doc: value.Shorten(strings.ToValidUTF8(cmp.Or(tool.Description, tool.Title), "\uFFFD"), maxDoc),
		MCP: &api.MCPTool{Server: server, Tool: tool.Name},
	}
	input, _ := tool.InputSchema.(map[string]any)
	if err := addInputs(&t, input); err != nil {
		return t, err
	}
	output, _ := tool.OutputSchema.(map[string]any)
	addOutput(&t, output)
	return t, nil
}

// addInputs makes inputs of the properties of a schema: those that are required in
// the order in which it says so, then the others by name.
func addInputs(t *api.Task, schema map[string]any) error {
	properties, _ := schema["properties"].(map[string]any)
	if len(properties) > maxArguments {
		return api.Errorf(api.LimitExceeded, "tool %s has more than %d arguments", value.Quote(t.Name), maxArguments)
	}
	s := schemas{root: schema, left: maxSchemas}
	required := namesIn(schema["required"], properties)
	optional := slices.DeleteFunc(slices.Sorted(maps.Keys(properties)), func(name string) bool { return slices.Contains(required, name) })
	for _, name := range append(required, optional...) {
		p := value.Param{Name: identifier(name), Type: s.typeOf(properties[name], 0)}
		if slices.ContainsFunc(t.Signature.Inputs, func(other value.Param) bool { return other.Name == p.Name }) {
			p.Name = digested(p.Name, name)
		}
		if !slices.Contains(required, name) {
			p = withDefault(p, properties[name])
		}
		if p.Name != name {
			if t.MCP.Arguments == nil {
				t.MCP.Arguments = map[string]string{}
			}
			t.MCP.Arguments[p.Name] = name
		}
		t.Signature.Inputs = append(t.Signature.Inputs, p)
	}
	return t.Signature.Check(true)
}

// namesIn are the names of a list that are properties, each once.
func namesIn(list any, properties map[string]any) []string {
	var names []string
	items, _ := list.([]any)
	for _, item := range items {
		name, _ := item.(string)
		if _, known := properties[name]; known && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// withDefault makes an argument optional: by its default if that fits, or by None,
// which is not sent.
func withDefault(p value.Param, schema any) value.Param {
	object, _ := schema.(map[string]any)
	if given, ok := object["default"]; ok && given != nil {
		if with, err := p.WithDefault(whole(given)); err == nil {
			return with
		}
	}
	if p.Type.Kind != value.KindAny {
		p.Type = value.OptionalOf(p.Type)
	}
	p.Default = []byte("null")
	return p
}

// whole makes an int of a whole number, which all numbers of a listing are floats of.
func whole(v any) any {
	if f, ok := v.(float64); ok && f == math.Trunc(f) && math.Abs(f) <= 1<<53 {
		return int64(f)
	}
	return v
}

// addOutput declares what of an answer is the output.
func addOutput(t *api.Task, schema map[string]any) {
	out := value.Param{Name: "result", Type: value.Type{Kind: value.KindStr}}
	if schema != nil {
		s := schemas{root: schema, left: maxSchemas}
		t.MCP.Answer, out.Type = api.MCPObject, s.typeOf(schema, 0)
		properties, _ := schema["properties"].(map[string]any)
		if inner, wrapped := properties["result"]; wrapped && len(properties) == 1 && len(namesIn(schema["required"], properties)) == 1 {
			t.MCP.Answer, out.Type = api.MCPResult, s.typeOf(inner, 0)
		}
	}
	t.Signature.Outputs = []value.Param{out}
}

// identifier is a name that code can use, always the same for a name of a server.
func identifier(name string) string {
	clean := strings.Map(func(c rune) rune {
		if c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' {
			return c
		}
		return '_'
	}, name)
	clean = strings.TrimLeft(clean, "_")
	if clean == "" || clean[0] >= '0' && clean[0] <= '9' {
		clean = "tool_" + clean
	}
	if len(clean) > maxIdent {
		return digested(clean, name)
	}
	if api.CheckName(clean, true) != nil || builtin[clean] {
		clean += "_"
	}
	return clean
}

// builtin are names that code means by what they are in Python: a server must not
// get what was meant for them.
var builtin = func() map[string]bool {
	names := map[string]bool{}
	for name := range strings.FieldsSeq(`abs all any ascii bin bool bytearray bytes callable chr complex dict dir divmod enumerate
		eval exec filter float format frozenset getattr hasattr hash help hex id input int isinstance issubclass iter len
		list locals map max memoryview min next object oct open ord pow print property range repr reversed round set
		setattr slice sorted str sum super tuple type vars zip asyncio json math re sleep`) {
		names[name] = true
	}
	return names
}()

// digested tells names apart that are one as identifiers.
func digested(clean, name string) string {
	sum := sha256.Sum256([]byte(name))
	return fmt.Sprintf("%s_%s", clean[:min(len(clean), maxIdent-9)], hex.EncodeToString(sum[:4]))
}
