package attack

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/home"
	"github.com/glovebox-dev/glovebox/internal/host"
	"github.com/glovebox-dev/glovebox/value"
)

// Installed is the engine of this program, in a home of its own that has the images of
// another one.
type Installed struct {
	system host.System
	dir    string
	cells  error // why no cell can be started; nil if one can
}

// Install opens the engine for attacks. Close removes what it left.
func Install(ctx context.Context, engine host.Engine, images home.Dir) (*Installed, error) {
	dir, err := os.MkdirTemp("", "glovebox-attack-")
	if err != nil {
		return nil, api.AsError(err)
	}
	t := &Installed{dir: dir}
	if err := t.open(ctx, engine, images); err != nil {
		return nil, errors.Join(err, t.Close())
	}
	return t, nil
}

func (t *Installed) open(ctx context.Context, engine host.Engine, images home.Dir) (err error) {
	for _, elsewhere := range []string{host.JournalVariable, host.BlobsVariable} {
		if err := os.Unsetenv(elsewhere); err != nil { // what is stored there is no part of this
			return api.AsError(err)
		}
	}
	kept := images.Below("images")
	if _, err := os.Stat(kept); err == nil {
		if err := os.Symlink(kept, filepath.Join(t.dir, "images")); err != nil {
			return api.AsError(err)
		}
	}
	if t.system, err = engine.Open(ctx, host.Options{Home: t.dir, WarmCells: host.NoWarmCells}); err != nil {
		return err
	}
	t.cells = t.tryCell(ctx)
	return nil
}

// errNoImage keeps an attack from fetching an image.
var errNoImage = api.Errorf(api.BaseUnavailable, "the image for cells without packages is not there, and the attacks fetch none").
	WithHint("make it, and try again: glovebox run -c 'print(1)'")

// tryCell starts one cell, with an image that is there already.
func (t *Installed) tryCell(ctx context.Context) error {
	list, err := t.system.Images(ctx)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		return errNoImage
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	_, err = t.system.Evaluate(ctx, api.Evaluation{Task: &api.Task{Code: "pass", Verbatim: true}, Progress: func(p api.Progress) {
		if p.Stage == "base" || p.Stage == "build" {
			cancel(errNoImage)
		}
	}})
	if errors.Is(context.Cause(ctx), errNoImage) {
		return errNoImage
	}
	return err
}

// Weak are the findings of the doctor about this host for which there is a remedy.
func (t *Installed) Weak(ctx context.Context) ([]api.Finding, error) {
	found, err := t.system.Doctor(ctx, false)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(found, func(f api.Finding) bool { return f.Remedy == "" }), nil
}

// Close ends the engine and removes its home.
func (t *Installed) Close() error {
	var err error
	if t.system != nil {
		err = t.system.Close()
	}
	return errors.Join(err, os.RemoveAll(t.dir))
}

// Kept implements Target.
func (t *Installed) Kept() string { return t.dir }

// secretName is the secret of all jobs.
const secretName = "attack"

// SetSecret implements Target.
func (t *Installed) SetSecret(ctx context.Context, value string) error {
	return t.system.SetSecret(ctx, secretName, []byte(value))
}

// Run implements Target.
func (t *Installed) Run(ctx context.Context, j Job) (Outcome, error) {
	if t.cells != nil {
		return Outcome{}, t.cells
	}
	task, err := j.task()
	if err != nil {
		return Outcome{}, err
	}
	run, err := t.system.Submit(ctx, api.Submission{Task: task})
	if err != nil {
		return Outcome{}, err
	}
	r, err := t.system.Wait(ctx, run.ID)
	if ctx.Err() != nil {
		err = errors.Join(err, t.system.Cancel(context.WithoutCancel(ctx), run.ID, "the attack was given up"))
	}
	if r == nil {
		return Outcome{}, err
	}
	out := Outcome{Stdout: string(r.Stdout), Stderr: string(r.Stderr), CPU: r.Usage.CPU}
	for _, o := range r.Outputs {
		out.Output = fmt.Sprint(o.Value)
		if ref, ok := value.RefOf(o.Value); ok {
			out.Output = ref.Path
		}
	}
	return out, err
}

func (j Job) task() (*api.Task, error) {
	task := &api.Task{
		Name: "attack", Code: j.Code, Verbatim: true, Arguments: j.Arguments, Network: j.Network, Resources: j.Resources, Limits: j.Limits, Timeout: j.Timeout,
		Env: map[string]string{"OUT": "/var/outputs/out"},
	}
	if task.Timeout == 0 {
		task.Timeout = patience
	}
	if j.Secret {
		task.Secrets = []api.SecretRef{{Name: secretName, Env: "KEY"}}
	}
	if j.Output != "" {
		kind, err := value.ParseType(j.Output)
		if err != nil {
			return nil, err
		}
		task.Signature.Outputs = []value.Param{{Name: "out", Type: kind}}
	}
	return task, nil
}

// Evaluate implements Target.
func (t *Installed) Evaluate(ctx context.Context, code string, limits api.OrchestratorLimits) (string, error) {
	var printed bytes.Buffer
	_, err := t.system.Evaluate(ctx, api.Evaluation{Stdout: &printed, Task: &api.Task{
		Kind: api.KindOrchestrator, Code: code, Orchestrator: &api.Orchestrator{Dialect: "extended", Limits: limits, SkipCheck: true},
	}})
	return printed.String(), err
}

// Serve implements Target.
func (t *Installed) Serve(ctx context.Context, listen, token string) (string, func(), error) {
	ctx, cancel := context.WithCancel(ctx)
	ready, ended := make(chan string, 1), make(chan error, 1)
	go func() {
		ended <- t.system.Serve(ctx, host.ServeOptions{Listen: listen, Token: token, Ready: func(address string) { ready <- address }})
	}()
	select {
	case address := <-ready:
		return address, func() { cancel(); <-ended }, nil
	case err := <-ended:
		cancel()
		if err == nil {
			err = api.Errorf(api.Canceled, "the server ended before it answered")
		}
		return "", nil, err
	}
}

// Processes implements Target: those that this process started, and that they started.
func (t *Installed) Processes() []string {
	entries, _ := filepath.Glob("/proc/[0-9]*/stat") // the pattern is right
	children := map[int][]int{}
	for _, path := range entries {
		if pid, parent, ok := parentOf(path); ok {
			children[parent] = append(children[parent], pid)
		}
	}
	var found []string
	for todo := children[os.Getpid()]; len(todo) > 0; todo = todo[1:] {
		found = append(found, fmt.Sprintf("process %d", todo[0]))
		todo = append(todo, children[todo[0]]...)
	}
	return found
}

// parentOf reads a file of proc_pid_stat(5): the name in it may hold anything.
func parentOf(path string) (pid, parent int, ok bool) {
	data, err := os.ReadFile(path)
	if err != nil {
		return 0, 0, false // it has ended
	}
	pid, err = strconv.Atoi(filepath.Base(filepath.Dir(path)))
	fields := strings.Fields(string(data[bytes.LastIndexByte(data, ')')+1:]))
	if err != nil || len(fields) < 2 || fields[0] == "Z" {
		return 0, 0, false
	}
	parent, err = strconv.Atoi(fields[1])
	return pid, parent, err == nil
}

// Open implements Target.
func (t *Installed) Open(ctx context.Context) (Session, error) {
	if t.cells != nil {
		return nil, t.cells
	}
	s, err := t.system.NewSession(ctx, api.SessionSpec{Timeout: 10 * time.Minute, AtEnd: api.AtEndKill})
	if err != nil {
		return nil, err
	}
	return session{t.system, s.ID}, nil
}

// session is one of the installed program.
type session struct {
	service api.Service
	id      string
}

// maxPrinted bounds what is kept of a program of a session, in bytes.
const maxPrinted = 64 << 10

// Exec implements Session.
func (s session) Exec(ctx context.Context, root bool, code string, arguments ...string) (string, error) {
	spec := api.ProcessSpec{Argv: append([]string{"python3", "-c", code}, arguments...), Timeout: patience}
	if root {
		spec.User = "root"
	}
	printed := map[string]string{}
	for event, err := range s.service.StartProcess(ctx, s.id, spec) {
		if err != nil {
			return "", err
		}
		if kept := printed[event.Stream]; event.Type == api.ProcessOutput && len(kept) < maxPrinted {
			printed[event.Stream] = kept + string(event.Data)
		}
		if event.Exit != nil && event.Exit.Status != 0 {
			return "", fmt.Errorf("the program ended with the status %d: %s", event.Exit.Status, tail(printed["stderr"]))
		}
	}
	return printed["stdout"], ctx.Err()
}

func tail(s string) string { return s[max(0, len(s)-200):] }

// Read implements Session.
func (s session) Read(ctx context.Context, path string) (string, error) {
	r, _, err := s.service.ReadFile(ctx, s.id, path, 0, maxPrinted, api.FileOptions{})
	if err != nil {
		return "", err
	}
	defer r.Close()
	data, err := io.ReadAll(r)
	return string(data), err
}

// Close implements Session.
func (s session) Close() error { return s.service.KillSession(context.Background(), s.id) }
