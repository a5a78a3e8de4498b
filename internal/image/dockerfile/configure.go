package dockerfile

import (
	"github.com/moby/buildkit/frontend/dockerfile/instructions"

	"github.com/glovebox-dev/glovebox/internal/oci"
)

// configure applies an instruction that changes the configuration alone.
func (st *state) configure(c instructions.Command) error {
	switch c := c.(type) {
	case *instructions.EnvCommand:
		for _, e := range c.Env {
			st.setEnv(e.Key, e.Value)
		}
	case *instructions.LabelCommand:
		for _, l := range c.Labels {
			setKey(&st.config.Labels, l.Key, l.Value)
		}
	case *instructions.CmdCommand:
		st.config.Cmd, st.cmdSet = st.commandLine(c.ShellDependantCmdLine), true
	case *instructions.EntrypointCommand:
		st.config.Entrypoint = st.commandLine(c.ShellDependantCmdLine)
		if !st.cmdSet {
			st.config.Cmd = nil
		}
	case *instructions.UserCommand:
		st.config.User = c.User
	case *instructions.VolumeCommand:
		for _, v := range c.Volumes {
			if v == "" {
				return problem(c.Location(), "VOLUME has an empty path")
			}
			setKey(&st.config.Volumes, v, struct{}{})
		}
	case *instructions.ExposeCommand:
		return st.expose(c)
	case *instructions.StopSignalCommand:
		st.config.StopSignal = c.Signal
	case *instructions.ShellCommand:
		st.config.Shell = c.Shell
	case *instructions.HealthCheckCommand:
		h := oci.Healthcheck(*c.Health)
		st.config.Healthcheck = &h
	case *instructions.OnbuildCommand:
		st.config.OnBuild = append(st.config.OnBuild, c.Expression)
	case *instructions.MaintainerCommand: // an author, whom nothing here asks for
	default:
		return problem(c.Location(), "%s is not supported", c.Name())
	}
	return nil
}

func setKey[V any](m *map[string]V, key string, value V) {
	if *m == nil {
		*m = map[string]V{}
	}
	(*m)[key] = value
}

func (st *state) commandLine(c instructions.ShellDependantCmdLine) []string {
	if c.PrependShell {
		return st.withShell(c.CmdLine)
	}
	return c.CmdLine
}
