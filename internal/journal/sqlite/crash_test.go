package sqlite_test

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
	"github.com/glovebox-dev/glovebox/internal/journal/journaltest"
	"github.com/glovebox-dev/glovebox/internal/journal/sqlite"
)

// crashVariable names the database in the environment of the process that is
// going to be killed.
const crashVariable = "GLOVEBOX_TEST_CRASH_DB"

// TestKilled kills a process that submits in a loop, again and again, over the
// same database. All that it had confirmed must be there, and nothing by half.
func TestKilled(t *testing.T) {
	t.Parallel()
	path := newPath(t)
	if err := open(t, path).Close(); err != nil {
		t.Fatal(err)
	}
	random, rounds := rand.New(rand.NewPCG(1, 2)), 100
	if testing.Short() {
		rounds = 10
	}
	for round := range rounds {
		confirmed := killed(t, path, fmt.Sprintf("run-%03d", round), random.IntN(60))
		db := open(t, path)
		for id, seq := range confirmed {
			checkWhole(t, db.Journal(), id, seq)
		}
		if round%10 == 0 {
			if err := db.Check(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// killed runs the process until it has confirmed so many submissions, and
// returns the number of the last event that it confirmed of each run.
func killed(t *testing.T, path, prefix string, after int) map[string]int64 {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestKilledProcess$")
	cmd.Env = append(os.Environ(), crashVariable+"="+path, "PREFIX="+prefix)
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	confirmed := map[string]int64{}
	lines := bufio.NewScanner(out)
	for n := 0; lines.Scan(); n++ { // also what was printed before the signal came
		var id string
		var seq int64
		if _, err := fmt.Sscan(lines.Text(), &id, &seq); err == nil && strings.HasPrefix(id, prefix) {
			confirmed[id] = seq
		}
		if n == after {
			cmd.Process.Kill()
		}
	}
	if err := cmd.Wait(); err == nil || len(confirmed) == 0 {
		t.Fatalf("the process ended by itself, or confirmed nothing: %v, %v", err, confirmed)
	}
	return confirmed
}

// TestKilledProcess is the process that TestKilled kills.
func TestKilledProcess(t *testing.T) {
	path := os.Getenv(crashVariable)
	if path == "" {
		t.Skip("it is started by TestKilled")
	}
	db, err := sqlite.Open(t.Context(), path, sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error)
	for i := range 4 {
		go func() { ended <- callForever(db.Journal(), fmt.Sprintf("%s-%d", os.Getenv("PREFIX"), i)) }()
	}
	t.Fatal(<-ended)
}

// callForever makes a run that makes calls. The intent of each is one
// submission of both runs, and the end of each another one.
func callForever(j journal.Journal, id string) error {
	parent := journaltest.NewRun(id, 0, nil)
	if err := j.Submit(parent).Wait(context.Background()); err != nil {
		return err
	}
	fmt.Println(id, parent.Record.Seq)
	for n := 1; ; n++ {
		call := journaltest.NewRun(fmt.Sprintf("%s-call-%d", id, n), n, &parent.Record)
		call.Record.Call = uint64(n)
		parent.Record.Calls = n
		parent = journaltest.Next(parent.Record, api.EventCallStarted)
		begun := j.Submit(parent, call)
		parent = journaltest.Next(parent.Record, api.EventCallEnded)
		if err := j.Submit(journaltest.Ended(call.Record, api.StatusSucceeded, 1), parent).Wait(context.Background()); err != nil {
			return err
		}
		if err := begun.Wait(context.Background()); err != nil {
			return err
		}
		fmt.Println(id, parent.Record.Seq)
	}
}

// checkWhole checks a run of callForever, of which events up to seq were
// confirmed.
func checkWhole(t *testing.T, j journal.Journal, id string, seq int64) {
	t.Helper()
	r, err := j.Load(t.Context(), id)
	if err != nil || r.Seq < seq {
		t.Fatalf("event %d of run %s was confirmed, got %+v, %v", seq, id, r, err)
	}
	var last int64
	for page := []api.Event(nil); ; {
		if page, err = j.Events(t.Context(), id, last, 1000); err != nil || len(page) == 0 {
			break
		}
		last = page[len(page)-1].Seq
	}
	if err != nil || last != r.Seq {
		t.Fatalf("run %s has events up to %d, its record says %d: %v", id, last, r.Seq, err)
	}
	checkCalls(t, j, r)
}

func checkCalls(t *testing.T, j journal.Journal, r *journal.Record) {
	t.Helper()
	calls, err := j.Calls(t.Context(), r.ID)
	if err != nil || len(calls) != r.Calls {
		t.Fatalf("run %s has made %d calls, got %d: %v", r.ID, r.Calls, len(calls), err)
	}
	ended := 0
	for _, c := range calls {
		if c.Status.Ended() {
			ended++
		}
	}
	if want := int(r.Seq-1) / 2; ended != want {
		t.Fatalf("%d calls of run %s have ended, its events say %d", ended, r.ID, want)
	}
}
