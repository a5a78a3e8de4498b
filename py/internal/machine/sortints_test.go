package machine

import (
	"math/rand"
	"slices"
	"testing"
)

func TestSortInts(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for _, n := range []int{0, 1, 2, 100, intRun, intRun + 1, 3*intRun + 5, 4 * intRun} {
		want := make([]int64, n)
		items := make([]Value, n)
		for i := range want {
			want[i] = r.Int63() - r.Int63()
			items[i] = Int(want[i])
		}
		slices.Sort(want)
		m := &Machine{limits: Limits{Memory: 1 << 30}, budget: 1 << 40, memCheck: 1 << 30}
		if ok, err := m.sortInts(items, false); !ok || err != nil {
			t.Fatal(n, ok, err)
		}
		checkSorted(t, items, want)
		slices.Reverse(want)
		if ok, err := m.sortInts(items, true); !ok || err != nil {
			t.Fatal(n, ok, err)
		}
		checkSorted(t, items, want)
	}
}

func checkSorted(t *testing.T, items []Value, want []int64) {
	t.Helper()
	for i, v := range items {
		if v.Int() != want[i] {
			t.Fatalf("%d ints: item %d is %d, want %d", len(items), i, v.Int(), want[i])
		}
	}
}

// TestSortIntsOthers leaves what is not all ints alone.
func TestSortIntsOthers(t *testing.T) {
	items := []Value{Int(2), Int(1), True}
	m := &Machine{limits: Limits{Memory: 1 << 30}, budget: 1 << 40, memCheck: 1 << 30}
	if ok, err := m.sortInts(items, false); ok || err != nil || items[0].Int() != 2 {
		t.Fatal(ok, err, items)
	}
}
