package cli

import (
	"context"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

func (c *cli) outputsCommand() *cobra.Command {
	var dir string
	var raw bool
	cmd := &cobra.Command{
		Use: "outputs RUN [NAME]", Short: "Print what a run gave, or one of its outputs", Args: cobra.RangeArgs(1, 2), ValidArgsFunction: c.completeRun(),
		Long: "Print the outputs of a run that succeeded as one line of JSON, or one of them: the\n" +
			"bytes of a File or DataFrame, of every other type its JSON.",
		Example: "  glovebox outputs latest\n  glovebox outputs run-0abc report > report.pdf\n  glovebox outputs run-0abc --out results",
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.withRun(cmd.Context(), args[0], func(service api.Service, id string) error {
				outputs, err := outputsOf(cmd.Context(), service, id)
				if err != nil {
					return err
				}
				if len(args) == 2 {
					if outputs, err = onlyOutput(outputs, id, args[1]); err != nil {
						return err
					}
				}
				if dir != "" {
					if outputs, err = placeFiles(cmd.Context(), service, dir, outputs); err != nil {
						return err
					}
				}
				if len(args) < 2 || dir != "" {
					return printOutputs(c.Out, outputs)
				}
				return c.printOutput(cmd.Context(), service, outputs[0], raw)
			})
		},
	}
	outFlag(cmd, &dir)
	rawFlag(cmd, &raw)
	return cmd
}

// outputsOf returns what a run gave, in declaration order. That of a run that
// failed is its error.
func outputsOf(ctx context.Context, service api.Service, id string) ([]api.Output, error) {
	run, err := service.Run(ctx, id)
	switch {
	case err != nil:
		return nil, err
	case run.Error != nil:
		return nil, run.Error
	case !run.Status.Ended():
		return nil, api.Errorf(api.Conflict, "run %s is %s and has no outputs yet", id, run.Status).WithHint("wait for its end with: glovebox wait %s", id)
	case run.Signature == nil:
		return nil, api.Errorf(api.StorageCorrupt, "nothing tells the types of the outputs of run %s", id)
	}
	params := run.Signature.Outputs
	values, err := api.DecodeFields("output", params, run.Outputs)
	if err != nil {
		return nil, api.Errorf(api.StorageCorrupt, "the outputs of run %s do not fit their types: %w", id, err)
	}
	outputs := make([]api.Output, len(params))
	for i, p := range params {
		outputs[i] = api.Output{Name: p.Name, Type: p.Type, Value: values[p.Name]}
	}
	return outputs, nil
}

// onlyOutput returns the output of that name alone.
func onlyOutput(outputs []api.Output, id, name string) ([]api.Output, error) {
	names := make([]string, len(outputs))
	for i, o := range outputs {
		if o.Name == name {
			return outputs[i : i+1], nil
		}
		names[i] = o.Name
	}
	e := api.Errorf(api.NotFound, "run %s has no output %q", id, name).WithDetails(api.Details{Field: "name", Got: name})
	if near := value.Nearest(name, names); near != "" {
		return nil, e.WithHint("did you mean %s?", near)
	}
	return nil, e.WithHint("its outputs are: %s", strings.Join(names, ", "))
}

// printOutput prints the bytes of a file, and other values as a line of JSON.
func (c *cli) printOutput(ctx context.Context, service api.Service, o api.Output, raw bool) error {
	if _, ok := o.Value.(value.Dir); ok {
		return usage("the output %s is a directory", o.Name).hint("put it somewhere with: --out DIR")
	}
	ref, ok := value.RefOf(o.Value)
	if !ok {
		value, err := value.EncodeJSON(o.Type, o.Value)
		if err != nil {
			return err
		}
		_, err = document(c.Out).Write(append(value, '\n'))
		return err
	}
	from, _, err := service.OpenBlob(ctx, ref.SHA256)
	if err != nil {
		return err
	}
	defer from.Close()
	to := forTerminal(c.Out, c.Out, raw)
	if _, err = io.Copy(to, from); err != nil {
		return err
	}
	return to.flush()
}
