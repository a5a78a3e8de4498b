package engine

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/agent"
	"github.com/glovebox-dev/glovebox/internal/blob/file"
	"github.com/glovebox-dev/glovebox/internal/journal"
	"github.com/glovebox-dev/glovebox/internal/journal/postgres"
	"github.com/glovebox-dev/glovebox/internal/journal/postgres/pgtest"
	"github.com/glovebox-dev/glovebox/internal/journal/sqlite"
	"github.com/glovebox-dev/glovebox/internal/orchestrator"
	"github.com/glovebox-dev/glovebox/value"
)

// The variables of a process that is going to be killed.
const (
	killDir   = "GLOVEBOX_ENGINE_TEST_DIR"
	killOwner = "GLOVEBOX_ENGINE_TEST_OWNER"
	killURL   = "GLOVEBOX_ENGINE_TEST_JOURNAL" // of a database of Postgres; empty is a file
	soak      = "GLOVEBOX_TEST_SOAK"           // how many kills
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(killDir); dir != "" {
		if err := mortal(dir, os.Getenv(killOwner)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// effects is a Runner whose functions write a line for each execution, as
// durable as the journal, before they return.
type effects struct{ dir string }

func (effects) Validate(*api.Task) error { return nil }

func (effects) Identity(context.Context, *api.Task, func(api.Progress)) (string, error) {
	return "", nil
}

func (f effects) Run(_ context.Context, runID string, req *api.Request) (*api.Result, error) {
	if err := f.leave(runID, req.Task.Name); err != nil {
		return nil, err
	}
	v, err := f.compute(runID, req)
	result := &api.Result{ExitCode: -1}
	for _, p := range req.Task.Signature.Outputs {
		result.Outputs = append(result.Outputs, api.Output{Name: p.Name, Type: p.Type, Value: v})
	}
	return result, err
}

func (f effects) leave(runID, name string) error {
	log, err := os.OpenFile(f.dir+"/effects", os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(log, "%s %s\n", runID, name)
	return errors.Join(err, log.Sync(), log.Close())
}

func (f effects) compute(runID string, req *api.Request) (any, error) {
	switch req.Task.Name {
	case "fail":
		e := api.Errorf(api.PythonException, "ValueError: no")
		return nil, e.WithDetails(api.Details{Exception: &api.Exception{Type: "ValueError", Message: "no"}})
	case "write":
		path := filepath.Join(f.dir, "work", runID)
		return value.File{Path: path}, os.WriteFile(path, bytes.Repeat([]byte("x"), int(req.Inputs.Map()["x"].(int64))), 0o600)
	case "read":
		data, err := os.ReadFile(req.Inputs.Map()["data"].(value.File).Path)
		return int64(len(data)), err
	}
	if req.Task.Name == "model" {
		return scripted(req.Inputs.Map()["request"].(*value.Dict))
	}
	return req.Inputs.Map()["x"].(int64) + 1, nil
}

// scripted answers for the model of an agent: a block that fails after two calls,
// one that makes them once more and two others, and the end.
func scripted(request *value.Dict) (any, error) {
	messages, _ := request.Get("messages")
	text := []string{
		"```python\na = again(1)\nb = again(a)\n1 / 0\n```",
		"```python\na = again(1)\nb = again(a)\nsum([again(b), again(b + 1)])\n```",
		"done",
	}[len(messages.([]any))/2]
	answer, err := json.Marshal(api.ModelAnswer{Text: text, Stop: api.StopEnd})
	if err != nil {
		return nil, err
	}
	return value.DecodeJSON(api.ModelSignature().Outputs[0].Type, answer)
}

// mortalTasks are what a process executes until it is killed. Those of doubtful
// differ by their names.
func mortalTasks() map[string]*api.Task {
	again, once, fail := function("again", "x"), function("once", "x"), function("fail", "x")
	again.Idempotent, fail.Idempotent = true, true
	write, read := function("write", "x"), function("read")
	write.Signature.Outputs = []value.Param{{Name: "result", Type: value.Type{Kind: value.KindFile}}}
	read.Signature.Inputs = []value.Param{{Name: "data", Type: value.Type{Kind: value.KindFile}}}
	write.Idempotent, read.Idempotent = true, true
	model := function("model")
	model.Signature, model.Idempotent = api.ModelSignature(), true
	agent := orchestrate("", value.Type{Kind: value.KindStr}, again)
	agent.Kind, agent.Code, agent.Agent = api.KindAgent, "", &api.Agent{Model: model}
	inner := orchestrate("a = again(x)\nb = await gather(again(a), again(a + 1))\nsum(b)", integer, again)
	inner.Name, inner.Signature.Inputs = "inner", ints("x")
	return map[string]*api.Task{
		"sequential": orchestrate("n = 0\nfor i in range(6): n = again(n + i)\nn", integer, again),
		"gathered":   orchestrate("sum(await gather(*[again(i) for i in range(12)]))", integer, again),
		"nested":     orchestrate("x = inner(1)\ny = await gather(inner(2), inner(3))\n[x, y]", anything, *inner, again),
		"caught":     orchestrate("r = []\nfor i in range(4):\n    try:\n        r.append(fail(i))\n    except ValueError:\n        r.append(again(i))\nr", anything, fail, again),
		"files":      orchestrate("sum([read(write(i)) for i in range(3)])", integer, write, read),
		"doubtful":   orchestrate("n = 0\nfor i in range(5): n = once(n)\nn", integer, once),
		"agent":      agent,
		"uncaught":   orchestrate("again(1)\nfail(2)\nagain(3)", integer, again, fail),
	}
}

// mortal is the process: it resumes what an earlier one left, asks for all
// runs, and prints what they gave.
func mortal(dir, owner string) error {
	ctx := context.Background()
	e, closeAll, err := openMortal(dir, owner)
	if err != nil {
		return err
	}
	defer closeAll()
	if _, err := e.Recover(ctx, true); err != nil {
		return fmt.Errorf("recover: %w", err)
	}
	var ids []string
	tasks := mortalTasks()
	for _, name := range sorted(tasks) {
		run, err := e.Submit(ctx, api.Submission{Task: tasks[name], IdempotencyKey: name})
		if err != nil {
			return fmt.Errorf("submit %s: %w", name, err)
		}
		ids = append(ids, run.ID)
	}
	for _, id := range ids {
		_, _ = e.Wait(ctx, id) // what came of it is in the journal
	}
	return nil
}

func sorted[V any](m map[string]V) (names []string) {
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func openMortal(dir, owner string) (*Engine, func(), error) {
	blobs, err := file.Open(dir + "/blobs")
	if err != nil {
		return nil, nil, err
	}
	db, err := openMortalJournal(context.Background(), dir, os.Getenv(killURL))
	if err != nil {
		return nil, nil, err
	}
	orchestrators := orchestrator.New(orchestrator.Config{SnapshotKey: []byte("the key of this host, 32 bytes..")})
	e := New(Config{
		Kinds: map[api.TaskKind]Runner{
			api.KindFunction: effects{dir}, api.KindOrchestrator: orchestrators, api.KindAgent: agent.New(agent.Config{Language: orchestrators}),
		},
		Journal: db, Blobs: blobs, FileDir: dir + "/runs", LogDir: dir + "/logs",
		Owner: owner, Alive: func(name string) bool { return name == owner }, Logger: strictLogger(),
	})
	return e, func() { e.Close(); db.Close() }, nil
}

func openMortalJournal(ctx context.Context, dir, url string) (journal.Journal, error) {
	if url == "" {
		db, err := sqlite.Open(ctx, dir+"/journal.db", sqlite.Options{})
		if err != nil {
			return nil, err
		}
		return db.Journal(), nil
	}
	db, err := postgres.Open(ctx, url, postgres.Options{Home: "home"})
	if err != nil {
		return nil, err
	}
	return db.Journal(), nil
}

// TestKill (D01, R12) kills processes at random moments until all runs have
// ended, and holds what they left to what a straight run gives.
func TestKill(t *testing.T) {
	testKill(t, newMortals)
}

// TestKillOnPostgres is TestKill with the journal in Postgres, where a transaction of a
// process that was killed may still be about to take place.
func TestKillOnPostgres(t *testing.T) {
	testKill(t, func(t *testing.T) *mortals {
		m := newMortals(t)
		m.url = pgtest.New(t)
		return m
	})
}

func testKill(t *testing.T, newMortals func(*testing.T) *mortals) {
	kills, seed := 8, uint64(time.Now().UnixNano())
	if n, err := strconv.Atoi(os.Getenv(soak)); err == nil {
		kills = n
	} else if testing.Short() {
		kills = 5
	}
	t.Logf("seed %d, %d kills", seed, kills)
	random := rand.New(rand.NewPCG(seed, 1))
	straight := newMortals(t)
	began := time.Now()
	straight.process(t, nil)
	took := time.Since(began)
	want := straight.ended(t)
	if !strings.Contains(want["agent"], "done") {
		t.Fatalf("the agent ended with %s", want["agent"])
	}
	done, doubts := 0, 0
	for done < kills {
		m := newMortals(t)
		for range 1 + random.IntN(8) {
			if !m.process(t, time.After(time.Duration(random.Int64N(int64(took))))) {
				break
			}
			done++
			m.remember(t)
		}
		m.process(t, nil)
		m.check(t, want)
		doubts += m.doubts
	}
	t.Logf("%d runs ended in doubt", doubts)
}

// mortals are the processes of one directory.
type mortals struct {
	dir    string
	url    string // of the journal, if it is no file
	count  int
	doubts int            // runs that ended in doubt
	kept   map[string]int // how often a call had been executed when its end was in the journal
}

func newMortals(t *testing.T) *mortals {
	m := &mortals{dir: t.TempDir(), kept: map[string]int{}}
	if err := os.Mkdir(m.dir+"/work", 0o700); err != nil {
		t.Fatal(err)
	}
	return m
}

// process runs one until it ends, or is killed.
func (m *mortals) process(t *testing.T, killed <-chan time.Time) (was bool) {
	t.Helper()
	m.count++
	cmd := exec.Command("/proc/self/exe")
	cmd.Env = append(os.Environ(), killDir+"="+m.dir, killURL+"="+m.url, fmt.Sprintf("%s=process-%d", killOwner, m.count))
	var out bytes.Buffer
	cmd.Stderr = &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case <-killed:
		_ = cmd.Process.Kill()
		<-ended
		return true
	case err := <-ended:
		if err != nil {
			t.Fatalf("process %d: %v\n%s", m.count, err, out.Bytes())
		}
	case <-time.After(time.Minute):
		_ = cmd.Process.Kill()
		t.Fatalf("process %d hangs\n%s", m.count, out.Bytes())
	}
	return false
}

// effects counts the effects by run.
func (m *mortals) effects(t *testing.T) map[string]int {
	counts := map[string]int{}
	f, err := os.Open(m.dir + "/effects")
	if errors.Is(err, os.ErrNotExist) {
		return counts
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		counts[strings.Fields(lines.Text())[0]]++
	}
	return counts
}

// records reads all runs.
func (m *mortals) records(t *testing.T, each func(journal.Journal, *journal.Record)) {
	t.Helper()
	j, err := openMortalJournal(t.Context(), m.dir, m.url)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	for cursor := ""; ; {
		page, next, err := j.List(t.Context(), api.RunQuery{Limit: maxPage, Cursor: cursor})
		if err != nil {
			t.Fatal(err)
		}
		for _, rec := range page {
			if rec, err = j.Load(t.Context(), rec.ID); err != nil {
				t.Fatal(err)
			}
			each(j, rec)
		}
		if cursor = next; cursor == "" {
			return
		}
	}
}

func (m *mortals) remember(t *testing.T) {
	counts := m.effects(t)
	m.records(t, func(_ journal.Journal, rec *journal.Record) {
		if rec.Call != 0 && rec.Status.Ended() {
			m.kept[rec.ID] = counts[rec.ID]
		}
	})
}

// ended returns what the runs at the top gave, by name.
func (m *mortals) ended(t *testing.T) map[string]string {
	got := map[string]string{}
	m.records(t, func(_ journal.Journal, rec *journal.Record) {
		if rec.Parent == "" {
			got[rec.IdempotencyKey] = string(rec.OutputsPayload.Inline)
			if rec.Error != nil {
				got[rec.IdempotencyKey] = string(rec.Error.Code)
			}
		}
	})
	return got
}

func (m *mortals) check(t *testing.T, want map[string]string) {
	t.Helper()
	got, counts := m.ended(t), m.effects(t)
	if got["doubtful"] == string(api.OutcomeUnknown) {
		got["doubtful"] = want["doubtful"]
		m.doubts++
		m.checkDoubt(t, counts)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("after %d processes (-straight +killed):\n%s", m.count, diff)
	}
	for id, before := range m.kept {
		if counts[id] != before {
			t.Errorf("call %s had ended, and was carried out %d times more", id, counts[id]-before)
		}
	}
	m.records(t, func(j journal.Journal, rec *journal.Record) {
		if rec.Task == "once" && counts[rec.ID] != 1 && (rec.Error == nil || counts[rec.ID] != 0) {
			t.Errorf("call %s of once, %s, was carried out %d times", rec.ID, rec.Status, counts[rec.ID])
		}
		checkEvents(t, j, rec)
	})
	if left, err := os.ReadDir(m.dir + "/runs"); err == nil && len(left) > 0 {
		t.Errorf("%d directories of runs are left, such as %s", len(left), left[0].Name())
	}
}

// checkDoubt sees that exactly one call is in doubt, the last one.
func (m *mortals) checkDoubt(t *testing.T, counts map[string]int) {
	t.Helper()
	var unknown []string
	m.records(t, func(_ journal.Journal, rec *journal.Record) {
		if rec.Task == "once" && rec.Error != nil {
			unknown = append(unknown, rec.ID)
			if rec.Error.Code != api.OutcomeUnknown || counts[rec.ID] > 1 {
				t.Errorf("call %s of once: %v, carried out %d times", rec.ID, rec.Error, counts[rec.ID])
			}
		}
	})
	if len(unknown) != 1 {
		t.Errorf("%d calls are in doubt: %v", len(unknown), unknown)
	}
}

// checkEvents sees that a run has ended, once, and that its record follows from
// its events.
func checkEvents(t *testing.T, j journal.Journal, rec *journal.Record) {
	t.Helper()
	events, err := j.Events(t.Context(), rec.ID, 0, 100_000)
	if err != nil || len(events) == 0 {
		t.Fatalf("events of run %s: %v, %v", rec.ID, events, err)
	}
	counts := map[api.EventKind]int{}
	for i, ev := range events {
		counts[ev.Kind]++
		if ev.Seq != int64(i+1) || ev.Run != rec.ID {
			t.Errorf("run %s: event %d has number %d of run %s", rec.ID, i+1, ev.Seq, ev.Run)
		}
	}
	last := events[len(events)-1]
	if !rec.Status.Ended() || last.Kind != api.EventEnded || counts[api.EventCreated] != 1 || events[0].Kind != api.EventCreated {
		t.Errorf("run %s of %s is %s; its last event is %s, created %d", rec.ID, rec.Task, rec.Status, last.Kind, counts[api.EventCreated])
	}
	if rec.Seq != last.Seq || rec.Attempts != counts[api.EventAttemptStarted] || rec.Calls != counts[api.EventCallStarted] || counts[api.EventCallStarted] < counts[api.EventCallEnded] {
		t.Errorf("run %s: record %d attempts, %d calls, number %d; events %v", rec.ID, rec.Attempts, rec.Calls, rec.Seq, counts)
	}
	var ended api.EndedData
	if err := json.Unmarshal(last.Data, &ended); err != nil || ended.Run.Status != rec.Status || ended.Run.Attempts != rec.Attempts {
		t.Errorf("run %s: ended as %s, and the record is %s: %v", rec.ID, ended.Run.Status, rec.Status, err)
	}
}
