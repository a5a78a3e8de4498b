package agent

import (
	"fmt"
	"slices"
	"strings"

	"github.com/glovebox-dev/glovebox/internal/toolsearch"
	"github.com/glovebox-dev/glovebox/py"
	"github.com/glovebox-dev/glovebox/value"
)

// maxStubs bounds the stubs of a prompt, in bytes. The prompt is paid for at every
// turn; this is about 4,000 tokens, or 50 tools with a paragraph each. Above that
// it is cheaper to look for the few tools that are needed.
const maxStubs = 16 << 10

// The bounds of what a search shows.
const (
	maxFound   = 20  // tools
	maxSummary = 500 // bytes of the signature of one, and of the line about it
)

// catalog is where code finds tools that the prompt does not have. It knows
// nothing else, so its answers need no journal to be the same again. A nil one is
// that of an agent whose prompt has all tools.
type catalog struct {
	tools []py.Tool
	index toolsearch.Index
}

// catalogOf returns the catalog of tools, or nil if their stubs fit the prompt.
func catalogOf(tools []py.Tool) *catalog {
	size := 0
	for _, t := range tools {
		size += len(t.Stub()) + 1
	}
	if size <= maxStubs {
		return nil
	}
	return &catalog{slices.Clone(tools), toolsearch.Of(len(tools), func(i int) (name, doc string) { return tools[i].Name, tools[i].Doc })}
}

// inCatalog reports whether a name is that of a function of catalogs.
func inCatalog(name string) bool { return name == toolsearch.Search || name == toolsearch.Describe }

func (c *catalog) functions() []py.Tool {
	if c == nil {
		return nil
	}
	text := value.Type{Kind: value.KindStr}
	return []py.Tool{
		{Name: toolsearch.Search, Doc: "Returns the tools with any of these words in their names or descriptions, the best first, as text to print.", Params: []py.Param{{Name: "query", Type: text}}, Result: text},
		{Name: toolsearch.Describe, Doc: "Returns the signature and the whole description of a tool, as text to print.", Params: []py.Param{{Name: "name", Type: text}}, Result: text},
	}
}

// rules tell a model that it has more tools than the prompt shows.
func (c *catalog) rules() string {
	if c == nil {
		return ""
	}
	return fmt.Sprintf("\nThere are %d tools more, too many to list here. Find them with print(%s(\"words\")), read about one with print(%s(\"name\")), "+
		"and call it by its name as any function. Searching costs no call.\n", len(c.tools), toolsearch.Search, toolsearch.Describe)
}

// answer answers a call of a function of the catalog; ok says that it is one.
func (c *catalog) answer(call py.Call) (result py.Result, ok bool) {
	if c == nil || !inCatalog(call.Tool) {
		return result, false
	}
	asked, _ := call.Args[0].(string)
	if call.Tool == toolsearch.Search {
		return py.Return(call.ID, c.search(asked)), true
	}
	text, ok := c.describe(asked)
	if !ok {
		return py.Raise(call.ID, "ValueError", text), true
	}
	return py.Return(call.ID, text), true
}

// search lists the tools that a query finds, one a line.
func (c *catalog) search(query string) string {
	found := c.index.Find(query)
	if len(found) == 0 {
		return fmt.Sprintf("No tool has any of these words. There are %d tools: try other words, or \"\" for the first ones.", len(c.tools))
	}
	var b strings.Builder
	for _, i := range found[:min(len(found), maxFound)] {
		b.WriteString(summary(&c.tools[i]) + "\n")
	}
	if left := len(found) - maxFound; left > 0 {
		fmt.Fprintf(&b, "%d more are not shown; use other words.\n", left)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func summary(t *py.Tool) string {
	line, _, _ := strings.Cut(strings.TrimSpace(t.Doc), "\n")
	text := value.Shorten(t.Signature(), maxSummary)
	if line = strings.TrimSpace(line); line == "" {
		return text
	}
	return text + "  # " + value.Shorten(line, maxSummary)
}

// describe returns the stub of a tool, or what is wrong with its name.
func (c *catalog) describe(name string) (text string, ok bool) {
	i := slices.IndexFunc(c.tools, func(t py.Tool) bool { return t.Name == name })
	if i < 0 {
		return c.unknown(name), false
	}
	text = clip(c.tools[i].Stub())
	if handled(&c.tools[i]) {
		text += "\n# File, Dir and DataFrame are handles: pass them from tool to tool; they cannot be read here."
	}
	return text, true
}

func handled(t *py.Tool) bool {
	return t.Result.Files() || slices.ContainsFunc(t.Params, func(p py.Param) bool { return p.Type.Files() })
}

// maxNear is how many names an error suggests.
const maxNear = 5

// unknown says which tools a wrong name may mean: by its spelling, and by its words.
func (c *catalog) unknown(name string) string {
	message := "there is no tool " + value.Quote(name)
	name = value.Shorten(name, maxSummary)
	var near []string
	if meant := value.Nearest(name, c.names()); meant != "" {
		near = append(near, meant)
	}
	if words := strings.NewReplacer("_", " ", ".", " ", "-", " ").Replace(name); strings.TrimSpace(words) != "" {
		for _, i := range c.index.Find(words) {
			if len(near) < maxNear && !slices.Contains(near, c.tools[i].Name) {
				near = append(near, c.tools[i].Name)
			}
		}
	}
	if len(near) == 0 {
		return message + "; find tools with " + toolsearch.Search + "(query)"
	}
	return message + "; there are " + strings.Join(near, ", ") + ", and " + toolsearch.Search + "(query) finds others"
}

func (c *catalog) names() []string {
	names := make([]string, len(c.tools))
	for i, t := range c.tools {
		names[i] = t.Name
	}
	return names
}
