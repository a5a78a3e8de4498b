package app

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/client"
	"github.com/glovebox-dev/glovebox/internal/host"
	"github.com/glovebox-dev/glovebox/internal/journal/postgres/pgtest"
	"github.com/glovebox-dev/glovebox/value"
)

// nodeVariable makes the test binary a node: home, URL, shared directory and labels, in lines.
const nodeVariable = "GLOVEBOX_TEST_NODE"

func TestMain(m *testing.M) {
	Reexec()
	if what := os.Getenv(nodeVariable); what != "" {
		if err := beNode(strings.Split(what, "\n")); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

func beNode(args []string) error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	o := host.Options{Home: args[0], Journal: args[1], Shared: args[2], MaxRuns: 8, Logger: slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError}))}
	var err error
	if o.NodeLabels, err = api.ParseLabels("label", args[3:]); err != nil {
		return err
	}
	a, err := Open(ctx, o)
	if err != nil {
		return err
	}
	defer a.Close()
	return a.Serve(ctx, host.ServeOptions{Drain: time.Minute, Ready: func(address string) { fmt.Println(address) }})
}

// nodeProcess is a server process.
type nodeProcess struct {
	cmd    *exec.Cmd
	client *client.Client
}

func startNode(t *testing.T, url, shared string, labels ...string) *nodeProcess {
	t.Helper()
	dir, err := os.MkdirTemp("", "node") // a short path, for its socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := imagesOf(dir); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), nodeVariable+"="+strings.Join(append([]string{dir, url, shared}, labels...), "\n"))
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // it may be dead already
		_ = cmd.Wait()
	})
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatalf("the node did not start: %v", err)
	}
	c, err := client.Dial("unix:"+filepath.Join(dir, "server/glovebox.sock"), client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return &nodeProcess{cmd, c}
}

func (n *nodeProcess) signal(t *testing.T, s os.Signal) {
	t.Helper()
	if err := n.cmd.Process.Signal(s); err != nil {
		t.Fatal(err)
	}
}

// counting is an orchestrator that sleeps and calls another one, for about so many
// seconds, and then says 10 for each second.
func counting(seconds int) *api.Task {
	integer := value.Type{Kind: value.KindInt}
	add := api.Task{
		Name: "add", Kind: api.KindOrchestrator, Code: "a + b", Orchestrator: &api.Orchestrator{Dialect: "extended"},
		Signature: api.Signature{Inputs: []value.Param{{Name: "a", Type: integer}, {Name: "b", Type: integer}}, Outputs: []value.Param{{Name: "result", Type: integer}}},
	}
	return &api.Task{
		Name: "count", Kind: api.KindOrchestrator, Orchestrator: &api.Orchestrator{Dialect: "extended", Tools: []api.Task{add}},
		Code:      fmt.Sprintf("import time\ntotal = 0\nfor i in range(%d):\n    time.sleep(0.1)\n    total = add(total, 1)\ntotal", 10*seconds),
		Signature: api.Signature{Outputs: []value.Param{{Name: "result", Type: integer}}},
	}
}

// TestNodes: of three servers on one journal, one is killed and one stands still for
// longer than its lease, while they have runs. Each run ends once, with its result, and
// any server tells it.
func TestNodes(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits for leases to end")
	}
	server := pgtest.Shared(t)
	name, shared := server.Create(t), t.TempDir()
	var nodes []*nodeProcess
	for range 3 {
		nodes = append(nodes, startNode(t, server.URL(name), shared))
	}
	const each, seconds = 4, 4
	var ids []string
	for i, n := range nodes {
		for k := range each {
			run, err := n.client.Submit(t.Context(), api.Submission{Task: counting(seconds), IdempotencyKey: fmt.Sprint(i, k)})
			if err != nil {
				t.Fatal(err)
			}
			ids = append(ids, run.ID)
		}
	}
	nodes[0].signal(t, syscall.SIGKILL)
	nodes[1].signal(t, syscall.SIGSTOP)
	began := time.Now()
	for i, id := range ids {
		result, err := nodes[2].client.Wait(t.Context(), id)
		if err != nil || len(result.Outputs) != 1 || result.Outputs[0].Value != int64(10*seconds) {
			t.Errorf("run %d: %+v, %v", i, result, err)
		}
	}
	t.Logf("all runs ended %s after the end of two nodes", time.Since(began).Round(100*time.Millisecond))
	nodes[1].signal(t, syscall.SIGCONT)
	for _, id := range ids {
		if result, err := nodes[1].client.Wait(t.Context(), id); err != nil || result.RunID != id {
			t.Errorf("asking the node that stood still: %+v, %v", result, err)
		}
	}
	twice := server.SQL(t, name, `SELECT count(*) FROM (SELECT run FROM events WHERE kind = 'ended' GROUP BY run HAVING count(*) <> 1) AS x`)
	open := server.SQL(t, name, `SELECT count(*) FROM runs WHERE status <> 'succeeded'`)
	calls := server.SQL(t, name, `SELECT count(*) FROM runs WHERE parent IS NOT NULL`)
	if want := fmt.Sprint(3 * each * 10 * seconds); twice != "0" || open != "0" || calls != want {
		t.Errorf("%s runs ended twice, %s have not succeeded, there are %s calls, want %s", twice, open, calls, want)
	}
	for { // it takes runs again, under another name
		run, err := nodes[1].client.Submit(t.Context(), api.Submission{Task: counting(0)})
		if errors.Is(err, &api.Error{Code: api.ServerUnavailable}) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, err := nodes[1].client.Wait(t.Context(), run.ID); err != nil {
			t.Error(err)
		}
		break
	}
}

// TestDrainNode: a node that is asked to stop hands over what sleeps, ends the rest, and
// its process ends.
func TestDrainNode(t *testing.T) {
	server := pgtest.Shared(t)
	url, shared := server.URL(server.Create(t)), t.TempDir()
	first, second := startNode(t, url, shared), startNode(t, url, shared)
	sleeps := counting(0)
	sleeps.Code = "import time\ntime.sleep(11)\nadd(1, 2)"
	ids := []string{}
	for _, task := range []*api.Task{sleeps, counting(1)} {
		run, err := first.client.Submit(t.Context(), api.Submission{Task: task})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, run.ID)
	}
	nodes, err := second.client.Nodes(t.Context())
	if err != nil || len(nodes) != 2 || nodes[0].Self || !nodes[1].Self || nodes[0].Host == "" || nodes[0].State != api.NodeActive || nodes[0].Room == 0 || nodes[0].Address == "" {
		t.Fatalf("nodes: %+v, %v", nodes, err)
	}
	if err := second.client.DrainNode(t.Context(), "node-none"); !errors.Is(err, &api.Error{Code: api.NotFound}) {
		t.Errorf("a node that is not there: %v", err)
	}
	for ; ; time.Sleep(10 * time.Millisecond) { // until it sleeps without a goroutine
		if run, err := second.client.Run(t.Context(), ids[0]); err != nil || !run.SleepsUntil.IsZero() {
			break
		}
	}
	if err := second.client.DrainNode(t.Context(), nodes[0].ID); err != nil {
		t.Fatal(err)
	}
	if err := first.cmd.Wait(); err != nil {
		t.Errorf("the process of the node: %v", err)
	}
	for i, want := range []any{int64(3), int64(10)} {
		result, err := second.client.Wait(t.Context(), ids[i])
		if err != nil || result.Outputs[0].Value != want {
			t.Errorf("run %d: %+v, %v, want %v", i, result, err, want)
		}
	}
}

// TestAnyNode: one node follows, cancels and approves what another one holds.
func TestAnyNode(t *testing.T) {
	server := pgtest.Shared(t)
	url, shared := server.URL(server.Create(t)), t.TempDir()
	first, second := startNode(t, url, shared), startNode(t, url, shared)
	long, asks := counting(60), counting(0)
	asks.Approval = &api.Approval{}
	var ids []string
	for _, task := range []*api.Task{long, asks} {
		run, err := first.client.Submit(t.Context(), api.Submission{Task: task})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, run.ID)
	}
	if err := second.client.Cancel(t.Context(), ids[0], "at the other one"); err != nil {
		t.Fatal(err)
	}
	if _, err := second.client.Decide(t.Context(), ids[1], api.Decision{Approved: true}); err != nil {
		t.Fatal(err)
	}
	if _, err := second.client.Wait(t.Context(), ids[0]); !errors.Is(err, &api.Error{Code: api.Canceled}) {
		t.Errorf("the run that was canceled: %v", err)
	}
	if result, err := second.client.Wait(t.Context(), ids[1]); err != nil || result.Outputs[0].Value != int64(0) {
		t.Errorf("the run that was approved: %+v, %v", result, err)
	}
	var last api.EventKind
	for ev, err := range second.client.Events(t.Context(), ids[0], 0) {
		if err != nil {
			t.Fatal(err)
		}
		last = ev.Kind
	}
	if last != api.EventEnded {
		t.Errorf("the last event is %s", last)
	}
}

// wire passes connections on to a server, until it is cut.
type wire struct {
	net.Listener
	server string

	mu    sync.Mutex
	cut   bool
	conns []net.Conn
}

func newWire(t *testing.T, server string) *wire {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := &wire{Listener: l, server: server}
	t.Cleanup(func() { l.Close(); w.set(true) })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go w.pass(c)
		}
	}()
	return w
}

func (w *wire) pass(c net.Conn) {
	defer c.Close()
	s, err := net.Dial("tcp", w.server)
	if err != nil {
		return
	}
	defer s.Close()
	w.mu.Lock()
	cut := w.cut
	w.conns = append(w.conns, c, s)
	w.mu.Unlock()
	if cut {
		return
	}
	go func() { _, _ = io.Copy(s, c) }() // either side ends both
	_, _ = io.Copy(c, s)
}

// set cuts all connections and lets no new ones through, or lets them through again.
func (w *wire) set(cut bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.cut = cut
	for _, c := range w.conns {
		c.Close()
	}
	w.conns = nil
}

// TestNodeCutOff: a node that cannot reach the database gives up its runs, which another
// one ends, and takes runs again when it can.
func TestNodeCutOff(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits for a lease to end")
	}
	server := pgtest.Shared(t)
	name, shared := server.Create(t), t.TempDir()
	w := newWire(t, server.Address())
	first, second := startNode(t, server.TCP(name, w.Addr().String()), shared), startNode(t, server.URL(name), shared)
	var ids []string
	for range 4 {
		run, err := first.client.Submit(t.Context(), api.Submission{Task: counting(2)})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, run.ID)
	}
	w.set(true)
	for _, id := range ids {
		if result, err := second.client.Wait(t.Context(), id); err != nil || result.Outputs[0].Value != int64(20) {
			t.Errorf("run %s: %+v, %v", id, result, err)
		}
	}
	w.set(false)
	for {
		run, err := first.client.Submit(t.Context(), api.Submission{Task: counting(0)})
		if errors.Is(err, &api.Error{Code: api.ServerUnavailable}) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, err := first.client.Wait(t.Context(), run.ID); err != nil {
			t.Error(err)
		}
		break
	}
	if twice := server.SQL(t, name, `SELECT count(*) FROM (SELECT run FROM events WHERE kind = 'ended' GROUP BY run HAVING count(*) <> 1) AS x`); twice != "0" {
		t.Errorf("%s runs ended twice", twice)
	}
}

// TestSharedDirectory: a server with other blobs than those of the journal is refused,
// and so is a home whose own would be hidden.
func TestSharedDirectory(t *testing.T) {
	url, shared := pgtest.New(t), t.TempDir()
	open := func(o host.Options) error {
		o.Journal = url
		a, err := Open(t.Context(), o)
		if err != nil {
			return err
		}
		return a.Close()
	}
	first := t.TempDir()
	if err := errors.Join(open(host.Options{Home: first, Shared: shared}), open(host.Options{Home: t.TempDir(), Shared: shared}), open(host.Options{Home: first})); err != nil {
		t.Fatal(err)
	}
	own := t.TempDir()
	if err := os.MkdirAll(filepath.Join(own, "blobs", "ab"), 0o700); err != nil {
		t.Fatal(err)
	}
	for what, test := range map[string]struct {
		o    host.Options
		code api.Code
	}{
		"other blobs":       {host.Options{Home: t.TempDir(), Shared: t.TempDir()}, api.HomeBusy},
		"a home of its own": {host.Options{Home: t.TempDir()}, api.HomeBusy},
		"hidden blobs":      {host.Options{Home: own, Shared: shared}, api.Conflict},
		"another directory": {host.Options{Home: first, Shared: t.TempDir()}, api.Conflict},
		"a missing mount":   {host.Options{Home: t.TempDir(), Shared: filepath.Join(shared, "none")}, api.RequestInvalid},
	} {
		if err := open(test.o); !errors.Is(err, &api.Error{Code: test.code}) {
			t.Errorf("%s: got %v, want %s", what, err, test.code)
		}
	}
	if _, err := Open(t.Context(), host.Options{Home: t.TempDir(), Shared: shared}); !errors.Is(err, &api.Error{Code: api.Conflict}) {
		t.Errorf("without Postgres: got %v, want %s", err, api.Conflict)
	}
}

// TestCommonQueue: what one server has no room for is carried out by others, while it
// waits as if it had room.
func TestCommonQueue(t *testing.T) {
	server := pgtest.Shared(t)
	url, shared := server.URL(server.Create(t)), t.TempDir()
	nodes := []*nodeProcess{startNode(t, url, shared), startNode(t, url, shared), startNode(t, url, shared)}
	const runs, seconds = 24, 2 // and each has room for 8
	var ids []string
	for range runs {
		run, err := nodes[0].client.Submit(t.Context(), api.Submission{Task: counting(seconds)})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, run.ID)
	}
	for ctx := t.Context(); ; { // until all three have some
		held, err := nodes[0].client.Nodes(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if len(held) == 3 && held[0].Runs > 0 && held[1].Runs > 0 && held[2].Runs > 0 {
			break
		}
	}
	for i, id := range ids {
		result, err := nodes[0].client.Wait(t.Context(), id)
		if err != nil || len(result.Outputs) != 1 || result.Outputs[0].Value != int64(10*seconds) {
			t.Errorf("run %d: %+v, %v", i, result, err)
		}
	}
}
