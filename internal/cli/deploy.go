package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/taskfile"
)

func (c *cli) deployCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "deploy FILE.yaml", Short: "Keep the tasks of a file in versions, to be started by name", Args: cobra.ExactArgs(1),
		Long: "Keep the tasks of a file in versions, to be started by name. A version never\n" +
			"changes; a task that is the same as its newest version gets no new one. With a\n" +
			"name in the file, its tasks are called NAME.TASK, and together they are the\n" +
			"environment NAME.",
		Example: "  glovebox deploy stats.yaml\n  glovebox start stats.pipeline -i n=10",
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.with(cmd.Context(), func(service api.Service) error {
				file, err := taskfile.Read(cmd.Context(), args[0], service)
				if err != nil {
					return err
				}
				versions, err := service.Deploy(cmd.Context(), file.Deployment())
				if err != nil {
					return err
				}
				return c.printDeployed(asJSON, versions)
			})
		},
	}
	jsonFlag(cmd, &asJSON)
	return cmd
}

func (c *cli) printDeployed(asJSON bool, versions []api.TaskVersion) error {
	if asJSON {
		return printJSON(c.Out, append([]api.TaskVersion{}, versions...))
	}
	t := c.table("TASK", "STATE")
	for _, v := range versions {
		state := "new"
		if v.Unchanged {
			state = "unchanged"
		}
		t.row(versionName(v), state)
	}
	return t.flush()
}

func versionName(v api.TaskVersion) string { return fmt.Sprintf("%s@%d", v.Name, v.Version) }
