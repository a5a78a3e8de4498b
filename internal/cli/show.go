package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/quantity"
)

// Bounds on how much of a tree of runs show prints.
const (
	maxShownDepth = 8
	maxShownCalls = 50  // of each run
	maxShownRuns  = 500 // in all
	maxShownValue = 500 // columns of inputs and outputs
)

func (c *cli) showCommand() *cobra.Command {
	var asJSON, code bool
	cmd := &cobra.Command{
		Use: "show RUN", Short: "Show a run, what it was given, and the calls that it made",
		Long: "Show a run: its values, what its task was given, and the calls that it made. With\n" +
			"--json the whole task as it ran is in it, with --code its code is all there is.",
		Example: "  glovebox show latest\n  glovebox show run-0abc --code > fixed.py; glovebox rerun run-0abc --code fixed.py", Args: cobra.ExactArgs(1), ValidArgsFunction: c.completeRun(),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.withRun(cmd.Context(), args[0], func(service api.Service, id string) error {
				task, err := service.RunTask(cmd.Context(), id)
				if err != nil {
					return err
				}
				if code {
					return c.printCode(id, task)
				}
				left := maxShownRuns
				run, err := service.Run(cmd.Context(), id)
				if err != nil {
					return err
				}
				root := &runTree{Run: *run, Task: task, Network: connections(cmd.Context(), service, run, task)}
				if err := root.grow(cmd.Context(), service, maxShownDepth, &left); err != nil {
					return err
				}
				if asJSON {
					return printJSON(c.Out, root)
				}
				return c.printShown(root)
			})
		},
	}
	jsonFlag(cmd, &asJSON)
	cmd.Flags().BoolVar(&code, "code", false, "print the code as it ran, and nothing else")
	cmd.MarkFlagsMutuallyExclusive("json", "code")
	return cmd
}

// runTree is a run with the runs that it started.
type runTree struct {
	Run  api.Run   `json:"run"`
	Task *api.Task `json:"task,omitempty"` // as it ran; only at the top
	// Network are the connections and requests that it tried; only at the top.
	Network []api.Connection `json:"network,omitempty"`
	Calls   []*runTree       `json:"calls,omitempty"`
	More    bool             `json:"more,omitempty"` // it started others, too, which are left out
}

// grow asks for the calls of a run and for theirs, as far as they are shown;
// left counts the runs that may still be.
func (t *runTree) grow(ctx context.Context, service api.Service, depth int, left *int) error {
	if depth == 0 || *left <= 0 {
		t.More = t.Run.Calls > 0
		return nil
	}
	calls, more, err := collectRuns(ctx, service, api.RunQuery{Parent: t.Run.ID}, "", min(maxShownCalls, *left))
	if err != nil {
		return err
	}
	*left, t.More = *left-len(calls), more
	for _, call := range calls {
		branch := &runTree{Run: call}
		t.Calls = append(t.Calls, branch)
		if err := branch.grow(ctx, service, depth-1, left); err != nil {
			return err
		}
	}
	return nil
}

// printShown prints a run for people: what it is, its values, its calls, and
// what went wrong.
func (c *cli) printShown(root *runTree) error {
	var b bytes.Buffer
	showHead(&b, &root.Run, root.Task)
	showNetwork(&b, root.Network)
	if len(root.Calls) > 0 {
		b.WriteString("calls\n")
		root.showCalls(&b, "  ", span(&root.Run))
	}
	_, err := c.Out.Write(b.Bytes())
	if err == nil && root.Run.Error != nil {
		explain(c.Out, root.Run.Error, true)
	}
	return err
}

func showHead(w io.Writer, run *api.Run, task *api.Task) {
	row := rows(w)
	row("run", run.ID)
	row("task", fmt.Sprintf("%s (%s)", taskOf(run), kindOf(task)))
	row("status", strings.TrimSpace(string(run.Status)+" "+remark(run)))
	row("created", clock(run.Created))
	row("time", took(run, time.Now()))
	if w := run.Waiting; w != nil {
		row("waits", w.Message)
	}
	if !run.SleepsUntil.IsZero() {
		row("sleeps", "until "+clock(run.SleepsUntil))
	}
	if a := run.Approval; a != nil && a.Decision != nil {
		row("approval", a.Decision.Verdict()+" by "+a.Decision.Author()+", "+clock(a.Decision.Time))
		row("reason", a.Decision.Reason)
	}
	if run.Attempts > 1 {
		row("attempts", fmt.Sprint(run.Attempts))
	}
	row("parent", run.Parent)
	row("rerun of", run.RerunOf)
	row("cached", run.CachedRun)
	row("owner", run.Owner)
	row("labels", labelText(run.Labels))
	if len(run.NodeSelector) > 0 {
		row("node", "with "+labelText(run.NodeSelector))
	}
	if run.Priority != 0 {
		row("priority", fmt.Sprint(run.Priority))
	}
	if !run.Resolved.IsZero() {
		row("resolved", "by hand, "+clock(run.Resolved))
	}
	row("image", run.Image)
	row("models", modelUsage(run.Usage.Models))
	showTask(w, task)
	row("inputs", shownValue(ownInputs(run.Inputs)))
	row("outputs", shownValue(run.Outputs))
	if run.Report != nil {
		row("report", fmt.Sprintf("%s of HTML: glovebox report %s", quantity.FormatSize(run.Report.Size), run.ID))
	}
}

// modelUsage is what the questions to models took, those of calls included.
func modelUsage(u api.ModelUsage) string {
	if u == (api.ModelUsage{}) {
		return ""
	}
	text := fmt.Sprintf("%d tokens in, %d out", u.Input, u.Output)
	if u.CachedInput > 0 {
		text = fmt.Sprintf("%d tokens in (%d from a cache), %d out", u.Input, u.CachedInput, u.Output)
	}
	if u.Cost > 0 {
		text += fmt.Sprintf(", $%.4f", u.Cost)
	}
	return text
}

// ownInputs leaves out the code of a function, which is no input of its.
func ownInputs(text json.RawMessage) json.RawMessage {
	var inputs map[string]json.RawMessage
	if json.Unmarshal(text, &inputs) != nil || inputs[bundleInput] == nil {
		return text
	}
	delete(inputs, bundleInput)
	left, err := json.Marshal(inputs)
	if err != nil { // what was decoded a moment ago
		return text
	}
	return left
}

// shownValue shortens a value for people.
func shownValue(text json.RawMessage) string {
	if bytes.Equal(text, []byte("null")) {
		return ""
	}
	return cut(string(text[:min(len(text), 4*maxShownValue)]), maxShownValue)
}

// interval is from when to when something ran.
type interval struct {
	from, to time.Time
}

func span(run *api.Run) interval {
	i := interval{run.Started, run.Ended}
	if i.to.IsZero() {
		i.to = time.Now()
	}
	return i
}

// showCalls prints a line for each call, with a bar that shows when it ran
// within the whole.
func (t *runTree) showCalls(w io.Writer, indent string, whole interval) {
	for _, call := range t.Calls {
		run := &call.Run
		name := indent + run.Task
		if run.Call > 0 { // a call of an orchestrator has a number
			name = fmt.Sprintf("%s%d %s", indent, run.Call, run.Task)
		}
		fmt.Fprintf(w, "%-28s %s %-11s %8s  %s%s\n", visible(cut(name, 28)), bar(span(run), whole), run.Status, took(run, time.Now()), run.ID, details(run))
		call.showCalls(w, indent+"  ", whole)
	}
	if t.More {
		fmt.Fprintf(w, "%s... more; see: glovebox show %s\n", indent, visible(t.Run.ID))
	}
}

func details(run *api.Run) string {
	text := ""
	if run.Group != "" {
		text += fmt.Sprintf("  in %q", run.Group)
	}
	if run.Attempts > 1 {
		text += fmt.Sprintf("  %d attempts", run.Attempts)
	}
	if word := remark(run); word != "" {
		text += "  " + word
	}
	if !run.Resolved.IsZero() {
		text += "  resolved by hand " + clock(run.Resolved)
	}
	return visible(text)
}

// barWidth is the columns of a bar.
const barWidth = 20

// bar draws when part ran within whole.
func bar(part, whole interval) string {
	total := whole.to.Sub(whole.from)
	if total <= 0 || part.from.IsZero() {
		return "[" + strings.Repeat(" ", barWidth) + "]"
	}
	column := func(t time.Time) int {
		return max(0, min(barWidth, int(float64(t.Sub(whole.from))/float64(total)*barWidth)))
	}
	start := min(column(part.from), barWidth-1)
	end := max(column(part.to), start+1)
	return "[" + strings.Repeat(" ", start) + strings.Repeat("=", end-start) + strings.Repeat(" ", barWidth-end) + "]"
}
