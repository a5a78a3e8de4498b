package cli

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os/user"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

const approvalsHelp = `List runs and calls of tools that wait until a person approves or refuses them,
those that wait for longest first; see docs/guides/approvals.md. A signal waits for
its value: send that with glovebox signal.

A task asks for that with approval. What waits takes no memory of a machine, and
survives the end of the server.`

func (c *cli) approvalsCommand() *cobra.Command {
	var asJSON bool
	var q api.ApprovalQuery
	list := func(cmd *cobra.Command, _ []string) error {
		return c.withServer(cmd.Context(), func(service api.Service) error {
			page, err := service.Approvals(cmd.Context(), q)
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(c.Out, page)
			}
			return c.printApprovals(page)
		})
	}
	cmd := &cobra.Command{
		Use: "approvals", Short: "List what waits for a person to decide", Long: approvalsHelp, Args: cobra.NoArgs, RunE: list,
		Example: "  glovebox approvals\n  glovebox approve run-0abc\n  glovebox refuse run-0abc --reason \"not on a Friday\"",
	}
	ls := &cobra.Command{Use: "ls", Short: "List what waits for a person to decide", Args: cobra.NoArgs, RunE: list}
	for _, each := range []*cobra.Command{cmd, ls} {
		flags := each.Flags()
		flags.StringVar((*string)(&q.State), "state", "", "those in this `STATE`: waiting (the default), decided, or closed, which ended before a decision")
		completeFlag(each, "state", someOf([]string{"waiting", "decided", "closed"}))
		flags.StringVar(&q.Task, "task", "", "only of the task `NAME`")
		flags.IntVar(&q.Limit, "limit", defaultRuns, "at most `N`")
		jsonFlag(each, &asJSON)
	}
	cmd.AddCommand(reader(ls))
	return cmd
}

// maxArguments bounds what a line of the list shows, in bytes.
const maxArguments = 60

func (c *cli) printApprovals(page api.ApprovalPage) error {
	t := c.table("RUN", "TASK", "ARGUMENTS", "ASKED BY", "SINCE", "STATE")
	for _, a := range page.Approvals {
		by := a.Asks
		if a.Line > 0 {
			by += ", line " + strconv.Itoa(a.Line)
		}
		t.row(a.Run, a.Task, value.Shorten(string(a.Arguments), maxArguments), by, clock(a.Since), stateOf(&a))
	}
	if err := t.flush(); err != nil {
		return err
	}
	if page.Next != "" {
		fmt.Fprintln(c.Err, "glovebox: note: there are more; ask for them with --limit")
	}
	return nil
}

// stateOf says where a question stands.
func stateOf(a *api.PendingApproval) string {
	switch {
	case a.Decision != nil:
		return a.Decision.Verdict() + " by " + a.Decision.Author()
	case a.State == api.ApprovalClosed:
		return "closed"
	case !a.Deadline.IsZero():
		return "waits until " + clock(a.Deadline)
	}
	return "waits"
}

func (c *cli) approveCommand() *cobra.Command {
	var d api.Decision
	var arguments string
	cmd := c.decideCommand(&d, &cobra.Command{
		Use: "approve RUN", Short: "Let a run or a call go on that waits for approval",
		Long: "Let a run or a call of a tool go on that waits for approval. RUN is the run that\n" +
			"waits, as glovebox approvals lists it, or the run whose code waits for it alone.\n" +
			"The first decision counts.",
		Example: "  glovebox approve run-0abc\n  glovebox approve run-0abc --arguments '{\"amount\": 10}' --reason \"less is enough\"",
	}, func() error {
		if arguments == "" {
			return nil
		}
		if d.Arguments = json.RawMessage(arguments); !json.Valid(d.Arguments) {
			return usage("--arguments is no JSON: %s", arguments).hint(`write an object of arguments by name: --arguments '{"amount": 10}'`)
		}
		return nil
	})
	d.Approved = true
	cmd.Flags().StringVar(&arguments, "arguments", "", "arguments that are to be others, as a `JSON` object by name")
	return cmd
}

func (c *cli) refuseCommand() *cobra.Command {
	return c.decideCommand(new(api.Decision), &cobra.Command{
		Use: "refuse RUN", Short: "Refuse a run or a call that waits for approval",
		Long: "Refuse a run or a call of a tool that waits for approval. The code that called gets\n" +
			"a PermissionError with the reason; a run without a caller ends as failed.",
		Example: "  glovebox refuse run-0abc --reason \"not on a Friday\"",
	}, func() error { return nil })
}

func (c *cli) decideCommand(d *api.Decision, cmd *cobra.Command, check func() error) *cobra.Command {
	cmd.Args, cmd.ValidArgsFunction = cobra.ExactArgs(1), c.completeRun()
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := check(); err != nil {
			return err
		}
		d.From = api.FromCLI
		c.findServer()
		return c.withRun(cmd.Context(), args[0], func(service api.Service, id string) error {
			run, err := service.Run(cmd.Context(), id)
			if err != nil {
				return err
			}
			if run.Approval == nil && run.Awaits != nil {
				if run.Awaits.Total > 1 {
					return severalAwaited(run)
				}
				id = run.Awaits.Calls[0].Run
			}
			asked, err := service.Decide(cmd.Context(), id, *d)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(c.Out, "%s of %s %s%s\n", visible(asked.Run), visible(asked.Task), d.Verdict(), visible(next(asked)))
			return err
		})
	}
	flags := cmd.Flags()
	flags.StringVar(&d.Reason, "reason", "", "why, for people and for the code that called: a `TEXT`")
	flags.StringVar(&d.By, "by", userName(), "who decides: a `NAME`")
	return cmd
}

// next says how to continue where no process carries the run out.
func next(a *api.PendingApproval) string {
	if a.Status == api.StatusInterrupted {
		return "; continue with: glovebox resume " + a.Root
	}
	return ""
}

func severalAwaited(run *api.Run) error {
	var names []string
	for _, call := range run.Awaits.Calls {
		names = append(names, call.Run+" of "+call.Tool)
	}
	return api.Errorf(api.Conflict, "%d calls of run %s wait for approval: %s", run.Awaits.Total, run.ID, strings.Join(names, ", ")).
		WithHint("name one of them").WithDetails(api.Details{Field: "run", Run: run.ID})
}

// userName is what the host calls whoever runs the command.
func userName() string {
	u, err := user.Current()
	if err != nil {
		return ""
	}
	return cmp.Or(u.Username, u.Uid)
}
