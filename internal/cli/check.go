package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// levelWarning is the level of a problem that does not stop a program.
const levelWarning = "warning"

func (c *cli) checkCommand() *cobra.Command {
	var f codeFlags
	var asJSON bool
	cmd := &cobra.Command{
		Use: "check FILE|- --tools FILE.yaml", Short: "Find what would fail in an orchestrator, before any call is made",
		Long: "Find what would fail in an orchestrator, before any call is made: what the dialect\n" +
			"does not have, unknown names, calls that do not fit their tools. Inputs are\n" +
			"declared as -i NAME[:TYPE]. The exit status is 1 if the code would not run.",
		Example: "  glovebox check pipeline.py --tools tools.yaml -i n:int",
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.with(cmd.Context(), func(service api.Service) error {
				inputs, err := declaredInputs(f.inputs)
				if err != nil {
					return err
				}
				task, err := c.orchestrator(cmd, service, &f, inputs, args)
				if err != nil {
					return err
				}
				problems, err := service.Check(cmd.Context(), task)
				if err != nil {
					return err
				}
				return c.judge(asJSON, task, problems)
			})
		},
	}
	f.register(cmd)
	f.registerDeclared(cmd)
	jsonFlag(cmd, &asJSON)
	return cmd
}

// registerDeclared adds the flag for inputs without values.
func (f *codeFlags) registerDeclared(cmd *cobra.Command) {
	cmd.Flags().StringArrayVarP(&f.inputs, "input", "i", nil, "declare an input as `NAME[:TYPE]`; the type is str unless given; repeatable")
}

// declaredInputs reads -i flags; values do not matter here.
func declaredInputs(flags []string) ([]value.Param, error) {
	var params []value.Param
	for _, flag := range flags {
		declaration, _, _ := strings.Cut(flag, "=")
		param, err := parseDeclaration("input", declaration, value.Type{Kind: value.KindStr})
		if err != nil {
			return nil, err
		}
		params = append(params, param)
	}
	return params, nil
}

// judge prints problems and fails if one of them is more than a warning.
func (c *cli) judge(asJSON bool, task *api.Task, problems []api.Problem) error {
	if asJSON {
		if err := printJSON(c.Out, append([]api.Problem{}, problems...)); err != nil {
			return err
		}
	} else {
		printProblems(c.Out, task, problems)
		if len(problems) == 0 && terminal(c.Err) != nil {
			fmt.Fprintln(c.Err, "nothing would fail")
		}
	}
	for _, p := range problems {
		if p.Level != levelWarning {
			return silentExit(1)
		}
	}
	return nil
}

func printProblems(w io.Writer, task *api.Task, problems []api.Problem) {
	file := task.File
	if file == "" {
		file = "code"
	}
	lines := strings.Split(task.Code, "\n")
	for _, p := range problems {
		fmt.Fprintf(w, "%s:%d:%d: %s: %s\n", visible(file), p.Line, p.Column, visible(p.Level), visible(p.Message))
		if p.Line >= 1 && p.Line <= len(lines) {
			fmt.Fprint(w, sourceLine(p.Line, p.Column, lines[p.Line-1]))
		}
	}
}

// sourceLine shows a line of source with its number, and a caret below column.
// Line and column count from 1; without a column there is no caret.
func sourceLine(line, column int, source string) string {
	source = strings.ReplaceAll(strings.TrimRight(source, "\r\n"), "\t", " ")
	indent := len(source) - len(strings.TrimLeft(source, " "))
	number := fmt.Sprint(line)
	text := fmt.Sprintf("  %s | %s\n", number, visible(source[indent:]))
	if at := column - 1 - indent; column > 0 && at >= 0 && at <= len(source)-indent {
		text += fmt.Sprintf("  %s | %s^\n", strings.Repeat(" ", len(number)), strings.Repeat(" ", at))
	}
	return text
}
