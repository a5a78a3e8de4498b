package cli

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/glovebox-dev/glovebox/api"
)

func (c *cli) promptCommand() *cobra.Command {
	var f codeFlags
	cmd := &cobra.Command{
		Use: "prompt --tools FILE.yaml", Short: "Tell a model how to write an orchestrator",
		Long: "Print what a model has to know to write the code of an orchestrator: the language\n" +
			"of the dialect, the inputs, the tools and the type of the result.",
		Example: "  glovebox prompt --dialect extended --tools tools.yaml -i n:int --output int",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return c.with(cmd.Context(), func(service api.Service) error {
				inputs, err := declaredInputs(f.inputs)
				if err != nil {
					return err
				}
				task := &api.Task{Kind: api.KindOrchestrator}
				if err := c.declare(cmd, service, &f, inputs, task); err != nil {
					return err
				}
				text, err := service.Prompt(cmd.Context(), task)
				if err != nil {
					return err
				}
				_, err = io.WriteString(forTerminal(c.Out, c.Out, false), text)
				return err
			})
		},
	}
	f.registerInterface(cmd)
	f.registerDeclared(cmd)
	return cmd
}
