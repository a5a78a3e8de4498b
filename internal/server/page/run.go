package page

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// maxShownRuns bounds the calls below a run that its page reads, and maxShownDepth
// how deep they are.
const (
	maxShownRuns  = 2500
	maxShownDepth = 6
)

type runData struct {
	Run      runRow
	Task     *api.Task
	NoTask   string // why the task cannot be shown
	Inputs   []field
	Outputs  []field
	Timeline *timeline
	Attempts []attempt // if there were several
	Source   *source
	Why      *why
	Log      *logData
	Waiting  []runRow // calls that the run waits for
	Can      able
	Doubts   []runRow // calls of which nothing says whether they were done
	Turns    bool     // it asked a model, turn by turn
	Ledger   *ledger
	Cache    *api.CacheExplanation
	Policy   []fact
	Usage    []fact
	Usages   *chart
	Facts    []fact
	Notified []api.Delivery
}

// able says which changes a run takes now.
type able struct {
	Cancel, Resume, Resolve, Rerun bool
}

// fact is a line of a list of what is known.
type fact struct {
	Name, Text string
	Link       string // relative to the root; empty for none
}

// known leaves out facts of which nothing is known.
func known(facts ...fact) []fact {
	return slices.DeleteFunc(facts, func(f fact) bool { return f.Text == "" })
}

// why is what is known of a failure, and what to do about it.
type why struct {
	Error     *api.Error
	Exception *api.Exception
	Call      *api.FailedCall
	Doubt     bool // the outcome of a call is unknown
	Problems  []api.Problem
}

func (p *Page) run(r *http.Request) (content, error) {
	ctx, id := r.Context(), r.PathValue("id")
	run, err := p.Service.Run(ctx, id)
	if err != nil {
		return content{}, err
	}
	data := &runData{Run: p.row(*run), Can: changesOf(run), Why: whyOf(run), Facts: factsOf(run), Usage: usageOf(run)}
	kept, err := p.Service.Retention(ctx)
	if err != nil {
		return content{}, err
	}
	data.Facts = append(data.Facts, known(fact{Name: "Kept", Text: keptUntil(run, kept)})...)
	if data.Task, err = p.Service.RunTask(ctx, id); err != nil {
		data.Task, data.NoTask = &api.Task{Name: run.Task, Kind: run.Kind}, message(err)
	}
	if run.Signature != nil {
		data.Inputs = fieldsOf(p, r, run, "inputs", run.Signature.Inputs, run.Inputs)
		data.Outputs = fieldsOf(p, r, run, "outputs", run.Signature.Outputs, run.Outputs)
	}
	root := &branch{run: run}
	left := maxShownRuns
	if err := p.grow(ctx, root, maxShownDepth, &left); err != nil {
		return content{}, err
	}
	if err := p.readAttempts(ctx, data, root); err != nil {
		return content{}, err
	}
	data.Timeline = newTimeline(root, p.Now())
	for _, c := range root.calls {
		if !c.run.Status.Ended() && len(data.Waiting) < 10 {
			data.Waiting = append(data.Waiting, p.row(*c.run))
		}
	}
	if data.Source = newSource(data.Task, data.Why); data.Source != nil {
		data.Source.markWaits(data.waits())
		if sleeps(run) {
			data.Source.markSleep()
		}
		data.Source.cut()
	}
	if data.Log, err = p.readLog(ctx, id, logQuery{Tail: true}, tailLines); err != nil {
		return content{}, err
	}
	data.Ledger = newLedger(root)
	data.Doubts = p.doubtsOf(root)
	data.Policy = policiesOf(data.Task)
	data.Cache = p.cacheOf(ctx, run)
	first, _ := asks(data.Task)
	data.Turns = first != ""
	notified, err := p.Service.Deliveries(ctx, api.DeliveryQuery{Run: id})
	if err != nil {
		return content{}, err
	}
	data.Notified = notified.Deliveries
	c := content{Template: "run", Title: visible(run.Task), Nav: "runs", Data: data}
	if run.Status != api.StatusInterrupted && !run.Status.Ended() {
		c.Follow = "page/follow/runs/" + id
	}
	return c, nil
}

// waits are the places in the code that the run waits at: the lines of the calls under
// way, and the tools of those whose line is not known.
func (d *runData) waits() (lines []int, tools []string) {
	for _, w := range d.Waiting {
		if w.Line > 0 {
			lines = append(lines, w.Line)
		} else {
			tools = append(tools, w.Task)
		}
	}
	return lines, tools
}

func message(err error) string {
	if e := (*api.Error)(nil); errors.As(err, &e) {
		return e.Message
	}
	return err.Error()
}

// grow reads the calls of a run, and theirs.
func (p *Page) grow(ctx context.Context, b *branch, depth int, left *int) error {
	if b.run.Calls == 0 || depth == 0 || *left <= 0 {
		b.more = b.run.Calls
		return nil
	}
	q := api.RunQuery{Parent: b.run.ID, Limit: min(1000, *left)}
	for {
		list, err := p.Service.Runs(ctx, q)
		if err != nil {
			return err
		}
		for i := range list.Runs {
			b.calls = append(b.calls, &branch{run: &list.Runs[i]})
		}
		*left -= len(list.Runs)
		if q.Cursor, q.Limit = list.Next, min(1000, *left); list.Next == "" || *left <= 0 {
			break
		}
	}
	b.more = max(0, b.run.Calls-len(b.calls))
	for _, c := range b.calls {
		if err := p.grow(ctx, c, depth-1, left); err != nil {
			return err
		}
	}
	return nil
}

// readAttempts reads the events of a run where they tell more than the run itself: of
// several attempts, or of the use of a cell over time.
func (p *Page) readAttempts(ctx context.Context, data *runData, root *branch) error {
	run := root.run
	sampled := run.Kind == api.KindSandbox && run.Attempts > 0 && run.Status.Ended() && data.Run.Took > time.Second
	if run.Attempts < 2 && !sampled {
		return nil
	}
	all, err := p.attemptsOf(ctx, run)
	if err != nil || len(all) == 0 {
		return err
	}
	data.Usages = newChart(all[len(all)-1].Samples)
	if run.Attempts > 1 {
		data.Attempts, root.attempts = all, all
	}
	return nil
}

// doubtsOf finds what a person can say the outcome of, at or below a run.
func (p *Page) doubtsOf(root *branch) (rows []runRow) {
	root.walk(func(b *branch) {
		if b.run.Error != nil && b.run.Error.Code == api.OutcomeUnknown && len(b.calls) == 0 && len(rows) < 20 {
			rows = append(rows, p.row(*b.run))
		}
	})
	return rows
}

// cacheOf says how a run met the cache. That it cannot be said is no reason to show
// nothing of the run.
func (p *Page) cacheOf(ctx context.Context, run *api.Run) *api.CacheExplanation {
	x, err := p.Service.ExplainCache(ctx, run.ID)
	if err != nil {
		p.Logger.Warn("the cache of a run cannot be explained", "run", run.ID, "error", err)
		return nil
	}
	return x
}

func changesOf(run *api.Run) able {
	doubt := run.Error != nil && run.Error.Code == api.OutcomeUnknown
	return able{
		Cancel:  !run.Status.Ended(),
		Resume:  run.Status == api.StatusInterrupted || run.Status == api.StatusFailed || run.Status == api.StatusCanceled,
		Resolve: doubt,
		Rerun:   run.Parent == "" || run.Status.Ended(),
	}
}

func whyOf(run *api.Run) *why {
	if run.Error == nil {
		return nil
	}
	e := run.Error
	w := &why{Error: e, Exception: e.Details.Exception, Call: e.Details.Call, Problems: e.Details.Problems, Doubt: e.Code == api.OutcomeUnknown}
	for cause := e.Details.Call; w.Exception == nil && cause != nil && cause.Error != nil; cause = cause.Error.Details.Call {
		w.Exception = cause.Error.Details.Exception
	}
	return w
}

func factsOf(run *api.Run) []fact {
	facts := []fact{{Name: "Run", Text: run.ID}, {Name: "Kind", Text: string(run.Kind)}}
	add := func(name, text, link string) { facts = append(facts, known(fact{name, text, link})...) }
	add("Owner", run.Owner, "")
	if run.Priority != 0 {
		add("Priority", strconv.Itoa(run.Priority), "")
	}
	add("Version", run.Version, "page/tasks/"+run.Version)
	add("Called by", run.Parent, "page/runs/"+run.Parent)
	if run.Root != run.ID {
		add("Top of the tree", run.Root, "page/runs/"+run.Root)
	}
	add("Repeats", run.RerunOf, "page/runs/"+run.RerunOf)
	add("From the cache, by", run.CachedRun, "page/runs/"+run.CachedRun)
	add("Group", run.Group, "")
	if t := run.Trigger; t != nil {
		add("Started by schedule", t.Schedule, "page/schedules/"+t.Schedule)
		add("Started by hook", t.Hook, "page/hooks/"+t.Hook)
	}
	add("Image", run.Image, "page/images/"+run.Image)
	add("Task", run.TaskDigest, "")
	add("Idempotency key", run.IdempotencyKey, "")
	if !run.Resolved.IsZero() {
		add("Resolved by a person", clock(run.Resolved), "")
	}
	return facts
}

func usageOf(run *api.Run) []fact {
	u := run.Usage
	var facts []fact
	add := func(is bool, name, text string) {
		if is {
			facts = append(facts, fact{Name: name, Text: text})
		}
	}
	add(u.CPU > 0, "Processor time", took(u.CPU))
	add(u.PeakMemory > 0, "Memory at most", size(u.PeakMemory))
	add(u.BytesIn > 0, "From the network", size(u.BytesIn))
	add(u.BytesOut > 0, "To the network", size(u.BytesOut))
	add(u.Warm, "Cell", "was ready ahead of the run")
	m := u.Models
	add(m.Input > 0, "Tokens read by models", count(m.Input))
	add(m.CachedInput > 0, "of them cached", count(m.CachedInput))
	add(m.Output > 0, "Tokens written by models", count(m.Output))
	add(m.Cost > 0, "Cost of models", "$"+money(m.Cost))
	return facts
}
