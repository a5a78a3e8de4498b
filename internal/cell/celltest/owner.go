package celltest

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
)

// The environment of a test binary that plays the owner of cells.
const (
	ownerDir    = "GLOVEBOX_CELLTEST_DIR"
	ownerRootFS = "GLOVEBOX_CELLTEST_ROOTFS"
)

// Helper plays the owner of two cells if this process was started as one, and
// then never returns. Call it first in TestMain.
func Helper(newDriver func(dir string) (cell.Driver, error)) {
	dir := os.Getenv(ownerDir)
	if dir == "" {
		return
	}
	if err := own(newDriver, dir); err != nil {
		fmt.Println("error:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

// own starts two cells, one busy and one idle, says so, and answers on its
// standard output whether the idle one still works.
func own(newDriver func(dir string) (cell.Driver, error), dir string) error {
	driver, err := newDriver(dir)
	if err != nil {
		return err
	}
	ctx := context.Background()
	busy, err := ownedCell(ctx, driver, "busy")
	if err != nil {
		return err
	}
	up := make(chan struct{})
	go busy.Exec(ctx, cell.Command{
		Argv: []string{"/bin/sh", "-c", "echo up; sleep 100000 & sleep 100000"}, Env: []string{path},
		Stdout: writerFunc(func([]byte) { close(up) }),
	})
	<-up
	idle, err := ownedCell(ctx, driver, "idle")
	if err != nil {
		return err
	}
	fmt.Println("ready")
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		if _, err := idle.Exec(ctx, cell.Command{Argv: []string{"/bin/true"}, Env: []string{path}}); err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println("alive")
	}
	return nil
}

func ownedCell(ctx context.Context, driver cell.Driver, name string) (*cell.Cell, error) {
	return cell.Start(ctx, driver, cell.Spec{
		ID: fmt.Sprintf("celltest-%s-%d", name, os.Getpid()), RootFS: os.Getenv(ownerRootFS),
		Resources: api.Resources{}.WithDefaults(),
	})
}

// owner is the other process, seen from the test.
type owner struct {
	cmd *exec.Cmd
	in  interface{ WriteString(string) (int, error) }
	out *bufio.Scanner
}

func startOwner(t *testing.T, dir, rootFS string) *owner {
	t.Helper()
	executable, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(executable)
	cmd.Env = append(os.Environ(), ownerDir+"="+dir, ownerRootFS+"="+rootFS)
	cmd.Stderr = os.Stderr
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { write.Close() })
	cmd.Stdin = read
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	read.Close()
	o := &owner{cmd: cmd, in: write, out: bufio.NewScanner(out)}
	t.Cleanup(func() { o.cmd.Process.Kill(); o.cmd.Wait() })
	if !o.out.Scan() || o.out.Text() != "ready" {
		t.Fatalf("the owner says %q", o.out.Text())
	}
	return o
}

func (o *owner) ask(t *testing.T, question string) string {
	t.Helper()
	if _, err := o.in.WriteString(question + "\n"); err != nil {
		t.Fatal(err)
	}
	if !o.out.Scan() {
		t.Fatal("the owner is gone")
	}
	return o.out.Text()
}

func (o *owner) kill(t *testing.T) {
	t.Helper()
	if err := o.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	o.cmd.Wait()
}

// killLine kills the process of a line that processesWhere made.
func killLine(t *testing.T, line string) {
	t.Helper()
	first, _, _ := strings.Cut(line, " ")
	pid, err := strconv.Atoi(first)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.Kill(pid, unix.SIGKILL); err != nil && err != unix.ESRCH {
		t.Error(err)
	}
}

// namesCell reports whether a path on the host is named after a cell of this
// suite.
func namesCell(path string) bool { return strings.Contains(path, "celltest-") }
