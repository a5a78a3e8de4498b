package cli

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/quantity"
)

// printCode prints the code of a run as it ran: byte for byte, but for what would
// play tricks on a terminal.
func (c *cli) printCode(run string, task *api.Task) error {
	if task.Code == "" {
		return api.Errorf(api.NotFound, "run %s has no code: its task %s", run, without(task)).WithHint("see it with: glovebox show %s", run)
	}
	out := forTerminal(c.Out, c.Out, false)
	if _, err := io.WriteString(out, task.Code); err != nil {
		return err
	}
	if terminal(c.Out) != nil && !strings.HasSuffix(task.Code, "\n") {
		if _, err := io.WriteString(out, "\n"); err != nil {
			return err
		}
	}
	return out.flush()
}

// without says what a task is that has no code.
func without(task *api.Task) string {
	switch {
	case task.Function != nil:
		return "is the function " + task.Function.ID
	case task.Model != nil:
		return "asks the model " + task.Model.Name
	case len(task.Command) > 0:
		return "runs a command"
	}
	return "runs what its image runs"
}

// bundleInput is the input by which a client gives a cell the code of a function.
const bundleInput = "_bundle"

// kindOf names what executes a task. A function of a client that runs in a cell
// is a sandbox to the engine, and a function to its author.
func kindOf(task *api.Task) string {
	for _, p := range task.Signature.Inputs {
		if p.Name == bundleInput && p.Default != nil {
			return "function in a cell"
		}
	}
	return string(task.KindOf())
}

// showTask prints what a task may do and have, as far as it is not the default.
func showTask(w io.Writer, task *api.Task) {
	row := rows(w)
	row("command", quoted(append(slices.Clone(task.Command), task.Arguments...)))
	row("stdin", task.Stdin)
	if task.Function != nil {
		row("function", task.Function.ID)
	}
	if m := task.Model; m != nil {
		row("model", m.Name+" ("+m.Protocol+")")
		row("at", m.BaseURL)
		row("key", m.Key)
	}
	if a := task.Agent; a != nil {
		row("asks", toolNamesOf([]api.Task{a.Model}))
		showAgent(row, a)
	}
	if o := task.Orchestrator; o != nil {
		row("dialect", dialectOf(task))
		row("tools", toolNamesOf(o.Tools))
		row("clock", string(o.Clock))
		row("random", string(o.Random))
		row("limits", limitsOf(o.Limits))
		row("unchecked", skipped(o))
	}
	row("network", networkOf(task))
	row("resources", resourcesOf(task.Resources))
	row("built of", imageOf(task.Image))
	row("variables", strings.Join(slices.Sorted(maps.Keys(task.Env)), ", "))
	row("secrets", secretsOf(task.Secrets))
	row("policies", policiesOf(task))
}

func dialectOf(task *api.Task) string {
	switch {
	case task.Agent == nil:
		return cmp.Or(task.Orchestrator.Dialect, "strict")
	case task.Agent.Mode == api.ToolsAgent:
		return ""
	}
	return cmp.Or(task.Orchestrator.Dialect, "extended")
}

// showAgent prints how an agent acts, and what it may spend.
func showAgent(row func(name, value string), a *api.Agent) {
	row("mode", string(cmp.Or(a.Mode, api.CodeAgent)))
	if a.Streaming {
		row("streaming", "statements run while the model writes")
	}
	row("turns", fmt.Sprint(cmp.Or(a.MaxTurns, api.DefaultMaxTurns)))
	row("approval", strings.Join(a.Approve, ", "))
	var budget []string
	for _, b := range []struct {
		set  bool
		text string
	}{
		{a.Budget.Calls > 0, fmt.Sprintf("%d calls", a.Budget.Calls)}, {a.Budget.Tokens > 0, fmt.Sprintf("%d tokens", a.Budget.Tokens)},
		{a.Budget.Cost > 0, fmt.Sprintf("$%g", a.Budget.Cost)}, {a.Budget.Time > 0, a.Budget.Time.String()},
	} {
		if b.set {
			budget = append(budget, b.text)
		}
	}
	row("budget", strings.Join(budget, ", "))
}

// rows returns a function that prints a line for a value that is not empty.
func rows(w io.Writer) func(name, value string) {
	return func(name, value string) {
		if value != "" {
			fmt.Fprintf(w, "%-9s %s\n", name, cut(visible(value), maxShownValue))
		}
	}
}

func quoted(words []string) string {
	if len(words) == 0 {
		return ""
	}
	return strings.Trim(fmt.Sprintf("%q", words), "[]")
}

func toolNamesOf(tools []api.Task) string {
	names := make([]string, len(tools))
	for i := range tools {
		names[i] = fmt.Sprintf("%s (%s)", tools[i].Name, kindOf(&tools[i]))
	}
	return cmp.Or(strings.Join(names, ", "), "none")
}

func skipped(o *api.Orchestrator) string {
	var what []string
	if o.SkipCheck {
		what = append(what, "code")
	}
	if o.SkipTypeCheck {
		what = append(what, "types")
	}
	return strings.Join(what, ", ")
}

func networkOf(task *api.Task) string {
	switch {
	case task.KindOf() != api.KindSandbox:
		return ""
	case task.Network.None():
		return "none"
	case task.Network.Public:
		return strings.Join(append([]string{"public"}, task.Network.Allow...), ", ")
	}
	return strings.Join(task.Network.Allow, ", ")
}

func resourcesOf(r api.Resources) string {
	var words []string
	if r.CPU != 0 {
		words = append(words, fmt.Sprintf("cpu %g", r.CPU))
	}
	for _, each := range []struct {
		name  string
		bytes int64
	}{{"memory", r.Memory}, {"disk", r.Disk}} {
		if each.bytes != 0 {
			words = append(words, each.name+" "+quantity.FormatSize(each.bytes))
		}
	}
	return strings.Join(append(words, counts([]count{{"pids", r.PIDs}, {"open files", r.OpenFiles}})...), ", ")
}

type count struct {
	name string
	n    int
}

func counts(list []count) (words []string) {
	for _, each := range list {
		if each.n != 0 {
			words = append(words, fmt.Sprintf("%s %d", each.name, each.n))
		}
	}
	return words
}

func limitsOf(l api.OrchestratorLimits) string {
	var words []string
	if l.Time != 0 {
		words = append(words, "time "+l.Time.String())
	}
	if l.Memory != 0 {
		words = append(words, "memory "+quantity.FormatSize(l.Memory))
	}
	words = append(words, counts([]count{
		{"depth", l.Depth}, {"steps", int(l.Steps)}, {"printed", l.Output}, {"calls", l.Calls}, {"parallel", l.Parallel},
	})...)
	return strings.Join(words, ", ")
}

func imageOf(s api.ImageSpec) string {
	if s.Ref != "" {
		return s.Ref
	}
	var b bytes.Buffer
	part := func(name string, words ...string) {
		if text := strings.Join(words, " "); text != "" {
			fmt.Fprintf(&b, "; %s: %s", name, text)
		}
	}
	part("base", s.Base)
	part("python", s.Python)
	part("packages", s.Packages...)
	part("apt", s.SystemPackages...)
	part("commands", quoted(s.Commands))
	return strings.TrimPrefix(b.String(), "; ")
}

func secretsOf(secrets []api.SecretRef) string {
	names := make([]string, len(secrets))
	for i, s := range secrets {
		names[i] = s.Name
		if s.Withheld() {
			names[i] += " for " + strings.Join(s.Hosts, " and ")
		}
	}
	return strings.Join(names, ", ")
}

func policiesOf(task *api.Task) string {
	var words []string
	if task.Timeout != 0 {
		words = append(words, "timeout "+task.Timeout.Round(time.Millisecond).String())
	}
	words = append(words, counts([]count{{"retries", task.Retries}})...)
	if task.Cache != "" {
		words = append(words, "cache "+string(task.Cache))
	}
	for _, each := range []struct {
		set  bool
		name string
	}{{task.Approval != nil, "asks for approval"}, {task.Idempotent, "idempotent"}, {task.StartsRuns, "starts runs"}, {task.Asks != nil, "asks a model"}, {task.Report, "has a report"}} {
		if each.set {
			words = append(words, each.name)
		}
	}
	for _, n := range task.Notify {
		words = append(words, "notifies "+n.URL)
	}
	for _, label := range api.LabelTexts(task.Labels) {
		words = append(words, "label "+label)
	}
	for _, label := range api.LabelTexts(task.NodeSelector) {
		words = append(words, "node with "+label)
	}
	if task.Priority != 0 {
		words = append(words, fmt.Sprintf("priority %d", task.Priority))
	}
	if task.MaxConcurrent > 0 {
		words = append(words, fmt.Sprintf("at most %d at once", task.MaxConcurrent))
	}
	return strings.Join(words, ", ")
}
