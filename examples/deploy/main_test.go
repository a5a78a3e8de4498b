package main

import (
	"os"
	"slices"
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

func TestDeploy(t *testing.T) {
	got, err := deploy(t.Context(), open(t))
	if want := []int{238, 214, 238}; !slices.Equal(got, want) || err != nil {
		t.Errorf("prices %v, %v; want %v", got, err, want)
	}
}
