package cli

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/lazyregexp"
	"github.com/glovebox-dev/glovebox/value"
)

// The exit statuses that do not come from the table of codes.
const (
	exitUsage  = 2
	exitSignal = 128 // plus the number of the signal
)

// usageError is a command line that cannot be understood.
type usageError struct {
	message, advice string
}

func usage(format string, args ...any) *usageError {
	return &usageError{message: fmt.Sprintf(format, args...)}
}

func (e *usageError) hint(format string, args ...any) *usageError {
	e.advice = fmt.Sprintf(format, args...)
	return e
}

func (e *usageError) Error() string { return e.message }

// goNumber is how Go says that a text is no number.
var goNumber = lazyregexp.New(`strconv\.\w+: parsing "(.*)": [a-z ]+$`)

// flagError adds what to do to an error of the flag parser.
func flagError(cmd *cobra.Command, err error) error {
	e := usage("%s", goNumber().ReplaceAllString(err.Error(), `"$1" is no number, or too large`)).hint("run: %s --help", cmd.CommandPath())
	var unknown interface{ GetSpecifiedName() string }
	if errors.As(err, &unknown) {
		if near := nearestFlag(cmd.Flags().FlagUsages(), unknown.GetSpecifiedName()); near != "" {
			return e.hint("did you mean --%s?", near)
		}
	}
	return e
}

// nearestFlag finds a flag with a name like name in the help text.
func nearestFlag(help, name string) string {
	var flags []string
	for _, word := range strings.Fields(help) {
		if flag, ok := strings.CutPrefix(word, "--"); ok {
			flags = append(flags, flag)
		}
	}
	return value.Nearest(name, flags)
}

// report prints err and returns the exit status that it stands for.
func (c *cli) report(err error) int {
	if err == nil {
		return 0
	}
	var silent silentExit
	if errors.As(err, &silent) {
		return int(silent)
	}
	var wrong *usageError
	if errors.As(err, &wrong) {
		printError(c.Err, wrong.message, "", wrong.advice)
		return exitUsage
	}
	if !c.reached { // what cobra found wrong with the arguments
		printError(c.Err, err.Error(), "", "run: glovebox --help")
		return exitUsage
	}
	e := api.AsError(err)
	explain(c.Err, e, c.hidden)
	if c.run != "" {
		fmt.Fprintf(c.Err, "  run: glovebox show %s\n", c.run)
	}
	return exitStatus(e)
}

// conclude prints how a command ended, and returns its exit status.
func (c *cli) conclude(cmd *cobra.Command, args []string, err error) int {
	if asksJSON(cmd, args) {
		c.reportJSON(cmd, err)
	}
	return c.report(err)
}

// asksJSON reports whether a command was asked for JSON, also where the rest of
// its command line is wrong.
func asksJSON(cmd *cobra.Command, args []string) bool {
	flag := cmd.Flags().Lookup("json")
	if end := slices.Index(args, "--"); end >= 0 {
		args = args[:end]
	}
	return flag != nil && (flag.Value.String() == "true" || slices.Contains(args, "--json"))
}

// reportJSON prints an error that no result tells: as the result of a run that
// did not begin, or alone.
func (c *cli) reportJSON(cmd *cobra.Command, err error) {
	var silent silentExit
	if err == nil || c.answered || errors.As(err, &silent) {
		return
	}
	var wrong *usageError
	if errors.As(err, &wrong) {
		err = api.Errorf(api.RequestInvalid, "%s", wrong.message).WithHint("%s", wrong.advice)
	} else if !c.reached {
		err = api.Errorf(api.RequestInvalid, "%s", err).WithHint("run: glovebox --help")
	}
	if cmd.Flags().Lookup("detach") != nil { // it starts a run
		_ = printWhole(c.Out, &api.Result{ExitCode: noExitCode}, err) // the error is also printed as text
		return
	}
	_ = printJSON(c.Out, struct {
		Error *api.Error `json:"error"`
	}{api.AsError(err)})
}

// noExitCode stands for the status of a program that did not run.
const noExitCode = -1

// silentExit is an exit status whose reason has been printed.
type silentExit int

func (s silentExit) Error() string { return fmt.Sprintf("exit status %d", int(s)) }

// exitStatus is the status of the table of codes, or the program's own.
func exitStatus(e *api.Error) int {
	if status := e.Code.Info().Exit; status >= 0 {
		return status
	}
	if e.Code == api.Signaled {
		return exitSignal + signalNumber(e.Details.Signal)
	}
	if e.Details.ExitCode > 0 {
		return e.Details.ExitCode
	}
	return api.Internal.Info().Exit
}

// explain prints what went wrong and what to do. Where in the user's code it
// went wrong Python has printed already, unless that was hidden.
func explain(w io.Writer, e *api.Error, hidden bool) {
	message := e.Message
	if e.Attempts > 1 {
		message += fmt.Sprintf(" (after %d attempts)", e.Attempts)
	}
	lines := lastLines(e.Details.Log)
	if hidden {
		lines = place(e) + lines
	}
	lines += failedCall(e.Details.Call)
	printError(w, string(e.Code)+": "+message, lines, e.Hint)
}

// failedCall names the call of a tool that was at fault.
func failedCall(call *api.FailedCall) string {
	if call == nil {
		return ""
	}
	text := fmt.Sprintf("  call %d of %s, run %s\n", call.ID, visible(call.Tool), visible(call.Run))
	if call.Error != nil {
		text += "    " + visible(string(call.Error.Code)+": "+call.Error.Message) + "\n"
	}
	return text
}

// printError prints a message, further lines as they are, and a hint.
func printError(w io.Writer, message, lines, hint string) {
	fmt.Fprintf(w, "glovebox: %s\n%s", indented(message), lines)
	if hint != "" {
		fmt.Fprintf(w, "  hint: %s\n", visible(hint))
	}
}

// indented puts further lines of a message, such as one for each place of the
// code, where no message can pass one off as a hint.
func indented(message string) string {
	lines := strings.SplitN(message, "\n", maxLogLines)
	for i, line := range lines {
		lines[i] = visible(line)
	}
	return strings.Join(lines, "\n    ")
}

// maxLogLines bounds what is shown of the output of a build step, and of a message.
const maxLogLines = 20

// lastLines indents the end of the output of a build step or a resolver.
func lastLines(log string) string {
	log = strings.TrimRight(log, "\n")
	if log == "" {
		return ""
	}
	lines := strings.Split(log, "\n")
	if len(lines) > maxLogLines {
		lines = lines[len(lines)-maxLogLines:]
	}
	var b strings.Builder
	for _, line := range lines {
		b.WriteString("  | " + visible(line) + "\n")
	}
	return b.String()
}

// place shows the line of the user's code at fault, with a caret if the column
// is known.
func place(e *api.Error) string {
	x := e.Details.Exception
	if x == nil || len(x.Frames) == 0 || x.Frames[len(x.Frames)-1].Source == "" {
		return ""
	}
	frame := x.Frames[len(x.Frames)-1]
	margin := strings.Repeat(" ", len(fmt.Sprint(frame.Line)))
	return fmt.Sprintf("  %s --> %s:%d\n", margin, visible(frame.File), frame.Line) + sourceLine(frame.Line, frame.Column, frame.Source)
}

// visible replaces characters that could control a terminal or reorder text:
// parts of a message come from code that was not reviewed.
func visible(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\t' {
			return ' '
		}
		if tricks(r) {
			return '\ufffd'
		}
		return r
	}, s)
}
