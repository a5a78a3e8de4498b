package worker

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// key is what a run asks of a provider.
type key struct {
	function  string // id
	signature string // the digest of its description
	files     bool   // there are files in its values, or can be
}

func keyOf(id string, s api.Signature, files bool) key {
	return key{function: id, signature: digest(s), files: files}
}

// digest stands for a signature in a few bytes, however long it is: those of
// workers are kept.
func digest(s api.Signature) string { return api.DigestOf([]byte(describe(s))) }

// describe writes names and types, which must be the same on both sides.
// Defaults do not count: every input is sent.
func describe(s api.Signature) string {
	return "(" + bare(s.Inputs) + ") -> (" + bare(s.Outputs) + ")"
}

func bare(params []value.Param) string {
	words := make([]string, len(params))
	for i, p := range params {
		words[i] = fmt.Sprintf("%q: %s", p.Name, p.Type)
	}
	return strings.Join(words, ", ")
}

// provider executes calls. Its methods except begin need Runner.mu.
type provider interface {
	offers(k key) bool
	// free reports whether it takes another call now.
	free() bool
	active() int
	ids() []string
	// add and remove keep count of the calls.
	add(c *call)
	remove(c *call)
	// begin starts the execution of the call. Runner.mu is not held.
	begin(ctx context.Context, c *call)
	// stop asks the function of the call to end.
	stop(c *call)
	// close ends every call.
	close()
}

// waiter is a run that waits for a provider.
type waiter struct {
	attempt *attempt
	turn    int64      // who comes first
	call    chan *call // holds the call, once a provider has taken it
	err     chan *api.Error
}

// acquire waits for a provider of the function with a free slot. The attempt
// that has waited longest comes first.
func (r *Runner) acquire(ctx context.Context, a *attempt) (*call, error) {
	w, c, err := r.enqueue(a)
	if err != nil || c != nil {
		return c, err
	}
	patience := time.NewTimer(r.config.Patience)
	defer patience.Stop()
	for {
		select {
		case c := <-w.call:
			return c, nil
		case err := <-w.err:
			return nil, err
		case <-ctx.Done():
			r.surrender(w)
			return nil, canceled(ctx, api.NotStarted)
		case <-patience.C:
			if err := r.impatient(w); err != nil {
				return nil, err
			}
			patience.Reset(r.config.Patience)
		}
	}
}

// surrender takes a waiter from its queue, and gives back the place that it
// may have got in the same moment.
func (r *Runner) surrender(w *waiter) {
	r.mu.Lock()
	defer r.mu.Unlock()
	k := w.attempt.key
	if i := slices.Index(r.queues[k], w); i >= 0 {
		r.remove(k, i)
		return
	}
	select {
	case c := <-w.call:
		r.end(c, outcome{unsent: true})
	default:
	}
}

// end takes a call from its provider and settles it. Runner.mu is held.
func (r *Runner) end(c *call, o outcome) {
	c.provider.remove(c)
	c.settle(o)
	r.match()
}

// enqueue returns a call if a slot is free now, and a waiter otherwise.
func (r *Runner) enqueue(a *attempt) (*waiter, *call, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	queue := r.queues[a.key]
	switch {
	case r.closed:
		return nil, nil, errClosed(api.NotStarted)
	case len(queue) >= r.config.MaxQueue:
		return nil, nil, r.overloaded(a)
	case len(queue) == 0:
		if p := r.pick(a.key); p != nil {
			return nil, r.assign(a, p), nil
		}
	}
	w := &waiter{attempt: a, turn: r.nextTurn, call: make(chan *call, 1), err: make(chan *api.Error, 1)}
	r.nextTurn++
	r.queues[a.key] = append(queue, w)
	return w, nil, nil
}

func (r *Runner) overloaded(a *attempt) *api.Error {
	return api.Errorf(api.Overloaded, "%d runs wait for function %q already", r.config.MaxQueue, a.key.function).
		WithDetails(api.Details{Limit: int64(r.config.MaxQueue)})
}

// pick returns the least busy provider with a free place, or nil.
func (r *Runner) pick(k key) provider {
	var best provider
	for _, p := range r.providers {
		if p.offers(k) && p.free() && (best == nil || p.active() < best.active()) {
			best = p
		}
	}
	return best
}

func (r *Runner) assign(a *attempt, p provider) *call {
	c := newCall(a, p)
	p.add(c)
	return c
}

// match gives free places to those who wait. Runner.mu is held.
func (r *Runner) match() {
	for {
		k, p := r.nextMatch()
		if p == nil {
			return
		}
		w := r.queues[k][0]
		r.remove(k, 0)
		w.call <- r.assign(w.attempt, p)
	}
}

// nextMatch finds who waits longest of those for whom there is a place.
func (r *Runner) nextMatch() (key, provider) {
	var first key
	var place provider
	for k, queue := range r.queues {
		if place != nil && queue[0].turn > r.queues[first][0].turn {
			continue
		}
		if p := r.pick(k); p != nil {
			first, place = k, p
		}
	}
	return first, place
}

// remove takes a waiter from its queue. A queue without waiters is forgotten.
func (r *Runner) remove(k key, i int) {
	queue := r.queues[k]
	if len(queue) == 1 {
		delete(r.queues, k)
		return
	}
	if i == 0 { // the usual case costs nothing
		queue[0] = nil
		r.queues[k] = queue[1:]
		return
	}
	r.queues[k] = slices.Delete(queue, i, i+1)
}

// impatient returns worker_unavailable if no provider offers the function. A
// waiter whose providers are busy keeps waiting.
func (r *Runner) impatient(w *waiter) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	k := w.attempt.key
	i := slices.Index(r.queues[k], w)
	if i < 0 || slices.ContainsFunc(r.providers, func(p provider) bool { return p.offers(k) }) {
		return nil
	}
	r.remove(k, i)
	return r.unavailable(w.attempt)
}

// maxListed is how many functions an error lists.
const maxListed = 10

// unavailable names the function that has no provider, and the functions that
// have one.
func (r *Runner) unavailable(a *attempt) *api.Error {
	k := a.key
	var ids []string
	for _, p := range r.providers {
		ids = append(ids, p.ids()...)
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	if forOneRun(k.function) {
		return madeForRun(k.function, r.config.Patience)
	}
	ids = slices.DeleteFunc(ids, forOneRun)
	d := api.Details{Field: "function.id", Expected: "a function that is offered", Got: fmt.Sprintf("%q", k.function), Suggestion: value.Nearest(k.function, ids)}
	return api.Errorf(api.WorkerUnavailable, "no process offers function %q%s after %s; %s", k.function, r.almost(a, ids), r.config.Patience, offered(ids)).WithDetails(d)
}

func forOneRun(id string) bool {
	_, instance := api.CutInstance(id)
	return instance != ""
}

// madeForRun is the error of a function that one process made for the run.
func madeForRun(id string, patience time.Duration) *api.Error {
	return api.Errorf(api.WorkerUnavailable, "function %q was made for its run by a process that does not offer it any more, and no other process does after %s", id, patience).
		WithHint("start the run again under its idempotency key, or resume it from a program that passes the function or has registered it; functions that are registered before the run starts, or that have a version, any process can offer").
		WithDetails(api.Details{Field: "function.id", Expected: "a function that is offered", Got: value.Quote(id)})
}

// almost says why processes that offer the id are not asked.
func (r *Runner) almost(a *attempt, ids []string) string {
	k := a.key
	if _, ok := slices.BinarySearch(ids, k.function); !ok {
		return otherCode(k.function, ids)
	}
	without := k
	without.files = false
	if k.files && slices.ContainsFunc(r.providers, func(p provider) bool { return p.offers(without) }) {
		return " and takes files, which its values need,"
	}
	return " with the signature " + value.Shorten(describe(a.req.Task.Signature), 300)
}

// otherCode says that a function of the name is offered whose code is another.
// The clients call functions NAME@DIGEST.
func otherCode(id string, ids []string) string {
	name, _, ok := strings.Cut(id, "@")
	if !ok || !slices.ContainsFunc(ids, func(other string) bool { return strings.HasPrefix(other, name+"@") }) {
		return ""
	}
	return " with the code that the run began with, but one of that name whose code, or what it imports, is another,"
}

func offered(ids []string) string {
	if len(ids) == 0 {
		return "nothing is offered"
	}
	more := ""
	if len(ids) > maxListed {
		more = fmt.Sprintf(" and %d more", len(ids)-maxListed)
		ids = ids[:maxListed]
	}
	return fmt.Sprintf("offered are %q%s", ids, more)
}
