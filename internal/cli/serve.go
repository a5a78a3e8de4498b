package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/host"
)

// The bounds of what a run keeps of what it prints.
const minRunLog, maxRunLog = 1 << 20, 64 << 30

func (c *cli) serveCommand() *cobra.Command {
	o := host.ServeOptions{Version: c.version}
	var limits host.Options
	var warmMemory, valueMemory, cellMemory, nodeMemory, runLog size
	var buildNetwork string
	var notifyAllow, labels, labelLimits []string
	var kept retentionFlags
	cmd := &cobra.Command{
		Use: "serve", Short: "Serve the HTTP API", Args: cobra.NoArgs,
		Long: "Serve the HTTP API. Without --listen it listens on a socket in the home\n" +
			"directory that only this user can open. On HOST:PORT clients need a token.\n\n" +
			"At the first Ctrl-C or SIGTERM it takes no new runs, says which it waits for,\n" +
			"and stops when they have ended or --drain is over; /readyz says 503 meanwhile.\n" +
			"The second interrupts them at once. The next server resumes what is left.\n\n" +
			"With --attached it serves the process that started it, on a Unix socket, until\n" +
			"its standard input ends: keep the other end of that pipe open. Any number of\n" +
			"them work on one home at once, beside a server that is not attached. In the end\n" +
			"it removes its socket, and the directory that it was in if nothing else is there.",
		Example: "  glovebox serve --listen unix:/run/user/1000/glovebox.sock\n" +
			"  glovebox serve --listen 127.0.0.1:8700 --token-file token",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if (o.TLSCert == "") != (o.TLSKey == "") {
				return usage("--tls-cert and --tls-key belong together").hint("give both, or none")
			}
			for name, limit := range map[string]int{"max-cells": limits.MaxCells, "max-runs": limits.MaxRuns, "max-sessions": limits.MaxSessions, "warm-cells": limits.WarmCells} {
				none := limit == 0 && name != "warm-cells" && cmd.Flags().Changed(name)
				if limit < 0 || none {
					return usage("--%s is %d, expected a positive number", name, limit).hint("leave it out for the default")
				}
			}
			if cmd.Flags().Changed("run-log") && (runLog < minRunLog || runLog > maxRunLog) {
				return usage("--run-log is %s, expected from 1Mi to 64Gi", &runLog).hint("leave it out for 256Mi")
			}
			if o.Drain < 0 {
				return usage("--drain is %s, expected a duration such as 30s, or 0 to interrupt what is under way at once", o.Drain)
			}
			if len(o.Hosts) == 0 && cmd.Flags().Changed("host") {
				return usage("--host is empty, expected the name of a host").hint("leave it out, or give a name such as box.example.org")
			}
			if o.Attached && cmd.Flags().Changed("drain") {
				return usage("--attached and --drain contradict each other").hint("an attached server stops at once, because its only client is gone; leave --drain out")
			}
			var err error
			if o.NotifyAllow, err = parsePrefixes(notifyAllow); err != nil {
				return err
			}
			if o.Attached && o.Advertise != "" {
				return usage("--attached takes no --advertise").hint("other nodes ask the server of the home, and not an attached one")
			}
			if err := checkPublicURL(o.PublicURL); err != nil {
				return err
			}
			if o.Retention, err = kept.retention(); err != nil {
				return err
			}
			if o.Attached && kept.given() {
				return usage("--attached takes neither --prune-older-than nor --keep-runs").hint("the server of the home removes what was kept long enough, and an attached one does not")
			}
			if o.Attached && (len(notifyAllow) > 0 || o.PublicURL != "") {
				return usage("--attached takes neither --notify-allow nor --public-url").hint("the server of the home delivers notifications, and an attached one does not")
			}
			if cmd.Flags().Changed("build-network") {
				network, err := parseNetwork("build-network", buildNetwork)
				if err != nil {
					return err
				}
				limits.BuildNetwork = &network
			}
			if limits.WarmMemory = int64(warmMemory); limits.WarmCells == 0 && cmd.Flags().Changed("warm-cells") {
				limits.WarmCells = host.NoWarmCells
			}
			if limits.NodeLabels, err = nodeLabels(labels); err != nil {
				return err
			}
			if limits.LabelLimits, err = parseLabelLimits(labelLimits); err != nil {
				return err
			}
			limits.NodeMemory = int64(nodeMemory)
			limits.ValueMemory, limits.MaxCellMemory, limits.RunLog = int64(valueMemory), int64(cellMemory), int64(runLog)
			c.warnOfPassword(limits.Journal)
			if o.Attached {
				return c.serveAttached(cmd.Context(), limits, o)
			}
			return c.serve(cmd.Context(), limits, o)
		},
	}
	flags := cmd.Flags()
	flags.Var((*once)(&o.Listen), "listen", "`ADDRESS` to listen on: unix:PATH or HOST:PORT")
	flags.StringVar(&limits.Journal, "journal", "", "`URL` of the database of Postgres that has the journal, such as postgres://glovebox@db/glovebox; by default that of "+host.JournalVariable+", else a file in the home")
	flags.StringVar(&limits.Shared, "shared", "", "`DIR` that all servers on one journal see, for blobs, logs, secrets and saved sessions; it stays that of the home")
	flags.StringVar(&limits.Blobs, "blobs", "", "`ADDRESS` of the blobs in a store that speaks S3, such as s3://bucket/prefix?region=eu-central-1; by default that of "+host.BlobsVariable+", else a directory of the home")
	flags.StringVar(&o.TLSCert, "tls-cert", "", "`FILE` with the certificate of the server, in PEM")
	flags.StringVar(&o.TLSKey, "tls-key", "", "`FILE` with its key, in PEM")
	flags.StringVar(&o.TokenFile, "token-file", "", "`FILE` with the token that clients send")
	flags.StringVar(&o.Advertise, "advertise", "", "`URL` by which other servers on the journal reach this one, such as https://10.1.0.7:8700; by default the address of --listen, or that of the connection to the database")
	flags.StringSliceVar(&o.Hosts, "host", nil, "`NAME` that clients call this server by, without TLS, beside localhost and its address; repeatable, or with commas")
	flags.StringSliceVar(&notifyAllow, "notify-allow", nil, "`ADDRESS` or network, such as 10.1.0.0/16, that receivers of notifications may be at although it is private or of this host; repeatable, or with commas")
	flags.StringVar(&o.PublicURL, "public-url", "", "`URL` that people reach the page at, for links in notifications; by default that of --listen HOST:PORT")
	kept.add(cmd)
	flags.BoolVar(&o.Attached, "attached", false, "serve the process that started it, until standard input ends")
	flags.DurationVar(&o.Drain, "drain", 30*time.Second, "when the server stops, wait at most so long for the runs under way; 0 interrupts them at once")
	flags.StringVar(&buildNetwork, "build-network", "public", "none, public, or the `DOMAINS` that image builds may reach at most beside the package indexes of this host, with commas")
	completeFlag(cmd, "build-network", oneOf(networks))
	flags.IntVar(&limits.MaxCells, "max-cells", 0, "at most `N` sandboxes at once; the default is two for each CPU")
	flags.Var(&cellMemory, "max-cell-memory", "memory that a sandbox may ask for at most, also one that code in a cell starts; who names none asks for 1Gi. By default any")
	flags.StringArrayVar(&labels, "label", nil, "label of this node as `NAME=VALUE`, by which runs select it; repeatable")
	flags.StringArrayVar(&labelLimits, "label-limit", nil, "of runs with a label, how many that are submitted here work at the same time, as `NAME=VALUE:N`; repeatable")
	flags.Var(&nodeMemory, "node-memory", "memory that the sandboxes of the runs of this node may ask for together, beyond which it leaves runs to other nodes; the default is what the machine has")
	flags.IntVar(&limits.MaxRuns, "max-runs", 0, "at most `N` orchestrators, and as many functions, at once; the default is 1000")
	flags.IntVar(&limits.MaxSessions, "max-sessions", 0, "at most `N` sessions with a cell at once, those that are paused not counted; the default is 500")
	flags.IntVar(&limits.WarmCells, "warm-cells", 0, "keep at most `N` cells ready ahead of runs, 0 for none; the default is two for each CPU, 2 to 8")
	flags.Var(&warmMemory, "warm-memory", "memory that cells which are ready may hold together; the default is an eighth of what there is, at most 2 GiB")
	flags.Var(&valueMemory, "value-memory", "memory that inputs and outputs may take together while they are decoded; the default is half of what there is, at most 8 GiB")
	flags.Var(&runLog, "run-log", "how much a run keeps of what it prints; the default is 256Mi")
	return cmd
}

// nodeLabels reads the labels of a node.
func nodeLabels(flags []string) (map[string]string, error) {
	labels, err := parseLabels("label", flags)
	if err != nil {
		return nil, err
	}
	rule := api.NodeLabels
	rule.Field = "--label"
	if err := rule.Check(labels); err != nil {
		return nil, usage("%s", api.AsError(err).Message)
	}
	return labels, nil
}

// warnOfPassword says that others on this host see what a command line has.
func (c *cli) warnOfPassword(journal string) {
	u, err := url.Parse(journal)
	if err != nil {
		return
	}
	if _, ok := u.User.Password(); ok || u.Query().Has("password") {
		fmt.Fprintf(c.Err, "glovebox: all users of this host can see the password on a command line; give it in PGPASSFILE or PGPASSWORD, or the URL in %s\n", host.JournalVariable)
	}
}

// serveAttached serves until standard input ends, which it does when the process
// at its other end does, however that ends.
func (c *cli) serveAttached(ctx context.Context, limits host.Options, o host.ServeOptions) error {
	if !strings.HasPrefix(o.Listen, "unix:") {
		return usage("--attached needs --listen unix:PATH").hint("name a socket in a directory that only you can write to")
	}
	if o.TokenFile != "" || o.TLSCert != "" || o.Hosts != nil {
		return usage("--attached takes no token, no certificate and no names").hint("the socket lets in this user only")
	}
	defer removePlace(strings.TrimPrefix(o.Listen, "unix:"))
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	go func() {
		_, _ = io.Copy(io.Discard, c.In) // a pipe that cannot be read has ended too
		end(errInputEnded)
	}()
	return c.serve(ctx, limits, o)
}

// removePlace removes what is left of a socket: the process that made a directory
// for it cannot if it was killed.
func removePlace(socket string) {
	if _, err := os.Lstat(socket); err == nil {
		return // another server is there
	}
	_ = os.Remove(socket + ".lock")
	_ = os.Remove(filepath.Dir(socket)) // which fails unless it is empty
}

// secondSignal returns a channel that the second SIGINT or SIGTERM closes. The
// third ends the process.
func secondSignal() (second <-chan struct{}, stop func()) {
	signals, closed, stopped := make(chan os.Signal, 2), make(chan struct{}), make(chan struct{})
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		for range 2 {
			select {
			case <-signals:
			case <-stopped:
				return
			}
		}
		close(closed)
		signal.Stop(signals)
	}()
	return closed, func() {
		signal.Stop(signals)
		close(stopped)
	}
}

// errInputEnded is why an attached server ends.
var errInputEnded = errors.New("standard input has ended")

// serve serves the home of this host until ctx ends.
func (c *cli) serve(ctx context.Context, limits host.Options, o host.ServeOptions) error {
	limits.Logger, limits.Version = slog.New(slog.NewTextHandler(c.Err, nil)), c.version
	system, err := c.engine.Open(ctx, limits)
	if err != nil && errors.Is(context.Cause(ctx), errInputEnded) {
		return usage("standard input ended before the server was up").hint("keep the other end of its pipe open for as long as the server is needed")
	}
	if err != nil {
		return err
	}
	hurry, unhurried := secondSignal()
	defer unhurried()
	o.Hurry = hurry
	o.Ready = func(address string) { fmt.Fprintf(c.Err, "glovebox: listening on %s\n", visible(address)) }
	served, closed := system.Serve(ctx, o), system.Close()
	if wrong := wrongAddress(served); closed == nil {
		return wrong
	}
	return errors.Join(served, closed)
}

// once is a flag that is given once: the last of several would hide the others.
type once string

func (o *once) String() string { return string(*o) }

// Type is the word for the value in the help.
func (*once) Type() string { return "string" }

// Set takes the first value.
func (o *once) Set(text string) error {
	if *o != "" {
		return fmt.Errorf("it is given twice, and a server has one address")
	}
	*o = once(text)
	return nil
}

// wrongAddress turns the refusal of an address or a name into wrong usage.
func wrongAddress(err error) error {
	var e *api.Error
	if errors.As(err, &e) && e.Code == api.RequestInvalid && (e.Details.Field == "listen" || e.Details.Field == "host" || e.Details.Field == "advertise") {
		return usage("--%s: %s", e.Details.Field, e.Message).hint("%s", e.Hint)
	}
	return err
}
