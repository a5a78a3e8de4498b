package main

import (
	"maps"
	"os"
	"testing"

	"github.com/glovebox-dev/glovebox"
	"github.com/glovebox-dev/glovebox/internal/app/apptest"
)

func TestMain(m *testing.M) {
	glovebox.Init()
	os.Exit(m.Run())
}

func open(t *testing.T) *glovebox.Glovebox {
	t.Helper()
	gb, err := glovebox.Open(glovebox.Options{Home: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := gb.Close(); err != nil {
			t.Error(err)
		}
	})
	return gb
}

// results runs both tasks with tools named fib, multiply and add.
func results(t *testing.T, gb *glovebox.Glovebox, fib, multiply, add glovebox.Task) {
	t.Helper()
	numbers, err := glovebox.Call[map[string]int](t.Context(), gb, pipeline(fib, multiply, add), glovebox.Values{"n": 10})
	if want := map[string]int{"fib": 55, "linear": 25, "total": 80}; !maps.Equal(numbers, want) || err != nil {
		t.Errorf("pipeline = %v, %v; want %v", numbers, err, want)
	}
	n, err := glovebox.Call[int](t.Context(), gb, compute(add, multiply), glovebox.Values{"x": 2, "y": 3, "scale": 4})
	if n != 20 || err != nil {
		t.Errorf("compute-pipeline = %d, %v; want 20", n, err)
	}
}

func TestFunctions(t *testing.T) { results(t, open(t), goFib, goMultiply, goAdd) }

func TestCells(t *testing.T) {
	if os.Getenv("GLOVEBOX_TEST_REAL") != "1" {
		t.Skip("starts cells: GLOVEBOX_TEST_REAL is not 1")
	}
	home, remove, err := apptest.Home()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := remove(); err != nil {
			t.Error(err)
		}
	})
	gb, err := glovebox.Open(glovebox.Options{Home: home})
	if err != nil {
		t.Fatal(err)
	}
	defer gb.Close()
	results(t, gb, fib, multiply, add)
}
