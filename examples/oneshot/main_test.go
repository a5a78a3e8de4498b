package main

import (
	"errors"
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

func TestEvaluate(t *testing.T) {
	gb := open(t)
	for source, want := range map[string]any{
		"add(x, y) * 2":              int64(6),
		"'-'.join([str(x), str(y)])": "1-2",
		"None":                       nil,
	} {
		if got, err := evaluate(t.Context(), gb, source); got != want || err != nil {
			t.Errorf("%s = %v, %v; want %v", source, got, err, want)
		}
	}
	_, err := evaluate(t.Context(), gb, "import os")
	if !errors.Is(err, glovebox.ErrInvalidTask) {
		t.Errorf("an import: %v; want invalid_task", err)
	}
}
