package cli

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/cli/browser"
	"github.com/spf13/cobra"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/client"
	"github.com/glovebox-dev/glovebox/internal/host"
)

// pageOpener opens the page in a browser.
type pageOpener struct {
	*cli
	run       string // the id of a run to show; empty shows the list of runs
	noBrowser bool
}

func (c *cli) openCommand() *cobra.Command {
	o := &pageOpener{cli: c}
	cmd := &cobra.Command{
		Use: "open [RUN]", Short: "Open the page of a server, or of this host, in a browser", Args: cobra.MaximumNArgs(1), ValidArgsFunction: c.completeRun(),
		Long: "Open the page in a browser, signed in: that of the server that " + serverVariable + "\n" +
			"names, or else that of this host. Where no server runs for the home, one runs\n" +
			"here until Ctrl-C, on an address that only this host reaches; where one listens\n" +
			"on its socket, only its page runs here. The address that is printed signs one\n" +
			"browser in, within a minute.",
		Example: "  glovebox open\n  glovebox open latest",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				if err := c.withRun(cmd.Context(), args[0], func(_ api.Service, id string) error {
					o.run = id
					return nil
				}); err != nil {
					return err
				}
			}
			return o.open(cmd.Context())
		},
	}
	cmd.Flags().BoolVar(&o.noBrowser, "no-browser", false, "print the address, and start no browser")
	return cmd
}

// open opens the page where it is, or makes one here.
func (o *pageOpener) open(ctx context.Context) error {
	address := os.Getenv(serverVariable)
	if strings.HasPrefix(address, "http") {
		return o.show(ctx, strings.TrimSuffix(address, "/"), os.Getenv(tokenVariable))
	}
	o.findServer()
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	token := rand.Text() + rand.Text()
	here := host.ServeOptions{Listen: "127.0.0.1:0", Token: token, Version: o.version, Ready: func(address string) {
		if err := o.show(ctx, "http://"+address, token); err != nil {
			stop(notShown{err})
			return
		}
		fmt.Fprintln(o.Err, "glovebox: the page is there until Ctrl-C")
	}}
	serve := o.serveHome
	if address = cmp.Or(address, o.server); address != "" {
		serve = func(ctx context.Context, here host.ServeOptions) error { return o.servePage(ctx, address, here) }
	}
	err := serve(ctx, here)
	if cause := (notShown{}); errors.As(context.Cause(ctx), &cause) {
		return cause.error
	}
	return err
}

// notShown is why a server that is for the page alone ends at once.
type notShown struct{ error }

// servePage has the page of a server that no browser reaches.
func (o *pageOpener) servePage(ctx context.Context, address string, here host.ServeOptions) error {
	service, err := dial(address, "")
	if err != nil {
		return err
	}
	return closing(service, o.engine.ServePage(ctx, service, here))
}

// serveHome has a server of the home.
func (o *pageOpener) serveHome(ctx context.Context, here host.ServeOptions) error {
	system, err := o.engine.Open(ctx, host.Options{Logger: slog.New(slog.NewTextHandler(o.Err, &slog.HandlerOptions{Level: slog.LevelWarn}))})
	if err != nil {
		return err
	}
	hurry, unhurried := secondSignal()
	defer unhurried()
	here.Hurry, here.Drain = hurry, 30*time.Second
	return closing(system, system.Serve(ctx, here))
}

// show prints the address of the page at a server, and opens it.
func (o *pageOpener) show(ctx context.Context, address, token string) error {
	c, err := client.Dial(address, client.Options{Token: token})
	if err != nil {
		return err
	}
	code, err := c.PageCode(ctx)
	if err := closing(c, err); err != nil {
		return err
	}
	next := "/page/runs"
	if o.run != "" {
		next += "/" + o.run
	}
	link := address + "/page/sign-in?next=" + url.QueryEscape(next) + "#code=" + code
	if _, err := fmt.Fprintln(o.Out, link); err != nil || o.noBrowser {
		return err
	}
	browser.Stdout, browser.Stderr = o.Err, o.Err
	if err := browser.OpenURL(link); err != nil {
		fmt.Fprintln(o.Err, "glovebox: no browser could be started; open the address above")
	}
	return nil
}
