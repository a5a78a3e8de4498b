package client

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/glovebox-dev/glovebox/api"
)

// TestMain is an MCP server on its standard streams if a test started it as one.
func TestMain(m *testing.M) {
	if os.Getenv("BE_A_SERVER") == "" {
		os.Exit(m.Run())
	}
	s := mcp.NewServer(&mcp.Implementation{Name: "host", Version: "1"}, nil)
	mcp.AddTool(s, &mcp.Tool{Name: "variables"}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: strings.Join(os.Environ(), "\n")}}}, nil, nil
	})
	mcp.AddTool(s, &mcp.Tool{Name: "child"}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
		child := exec.Command("sleep", "1000")
		if err := child.Start(); err != nil {
			return nil, nil, err
		}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: strconv.Itoa(child.Process.Pid)}}}, nil, nil
	})
	_ = s.Run(context.Background(), &mcp.StdioTransport{})
}

// onHost is a server whose program is this test.
func onHost(t *testing.T) api.MCPServer {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return api.MCPServer{Name: "host", Command: []string{program}, Host: true, Env: map[string]string{"BE_A_SERVER": "1"}, Secrets: []api.SecretRef{{Name: "T", Env: "TOKEN"}}}
}

// said calls a tool that answers with text.
func said(t *testing.T, r *Runner, server api.MCPServer, tool string) string {
	t.Helper()
	c, err := r.acquire(t.Context(), "root", server)
	if err != nil {
		t.Fatal(err)
	}
	defer r.release(c)
	answer, err := c.call(t.Context(), tool, []byte("{}"), nil)
	if err != nil {
		t.Fatal(err)
	}
	return answer.Content[0].(*mcp.TextContent).Text
}

// TestProgramsOnTheHost: they run where the owner of the machine allows it, with few
// of its variables, and end with their children.
func TestProgramsOnTheHost(t *testing.T) {
	server := onHost(t)
	refused := New(Config{Secret: func(string) ([]byte, error) { return []byte(secretToken), nil }})
	if _, err := refused.ListMCPTools(t.Context(), server); err == nil || api.AsError(err).Code != api.InvalidTask || !strings.Contains(api.AsError(err).Hint, "GLOVEBOX_MCP_PROGRAMS=host") {
		t.Fatal(err)
	}
	t.Setenv("OF_THE_OWNER", "private")
	r := New(Config{Secret: refused.config.Secret, HostPrograms: true})
	defer r.Close()
	variables := "\n" + said(t, r, server, "variables") + "\n"
	if strings.Contains(variables, "OF_THE_OWNER") || !strings.Contains(variables, "\nTOKEN="+secretToken+"\n") || !strings.Contains(variables, "\nPATH=") {
		t.Error(variables)
	}
	child, err := strconv.Atoi(said(t, r, server, "child"))
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	for deadline := time.Now().Add(time.Minute); !ended(child); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("process %d of the program lives on", child)
		}
	}
}

// ended reports whether a process is gone, or waits for its parent to learn of it.
func ended(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return true
	}
	stat, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	return err != nil || strings.Contains(string(stat), ") Z ") || strings.Contains(string(stat), ") X ")
}

func TestWhatNoHostProgramIs(t *testing.T) {
	r := New(Config{HostPrograms: true})
	for want, change := range map[string]func(*api.MCPServer){
		"an image or a network":  func(s *api.MCPServer) { s.Network.Public = true },
		"a relative path":        func(s *api.MCPServer) { s.Command = []string{"bin/server"} },
		"a file":                 func(s *api.MCPServer) { s.Secrets[0].Env = "" },
		"secrets of the program": func(s *api.MCPServer) { s.Token = "T" },
	} {
		server := onHost(t)
		change(&server)
		if err := r.checkServer(server); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	server := api.MCPServer{Name: "x", Command: []string{"no-such-program"}, Host: true}
	if _, err := r.ListMCPTools(t.Context(), server); err == nil || api.AsError(err).Code != api.MCPUnavailable || !strings.Contains(err.Error(), "start its program on the host") {
		t.Error(err)
	}
	for value, want := range map[string]bool{"": false, "host": true} {
		if got, err := HostPrograms(value); err != nil || got != want {
			t.Errorf("%q: %t, %v", value, got, err)
		}
	}
	if _, err := HostPrograms("yes"); err == nil {
		t.Error("yes is taken")
	}
}
