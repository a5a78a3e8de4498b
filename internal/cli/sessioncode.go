package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/glovebox-dev/glovebox/api"
)

// languages are those of contexts.
var languages = []string{api.LanguagePython, api.LanguageBash, api.LanguageJavaScript, api.LanguageTypeScript, api.LanguageR, api.LanguageJava}

const sessionRunHelp = `Run code in an interpreter of a session, which keeps its state.

  glovebox session run SESSION FILE|-
  glovebox session run SESSION -c CODE

What the code prints goes where it would go, and the value of its last expression
to standard output. A picture is shown by terminals that can, those of kitty's and
of iTerm2's protocol, and is otherwise put into a file of --out, whose name is
printed. Without --context the code runs in the one interpreter of its language that
every session has.`

func (c *cli) sessionRun() *cobra.Command {
	var r api.CodeRequest
	var env []string
	var timeout duration
	var asJSON bool
	pictures := pictures{out: "."}
	cmd := &cobra.Command{
		Use: "run SESSION [FILE|-]", Short: "Run code in an interpreter of a session", Long: sessionRunHelp, Args: cobra.RangeArgs(1, 2), ValidArgsFunction: c.completeSession(),
		Example: "  glovebox session run latest -c 'x = 6'\n  glovebox session run latest -c 'x * 7'\n  glovebox session run latest plot.py --out pictures",
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if (len(args) == 2) == (r.Code != "") {
				return usage("there has to be a FILE, or -c CODE, and not both")
			}
			if r.Language != "" && !slices.Contains(languages, r.Language) {
				return usage("there is no language %q", r.Language).hint("it is one of %s", strings.Join(languages, ", "))
			}
			if len(args) == 2 {
				if r.Code, err = c.readSource(args[1]); err != nil {
					return err
				}
			}
			if r.Env, err = parseEnv("-e", env, os.LookupEnv); err != nil {
				return err
			}
			r.Timeout = time.Duration(timeout)
			return c.withSession(cmd.Context(), args[0], func(s api.Sessions, id string) error {
				return c.runCode(cmd.Context(), s, id, r, asJSON, &pictures)
			})
		},
	}
	flags := cmd.Flags()
	flags.StringVarP(&r.Code, "code", "c", "", "run `CODE`")
	flags.StringVar(&r.Context, "context", "", "the interpreter, the `ID` of one")
	flags.StringVar(&r.Language, "language", "", strings.Join(languages, ", ")+"; python if it is not given")
	completeFlag(cmd, "language", oneOf(languages))
	flags.StringArrayVarP(&env, "env", "e", nil, "environment variable as `KEY=VALUE`, or KEY to take it from here; repeatable")
	flags.Var(&timeout, "timeout", "interrupt it after this time")
	flags.StringVar(&pictures.out, "out", ".", "put pictures that cannot be shown into `DIR`")
	flags.BoolVar(&asJSON, "json", false, "print one line of JSON for each thing that comes")
	return cmd
}

// runCode prints what comes of code. Code that raises has printed why, and ends
// this with status 1.
func (c *cli) runCode(ctx context.Context, s api.Sessions, id string, r api.CodeRequest, asJSON bool, p *pictures) error {
	out, problems := forTerminal(c.Out, c.Out, false), forTerminal(c.Err, c.Err, false)
	var raised error
	for e, err := range s.RunCode(ctx, id, r) {
		if err != nil {
			return err
		}
		if e.Error != nil {
			raised = silentExit(1)
		}
		switch {
		case asJSON:
			err = printJSON(c.Out, e)
		case e.Type == api.CodeStdout:
			_, err = io.WriteString(out, e.Text)
		case e.Type == api.CodeStderr:
			_, err = io.WriteString(problems, e.Text)
		case e.Error != nil:
			_, err = io.WriteString(problems, withNewline(e.Error.Traceback))
		case e.Type == api.CodeResult:
			err = c.printForms(out, e.Data, p)
		}
		if err != nil {
			return err
		}
	}
	return errors.Join(raised, out.flush(), problems.flush())
}

func withNewline(text string) string {
	if text == "" || text[len(text)-1] == '\n' {
		return text
	}
	return text + "\n"
}

// printForms prints a result in the form that is best here: as a picture, or else
// as text.
func (c *cli) printForms(out io.Writer, forms map[string]json.RawMessage, p *pictures) error {
	for _, kind := range pictureKinds {
		if encoded, ok := forms[kind.mime]; ok {
			return c.showPicture(kind, encoded, p)
		}
	}
	for _, kind := range []string{"text/plain", "text/markdown", "text/html", "image/svg+xml"} {
		var text string
		if json.Unmarshal(forms[kind], &text) == nil && text != "" {
			_, err := io.WriteString(out, withNewline(text))
			return err
		}
	}
	if text, ok := forms["application/json"]; ok {
		_, err := fmt.Fprintf(out, "%s\n", text)
		return err
	}
	return nil
}

func (c *cli) sessionContext() *cobra.Command {
	return group("ctx", "Start, list and end the interpreters of a session", c.contextNew(), c.contextList(),
		c.contextOrder("interrupt", "Interrupt the code that an interpreter executes", api.Sessions.InterruptContext),
		c.contextOrder("restart", "Start an interpreter again, without its state", api.Sessions.RestartContext),
		c.contextOrder("rm", "End an interpreter", api.Sessions.RemoveContext))
}

func (c *cli) contextNew() *cobra.Command {
	var spec api.ContextSpec
	var env []string
	cmd := &cobra.Command{
		Use: "new SESSION", Short: "Start an interpreter, and print its id", Args: cobra.ExactArgs(1), ValidArgsFunction: c.completeSession(),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if spec.Language != "" && !slices.Contains(languages, spec.Language) {
				return usage("there is no language %q", spec.Language).hint("it is one of %s", strings.Join(languages, ", "))
			}
			if spec.Env, err = parseEnv("-e", env, os.LookupEnv); err != nil {
				return err
			}
			return c.withSession(cmd.Context(), args[0], func(s api.Sessions, id string) error {
				made, err := s.NewContext(cmd.Context(), id, spec)
				if err != nil {
					return err
				}
				_, err = fmt.Fprintln(c.Out, made.ID)
				return err
			})
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&spec.Language, "language", "", strings.Join(languages, ", ")+"; python if it is not given")
	completeFlag(cmd, "language", oneOf(languages))
	flags.StringVar(&spec.Dir, "dir", "", "where it starts, the `PATH` of a directory")
	flags.StringArrayVarP(&env, "env", "e", nil, "environment variable as `KEY=VALUE`, or KEY to take it from here; repeatable")
	flags.BoolVar(&spec.Plain, "plain", false, "Python without IPython, though the image has it")
	return cmd
}

func (c *cli) contextList() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "ls SESSION", Short: "List the interpreters of a session", Args: cobra.ExactArgs(1), ValidArgsFunction: c.completeSession(),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.withSession(cmd.Context(), args[0], func(s api.Sessions, id string) error {
				list, err := s.Contexts(cmd.Context(), id)
				if err != nil {
					return err
				}
				if asJSON {
					return printJSON(c.Out, append([]api.Context{}, list...))
				}
				t := c.table("CONTEXT", "LANGUAGE", "CREATED", "EXECUTIONS", "BUSY")
				for _, x := range list {
					t.row(x.ID, x.Spec.Language, clock(x.Created), fmt.Sprint(x.Executions), yesNo(x.Busy))
				}
				return t.flush()
			})
		},
	}
	jsonFlag(cmd, &asJSON)
	return cmd
}

// contextOrder is a command that does something to one interpreter.
func (c *cli) contextOrder(name, short string, do func(s api.Sessions, ctx context.Context, session, id string) error) *cobra.Command {
	return &cobra.Command{
		Use: name + " SESSION CONTEXT", Short: short, Args: cobra.ExactArgs(2), ValidArgsFunction: c.completeSession(),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.withSession(cmd.Context(), args[0], func(s api.Sessions, id string) error {
				return do(s, cmd.Context(), id, args[1])
			})
		},
	}
}
