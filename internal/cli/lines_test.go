package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

func TestLinesAreNotTorn(t *testing.T) {
	var b strings.Builder
	out, err := shareLines(&b)
	io.WriteString(out, "print")
	io.WriteString(err, "to stderr\nand ")
	io.WriteString(out, "ed\n")
	io.WriteString(err, "more")
	out.flush()
	err.flush()
	if want := "to stderr\nprinted\nand more"; b.String() != want {
		t.Errorf("got %q, want %q", b.String(), want)
	}
}

func TestLinesWithoutEndAreBounded(t *testing.T) {
	var b strings.Builder
	out, _ := shareLines(&b)
	for range 3 {
		io.WriteString(out, strings.Repeat("x", longestLine/2+1))
	}
	if b.Len() < longestLine || len(out.rest) > longestLine {
		t.Errorf("printed %d, kept %d", b.Len(), len(out.rest))
	}
}

func TestWatchedTellsThatItsReaderHasGone(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	gone := 0
	failed := 0
	out := watched{w, func() { gone++ }, func(error) { failed++ }}
	if _, err := out.Write([]byte("x")); err != nil || gone != 0 {
		t.Errorf("a pipe with a reader: %v, gone %d times", err, gone)
	}
	r.Close()
	if _, err := out.Write([]byte("x")); err == nil || gone != 1 {
		t.Errorf("a pipe without a reader: %v, gone %d times", err, gone)
	}
	if _, err := (watched{failing{}, func() { gone++ }, func(error) { failed++ }}).Write(nil); err == nil || gone != 1 || failed != 1 {
		t.Errorf("another failure: %v, gone %d times, failed %d times", err, gone, failed)
	}
}

// TestFullOutput: a result that could not be written is no success.
func TestFullOutput(t *testing.T) {
	for _, args := range [][]string{{"run", "-c", "x=1", "-o", "x:int"}, {"run", "--json", "-c", "1"}, {"runs"}, {"runs", "--json"}, {"show", "run-1"}} {
		full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
		if err != nil {
			t.Skip("there is no /dev/full here")
		}
		defer full.Close()
		service := &fakeService{
			result: &api.Result{Outputs: []api.Output{{Name: "x", Type: value.Type{Kind: value.KindInt}, Value: int64(1)}}},
			runs:   map[string]*api.Run{"run-1": {ID: "run-1"}}, tasksOf: map[string]*api.Task{"run-1": {}},
		}
		var errs bytes.Buffer
		c := &cli{Streams: Streams{In: strings.NewReader(""), Out: full, Err: &errs}, connect: func(context.Context, string) (api.Service, error) { return service, nil }}
		if status := c.main(args); status != 125 || !strings.Contains(errs.String(), "could not be written to standard output") {
			t.Errorf("%v: status %d, %s", args, status, errs.String())
		}
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("disk full") }
