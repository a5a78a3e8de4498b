package pool

import "testing"

// The pool orders its shelves with its lock held, at every take, so comparing
// two must not format their classes.
func TestOrderOfShelvesAllocatesNothing(t *testing.T) {
	p := New[*fake](Config{})
	defer p.Close()
	a, b := p.shelf(class("a"), nil), p.shelf(class("b"), nil)
	var less, greater int
	var needier bool
	allocs := testing.AllocsPerRun(10, func() {
		less, greater = applicant[*fake]{shelf: a}.compare(applicant[*fake]{shelf: b}), applicant[*fake]{shelf: b}.compare(applicant[*fake]{shelf: a})
		needier = a.needier(b)
	})
	if allocs != 0 || less != -1 || greater != 1 || !needier {
		t.Errorf("%v allocations, order %d and %d, needier %t", allocs, less, greater, needier)
	}
}
