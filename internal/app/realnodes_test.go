package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/app/apptest"
	"github.com/glovebox-dev/glovebox/internal/blob/s3/s3test"
	"github.com/glovebox-dev/glovebox/internal/host"
	"github.com/glovebox-dev/glovebox/internal/journal/postgres/pgtest"
	"github.com/glovebox-dev/glovebox/value"
)

// TestNodesWithCells: three servers with cells share Postgres and S3. Each uses the
// session of another one, and when one is killed, all runs end, with files that others
// stored, and its session is lost, but not the one that was paused. Never do more of
// them work than may, and a session with a cell takes its memory from runs.
func TestNodesWithCells(t *testing.T) {
	if os.Getenv("GLOVEBOX_TEST_REAL") == "" {
		t.Skip("set GLOVEBOX_TEST_REAL=1 to run in gVisor cells")
	}
	server, blobs, shared := pgtest.Shared(t), s3test.Start(t), t.TempDir()
	t.Setenv(host.BlobsVariable, blobs.Address("nodes", ""))
	url := server.URL(server.Create(t))
	var nodes []*nodeProcess
	for range 3 {
		nodes = append(nodes, startNode(t, url, shared))
	}
	lost, kept := sessionOf(t, nodes[0]), sessionOf(t, nodes[0])
	useSession(t, nodes[1], kept)
	if _, err := nodes[2].client.PauseSession(t.Context(), kept, api.PauseOptions{}); err != nil {
		t.Fatal(err)
	}
	holdsSession(t, nodes[1])
	var ids []string
	for i, n := range nodes {
		for k := range 3 {
			run, err := n.client.Submit(t.Context(), api.Submission{Task: writing(), IdempotencyKey: fmt.Sprint(i, k)})
			if err != nil {
				t.Fatal(err)
			}
			ids = append(ids, run.ID)
		}
	}
	said := follow(t, nodes[1], lost)
	ended := make(chan struct{})
	counted := countWriters(t, nodes[1], ended)
	nodes[0].signal(t, syscall.SIGKILL)
	for i, id := range ids {
		result, err := nodes[1+i%2].client.Wait(t.Context(), id)
		if err != nil || len(result.Outputs) != 1 {
			t.Errorf("run %d: %+v, %v", i, result, err)
			continue
		}
		text, err := os.ReadFile(result.Outputs[0].Value.(value.File).Path)
		if err != nil || string(text) != "written" {
			t.Errorf("the file of run %d: %q, %v", i, text, err)
		}
	}
	close(ended)
	if most := <-counted; most > writers {
		t.Errorf("%d runs wrote at the same time, and %d may", most, writers)
	}
	if err := <-said; !errors.Is(err, &api.Error{Code: api.ServerUnavailable}) && !errors.Is(err, &api.Error{Code: api.SessionEnded}) {
		t.Errorf("a command whose node was killed: %v", err)
	}
	useSession(t, nodes[2], kept)
	useSession(t, nodes[1], kept)
	if _, err := nodes[2].client.Processes(t.Context(), lost); !errors.Is(err, &api.Error{Code: api.SessionEnded}) {
		t.Errorf("the session of the node that was killed: %v", err)
	}
}

// holdsSession expects that a node says how much memory its session with a cell leaves to
// runs; one that is paused takes none.
func holdsSession(t *testing.T, n *nodeProcess) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for {
		list, err := n.client.Nodes(ctx)
		if err != nil {
			t.Fatalf("no node says that it holds a session: %v", err)
		}
		if slices.ContainsFunc(list, func(n api.Node) bool { return n.Memory-n.FreeMemory == api.DefaultMemory }) {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// countWriters returns how many runs that write were under way at most, until ended.
func countWriters(t *testing.T, n *nodeProcess, ended chan struct{}) chan int {
	counted := make(chan int, 1)
	go func() {
		most := 0
		for {
			list, err := n.client.Runs(t.Context(), api.RunQuery{Task: "write", Status: []api.Status{api.StatusRunning}})
			if err == nil {
				most = max(most, len(list.Runs))
			}
			select {
			case <-ended:
				counted <- most
				return
			case <-time.After(50 * time.Millisecond):
			}
		}
	}()
	return counted
}

// writers is how many runs write at the same time, on all nodes together.
const writers = 2

// writing is a sandbox that writes a file, and takes a second for it.
func writing() *api.Task {
	return &api.Task{
		Name: "write", Kind: api.KindSandbox, Idempotent: true, MaxConcurrent: writers,
		Code:      "import time\ntime.sleep(1)\nopen('/var/outputs/out', 'w').write('written')",
		Signature: api.Signature{Outputs: []value.Param{{Name: "out", Type: value.Type{Kind: value.KindFile}}}},
	}
}

func sessionOf(t *testing.T, n *nodeProcess) string {
	t.Helper()
	s, err := n.client.NewSession(t.Context(), api.SessionSpec{})
	if err != nil {
		t.Fatal(err)
	}
	return s.ID
}

// useSession writes a file, has a command serve it at a port, and reads it from there.
func useSession(t *testing.T, n *nodeProcess, session string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if _, err := n.client.WriteFile(ctx, session, "/tmp/f", strings.NewReader("of a file"), api.WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	const serve = "import socket\ns = socket.create_server(('127.0.0.1', 0))\nprint(s.getsockname()[1], flush=True)\nc, _ = s.accept()\nc.sendall(open('/tmp/f', 'rb').read())\nc.close()"
	read := ""
	for e, err := range n.client.StartProcess(ctx, session, api.ProcessSpec{Argv: []string{"python3", "-c", serve}}) {
		if err != nil {
			t.Fatal(err)
		}
		var port int
		if _, err := fmt.Sscan(string(e.Data), &port); err != nil {
			continue
		}
		conn, err := n.client.DialPort(ctx, session, port)
		if err != nil {
			t.Fatal(err)
		}
		read = readAll(t, conn)
	}
	if read != "of a file" {
		t.Errorf("read %q through the port", read)
	}
}

func readAll(t *testing.T, conn net.Conn) string {
	t.Helper()
	defer conn.Close()
	text, err := io.ReadAll(conn)
	if err != nil {
		t.Error(err)
	}
	return string(text)
}

// follow starts a command that does not end, and returns what its end will be.
func follow(t *testing.T, n *nodeProcess, session string) <-chan error {
	t.Helper()
	ended, begun := make(chan error, 1), make(chan bool, 1)
	go func() {
		var last error
		for e, err := range n.client.StartProcess(t.Context(), session, api.ProcessSpec{Argv: []string{"sleep", "3600"}}) {
			if last = err; e.Type == api.ProcessStarted {
				begun <- true
			}
		}
		ended <- last
	}()
	<-begun
	return ended
}

// imagesOf gives a home the images that tests share.
func imagesOf(home string) error {
	cache := os.Getenv(apptest.CacheVariable)
	if cache == "" {
		return nil
	}
	images := filepath.Join(cache, "images")
	return errors.Join(os.MkdirAll(images, 0o700), os.Symlink(images, filepath.Join(home, "images")))
}
