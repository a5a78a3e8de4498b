package engine

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/engine/admission"
	"github.com/glovebox-dev/glovebox/internal/engine/replay"
	"github.com/glovebox-dev/glovebox/internal/journal"
	"github.com/glovebox-dev/glovebox/value"
)

// caller is the api.Caller of one attempt of an orchestrator.
type caller struct {
	run      *run
	ctx      context.Context
	tools    map[string]*granted
	made     map[uint64]*granted // by call, what the runner made for it instead of a tool
	parallel *admission.Slots    // one for each call that may be under way

	history     *replay.History
	reuse       *replay.Pool // nil if there was no earlier attempt
	snapshot    []byte
	begun       map[uint64]bool // calls that the code made, in this process
	cursor      int             // of history.Answers: the next answer to give again
	given       int             // answers that came, from the beginning of the attempt
	earlier     int             // calls that the code had made when the snapshot was taken, until Next has looked at them
	unwanted    map[uint64]bool // calls that the code gave up
	sleepsUntil time.Time       // as the journal has it
	slept       int             // how often it slept to the end, from the beginning of the attempt
	maxSlept    int             // of those

	working sync.WaitGroup // calls that this process executes

	mu      sync.Mutex
	open    map[uint64]*run // calls under way
	held    int             // of open, those that wait for people
	answers []answer        // that were not given yet
	arrived chan struct{}   // one token when there may be answers
	over    bool            // the attempt has ended
}

var _ api.Caller = (*caller)(nil)

// granted is a task with its digest and its encoding, which are computed once.
type granted struct {
	task       *api.Task
	digest     string // as Task.Digest gives it
	definition json.RawMessage
}

func grant(task *api.Task) (granted, error) {
	text, err := json.Marshal(task)
	if err != nil {
		return granted{}, api.Errorf(api.Internal, "encode task %s: %w", task.Name, err)
	}
	return granted{task, api.DigestOf(text), text}, nil
}

// answer is an api.Answer, or the end of the attempt.
type answer struct {
	api.Answer
	fatal error
}

func (r *run) newCaller(ctx context.Context) (*caller, error) {
	spec := cmp.Or(r.task.Orchestrator, &api.Orchestrator{}) // without one it has no tools
	c := &caller{
		run: r, ctx: ctx, tools: map[string]*granted{}, made: map[uint64]*granted{},
		parallel: admission.NewSlots(parallelism(spec.Limits)),
		history:  r.plan.replay,
		begun:    map[uint64]bool{}, unwanted: map[uint64]bool{}, open: map[uint64]*run{}, arrived: make(chan struct{}, 1),
	}
	if c.history == nil {
		c.history = replay.NewHistory()
	}
	c.sleepsUntil, c.maxSlept = c.history.SleepsUntil(), sleepsFor*cmp.Or(spec.Limits.Calls, defaultCalls)
	replayed := r.plan.replay != nil
	r.plan.replay = nil
	for _, task := range r.task.Callable() {
		tool, err := grant(task)
		if err != nil {
			return nil, err
		}
		c.tools[tool.task.Name] = &tool
	}
	var err error
	rec := r.record()
	if c.reuse, err = replay.OfOrchestrator(ctx, records{r.engine}, &rec, c.history); err != nil {
		return nil, err
	}
	if !replayed {
		return c, nil
	}
	return c, c.loadSnapshot()
}

func parallelism(l api.OrchestratorLimits) int {
	if l.Parallel <= 0 {
		return api.DefaultParallel
	}
	return l.Parallel
}

// loadSnapshot finds a snapshot that the journal confirms: what it has seen is
// durable.
func (c *caller) loadSnapshot() error {
	s, err := c.run.engine.config.Journal.Snapshot(c.ctx, c.run.id)
	if err != nil {
		return journalError(c.run.id, err)
	}
	if s == nil || s.Attempt != c.run.attemptNumber() || s.Answered > len(c.history.Answers()) || s.Started > uint64(c.history.Len()) {
		return nil
	}
	c.snapshot, c.cursor, c.given, c.earlier = s.Data, s.Answered, s.Answered, int(s.Started)
	for _, ended := range c.history.Answers()[:s.Answered] {
		if ended.Call == 0 {
			c.slept++
			continue
		}
		c.begun[ended.Call] = true
	}
	return nil
}

func (c *caller) Snapshot() []byte { return c.snapshot }

// Restart forgets the snapshot: the code starts from its beginning.
func (c *caller) Restart() {
	c.snapshot, c.cursor, c.given, c.slept, c.earlier = nil, 0, 0, 0, 0
	clear(c.begun)
}

// Save keeps a snapshot, once all that the code has seen is durable: what the journal
// lost has other answers when it is made again, and a count of them tells no difference.
// It is no loss if that fails: replay does without.
func (c *caller) Save(snapshot []byte) {
	if c.run.settled(c.ctx) != nil {
		return
	}
	s := journal.Snapshot{
		Run: c.run.id, Fence: c.run.record().Fence, Attempt: c.run.attemptNumber(),
		Started: uint64(len(c.begun)), Answered: c.given, Data: snapshot,
	}
	if err := c.run.engine.config.Journal.SaveSnapshot(c.ctx, s); err != nil && c.ctx.Err() == nil {
		c.run.engine.config.Logger.Debug("saving a snapshot", "run", c.run.id, "error", err)
	}
}

// Start begins a call.
func (c *caller) Start(ctx context.Context, call api.Call) error {
	tool, err := c.called(call)
	if err != nil {
		return err
	}
	sub, err := c.accept(ctx, tool, call)
	if err != nil {
		return err
	}
	c.begun[call.ID] = true
	if known, ok := c.history.Call(call.ID); ok {
		return c.again(ctx, known, sub)
	}
	if earlier := c.reuse.TakeDone(&sub.rec); earlier != nil {
		return c.reuseCall(ctx, call, tool, sub, earlier)
	}
	c.reuse.Retry(&sub.rec)
	return c.begin(ctx, call, tool, sub)
}

// called is the task of a call: a tool, or one that the runner has made.
func (c *caller) called(call api.Call) (*granted, error) {
	tool, ok := c.tools[call.Tool]
	if c.begun[call.ID] || call.ID == 0 || ok == (call.Task != nil) {
		return nil, api.Errorf(api.Internal, "call %d of %q is not one that can be made", call.ID, call.Tool)
	}
	if ok {
		return tool, nil
	}
	if err := c.run.engine.Validate(call.Task); err != nil {
		return nil, err
	}
	made, err := grant(call.Task)
	if err != nil {
		return nil, err
	}
	c.made[call.ID] = &made
	return &made, nil
}

// taskOf is the task of a call that the journal holds, or nil.
func (c *caller) taskOf(call uint64, tool string) *granted {
	if made := c.made[call]; made != nil {
		return made
	}
	return c.tools[tool]
}

// accept checks a call and prepares its run. It writes nothing to the journal
// yet.
func (c *caller) accept(ctx context.Context, tool *granted, call api.Call) (*submission, error) {
	inputs, err := value.CheckOwned(tool.task.InputParams(), call.Inputs)
	if err != nil {
		return nil, api.AsError(err)
	}
	sub := &submission{granted: *tool}
	if sub.inputs, sub.blobs, err = c.run.engine.takeInputs(ctx, sub.task, inputs); err != nil {
		return nil, err
	}
	if sub.rec, err = c.run.engine.newRecord(ctx, sub); err != nil {
		return nil, err
	}
	parent := c.run.record()
	sub.rec.Parent, sub.rec.Root, sub.rec.Call, sub.rec.Fresh = parent.ID, parent.Root, call.ID, parent.Fresh
	sub.rec.Owner, sub.rec.Line = parent.Owner, max(call.Line, 0)
	if sub.rec.Approval != nil {
		sub.rec.Approval.Line = call.Line
	}
	sub.rec.Limits = c.run.engine.limitsOf(sub, c.run)
	return sub, nil
}

// begin submits the intent of a call, and carries the call out when that is
// durable. It waits while too many calls are under way, so that a program cannot
// fill the memory with them.
func (c *caller) begin(ctx context.Context, call api.Call, tool *granted, sub *submission) error {
	e := c.run.engine
	child := e.newRun(sub.rec, c.run)
	child.task, child.inputs, child.plan.retryUnknown = sub.task, sub.inputs, c.run.plan.retryUnknown
	child.callSite = &callSite{c, call.ID}
	if child.asks() {
		return c.ask(child, sub, tool)
	}
	if err := c.admit(ctx, child); err != nil {
		return err
	}
	if !child.bounded() && !e.cacheable(child) && child.ticket.TrySlot() { // else its start is submitted later
		child.to(started)
		child.to(attempting)
	}
	intent := c.submitIntent(child, sub.rec.Run, tool, sub.blobs)
	c.dispatch(child, func() {
		if err := c.run.durable(c.ctx, intent); err != nil {
			c.deliver(call.ID, answer{fatal: err}) // first, so that the end of the child is no answer
			child.finish(nil, err)
			return
		}
		child.execute()
	})
	return nil
}

// ask has a call wait for a person, once the journal knows that it is asked.
func (c *caller) ask(child *run, sub *submission, tool *granted) error {
	if err := c.run.engine.admit(child); err != nil {
		child.cancel(nil)
		return err
	}
	intent := c.submitIntent(child, sub.rec.Run, tool, sub.blobs)
	if err := c.run.durable(c.ctx, intent); err != nil {
		c.deliver(child.callSite.call, answer{fatal: err})
		child.finish(nil, err)
		return nil
	}
	c.hold(child)
	return nil
}

// admit waits until there is room beside the other calls, and makes a call live.
func (c *caller) admit(ctx context.Context, child *run) error {
	if err := c.parallel.Acquire(ctx); err != nil {
		child.cancel(nil)
		return err
	}
	if err := c.stopped(ctx); err != nil { // and a call that ended with it made the room
		c.parallel.Release()
		child.cancel(nil)
		return err
	}
	if err := c.run.engine.admit(child); err != nil {
		c.parallel.Release()
		child.cancel(nil)
		return err
	}
	return nil
}

// submitIntent submits the intent of a call and the creation of its run as one.
func (c *caller) submitIntent(child *run, created api.Run, tool *granted, blobs []string) journal.Receipt {
	p := c.run
	p.mu.Lock()
	defer p.mu.Unlock()
	child.mu.Lock()
	defer child.mu.Unlock()
	above := p.prepare(c.callStarted(child, tool, false))
	child.markBegun(&child.rec)
	below := child.prepare(append([]event{{api.EventCreated, api.CreatedData{Run: created}}}, child.beginning()...)...)
	below.Tasks, below.Blobs = map[string]json.RawMessage{tool.digest: tool.definition}, blobs
	receipt := p.engine.config.Journal.Submit(above, below)
	p.submitted(receipt)
	child.submitted(receipt)
	return receipt
}

// callStarted counts a call. The caller holds the locks of both runs.
func (c *caller) callStarted(child *run, tool *granted, reused bool) event {
	c.run.rec.Calls++
	return event{api.EventCallStarted, api.CallStartedData{
		Call: child.rec.Call, Attempt: c.run.rec.Attempts, Tool: tool.task.Name, TaskDigest: tool.digest,
		Inputs: child.rec.InputsDigest, Run: child.id, Reused: reused,
	}}
}

// dispatchTaken executes the run of a call that another process began.
func (c *caller) dispatchTaken(child *run) { c.dispatch(child, child.execute) }

// dispatch starts a goroutine for a call, which gives its place among the
// parallel calls back at its end.
func (c *caller) dispatch(child *run, execute func()) {
	c.mu.Lock()
	c.open[child.callSite.call] = child
	c.mu.Unlock()
	c.working.Add(1)
	c.run.engine.work.Go(func() {
		defer c.working.Done()
		defer c.parallel.Release()
		execute()
	})
}

// callSite is the call that a run answers.
type callSite struct {
	caller *caller
	call   uint64
}

// ended submits the end of a call and of its run as one, and delivers the answer.
// The order of these submissions is the order of the answers.
func (s *callSite) ended(child *run, result *api.Result, failure *api.Error) journal.Receipt {
	p := s.caller.run
	p.mu.Lock()
	defer p.mu.Unlock()
	child.mu.Lock()
	defer child.mu.Unlock()
	below := child.endChange(result, failure)
	data := api.CallEndedData{Call: s.call, Run: child.id, Status: child.rec.Status}
	if failure != nil {
		data.Code = failure.Code
	}
	p.rec.Deaths = 0 // it made progress
	p.charge(child.rec.Usage.Models)
	receipt := p.engine.config.Journal.Submit(below, p.prepare(event{api.EventCallEnded, data}))
	child.submitted(receipt)
	p.submitted(receipt)
	a := child.answer(s.call, failure)
	a.Time = p.latest
	s.caller.deliver(s.call, a)
	return receipt
}

// errAttemptOver is the cause when a call waits for a decision longer than its
// attempt lasts.
var errAttemptOver = cancelCause{"the attempt that made the call has ended"}

var errAbandoned = fmt.Errorf("the orchestrator ended without waiting for it")

// close ends the calls that are still under way and waits for them.
func (c *caller) close(err error) error {
	c.mu.Lock()
	c.over = true
	open := make([]*run, 0, len(c.open))
	for _, child := range c.open {
		open = append(open, child)
	}
	c.mu.Unlock()
	// The end of the run may not have come down to its calls yet.
	cause := context.Cause(c.run.ctx)
	if cause == nil {
		cause = cancelCause{errAbandoned.Error()}
	}
	for _, child := range open {
		child.cancel(cause)
	}
	for _, child := range open {
		if child.hold.Load() != nil {
			endHeld(child)
		}
	}
	c.working.Wait()
	if !errors.Is(err, api.ErrAsleep) {
		c.run.endParked(errAttemptOver)
	}
	if err == nil {
		err = c.missingCalls()
	}
	if errors.Is(err, api.ErrAsleep) || err == nil || c.history.Len() == 0 || c.run.interrupted() {
		return err
	}
	return c.run.endOrphans(api.AsError(err))
}
