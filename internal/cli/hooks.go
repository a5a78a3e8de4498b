package cli

import (
	"cmp"
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/glovebox-dev/glovebox/api"
)

const hooksHelp = `List hooks, which start deployed tasks when somebody calls them over HTTP with a
signature. A file of tasks describes them, and glovebox deploy makes them; see
docs/guides/webhooks.md.

glovebox serve answers their calls. These commands ask the server that
GLOVEBOX_URL names, or the one of this home, and work without one, too.`

func (c *cli) hooksCommand() *cobra.Command {
	var asJSON bool
	list := func(cmd *cobra.Command, _ []string) error {
		return c.withServer(cmd.Context(), func(service api.Service) error {
			hooks, err := service.Hooks(cmd.Context())
			if err != nil {
				return err
			}
			return c.printHooks(asJSON, hooks)
		})
	}
	cmd := &cobra.Command{
		Use: "hooks", Short: "List what starts deployed tasks by signed calls", Long: hooksHelp, Args: cobra.NoArgs, RunE: list,
		Example: "  glovebox hooks\n  glovebox hooks show build.push",
	}
	ls := &cobra.Command{Use: "ls", Short: "List hooks", Args: cobra.NoArgs, RunE: list}
	jsonFlag(cmd, &asJSON)
	jsonFlag(ls, &asJSON)
	cmd.AddCommand(reader(ls), reader(c.hookShow()), c.hookPause(), c.hookResume(), c.hookRemove())
	return cmd
}

const hooksNeed = "hooks are answered only"

func (c *cli) printHooks(asJSON bool, hooks []api.Hook) error {
	if len(hooks) > 0 {
		c.noteNoServer(hooksNeed)
	}
	if asJSON {
		return printJSON(c.Out, append([]api.Hook{}, hooks...))
	}
	t := c.table("HOOK", "TASK", "SIGNATURE", "SECRET", "STATE", "PATH")
	for _, h := range hooks {
		t.row(h.Name, h.Task, string(cmp.Or(h.Signature, api.HookStandard)), h.Secret, hookState(h), "/v1/hooks/"+h.Name)
	}
	return t.flush()
}

func (c *cli) hookShow() *cobra.Command {
	return &cobra.Command{
		Use: "show NAME", Short: "Print a hook as JSON, with its last calls", Args: cobra.ExactArgs(1), ValidArgsFunction: c.complete(hookNames),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.withServer(cmd.Context(), func(service api.Service) error {
				h, err := service.Hook(cmd.Context(), args[0])
				if err != nil {
					return err
				}
				return printIndented(c.Out, h)
			})
		},
	}
}

func hookState(h api.Hook) string {
	if h.Paused {
		return "paused"
	}
	return "active"
}

func (c *cli) hookPause() *cobra.Command {
	return c.hookChange("pause NAME", "Keep a hook from starting anything until it is resumed", api.Service.PauseHook)
}

func (c *cli) hookResume() *cobra.Command {
	return c.hookChange("resume NAME", "Have a hook start runs again", api.Service.ResumeHook)
}

func (c *cli) hookChange(use, short string, change func(api.Service, context.Context, string) (*api.Hook, error)) *cobra.Command {
	return &cobra.Command{
		Use: use, Short: short, Args: cobra.ExactArgs(1), ValidArgsFunction: c.complete(hookNames),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.withServer(cmd.Context(), func(service api.Service) error {
				h, err := change(service, cmd.Context(), args[0])
				if err != nil {
					return err
				}
				_, err = fmt.Fprintf(c.Out, "%s: %s\n", visible(h.Name), hookState(*h))
				return err
			})
		},
	}
}

func (c *cli) hookRemove() *cobra.Command {
	return &cobra.Command{
		Use: "rm NAME", Short: "Forget a hook; its runs stay", Args: cobra.ExactArgs(1), ValidArgsFunction: c.complete(hookNames),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.withServer(cmd.Context(), func(service api.Service) error {
				if err := service.RemoveHook(cmd.Context(), args[0]); err != nil {
					return err
				}
				_, err := fmt.Fprintf(c.Out, "%s: removed\n", visible(args[0]))
				return err
			})
		},
	}
}

func hookNames(ctx context.Context, service api.Service) ([]string, error) {
	hooks, err := service.Hooks(ctx)
	names := make([]string, len(hooks))
	for i, h := range hooks {
		names[i] = h.Name
	}
	return names, err
}
