package admission

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/glovebox-dev/glovebox/api"
)

// holder is a run that notes what is done to it.
type holder struct {
	ticket             *Ticket
	owner              string
	priority           int
	blocked            bool
	entered            int // its number
	begun, interrupted bool
	turn               chan struct{} // may be nil
}

func (h *holder) Begin() {
	h.begun = true
	if h.turn != nil {
		close(h.turn)
	}
}

func (h *holder) Interrupt() { h.interrupted = true }

var kinds = []api.TaskKind{api.KindSandbox, api.KindOrchestrator, api.KindFunction}

func drawKind(t *rapid.T) api.TaskKind { return rapid.SampledFrom(kinds).Draw(t, "kind") }

// turns is a queue, and a slice and a number that ought to do the same.
type turns struct {
	controller *Controller
	free       int
	waiting    []*holder
	blocked    []*holder
	entered    int
	having     []*holder
	idle       []*holder
}

// waits has a run wait after those of its priority that entered before, and before those of
// a lower one.
func (m *turns) waits(h *holder) {
	i := slices.IndexFunc(m.waiting, func(other *holder) bool {
		return other.priority < h.priority || other.priority == h.priority && other.entered > h.entered
	})
	if i < 0 {
		i = len(m.waiting)
	}
	m.waiting = slices.Insert(m.waiting, i, h)
}

func (m *turns) check(t *rapid.T) {
	u := m.controller.Usage(api.KindFunction)
	if u.FreeTurns != m.free || u.WaitForTurn != len(m.waiting)+len(m.blocked) {
		t.Fatalf("%+v, but the model has %d free and %d wait", u, m.free, len(m.waiting)+len(m.blocked))
	}
	for _, h := range m.having {
		if !h.ticket.HasTurn() {
			t.Fatal("a run whose turn it is has none")
		}
	}
	for _, h := range slices.Concat(m.waiting, m.blocked, m.idle) {
		if h.ticket.HasTurn() || h.begun {
			t.Fatal("a run has a turn before its time")
		}
	}
}

func (m *turns) fresh(t *rapid.T) *holder {
	h := &holder{owner: rapid.SampledFrom([]string{"", "ada", "bob"}).Draw(t, "owner"), priority: rapid.IntRange(-1, 1).Draw(t, "priority"), blocked: rapid.IntRange(0, 3).Draw(t, "blocked") == 0}
	h.ticket = m.controller.Ticket(api.KindFunction, nil, h)
	h.ticket.Own(h.owner)
	h.ticket.Prioritize(h.priority)
	if h.blocked {
		h.ticket.Block()
	}
	return h
}

func (m *turns) enter(t *rapid.T) {
	h, most := m.fresh(t), rapid.IntRange(0, 6).Draw(t, "most")
	m.entered++
	h.entered = m.entered
	entered := h.ticket.Enter(most)
	switch {
	case m.free > 0 && !h.blocked:
		m.free--
		m.having = append(m.having, h)
		if !entered || !h.begun {
			t.Fatal("a turn is free, and the run does not begin")
		}
	case entered != (len(m.waiting)+len(m.blocked) < most):
		t.Fatalf("entered %v with %d waiting of at most %d", entered, len(m.waiting)+len(m.blocked), most)
	case entered && h.blocked:
		m.blocked = append(m.blocked, h)
	case entered:
		m.waits(h)
	default:
		m.idle = append(m.idle, h)
	}
}

func (m *turns) try(t *rapid.T) {
	h := m.fresh(t)
	got := h.ticket.TryTurn()
	if got != (m.free > 0 && !h.blocked) {
		t.Fatalf("got a turn: %v, with %d free", got, m.free)
	}
	if !got {
		m.idle = append(m.idle, h)
		return
	}
	m.free--
	m.having = append(m.having, h)
}

func (m *turns) release(t *rapid.T) {
	if len(m.having) == 0 {
		t.Skip()
	}
	i := rapid.IntRange(0, len(m.having)-1).Draw(t, "which")
	m.having[i].ticket.Release()
	m.having[i].ticket.Release() // does nothing more
	m.having = slices.Delete(m.having, i, i+1)
	if len(m.waiting) == 0 {
		m.free++
		return
	}
	i = m.next()
	next := m.waiting[i]
	m.waiting, m.having = slices.Delete(m.waiting, i, i+1), append(m.having, next)
	if !next.begun {
		t.Fatal("the first run of the owner who has fewest turns does not begin")
	}
}

// next is the run that waits first of the owner who has fewest turns.
func (m *turns) next() (next int) {
	turns := map[string]int{}
	for _, h := range m.having {
		turns[h.owner]++
	}
	for i, h := range m.waiting {
		if turns[h.owner] < turns[m.waiting[next].owner] {
			next = i
		}
	}
	return next
}

func (m *turns) unblock(t *rapid.T) {
	if len(m.blocked) == 0 {
		t.Skip()
	}
	i := rapid.IntRange(0, len(m.blocked)-1).Draw(t, "which")
	h := m.blocked[i]
	m.blocked = slices.Delete(m.blocked, i, i+1)
	h.ticket.Unblock()
	if m.free == 0 {
		m.waits(h)
		return
	}
	m.free--
	m.having = append(m.having, h)
	if !h.begun {
		t.Fatal("a turn is free, and the run does not begin")
	}
}

func (m *turns) withdraw(t *rapid.T) {
	all := slices.Concat(m.waiting, m.blocked, m.having, m.idle)
	if len(all) == 0 {
		t.Skip()
	}
	h := rapid.SampledFrom(all).Draw(t, "which")
	i, b, unloaded := slices.Index(m.waiting, h), slices.Index(m.blocked, h), false
	h.ticket.IfWaiting(func() { unloaded = true })
	if got := h.ticket.Withdraw(); got != (i >= 0 || b >= 0) || unloaded != got {
		t.Fatalf("withdrew %v, unloaded %v, of a run that waits: %v", got, unloaded, i >= 0 || b >= 0)
	}
	if b >= 0 {
		m.blocked, m.idle = slices.Delete(m.blocked, b, b+1), append(m.idle, h)
	}
	if i >= 0 {
		m.waiting, m.idle = slices.Delete(m.waiting, i, i+1), append(m.idle, h)
	}
}

func (m *turns) drain(t *rapid.T) {
	m.controller.Drain()
	for _, h := range slices.Concat(m.waiting, m.blocked) {
		if !h.interrupted {
			t.Fatal("a run that waits is not interrupted")
		}
	}
	m.idle = slices.Concat(m.idle, m.waiting, m.blocked)
	m.waiting, m.blocked = nil, nil
}

func TestTurnsModel(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(0, 3).Draw(rt, "turns")
		m := &turns{controller: New(map[api.TaskKind]int{api.KindFunction: n}), free: n}
		rt.Repeat(map[string]func(*rapid.T){
			"": m.check, "enter": m.enter, "try": m.try, "release": m.release, "unblock": m.unblock, "withdraw": m.withdraw, "drain": m.drain,
		})
	})
}

// demand is a request for a slot of some pools, in the model.
type demand struct {
	pools    []int
	priority int
	got      int // -1 while it waits
	cancel   context.CancelFunc
	result   chan *Slots
}

// TestSlotsModel compares slots with numbers and a list: requests are served in
// the order of their priorities, and of one in that in which they came, each by the first pool that has a slot for it.
func TestSlotsModel(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var wrong string
		synctest.Test(t, func(t *testing.T) { wrong = slotsModel(t, rt) })
		if wrong != "" {
			rt.Fatal(wrong)
		}
	})
}

func slotsModel(t *testing.T, rt *rapid.T) string {
	pools, free := make([]*Slots, 3), make([]int, 3)
	for i := range pools {
		free[i] = rapid.IntRange(0, 2).Draw(rt, "slots")
		pools[i] = NewSlots(free[i])
	}
	var waiting, holding []*demand
	defer func() {
		for _, d := range waiting {
			d.cancel()
		}
	}()
	for range rapid.IntRange(0, 30).Draw(rt, "steps") {
		switch step := rapid.IntRange(0, 2).Draw(rt, "step"); {
		case step == 0:
			d := request1(t, rt, pools)
			for _, p := range d.pools {
				if d.got < 0 && free[p] > 0 {
					d.got = p
					free[p]--
				}
			}
			if d.got < 0 {
				next := slices.IndexFunc(waiting, func(other *demand) bool { return other.priority < d.priority })
				if next < 0 {
					next = len(waiting)
				}
				waiting = slices.Insert(waiting, next, d)
			} else {
				holding = append(holding, d)
			}
		case step == 1 && len(holding) > 0:
			i := rapid.IntRange(0, len(holding)-1).Draw(rt, "released")
			p := holding[i].got
			holding = slices.Delete(holding, i, i+1)
			pools[p].Release()
			next := slices.IndexFunc(waiting, func(d *demand) bool { return slices.Contains(d.pools, p) })
			if next < 0 {
				free[p]++
				break
			}
			waiting[next].got = p
			holding, waiting = append(holding, waiting[next]), slices.Delete(waiting, next, next+1)
		case step == 2 && len(waiting) > 0:
			i := rapid.IntRange(0, len(waiting)-1).Draw(rt, "canceled")
			waiting[i].cancel()
			waiting = slices.Delete(waiting, i, i+1)
		}
		synctest.Wait()
		for i, p := range pools {
			if got, _ := p.usage(); got != free[i] {
				return fmt.Sprintf("pool %d has %d free slots, want %d", i, got, free[i])
			}
		}
		for _, d := range holding {
			if d.result != nil && <-d.result != pools[d.got] {
				return fmt.Sprintf("a request for %v did not get a slot of %d", d.pools, d.got)
			}
			d.result = nil
		}
	}
	return ""
}

func request1(t *testing.T, rt *rapid.T, pools []*Slots) *demand {
	order := rapid.Permutation([]int{0, 1, 2}).Draw(rt, "pools")
	d := &demand{priority: rapid.IntRange(-1, 1).Draw(rt, "priority"), pools: order[:rapid.IntRange(1, 2).Draw(rt, "how many")], got: -1, result: make(chan *Slots, 1)}
	ctx, cancel := context.WithCancel(t.Context())
	d.cancel = cancel
	var from []*Slots
	for _, p := range d.pools {
		from = append(from, pools[p])
	}
	go func() {
		got, _ := acquireAny(ctx, from, api.Due(time.Now(), d.priority))
		d.result <- got
	}()
	synctest.Wait()
	return d
}

// node is a run of a tree of runs, each of which waits for those below it.
type node struct {
	kind  api.TaskKind
	below []*node
}

func drawTree(t *rapid.T, depth int) *node {
	n := &node{kind: drawKind(t)}
	if depth > 0 {
		for range rapid.IntRange(0, 3).Draw(t, "children") {
			n.below = append(n.below, drawTree(t, depth-1))
		}
	}
	return n
}

// forest executes trees of runs, and counts the cells under way.
type forest struct {
	controller  *Controller
	mu          sync.Mutex
	cells, most int
}

func (f *forest) run(n *node, parent *Ticket) {
	h := &holder{turn: make(chan struct{})}
	h.ticket = f.controller.Ticket(n.kind, parent, h)
	if !h.ticket.HasTurn() {
		h.ticket.Enter(1000)
		<-h.turn
	}
	if err := h.ticket.AcquireSlot(context.Background()); err != nil {
		panic(err)
	}
	f.count(n, 1)
	var all sync.WaitGroup
	for _, child := range n.below {
		all.Go(func() { f.run(child, h.ticket) })
	}
	all.Wait()
	f.count(n, -1)
	h.ticket.Release()
}

func (f *forest) count(n *node, by int) {
	if n.kind != api.KindSandbox {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.cells += by
	f.most = max(f.most, f.cells)
}

func (n *node) cellsDeep() (deep int) {
	for _, child := range n.below {
		deep = max(deep, child.cellsDeep())
	}
	if n.kind == api.KindSandbox {
		deep++
	}
	return deep
}

// No tree of runs waits for itself, however few slots there are, and there are
// never more cells than slots times the cells that stand below each other.
func TestTreesDoNotDeadlock(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var trees []*node
		for range rapid.IntRange(1, 4).Draw(rt, "trees") {
			trees = append(trees, drawTree(rt, 3))
		}
		slots, deepest := map[api.TaskKind]int{}, 0
		for _, kind := range kinds {
			slots[kind] = rapid.IntRange(1, 3).Draw(rt, "slots")
		}
		for _, tree := range trees {
			deepest = max(deepest, tree.cellsDeep())
		}
		f := &forest{controller: New(slots)}
		synctest.Test(t, func(t *testing.T) { // which ends in a panic if all wait
			var all sync.WaitGroup
			for _, tree := range trees {
				all.Go(func() { f.run(tree, nil) })
			}
			all.Wait()
		})
		for _, kind := range kinds {
			want := Usage{FreeTurns: Turns(kind, slots[kind]), FreeSlots: slots[kind]}
			if got := f.controller.Usage(kind); got != want {
				rt.Fatalf("of kind %s is left %+v, want %+v", kind, got, want)
			}
		}
		if f.most > slots[api.KindSandbox]*deepest {
			rt.Fatalf("%d cells at once, with %d slots and %d below each other", f.most, slots[api.KindSandbox], deepest)
		}
	})
}

// A group gives back the members that are left, and takes some only while it is
// open.
func TestGroup(t *testing.T) {
	var g Group[int]
	if g.Add(1, true) || !g.Add(2, false) {
		t.Error("a closed group takes what must be open, or nothing")
	}
	g.Open()
	if !g.Add(3, true) || !g.Add(4, true) {
		t.Error("an open group takes no member")
	}
	g.Remove(4)
	g.Remove(5)
	left := g.Close()
	slices.Sort(left)
	if !slices.Equal(left, []int{2, 3}) || g.Add(6, true) {
		t.Errorf("left are %v", left)
	}
}

// TestRoom: there is room for as many runs as there are slots, although more have turns,
// and it is said when there is some again.
func TestRoom(t *testing.T) {
	c := New(map[api.TaskKind]int{api.KindSandbox: 1})
	var tickets []*Ticket
	for _, want := range []int{1, 0, -1} {
		if got := c.Room(api.KindSandbox); got != want {
			t.Errorf("after %d runs there is room for %d, want %d", len(tickets), got, want)
		}
		ticket := c.Ticket(api.KindSandbox, nil, &holder{})
		if !ticket.TryTurn() {
			t.Fatal("there is no turn")
		}
		tickets = append(tickets, ticket)
	}
	for i, want := range []int{0, 0, 1} {
		tickets[i].Release()
		if got := len(c.Freed()); got != want {
			t.Errorf("after %d runs ended, it was said %d times that there is room", i+1, got)
		}
	}
}
