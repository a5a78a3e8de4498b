package cli

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/catalog"
	"github.com/glovebox-dev/glovebox/value"
)

func (c *cli) tasksCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "tasks [NAME]", Short: "List deployed tasks, or the versions of one", Args: cobra.MaximumNArgs(1), ValidArgsFunction: c.complete(taskNames),
		Example: "  glovebox tasks\n  glovebox tasks stats.pipeline\n  glovebox tasks show stats.pipeline@2",
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.with(cmd.Context(), func(service api.Service) error {
				versions, err := listTasks(cmd.Context(), service, args)
				if err != nil {
					return err
				}
				return c.printTasks(asJSON, versions)
			})
		},
	}
	jsonFlag(cmd, &asJSON)
	cmd.AddCommand(reader(c.taskShow()), reader(c.taskDiff()), c.taskRollback(), c.taskRemove())
	return cmd
}

func listTasks(ctx context.Context, service api.Service, names []string) ([]api.TaskVersion, error) {
	if len(names) == 0 {
		return service.Tasks(ctx)
	}
	return service.Versions(ctx, names[0])
}

func (c *cli) printTasks(asJSON bool, versions []api.TaskVersion) error {
	if asJSON {
		return printJSON(c.Out, append([]api.TaskVersion{}, versions...))
	}
	t := c.table("TASK", "KIND", "SIGNATURE", "DEPLOYED", "")
	for _, v := range versions {
		current := ""
		if v.Current {
			current = "current"
		}
		t.row(versionName(v), string(v.Kind), cut(describeSignature(v.Signature), maxCell), clock(v.Created), current)
	}
	return t.flush()
}

// maxCell bounds the columns of a cell of a table.
const maxCell = 80

// describeSignature leaves out the inputs that clients fill in by themselves,
// such as the code of a function.
func describeSignature(s api.Signature) string {
	inputs := slices.DeleteFunc(slices.Clone(s.Inputs), func(p value.Param) bool { return strings.HasPrefix(p.Name, "_") && p.Default != nil })
	return "(" + value.DescribeParams(inputs) + ") -> (" + value.DescribeParams(s.Outputs) + ")"
}

func (c *cli) taskShow() *cobra.Command {
	return &cobra.Command{
		Use: "show NAME[@VERSION]", Short: "Print a deployed task as JSON", Args: cobra.ExactArgs(1), ValidArgsFunction: c.complete(taskNames),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.with(cmd.Context(), func(service api.Service) error {
				version, err := service.Task(cmd.Context(), args[0])
				if err != nil {
					return err
				}
				return printIndented(c.Out, version)
			})
		},
	}
}

func (c *cli) taskDiff() *cobra.Command {
	return &cobra.Command{
		Use: "diff NAME VERSION VERSION", Short: "Show what is different between two versions of a task", Args: cobra.ExactArgs(3),
		Example: "  glovebox tasks diff stats.pipeline 1 2", ValidArgsFunction: c.complete(taskNames),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.with(cmd.Context(), func(service api.Service) error {
				a, err := taskVersion(cmd.Context(), service, args[0], args[1])
				if err != nil {
					return err
				}
				b, err := taskVersion(cmd.Context(), service, args[0], args[2])
				if err != nil {
					return err
				}
				return c.printLines(slices.Collect(strings.Lines(catalog.Diff(a, b))))
			})
		},
	}
}

func versionNumber(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		return 0, usage("%q is no version", text).hint("versions are numbers from 1; glovebox tasks NAME lists them")
	}
	return n, nil
}

func taskVersion(ctx context.Context, service api.Service, name, number string) (*api.Task, error) {
	n, err := versionNumber(number)
	if err != nil {
		return nil, err
	}
	ref := name + "@" + strconv.Itoa(n)
	version, err := service.Task(ctx, ref)
	if err == nil && version.Task == nil {
		err = api.Errorf(api.NotFound, "the catalog has no task behind %s", ref)
	}
	if err != nil {
		return nil, err
	}
	return version.Task, nil
}

func (c *cli) taskRollback() *cobra.Command {
	return &cobra.Command{
		Use: "rollback NAME VERSION", Short: "Make an older version of a task the current one", Args: cobra.ExactArgs(2),
		Example: "  glovebox tasks rollback stats.pipeline 1", ValidArgsFunction: c.complete(taskNames),
		RunE: func(cmd *cobra.Command, args []string) error {
			n, err := versionNumber(args[1])
			if err != nil {
				return err
			}
			return c.with(cmd.Context(), func(service api.Service) error {
				version, err := service.Rollback(cmd.Context(), args[0], n)
				if err != nil {
					return err
				}
				_, err = fmt.Fprintf(c.Out, "%s is current\n", visible(versionName(*version)))
				return err
			})
		},
	}
}

func (c *cli) taskRemove() *cobra.Command {
	return &cobra.Command{
		Use: "rm NAME...", Short: "Take tasks off the list; their versions and runs stay", Args: cobra.MinimumNArgs(1),
		Long: "Take tasks off the list: their names mean nothing any more. Their versions and\n" +
			"runs stay, NAME@VERSION keeps its meaning, and glovebox tasks rollback\n" +
			"brings one back. The next deployment under a name has the next number.",
		Example: "  glovebox tasks rm stats.pipeline", ValidArgsFunction: c.complete(taskNames),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.with(cmd.Context(), func(service api.Service) error {
				for _, name := range args {
					if err := service.RemoveTask(cmd.Context(), name); err != nil {
						return err
					}
				}
				return nil
			})
		},
	}
}
