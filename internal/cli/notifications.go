package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/glovebox-dev/glovebox/api"
)

const notificationsHelp = `List what runs tell their receivers when they have ended, the newest first: signed
messages over HTTP. A task declares receivers under notify, a run with --notify;
see docs/guides/webhooks.md.

glovebox serve delivers them, with retries over hours. These commands ask the
server that GLOVEBOX_URL names, or the one of this home, and work without one, too.`

// notificationsFlags are the flags of glovebox notifications.
type notificationsFlags struct {
	run, state string
	limit      int
	json       bool
}

func (c *cli) notificationsCommand() *cobra.Command {
	cmd := c.notificationsList("notifications", "List what runs tell their receivers")
	cmd.Long = notificationsHelp
	cmd.Example = "  glovebox notifications --state failed\n  glovebox notifications redeliver msg-06gvtjalcd0nvvihdhfgp2b1-5-0"
	cmd.AddCommand(reader(c.notificationsList("ls", "List notifications")), c.notificationRedeliver())
	return cmd
}

// deliveryStates are those that a delivery can have.
var deliveryStates = []string{string(api.DeliveryWaiting), string(api.DeliveryDelivered), string(api.DeliveryFailed)}

func (c *cli) notificationsList(name, short string) *cobra.Command {
	var f notificationsFlags
	cmd := &cobra.Command{Use: name, Short: short, Args: cobra.NoArgs, RunE: func(cmd *cobra.Command, _ []string) error {
		if f.limit < 1 || f.limit > maxRuns {
			return usage("--limit %d is not from 1 to %d", f.limit, maxRuns)
		}
		if f.state != "" && !slices.Contains(deliveryStates, f.state) {
			return usage("there is no state %q", f.state).hint("it is one of %s", strings.Join(deliveryStates, ", "))
		}
		return c.withServer(cmd.Context(), func(service api.Service) error {
			return c.listNotifications(cmd.Context(), service, f)
		})
	}}
	flags := cmd.Flags()
	flags.StringVar(&f.run, "run", "", "only what this `RUN` tells")
	flags.StringVar(&f.state, "state", "", "only those in this `STATE`: waiting, delivered or failed")
	completeFlag(cmd, "state", oneOf(deliveryStates))
	flags.IntVar(&f.limit, "limit", defaultRuns, "at most `N`")
	jsonFlag(cmd, &f.json)
	return cmd
}

func (c *cli) listNotifications(ctx context.Context, service api.Service, f notificationsFlags) (err error) {
	q := api.DeliveryQuery{Run: f.run, State: api.DeliveryState(f.state)}
	if f.run != "" {
		if q.Run, err = runID(ctx, service, f.run); err != nil {
			return err
		}
	}
	list := []api.Delivery{}
	for len(list) < f.limit {
		q.Limit = min(pageOfRuns, f.limit-len(list))
		page, err := service.Deliveries(ctx, q)
		if err != nil {
			return err
		}
		list = append(list, page.Deliveries...)
		if q.Cursor = page.Next; q.Cursor == "" {
			break
		}
	}
	if f.json {
		return printJSON(c.Out, list)
	}
	if slices.ContainsFunc(list, func(d api.Delivery) bool { return d.State == api.DeliveryWaiting }) {
		c.noteNoServer(notifyNeed)
	}
	if err := c.printNotifications(list); err != nil || q.Cursor == "" {
		return err
	}
	_, err = fmt.Fprintf(c.Err, "glovebox: there are more; --limit %d shows more of them\n", 2*f.limit)
	return err
}

func (c *cli) printNotifications(list []api.Delivery) error {
	t := c.table("NOTIFICATION", "TASK", "EVENT", "STATE", "ATTEMPTS", "ANSWER", "URL")
	for _, d := range list {
		t.row(d.ID, d.Task, string(d.Event), string(d.State), fmt.Sprint(d.Attempts), lastAnswer(d), d.URL)
	}
	return t.flush()
}

// lastAnswer is what came of the last attempt, in a few words.
func lastAnswer(d api.Delivery) string {
	switch {
	case d.Answer != 0:
		return fmt.Sprint(d.Answer)
	case d.Attempts == 0:
		return "-"
	}
	return "none"
}

func (c *cli) notificationRedeliver() *cobra.Command {
	return &cobra.Command{
		Use: "redeliver NOTIFICATION", Short: "Deliver a notification again, now", Args: cobra.ExactArgs(1),
		Long: "Deliver a notification again, now, whatever became of it. The receiver gets the same\nid, by which it can tell what it has seen.",
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.withServer(cmd.Context(), func(service api.Service) error {
				d, err := service.Redeliver(cmd.Context(), args[0])
				if err != nil {
					return err
				}
				c.noteNoServer(notifyNeed)
				_, err = fmt.Fprintf(c.Out, "%s: %s\n", visible(d.ID), d.State)
				return err
			})
		},
	}
}
