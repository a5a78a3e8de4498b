package engine

import (
	"context"
	"fmt"
	"slices"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
	"github.com/glovebox-dev/glovebox/internal/quantity"
)

// waiting says why nothing of a run at the top is executed yet, or nil. It is found out
// when it is asked for, from what nodes last said of themselves.
func (e *Engine) waiting(ctx context.Context, rec *journal.Record, status api.Status) *api.Waiting {
	r := e.liveRun(rec.ID)
	switch {
	case rec.Approval.Waiting():
		return nil
	case r != nil && r.waitsForPermit.Load():
		return e.waitsForPermit(ctx, rec)
	case rec.Parent != "":
		return nil
	case status == api.StatusRunning && r != nil && r.waitsForSlot.Load():
		return waitsForSlot(rec, "its node has")
	case status == api.StatusRunning && r != nil:
		return r.waitsForImage()
	case status != api.StatusQueued || r != nil && !r.state.in(queued, resumed):
		return nil
	}
	if w := e.waitsForPermit(ctx, rec); w != nil {
		return w
	}
	if w := e.waitsForReserved(rec); w != nil {
		return w
	}
	switch {
	case rec.Holder != "":
		return waitsForSlot(rec, "its node has")
	case e.config.Nodes == nil:
		return nil
	}
	nodes, err := e.config.Nodes(ctx)
	if err != nil {
		e.config.Logger.Warn("reading what nodes have", "run", rec.ID, "error", err)
		return nil
	}
	return whyNotTaken(rec, nodes)
}

// waitsForImage says that the image of a run is being built or pulled, or nil.
func (r *run) waitsForImage() *api.Waiting {
	if !r.state.in(started, attempting) {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.progress.newest) == 0 {
		return nil
	}
	last := r.progress.newest[len(r.progress.newest)-1]
	if !slices.Contains([]string{"resolve", "base", "build"}, last.Stage) {
		return nil
	}
	return &api.Waiting{Reason: api.WaitImage, Message: "its image is made: " + last.Message}
}

func waitsForSlot(rec *journal.Record, where string) *api.Waiting {
	return &api.Waiting{Reason: api.WaitSlot, Message: fmt.Sprintf("%s no slot free for a run of kind %s", where, rec.Kind)}
}

// whyNotTaken says why none of the nodes has taken a run that any may take.
func whyNotTaken(rec *journal.Record, nodes []api.Node) *api.Waiting {
	nodes = slices.DeleteFunc(slices.Clone(nodes), func(n api.Node) bool { return n.State != api.NodeActive })
	never := func(reason api.WaitReason, format string, args ...any) *api.Waiting {
		return &api.Waiting{Reason: reason, Message: fmt.Sprintf(format, args...), Never: true}
	}
	if len(nodes) == 0 {
		return never(api.WaitNode, "no node is there that takes runs")
	}
	among := "the nodes that are there"
	if len(rec.NodeSelector) > 0 {
		nodes = slices.DeleteFunc(nodes, func(n api.Node) bool { return !journal.Place{Labels: n.Labels}.Selected(rec.NodeSelector) })
		among = "the nodes with " + labelWords(rec.NodeSelector)
	}
	if len(nodes) == 0 {
		return never(api.WaitNodeSelector, "no node has %s", labelWords(rec.NodeSelector))
	}
	if most := most(nodes, func(n api.Node) int64 { return n.Memory }); most < rec.Needs.Memory {
		return never(api.WaitMemory, "it needs %s of memory, and the largest of %s has %s", quantity.FormatSize(rec.Needs.Memory), among, quantity.FormatSize(most))
	}
	nodes = slices.DeleteFunc(nodes, func(n api.Node) bool { return n.Memory < rec.Needs.Memory })
	if most := most(nodes, func(n api.Node) float64 { return n.CPU }); most < rec.Needs.CPU {
		return never(api.WaitCPU, "it needs %g cores, and none of %s that have its memory has more than %g", rec.Needs.CPU, among, most)
	}
	nodes = slices.DeleteFunc(nodes, func(n api.Node) bool { return n.CPU < rec.Needs.CPU })
	if free := most(nodes, func(n api.Node) int64 { return n.FreeMemory }); free < rec.Needs.Memory {
		return &api.Waiting{Reason: api.WaitFreeMemory, Message: fmt.Sprintf("it needs %s of memory, and of %s at most %s is free now", quantity.FormatSize(rec.Needs.Memory), among, quantity.FormatSize(free))}
	}
	return waitsForSlot(rec, fmt.Sprintf("of %s those that can hold it have", among))
}

// most is the largest of what nodes have.
func most[T int64 | float64](nodes []api.Node, of func(api.Node) T) (most T) {
	for _, n := range nodes {
		most = max(most, of(n))
	}
	return most
}
