package client

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"syscall"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/glovebox-dev/glovebox/api"
)

// passed are the variables of this process that a program on the host gets. All
// others may hold what is none of its business.
var passed = []string{"PATH", "HOME", "USER", "LANG", "LC_ALL", "TZ", "TMPDIR"}

// hostProgram starts the program of a server on this machine, which its owner has to
// have allowed for this process. It is the leader of a process group, which ends with
// the connection; where this process dies, the end of its input tells it.
func (r *Runner) hostProgram(c *connection, server api.MCPServer) (mcp.Transport, error) {
	if !r.config.HostPrograms {
		return nil, errNotAllowed()
	}
	env, err := r.hostEnv(c, server)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(server.Command[0], server.Command[1:]...)
	cmd.Env, cmd.SysProcAttr = env, &syscall.SysProcAttr{Setpgid: true}
	input, err := cmd.StdinPipe()
	if err != nil {
		return nil, api.Errorf(api.MCPUnavailable, "MCP server %s: %w", label(server), err)
	}
	output, err := cmd.StdoutPipe()
	if err != nil {
		return nil, api.Errorf(api.MCPUnavailable, "MCP server %s: %w", label(server), err)
	}
	if err := cmd.Start(); err != nil {
		return nil, api.Errorf(api.MCPUnavailable, "MCP server %s: start its program on the host: %w", label(server), err).
			WithHint("name a program that is installed on this machine; it is looked for in PATH")
	}
	c.end = sync.OnceFunc(func() {
		_ = input.Close()                                   // which asks it to end
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // the group has ended already if this fails
		_ = cmd.Wait()                                      // how it ended says nothing
	})
	return &mcp.IOTransport{Reader: output, Writer: input, MaxLineLength: maxMessage}, nil
}

// hostEnv are the variables of a program on the host: a few of this process, and
// those of the server. Errors do not show its secrets.
func (r *Runner) hostEnv(c *connection, server api.MCPServer) ([]string, error) {
	var env []string
	for _, name := range passed {
		if v, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+v)
		}
	}
	for name, v := range server.Env {
		env = append(env, name+"="+v)
	}
	var hidden [][]byte
	for _, s := range server.Secrets {
		stored, err := r.config.Secret(s.Name)
		if err != nil {
			return nil, err
		}
		if slices.Contains(stored, 0) {
			return nil, api.Errorf(api.SecretUnreadable, "secret %q has a NUL in it and cannot be a variable", s.Name)
		}
		hidden = append(hidden, stored)
		env = append(env, s.Env+"="+string(stored))
	}
	c.redactor = r.redactors.Of(hidden...)
	return env, nil
}

// checkHostProgram refuses what a program on the host cannot have.
func (r *Runner) checkHostProgram(s api.MCPServer) error {
	switch {
	case !r.config.HostPrograms:
		return errNotAllowed()
	case !s.Network.None() || s.Image.Ref != "" || s.Image.Base != "" || len(s.Image.Packages) > 0:
		return api.WrongField("mcp.server", "a program on the host with an image or a network", "neither: it has those of the host")
	case !filepath.IsAbs(s.Command[0]) && filepath.Base(s.Command[0]) != s.Command[0]:
		return api.WrongField("mcp.server.command", "a relative path", "a name that is in PATH, or an absolute path")
	case slices.ContainsFunc(s.Secrets, func(ref api.SecretRef) bool { return ref.Env == "" }):
		return api.WrongField("mcp.server.secrets", "a file", "variables: a program on the host has no /run/secrets")
	case slices.ContainsFunc(s.Secrets, api.SecretRef.Withheld):
		return api.WrongField("mcp.server.secrets", "hosts", "none: a program on the host has no proxy that could withhold a secret")
	}
	return nil
}

// HostProgramsVariable is the variable by which the owner of a machine allows a
// process to start programs of MCP servers outside of cells.
const HostProgramsVariable = "GLOVEBOX_MCP_PROGRAMS"

// ErrHostPrograms is a value of the variable that is none.
var ErrHostPrograms = errors.New(HostProgramsVariable + ` is neither empty nor "host"`)

// HostPrograms reads the variable.
func HostPrograms(value string) (bool, error) {
	switch value {
	case "":
		return false, nil
	case "host":
		return true, nil
	}
	return false, ErrHostPrograms
}

func errNotAllowed() *api.Error {
	return api.WrongField("mcp.server.host", "true, with a command", "a command that runs in a session, unless the owner of the machine allows programs on it").
		WithHint("leave host out; or start this process, or the server, with %s=host; or start the program yourself with a transport of HTTP, and name its url with host: true", HostProgramsVariable)
}
