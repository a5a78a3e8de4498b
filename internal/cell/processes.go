package cell

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/guest/wire"
)

// ProcessSpec asks for a process that outlives the call. Dir and User of the
// embedded spec must be set, and its Env is for Processes only.
type ProcessSpec struct {
	api.ProcessSpec
	Variables []string // NAME=value of each; nothing is inherited
}

// Attachment follows a process. It is used by one goroutine.
type Attachment struct {
	cell    *Cell
	ch      *wire.Channel
	records *bufio.Reader
	ctx     context.Context
	stop    func() bool

	first  *api.ProcessEvent // was read ahead
	offset int64
	lost   int64
	over   bool
}

// StartProcess starts a process and follows it from its beginning, until ctx
// ends. The process lives on then.
func (c *Cell) StartProcess(ctx context.Context, spec ProcessSpec) (*Attachment, error) {
	about, err := json.Marshal(described(spec.ProcessSpec))
	if err != nil {
		return nil, err
	}
	request := wire.Start{
		Argv: wire.Texts(spec.Argv), Env: wire.Texts(spec.Variables), Dir: wire.Text(spec.Dir), As: as(spec.User),
		Tag: wire.Text(spec.Tag), Stdin: spec.Stdin, Timeout: int64(spec.Timeout), About: about,
		NoFile: uint64(c.spec.Resources.OpenFiles), NProc: uint64(c.spec.Resources.PIDs),
	}
	if spec.Terminal != nil {
		size, err := terminalSize(*spec.Terminal)
		if err != nil {
			return nil, err
		}
		request.Terminal = &size
	}
	return c.attach(ctx, wire.KindStart, request)
}

// maxDescribed bounds the description of a process that the guest keeps, in
// bytes, with the variables. Without them it is bounded by what a command takes.
const maxDescribed = 64 << 10

// described leaves out variables of which there are very many.
func described(spec api.ProcessSpec) api.ProcessSpec {
	size := 0
	for name, value := range spec.Env {
		size += len(name) + len(value)
	}
	if size > maxDescribed {
		spec.Env = nil
	}
	return spec
}

// Home is the home of users that a cell has no entry of, as it has none of UserID
// in most images.
const Home = "/work"

// as names a user to the guest; empty is UserID.
func as(user string) wire.As {
	if user == "" {
		user = fmt.Sprint(UserID)
	}
	return wire.As{User: wire.Text(user), Home: Home}
}

// maxTerminal bounds each direction of a terminal.
const maxTerminal = 10000

func terminalSize(size api.TerminalSize) (wire.Size, error) {
	for name, n := range map[string]int{"columns": size.Columns, "rows": size.Rows} {
		if n < 1 || n > maxTerminal {
			return wire.Size{}, api.Errorf(api.RequestInvalid, "the terminal has %d %s, expected 1 to %d", n, name, maxTerminal).
				WithDetails(api.Details{Field: "terminal." + name})
		}
	}
	return wire.Size{Columns: uint16(size.Columns), Rows: uint16(size.Rows)}, nil
}

// AttachProcess follows a process from an offset of its output on, until ctx
// ends; a negative offset is what comes from now on.
func (c *Cell) AttachProcess(ctx context.Context, ref api.ProcessRef, from int64) (*Attachment, error) {
	return c.attach(ctx, wire.KindFollow, wire.Follow{Ref: refOf(ref), From: from})
}

func refOf(ref api.ProcessRef) wire.Ref { return wire.Ref{PID: ref.PID, Tag: wire.Text(ref.Tag)} }

func (c *Cell) attach(ctx context.Context, kind string, request any) (*Attachment, error) {
	if ctx.Err() != nil {
		return nil, c.refused(ctx, ctx.Err())
	}
	ch, err := c.mux.Open(kind, request)
	if err != nil {
		return nil, c.refused(ctx, err)
	}
	a := &Attachment{cell: c, ch: ch, records: bufio.NewReaderSize(ch, wire.MaxRecord), ctx: ctx, stop: c.closeWith(ctx, ch)}
	first, err := a.Next()
	if err != nil {
		a.Close()
		return nil, err
	}
	if first.Type != api.ProcessStarted {
		a.Close()
		return nil, a.broken(fmt.Errorf("a process that has begun with %q", first.Type))
	}
	a.first = &first
	return a, nil
}

// closeWith ends a channel when ctx does. The cell lives on.
func (c *Cell) closeWith(ctx context.Context, ch *wire.Channel) (stop func() bool) {
	return context.AfterFunc(ctx, func() { ch.Close(wire.Done{}) })
}

// Close ends the following. The process lives on.
func (a *Attachment) Close() {
	a.stop()
	a.ch.Close(wire.Done{})
}

// Next returns what happens next: ProcessStarted, output, ProcessExited, and
// then io.EOF.
func (a *Attachment) Next() (api.ProcessEvent, error) {
	if a.first != nil {
		first := *a.first
		a.first = nil
		return first, nil
	}
	if a.over {
		return api.ProcessEvent{}, io.EOF
	}
	record, err := wire.ReadRecord(a.records)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrClosedPipe) {
		return a.end()
	}
	if err != nil {
		return api.ProcessEvent{}, a.broken(err)
	}
	return a.event(record)
}

var streams = map[wire.RecordKind]string{wire.RecordStdout: "stdout", wire.RecordStderr: "stderr", wire.RecordTerminal: "terminal"}

func (a *Attachment) event(record wire.Record) (api.ProcessEvent, error) {
	if record.Kind == wire.RecordStarted {
		started, err := wire.DecodeStarted(record.Data)
		if err != nil {
			return api.ProcessEvent{}, a.broken(err)
		}
		a.offset, a.lost = started.Offset, started.Lost
		return api.ProcessEvent{Type: api.ProcessStarted, PID: started.PID, Offset: a.offset}, nil
	}
	stream, known := streams[record.Kind]
	if !known {
		return api.ProcessEvent{}, a.broken(fmt.Errorf("record of kind %d from a process", record.Kind))
	}
	a.offset += int64(len(record.Data))
	event := api.ProcessEvent{
		Type: api.ProcessOutput, Stream: stream, Data: record.Data, Offset: a.offset, Lost: a.lost,
	}
	a.lost = 0
	return event, nil
}

// end says how the process ended, or why there is no more to follow.
func (a *Attachment) end() (api.ProcessEvent, error) {
	var end wire.End
	if err := a.ch.Status(&end); err != nil {
		return api.ProcessEvent{}, a.cell.refused(a.ctx, err)
	}
	if err := refusal(end.Done); err != nil {
		return api.ProcessEvent{}, err
	}
	if end.Exit == nil {
		return api.ProcessEvent{}, a.broken(errors.New("a process without an end"))
	}
	a.over = true
	a.stop()
	exit := exitOf(*end.Exit)
	return api.ProcessEvent{Type: api.ProcessExited, Offset: a.offset, Lost: a.lost, Exit: &exit}, nil
}

// broken is the error of a guest that said something that it cannot mean.
func (a *Attachment) broken(err error) error {
	a.Close()
	return a.cell.refused(a.ctx, err)
}

func exitOf(exit wire.ProcessExit) api.ProcessExit {
	e := Exit{Code: max(-1, min(exit.Code, 255)), Signal: signalName(exit.Signal)}
	return api.ProcessExit{Code: e.Code, Signal: e.Signal, Status: e.Status(), TimedOut: exit.TimedOut}
}

// refused explains why a request ended without an answer: because its context
// did, because the cell did, or because the guest failed.
func (c *Cell) refused(ctx context.Context, err error) error {
	switch {
	case ctx.Err() != nil && c.mux.Err() == nil:
		return api.Errorf(api.Canceled, "the request was cancelled: %w", context.Cause(ctx))
	case errors.Is(err, io.ErrClosedPipe) && c.mux.Err() == nil:
		return api.Errorf(api.Canceled, "the request was closed")
	case errors.Is(err, wire.ErrTooMany):
		return api.Errorf(api.Overloaded, "the cell serves as many requests as it can")
	}
	return c.explain(err)
}

// maxReason bounds what is repeated of the words of a guest, in bytes.
const maxReason = 2 << 10

// refusal is the error that a guest reports; nil for none.
func refusal(done wire.Done) error {
	if done.Error == "" {
		return nil
	}
	code := api.Code(done.Code)
	switch done.Code {
	case wire.CodeNotFound, wire.CodeConflict, wire.CodeRequestInvalid, wire.CodeNoCommand, wire.CodeLimit:
	default:
		code = api.Conflict
	}
	text := strings.ToValidUTF8(done.Error[:min(len(done.Error), maxReason)], "?")
	details := api.Details{Errno: unix.ErrnoName(unix.Errno(done.Errno))}
	switch done.Field {
	case "user", "tag", "pid", "pids", "path", "disk", "attributes", "port", "archive", FieldDir:
		details.Field = done.Field
	}
	return api.Errorf(code, "%s", text).WithDetails(details)
}

// ask sends a request that carries data towards the guest, and waits for the
// answer.
func (c *Cell) ask(ctx context.Context, kind string, request any, data []byte) error {
	var done wire.Done
	// The status says why something could not be sent.
	return c.exchange(ctx, kind, request, func(ch *wire.Channel) { ch.WriteLast(data) }, &done, func() wire.Done { return done })
}

// exchange sends a request and what send sends, and decodes the answer into status,
// of which done returns the common part. The end of ctx ends the request alone.
func (c *Cell) exchange(ctx context.Context, kind string, request any, send func(*wire.Channel), status any, done func() wire.Done) error {
	if ctx.Err() != nil {
		return c.refused(ctx, ctx.Err())
	}
	ch, err := c.mux.Open(kind, request)
	if err != nil {
		return c.refused(ctx, err)
	}
	defer c.closeWith(ctx, ch)()
	send(ch)
	if err := ch.Status(status); err != nil {
		return c.refused(ctx, err)
	}
	return refusal(done())
}

// WriteInput writes to the standard input of a process, and returns when all is
// taken.
func (c *Cell) WriteInput(ctx context.Context, ref api.ProcessRef, data []byte) error {
	return c.ask(ctx, wire.KindInput, wire.Input{Ref: refOf(ref)}, data)
}

// CloseInput ends the standard input of a process.
func (c *Cell) CloseInput(ctx context.Context, ref api.ProcessRef) error {
	return c.ask(ctx, wire.KindInput, wire.Input{Ref: refOf(ref), Close: true}, nil)
}

// SignalProcess sends a signal to a process, and with tree to everything that it
// has started.
func (c *Cell) SignalProcess(ctx context.Context, ref api.ProcessRef, signal string, tree bool) error {
	number := unix.SignalNum("SIG" + strings.TrimPrefix(strings.ToUpper(signal), "SIG"))
	if number == 0 {
		return api.Errorf(api.RequestInvalid, "there is no signal %q", signal).WithDetails(api.Details{Field: "signal"})
	}
	return c.ask(ctx, wire.KindSignal, wire.Signal{Ref: refOf(ref), Signal: int(number), Tree: tree}, nil)
}

// ResizeTerminal changes the size of the terminal of a process.
func (c *Cell) ResizeTerminal(ctx context.Context, ref api.ProcessRef, to api.TerminalSize) error {
	size, err := terminalSize(to)
	if err != nil {
		return err
	}
	return c.ask(ctx, wire.KindResize, wire.Resize{Ref: refOf(ref), Size: size}, nil)
}

// Bounds on what a guest says of its processes.
const (
	maxProcesses = 4096
	maxListed    = 64 << 20
)

// Processes lists the processes that run, and those that have ended lately.
func (c *Cell) Processes(ctx context.Context) ([]api.Process, error) {
	ch, err := c.mux.Open(wire.KindList, wire.List{})
	if err != nil {
		return nil, c.refused(ctx, err)
	}
	defer ch.Close(wire.Done{})
	defer c.closeWith(ctx, ch)()
	decoder := json.NewDecoder(io.LimitReader(ch, maxListed))
	list := []api.Process{}
	for len(list) < maxProcesses {
		var info wire.Info
		if err := decoder.Decode(&info); errors.Is(err, io.EOF) {
			return list, nil
		} else if err != nil {
			return nil, c.refused(ctx, err)
		}
		p, err := processOf(info)
		if err != nil {
			return nil, c.refused(ctx, err)
		}
		list = append(list, p)
	}
	return nil, api.Errorf(api.LimitExceeded, "the cell has more than %d processes", maxProcesses)
}

func processOf(info wire.Info) (api.Process, error) {
	p := api.Process{PID: info.PID, Started: time.Unix(0, info.Started), Offset: max(0, info.Offset)}
	if err := json.Unmarshal(info.About, &p.Spec); err != nil {
		return p, fmt.Errorf("description of a process: %w", err)
	}
	if info.Exit != nil {
		exit := exitOf(*info.Exit)
		p.Exit = &exit
	}
	return p, nil
}
