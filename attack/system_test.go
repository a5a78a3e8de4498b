// Package attack holds the attacks on the whole program that docs/THREAT_MODEL.md
// lists: each is driven through the command line, as an attacker's code or a
// careless caller would come in. Attacks on one part are tested beside it.
package attack

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/internal/app/apptest"
)

// program is glovebox, built once for all tests; home is where its images are.
var program, home string

func TestMain(m *testing.M) {
	if os.Getenv("GLOVEBOX_TEST_REAL") != "1" {
		fmt.Println("skipping every attack on the whole program: GLOVEBOX_TEST_REAL is not 1")
		return
	}
	dir, err := os.MkdirTemp("", "glovebox-attack-")
	if err != nil {
		panic(err)
	}
	testHome, remove, err := apptest.Home()
	if err != nil {
		panic(err)
	}
	program, home = filepath.Join(dir, "glovebox"), testHome
	build := exec.Command("go", "build", "-o", program, "../cmd/glovebox")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		os.RemoveAll(dir)
		os.RemoveAll(home)
		panic(fmt.Sprintf("building glovebox: %v\n%s", err, out))
	}
	status := m.Run()
	if err := errors.Join(os.RemoveAll(dir), remove()); err != nil {
		panic(err)
	}
	os.Exit(status)
}

// ended is how glovebox ended.
type ended struct {
	stdout, stderr string
	status         int
	memory         int64 // bytes, the most that glovebox or one of its processes used
}

func command(args ...string) *exec.Cmd {
	cmd := exec.Command(program, args...)
	cmd.Env = append(os.Environ(), "GLOVEBOX_HOME="+home)
	return cmd
}

func glovebox(t *testing.T, args ...string) ended { return gloveboxIn(t, "", args...) }

func gloveboxIn(t *testing.T, stdin string, args ...string) ended {
	t.Helper()
	cmd := command(args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(stdin), &stdout, &stderr
	if err := cmd.Run(); cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return ended{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode(), maxRSS(cmd.ProcessState)}
}

// result is what --json prints, as far as these tests look at it.
type result struct {
	Outputs map[string]any `json:"outputs"`
	Error   *struct {
		Code    string `json:"code"`
		Message string `json:"message"`
		Details struct {
			Field   string `json:"field"`
			Package string `json:"package"`
			Limit   int64  `json:"limit"`
		} `json:"details"`
	} `json:"error"`
	Stdout string `json:"stdout"`
}

func (e ended) result(t *testing.T) result {
	t.Helper()
	var r result
	if err := json.Unmarshal([]byte(e.stdout), &r); err != nil {
		t.Fatalf("--json printed %.500q: %v; stderr %.2000s", e.stdout, err, e.stderr)
	}
	return r
}

// fails checks the code of the error, and that a message names the field.
func (e ended) fails(t *testing.T, code, field string) {
	t.Helper()
	r := e.result(t)
	if r.Error == nil {
		t.Fatalf("the run ended well with %v, want the error %s", r.Outputs, code)
	}
	if r.Error.Code != code || !strings.Contains(r.Error.Message+r.Error.Details.Field, field) {
		t.Errorf("the error is %s: %s, want %s about %q", r.Error.Code, r.Error.Message, code, field)
	}
}

func (e ended) succeeds(t *testing.T) ended {
	t.Helper()
	if e.status != 0 {
		t.Fatalf("glovebox ended with the status %d: %.2000s%.2000s", e.status, e.stdout, e.stderr)
	}
	return e
}
