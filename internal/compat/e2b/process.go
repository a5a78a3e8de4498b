package e2b

import (
	"errors"
	"io"
	"iter"
	"strconv"
	"syscall"

	"github.com/glovebox-dev/glovebox/api"
)

// processConfig is a command.
type processConfig struct {
	Cmd  string            `json:"cmd"`
	Args []string          `json:"args,omitempty"`
	Envs map[string]string `json:"envs,omitempty"`
	Cwd  string            `json:"cwd,omitempty"`
}

type terminal struct {
	Size struct {
		Cols int `json:"cols"`
		Rows int `json:"rows"`
	} `json:"size"`
}

func (t *terminal) size() *api.TerminalSize {
	if t == nil {
		return nil
	}
	return &api.TerminalSize{Columns: t.Size.Cols, Rows: t.Size.Rows}
}

type startRequest struct {
	Process processConfig `json:"process"`
	PTY     *terminal     `json:"pty"`
	Tag     string        `json:"tag"`
	Stdin   *bool         `json:"stdin"` // nil is true, as before there was this
}

// processEvent has one of its fields.
type processEvent struct {
	Start     *startedEvent `json:"start,omitempty"`
	Data      *dataEvent    `json:"data,omitempty"`
	End       *endEvent     `json:"end,omitempty"`
	Keepalive *struct{}     `json:"keepalive,omitempty"`
}

type startedEvent struct {
	PID int `json:"pid"`
}

type dataEvent struct {
	Stdout []byte `json:"stdout,omitempty"`
	Stderr []byte `json:"stderr,omitempty"`
	PTY    []byte `json:"pty,omitempty"`
}

type endEvent struct {
	ExitCode int    `json:"exitCode"`
	Exited   bool   `json:"exited"`
	Status   string `json:"status"`
	Error    string `json:"error,omitempty"`
}

// eventMessage is one message of a stream of a process.
type eventMessage struct {
	Event processEvent `json:"event"`
}

func (c *call) start(in *startRequest, out frames) error {
	timeout, err := c.deadline()
	if err != nil {
		return err
	}
	dir, err := c.workDir(in.Process.Cwd)
	if err != nil {
		return err
	}
	spec := api.ProcessSpec{
		Argv: append([]string{in.Process.Cmd}, in.Process.Args...), Env: in.Process.Envs, Dir: dir, User: c.user, Tag: in.Tag,
		Stdin: in.PTY == nil && (in.Stdin == nil || *in.Stdin), Terminal: in.PTY.size(), Timeout: timeout,
	}
	return c.sendEvents(out, c.face.Sessions.StartProcess(c.ctx(), c.session.ID, spec))
}

// workDir returns the directory of a command, which has to be there.
func (c *call) workDir(dir string) (string, error) {
	if dir == "" && c.user == "" {
		return "", nil
	}
	if dir == "" {
		dir = "~"
	}
	info, err := c.face.Sessions.StatFile(c.ctx(), c.session.ID, c.path(dir), c.options())
	if isNotFound(err) && !c.left() || err == nil && info.Type != api.TypeDir {
		return "", badRequest("cwd '" + dir + "' does not exist")
	}
	if err != nil {
		return "", err
	}
	return info.Path, nil
}

// selector names a process.
type selector struct {
	Process struct {
		PID int    `json:"pid"`
		Tag string `json:"tag"`
	} `json:"process"`
}

func (s *selector) ref() api.ProcessRef {
	return api.ProcessRef{PID: s.Process.PID, Tag: s.Process.Tag}
}

// follow sends what a process writes from now on.
func (c *call) follow(in *selector, out frames) error {
	return c.sendEvents(out, c.face.Sessions.FollowProcess(c.ctx(), c.session.ID, in.ref(), -1))
}

// sendEvents sends what happens to a process. While nothing does, it says now and
// then that the stream lives.
func (c *call) sendEvents(out frames, events iter.Seq2[api.ProcessEvent, error]) error {
	return alive(c.ctx(), c.pingInterval(), events, func(e api.ProcessEvent) error {
		if e.Type == api.ProcessExited && e.Exit.TimedOut {
			return connectError{codeDeadlineExceeded, "context deadline exceeded"}
		}
		return out.send(eventMessage{eventOf(e)})
	}, func() error {
		return out.send(eventMessage{processEvent{Keepalive: &struct{}{}}})
	})
}

func eventOf(e api.ProcessEvent) processEvent {
	switch e.Type {
	case api.ProcessStarted:
		return processEvent{Start: &startedEvent{e.PID}}
	case api.ProcessExited:
		return processEvent{End: endOfProcess(*e.Exit)}
	}
	data := &dataEvent{}
	switch e.Stream {
	case "terminal":
		data.PTY = e.Data
	case "stderr":
		data.Stderr = e.Data
	default:
		data.Stdout = e.Data
	}
	return processEvent{Data: data}
}

// endOfProcess writes the end of a process as Go's package os does.
func endOfProcess(exit api.ProcessExit) *endEvent {
	if exit.Signal != "" {
		text := "signal: " + signalText(exit)
		return &endEvent{ExitCode: -1, Status: text, Error: text}
	}
	text := "exit status " + strconv.Itoa(exit.Code)
	end := &endEvent{ExitCode: exit.Code, Exited: true, Status: text}
	if exit.Code != 0 {
		end.Error = text
	}
	return end
}

// signalText is the name that Go has for the signal that ended a process.
func signalText(exit api.ProcessExit) string {
	const signaled = 128
	return syscall.Signal(exit.Status - signaled).String()
}

type processInfo struct {
	Config processConfig `json:"config"`
	PID    int           `json:"pid"`
	Tag    string        `json:"tag,omitempty"`
}

type processList struct {
	Processes []processInfo `json:"processes,omitempty"`
}

// processes lists those that run.
func (c *call) processes(*struct{}) (*processList, error) {
	all, err := c.face.Sessions.Processes(c.ctx(), c.session.ID)
	if err != nil {
		return nil, err
	}
	out := &processList{}
	for _, p := range all {
		if p.Exit != nil {
			continue
		}
		config := processConfig{Cmd: p.Spec.Argv[0], Args: p.Spec.Argv[1:], Envs: p.Spec.Env, Cwd: p.Spec.Dir}
		out.Processes = append(out.Processes, processInfo{config, p.PID, p.Spec.Tag})
	}
	return out, nil
}

type none struct{}

type resizeRequest struct {
	selector
	PTY *terminal `json:"pty"`
}

func (c *call) resize(in *resizeRequest) (*none, error) {
	if in.PTY == nil {
		return &none{}, nil
	}
	return &none{}, c.face.Sessions.ResizeTerminal(c.ctx(), c.session.ID, in.ref(), *in.PTY.size())
}

// processInput has one of its fields.
type processInput struct {
	Stdin []byte `json:"stdin"`
	PTY   []byte `json:"pty"`
}

type inputRequest struct {
	selector
	Input processInput `json:"input"`
}

func (c *call) sendInput(in *inputRequest) (*none, error) {
	return &none{}, c.writeInput(in.ref(), in.Input)
}

// writeInput writes to a process. One without an open input is an internal error in
// E2B's daemon, which SDKs expect.
func (c *call) writeInput(p api.ProcessRef, in processInput) error {
	err := c.face.Sessions.WriteInput(c.ctx(), c.session.ID, p, append(in.Stdin, in.PTY...))
	if e, ok := api.FindError(err); ok && e.Code == api.Conflict {
		return connectError{codeInternal, e.Message}
	}
	return err
}

// inputMessage has one of its fields.
type inputMessage struct {
	Start *selector `json:"start"`
	Data  *struct {
		Input processInput `json:"input"`
	} `json:"data"`
}

// streamInput writes the messages of a stream to the process that its first one
// names. Each is read when the one before was taken.
func (c *call) streamInput() error {
	out := frames{c.w}
	err := c.userOfHeader()
	if err == nil {
		err = c.readInput()
	}
	if out.begin() != nil {
		return nil // the client is gone
	}
	if err == nil {
		err = out.send(none{})
	}
	return c.endStream(out, err)
}

func (c *call) readInput() error {
	var to *selector
	for {
		var in inputMessage
		err := readFrame(c.r.Body, &in)
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case in.Start != nil:
			to = in.Start
		case in.Data != nil && to == nil:
			return badRequest("the stream has to begin with a process")
		case in.Data != nil:
			if err := c.writeInput(to.ref(), in.Data.Input); err != nil {
				return err
			}
		}
	}
}

func (c *call) closeInput(in *selector) (*none, error) {
	return &none{}, c.face.Sessions.CloseInput(c.ctx(), c.session.ID, in.ref())
}

type signalRequest struct {
	selector
	Signal signalName `json:"signal"`
}

// signalName is a signal, by its name or its number.
type signalName string

// UnmarshalJSON takes both forms.
func (s *signalName) UnmarshalJSON(text []byte) error {
	switch string(text) {
	case `"SIGNAL_SIGKILL"`, "9":
		*s = "SIGKILL"
	case `"SIGNAL_SIGTERM"`, "15":
		*s = "SIGTERM"
	default:
		return errors.New("the signal is neither SIGNAL_SIGKILL nor SIGNAL_SIGTERM")
	}
	return nil
}

func (c *call) signal(in *signalRequest) (*none, error) {
	return &none{}, c.face.Sessions.SignalProcess(c.ctx(), c.session.ID, in.ref(), string(in.Signal), false)
}
