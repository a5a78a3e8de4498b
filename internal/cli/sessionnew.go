package cli

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/buildcontext"
)

// sessionFlags say what a new session is like.
type sessionFlags struct {
	image    imageFlags
	cpu      cores
	memory   size
	env      []string
	network  string
	secrets  []string
	labels   []string
	dir      string
	user     string
	snapshot string
	timeout  duration
	idle     duration
	kill     bool
}

func (f *sessionFlags) register(c *cli, cmd *cobra.Command) {
	f.image.register(cmd)
	flags := cmd.Flags()
	f.cpu, f.memory = api.DefaultCPU, size(api.DefaultMemory)
	flags.Var(&f.cpu, "cpu", "limit of CPU, such as 0.5 or 2")
	flags.Var(&f.memory, "memory", "limit of memory")
	flags.StringArrayVarP(&f.env, "env", "e", nil, "environment variable as `KEY=VALUE`, or KEY to take it from here; repeatable")
	flags.StringVar(&f.network, "network", "none", "none, public, or the `DOMAINS` that may be reached, with commas")
	completeFlag(cmd, "network", oneOf(networks))
	flags.StringArrayVar(&f.secrets, "secret", nil, "give the secret as `NAME=VARIABLE`, or NAME for the file /run/secrets/NAME; with @HOST only that host gets it; repeatable")
	flags.StringArrayVar(&f.labels, "label", nil, "label as `NAME=VALUE`; repeatable")
	flags.StringVar(&f.dir, "dir", "", "where commands start, the `PATH` of a directory; the default is that of the image, or /work")
	flags.StringVar(&f.user, "user", "", "whom commands run as: a `NAME`, a number, root, or image: whom that names, or root; the default is 1000")
	flags.StringVar(&f.snapshot, "snapshot", "", "start from the snapshot `NAME`, which is its id or its name, in place of an image")
	flags.Var(&f.timeout, "timeout", "how long the session lives at most")
	f.idle = duration(api.DefaultIdle)
	flags.Var(&f.idle, "idle", "how long it may be unused")
	flags.BoolVar(&f.kill, "kill", false, "end it when a time is over, in place of pausing it")
	c.completeSecrets(cmd, "secret", "registry-secret")
}

func (f *sessionFlags) spec() (spec api.SessionSpec, err error) {
	if f.snapshot == "" {
		if spec.Image, err = f.image.given(); err != nil {
			return spec, err
		}
	}
	if spec.Network, err = parseNetwork("network", f.network); err != nil {
		return spec, err
	}
	if spec.Secrets, err = parseSecrets(f.secrets); err != nil {
		return spec, err
	}
	spec.Network = spec.Network.With(spec.Secrets)
	if spec.Env, err = parseEnv("-e", f.env, os.LookupEnv); err != nil {
		return spec, err
	}
	if spec.Labels, err = parseLabels("label", f.labels); err != nil {
		return spec, err
	}
	spec.Snapshot, spec.Dir, spec.User = f.snapshot, f.dir, f.user
	spec.Resources = api.Resources{CPU: float64(f.cpu), Memory: int64(f.memory)}
	spec.Timeout, spec.Idle = time.Duration(f.timeout), time.Duration(f.idle)
	if f.kill {
		spec.AtEnd = api.AtEndKill
	}
	return spec, nil
}

func (c *cli) sessionNew() *cobra.Command {
	var f sessionFlags
	var asJSON bool
	cmd := &cobra.Command{
		Use: "new [flags]", Short: "Start a session, and print its id when it is running", Args: cobra.NoArgs,
		Example: "  glovebox session new -p numpy --label user=ada --idle 1h\n" +
			"  glovebox session new --image ghcr.io/org/tools:1 --network public",
		RunE: func(cmd *cobra.Command, _ []string) error {
			spec, err := f.spec()
			if err != nil {
				return err
			}
			return c.withCells(cmd.Context(), func(s api.Sessions) error {
				made, err := c.start(cmd.Context(), s, spec)
				if err != nil {
					return err
				}
				if asJSON {
					return printJSON(c.Out, made)
				}
				_, err = fmt.Fprintln(c.Out, made.ID)
				return err
			})
		},
	}
	f.register(c, cmd)
	jsonFlag(cmd, &asJSON)
	return cmd
}

// start starts a session. Its image is built first, since that can be watched.
func (c *cli) start(ctx context.Context, s api.Sessions, spec api.SessionSpec) (*api.Session, error) {
	if err := takeContext(ctx, s, &spec); err != nil {
		return nil, err
	}
	if err := c.build(ctx, s, &spec); err != nil {
		return nil, err
	}
	return s.NewSession(ctx, spec)
}

// takeContext takes what the image of a session is built from to the engine.
func takeContext(ctx context.Context, s api.Sessions, spec *api.SessionSpec) error {
	if store, ok := s.(buildcontext.Store); ok {
		return buildcontext.TakeSession(ctx, store, spec)
	}
	return nil
}

// build builds the image of a session.
func (c *cli) build(ctx context.Context, s api.Sessions, spec *api.SessionSpec) error {
	images, ok := s.(api.Images)
	if !ok || spec.Snapshot != "" {
		return nil
	}
	line := newProgress(c.Err, os.Getenv)
	defer line.start()()
	_, err := images.BuildImage(ctx, spec.Image, line.show)
	line.clear()
	return err
}
