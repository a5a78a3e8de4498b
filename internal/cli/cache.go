package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/glovebox-dev/glovebox/api"
)

func (c *cli) cacheCommand() *cobra.Command {
	return group("cache", "Say why runs met the cache or missed it, and clear it", reader(c.cacheExplain()), c.cacheClear())
}

func (c *cli) cacheExplain() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "explain RUN", Short: "Say why a run was or was not answered from the cache", Args: cobra.ExactArgs(1), ValidArgsFunction: c.completeRun(),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.withRun(cmd.Context(), args[0], func(service api.Service, id string) error {
				explanation, err := service.ExplainCache(cmd.Context(), id)
				if err != nil {
					return err
				}
				if asJSON {
					return printJSON(c.Out, explanation)
				}
				printExplanation(c.Out, explanation)
				return nil
			})
		},
	}
	jsonFlag(cmd, &asJSON)
	return cmd
}

func printExplanation(w io.Writer, e *api.CacheExplanation) {
	fmt.Fprintf(w, "%s: %s\n", visible(e.Verdict), visible(e.Reason))
	if e.Source != "" {
		fmt.Fprintf(w, "result of %s\n", visible(e.Source))
	}
	if e.Nearest != "" {
		fmt.Fprintf(w, "it differs from %s in\n", visible(e.Nearest))
		for _, part := range e.Differs {
			fmt.Fprintf(w, "  %s: %s, was %s\n", shownPart(part.Name), shownPart(part.Value), shownPart(part.Was))
		}
	}
	if len(e.Parts) > 0 {
		fmt.Fprintln(w, "the key is made of")
	}
	for _, part := range e.Parts {
		fmt.Fprintf(w, "  %s: %s\n", shownPart(part.Name), shownPart(part.Value))
	}
}

// shownPart is a part of a key on a line.
func shownPart(s string) string { return visible(cut(s, maxCell)) }

func (c *cli) cacheClear() *cobra.Command {
	return &cobra.Command{
		Use: "clear [TASK]", Short: "Forget the results of a task, or all", Args: cobra.MaximumNArgs(1), ValidArgsFunction: c.complete(taskNames),
		RunE: func(cmd *cobra.Command, args []string) error {
			task := ""
			if len(args) > 0 {
				if task = args[0]; task == "" {
					return usage("the name of the task is empty").hint("leave it out to clear everything")
				}
			}
			return c.with(cmd.Context(), func(service api.Service) error {
				n, err := service.ClearCache(cmd.Context(), task)
				if err != nil {
					return err
				}
				_, err = fmt.Fprintf(c.Err, "forgot %d results\n", n)
				return err
			})
		},
	}
}
