package client

import (
	"fmt"
	"net/url"
	"reflect"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// Bounds of a task.
const (
	maxName = 256 // bytes
	maxURL  = 2048
)

// Validate reports what is wrong with a task as far as that can be known before
// anything starts. It returns invalid_task.
func (r *Runner) Validate(task *api.Task) error {
	if task.MCP == nil {
		return api.WrongField("mcp", "missing", "the server and its tool")
	}
	if err := task.CheckForeign("a tool runs where its server does; mcp.server has what that needs", "mcp"); err != nil {
		return err
	}
	if err := task.CheckPolicy(); err != nil {
		return err
	}
	if err := checkTool(task); err != nil {
		return err
	}
	return r.checkServer(task.MCP.Server)
}

func checkTool(t *api.Task) error {
	switch m := t.MCP; {
	case m.Tool == "" || len(m.Tool) > maxName:
		return api.WrongField("mcp.tool", value.Quote(m.Tool), "the name of a tool, as its server spells it")
	case m.Answer != "" && m.Answer != api.MCPText && m.Answer != api.MCPObject && m.Answer != api.MCPResult:
		return api.WrongField("mcp.answer", value.Quote(string(m.Answer)), "text, object or result")
	case len(t.Signature.Outputs) > 1:
		return api.WrongField("signature.outputs", fmt.Sprint(len(t.Signature.Outputs)), "at most one output")
	case t.Limits.Outputs < 0 || t.Limits.OutputFiles < 0 || t.Limits.Logs < 0:
		return api.WrongField("limits", "negative", "positive numbers, or 0 for the defaults")
	}
	if err := t.Signature.Check(true); err != nil {
		return err
	}
	for _, p := range append(t.Signature.Inputs[:len(t.Signature.Inputs):len(t.Signature.Inputs)], t.Signature.Outputs...) {
		if p.Type.Files() {
			return api.WrongField("signature", p.Type.String(), "types that JSON has")
		}
	}
	return nil
}

// checkServer shows no URL, which may have a secret in it.
func (r *Runner) checkServer(s api.MCPServer) error {
	switch {
	case (s.URL == "") == (len(s.Command) == 0):
		return api.WrongField("mcp.server", "no way to a server, or two", "a url or a command")
	case len(s.Command) > 0 && s.Token != "":
		return api.WrongField("mcp.server.token", "set, with a command", "secrets of the program as variables")
	case s.Token != "" && !api.ValidSecretName(s.Token):
		return api.WrongField("mcp.server.token", "no name of a secret", "the name of a stored secret, not the token itself")
	case s.URL != "" && (len(s.Env) > 0 || len(s.Secrets) > 0 || !s.Network.None() || !reflect.ValueOf(s.Image).IsZero()):
		return api.WrongField("mcp.server", "a url with what a program has", "a url, and a token if it wants one")
	case s.URL == "" && s.Host:
		return r.checkHostProgram(s)
	case s.URL == "":
		return nil
	}
	return r.checkURL(s)
}

func (r *Runner) checkURL(s api.MCPServer) error {
	const expected = "an address such as https://host/mcp"
	u, err := url.Parse(s.URL)
	switch {
	case err != nil || len(s.URL) > maxURL || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.Fragment != "":
		return api.WrongField("mcp.server.url", "no such address", expected)
	case u.User != nil:
		return api.WrongField("mcp.server.url", "a URL with a user or a password", "one without: name a stored secret as token")
	case !s.Host && r.config.Never(u.Hostname()):
		return api.WrongField("mcp.server.url", "an address of this host or of a private network", "a public address, or host: true")
	}
	return nil
}
