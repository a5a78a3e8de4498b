package cli

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/quantity"
)

func (c *cli) ownerCommand() *cobra.Command {
	return group("owner", "Share a server: owners, and what was done with their tokens", c.ownerAdd(), reader(c.ownerList()), c.ownerRemove(), reader(c.ownerLog()))
}

func (c *cli) ownerAdd() *cobra.Command {
	var o api.Owner
	cmd := &cobra.Command{
		Use: "add NAME...", Short: "Make owners, or give them other quotas", Args: cobra.MinimumNArgs(1),
		Long: "Make owners: people or teams that share a server. Each sees what is its own alone.\n" +
			"Make tokens for them with glovebox token new. See docs/guides/sharing.md.",
		Example: "  glovebox owner add ann\n  glovebox token new ci --owner ann --scope run,read",
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.withServer(cmd.Context(), func(service api.Service) error {
				for _, name := range args {
					o.Name = name
					if _, err := service.SetOwner(cmd.Context(), o); err != nil {
						return err
					}
				}
				return nil
			})
		},
	}
	cmd.Flags().IntVar(&o.Runs, "runs", 0, "at most `N` of its runs that have not ended, calls included; 0 is any number")
	cmd.Flags().IntVar(&o.Sessions, "sessions", 0, "at most `N` of its sessions that have not ended; 0 is any number")
	return cmd
}

func (c *cli) ownerList() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "ls", Short: "List owners", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.withServer(cmd.Context(), func(service api.Service) error {
				owners, err := service.Owners(cmd.Context())
				if err != nil {
					return err
				}
				if asJSON {
					return printJSON(c.Out, append([]api.Owner{}, owners...))
				}
				t := c.table("OWNER", "CREATED", "RUNS", "SESSIONS")
				for _, o := range owners {
					t.row(visible(o.Name), clock(o.Created), anyOr(o.Runs), anyOr(o.Sessions))
				}
				return t.flush()
			})
		},
	}
	jsonFlag(cmd, &asJSON)
	return cmd
}

// anyOr is a quota for people.
func anyOr(n int) string {
	if n == 0 {
		return "any"
	}
	return fmt.Sprint(n)
}

func (c *cli) ownerRemove() *cobra.Command {
	return &cobra.Command{
		Use: "rm NAME...", Short: "Forget owners and revoke their tokens; what is theirs stays", Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.withServer(cmd.Context(), func(service api.Service) error {
				for _, name := range args {
					if err := service.RemoveOwner(cmd.Context(), name); err != nil {
						return err
					}
				}
				return nil
			})
		},
	}
}

func (c *cli) ownerLog() *cobra.Command {
	var q api.DeedQuery
	var asJSON bool
	cmd := &cobra.Command{
		Use: "log [NAME]", Short: "List what was done with the tokens of owners, the newest first", Args: cobra.MaximumNArgs(1),
		Example: "  glovebox owner log ann\n  glovebox owner log --of run-06gvtjalcd0nvvihdhfgp2b1",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				q.Owner = args[0]
			}
			if q.Limit < 1 || q.Limit > maxDeeds {
				return usage("--limit %d is not from 1 to %d", q.Limit, maxDeeds)
			}
			return c.withServer(cmd.Context(), func(service api.Service) error {
				page, err := service.Deeds(cmd.Context(), q)
				if err != nil {
					return err
				}
				return c.printDeeds(asJSON, page.Deeds)
			})
		},
	}
	cmd.Flags().StringVar(&q.Object, "of", "", "only what was done to this `RUN`, session or name")
	cmd.Flags().IntVar(&q.Limit, "limit", defaultRuns, "at most `N`")
	jsonFlag(cmd, &asJSON)
	return cmd
}

// maxDeeds is how many the service gives at a time.
const maxDeeds = 1000

func (c *cli) printDeeds(asJSON bool, deeds []api.Deed) error {
	if asJSON {
		return printJSON(c.Out, append([]api.Deed{}, deeds...))
	}
	t := c.table("TIME", "OWNER", "TOKEN", "DID", "TO")
	for _, d := range deeds {
		t.row(clock(d.Time), visible(d.Owner), visible(d.Token), visible(d.Action), visible(d.Object))
	}
	return t.flush()
}

func (c *cli) tokenCommand() *cobra.Command {
	return group("token", "Make, list and revoke tokens of owners", c.tokenNew(), reader(c.tokenList()), c.tokenRemove())
}

// ownerFlag adds the flag that says whose token it is.
func ownerFlag(cmd *cobra.Command, owner *string) {
	cmd.Flags().StringVar(owner, "owner", "", "the `OWNER` whose token it is")
	_ = cmd.MarkFlagRequired("owner")
}

func (c *cli) tokenNew() *cobra.Command {
	var t api.Token
	var scopes []string
	var expires string
	cmd := &cobra.Command{
		Use: "new NAME", Short: "Make a token and print it, which nothing does again", Args: cobra.ExactArgs(1),
		Long: "Make a token of an owner and print it. It is kept as a hash alone, so that nothing\n" +
			"can print it again. Give it to clients as GLOVEBOX_TOKEN. Its scopes say what it is\n" +
			"good for: read, run, deploy, approve, or admin for everything.",
		Example: "  glovebox token new ci --owner ann --scope run,read --expires 90d",
		RunE: func(cmd *cobra.Command, args []string) error {
			t.Name = args[0]
			for _, s := range scopes {
				t.Scopes = append(t.Scopes, api.Scope(s))
			}
			if expires != "" {
				after, err := quantity.ParseDuration(expires)
				if err != nil || after <= 0 {
					return usage("--expires %s is no time from now", expires).hint("write such as 12h or 90d")
				}
				t.Expires = time.Now().Add(after).UTC()
			}
			return c.withServer(cmd.Context(), func(service api.Service) error {
				made, err := service.NewToken(cmd.Context(), t)
				if err != nil {
					return err
				}
				_, err = fmt.Fprintln(c.Out, made.Text)
				return err
			})
		},
	}
	ownerFlag(cmd, &t.Owner)
	cmd.Flags().StringSliceVar(&scopes, "scope", nil, "what it is good for, `SCOPE`: read, run, deploy, approve, admin; repeatable")
	cmd.Flags().StringVar(&expires, "expires", "", "how long it counts, such as 90d; without it, until it is revoked")
	_ = cmd.MarkFlagRequired("scope")
	return cmd
}

func (c *cli) tokenList() *cobra.Command {
	var owner string
	var asJSON bool
	cmd := &cobra.Command{
		Use: "ls", Short: "List the tokens of an owner", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.withServer(cmd.Context(), func(service api.Service) error {
				tokens, err := service.Tokens(cmd.Context(), owner)
				if err != nil {
					return err
				}
				if asJSON {
					return printJSON(c.Out, append([]api.Token{}, tokens...))
				}
				now, table := time.Now(), c.table("TOKEN", "SCOPES", "CREATED", "USED", "EXPIRES")
				for _, t := range tokens {
					table.row(visible(t.Name), scopesText(t.Scopes), clock(t.Created), agoOrNever(t.Used, now), expiry(t.Expires, now))
				}
				return table.flush()
			})
		},
	}
	ownerFlag(cmd, &owner)
	jsonFlag(cmd, &asJSON)
	return cmd
}

func scopesText(scopes []api.Scope) string {
	var texts []string
	for _, s := range scopes {
		texts = append(texts, string(s))
	}
	return visible(strings.Join(texts, ","))
}

func agoOrNever(t, now time.Time) string {
	if t.IsZero() {
		return "never"
	}
	return ago(t, now)
}

func expiry(t, now time.Time) string {
	switch {
	case t.IsZero():
		return "never"
	case !t.After(now):
		return "expired"
	}
	return clock(t)
}

func (c *cli) tokenRemove() *cobra.Command {
	var owner string
	cmd := &cobra.Command{
		Use: "rm NAME...", Short: "Revoke tokens, which count no more at once", Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.withServer(cmd.Context(), func(service api.Service) error {
				for _, name := range args {
					if err := service.RemoveToken(cmd.Context(), owner, name); err != nil {
						return err
					}
				}
				return nil
			})
		},
	}
	ownerFlag(cmd, &owner)
	return cmd
}
