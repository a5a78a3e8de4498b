package main

import (
	"errors"
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

func TestLengths(t *testing.T) {
	sum, lengths, err := lengthsOf(t.Context(), open(t), []string{"a", "naïve", "word"})
	if sum != 5 || !slices.Equal(lengths, []int{1, 5, 4}) || err != nil {
		t.Errorf("%d, %v, %v; want 5, [1 5 4]", sum, lengths, err)
	}
}

func TestFailureOfACall(t *testing.T) {
	gb := open(t)
	_, _, err := lengthsOf(t.Context(), gb, []string{"", "word"})
	var e *glovebox.Error
	if !errors.As(err, &e) || e.Code != "call_failed" || e.Details.Call == nil || e.Details.Call.Tool != "measure" {
		t.Errorf("err = %+v; want call_failed at measure", err)
	}
}
