package servicetest

import (
	"context"
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// fakeProcess is a command that only seems to run.
type fakeProcess struct {
	api.Process
	events []api.ProcessEvent // without started
}

func (f *FakeSessions) write(p *fakeProcess, stream string, text []byte) {
	p.Offset += int64(len(text))
	p.events = append(p.events, api.ProcessEvent{Type: api.ProcessOutput, Stream: stream, Data: slices.Clone(text), Offset: p.Offset})
	f.changed.Broadcast()
}

func (f *FakeSessions) exit(p *fakeProcess, exit api.ProcessExit) {
	if p.Exit == nil {
		p.Exit = &exit
		p.events = append(p.events, api.ProcessEvent{Type: api.ProcessExited, Offset: p.Offset, Exit: &exit})
		f.changed.Broadcast()
	}
}

// begin does what a command does at once.
func (f *FakeSessions) begin(p *fakeProcess) {
	argv := p.Spec.Argv
	switch argv[0] {
	case "echo":
		f.write(p, p.output(), []byte(strings.Join(argv[1:], " ")+"\n"))
		f.exit(p, api.ProcessExit{})
	case "cat":
		if !p.Spec.Stdin && p.Spec.Terminal == nil {
			f.exit(p, api.ProcessExit{})
		}
	case "sleep":
		if p.Spec.Timeout > 0 {
			f.exit(p, api.ProcessExit{Code: -1, Signal: "SIGKILL", Status: 137, TimedOut: true})
		}
	default: // sh -c
		script := argv[len(argv)-1]
		if text, ok := strings.CutPrefix(script, "echo "); ok {
			text, toStderr := strings.CutSuffix(text, " >&2")
			f.write(p, map[bool]string{true: "stderr", false: p.output()}[toStderr], []byte(text+"\n"))
		}
		code, _ := strconv.Atoi(strings.TrimPrefix(script, "exit "))
		f.exit(p, api.ProcessExit{Code: code, Status: code})
	}
}

// output is the stream that a command writes to.
func (p *fakeProcess) output() string {
	if p.Spec.Terminal != nil {
		return "terminal"
	}
	return "stdout"
}

// StartProcess implements api.Processes.
func (f *FakeSessions) StartProcess(ctx context.Context, id string, spec api.ProcessSpec) iter.Seq2[api.ProcessEvent, error] {
	return func(yield func(api.ProcessEvent, error) bool) {
		pid, err := f.start(id, spec)
		if err != nil {
			yield(api.ProcessEvent{}, err)
			return
		}
		f.FollowProcess(ctx, id, api.ProcessRef{PID: pid}, 0)(yield)
	}
}

func (f *FakeSessions) start(id string, spec api.ProcessSpec) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	s, err := f.running(id)
	if err != nil {
		return 0, err
	}
	if len(spec.Argv) == 0 {
		return 0, api.Errorf(api.RequestInvalid, "argv is empty, expected a command").WithDetails(api.Details{Field: "argv", Expected: "a command", Got: "nothing"})
	}
	p := &fakeProcess{Process: api.Process{PID: len(s.processes) + 10, Spec: spec, Started: time.Unix(2, 0).UTC()}}
	s.processes = append(s.processes, p)
	f.begin(p)
	return p.PID, nil
}

func (s *fakeSession) process(ref api.ProcessRef) (*fakeProcess, error) {
	for _, p := range s.processes {
		if p.PID == ref.PID || ref.Tag != "" && p.Spec.Tag == ref.Tag {
			return p, nil
		}
	}
	return nil, api.Errorf(api.NotFound, "session %s has no process %d%s", s.ID, ref.PID, ref.Tag)
}

// FollowProcess implements api.Processes.
func (f *FakeSessions) FollowProcess(ctx context.Context, id string, ref api.ProcessRef, from int64) iter.Seq2[api.ProcessEvent, error] {
	return func(yield func(api.ProcessEvent, error) bool) {
		p, written, err := f.processOf(id, ref)
		if err != nil {
			yield(api.ProcessEvent{}, err)
			return
		}
		if from < 0 {
			from = written
		}
		if !yield(api.ProcessEvent{Type: api.ProcessStarted, PID: p.PID, Offset: from}, nil) {
			return
		}
		for next := 0; ; next++ {
			e, err := f.event(ctx, id, p, next)
			if e.Type == api.ProcessOutput && e.Offset <= from {
				continue
			}
			if cut := from - (e.Offset - int64(len(e.Data))); e.Type == api.ProcessOutput && cut > 0 {
				e.Data = e.Data[cut:]
			}
			if !yield(e, err) || err != nil || e.Type == api.ProcessExited {
				return
			}
		}
	}
}

// event waits for an event of a process, or the end of its session.
func (f *FakeSessions) event(ctx context.Context, id string, p *fakeProcess, next int) (api.ProcessEvent, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	s := f.sessions[id]
	err := f.await(ctx, func() bool { return len(p.events) > next || s.State == api.SessionOver })
	switch {
	case len(p.events) > next:
		return p.events[next], nil
	case err != nil:
		return api.ProcessEvent{}, err
	}
	return api.ProcessEvent{}, api.Errorf(api.SessionEnded, "session %s was killed", id)
}

// processOf finds a process, and how much it has written.
func (f *FakeSessions) processOf(id string, ref api.ProcessRef) (p *fakeProcess, written int64, err error) {
	err = f.withProcess(id, ref, func(found *fakeProcess) { p, written = found, found.Offset })
	return p, written, err
}

// Processes implements api.Processes.
func (f *FakeSessions) Processes(_ context.Context, id string) (list []api.Process, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	s, err := f.running(id)
	if err != nil {
		return nil, err
	}
	for _, p := range s.processes {
		list = append(list, p.Process)
	}
	return list, nil
}

// withProcess calls do under the lock.
func (f *FakeSessions) withProcess(id string, ref api.ProcessRef, do func(*fakeProcess)) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	s, err := f.running(id)
	if err != nil {
		return err
	}
	p, err := s.process(ref)
	if err == nil {
		do(p)
	}
	return err
}

// WriteInput implements api.Processes.
func (f *FakeSessions) WriteInput(_ context.Context, id string, ref api.ProcessRef, data []byte) error {
	return f.withProcess(id, ref, func(p *fakeProcess) { f.write(p, p.output(), data) })
}

// CloseInput implements api.Processes.
func (f *FakeSessions) CloseInput(_ context.Context, id string, ref api.ProcessRef) error {
	return f.withProcess(id, ref, func(p *fakeProcess) { f.exit(p, api.ProcessExit{}) })
}

// SignalProcess implements api.Processes.
func (f *FakeSessions) SignalProcess(_ context.Context, id string, ref api.ProcessRef, signal string, _ bool) error {
	return f.withProcess(id, ref, func(p *fakeProcess) {
		f.exit(p, api.ProcessExit{Code: -1, Signal: signal, Status: map[string]int{"SIGKILL": 137, "SIGTERM": 143, "SIGINT": 130}[signal]})
	})
}

// ResizeTerminal implements api.Processes.
func (f *FakeSessions) ResizeTerminal(_ context.Context, id string, ref api.ProcessRef, size api.TerminalSize) error {
	return f.withProcess(id, ref, func(p *fakeProcess) { p.Spec.Terminal = &size })
}
