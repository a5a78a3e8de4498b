package main

import (
	"os"
	"testing"

	"github.com/glovebox-dev/glovebox"
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

func TestReduce(t *testing.T) {
	gb := open(t)
	for operation, want := range map[string]int{"sum": 15, "product": 120} {
		if got, err := reduce(t.Context(), gb, operation, []int{1, 2, 3, 4, 5}); got != want || err != nil {
			t.Errorf("%s = %d, %v; want %d", operation, got, err, want)
		}
	}
	if _, err := makeReducer("mean"); err == nil {
		t.Error("there is a reducer for mean")
	}
}
