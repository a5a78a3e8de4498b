package cli

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"sync"

	"github.com/spf13/cobra"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/duplex"
)

func (c *cli) sessionPorts() *cobra.Command {
	var open, closed int
	var o api.PortOptions
	var asJSON bool
	cmd := &cobra.Command{
		Use: "ports SESSION", Short: "List the ports that the server carries requests to, or open or close one", Args: cobra.ExactArgs(1), ValidArgsFunction: c.completeSession(),
		Long: "List the ports of a session that the server carries requests to, for whoever has the\n" +
			"token of the port. --open opens one and --close closes one. To reach a port from\n" +
			"this host alone, no port has to be open: glovebox session port SESSION PORT.",
		RunE: func(cmd *cobra.Command, args []string) error {
			for name, port := range map[string]int{"open": open, "close": closed} {
				if cmd.Flags().Changed(name) && (port < 1 || port > 65535) {
					return usage("--%s is %d, expected a port from 1 to 65535", name, port)
				}
			}
			return c.withSession(cmd.Context(), args[0], func(s api.Sessions, id string) error {
				if err := changePorts(cmd.Context(), s, id, open, closed, o); err != nil {
					return err
				}
				return c.printPorts(cmd.Context(), s, id, asJSON)
			})
		},
	}
	cmd.Flags().IntVar(&open, "open", 0, "open `PORT`")
	cmd.Flags().IntVar(&closed, "close", 0, "close `PORT`")
	cmd.Flags().BoolVar(&o.Public, "public", false, "the port that --open opens needs no token")
	jsonFlag(cmd, &asJSON)
	return cmd
}

func changePorts(ctx context.Context, s api.Sessions, id string, open, closed int, o api.PortOptions) error {
	if closed != 0 {
		if err := s.ClosePort(ctx, id, closed); err != nil {
			return err
		}
	}
	if open == 0 {
		return nil
	}
	_, err := s.OpenPort(ctx, id, open, o)
	return err
}

func (c *cli) printPorts(ctx context.Context, s api.Sessions, id string, asJSON bool) error {
	session, err := s.Session(ctx, id)
	if err != nil {
		return err
	}
	if asJSON {
		return printJSON(c.Out, append([]api.Port{}, session.Ports...))
	}
	t := c.table("PORT", "PUBLIC", "TOKEN", "URL")
	for _, p := range session.Ports {
		t.row(strconv.Itoa(p.Port), yesNo(p.Public), p.Token, p.URL)
	}
	return t.flush()
}

func (c *cli) sessionPort() *cobra.Command {
	var local int
	cmd := &cobra.Command{
		Use: "port SESSION PORT", Short: "Reach a port of a session at one of this host, until this command is ended", Args: cobra.ExactArgs(2), ValidArgsFunction: c.completeSession(),
		Example: "  glovebox session port latest 8000 --local 9000",
		RunE: func(cmd *cobra.Command, args []string) error {
			port, err := strconv.Atoi(args[1])
			if err != nil || port < 1 || port > 65535 {
				return usage("%s is no port, expected 1 to 65535", args[1])
			}
			if local < 0 || local > 65535 {
				return usage("--local is %d, expected a port from 1 to 65535", local)
			}
			if !cmd.Flags().Changed("local") {
				local = port
			}
			return c.withSession(cmd.Context(), args[0], func(s api.Sessions, id string) error {
				return c.forward(cmd.Context(), s, id, port, local)
			})
		},
	}
	cmd.Flags().IntVar(&local, "local", 0, "`PORT` of this host; the default is the same, and 0 any that is free")
	return cmd
}

// maxForwarded bounds the connections that are carried at the same time.
const maxForwarded = 256

// forward carries connections to a port of this host, which only this host
// reaches, into the session.
func (c *cli) forward(ctx context.Context, s api.Sessions, id string, port, local int) error {
	if _, err := s.Session(ctx, id); err != nil {
		return err
	}
	ln, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(local)))
	if err != nil {
		return usage("%s", err).hint("name another port with --local, or 0 for any")
	}
	stop := context.AfterFunc(ctx, func() { _ = ln.Close() })
	defer stop()
	fmt.Fprintf(c.Err, "glovebox: port %d of the session is at %s\n", port, ln.Addr())
	places := make(chan struct{}, maxForwarded)
	var carried sync.WaitGroup
	defer carried.Wait()
	for {
		conn, err := ln.Accept()
		if errors.Is(err, net.ErrClosed) {
			return nil
		}
		if err != nil {
			return usage("%s", err)
		}
		places <- struct{}{}
		carried.Go(func() {
			defer func() { <-places }()
			c.carry(ctx, s, id, port, conn)
		})
	}
}

// carry joins a connection with one into the session.
func (c *cli) carry(ctx context.Context, s api.Sessions, id string, port int, conn net.Conn) {
	to, err := s.DialPort(ctx, id, port)
	if err != nil {
		_ = conn.Close()
		if ctx.Err() == nil {
			explain(c.Err, api.AsError(err), false)
		}
		return
	}
	duplex.Join(ctx, conn, to)
}
