package cli

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/glovebox-dev/glovebox/api"
)

func (c *cli) secretCommand() *cobra.Command {
	return group("secret", "Keep secrets for runs, encrypted on this host", c.secretSet(), reader(c.secretList()), c.secretRemove())
}

func (c *cli) secretSet() *cobra.Command {
	cmd := &cobra.Command{
		Use: "set NAME", Short: "Store a secret, read from standard input or a hidden prompt", Args: cobra.ExactArgs(1),
		Long: "Store a secret, read from standard input or, on a terminal, from a hidden prompt.\nOne newline at its end is dropped.",
		RunE: func(cmd *cobra.Command, args []string) error {
			value, err := c.readSecret(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			return c.with(cmd.Context(), func(service api.Service) error { return service.SetSecret(cmd.Context(), args[0], value) })
		},
	}
	cmd.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		if !strings.Contains(err.Error(), "'f'") {
			return flagError(cmd, err)
		}
		return usage("%s has no -f", cmd.CommandPath()).hint("read a file with: %s NAME < FILE", cmd.CommandPath())
	})
	return cmd
}

// maxSecretInput bounds what is read; the store has its own, smaller bound.
const maxSecretInput = 1 << 20

func (c *cli) readSecret(ctx context.Context, name string) ([]byte, error) {
	if f, ok := c.In.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		fmt.Fprintf(c.Err, "Value of %s: ", visible(name))
		value, err := readHidden(ctx, f)
		fmt.Fprintln(c.Err)
		return checkSecret(value, err)
	}
	value, err := unlessInterrupted(ctx, func() ([]byte, error) { return io.ReadAll(io.LimitReader(c.In, maxSecretInput+1)) })
	value, dropped := bytes.CutSuffix(value, []byte("\n"))
	if dropped {
		value = bytes.TrimSuffix(value, []byte("\r"))
	}
	return checkSecret(value, err)
}

// readHidden reads a line from a terminal that does not show it, and leaves the
// terminal as it was, also when ctx ends. The goroutine that reads changes
// nothing of the terminal: it may begin when this has returned.
func readHidden(ctx context.Context, f *os.File) (line []byte, err error) {
	restore, err := hideInput(f)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, restore()) }()
	line, err = unlessInterrupted(ctx, func() ([]byte, error) {
		return bufio.NewReader(io.LimitReader(f, maxSecretInput+1)).ReadBytes('\n')
	})
	if errors.Is(err, io.EOF) {
		err = nil
	}
	line, _ = bytes.CutSuffix(line, []byte("\n"))
	return bytes.TrimSuffix(line, []byte(endOfConsoleLine)), err
}

func checkSecret(value []byte, err error) ([]byte, error) {
	switch {
	case errors.Is(err, &api.Error{Code: api.Canceled}):
		return nil, err
	case err != nil:
		return nil, usage("read the secret: %s", err)
	case len(value) == 0:
		return nil, usage("the secret is empty").hint("pass it on standard input: glovebox secret set NAME < FILE")
	case len(value) > maxSecretInput:
		return nil, usage("the secret is larger than 1 MiB").hint("give large data to a run as an input")
	}
	return value, nil
}

func (c *cli) secretList() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "ls", Short: "List the names of the secrets", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.with(cmd.Context(), func(service api.Service) error {
				names, err := service.Secrets(cmd.Context())
				if err != nil {
					return err
				}
				if asJSON {
					return printJSON(c.Out, append([]string{}, names...))
				}
				return c.printLines(names)
			})
		},
	}
	jsonFlag(cmd, &asJSON)
	return cmd
}

func (c *cli) secretRemove() *cobra.Command {
	return &cobra.Command{
		Use: "rm NAME...", Short: "Remove secrets", Args: cobra.MinimumNArgs(1), ValidArgsFunction: c.complete(secretNames),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.with(cmd.Context(), func(service api.Service) error {
				for _, name := range args {
					if err := service.RemoveSecret(cmd.Context(), name); err != nil {
						return err
					}
				}
				return nil
			})
		},
	}
}
