package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/agent/box"
)

const shellHelp = `Open a shell in a cell.

  glovebox shell [flags]            a new session, killed at the end of the shell
  glovebox shell --pause [flags]    the same, but paused, and its id printed
  glovebox shell SESSION            a session that is there
  glovebox shell --agent NAME       a coding agent in place of a shell, see below

Without a server the session lives in this process, so a session that is there is
a paused one, and is paused again at the end. On a server, one that was running
stays so.

With --agent a coding agent works on a copy of the project, which is the working
directory or --project. What git ignores stays here, and so do .git and links that
lead out. The agent reaches its model and what --network names, and nothing else.
At the end its changes are shown, and made here as far as you accept them: asked
on a terminal, all of them with --yes, none otherwise. A file that was changed here
meanwhile is left. With --prompt the agent does that and ends, without a terminal.
The key of the model is a stored secret, called as the variable of the agent or as
--key says. This host asks the model and adds the key: it is not in the cell.

Agents: claude (Claude Code), codex (Codex CLI). NAME@VERSION takes another version
of its package.`

func (c *cli) shellCommand() *cobra.Command {
	var f sessionFlags
	var agent agentShell
	var pause bool
	cmd := &cobra.Command{
		Use: "shell [SESSION] [flags]", Short: "Open a shell in a cell", Long: shellHelp, Args: cobra.MaximumNArgs(1), ValidArgsFunction: c.completeSession(),
		Example: "  glovebox shell -p numpy --network public\n  glovebox shell --pause\n  glovebox shell --agent claude\n" +
			"  glovebox shell --agent claude --prompt 'Add a test for the parser' --yes",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 && cmd.Flags().NFlag() > 0 {
				return usage("%s is a session that is there, and the flags describe a new one", args[0]).hint("give one of them")
			}
			spec, err := f.spec()
			if err != nil {
				return err
			}
			if agent.name != "" {
				agent.limits(cmd, &spec)
				return c.withSessions(cmd.Context(), func(s api.Sessions) error { return c.shellAgent(cmd.Context(), s, &agent, spec, pause) })
			}
			if flag := agent.stray(cmd); flag != "" {
				return usage("--%s is for an agent, and there is none", flag).hint("name one with --agent: %s", strings.Join(box.Names(), ", "))
			}
			return c.withSessions(cmd.Context(), func(s api.Sessions) error {
				if len(args) > 0 {
					return c.shellIn(cmd.Context(), s, args[0])
				}
				return c.shellInNew(cmd.Context(), s, spec, pause)
			})
		},
	}
	f.register(c, cmd)
	agent.register(c, cmd)
	cmd.Flags().BoolVar(&pause, "pause", false, "pause the session at the end, and print its id")
	return cmd
}

func (c *cli) shellInNew(ctx context.Context, s api.Sessions, spec api.SessionSpec, pause bool) error {
	made, err := c.start(ctx, s, spec)
	if err != nil {
		return err
	}
	ended := c.openShell(ctx, s, made.ID)
	last, stop := context.WithTimeout(context.WithoutCancel(ctx), lastPatience)
	defer stop()
	if !pause {
		return errors.Join(ended, s.KillSession(last, made.ID))
	}
	return errors.Join(ended, c.pauseAgain(last, s, made.ID))
}

// shellIn opens a shell in a session, and pauses it again if it was paused.
func (c *cli) shellIn(ctx context.Context, s api.Sessions, name string) error {
	id, err := sessionID(ctx, s, name)
	if err != nil {
		return err
	}
	before, err := s.Session(ctx, id)
	if err != nil {
		return err
	}
	if before.State == api.SessionPaused {
		if _, err := s.ResumeSession(ctx, id); err != nil {
			return err
		}
	}
	ended := c.openShell(ctx, s, id)
	if before.State != api.SessionPaused {
		return ended
	}
	last, stop := context.WithTimeout(context.WithoutCancel(ctx), lastPatience)
	defer stop()
	return errors.Join(ended, c.pauseAgain(last, s, id))
}

func (c *cli) pauseAgain(ctx context.Context, s api.Sessions, id string) error {
	if _, err := s.PauseSession(ctx, id, api.PauseOptions{FilesOnly: true}); err != nil {
		return err
	}
	_, err := fmt.Fprintf(c.Err, "glovebox: session %s is paused; continue it with: glovebox shell %s\n", id, id)
	return err
}

func (c *cli) openShell(ctx context.Context, s api.Sessions, id string) error {
	return c.execute(ctx, s, id, api.ProcessSpec{Argv: shellCommand, Env: map[string]string{}}, inputTerminal(c.In) >= 0)
}
