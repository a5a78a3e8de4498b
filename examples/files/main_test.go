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

func TestFiles(t *testing.T) {
	got, err := counted(t.Context(), open(t), t.TempDir(), "one two\nthree\n")
	if want := `[{"part":"part0","words":2},{"part":"part1","words":1}]`; got != want || err != nil {
		t.Errorf("table %s, %v; want %s", got, err, want)
	}
}

func TestCodeCannotReadFiles(t *testing.T) {
	gb := open(t)
	for _, source := range []string{"text.path", "str(text)[0].size", "open(text)", "text + 'x'"} {
		o := glovebox.Orchestrator{Name: "peek", Source: source, Inputs: []string{"text: File"}, Output: "Any"}
		if v, err := glovebox.Call[any](t.Context(), gb, o, glovebox.Values{"text": glovebox.File{Path: "main.go"}}); err == nil {
			t.Errorf("%s = %v; want an error", source, v)
		}
	}
}
