package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/spf13/cobra"
)

// mcpClient is a program that can start the MCP server, and the file that tells it
// to.
type mcpClient struct {
	name string
	file string // below the home of the user, or below the project with project
	key  string // of the object of servers
	toml bool
	// moved is the variable by which the user has the client keep the file elsewhere: in
	// the directory that it names, below inside.
	moved, inside string
	// project says that the file belongs to the directory of a project.
	project bool
	// env is for a client that keeps variables from the servers which it starts.
	env map[string]string
}

// mcpClients are those that glovebox mcp install knows.
var mcpClients = []mcpClient{
	{name: "claude", file: ".claude.json", key: "mcpServers", moved: "CLAUDE_CONFIG_DIR", inside: ".claude.json"},
	{name: "codex", file: ".codex/config.toml", key: "mcp_servers", toml: true, moved: "CODEX_HOME", inside: "config.toml"},
	{name: "cursor", file: ".cursor/mcp.json", key: "mcpServers"},
	{name: "vscode", file: ".vscode/mcp.json", key: "servers", project: true},
	{
		name: "gemini", file: ".gemini/settings.json", key: "mcpServers", env: map[string]string{tokenVariable: "$" + tokenVariable},
		moved: "GEMINI_CLI_HOME", inside: ".gemini/settings.json",
	},
}

// mcpVariables are those that Codex, which gives servers few variables, has to hand
// on: they say which server and which home glovebox mcp uses.
var mcpVariables = []string{serverVariable, tokenVariable, "GLOVEBOX_HOME"}

// mcpPatience is how long Codex has to wait for a tool, in seconds: it gives up sooner
// by itself, and an image that has to be made first takes minutes.
const mcpPatience = 600

// mcpEntry is how a client starts the server.
type mcpEntry struct {
	Type    string            `json:"type"`
	Command string            `json:"command"`
	Args    []string          `json:"args"`
	Env     map[string]string `json:"env,omitempty"`
}

func (c *cli) mcpInstallCommand() *cobra.Command {
	var onlyPrint bool
	var names []string
	for _, client := range mcpClients {
		names = append(names, client.name)
	}
	cmd := &cobra.Command{
		Use: "install CLIENT", Short: "Add the MCP server to the configuration of a client", Args: cobra.ExactArgs(1), ValidArgs: names,
		Long: "Add the MCP server to the configuration of a client: " + strings.Join(names, ", ") + ".\n" +
			"That of vscode is the one of the project in the working directory, the others are\n" +
			"those of the user. All else in the file stays; a file that cannot be read as what\n" +
			"it should be is left alone.",
		Example: "  glovebox mcp install claude\n  glovebox mcp install codex --print",
		RunE: func(_ *cobra.Command, args []string) error {
			i := slices.IndexFunc(mcpClients, func(client mcpClient) bool { return client.name == args[0] })
			if i < 0 {
				return usage("there is no client %q", args[0]).hint("give one of %s; others start: glovebox mcp", strings.Join(names, ", "))
			}
			return c.installMCP(mcpClients[i], onlyPrint)
		},
	}
	cmd.Flags().BoolVar(&onlyPrint, "print", false, "print the entry and the file that it belongs to, and write nothing")
	return cmd
}

func (c *cli) installMCP(client mcpClient, onlyPrint bool) error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	path, err := client.path()
	if err != nil {
		return err
	}
	entry := mcpEntry{Type: "stdio", Command: program, Args: []string{"mcp"}, Env: client.env}
	if onlyPrint {
		text, err := client.add(nil, entry)
		if err == nil {
			_, err = fmt.Fprintf(c.Out, "%s:\n%s", path, text)
		}
		return err
	}
	before, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	after, err := client.add(before, entry)
	if err != nil {
		return usage("%s is left as it is: %s", path, err).hint("add the entry by hand: glovebox mcp install %s --print", client.name)
	}
	if err := replaceFile(path, after); err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.Err, "glovebox: %s starts it from now on (%s)\n", client.name, visible(path))
	return err
}

func (m mcpClient) path() (string, error) {
	if m.project {
		return filepath.Abs(m.file)
	}
	if dir := os.Getenv(m.moved); m.moved != "" && dir != "" {
		return filepath.Abs(filepath.Join(dir, filepath.FromSlash(m.inside)))
	}
	dir, err := os.UserHomeDir()
	return filepath.Join(dir, filepath.FromSlash(m.file)), err
}

// add returns a configuration with the entry. What is there keeps its place and its
// words: comments of TOML stay, and so does the order of JSON.
func (m mcpClient) add(before []byte, entry mcpEntry) ([]byte, error) {
	if m.toml {
		return m.addTOML(before, entry)
	}
	return m.addJSON(before, entry)
}

func (m mcpClient) addTOML(before []byte, entry mcpEntry) ([]byte, error) {
	var known map[string]any
	if err := toml.Unmarshal(before, &known); err != nil {
		return nil, err
	}
	servers, ok := known[m.key].(map[string]any)
	if known[m.key] != nil && !ok {
		return nil, fmt.Errorf("%s is no table", m.key)
	}
	if servers["glovebox"] != nil {
		return nil, fmt.Errorf("it has an entry [%s.glovebox] already", m.key)
	}
	var b bytes.Buffer
	if before = bytes.TrimRight(before, "\n"); len(before) > 0 {
		fmt.Fprintf(&b, "%s\n\n", before)
	}
	fmt.Fprintf(&b, "[%s.glovebox]\ncommand = %q\nargs = [\"mcp\"]\nenv_vars = [\"%s\"]\ntool_timeout_sec = %d\n",
		m.key, entry.Command, strings.Join(mcpVariables, `", "`), mcpPatience)
	return b.Bytes(), toml.Unmarshal(b.Bytes(), &known)
}

func (m mcpClient) addJSON(before []byte, entry mcpEntry) ([]byte, error) {
	if len(bytes.TrimSpace(before)) == 0 {
		before = []byte("{}")
	}
	file, err := readObject(before)
	if err != nil {
		return nil, fmt.Errorf("it cannot be read as JSON: %w", err)
	}
	servers := &jsonObject{values: map[string]json.RawMessage{}}
	if text, ok := file.values[m.key]; ok {
		if servers, err = readObject(text); err != nil {
			return nil, fmt.Errorf("%s is no object: %w", m.key, err)
		}
	}
	text, err := json.Marshal(entry)
	if err != nil {
		return nil, err
	}
	servers.set("glovebox", text)
	file.set(m.key, servers.text())
	var b bytes.Buffer
	err = json.Indent(&b, file.text(), "", "  ")
	return append(b.Bytes(), '\n'), err
}

// jsonObject is an object whose members keep their order and their text.
type jsonObject struct {
	names  []string
	values map[string]json.RawMessage
}

func readObject(text []byte) (*jsonObject, error) {
	o := &jsonObject{}
	if err := json.Unmarshal(text, &o.values); err != nil {
		return nil, err
	}
	if o.values == nil {
		return nil, errors.New("it is null")
	}
	d := json.NewDecoder(bytes.NewReader(text))
	_, _ = d.Token() // the brace: Unmarshal has read all of it
	for d.More() {
		name, _ := d.Token()
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, err
		}
		if word := fmt.Sprint(name); !slices.Contains(o.names, word) {
			o.names = append(o.names, word)
		}
	}
	return o, nil
}

func (o *jsonObject) set(name string, value json.RawMessage) {
	if _, ok := o.values[name]; !ok {
		o.names = append(o.names, name)
	}
	o.values[name] = value
}

func (o *jsonObject) text() json.RawMessage {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, name := range o.names {
		if i > 0 {
			b.WriteByte(',')
		}
		key, _ := json.Marshal(name) // a string
		b.Write(key)
		b.WriteByte(':')
		b.Write(o.values[name])
	}
	b.WriteByte('}')
	return b.Bytes()
}

// replaceFile writes a file so that it is never half there. A link is followed, and
// the permissions stay.
func replaceFile(path string, text []byte) error {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	mode := os.FileMode(0o600)
	if info, err := os.Stat(path); err == nil {
		mode = info.Mode().Perm()
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	temporary, err := os.CreateTemp(filepath.Dir(path), ".glovebox-*")
	if err != nil {
		return err
	}
	defer os.Remove(temporary.Name()) // which is gone once it is renamed
	_, err = temporary.Write(text)
	if err := errors.Join(err, temporary.Chmod(mode), temporary.Sync(), temporary.Close()); err != nil {
		return err
	}
	return os.Rename(temporary.Name(), path)
}
