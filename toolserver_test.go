//go:build linux

package glovebox_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/glovebox-dev/glovebox/internal/agent/modeltest"
)

// toolserver starts an MCP server with tools, which wants a token, and sets
// $TOOLS to its URL:
//
//	toolserver TOKEN
func toolserver(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: toolserver TOKEN")
	}
	tools := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return shop() }, nil)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer "+args[0] {
			http.Error(w, "no", http.StatusUnauthorized)
			return
		}
		tools.ServeHTTP(w, r)
	}))
	ts.Defer(server.Close)
	ts.Setenv("TOOLS", server.URL)
}

// shop has tools, one of which fails.
func shop() *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "shop", Version: "1"}, nil)
	type article struct {
		Article string `json:"article"`
		Pieces  int    `json:"pieces,omitempty"`
	}
	type price struct {
		Result float64 `json:"result"`
	}
	mcp.AddTool(s, &mcp.Tool{Name: "get-price", Description: "Returns the price of an article."},
		func(_ context.Context, _ *mcp.CallToolRequest, in article) (*mcp.CallToolResult, price, error) {
			return nil, price{map[string]float64{"tea": 2.5, "cake": 4}[in.Article] * float64(max(in.Pieces, 1))}, nil
		})
	s.AddTool(&mcp.Tool{Name: "close-shop", InputSchema: map[string]any{"type": "object"}}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: "we are closed"}}}, nil
	})
	return s
}

// model starts a provider of models that answers from a script, and sets $MODEL to
// its URL:
//
//	model FILE
func model(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: model FILE")
	}
	script, err := modeltest.Read(args[0], strings.NewReader(ts.ReadFile(args[0])))
	ts.Check(err)
	server := httptest.NewServer(modeltest.New(script))
	ts.Defer(server.Close)
	ts.Setenv("MODEL", server.URL+"/v1")
}

// expand replaces the variables in a file of the script:
//
//	expand FILE
func expand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: expand FILE")
	}
	text := ts.ReadFile(args[0])
	for _, name := range []string{"TOOLS", "MODEL"} {
		text = strings.ReplaceAll(text, "$"+name, ts.Getenv(name))
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o600))
}
