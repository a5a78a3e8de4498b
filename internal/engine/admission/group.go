package admission

import (
	"maps"
	"slices"
	"sync"
)

// Group is the runs that an attempt started and that must not outlive it. The
// zero value is an empty, closed group.
type Group[T comparable] struct {
	mu      sync.Mutex
	open    bool
	members map[T]struct{}
}

// Open marks the beginning of an attempt.
func (g *Group[T]) Open() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.open = true
}

// Close marks the end of an attempt, and returns the members that are left.
func (g *Group[T]) Close() []T {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.open = false
	return slices.Collect(maps.Keys(g.members))
}

// Add adds a member. It reports false, and adds nothing, if the group is closed
// and must be open.
func (g *Group[T]) Add(member T, mustBeOpen bool) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if mustBeOpen && !g.open {
		return false
	}
	if g.members == nil {
		g.members = map[T]struct{}{}
	}
	g.members[member] = struct{}{}
	return true
}

// Remove takes a member out, which has ended.
func (g *Group[T]) Remove(member T) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.members, member)
}
