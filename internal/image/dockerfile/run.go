package dockerfile

import (
	"path"
	"slices"
	"strings"

	"github.com/moby/buildkit/frontend/dockerfile/instructions"
	"github.com/moby/buildkit/frontend/dockerfile/parser"
)

func (st *state) run(c *instructions.RunCommand) error {
	network := instructions.GetNetwork(c)
	if network == instructions.NetworkHost {
		return problem(c.Location(), "RUN --network=host is not supported: a build has no network but that of its cell")
	}
	if len(instructions.GetDevices(c)) > 0 {
		return problem(c.Location(), "RUN --device is not supported")
	}
	run := &Run{Env: slices.Clone(st.env.list), Dir: st.config.WorkingDir, User: st.config.User, NoNetwork: network == instructions.NetworkNone}
	if err := st.runCommand(c, run); err != nil {
		return err
	}
	for _, m := range instructions.GetMounts(c) {
		mount, err := st.mount(c, m)
		if err != nil {
			return err
		}
		run.Mounts = append(run.Mounts, mount)
	}
	st.do(c, runText(c), Step{Run: run})
	return nil
}

// runText shows what is run in one line, for people.
func runText(c *instructions.RunCommand) string {
	if len(c.Files) == 0 {
		return c.String()
	}
	return c.String() + " " + c.Files[0].Data
}

// runCommand says which program a RUN starts. A heredoc alone is the text for
// the shell, or a program if it begins with #!; beside a command, the shell
// reads it as what it is.
func (st *state) runCommand(c *instructions.RunCommand, run *Run) error {
	words := c.CmdLine
	if len(c.Files) == 0 {
		if len(words) == 0 {
			return problem(c.Location(), "RUN has no command")
		}
		run.Argv = st.commandLine(c.ShellDependantCmdLine)
		return nil
	}
	if len(words) != 1 || !c.PrependShell {
		return problem(c.Location(), "RUN has a heredoc beside a list of words")
	}
	if parser.MustParseHeredoc(words[0]) == nil {
		text := words[0]
		for _, f := range c.Files {
			text += "\n" + f.Data + f.Name
		}
		run.Argv = st.withShell([]string{text})
		return nil
	}
	data := c.Files[0].Data
	if c.Files[0].Chomp {
		data = parser.ChompHeredocContent(data)
	}
	if strings.HasPrefix(data, "#!") {
		run.Script = &File{Name: path.Base(c.Files[0].Name), Data: data}
		run.Argv = []string{path.Join(ScriptDir, run.Script.Name)}
		return nil
	}
	run.Argv = st.withShell([]string{data})
	return nil
}

func (st *state) mount(c *instructions.RunCommand, m *instructions.Mount) (Mount, error) {
	out := Mount{Kind: MountKind(m.Type), Source: path.Clean("/" + m.Source), ID: m.CacheID, Required: m.Required}
	if m.Target != "" {
		out.Target = st.absolute(m.Target)
	}
	if m.UID != nil {
		out.UID = int(*m.UID)
	}
	if m.GID != nil {
		out.GID = int(*m.GID)
	}
	switch m.Type {
	case instructions.MountTypeSecret:
		return secretMount(m, out), nil
	case instructions.MountTypeSSH:
		return out, problem(c.Location(), "RUN --mount=type=ssh is not supported").WithHint("give a key as a secret: --mount=type=secret")
	}
	if out.Target == "" || out.Target == "/" {
		return out, problem(c.Location(), "RUN --mount=type=%s has the target %q, expected a directory below /", m.Type, m.Target)
	}
	switch m.Type {
	case instructions.MountTypeCache:
		if m.From != "" || out.Source != "/" {
			return out, problem(c.Location(), "RUN --mount=type=cache with from or source is not supported")
		}
		if out.ID == "" {
			out.ID = out.Target
		}
		out.Mode = modeOf(m, 0o755)
	case instructions.MountTypeBind:
		var err error
		out.From, err = st.stage.source(c, m.From)
		return out, err
	}
	return out, nil
}

func modeOf(m *instructions.Mount, otherwise int64) int64 {
	if m.Mode == nil {
		return otherwise
	}
	return int64(*m.Mode)
}

// secretMount is a file, a variable or both. It is called after its source or
// its target, if it has no id.
func secretMount(m *instructions.Mount, out Mount) Mount {
	out.Mode = modeOf(m, 0o400)
	if m.Source != "" {
		out.ID = m.Source
	}
	if out.ID == "" {
		out.ID = path.Base(m.Target)
	}
	if m.Env != nil {
		out.Env = *m.Env
		if out.Env == "" {
			out.Env = path.Base(out.ID)
		}
	}
	if out.Target == "" && m.Env == nil {
		out.Target = "/run/secrets/" + path.Base(out.ID)
	}
	return out
}
