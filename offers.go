package glovebox

import (
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/client"
)

// offers are the functions of this process that runs can call: those that are
// registered, and those of runs that have not ended.
type offers struct {
	host host
	wrap func(code) code

	mu     sync.Mutex
	byID   map[string]*offer
	closed bool
}

// offer is one function, under the id that runs call it by.
type offer struct {
	function *function
	kept     bool // registered
	runs     int  // that it is offered for
	batch    *batch
}

// batch is a set of functions that the host got in one offer.
type batch struct {
	ids      map[string]bool
	withdraw func()
}

// keep registers functions under their own ids: all of them, or none.
func (o *offers) keep(functions map[string]*function) error {
	return o.add(functions, true, func(of *offer) { of.kept = true })
}

// hold offers functions to a run until drop is called with the same ids. If it
// is not exclusive, a function of an id that belongs to the run takes the place
// of the one before, such as that of an earlier attempt.
func (o *offers) hold(functions map[string]*function, exclusive bool) error {
	return o.add(functions, exclusive, func(of *offer) { of.runs++ })
}

func (o *offers) add(functions map[string]*function, exclusive bool, count func(*offer)) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed && len(functions) > 0 {
		return errClosed()
	}
	fresh := map[string]*function{}
	for id, f := range functions {
		switch known := o.byID[id]; {
		case known == nil:
			fresh[id] = f
		case known.function != f && (exclusive || id == f.task.Function.ID):
			return sameID(id)
		}
	}
	if err := o.give(fresh); err != nil {
		return err
	}
	for id, f := range functions {
		o.byID[id].function = f
		count(o.byID[id])
	}
	return nil
}

// give hands functions to the host, as one batch. o.mu is held.
func (o *offers) give(functions map[string]*function) error {
	if len(functions) == 0 {
		return nil
	}
	b := &batch{ids: map[string]bool{}}
	list := make([]client.Function, 0, len(functions))
	for _, id := range slices.Sorted(maps.Keys(functions)) {
		task := functions[id].task
		task.Function = &api.Function{ID: id}
		list = append(list, client.Function{Task: task, Call: o.caller(id)})
		b.ids[id] = true
	}
	var err error
	if b.withdraw, err = o.host.offer(list); err != nil {
		return err
	}
	for id, f := range functions {
		if o.byID[id] == nil {
			o.byID[id] = &offer{function: f}
		}
		o.byID[id].batch = b
	}
	return nil
}

// caller calls the function that has the id when it is called.
func (o *offers) caller(id string) code {
	return func(ctx context.Context, i Invocation) (map[string]any, error) {
		f := o.find(id)
		if f == nil {
			return nil, api.Errorf(api.WorkerUnavailable, "this process does not offer function %q any more", id)
		}
		return o.wrap(f.call)(ctx, i)
	}
}

func (o *offers) find(id string) *function {
	o.mu.Lock()
	defer o.mu.Unlock()
	if of := o.byID[id]; of != nil {
		return of.function
	}
	return nil
}

// drop ends what hold began.
func (o *offers) drop(functions map[string]*function) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for id := range functions {
		if of := o.byID[id]; of != nil {
			of.runs--
		}
	}
	o.sweep(functions)
}

// forget takes back what keep registered.
func (o *offers) forget(functions map[string]*function) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for id, f := range functions {
		if of := o.byID[id]; of != nil && of.function == f {
			of.kept = false
		}
	}
	o.sweep(functions)
}

// sweep withdraws the functions that are no longer needed. o.mu is held.
func (o *offers) sweep(functions map[string]*function) {
	shrunk := map[*batch]bool{}
	for id := range functions {
		of := o.byID[id]
		if of == nil || of.kept || of.runs > 0 {
			continue
		}
		delete(o.byID, id)
		delete(of.batch.ids, id)
		shrunk[of.batch] = true
	}
	for b := range shrunk {
		o.shrink(b)
	}
}

// shrink offers the rest of a batch to the host anew. Calls under way continue;
// those that come meanwhile wait. o.mu is held.
func (o *offers) shrink(b *batch) {
	b.withdraw()
	rest := make(map[string]*function, len(b.ids))
	for id := range b.ids {
		rest[id] = o.byID[id].function
	}
	if err := o.give(rest); err == nil {
		return
	}
	for id := range rest { // the host has ended
		delete(o.byID, id)
	}
}

// keeps reports whether the function is registered.
func (o *offers) keeps(f *function) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	of := o.byID[f.task.Function.ID]
	return of != nil && of.kept && of.function == f
}

// registered lists what is registered.
func (o *offers) registered() []*function {
	o.mu.Lock()
	defer o.mu.Unlock()
	var list []*function
	for _, id := range slices.Sorted(maps.Keys(o.byID)) {
		if o.byID[id].kept {
			list = append(list, o.byID[id].function)
		}
	}
	return list
}

// close takes everything back, and offers nothing more.
func (o *offers) close() error {
	o.mu.Lock()
	o.closed = true
	clear(o.byID)
	o.mu.Unlock()
	return o.host.close()
}

func errClosed() *api.Error { return api.Errorf(api.ServerUnavailable, "this Glovebox was closed") }

func sameID(id string) error {
	return api.Errorf(api.Conflict, "another function with the id %q is registered already", id).
		WithHint("make the function once and use it everywhere, or tell the two apart with WithVersion; one that is made for a run needs neither a version nor Register").
		WithDetails(api.Details{Field: "function.id", Got: id, Expected: "an id for each function"})
}
