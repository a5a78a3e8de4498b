package cli

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/glovebox-dev/glovebox/api"
)

func (c *cli) deployCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "deploy FILE.yaml", Short: "Keep the tasks of a file in versions, to be started by name", Args: cobra.ExactArgs(1),
		Long: "Keep the tasks of a file in versions, to be started by name. A version never\n" +
			"changes. A task that is the same as its newest version gets no new one; after a\n" +
			"rollback that version is current again. With a name in the file, its tasks are\n" +
			"called NAME.TASK, and together they are the environment NAME.",
		Example: "  glovebox deploy stats.yaml\n  glovebox start stats.pipeline -i n=10",
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.with(cmd.Context(), func(service api.Service) error {
				file, err := readTasks(cmd.Context(), args[0], service)
				if err != nil {
					return err
				}
				versions, err := service.Deploy(cmd.Context(), file.Deployment())
				if err != nil {
					return err
				}
				if len(file.Schedules) > 0 {
					c.noteNoServer(schedulesNeed)
				}
				if len(file.Hooks) > 0 {
					c.noteNoServer(hooksNeed)
				}
				if slices.ContainsFunc(file.Tasks, func(t api.Task) bool { return len(t.Notify) > 0 }) {
					c.noteNoServer(notifyNeed)
				}
				return c.printDeployed(asJSON, versions)
			})
		},
	}
	jsonFlag(cmd, &asJSON)
	return cmd
}

func (c *cli) printDeployed(asJSON bool, versions []api.TaskVersion) error {
	for _, v := range versions {
		for _, warning := range v.Warnings {
			fmt.Fprintf(c.Err, "glovebox: warning: %s: %s\n", versionName(v), visible(warning))
		}
	}
	if asJSON {
		return printJSON(c.Out, append([]api.TaskVersion{}, versions...))
	}
	t := c.table("TASK", "STATE")
	for _, v := range versions {
		state := "new"
		switch {
		case v.Restored:
			state = "current again"
		case v.Unchanged:
			state = "unchanged"
		}
		t.row(versionName(v), state)
	}
	return t.flush()
}

func versionName(v api.TaskVersion) string { return fmt.Sprintf("%s@%d", v.Name, v.Version) }
