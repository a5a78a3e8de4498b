package main

import (
	"os"
	"testing"

	"github.com/glovebox-dev/glovebox"
	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/app/apptest"
)

func TestMain(m *testing.M) {
	glovebox.Init()
	os.Exit(m.Run())
}

func TestPipeline(t *testing.T) {
	if os.Getenv("GLOVEBOX_TEST_REAL") != "1" {
		t.Skip("starts cells and installs numpy: GLOVEBOX_TEST_REAL is not 1")
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
	report, err := pipeline(t.Context(), gb, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	got, err := api.EncodeJSON(api.Type{Kind: api.KindAny}, report)
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"sum_1_to_10":55,"mean":3.0,"std":1.4142,"window_end":"2024-01-02T00:00:00","etl_sum_1_to_10":15,"line_count":"2"}`
	if string(got) != want {
		t.Errorf("report = %s\nwant     %s", got, want)
	}
}
