package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
)

func knownClient(t *testing.T, name string) mcpClient {
	t.Helper()
	i := slices.IndexFunc(mcpClients, func(m mcpClient) bool { return m.name == name })
	if i < 0 {
		t.Fatalf("there is no client %s", name)
	}
	return mcpClients[i]
}

// TestInstallKeepsWhatIsThere adds the entry, and nothing else changes: not the
// order of JSON, nor its numbers, nor the comments of TOML.
func TestInstallKeepsWhatIsThere(t *testing.T) {
	entry := mcpEntry{Type: "stdio", Command: `/usr/bin/glove"box`, Args: []string{"mcp"}}
	before := `{"z": 12345678901234567890, "mcpServers": {"other": {"command": "x"}}, "a": [1.0, "<b>"]}`
	for range 2 { // the second time it replaces its own
		after, err := knownClient(t, "claude").add([]byte(before), entry)
		if err != nil {
			t.Fatal(err)
		}
		before = string(after)
	}
	want := `{
  "z": 12345678901234567890,
  "mcpServers": {
    "other": {
      "command": "x"
    },
    "glovebox": {
      "type": "stdio",
      "command": "/usr/bin/glove\"box",
      "args": [
        "mcp"
      ]
    }
  },
  "a": [
    1.0,
    "<b>"
  ]
}
`
	if before != want {
		t.Errorf("the file is\n%s", before)
	}
	config := "# mine\nmodel = \"m\" # best\n\n[mcp_servers.other]\ncommand = \"x\""
	after, err := knownClient(t, "codex").add([]byte(config), entry)
	if err != nil || !strings.HasPrefix(string(after), config+"\n\n") {
		t.Fatalf("the file is\n%s, %v", after, err)
	}
	var read struct {
		Servers map[string]mcpEntry `toml:"mcp_servers"`
	}
	if err := toml.Unmarshal(after, &read); err != nil || read.Servers["glovebox"].Command != entry.Command || read.Servers["other"].Command != "x" {
		t.Errorf("the servers are %+v, %v", read, err)
	}
}

// TestInstallLeavesAlone what it cannot read, and an entry of TOML that is there.
func TestInstallLeavesAlone(t *testing.T) {
	for name, files := range map[string][]string{
		"claude": {"{", "[]", "null", `{"mcpServers": []}`, "{} // comment"},
		"codex":  {"= 1", "mcp_servers = 1", "[mcp_servers.glovebox]\ncommand = \"y\""},
	} {
		for _, before := range files {
			if after, err := knownClient(t, name).add([]byte(before), mcpEntry{}); err == nil {
				t.Errorf("%s: %q became %q", name, before, after)
			}
		}
	}
}

// TestInstallHandsOn the variables that say which server is used, to clients that
// keep them from the servers they start.
func TestInstallHandsOn(t *testing.T) {
	var out strings.Builder
	c := &cli{Streams: Streams{Out: &out}}
	for name, words := range map[string]string{
		"codex":  `env_vars = ["GLOVEBOX_URL", "GLOVEBOX_TOKEN", "GLOVEBOX_HOME"]`,
		"gemini": `"GLOVEBOX_TOKEN": "$GLOVEBOX_TOKEN"`,
	} {
		out.Reset()
		if err := c.installMCP(knownClient(t, name), true); err != nil || !strings.Contains(out.String(), words) {
			t.Errorf("%s: printed %s, %v", name, out.String(), err)
		}
	}
}

// TestInstall writes where each client looks.
func TestInstall(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	for _, moved := range []string{"CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME"} {
		t.Setenv(moved, "")
	}
	t.Chdir(t.TempDir())
	for _, client := range mcpClients {
		var out, errs strings.Builder
		c := &cli{Streams: Streams{Out: &out, Err: &errs}}
		if err := c.installMCP(client, true); err != nil || !strings.Contains(out.String(), "glovebox") {
			t.Errorf("%s: printed %q, %v", client.name, out.String(), err)
		}
		path, _ := client.path()
		if _, err := os.Stat(path); err == nil {
			t.Errorf("%s: --print wrote %s", client.name, path)
		}
		if err := c.installMCP(client, false); err != nil {
			t.Errorf("%s: %v", client.name, err)
		}
		text, err := os.ReadFile(path)
		if err != nil || !strings.Contains(string(text), client.key) || !client.toml && !json.Valid(text) {
			t.Errorf("%s: the file is %q, %v", client.name, text, err)
		}
	}
	if _, err := os.Stat(filepath.Join(".vscode", "mcp.json")); err != nil {
		t.Error(err)
	}
	for name, moved := range map[string][2]string{
		"claude": {"CLAUDE_CONFIG_DIR", ".claude.json"}, "codex": {"CODEX_HOME", "config.toml"}, "gemini": {"GEMINI_CLI_HOME", ".gemini/settings.json"},
	} {
		elsewhere := t.TempDir()
		t.Setenv(moved[0], elsewhere)
		if err := (&cli{Streams: Streams{Err: &strings.Builder{}}}).installMCP(knownClient(t, name), false); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(filepath.Join(elsewhere, filepath.FromSlash(moved[1]))); err != nil {
			t.Error(err)
		}
	}
	broken := filepath.Join(home, ".cursor", "mcp.json")
	if err := os.WriteFile(broken, []byte("{broken"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := (&cli{}).installMCP(knownClient(t, "cursor"), false); err == nil || !strings.Contains(err.Error(), "is left as it is") {
		t.Errorf("a broken file gave %v", err)
	}
	if text, _ := os.ReadFile(broken); string(text) != "{broken" {
		t.Errorf("the broken file became %q", text)
	}
}
